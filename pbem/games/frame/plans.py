"""Plans: orders that work in every later period until ended.

A plan works if its condition holds and no letter ordered otherwise: after the letters, before
defaults for silence, conditional ones first. The position holds canonical texts. The rule-set
decides which orders can be plans, what figures there are and what a plan gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pbem.games.frame.conditions import Condition, Figures
from pbem.games.frame.kinds import shown, wrong
from pbem.orders.language import Language
from pbem.orders.order import Checked, Order, Standing

FILLED, NOT_NOW = "filled", "not now"
"""Why a plan does nothing: its slot is filled, or its condition fails. Other reasons are
refusals."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An order for later periods; without a condition it works in every period."""

    order: Order
    when: Condition | None = None

    def _written(self, text: str) -> str:
        return f"{text} IF {self.when}" if self.when else f"STANDING {text}"

    @property
    def slot(self) -> str:
        """The slot: one per condition and order slot."""
        return self._written(self.order.slot)

    @property
    def word(self) -> str:
        """The word that ends it: the first of its slot."""
        return self.order.slot.split()[0]

    def __str__(self) -> str:
        return self._written(str(self.order))


@dataclass(frozen=True, slots=True)
class Ended:
    """An order that ends plans.

    STANDING NONE ends all. STANDING <word> NONE ends unconditional plans of that word; STANDING
    <word> IF NONE (``by_condition``) ends conditional ones.
    """

    word: str = ""
    by_condition: bool = False

    @property
    def slot(self) -> str:
        """The slot: one per kind."""
        return str(self)

    def __str__(self) -> str:
        if self.by_condition:
            return f"{self.word} IF NONE"
        return f"STANDING {self.word} NONE" if self.word else "STANDING NONE"

    def ends(self, plan: Plan) -> bool:
        """Return whether it ends this plan."""
        return not self.word or (self.word, self.by_condition) == (plan.word, bool(plan.when))


@dataclass(frozen=True, slots=True)
class Work:
    """A plan's orders in a period, or why there are none; neither if it does not concern the
    period."""

    plan: Plan
    orders: tuple[Order, ...]
    why: str = ""


def kept(language: Language, texts: Iterable[str]) -> tuple[Plan, ...]:
    """Read plans from canonical texts."""
    read = (order for text in texts for order in language.parse(text))
    return tuple(order for order in read if isinstance(order, Plan))


def from_texts(
    language: Language, texts: Iterable[str], where: str, check: Callable[[Plan], Checked]
) -> tuple[str, ...]:
    """Return a scenario's plans as canonical texts. Raise ScenarioError, naming where, if one is
    invalid."""
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
    """Return a seat's plans after its orders: ended ones removed, repeated ones replaced."""
    ended = [order for order in standing.values() if isinstance(order, Ended)]
    left = {plan.slot: plan for plan in plans if not any(one.ends(plan) for one in ended)}
    new = {order.slot: order for order in standing.values() if isinstance(order, Plan)}
    return tuple((left | new).values())


def replaced(standing: Standing, ended: Ended) -> tuple[str, ...]:
    """Return the slots of this period's plans that ``ended`` takes back."""
    return tuple(
        s for s, order in standing.items() if isinstance(order, Plan) and ended.ends(order)
    )


def worked(
    plans: Sequence[Plan],
    standing: Standing,
    figures: Callable[[Order], Figures],
    able: Callable[[Order], Checked],
) -> tuple[dict[str, Order], tuple[Work, ...]]:
    """Return the orders with the plans' added, and each plan's work.

    able: the orders a plan gives now, or a refusal; neither if the period does not ask.
    """
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
