"""What proves a letter, and how the tests come by it."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.installation import SEATS, Installation, text_of

STRANGER = "someone@else.example"
PROOF = "mx.game.example; dmarc=pass header.from=legit.example"


Place = Callable[..., Installation]


@contextmanager
def playing(
    place: Place, folder: Path, trust: str, *, signing: bool = False, **more: object
) -> Iterator[Installation]:
    with place(folder, "coalition", seats=SEATS, trust=trust, strangers=(STRANGER,), **more) as at:
        if signing:  # a signature made now is younger than a period that began then
            at.clock = datetime.now(UTC).replace(microsecond=0) - timedelta(days=1)
        at.start()
        yield at


def secret(at: Installation, seat: str) -> str:
    """The seat's secret address, as its newest mail shows it."""
    return str(at.mails(seat)[-1]["Reply-To"])


def code(at: Installation, seat: str) -> str:
    """The code of the newest challenge."""
    text = next(
        text_of(mail)
        for mail in reversed(at.mails(seat))
        if "Is this letter yours?" in mail["Subject"]
    )
    found = re.search(r"CONFIRM (\S+)", text)
    assert found
    return found[1]
