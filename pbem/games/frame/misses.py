"""Whether a seat has missed its move. Whatever counts or tells missed moves asks here."""

from __future__ import annotations

from typing import Any, Protocol

from pbem.games.frame.events import Seat
from pbem.orders.order import Standing


class Asks(Protocol):
    """What is asked of a rule-set here."""

    def due(self, state: Any, seat: Seat, standing: Standing) -> tuple[str, ...]:
        """The slots that the seat still owes, given what stands."""


def wanted(ruleset: Asks, state: Any, seat: Seat) -> bool:
    """Return whether the period asks a move of the seat. Orders that are on file from earlier
    periods, such as a standing vote, may have made it already."""
    return bool(ruleset.due(state, seat, {}))


def missed(ruleset: Asks, state: Any, seat: Seat, standing: Standing) -> bool:
    """Return whether the seat misses its move: one is wanted, and no order of this period stands.
    Any order is a move, also one that does not fill all that the seat owes."""
    return wanted(ruleset, state, seat) and not standing
