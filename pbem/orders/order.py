"""The values that orders are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter
from types import MappingProxyType
from typing import Any, ClassVar, Protocol

CANCEL = "CANCEL"


class Order(Protocol):
    """An instruction. ``str(order)`` is its canonical text."""

    @property
    def slot(self) -> str:
        """What it fills, in capitals: word and target ("VOTE 4")."""
        ...


class Wording:
    """``PAY {crowns} TO {payee}`` of an order's fields; ``{office!u}`` in capitals.

    ``FIELD {cards:, }`` says what stands between several.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern, self._parts = pattern, tuple(Formatter().parse(pattern))

    def __set_name__(self, owner: type, _: str) -> None:
        for _text, field, *_how in self._parts:
            if field and field not in owner.__annotations__ and not hasattr(owner, field):
                raise TypeError(f"{owner.__name__} has no {field}, as in {self.pattern!r}")

    def __get__(self, order: object | None, _: type | None = None) -> str:
        if order is None:
            return self.pattern
        text = ""
        for before, field, how, capitals in self._parts:
            text += before
            if field:
                value = _said(getattr(order, field), how or "")
                text += value.upper() if capitals else value
        return text.rstrip()


def _said(value: object, how: str) -> str:
    return how.join(map(str, value)) if isinstance(value, tuple) else format(value, how)


class Worded:
    """Base of orders with a declared text."""

    __slots__ = ()
    written: ClassVar[Wording]

    def __str__(self) -> str:
        return self.written


Standing = Mapping[str, Order]
"""By slot, in the order first given."""
NO_ORDERS: Standing = MappingProxyType({})
"""For a seat that has sent nothing."""


@dataclass(frozen=True, slots=True)
class Pass:
    """A move that does nothing more."""

    slot: str = "PASS"

    def __str__(self) -> str:
        return "PASS"


@dataclass(frozen=True, slots=True)
class Resign:
    """Leaves the game, as its rules provide."""

    slot: str = "RESIGN"

    def __str__(self) -> str:
        return "RESIGN"


def staying(standing: Standing) -> dict[str, Order]:
    return {slot: order for slot, order in standing.items() if not isinstance(order, Resign)}


@dataclass(frozen=True, slots=True)
class Problem:
    """A refusal, or a warning about an order that stands."""

    code: str
    message: str
    rule: str = ""
    notes: tuple[str, ...] = ()
    """Caret, expected words, nearest word."""
    line: int = 0
    """From 1; 0 if unknown."""
    warning: bool = False

    def json(self) -> dict[str, Any]:
        """Return the contract's form."""
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
    """What a rule-set's ``check`` answers."""

    orders: tuple[Order, ...] = ()
    problems: tuple[Problem, ...] = ()
    """One for a refusal, else warnings."""
    replaces: tuple[str, ...] = ()
    """Slots to clear that share one here."""

    @classmethod
    def refused(cls, code: str, message: str, rule: str | None = None, *notes: str) -> Checked:
        """Return a refusal. rule: its paragraph."""
        return cls((), (Problem(code, message, rule or "", notes),))
