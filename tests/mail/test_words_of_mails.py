"""The law of length: how many words each kind of mail has, over a whole game of each rule-set by
mail, as ``bench/words.py`` counts them. A bound may only fall."""

import re
import statistics
from collections import defaultdict
from collections.abc import Mapping

import pytest

from bench.words import Came, goals, late
from tests.installation import text_of
from tests.mails import of_bots

FAR: Mapping[str, Mapping[str, int]] = {
    "politics-1935": {"receipt": 91},
    "parlement-1968": {"notice": 160, "receipt": 96, "reminder": 65},
    "party-in-power": {"notice": 153},
}
"""By rule-set and kind, the medians of games that have not reached the goal yet."""
LATE: Mapping[str, Mapping[str, int]] = {
    "coalition": {"answer": 170},
    "legislation": {"answer": 130},
    "politics-1935": {"answer": 160},
    "party-in-power": {"answer": 220},
    "parlement-1966": {"answer": 220, "bulletin": 525},
    "parlement-1968": {"answer": 160, "notice": 390},
}
"""By rule-set and kind, the 95th centiles that are more than twice the median (or twice the goal, if
the median is below it)."""
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
def test_no_kind_of_mail_is_longer_than_its_bound(key: str) -> None:
    mails = of_bots(key)
    for kind, words in by_kind(mails).items():
        most = FAR.get(key, {}).get(kind, goals(key).get(kind))
        assert most is None or statistics.median(words) <= most, (kind, statistics.median(words))
        if kind in goals(key):
            usual = max(statistics.median(words), goals(key)[kind])
            most = LATE.get(key, {}).get(kind, 2 * usual)
            assert late(words) <= most, (kind, late(words))
    whole = [(one.kind, len(text_of(one.mail).split())) for one in mails]
    assert [one for one in whole if one[1] > (800 if one[0] in ("bulletin", "end") else 500)] == []
    said = [str(one.mail["Subject"]) for one in mails if one.kind in ("bulletin", "receipt", "end")]
    assert [one for one in said if len(one.split()) > SUBJECT] == []
    assert {str(one.mail["Subject"]) for one in mails if not _told(one)} == set()
    assert [
        one.mail["Subject"] for one in mails if one.kind == "receipt" and not _counted(one)
    ] == []
    alone = {one.mail["Subject"] for one in mails if one.kind == "event" and _is_alone(one, mails)}
    assert {one for one in alone if not one.endswith(" alone")} == set()


def _counted(one: Came) -> bool:
    """Whether the numbers in a receipt's subject are of what it lists."""
    text = text_of(one.mail)
    listed = (text.count("\n  [+] "), text.count("\n  [-] "), text.count("NOT TAKEN: "))
    said = [re.search(what, str(one.mail["Subject"])) for what in _COUNTS]
    return listed == tuple(int(found[1]) if found else 0 for found in said)


_COUNTS = (r"(\d+) orders? taken", r"(\d+) taken back", r"(\d+) (?:lines? )?not\b")


def _is_alone(one: Came, mails: list[Came]) -> bool:
    """Whether not all seats have got a mail of these words."""
    text = text_of(one.mail).partition(" alone")[2] or text_of(one.mail)
    return len({x.seat for x in mails if text in text_of(x.mail)}) < len({x.seat for x in mails})


def _told(one: Came) -> bool:
    """Whether a bulletin's first paragraph is a story of at most three sentences that ends within
    the first words, and it says that nothing happened only if it has no story."""
    head, _, rest = text_of(one.mail).partition("====\n")
    story = rest.strip().partition("\n\n")[0].replace("\n", " ")
    if one.kind != "bulletin":
        return True
    if not rest.strip().startswith(nothing := "Nothing happened") and nothing in rest:
        return False
    return len(f"{head} {story}".split()) <= FIRST and len(story.split(". ")) <= MOST_SENTENCES
