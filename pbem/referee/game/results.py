"""The subject of a receipt."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.frame.adjudication import Answer
from pbem.orders.mailwords import Peeled
from pbem.text import counted


def result(peeled: Peeled, answers: Sequence[Answer], *, trial: bool) -> str | None:
    """Return "2 orders taken, 1 not", or None without orders."""
    read = [one for one in answers if not one.quiet]
    good = sum(bool(one.orders) for one in read)
    gone = sum(bool(one.cancelled) and not one.orders for one in read)
    bad = sum(not (one.orders or one.cancelled) and bool(one.problems) for one in read)
    said = []
    if good:
        said.append(f"{counted(good, 'order')} {'good' if trial else 'taken'}")
    if gone:
        said.append(f"{gone if good else counted(gone, 'order')} {'' if trial else 'taken '}back")
    if bad:
        lines = counted(bad, "line")
        said.append(f"{bad} not" if said else f"{lines} {'not good' if trial else 'not taken'}")
    if said:
        return f"{'tried: ' if trial else ''}{', '.join(said)}"
    return "READY taken" if peeled.asks("READY") and not trial else None
