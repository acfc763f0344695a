"""Plans: orders that work in later periods until ended.

A plan works if its condition holds and no letter ordered otherwise: after letters, before defaults,
conditional ones first. They ignore others' orders. The rule-set says what can be planned
(:class:`Plans`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from pbem.games.frame.conditions import Case, Condition, Figures, figures_now
from pbem.games.frame.events import Event, Minutes, Seat
from pbem.games.frame.kinds import shown, wrong
from pbem.orders.language import Language
from pbem.orders.order import Checked, Order, Standing


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
    """An order that ends plans.

    STANDING NONE ends all, STANDING <word> NONE that word's without, STANDING <word> IF NONE
    (``by_condition``) with conditions.
    """

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


def replaced(standing: Standing, ended: Ended) -> tuple[str, ...]:
    """Return slots that ``ended`` takes back."""
    return tuple(
        s for s, order in standing.items() if isinstance(order, Plan) and ended.ends(order)
    )


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
        self, state: S, orders: Mapping[Seat, Standing], language: Language, minutes: Minutes
    ) -> tuple[S, dict[Seat, Standing]]:
        """Return the state with plans kept, and all orders. Tell each player his."""
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
                    [Case("", one.plan.when)], self.figures(state, seat, one.plan.order)
                )
                if one.why == NOT_NOW
                else {},
                **({"spent": self._spent(one)} if self.once else {}),
            }
            for one in done
        ]

    def silence(self, seat: Seat, done: Iterable[Work]) -> list[Event]:
        """Return what plans do for a silent seat."""
        told = (
            {"text": str(one.plan), "order": str(order), "slot": order.slot}
            for one in done
            for order in one.orders
        )
        return [Event("silent_plan", self.rule, frozenset([seat]), data) for data in told]

    def advice(self, state: S, seat: Seat, standing: Standing, language: Language) -> list[Event]:
        plans = _of(state, seat, standing, language)
        if not plans or "RESIGN" in standing:
            return []
        done = self._rows(state, seat, self.works(state, seat, standing, language)[1])
        now = {row["text"]: row for row in done}
        idle = {"orders": [], "why": "", "figures": {}}
        told = (now.get(str(plan), {**idle, "text": str(plan)}) for plan in plans)
        return [Event("told_plan", self.rule, frozenset([seat]), data) for data in told]


def _of(state: Planned, seat: Seat, standing: Standing, language: Language) -> tuple[Plan, ...]:
    return filed(kept(language, state.plans.get(seat, ())), standing)


def _with(state: S, plans: Mapping[Seat, tuple[str, ...]]) -> S:
    changed: Any = state
    return replace(changed, plans=plans)  # type: ignore[no-any-return]
