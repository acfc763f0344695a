"""The subject of a receipt."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.frame.adjudication import Answer
from pbem.referee.game.changes import GONE, NEW
from pbem.text import counted


def result(
    answers: Sequence[Answer], marks: Sequence[str], *, ready: bool, trial: bool
) -> str | None:
    """Return "2 orders taken, 1 not", or None without orders. marks: of the lines listed. ready:
    whether it says READY, and that stands."""
    read = [one for one in answers if not one.quiet]
    good, gone = marks.count(NEW), marks.count(GONE)
    bad = len({one.line.number for one in read if any(not p.warning for p in one.problems)})
    said = []
    if good:
        said.append(f"{counted(good, 'order')} {'good' if trial else 'taken'}")
    if gone:
        said.append(f"{gone if good else counted(gone, 'order')} {'' if trial else 'taken '}back")
    if bad:
        lines = counted(bad, "line")
        said.append(f"{bad} not" if said else f"{lines} {'not good' if trial else 'not taken'}")
    if not said and any(one.orders or one.cancelled for one in read):
        said.append("your orders are as they were")
    if said:
        return f"{'tried: ' if trial else ''}{', '.join(said)}"
    return "READY taken" if ready and not trial else None
