"""Whether a seat has missed its move."""

from __future__ import annotations

from typing import Any, Protocol

from pbem.games.frame.events import Seat
from pbem.orders.order import Standing


class Asks(Protocol):
    """What is used of a rule-set."""

    def due(self, state: Any, seat: Seat, standing: Standing) -> tuple[str, ...]: ...


def wanted(ruleset: Asks, state: Any, seat: Seat) -> bool:
    """Return whether a move is asked, even if kept orders fill it."""
    return bool(ruleset.due(state, seat, {}))


def missed(ruleset: Asks, state: Any, seat: Seat, standing: Standing) -> bool:
    """Return whether a wanted move got no order at all."""
    return wanted(ruleset, state, seat) and not standing
