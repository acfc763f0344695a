"""Ballots in one district: blocs cast votes, votes are tallied, a majority or a runoff follows.

Everything is exact: a vote that does not divide is a Fraction. Candidates and blocs are names;
nothing here knows a party, a record or a paragraph of any edition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

Number = int | Fraction


class Cast(NamedTuple):
    """What one bloc does: ``votes`` in all, shared evenly by the candidates ``to`` (none: it does
    not vote)."""

    bloc: str
    votes: int
    to: tuple[str, ...]


def share(votes: int, among: int) -> Number:
    """An even share, exactly: a whole number where it divides."""
    whole, rest = divmod(votes, among)
    return Fraction(votes, among) if rest else whole


def tally(candidates: Sequence[str], casts: Iterable[Cast]) -> dict[str, Number]:
    """The votes of each candidate, in the order of ``candidates``."""
    counted: dict[str, Number] = dict.fromkeys(candidates, 0)
    for cast in casts:
        if cast.to:
            each = share(cast.votes, len(cast.to))
            for candidate in cast.to:
                counted[candidate] += each
    return counted


def majority(counted: Mapping[str, Number]) -> str | None:
    """The candidate with more than half of the votes cast, if there is one."""
    if not counted:
        return None
    leader = max(counted, key=lambda candidate: counted[candidate])
    return leader if 2 * counted[leader] > sum(counted.values()) else None


def leaders(counted: Mapping[str, Number]) -> tuple[tuple[str, ...], bool]:
    """Who enters the next ballot, and whether a tie at the cut let in more than two.

    The two leading candidates; where a tie hides who they are, everybody tied at the cut and
    whoever is above it.
    """
    if len(counted) <= 2:
        return tuple(counted), False
    cut = sorted(counted.values(), reverse=True)[1]
    entrants = tuple(candidate for candidate, votes in counted.items() if votes >= cut)
    return entrants, len(entrants) > 2


def best(points: Mapping[str, int], candidates: Sequence[str]) -> tuple[str, ...]:
    """The candidates with the most points, all of them where several tie."""
    most = max((points.get(candidate, 0) for candidate in candidates), default=0)
    return tuple(candidate for candidate in candidates if points.get(candidate, 0) == most)
