"""Orders for what may come: kept from period to period, each does its work in every period in which
its condition holds and no letter has said otherwise, until its player ends it.

They come after the latest letter of a period and before what the rules make of silence; those with
a condition come before those without. They lie in the position as canonical texts, as orders are
stored everywhere, and whoever keeps them is the rule-set: it says what can be kept, what a
condition can ask of, and what such an order comes to in the period that is open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pbem.games.frame.conditions import Condition, Figures
from pbem.games.frame.kinds import shown, wrong
from pbem.orders.language import Language
from pbem.orders.order import Checked, Order, Standing

FILLED, NOT_NOW = "filled", "not now"
"""Why a plan does nothing: an order of the letter, or a plan before it, fills its slot; its
condition does not hold. Any other reason is the message of a refusal."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An order for what may come; without a condition it works in every period."""

    order: Order
    when: Condition | None = None

    def _written(self, text: str) -> str:
        return f"{text} IF {self.when}" if self.when else f"STANDING {text}"

    @property
    def slot(self) -> str:
        """One for each condition of a slot."""
        return self._written(self.order.slot)

    @property
    def word(self) -> str:
        """The word under which it is ended: the first of its slot."""
        return self.order.slot.split()[0]

    def __str__(self) -> str:
        return self._written(str(self.order))


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of plans: STANDING NONE of all; STANDING and a word and NONE of those without a
    condition that give orders of that word, the word and IF NONE (``by_condition``) of those with
    one."""

    word: str = ""
    by_condition: bool = False

    @property
    def slot(self) -> str:
        """One for each kind."""
        return str(self)

    def __str__(self) -> str:
        if self.by_condition:
            return f"{self.word} IF NONE"
        return f"STANDING {self.word} NONE" if self.word else "STANDING NONE"

    def ends(self, plan: Plan) -> bool:
        """Whether it ends this plan."""
        return not self.word or (self.word, self.by_condition) == (plan.word, bool(plan.when))


@dataclass(frozen=True, slots=True)
class Work:
    """What a plan comes to in a period: the orders it gives, or ``why`` it gives none; neither
    where it has nothing to do with the period."""

    plan: Plan
    orders: tuple[Order, ...]
    why: str = ""


def kept(language: Language, texts: Iterable[str]) -> tuple[Plan, ...]:
    """Plans from their canonical texts."""
    read = (order for text in texts for order in language.parse(text))
    return tuple(order for order in read if isinstance(order, Plan))


def from_texts(
    language: Language, texts: Iterable[str], where: str, check: Callable[[Plan], Checked]
) -> tuple[str, ...]:
    """The plans of a scenario in canonical form; raises ScenarioError, naming the key ``where``,
    for a text that is none or that ``check`` refuses."""
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
    """The plans that a seat has once its orders of the period have gone on file: what they end is
    gone, what they give anew comes in the place of the old."""
    ended = [order for order in standing.values() if isinstance(order, Ended)]
    left = {plan.slot: plan for plan in plans if not any(one.ends(plan) for one in ended)}
    new = {order.slot: order for order in standing.values() if isinstance(order, Plan)}
    return tuple((left | new).values())


def replaced(standing: Standing, ended: Ended) -> tuple[str, ...]:
    """The slots of plans, given in this period, that ``ended`` takes back."""
    return tuple(
        s for s, order in standing.items() if isinstance(order, Plan) and ended.ends(order)
    )


def worked(
    plans: Sequence[Plan],
    standing: Standing,
    figures: Callable[[Order], Figures],
    able: Callable[[Order], Checked],
) -> tuple[dict[str, Order], tuple[Work, ...]]:
    """What stands with what the plans add, and what each comes to. ``able`` gives the orders that
    one comes to now, or the refusal; neither where the period does not ask for it."""
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
