"""What the tests of grace share: a game in which all owe a vote."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pbem.post.imap import Mailbox
from tests.installation import SEATS, SLATE, Installation, absent
from tests.subjects import subjects
from tests.twins import RANDOM

LENGTHS = {"7 days": "24h", "36 hours": "24h", "90 minutes": "30 minutes"}
"""Of a period, and of its grace."""


MOVES = {
    "7 days": timedelta(days=1),
    "36 hours": timedelta(hours=24),
    "90 minutes": timedelta(minutes=30),
}


@contextmanager
def playing(folder: Path, period: str = "7 days", **more: Any) -> Iterator[Installation]:
    """A game of Coalition in its second period, in which all five owe a vote."""
    given = {
        "house": {"grace": LENGTHS[period]},
        "options": {"PERIOD": period.removesuffix(" days")},
    }
    with Installation(folder, "coalition", seats=SEATS, **{**given, **more}) as at:
        at.start()
        at.step("propose", lambda: propose(at))
        assert at.table().period.number == 2
        yield at


def due(at: Installation) -> datetime:
    found = at.table().period.due
    assert found is not None
    return found


def number(at: Installation) -> int:
    return at.table().period.number


def to_the_deadline(at: Installation) -> None:
    at.clock = due(at)
    at.once(minutes=0)
    at.clock += timedelta(seconds=10)


def propose(at: Installation) -> None:
    """A period in which nobody owes anything, and A proposes what is voted upon in the next."""
    at.clock += timedelta(seconds=10)
    at.write("A", f"PROPOSE {SLATE}")
    at.once(minutes=0)
    to_the_deadline(at)


def votes(at: Installation, seats: str, vote: str = "AYE") -> None:
    at.clock += timedelta(seconds=10)
    for seat in seats:
        at.write(seat, f"PERIOD 2\nVOTE {vote}")
    at.once(minutes=0)


def kinds(at: Installation) -> list[str]:
    return [move["kind"] for move in at.table().period.moves]


def waits_for(at: Installation) -> set[str]:
    """The seats that were ever told that a period waits for them."""
    return {seat for seat in SEATS if any("waits for you" in one for one in subjects(at, seat))}


@contextmanager
def away(at: Installation) -> Iterator[None]:
    """The mail server does not answer."""
    reachable = at.daemon.readers[0].mailbox
    at.daemon.readers[0].mailbox = Mailbox(absent(reachable.account))
    yield
    at.daemon.readers[0].mailbox = reachable


def waiting(at: Installation) -> datetime:
    """The period waits for E; since when."""
    votes(at, "ABCD")
    before = due(at)
    to_the_deadline(at)
    assert kinds(at) == ["grace"]
    return before


def seen(at: Installation, seat: str) -> list[bytes]:
    mails = at.office.messages(f"{seat.lower()}@legit.example")
    for pattern, said in RANDOM:
        mails = [re.sub(pattern, said, mail) for mail in mails]
    return mails
