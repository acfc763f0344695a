"""The values that orders are made of: an order, what stands for a seat, a problem, the answer of a
check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

CANCEL = "CANCEL"
"""The word that takes orders back."""


class Order(Protocol):
    """What a player wants done. ``str(order)`` is its canonical text."""

    @property
    def slot(self) -> str:
        """What the order fills, in capitals: its word, and its target where it has one ("VOTE
        4")."""
        ...


Standing = Mapping[str, Order]
"""The orders that stand for one seat, by slot, in the order they were first given."""


@dataclass(frozen=True, slots=True)
class Pass:
    """PASS: a move that does nothing more."""

    slot: str = "PASS"

    def __str__(self) -> str:
        return "PASS"


@dataclass(frozen=True, slots=True)
class Resign:
    """RESIGN: out of the game, as its rules have it."""

    slot: str = "RESIGN"

    def __str__(self) -> str:
        return "RESIGN"


def staying(standing: Standing) -> dict[str, Order]:
    """The orders but those that leave the game."""
    return {slot: order for slot, order in standing.items() if not isinstance(order, Resign)}


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a line was refused, or (``warning``) what its writer should know although it stands.

    ``message`` is one line, exactly as the specification words it; ``notes`` are further lines
    (caret, expected words, nearest legal word); ``rule`` is the paragraph, "" where none applies;
    ``line`` is 1, 2, ... or 0 while not yet known.
    """

    code: str
    message: str
    rule: str = ""
    notes: tuple[str, ...] = ()
    line: int = 0
    warning: bool = False

    def json(self) -> dict[str, Any]:
        """The contract's form."""
        return {
            "line": self.line,
            "code": self.code,
            "message": self.message,
            "rule": self.rule,
            "notes": list(self.notes),
            "warning": self.warning,
        }


@dataclass(frozen=True, slots=True)
class Checked:
    """The answer of a rule-set's ``check``: what goes on file (one slot each) and what is to be
    said.

    A refusal has no orders and one problem; an accepted order may carry warnings. ``replaces`` are
    other slots that the order takes off file, where two targets share one slot in this position.
    """

    orders: tuple[Order, ...] = ()
    problems: tuple[Problem, ...] = ()
    replaces: tuple[str, ...] = ()

    @classmethod
    def refused(cls, code: str, message: str, rule: str = "", *notes: str) -> Checked:
        """The refusal of an order."""
        return cls((), (Problem(code, message, rule, notes),))
