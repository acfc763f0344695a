"""The law of length: how many words each kind of mail has, over a whole game of each rule-set by
mail, as ``bench/words.py`` counts them. A bound may only fall."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from bench.words import Came, goals, played
from tests.installation import text_of

FAR: Mapping[str, Mapping[str, int]] = {
    "politics-1935": {"bulletin": 325, "receipt": 91},
    "party-in-power": {"bulletin": 290},
    "parlement-1968": {"notice": 190, "bulletin": 400, "receipt": 96, "reminder": 65},
}
"""By rule-set and kind, the medians of games that have not reached the goal yet."""
FIRST = 75
"""Words within which a bulletin has told its story, its head and the divider included."""
MOST_SENTENCES = 3
SUBJECT = 14
"""Words of a subject, the name of the game and "Bulletin 3:" included."""


def by_kind(mails: list[Came]) -> Mapping[str, list[int]]:
    found = defaultdict(list)
    for one in mails:
        found[one.kind].append(one.words)
    return found


@pytest.mark.slow
def test_no_kind_of_mail_is_longer_than_its_bound(tmp_path: Path, key: str) -> None:
    mails = list(played(key, tmp_path))
    for kind, words in by_kind(mails).items():
        most = FAR.get(key, {}).get(kind, goals(key).get(kind))
        assert most is None or statistics.median(words) <= most, (kind, statistics.median(words))
    said = [str(one.mail["Subject"]) for one in mails if one.kind in ("bulletin", "receipt", "end")]
    assert [one for one in said if len(one.split()) > SUBJECT] == []
    assert {str(one.mail["Subject"]) for one in mails if not _told(one)} == set()


def _told(one: Came) -> bool:
    """Whether a bulletin's first paragraph is a story of at most three sentences that ends within
    the first words."""
    head, _, rest = text_of(one.mail).partition("====\n")
    story = rest.strip().partition("\n\n")[0].replace("\n", " ")
    if one.kind != "bulletin":
        return True
    return len(f"{head} {story}".split()) <= FIRST and len(story.split(". ")) <= MOST_SENTENCES
