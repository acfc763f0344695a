"""Bulletins as HTML: every word of the plain text is there, and nothing of a player's becomes
markup."""

from __future__ import annotations

import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from pbem.pages import hypertext

TEXT = """Parlement (1966) - game demo
Bulletin 2: the session period is closed
==============================================================================

The vote on bill #4: 50 yes, 0 no: it PASSES. [17]
       vote  yes
    S  yes    10

THE POSITION
Session 1 <b>bold</b>
* S: VOTE 1
* R: VOTE 1,
  CANDIDATES
"""


def test_each_shape_becomes_its_element() -> None:
    page = hypertext.page(TEXT)
    assert "<h1>Parlement (1966) - game demo</h1>" in page
    assert "<h2>The position</h2>" in page
    assert "it PASSES. <sup>[17]</sup></p>" in page
    assert "<pre>       vote  yes\n    S  yes    10</pre>" in page
    assert "<li>R: VOTE 1,<br>CANDIDATES</li>" in page
    assert "&lt;b&gt;bold" in page and "<b>" not in page


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=300))
def test_no_word_is_lost(text: str) -> None:
    body = hypertext.page(text).split("<body>")[1]
    words = unescape(re.sub(r"</?(?:h1|h2|p|pre|ul|li|sup|br|body|html)>", "", body)).casefold()
    assert "".join(text.casefold().split()).replace("=", "").replace("*", "") in "".join(
        words.split()
    ).replace("=", "").replace("*", "")
