"""Base of all rule-sets: rulebook, and positions as JSON."""

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
    """Base class.

    A subclass sets ``about`` and ``position`` (its state's dataclass), and implements the rest of
    :class:`pbem.games.frame.ruleset.Ruleset`.
    """

    about: About
    position: type[S]
    upgrades: ClassVar[Mapping[int, Callable[[Json], Json]]] = {}

    def __init__(self, book: Rulebook, language: Language) -> None:
        self.book = book
        self.language = language

    def dump(self, state: S) -> Json:
        return codec.dump(state)

    def load(self, dumped: Json) -> S:
        return codec.load(self.position, dumped)

    def silence(self, state: S, seat: Seat, standing: Standing = NO_ORDERS) -> tuple[Event, ...]:
        return ()

    def offers(self, state: S, seat: Seat) -> tuple[Offer, ...]:
        return ()

    def advice(self, state: S, seat: Seat, standing: Standing) -> tuple[Event | str, ...]:
        return ()

    def scores(self, state: S) -> Mapping[Seat, int | float]:
        return {}

    def gathered(self, orders: Sequence[str]) -> Sequence[str]:
        return tuple(orders)

    def questions(self, state: S, seat: Seat | None) -> tuple[str, ...]:
        return ()

    def why(
        self, state: S, seat: Seat | None, told: Sequence[ToldEvent], words: str
    ) -> tuple[Event | str, ...]:
        return ()
