"""Chance that anybody can check: numbers out of SHA-256, one stream for each use.

Block ``i`` of a stream is ``SHA-256(f"{seed}/{game}/{stream}/{i}")``, i = 0, 1, ... A number below
n is the first block, read as a big-endian integer of 256 bits, that lies below the largest multiple
of n (rejection, so that no number is favoured), modulo n. Each use has a name of its own, so that
adding a draw somewhere never shifts another, and every draw is recorded for the journal. Where a
game was rewound, the names of the streams of what is adjudicated after that begin with the edition
("edition 2/throw/3/P1"), so that nobody plays on throws that he has seen. No Python version changes
any of this, and a player needs six lines of any language to check it.
"""

from __future__ import annotations

import hashlib
from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")
_SPAN = 1 << 256


def commitment(seed: str) -> str:
    """SHA-256 of the seed text in hex: published in the first bulletin, checked against the
    last."""
    return hashlib.sha256(seed.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Draw:
    """One number drawn: ``value`` in 0..n-1 from the stream ``stream``."""

    stream: str
    n: int
    value: int


@dataclass(slots=True)
class Stream:
    """One named use of chance. Everything is asked of :meth:`below`."""

    key: str
    name: str
    draws: list[Draw]
    _block: int = 0

    def below(self, n: int) -> int:
        """A whole number 0..n-1, each as likely as the other; n >= 1."""
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
        """One die, 1..6."""
        return 1 + self.below(6)

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, which must not be empty."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Fisher-Yates in place, from the last index down."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """A shuffled copy."""
        copy = list(items)
        self.shuffle(copy)
        return copy


@dataclass(slots=True)
class Dice:
    """The chance of one game: ``seed`` (text; 64 hex digits by mail, a small number in ``play``)
    and game id; ``edition``: one more than the game had been rewound.

    ``draws`` lists what was drawn since the object was made, for the journal.
    """

    seed: str
    game: str
    edition: int = 1
    draws: list[Draw] = field(default_factory=list)

    def stream(self, name: str) -> Stream:
        """The stream of that name, from its beginning; later editions have streams of their
        own."""
        named = name if self.edition == 1 else f"edition {self.edition}/{name}"
        return Stream(f"{self.seed}/{self.game}", named, self.draws)
