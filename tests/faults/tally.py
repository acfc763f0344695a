"""What a schedule came to: what struck, what was sent, what was in doubt, what went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from email.message import Message

from tests.faults.schedules import Fault


@dataclass(slots=True)
class Tally:
    """One schedule, or the sum of many. ``idle``: those in which nothing struck; ``sent``: mails
    that reached a mailbox; ``doubted``: those of which nobody knows whether they did, and that were
    sent once more for it; ``twice``: those of them that came twice; ``again``: copies that came
    again because a backup was restored that knew nothing of the first; ``wrong``: what no schedule
    may show, a line each."""

    schedules: int = 0
    failed: int = 0
    idle: int = 0
    struck: Counter[str] = field(default_factory=Counter)
    points: Counter[str] = field(default_factory=Counter)
    sent: int = 0
    doubted: int = 0
    twice: int = 0
    again: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """The sum."""
        self.schedules += other.schedules
        self.failed += other.failed
        self.idle += other.idle
        self.struck += other.struck
        self.points += other.points
        self.sent += other.sent
        self.doubted += other.doubted
        self.twice += other.twice
        self.again += other.again
        self.wrong += other.wrong


def tally(
    struck: Sequence[Fault],
    mails: Mapping[str, Sequence[Message]],
    doubted: set[str],
    wrong: Sequence[str],
) -> Tally:
    """Of one schedule: ``mails`` by mailbox; ``doubted`` the Message-IDs of mails that were in
    doubt."""
    idents = [Counter(mail["Message-ID"] for mail in found) for found in mails.values()]
    extra: Counter[bool] = Counter()
    for found in idents:
        for ident, count in found.items():
            extra[ident in doubted] += count - 1
    return Tally(
        1,
        bool(wrong),
        not struck,
        Counter(fault.kind for fault in struck),
        Counter(f"{fault.kind} at {fault.point}" for fault in struck),
        sum(map(len, idents)),
        len(doubted),
        extra[True],
        extra[False],
        list(wrong),
    )


def twice(mails: Mapping[str, Sequence[Message]], doubted: set[str]) -> list[str]:
    """The mails that came twice though they were not in doubt, or more often than that."""
    return [
        f"{who} got {ident} {count} times"
        for who, found in mails.items()
        for ident, count in Counter(mail["Message-ID"] for mail in found).items()
        if count > 1 + (ident in doubted)
    ]


def broken(told: str, error: Exception) -> Tally:
    """Of a schedule that could not be played to its end."""
    return Tally(1, 1, wrong=[f"{told}: {type(error).__name__}: {error}"])
