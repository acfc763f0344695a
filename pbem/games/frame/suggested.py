"""Suggestions that a yes can send."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.frame.adjudication import MEANT, Answer, canonical
from pbem.games.frame.events import Seat
from pbem.games.frame.ruleset import Ruleset, is_continuous
from pbem.orders.order import Order, Problem, Resign, Standing

MOST = 3
"""A receipt with more suggestions has a line for each, and no yes."""


def meant(problem: Problem) -> list[str]:
    """Return what a refusal suggests."""
    notes = (one for one in problem.notes if one.startswith(MEANT))
    return [one.removeprefix(MEANT).removesuffix("?") for one in notes]


def offered(
    ruleset: Ruleset[Any], state: Any, seat: Seat, standing: Standing, answers: Sequence[Answer]
) -> list[str]:
    """Return the orders that a yes or a number may send, each once; [] if there are too many.

    standing: the orders after the letter.
    """
    if is_continuous(ruleset) and state.phase in ruleset.continuous:
        return []
    found = dict[str, None]()
    for problem in (one for answer in answers if not answer.quiet for one in answer.problems):
        lines = [] if problem.warning else meant(problem)
        found |= {one: None for one in lines if _is_offered(ruleset, state, seat, standing, one)}
    return list(found) if len(found) <= MOST else []


def _is_offered(
    ruleset: Ruleset[Any], state: Any, seat: Seat, standing: Standing, line: str
) -> bool:
    if ruleset.result(state) is not None or not ruleset.language.reads(line):
        return False
    given: list[Order] = []
    for order in ruleset.language.parse(line):
        checked = ruleset.check(state, seat, standing, order)
        if any(not one.warning for one in checked.problems):
            return False
        given.extend(checked.orders)
    stands = canonical(standing)
    new = [str(order) for order in given if str(order) not in stands]
    return bool(new) and not any(
        isinstance(order, Resign) or _begins(str(order), ruleset.about.line_only) for order in given
    )


def _begins(order: str, words: Sequence[str]) -> bool:
    return any(f"{order} ".startswith(f"{one} ") for one in words)
