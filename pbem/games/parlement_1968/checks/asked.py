"""The context of a check."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.games.parlement_1968.names import Names
from pbem.games.parlement_1968.state import State
from pbem.orders.order import Standing


@dataclass(frozen=True, slots=True)
class Asked:
    """What a check may read."""

    state: State
    names: Names
    seat: str
    standing: Standing
