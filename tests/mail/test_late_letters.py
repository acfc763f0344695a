"""Letters that come late: explained, not applied to the next period, or let in."""

from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.periods import deadline_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Journal
from tests.installation import SEATS, Installation, address, flat, text_of
from tests.parsed import attached


@pytest.mark.game("coalition", late="deadline")
def test_where_the_deadline_counts_no_period_line_brings_a_late_letter_in(at: Installation) -> None:
    at.clock = at.table().period.due + timedelta(seconds=30)
    at.send("A", "PERIOD 1\nSPECIAL AGR")
    assert at.table().period.number == 2
    assert at.outcomes() == [("late", "It was received after the deadline of period 1.")]
    assert at.view("A")["specials"] == []
    receipt = next(text_of(mail) for mail in at.mails("A") if mail["Subject"] == "Re: orders")
    assert "Its orders were not taken." in receipt and "PERIOD 1 on top" not in " ".join(
        receipt.split()
    )


@pytest.mark.parametrize("late", ["deadline", "adjudication"])
def test_a_held_game_takes_orders_although_its_deadline_has_passed(
    tmp_path: Path, late: str
) -> None:
    """As the mail about the hold promises; the receipt says that the game is held."""
    with Installation(tmp_path, "coalition", seats=SEATS, late=late) as at:
        at.start()
        at.act(deadline_acts.hold, "g", "the gamesmaster is ill")
        at.clock = at.table().period.due + timedelta(days=3)
        at.send("A", "SPECIAL AGR")
        assert at.standing("A") == ["SPECIAL AGR"]
        receipt = " ".join(at.newest("A").split())
        assert (
            "The game is held: the gamesmaster is ill. You will be told when it goes on" in receipt
        )
        assert "0 minutes left" not in receipt


def test_the_journal_says_what_was_read_before_a_period_was_closed(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    due = at.table().period.due
    at.to_deadline()
    with exclusive_transaction(at.daemon.engine) as conn:
        drained = (
            conn.execute(select(Journal.data).where(Journal.kind == "drained")).scalars().all()
        )
    assert [(one["period"], one["due"]) for one in drained] == [(1, due.isoformat())]
    folder = drained[0]["folders"]["INBOX"]
    assert folder["uid"] >= 1 and folder["uidvalidity"] > 0


# --- house rule 8 ---------------------------------------------------------------------------------


SCENARIO = {"public": {"period": 4, "election": "premier"}}
RULE = (
    "House rule 8: a period waits up to 7 days for your candidate list, then 7 days for a new"
    " player."
)


@pytest.mark.game("parlement-1966", scenario=SCENARIO)
def test_reminder_second_letter_and_house_rules_say_the_same(at: Installation) -> None:
    rules = [attached(at.mails("S")[0])]
    everybodys = RULE.replace("for your", "for a")
    assert any(everybodys in one for one in rules), rules
    due = at.table().period.due
    assert due is not None
    at.clock = due - timedelta(days=3)
    at.once()
    assert RULE in flat(at.newest(address("S")))
    at.to_deadline()
    assert RULE in flat(at.newest(address("S")))
    assert at.table().period.number == 1


@pytest.mark.game("parlement-1966", scenario=SCENARIO)
def test_a_period_whose_last_list_has_come_stays_open_for_an_hour(at: Installation) -> None:
    for seat in "RLCM":
        at.write(address(seat), "CANDIDATES NONE")
    at.once()
    at.to_deadline()
    told = at.table().period.due
    assert at.table().period.number == 1 and told is not None
    at.clock = told - timedelta(days=3)
    at.write(address("S"), "CANDIDATES 21-25")
    assert at.once().closed == 0
    receipt = flat(at.newest(address("S")))
    assert "All that the period waited for is in. It closes at" in receipt
    at.write(address("S"), "CANDIDATES 21-30")
    assert at.once(30).closed == 0
    assert at.standing("S") == ["CANDIDATES 21-30"]
    assert at.once(70).closed == 0
    assert at.once().closed == 1
    assert at.table().period.number == 2


# --- the mailed house rule on late letters is held to what becomes of such letters, sentence by sentence, for each setting of `late` ---


UNTIL_ADJUDICATED, DEADLINE = "until_adjudicated", "deadline"
ORDERS = 'NAME "Punctual"'
SENTENCES = {
    "even late": (
        "Orders can be changed until the deadline, and after it until the referee has adjudicated"
        " the period."
    ),
    "strict": (
        "Orders can be changed until the deadline. What comes later does not count for that period;"
        " if you mean it for the next one, send it again when that has begun."
    ),
    "open": "A letter counts for the period that is open when the referee reads it.",
    "named": ("With a line like PERIOD 4 it counts for that period, or for nothing."),
    "before": (
        "Without such a line it counts for nothing if it came before the bulletin that opened the"
        " period;"
    ),
    "answer": "or if it came soon after, and answers a receipt or reminder of the period before.",
    "answered": "Every such letter is answered, and the answer says why.",
}
PROMISES = [
    # sentence, setting, when the letter comes, what it names, whether it counts
    ("open", UNTIL_ADJUDICATED, "in time", "", True),
    ("open", DEADLINE, "in time", "", True),
    ("open", UNTIL_ADJUDICATED, "in time", "PERIOD 1", True),
    ("named", UNTIL_ADJUDICATED, "in time", "PERIOD 2", False),
    ("named", DEADLINE, "in time", "PERIOD 2", False),
    ("even late", UNTIL_ADJUDICATED, "after the deadline", "", True),
    ("even late", UNTIL_ADJUDICATED, "after the deadline", "PERIOD 1", True),
    ("named", UNTIL_ADJUDICATED, "after the deadline", "PERIOD 2", False),
    ("strict", DEADLINE, "after the deadline", "", False),
    ("strict", DEADLINE, "after the deadline", "PERIOD 1", False),
    ("strict", DEADLINE, "after the deadline", "PERIOD 2", False),
    ("strict", DEADLINE, "in the next", "", True),
    ("open", UNTIL_ADJUDICATED, "in the next", "", True),
    ("named", UNTIL_ADJUDICATED, "in the next", "PERIOD 1", False),
    ("named", DEADLINE, "in the next", "PERIOD 1", False),
    ("before", UNTIL_ADJUDICATED, "seen late", "", False),
    ("before", UNTIL_ADJUDICATED, "seen late", "PERIOD 2", True),
    ("before", DEADLINE, "seen late", "", False),
    ("before", DEADLINE, "seen late", "PERIOD 2", True),
    ("answer", UNTIL_ADJUDICATED, "answers a receipt", "", False),
    ("answer", UNTIL_ADJUDICATED, "answers a receipt", "PERIOD 2", True),
    ("answer", DEADLINE, "answers a receipt", "", False),
    ("answer", DEADLINE, "answers a receipt", "PERIOD 2", True),
]


def arrives(at: Installation, when: str, text: str) -> None:
    """A letter of A's comes then, and is read."""
    due = at.table().period.due
    assert due is not None
    if when == "in time":
        at.write("A", text)
    elif when == "after the deadline":  # the period is not adjudicated before its letters are read
        at.clock = due + timedelta(minutes=1)
        at.write("A", text)
    elif when == "in the next":
        at.to_deadline()
        at.write("A", text)
    elif when == "seen late":  # it comes while the daemon closes the period
        at.clock = due
        at.daemon.once(at.clock)
        at.clock -= timedelta(minutes=1)
        at.write("A", text)
        at.clock += timedelta(minutes=2)
    else:
        at.clock = due - timedelta(hours=1)
        at.send("A", "ORDERS")
        receipt = str(at.mails("A")[-1]["Message-ID"])
        at.to_deadline()
        at.clock += timedelta(hours=1)
        at.write("A", text, In_Reply_To=receipt)
    at.once()


@pytest.mark.parametrize(("sentence", "late", "when", "names", "counts"), PROMISES)
def test_the_words_say_what_happens(
    tmp_path: Path, sentence: str, late: str, when: str, names: str, counts: bool
) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, late=late) as at:
        at.start()
        rules = house_rules(at)
        assert SENTENCES[sentence] in rules and SENTENCES["answered"] in rules
        arrives(at, when, f"{names}\n{ORDERS}".strip())
        outcome, why = at.outcomes()[-1]
        assert outcome == ("orders" if counts else "late"), why
        answer = " ".join(text_of(newest_receipt(at)).split())
        assert counts or why in answer


def house_rules(at: Installation) -> str:
    """Those that come with the welcome, on one line."""
    return attached(at.mails("A")[0])


def newest_receipt(at: Installation) -> EmailMessage:
    return next(mail for mail in reversed(at.mails("A")) if "Receipt " in text_of(mail))


def test_each_setting_has_its_sentence_only(tmp_path: Path) -> None:
    for late, told, other in (
        (UNTIL_ADJUDICATED, "even late", "strict"),
        (DEADLINE, "strict", "even late"),
    ):
        (tmp_path / late).mkdir()
        with Installation(tmp_path / late, "coalition", seats=SEATS, late=late) as at:
            at.start()
            rules = house_rules(at)
            assert SENTENCES[told] in rules and SENTENCES[other] not in rules
