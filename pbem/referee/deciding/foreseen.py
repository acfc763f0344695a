"""What the next pass would make of a letter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.budget import Budget
from pbem.errors import OverBudget, RefereeError
from pbem.games.frame.events import Seat
from pbem.letters import copies
from pbem.letters.states import LetterState
from pbem.post.work import Work
from pbem.referee.deciding import judging, sandbox
from pbem.referee.deciding.handling import Handling
from pbem.store.games import games, order_sets
from pbem.store.letters import undecided

COUNT = (LetterState.ORDERS, LetterState.COMMAND)


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What would become of it, and the orders that would then stand for its seat."""

    outcome: LetterState | None
    game: str = ""
    seat: Seat = ""
    period: int = 0
    orders: Sequence[str] = ()


def foreseen(work: Work, letter_id: int) -> Foreseen | None:
    """Decide a letter as the next pass will; the caller takes it back. None if it cannot be."""
    budget = Budget(work.limits.letter_seconds, f"the work on letter {letter_id}")
    try:
        raw = undecided.bytes_of(work.conn, letter_id) or b""
        letter = sandbox.read_guarded(raw, work.limits.of_reading(), budget)
        with budget:
            row = undecided.letter(work.conn, letter_id, copies.likeness(letter))
            handling = Handling(work, row, letter)
            opened = judging.Opened(letter_id, raw, letter, budget, 0.0)
            handling.carry_out(judging.judge(work, row, opened))
    except (OverBudget, RefereeError):
        return None
    outcome, game, seat = handling.logged.outcome, handling.logged.game, handling.logged.seat
    at = games.begun(work.conn, game) if game else None
    if at is None or seat not in at.seats or outcome not in COUNT:
        return Foreseen(outcome)
    stands = order_sets.standing(work.conn, at, seat).values()
    return Foreseen(outcome, game, seat, at.period.number, [str(order) for order in stands])
