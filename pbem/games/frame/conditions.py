"""Conditional orders: ``VOTE AYE IF POINTS >= 30, ELSE NAY``; and plans, which work until ended.

Conditions read public *figures* from a period's opening, which a rule-set declares
(:class:`Figure`) with exact values. A condition is clauses joined by OR, a clause tests joined by
AND.
"""

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, Generic, Protocol, TypeVar

from lark import Token, v_args

from pbem.games.frame.events import Minutes, Orders, Seat, Tell
from pbem.games.frame.scenario import shown, wrong
from pbem.orders import declared
from pbem.orders.declared import Reader
from pbem.orders.language import Language
from pbem.orders.order import Checked, Order, Standing
from pbem.orders.spelling import either, nearest

MOST_TESTS = 16
"""In one order."""
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
"""By name; a flag is 1 or 0. Tests of a missing one fail."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that conditions may read."""

    least: Fraction | int = 0
    most: Fraction | int = 1
    flag: bool = True
    """Whether it only holds or not."""


Known = Mapping[str, Figure]
"""By name, as conditions write it."""


@dataclass(frozen=True, slots=True)
class Term:
    """A test: ``sign`` compares with ``than``; HELD and DENIED test flags."""

    figure: str
    sign: str = HELD
    than: Fraction = Fraction(0)

    def __str__(self) -> str:
        if self.sign in _COMPARES:
            return f"{self.figure} {self.sign} {written(self.than)}"
        return f"{self.sign} {self.figure}".lstrip()

    def holds(self, figures: Figures) -> bool:
        if self.figure not in figures:
            return False
        value = figures[self.figure]
        if self.sign in _COMPARES:
            return _COMPARES[self.sign](value, self.than)
        return bool(value) == (self.sign == HELD)


@dataclass(frozen=True, slots=True)
class Condition:
    """Clauses; all tests of one must hold."""

    clauses: tuple[tuple[Term, ...], ...]

    def __str__(self) -> str:
        return " OR ".join(" AND ".join(map(str, clause)) for clause in self.clauses)

    @property
    def tests(self) -> tuple[Term, ...]:
        return tuple(test for clause in self.clauses for test in clause)

    def holds(self, figures: Figures) -> bool:
        return any(all(test.holds(figures) for test in clause) for clause in self.clauses)


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice and its condition; None after ELSE."""

    choice: str
    condition: Condition | None = None

    def __str__(self) -> str:
        return f"{self.choice} IF {self.condition}" if self.condition else f"ELSE {self.choice}"

    def holds(self, figures: Figures) -> bool:
        """Return whether it holds, ignoring earlier cases."""
        return self.condition is None or self.condition.holds(figures)


@dataclass(frozen=True)
class WhatIf:
    """A conditional order: the first case that holds counts. No cases end it."""

    cases: tuple[Choice, ...]
    word: str

    @property
    def slot(self) -> str:
        return f"{self.word} IF"

    def __str__(self) -> str:
        return self._written

    @cached_property
    def _written(self) -> str:
        listed = ", ".join(map(str, self.cases))
        return f"{self.word} {listed or f'IF {NEVER_WORD}'}"

    def said(self, case: Choice) -> str:
        return f"{self.word} {case}"


def first(cases: Sequence[Choice], figures: Figures) -> Choice | None:
    return next((case for case in cases if case.holds(figures)), None)


def joined(before: Sequence[Choice], after: Sequence[Choice]) -> tuple[Choice, ...]:
    """Join one period's cases; a later one replaces its choice, ELSE is last."""
    cases = {_key(case): case for case in before}
    cases.update((_key(case), case) for case in after)
    return tuple(sorted(cases.values(), key=lambda case: case.condition is None))


def _key(case: Choice) -> str:
    return case.choice if case.condition else "ELSE"


def on_file(kept: WhatIf | None, standing: Standing) -> WhatIf | None:
    """Return the votes that stand after a period; None for none."""
    given = (order for order in standing.values() if isinstance(order, WhatIf))
    found = next(given, kept)
    return found if found and found.cases else None


def from_text(language: Language, text: str, known: Known, where: str) -> WhatIf:
    """Read a scenario's order at key ``where``. Raise ScenarioError."""
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


def checked(
    order: WhatIf, case: declared.Case[Any, Any], known: Known, rule: str
) -> WhatIf | Checked:
    """Check an order, joined with the period's earlier one."""
    before = case.standing.get(order.slot)
    refused = refusal(order, known, rule)
    if refused or not order.cases or not isinstance(before, WhatIf):
        return refused or order
    whole = replace(order, cases=joined(before.cases, order.cases))
    return refusal(whole, known, rule) or whole


def refusal(order: WhatIf, known: Known, rule: str) -> Checked | None:
    """Refuse unknown figures, senseless comparisons, long lists; else None."""
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
    name, figure = test.figure, known.get(test.figure)
    if figure is None:
        near = nearest(name, known)
        note = f"did you mean {near}?" if near else f"there are: {either(_some_names(known))}"
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
    """Refuse what is always or never true: a slip."""
    low, high = Fraction(figure.least), Fraction(figure.most)
    ends = [_COMPARES[test.sign](end, test.than) for end in (low, high)]
    never = not low <= test.than <= high if test.sign == "=" else not any(ends)
    always = all(ends) and low != high
    if not never and not always:
        return None
    note = f"{test.figure} is from {written(low)} to {written(high)}"
    word = "never" if never else "always"
    return Checked.refused("E_COMPARE", f"{test} {word} holds.", rule, note)


def _some_names(known: Known) -> list[str]:
    numbers = [name for name, figure in known.items() if not figure.flag]
    flags = [name for name, figure in known.items() if figure.flag]
    return [*numbers, *flags[:6], *(["others like these"] if len(flags) > 6 else [])]


def written(value: Fraction | int) -> str:
    """Return 30, or 7.5 (two decimals)."""
    exact = Fraction(value)
    whole, hundredths = divmod(round(abs(exact) * 100), 100)
    sign = "-" if exact < 0 else ""
    return f"{sign}{whole:,}" + (f".{hundredths:02}".rstrip("0") if hundredths else "")


def figures_now(cases: Sequence[Choice], figures: Figures) -> dict[str, str]:
    """Return the cases' known figures: {"POINTS": "34"}."""
    names = (test.figure for case in cases if case.condition for test in case.condition.tests)
    return {name: written(round(Fraction(figures[name]), 3)) for name in names if name in figures}


@v_args(inline=True)
class ConditionalReader(Reader):
    """Reads declared orders, some with conditions. The grammar needs ``case``, ``otherwise``,
    ``condition``, ``clause``, ``held``, ``denied``, ``compared``, ``figure`` and SIGN."""

    def SIGN(self, token: Token) -> str:
        return _SIGNS.get(str(token), str(token))

    def at_least(self) -> str:
        return ">="

    def at_most(self) -> str:
        return "<="

    def over(self) -> str:
        """Read OVER, ABOVE, MORE THAN."""
        return ">"

    def under(self) -> str:
        """Read UNDER, BELOW, LESS THAN."""
        return "<"

    def figure(self, *words: Token) -> str:
        """Read a name, in capitals."""
        return " ".join(str(word).upper() for word in words)

    def held(self, figure: str) -> Term:
        return Term(figure)

    def denied(self, figure: str) -> Term:
        return Term(figure, DENIED)

    def compared(self, figure: str, sign: str, than: int) -> Term:
        return Term(figure, sign, Fraction(than))

    def clause(self, *tests: Term) -> tuple[Term, ...]:
        """Read AND, a blank in the grammar."""
        return tests

    def condition(self, *clauses: tuple[Term, ...]) -> Condition:
        return Condition(clauses)

    def case(self, choice: str, condition: Condition) -> Choice:
        return Choice(str(choice), condition)

    def otherwise(self, choice: str) -> Choice:
        return Choice(str(choice))


_SIGNS = {"≥": ">=", "=>": ">=", "≤": "<=", "=<": "<=", "==": "="}


class Planned(Protocol):
    """A position with plans."""

    @property
    def plans(self) -> Mapping[Seat, tuple[str, ...]]:
        """Canonical texts by seat."""
        ...


S = TypeVar("S", bound=Planned)
FILLED, NOT_NOW = "filled", "not now"
"""Why nothing is done, besides refusals."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An order for later; without condition for each period."""

    order: Order
    when: Condition | None = None

    def _written(self, text: str) -> str:
        return f"{text} IF {self.when}" if self.when else f"STANDING {text}"

    @property
    def slot(self) -> str:
        """One per condition and order slot."""
        return self._written(self.order.slot)

    @property
    def word(self) -> str:
        """The slot's first word, which ends it."""
        return self.order.slot.split()[0]

    def __str__(self) -> str:
        return self._written(str(self.order))


@dataclass(frozen=True, slots=True)
class Ended:
    """An order that ends plans. STANDING NONE ends all, STANDING <word> NONE that word's without,
    STANDING <word> IF NONE (``by_condition``) with conditions."""

    word: str = ""
    by_condition: bool = False

    @property
    def slot(self) -> str:
        return str(self)

    def __str__(self) -> str:
        if self.by_condition:
            return f"{self.word} IF NONE"
        return f"STANDING {self.word} NONE" if self.word else "STANDING NONE"

    def ends(self, plan: Plan) -> bool:
        return not self.word or (self.word, self.by_condition) == (plan.word, bool(plan.when))


@dataclass(frozen=True, slots=True)
class Work:
    """A plan's orders now, or why not; neither if not concerned."""

    plan: Plan
    orders: tuple[Order, ...]
    why: str = ""


def kept(language: Language, texts: Iterable[str]) -> tuple[Plan, ...]:
    read = (order for text in texts for order in language.parse(text))
    return tuple(order for order in read if isinstance(order, Plan))


def from_texts(
    language: Language, texts: Iterable[str], where: str, check: Callable[[Plan], Checked]
) -> tuple[str, ...]:
    """Return a scenario's as canonical texts. Raise ScenarioError with ``where``."""
    found = dict[str, str]()
    for text in texts:
        try:
            orders: Sequence[object] = language.parse(text)
        except ValueError:
            orders = ()
        plans = [order for order in orders if isinstance(order, Plan)]
        if not plans or len(plans) < len(orders):
            wrong(where, f"{shown(text)} is no order for what may come")
        for checked in map(check, plans):
            if not checked.orders:
                wrong(where, f"{shown(text)}: {checked.problems[0].message}")
            found |= {order.slot: str(order) for order in checked.orders}
    return tuple(found.values())


def filed(plans: Sequence[Plan], standing: Standing) -> tuple[Plan, ...]:
    """Return plans after orders: ended ones gone, repeated ones replaced."""
    ended = [order for order in standing.values() if isinstance(order, Ended)]
    left = {plan.slot: plan for plan in plans if not any(one.ends(plan) for one in ended)}
    new = {order.slot: order for order in standing.values() if isinstance(order, Plan)}
    return tuple((left | new).values())


def ended(standing: Standing, order: Ended) -> Checked:
    """File the end of plans; those of this period are taken back."""
    slots = (s for s, plan in standing.items() if isinstance(plan, Plan) and order.ends(plan))
    return Checked((order,), replaces=tuple(slots))


def senseless(plan: Plan, known: Known, rule: str) -> Checked | None:
    """Refuse a plan whose condition makes no sense."""
    return refusal(WhatIf((Choice("", plan.when),), plan.word), known, rule) if plan.when else None


def _worked(
    plans: Sequence[Plan],
    standing: Standing,
    figures: Callable[[Order], Figures],
    able: Callable[[Order], Checked],
) -> tuple[dict[str, Order], tuple[Work, ...]]:
    stands, works = dict(standing), list[Work]()
    for plan in sorted(plans, key=lambda plan: plan.when is None):
        checked = able(plan.order)
        if not checked.orders and not checked.problems:
            continue
        free = tuple(order for order in checked.orders if order.slot not in stands)
        if plan.when and not plan.when.holds(figures(plan.order)):
            works.append(Work(plan, (), NOT_NOW))
        elif not checked.orders:
            works.append(Work(plan, (), checked.problems[0].message))
        else:
            works.append(Work(plan, free, "" if free else FILLED))
            stands.update({order.slot: order for order in free})
    return stands, tuple(works)


@dataclass(frozen=True, slots=True)
class Plans(Generic[S]):
    """A game's plans: what it says of them, and what becomes of them."""

    rule: str
    checked: Callable[[S, Seat, Standing, Plan | Ended], Checked]
    """Its cards may come later."""
    able: Callable[[S, Seat, Order], Checked]
    """The orders a plan gives now, or a refusal; neither if not asked."""
    figures: Callable[[S, Seat, Order], Figures]
    """Return what its condition reads: what was public at the opening."""
    living: Callable[[S], Sequence[Seat]]
    once: type | None = None
    """Orders planned for one time only."""

    def told_at_start(self, state: S, language: Language) -> S:
        """Put a scenario's plans into canonical form. Raise ScenarioError for illegal ones."""
        plans = {
            seat: from_texts(
                language, texts, f"private.{seat}.plans", partial(self.checked, state, seat, {})
            )
            for seat, texts in state.plans.items()
        }
        return _with(state, plans)

    def works(
        self, state: S, seat: Seat, standing: Standing, language: Language
    ) -> tuple[Standing, tuple[Work, ...]]:
        """Return the seat's orders with its plans', and each plan's work."""
        plans = _of(state, seat, standing, language)
        if not plans or "RESIGN" in standing or seat not in self.living(state):
            return standing, ()
        return _worked(
            plans, standing, partial(self.figures, state, seat), partial(self.able, state, seat)
        )

    def carry_out(
        self, state: S, orders: Orders, language: Language, minutes: Minutes
    ) -> tuple[S, dict[Seat, Standing]]:
        """Return the state with plans kept, and all orders. Tell each player theirs."""
        plans, all_orders = dict(state.plans), dict(orders)
        for seat in self.living(state):
            given = orders.get(seat, {})
            stands, done = self.works(state, seat, given, language)
            if stands or seat in orders:
                all_orders[seat] = stands
            for row in self._rows(state, seat, done):
                minutes.private("plan", self.rule, [seat], **row)
            spent = {one.plan.slot for one in done if self._spent(one)}
            left = [] if "RESIGN" in given else _of(state, seat, given, language)
            plans[seat] = tuple(str(plan) for plan in left if plan.slot not in spent)
        return _with(state, {seat: texts for seat, texts in plans.items() if texts}), all_orders

    def _spent(self, one: Work) -> bool:
        return bool(one.orders and self.once and isinstance(one.plan.order, self.once))

    def _rows(self, state: S, seat: Seat, done: Iterable[Work]) -> list[dict[str, Any]]:
        return [
            {
                "text": str(one.plan),
                "orders": [str(order) for order in one.orders],
                "why": one.why,
                "figures": figures_now(
                    [Choice("", one.plan.when)], self.figures(state, seat, one.plan.order)
                )
                if one.why == NOT_NOW
                else {},
                **({"spent": self._spent(one)} if self.once else {}),
            }
            for one in done
        ]

    def tell_silence(self, done: Iterable[Work], tell: Tell) -> None:
        """Tell what plans do for a silent seat."""
        for one in done:
            for order in one.orders:
                told = {"text": str(one.plan), "order": str(order), "slot": order.slot}
                tell("silent_plan", self.rule, **told)

    def tell_advice(
        self, state: S, seat: Seat, standing: Standing, language: Language, tell: Tell
    ) -> None:
        plans = _of(state, seat, standing, language)
        if not plans or "RESIGN" in standing:
            return
        done = self._rows(state, seat, self.works(state, seat, standing, language)[1])
        now = {row["text"]: row for row in done}
        idle = {"orders": [], "why": "", "figures": {}}
        for plan in plans:
            tell("told_plan", self.rule, **now.get(str(plan), {**idle, "text": str(plan)}))


def _of(state: Planned, seat: Seat, standing: Standing, language: Language) -> tuple[Plan, ...]:
    return filed(kept(language, state.plans.get(seat, ())), standing)


def _with(state: S, plans: Mapping[Seat, tuple[str, ...]]) -> S:
    changed: Any = state
    return replace(changed, plans=plans)  # type: ignore[no-any-return]
