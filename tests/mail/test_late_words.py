"""The mailed house rule on late letters is held to what becomes of such letters, sentence by
sentence, for each setting of `late`."""

from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.installation import SEATS, Installation, text_of
from tests.parsed import attached

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
