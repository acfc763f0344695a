"""Ballots in one district: a majority or a runoff. Exact: votes may become Fractions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

Number = int | Fraction


class Cast(NamedTuple):
    """A bloc's ``votes``, shared evenly among ``to``; if empty, it does not vote."""

    bloc: str
    votes: int
    to: tuple[str, ...]


def share(votes: int, among: int) -> Number:
    """Return an even share; an int if it divides."""
    whole, rest = divmod(votes, among)
    return Fraction(votes, among) if rest else whole


def tally(candidates: Sequence[str], casts: Iterable[Cast]) -> dict[str, Number]:
    """Return votes, in the order of ``candidates``."""
    counted: dict[str, Number] = dict.fromkeys(candidates, 0)
    for cast in casts:
        if cast.to:
            each = share(cast.votes, len(cast.to))
            for candidate in cast.to:
                counted[candidate] += each
    return counted


def majority(counted: Mapping[str, Number]) -> str | None:
    """Return who has more than half of the votes, or None."""
    if not counted:
        return None
    leader = max(counted, key=lambda candidate: counted[candidate])
    return leader if 2 * counted[leader] > sum(counted.values()) else None


def leaders(counted: Mapping[str, Number]) -> tuple[tuple[str, ...], bool]:
    """Return who enters the next ballot, with all tied for second, and whether that is more than
    two."""
    if len(counted) <= 2:
        return tuple(counted), False
    cut = sorted(counted.values(), reverse=True)[1]
    entrants = tuple(candidate for candidate, votes in counted.items() if votes >= cut)
    return entrants, len(entrants) > 2


def best(points: Mapping[str, int], candidates: Sequence[str]) -> tuple[str, ...]:
    most = max((points.get(candidate, 0) for candidate in candidates), default=0)
    return tuple(candidate for candidate in candidates if points.get(candidate, 0) == most)
