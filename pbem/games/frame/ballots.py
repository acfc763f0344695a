"""Ballots in one district (a majority or a runoff), and majorities in Parlement.

Exact: votes may become Fractions.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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


def strength(seats: Mapping[str, int], parties: Iterable[str]) -> int:
    """Return their seats; a repeated name counts once."""
    return sum(seats.get(party, 0) for party in set(parties))


def largest(seats: Mapping[str, int]) -> tuple[str, ...]:
    most = max(seats.values())
    return tuple(party for party, held in seats.items() if held == most)


@dataclass(frozen=True, slots=True)
class Division:
    """Votes of a house or party."""

    yes: int = 0
    no: int = 0
    abstain: int = 0


def divide(members: int, vote: str, restrained: bool = False) -> Division:
    """Divide a party: a restrained one votes by half (rounded down), the rest abstain."""
    voting = members // 2 if restrained else members
    match vote:
        case "yes":
            return Division(yes=voting, abstain=members - voting)
        case "no":
            return Division(no=voting, abstain=members - voting)
    return Division(abstain=members)


def total(divisions: Iterable[Division]) -> Division:
    listed = tuple(divisions)
    return Division(
        sum(d.yes for d in listed), sum(d.no for d in listed), sum(d.abstain for d in listed)
    )
