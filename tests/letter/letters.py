"""What the tests about letters share: the corpora, an installation, and letters made on the
spot."""

import csv
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pbem.letters.addresses import KnownFacts, Registration
from pbem.letters.authentication import Level
from pbem.letters.case import LetterCase
from pbem.letters.letter import Letter
from pbem.letters.limits import Limits
from pbem.letters.reading.quoting import Own, gone_through
from pbem.letters.verdict import Decision, decide

CORPORA = Path(__file__).parent.parent / "corpora"
KEY = b"a key of the test's own"
PLAYER, REFEREE = "player1@legit.example", "referee@game.example"


def every_file() -> Iterator[Path]:
    """Every letter of the corpora."""
    for path in sorted(CORPORA.rglob("*")):
        if path.suffix == ".eml" or path.parent.name == "emails":
            yield path


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def written(text: str) -> str:
    """What stands in a file with Python's escapes for what no line holds, or nobody sees."""
    return text.encode("latin-1", "backslashreplace").decode("unicode_escape")


def lines_of(path: Path) -> list[str]:
    """The texts of a file, one a line."""
    text = path.read_text(encoding="utf-8")
    return [written(line) for line in text.split("\n") if line]


def installation(level: Level = Level.PROVEN, **changes: str) -> KnownFacts:
    """The configuration under which the corpus of attacks is to be read."""
    seat = Registration(PLAYER, "g1", "S", level, **changes)
    other = Registration("player2@other.example", "g1", "R", level)
    return KnownFacts(
        {REFEREE: ""},
        frozenset({"mx.game.example"}),
        (seat, other),
        frozenset({"g1"}),
        verp_key=KEY,
    )


def own(text: str) -> Own:
    """A text gone through."""
    return gone_through(text, (), Limits())


def decided(found: Letter, raw: bytes, where: KnownFacts | None = None, **more: Any) -> Decision:
    """The verdict on a letter."""
    return decide(LetterCase(found, raw, where or installation(), **more))


def letter(
    text: str = "VOTE YES ON 4\n", *head: str, sender: str = f"<{PLAYER}>", to: str = REFEREE
) -> bytes:
    """A plain letter with these extra header lines on top."""
    lines = [
        *head,
        f"From: {sender}",
        f"To: <{to}>",
        "Subject: orders",
        "Message-ID: <one@legit.example>",
    ]
    if not any(line.lower().startswith("content-type") for line in head):
        lines.append("Content-Type: text/plain; charset=utf-8")
    return ("\r\n".join(lines) + "\r\n\r\n" + text.replace("\n", "\r\n")).encode("utf-8")


def proven(*head: str) -> tuple[str, ...]:
    """Header lines with our own server's DMARC pass on top."""
    return ("Authentication-Results: mx.game.example; dmarc=pass header.from=legit.example", *head)


class Made(Mapping[str, bytes]):
    """Letters by name, each made when it is asked for: together they take sixty megabytes."""

    def __init__(self, makers: Mapping[str, Callable[[], bytes]]) -> None:
        self._makers = makers

    def __getitem__(self, name: str) -> bytes:
        return self._makers[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)
