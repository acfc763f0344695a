"""Verifiable chance: SHA-256, one stream per use.

Block ``i`` is ``SHA-256(f"{seed}/{game}/{stream}/{i}")``, i = 0, 1, ... A draw below n takes the
first block (big-endian, 256 bits) below the largest multiple of n, modulo n. Streams do not shift
each other. After a rewind, names begin with the edition ("edition 2/throw/3/P1"), so throws seen
are no use.
"""

import hashlib
from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")
_SPAN = 1 << 256


def commitment(seed: str) -> str:
    """Return the seed's SHA-256 in hex: the first bulletin has it, the last one the seed."""
    return hashlib.sha256(seed.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Draw:
    """A number drawn: ``value`` in 0..n-1."""

    stream: str
    n: int
    value: int


@dataclass(slots=True)
class Stream:
    """A named use of chance; all draws go through :meth:`below`."""

    key: str
    name: str
    draws: list[Draw]
    _block: int = 0

    def below(self, n: int) -> int:
        """Return 0..n-1, all equally likely; n >= 1."""
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
        return 1 + self.below(6)

    def choice(self, items: Sequence[T]) -> T:
        """Return one of ``items``, not empty."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Shuffle in place (Fisher-Yates, last index down)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        copy = list(items)
        self.shuffle(copy)
        return copy


@dataclass(slots=True)
class Dice:
    """A game's chance."""

    seed: str
    """64 hex digits by mail, a small number in ``play``."""
    game: str
    edition: int = 1
    """Rewinds plus one."""
    draws: list[Draw] = field(default_factory=list)

    def stream(self, name: str) -> Stream:
        """Return the edition's stream from its beginning."""
        named = name if self.edition == 1 else f"edition {self.edition}/{name}"
        return Stream(f"{self.seed}/{self.game}", named, self.draws)
