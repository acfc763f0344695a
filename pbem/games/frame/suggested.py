"""Suggestions that a yes can send."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.frame.adjudication import MEANT, Answer, canonical, refusals, take
from pbem.games.frame.events import Seat
from pbem.games.frame.ruleset import Ruleset, is_continuous
from pbem.orders.order import Problem, Resign, Standing

MOST = 3
"""A receipt with more suggestions has a line for each, and no yes."""


def meant(problem: Problem) -> list[str]:
    """Return what a refusal suggests."""
    notes = (one for one in problem.notes if one.startswith(MEANT))
    return [one.removeprefix(MEANT).removesuffix("?") for one in notes]


def offered(
    ruleset: Ruleset[Any], state: Any, seat: Seat, standing: Standing, answers: Sequence[Answer]
) -> list[str]:
    """Return the orders that a yes or a number may send, each once; [] if too many, or two for one
    refusal.

    standing: the orders after the letter.
    """
    if is_continuous(ruleset) and state.phase in ruleset.continuous:
        return []
    found = dict[str, None]()
    for problem in (one for answer in answers if not answer.quiet for one in answer.problems):
        lines = [] if problem.warning else meant(problem)
        if len(lines) > 1:
            return []
        found |= {one: None for one in lines if _is_offered(ruleset, state, seat, standing, one)}
    return list(found) if len(found) <= MOST else []


def together(
    ruleset: Ruleset[Any], state: Any, seat: Seat, standing: Standing, lines: Sequence[str]
) -> bool:
    """Return whether no two fill one slot."""
    slots = [
        {order.slot for answer in answers for order in answer.orders}
        for answers in (take(ruleset, state, seat, line, standing).answers for line in lines)
    ]
    return sum(map(len, slots)) == len(set().union(*slots))


def _is_offered(
    ruleset: Ruleset[Any], state: Any, seat: Seat, standing: Standing, line: str
) -> bool:
    if ruleset.result(state) is not None or refusals(ruleset, state, seat, standing, line) != []:
        return False
    taken = take(ruleset, state, seat, line, standing)
    given = [order for answer in taken.answers for order in answer.orders]
    stands = canonical(standing)
    new = [str(order) for order in given if str(order) not in stands]
    return bool(new) and not any(map(_needs_its_line, given))


def _needs_its_line(order: Any) -> bool:
    order = getattr(order, "order", order)  # a plan's
    return isinstance(order, Resign) or getattr(order, "line_only", False)
