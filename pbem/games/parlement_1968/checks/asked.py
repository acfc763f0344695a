"""What every check of an order is asked with."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.games.parlement_1968.names import Names
from pbem.games.parlement_1968.state import State
from pbem.orders.order import Standing


@dataclass(frozen=True, slots=True)
class Asked:
    """What a check may look at: the position, the names, who asks, and what stands for him
    already."""

    state: State
    names: Names
    seat: str
    standing: Standing
