"""Orders for what may come: ``VOTE AYE IF POINTS >= 30, ELSE NAY``.

An order with IF stands from period to period, as a standing order does. What it reads are named
*figures* of its game, and a figure is public: it is what everybody could read when the period
opened. Nothing here knows what a figure means: a rule-set says which there are and between what
bounds (:class:`Figure`), and gives their values of the moment, exact rationals; a flag, which holds
or not, is 1 or 0.

A condition is one or several clauses joined by OR, a clause one or several tests joined by AND:
``POINTS >= 30``, ``PM``, ``NOT PM``. Canonical texts parse to equal values by the rules that a
game's grammar has for them, whose methods are those of :class:`Reading`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lark import Token, Transformer, v_args

from pbem.games.frame.kinds import shown, wrong
from pbem.orders.language import Language
from pbem.orders.order import Checked
from pbem.orders.spelling import either, nearest

MOST_TESTS = 16
"""So many tests stand in one order."""
NEVER_WORD = "NONE"
HELD, DENIED = "", "NOT"
_COMPARES: Mapping[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "=": operator.eq,
}

Figures = Mapping[str, Fraction | int]
"""What the figures are now, by name; of a flag 1 or 0. What is missing is not known, and no test of
it holds."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that a condition may read: it is never less than ``least`` or more than ``most``;
    a ``flag`` holds or does not."""

    least: Fraction | int = 0
    most: Fraction | int = 1
    flag: bool = True


Known = Mapping[str, Figure]
"""The figures of a game by name, as a condition names them."""


@dataclass(frozen=True, slots=True)
class Term:
    """One test of a figure: ``sign`` compares it with ``than``; HELD and DENIED are of flags."""

    figure: str
    sign: str = HELD
    than: Fraction = Fraction(0)

    def __str__(self) -> str:
        if self.sign in _COMPARES:
            return f"{self.figure} {self.sign} {written(self.than)}"
        return f"{self.sign} {self.figure}".lstrip()

    def holds(self, figures: Figures) -> bool:
        """Whether the figure is so now."""
        if self.figure not in figures:
            return False
        value = figures[self.figure]
        if self.sign in _COMPARES:
            return _COMPARES[self.sign](value, self.than)
        return bool(value) == (self.sign == HELD)


@dataclass(frozen=True, slots=True)
class Condition:
    """Clauses of which one must hold; all tests of a clause must hold together."""

    clauses: tuple[tuple[Term, ...], ...]

    def __str__(self) -> str:
        return " OR ".join(" AND ".join(map(str, clause)) for clause in self.clauses)

    @property
    def tests(self) -> tuple[Term, ...]:
        """All tests, in the order in which they stand."""
        return tuple(test for clause in self.clauses for test in clause)

    def holds(self, figures: Figures) -> bool:
        """Whether it holds now."""
        return any(all(test.holds(figures) for test in clause) for clause in self.clauses)


@dataclass(frozen=True, slots=True)
class Case:
    """A choice and the condition on which it is made; None for the one behind ELSE."""

    choice: str
    condition: Condition | None = None

    def __str__(self) -> str:
        return f"{self.choice} IF {self.condition}" if self.condition else f"ELSE {self.choice}"

    def holds(self, figures: Figures) -> bool:
        """Whether the choice is made now, if no case before it is."""
        return self.condition is None or self.condition.holds(figures)


@dataclass(frozen=True, slots=True)
class WhatIf:
    """An order for what may come: of its cases the first that holds is the order ``word`` with that
    choice. No cases: it ends the one on file."""

    cases: tuple[Case, ...]
    word: str

    @property
    def slot(self) -> str:
        """One list for each word."""
        return f"{self.word} IF"

    def __str__(self) -> str:
        listed = ", ".join(map(str, self.cases))
        return f"{self.word} {listed or f'IF {NEVER_WORD}'}"

    def said(self, case: Case) -> str:
        """One of its cases as an order by itself."""
        return f"{self.word} {case}"


def first(cases: Sequence[Case], figures: Figures) -> Case | None:
    """The first case that holds; None where none does."""
    return next((case for case in cases if case.holds(figures)), None)


def joined(before: Sequence[Case], after: Sequence[Case]) -> tuple[Case, ...]:
    """The cases of two orders of one period as one list: what comes later takes the place of what
    made the same choice, or stands behind; what stands behind ELSE comes last."""
    cases = {_key(case): case for case in before}
    cases.update((_key(case), case) for case in after)
    return tuple(sorted(cases.values(), key=lambda case: case.condition is None))


def _key(case: Case) -> str:
    return case.choice if case.condition else "ELSE"


def on_file(kept: WhatIf | None, given: object) -> WhatIf | None:
    """What stands after a period: the order ``given`` in it, else what was kept; None for none."""
    found = given if isinstance(given, WhatIf) else kept
    return found if found and found.cases else None


def from_text(language: Language, text: str, known: Known, where: str) -> WhatIf:
    """An order for what may come as a scenario has it; raises ScenarioError where it is none.
    ``where`` is its key there."""
    try:
        orders: Sequence[object] = language.parse(text)
    except ValueError:
        orders = ()
    (order,) = orders if len(orders) == 1 else (None,)
    if not isinstance(order, WhatIf):
        wrong(where, f"{shown(text)} is no order with IF")
    if refused := refusal(order, known, ""):
        wrong(where, f"{shown(text)}: {refused.problems[0].message}")
    return order


def refusal(order: WhatIf, known: Known, rule: str) -> Checked | None:
    """Why an order for what may come cannot be: a figure that there is not, a comparison that makes
    no sense, a list that is too long."""
    tests = [test for case in order.cases if case.condition for test in case.condition.tests]
    if len(tests) > MOST_TESTS:
        message = f"{len(tests)} tests in one order are too many: {MOST_TESTS} may stand in it."
        return Checked.refused("E_LONG", message, rule, "leave out those that matter least")
    elses = [at for at, case in enumerate(order.cases) if case.condition is None]
    if elses and (elses != [len(order.cases) - 1] or len(order.cases) == 1):
        note = f"as in: {order.word} ... IF ..., ELSE {order.cases[elses[0]].choice}"
        return Checked.refused("E_ELSE", "ELSE stands once, behind all that has IF.", rule, note)
    choices = [case.choice for case in order.cases if case.condition]
    if again := next((one for one in choices if choices.count(one) > 1), ""):
        note = f"join its conditions: {order.word} {again} IF ... OR ..."
        return Checked.refused("E_AGAIN", f"{again} stands twice.", rule, note)
    refused = (_refused(test, known, rule) for test in tests)
    return next((one for one in refused if one), None)


def _refused(test: Term, known: Known, rule: str) -> Checked | None:
    """Why one test cannot be."""
    name, figure = test.figure, known.get(test.figure)
    if figure is None:
        near = nearest(name, known)
        note = f"did you mean {near}?" if near else f"there are: {either(_told(known))}"
        return Checked.refused("E_FIGURE", f'"{name}" is nothing that IF can read.', rule, note)
    compares = test.sign in _COMPARES
    if figure.flag and compares:
        note = f"write IF {name}, or IF NOT {name}"
        return Checked.refused("E_COMPARE", f"{name} is not a number.", rule, note)
    if not figure.flag and not compares:
        middle = written(Fraction(int(figure.least + figure.most) // 2))
        note = f"as in: IF {name} >= {middle}"
        return Checked.refused("E_COMPARE", f"{name} is a number: compare it.", rule, note)
    return _bounded(test, figure, rule) if compares else None


def _bounded(test: Term, figure: Figure, rule: str) -> Checked | None:
    """A comparison that holds for all that the figure can be, or for nothing, is a slip."""
    low, high = Fraction(figure.least), Fraction(figure.most)
    ends = [_COMPARES[test.sign](end, test.than) for end in (low, high)]
    never = not low <= test.than <= high if test.sign == "=" else not any(ends)
    always = all(ends) and low != high
    if not never and not always:
        return None
    note = f"{test.figure} is from {written(low)} to {written(high)}"
    word = "never" if never else "always"
    return Checked.refused("E_COMPARE", f"{test} {word} holds.", rule, note)


def _told(known: Known) -> list[str]:
    """The figures for a refusal: the numbers, then some flags."""
    numbers = [name for name, figure in known.items() if not figure.flag]
    flags = [name for name, figure in known.items() if figure.flag]
    return [*numbers, *flags[:6], *(["others like these"] if len(flags) > 6 else [])]


def written(value: Fraction | int) -> str:
    """A number as an order has it: 30, or 7.5 (two decimals)."""
    exact = Fraction(value)
    whole, hundredths = divmod(round(abs(exact) * 100), 100)
    sign = "-" if exact < 0 else ""
    return f"{sign}{whole:,}" + (f".{hundredths:02}".rstrip("0") if hundredths else "")


def told(cases: Sequence[Case], figures: Figures) -> dict[str, str]:
    """What the figures of these cases are now, in their own order, for a notice: {"POINTS": "34"};
    of those that are not known nothing."""
    names = (test.figure for case in cases if case.condition for test in case.condition.tests)
    return {name: written(round(Fraction(figures[name]), 3)) for name in names if name in figures}


@v_args(inline=True)
class Reading(Transformer[Token, Any]):
    """From parse trees to conditions: a game's transformer stands on this one, and its grammar has
    the rules ``case``, ``otherwise``, ``condition``, ``clause``, ``held``, ``denied``,
    ``compared``, ``figure`` and the terminal SIGN."""

    def SIGN(self, token: Token) -> str:
        """A sign as a condition has it, however it was written."""
        return _SIGNS.get(str(token), str(token))

    def at_least(self) -> str:
        """AT LEAST."""
        return ">="

    def at_most(self) -> str:
        """AT MOST."""
        return "<="

    def over(self) -> str:
        """OVER, ABOVE, MORE THAN."""
        return ">"

    def under(self) -> str:
        """UNDER, BELOW, LESS THAN."""
        return "<"

    def figure(self, *words: Token) -> str:
        """A figure's name, in capitals."""
        return " ".join(str(word).upper() for word in words)

    def held(self, figure: str) -> Term:
        """A flag by itself."""
        return Term(figure)

    def denied(self, figure: str) -> Term:
        """NOT, and a flag."""
        return Term(figure, DENIED)

    def compared(self, figure: str, sign: str, than: int) -> Term:
        """A number and what it is compared with."""
        return Term(figure, sign, Fraction(than))

    def clause(self, *tests: Term) -> tuple[Term, ...]:
        """Tests joined by AND, which reaches the grammar as a blank."""
        return tests

    def condition(self, *clauses: tuple[Term, ...]) -> Condition:
        """Clauses joined by OR."""
        return Condition(clauses)

    def case(self, choice: str, condition: Condition) -> Case:
        """A choice with its IF."""
        return Case(str(choice), condition)

    def otherwise(self, choice: str) -> Case:
        """A choice behind ELSE."""
        return Case(str(choice))


_SIGNS = {"≥": ">=", "=>": ">=", "≤": "<=", "=<": "<=", "==": "="}
