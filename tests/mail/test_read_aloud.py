"""What the mails say is true and reads well: found by playing each game by mail and reading every
mail that came back."""

import re
import statistics
from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bench.words import Came, goals, late
from pbem.daemon.loop import Database
from pbem.periods import record
from pbem.post.clock import Reading
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.text import counted
from tests.installation import Installation, text_of
from tests.mails import of_bots
from tests.parsed import attached

FIVE = ("A", "B", "C", "D", "E")


def send(at: Installation, seat: str, text: str) -> str:
    """A letter, and the newest mail after it with its blanks folded."""
    at.send(seat, text)
    return " ".join(at.newest(seat).split())


@pytest.mark.game("parlement-1966", trust="proven")
def test_nobody_else_can_answer_whether_a_player_plays_on(at: Installation) -> None:
    """What only reads is answered without proof; it does not say that the player is there."""
    with exclusive_transaction(at.daemon.engine) as conn:
        record.ask_to_go_on(at.work(conn), games.game_at(conn, "g"), "S", 2)
    assert "STATUS (game" in send(at, "S", "STATUS")
    assert at.table().holders["S"].asked_until is not None


@pytest.mark.game("coalition", house={"early": "ready"})
def test_ready_beside_a_press_that_hides_orders_is_not_taken(at: Installation) -> None:
    held = "READY\nPRESS TO B\nI am with you.\nSPECIAL AGR"
    assert "READY was not taken" in send(at, "A", held) and "not said READY" in " ".join(
        at.newest("A").split()
    )
    told = send(at, "A", "READY\nPRESS TO B\nI am with you.\nSPECIAL AGR\nEND PRESS")
    assert "READY: at 20:00" in told
    assert "Your READY is taken back" in send(at, "A", "PRESS TO B\nI am with you.\nSPECIAL AGR")


@pytest.mark.parametrize(
    ("period", "options", "said"),
    [
        (1, {}, "before the deadline ("),
        (2, {}, "at its deadline ("),
        (2, {"EARLY": "OFF"}, "before the deadline ("),
    ],
)
def test_a_code_is_asked_for_before_the_period_closes(
    period: int, options: dict[str, str], said: str, tmp_path: Path
) -> None:
    """It may close before its deadline: then the code comes too late, and the mail must not have
    promised otherwise."""
    with Installation(tmp_path, "coalition", seats=FIVE, trust="proven", options=options) as at:
        at.start()
        if period > 1:
            at.to_deadline()
        assert at.table().period.number == period
        told, early = send(at, "A", "SPECIAL AGR"), period > 1 and not options
        assert said in told and (") or early with the one line" in told) == early
        sender = str(at.mails("A")[-1]["Reply-To"])
        at.send("A", "RESIGN", To=sender)
        asked = next(
            " ".join(text_of(m).split())
            for m in at.mails("A")
            if "do you mean it" in str(m["Subject"])
        )
        assert said in asked and (") or early. If" in asked) == early


# --- how long something lasts, and how many there are of something, is told in whole minutes, hours or days and with the right number ---


NOUNS = (
    "day|hour|minute|second|week|letter|mail|game|period|bulletin|notice|player|seat|file|move|line"
    "|receipt|press|journal entry|try|preview|look|copy"
)
WRONG = re.compile(
    rf"(?<![\d.,:-])1 (?:(?:{NOUNS})s|presses|journal entries|tries|copies)\b"
    rf"|(?<![\d.,:-])(?:0|[2-9]|\d\d+) (?:{NOUNS})(?![\w-])"
    r"|\b\d+ days?, \d+:\d\d:\d\d|(?<![\d:T ])\b\d:\d\d:\d\d\b"
)
"""One of several, several of one, and a length as Python prints it."""
ONES: Mapping[str, Any] = {
    "lengths": {"*": 1},
    "reminders": {"*": [1], "lists": [1]},
    "most_automatic": 1,
    "alone": 1,
}
PARLEMENT = {
    "ask_after_missed": 1,
    "reply_days": 1,
    "late_list_days": 1,
    "back_out_days": 1,
    "report_days": 1,
}


def test_the_mails_of_a_game_of_single_days(tmp_path: Path, key: str) -> None:
    rules = {"rules": PARLEMENT} if key.startswith("parlement") else {}
    with Installation(tmp_path, key, house={**ONES, **rules}) as at:
        at.start()
        for _ in range(3):
            if at.table().period.due is None:
                break
            at.clock = at.table().period.due - timedelta(hours=1)
            at.send(at.seats[0], "STATUS")
            at.to_deadline()
        mails = [text_of(mail) for mail in at.mails(at.seats[0])]
        start = attached(at.mails(at.seats[0])[0])
        assert "by at most 1 day;" in start and "1 day before the deadline" in start
        assert mails
        for text in mails:
            found = WRONG.search(house_and_hours(text))
            assert found is None, text


def house_and_hours(text: str) -> str:
    """A mail without its bulletin of the game's own facts, and without hours of the day."""
    if "is closed\n" in text or "the game begins\n" in text:
        return ""
    return re.sub(r"\d\d:\d\d(:\d\d)?", "", text)


def test_counted() -> None:
    assert [counted(n, "letter") for n in (0, 1, 2)] == ["0 letters", "1 letter", "2 letters"]
    assert counted(1, "copy", "copies") == "1 copy" and counted(2, "copy", "copies") == "2 copies"


def test_how_long_the_database_was_away() -> None:
    began, trouble = datetime(2026, 3, 2, 9, 0, tzinfo=UTC), Database()
    trouble.struck("it is away", Reading(began, 0.0))
    told = trouble.report(Reading(began + timedelta(seconds=90), 90.0))
    assert "for 2 minutes; 1 try failed." in told


# --- the law of length ----------------------------------------------------------------------------


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
    came = [(one.seat, text_of(one.mail)) for one in mails]
    alone = {one.mail["Subject"] for one in mails if one.kind == "event" and _is_alone(one, came)}
    assert {one for one in alone if not one.endswith(" alone")} == set()


def _counted(one: Came) -> bool:
    """Whether the numbers in a receipt's subject are of what it lists."""
    text = text_of(one.mail)
    listed = (text.count("\n  [+] "), text.count("\n  [-] "), text.count("NOT TAKEN: "))
    said = [re.search(what, str(one.mail["Subject"])) for what in _COUNTS]
    return listed == tuple(int(found[1]) if found else 0 for found in said)


_COUNTS = (r"(\d+) orders? taken", r"(\d+) taken back", r"(\d+) (?:lines? )?not\b")


def _is_alone(one: Came, came: list[tuple[str, str]]) -> bool:
    """Whether not all seats have got a mail of these words."""
    text = text_of(one.mail).partition(" alone")[2] or text_of(one.mail)
    return len({seat for seat, words in came if text in words}) < len({seat for seat, _ in came})


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
