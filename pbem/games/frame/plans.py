"""Plans: orders that work in later periods until ended.

A plan works if its condition holds and no letter ordered otherwise: after letters, before defaults,
conditional ones first. The position has canonical texts. The rule-set says what can be planned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pbem.games.frame.conditions import Condition, Figures
from pbem.games.frame.kinds import shown, wrong
from pbem.orders.language import Language
from pbem.orders.order import Checked, Order, Standing

FILLED, NOT_NOW = "filled", "not now"
"""Why nothing is done: slot filled, condition fails. Others are refusals."""


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
        """One per kind."""
        return str(self)

    def __str__(self) -> str:
        if self.by_condition:
            return f"{self.word} IF NONE"
        return f"STANDING {self.word} NONE" if self.word else "STANDING NONE"

    def ends(self, plan: Plan) -> bool:
        """Return whether it ends ``plan``."""
        return not self.word or (self.word, self.by_condition) == (plan.word, bool(plan.when))


@dataclass(frozen=True, slots=True)
class Work:
    """A plan's orders now, or why not; neither if not concerned."""

    plan: Plan
    orders: tuple[Order, ...]
    why: str = ""


def kept(language: Language, texts: Iterable[str]) -> tuple[Plan, ...]:
    """Read canonical texts."""
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


def worked(
    plans: Sequence[Plan],
    standing: Standing,
    figures: Callable[[Order], Figures],
    able: Callable[[Order], Checked],
) -> tuple[dict[str, Order], tuple[Work, ...]]:
    """Return all orders with those of plans, and each plan's work.

    ``able``: the orders a plan gives now, or a refusal; neither if not asked.
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
