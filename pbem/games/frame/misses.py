"""Whether a seat has missed its move: the one answer for all that count or report misses."""

from __future__ import annotations

from typing import Any, Protocol

from pbem.games.frame.events import Seat
from pbem.orders.order import Standing


class Asks(Protocol):
    """The part of a rule-set used here."""

    def due(self, state: Any, seat: Seat, standing: Standing) -> tuple[str, ...]:
        """Return the slots that the seat still owes."""


def wanted(ruleset: Asks, state: Any, seat: Seat) -> bool:
    """Return whether the period asks the seat for a move; kept orders may already fill it."""
    return bool(ruleset.due(state, seat, {}))


def missed(ruleset: Asks, state: Any, seat: Seat, standing: Standing) -> bool:
    """Return whether a move is wanted and no order of this period stands, even one that leaves
    slots owed."""
    return wanted(ruleset, state, seat) and not standing
