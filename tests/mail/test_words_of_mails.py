"""The law of length: how many words each kind of mail has, over a whole game of each rule-set by
mail, as ``bench/words.py`` counts them. A bound may only fall; it is the goal or, in brackets of
the table, how far a game still is from it."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from bench.words import GOALS, Came, played
from tests.installation import text_of

FAR: Mapping[str, Mapping[str, int]] = {}
"""By rule-set and kind, the medians that are allowed instead of the goal."""
FIRST = 60
"""Words within which a bulletin has told its story."""
SUBJECT = 12
"""Words of a subject, the name of the game and "Re:" or "Bulletin 3:" included."""


def by_kind(mails: list[Came]) -> Mapping[str, list[int]]:
    found = defaultdict(list)
    for one in mails:
        found[one.kind].append(one.words)
    return found


@pytest.mark.slow
def test_no_kind_of_mail_is_longer_than_its_bound(tmp_path: Path, key: str) -> None:
    mails = list(played(key, tmp_path))
    for kind, words in by_kind(mails).items():
        most = FAR.get(key, {}).get(kind, GOALS.get(kind))
        if most is not None:
            assert statistics.median(words) <= most, (kind, statistics.median(words))
    long = {str(one.mail["Subject"]) for one in mails if len(str(one.mail["Subject"]).split()) > 14}
    assert not long, long
    late = [one for one in mails if one.kind == "bulletin" and not _told(one)]
    assert not late, [str(one.mail["Subject"]) for one in late]


def _told(one: Came) -> bool:
    """Whether a bulletin's first paragraph is a story of at most three sentences that ends within
    the first words."""
    head, _, rest = text_of(one.mail).partition("====\n")
    story = rest.strip().partition("\n\n")[0]
    return len(f"{head} {story}".split()) <= FIRST + 15 and 1 <= story.count(". ") + 1 <= 4
