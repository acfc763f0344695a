"""Events, and the minutes that collect them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from pbem.games.frame.codec import Json
from pbem.orders.order import Order, Standing

S = TypeVar("S")
T = TypeVar("T")
K = TypeVar("K", bound=Order)
G = TypeVar("G")
V = TypeVar("V")
Seat = str
Orders = Mapping[Seat, Standing]
"""What stands of each seat."""
Audience = frozenset[Seat] | Literal["public"]
Tell = Callable[..., None]
PUBLIC: Literal["public"] = "public"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened."""

    kind: str
    """Macro of the game's template."""
    rule: str
    """Paragraph of ``rules/<game>.md``."""
    audience: Audience
    """Who may know. No default: forgetting it must fail."""
    data: Mapping[str, Any]
    """Plain JSON."""

    def json(self) -> Json:
        """Return the contract's form: audience ``"public"`` or sorted seats."""
        audience = self.audience if self.audience == PUBLIC else sorted(self.audience)
        return {"kind": self.kind, "rule": self.rule, "audience": audience, "data": dict(self.data)}


@dataclass(slots=True)
class Minutes:
    """One adjudication's events."""

    events: list[Event] = field(default_factory=list)

    def public(self, kind: str, rule: str, /, **data: Any) -> None:
        self.events.append(Event(kind, rule, PUBLIC, data))

    def private(self, kind: str, rule: str, seats: Iterable[Seat], /, **data: Any) -> None:
        self.events.append(Event(kind, rule, frozenset(seats), data))

    def to(self, seat: Seat) -> Tell:
        return lambda kind, rule, /, **data: self.private(kind, rule, [seat], **data)


@dataclass
class Period(Generic[S, T]):
    """A period being adjudicated."""

    state: S
    tables: T
    orders: Orders
    minutes: Minutes

    def sent(self, seats: Iterable[Seat], kind: type[K]) -> Iterator[tuple[Seat, K]]:
        for seat in seats:
            for order in self.orders.get(seat, {}).values():
                if isinstance(order, kind):
                    yield seat, order


def grouped(pairs: Iterable[tuple[G, V]]) -> dict[G, list[V]]:
    """Return each key's values."""
    found: dict[G, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def seats_from(order: Sequence[Seat], first: Seat) -> tuple[Seat, ...]:
    at = order.index(first)
    return (*order[at:], *order[:at])
