"""Commands that waited for a proof, and then came again with one, wait no more."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.budget import Budget
from pbem.errors import OverBudget, PbemError
from pbem.letters.states import LetterState
from pbem.orders.mailwords import Command, Peeled, peel
from pbem.post.work import Work
from pbem.referee.deciding import sandbox
from pbem.referee.deciding.judged import Judged
from pbem.store.letters import letters, waiting

_MOST = 5
"""The newest letters that are compared."""
_REASON = "the same commands came again, and were taken"


def settle(work: Work, judged: Judged, taken: Iterable[Command]) -> None:
    """Dismiss a gamesmaster's waiting letters, all of whose commands a letter with a proof has."""
    done, own = _said(taken), judged.decision.peeled
    if not (judged.letter.sender and done):
        return
    for row in waiting.commands_of(work.conn, judged.letter.sender, _MOST):
        earlier = _peeled(work, row.raw)
        commands = _said(earlier.commands) if earlier else set()
        same = earlier and (earlier.game, earlier.period) == (own.game, own.period)
        if same and commands and commands <= done:
            gone = LetterState.DISMISSED
            letters.set_state(work.conn, row.id, gone, decided=work.now, reason=_REASON)


def _said(commands: Iterable[Command]) -> set[tuple[str, str]]:
    return {(one.name, one.argument) for one in commands}


def _peeled(work: Work, raw: bytes | None) -> Peeled | None:
    """Return what a letter says, or None if it cannot be read."""
    if raw is None:
        return None
    budget = Budget(work.limits.letter_seconds, "reading a letter that waits")
    try:
        letter = sandbox.read_guarded(raw, work.limits.of_reading(), budget)
        with budget:
            return peel(letter.text, gamesmaster=True)
    except (PbemError, OverBudget):
        return None
