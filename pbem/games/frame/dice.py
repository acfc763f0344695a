"""Verifiable chance: numbers from SHA-256, one stream per use.

Block ``i`` of a stream is ``SHA-256(f"{seed}/{game}/{stream}/{i}")``, i = 0, 1, ... To draw below
n, take the first block (a big-endian 256-bit integer) below the largest multiple of n, modulo n; so
all numbers are equally likely. Adding a draw shifts no other stream; every draw goes to the
journal. After a rewind, stream names begin with the edition ("edition 2/throw/3/P1"), so throws
seen are no use. A player can check it in six lines of any language.
"""

from __future__ import annotations

import hashlib
from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")
_SPAN = 1 << 256


def commitment(seed: str) -> str:
    """Return SHA-256 of the seed text in hex. The first bulletin publishes it; the last one reveals
    the seed."""
    return hashlib.sha256(seed.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Draw:
    """One number drawn: ``value`` in 0..n-1 from ``stream``."""

    stream: str
    n: int
    value: int


@dataclass(slots=True)
class Stream:
    """One named use of chance. All draws go through :meth:`below`."""

    key: str
    name: str
    draws: list[Draw]
    _block: int = 0

    def below(self, n: int) -> int:
        """Return a whole number 0..n-1, all equally likely; n >= 1."""
        limit = _SPAN - _SPAN % n
        while True:
            digest = hashlib.sha256(f"{self.key}/{self.name}/{self._block}".encode()).digest()
            self._block += 1
            number = int.from_bytes(digest, "big")
            if number < limit:
                value = number % n
                self.draws.append(Draw(self.name, n, value))
                return value

    def d6(self) -> int:
        """Roll one die, 1..6."""
        return 1 + self.below(6)

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items, which must not be empty."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Shuffle in place (Fisher-Yates, from the last index down)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return a shuffled copy."""
        copy = list(items)
        self.shuffle(copy)
        return copy


@dataclass(slots=True)
class Dice:
    """The chance of one game."""

    seed: str
    """Text: 64 hex digits by mail, a small number in ``play``."""
    game: str
    edition: int = 1
    """Number of rewinds plus one."""
    draws: list[Draw] = field(default_factory=list)
    """Draws since this object was made, for the journal."""

    def stream(self, name: str) -> Stream:
        """Return the named stream from its beginning. Editions have separate streams."""
        named = name if self.edition == 1 else f"edition {self.edition}/{name}"
        return Stream(f"{self.seed}/{self.game}", named, self.draws)
