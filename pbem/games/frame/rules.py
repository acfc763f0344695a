"""What rule-sets have in common: the rulebook they were made from, a position as JSON and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from pbem.games.frame import codec
from pbem.games.frame.codec import Json
from pbem.games.frame.events import Event, Seat
from pbem.games.frame.ruleset import About, Offer, Rulebook, Told
from pbem.orders.language import Language
from pbem.orders.order import Standing

S = TypeVar("S")


class Rules(Generic[S]):
    """What a rule-set stands on: it names ``about`` and ``position``, the dataclass of its state,
    and answers the questions of :class:`pbem.games.frame.ruleset.Ruleset` that are not answered
    here."""

    about: About
    position: type[S]
    upgrades: ClassVar[Mapping[int, Callable[[Json], Json]]] = {}

    def __init__(self, book: Rulebook, language: Language) -> None:
        self.book = book
        self.language = language

    def dump(self, state: S) -> Json:
        """The position as plain JSON, in the shape of ``about.schema``."""
        return codec.dump(state)

    def load(self, dumped: Json) -> S:
        """The position that was dumped; raises cattrs' error for another shape."""
        return codec.load(self.position, dumped)

    def silence(self, state: S, seat: Seat) -> tuple[Event, ...]:
        """Nothing is known to happen to who sends nothing."""
        return ()

    def offers(self, state: S, seat: Seat) -> tuple[Offer, ...]:
        """No form."""
        return ()

    def advice(self, state: S, seat: Seat, standing: Standing) -> tuple[Event | str, ...]:
        """Nothing follows yet."""
        return ()

    def scores(self, state: S) -> Mapping[Seat, int | float]:
        """Nothing is counted."""
        return {}

    def gathered(self, orders: Sequence[str]) -> Sequence[str]:
        """Each order is a line of its own."""
        return tuple(orders)

    def questions(self, state: S, seat: Seat | None) -> tuple[str, ...]:
        """There is nothing to ask."""
        return ()

    def why(
        self, state: S, seat: Seat | None, told: Sequence[Told], words: str
    ) -> tuple[Event | str, ...]:
        """Nothing can be explained."""
        return ()
