"""What a game tells: events, each with its paragraph and the audience that may know it, and the
minutes that collect them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pbem.games.frame.codec import Json

Seat = str
Audience = frozenset[Seat] | Literal["public"]
PUBLIC: Literal["public"] = "public"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened. ``kind`` names a macro of the game's event template; ``rule`` is a
    paragraph of ``rules/<game>.md``; ``audience`` has no default, so that forgetting it is an error
    and not a leak; ``data`` is plain JSON."""

    kind: str
    rule: str
    audience: Audience
    data: Mapping[str, Any]

    def json(self) -> Json:
        """The contract's form: audience ``"public"`` or a sorted list of seats."""
        audience = self.audience if self.audience == PUBLIC else sorted(self.audience)
        return {"kind": self.kind, "rule": self.rule, "audience": audience, "data": dict(self.data)}


@dataclass(slots=True)
class Minutes:
    """Collects the events of one adjudication, in order."""

    events: list[Event] = field(default_factory=list)

    def public(self, kind: str, rule: str, **data: Any) -> None:
        """Note an event for everybody."""
        self.events.append(Event(kind, rule, PUBLIC, data))

    def private(
        self, kind: str, rule: str, seats: Sequence[Seat] | frozenset[Seat], **data: Any
    ) -> None:
        """Note an event for the named seats only."""
        self.events.append(Event(kind, rule, frozenset(seats), data))


def seats_from(order: Sequence[Seat], first: Seat) -> tuple[Seat, ...]:
    """The seats round the table, begun at ``first``."""
    at = order.index(first)
    return (*order[at:], *order[:at])
