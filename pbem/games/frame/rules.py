"""Base of all rule-sets: rulebook, and position to JSON and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from pbem.games.frame import codec
from pbem.games.frame.codec import Json
from pbem.games.frame.events import Event, Seat
from pbem.games.frame.ruleset import About, Offer, Rulebook, ToldEvent
from pbem.orders.language import Language
from pbem.orders.order import NO_ORDERS, Standing

S = TypeVar("S")


class Rules(Generic[S]):
    """Base class of a rule-set.

    A subclass sets ``about`` and ``position`` (the dataclass of its state) and implements the rest
    of :class:`pbem.games.frame.ruleset.Ruleset`.
    """

    about: About
    position: type[S]
    upgrades: ClassVar[Mapping[int, Callable[[Json], Json]]] = {}

    def __init__(self, book: Rulebook, language: Language) -> None:
        self.book = book
        self.language = language

    def dump(self, state: S) -> Json:
        """Return the position as plain JSON, in the shape of ``about.schema``."""
        return codec.dump(state)

    def load(self, dumped: Json) -> S:
        """Read a dumped position. Raise cattrs' error for another shape."""
        return codec.load(self.position, dumped)

    def silence(self, state: S, seat: Seat, standing: Standing = NO_ORDERS) -> tuple[Event, ...]:
        """Return nothing: no consequence of silence is known."""
        return ()

    def offers(self, state: S, seat: Seat) -> tuple[Offer, ...]:
        """Return no offers."""
        return ()

    def advice(self, state: S, seat: Seat, standing: Standing) -> tuple[Event | str, ...]:
        """Return no advice."""
        return ()

    def scores(self, state: S) -> Mapping[Seat, int | float]:
        """Return no scores."""
        return {}

    def gathered(self, orders: Sequence[str]) -> Sequence[str]:
        """Return each order as its own line."""
        return tuple(orders)

    def questions(self, state: S, seat: Seat | None) -> tuple[str, ...]:
        """Return no questions."""
        return ()

    def why(
        self, state: S, seat: Seat | None, told: Sequence[ToldEvent], words: str
    ) -> tuple[Event | str, ...]:
        """Return no explanation."""
        return ()
