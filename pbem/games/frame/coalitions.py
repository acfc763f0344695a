"""Seats, majorities and divisions of a house, shared by the editions of Parlement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


def strength(seats: Mapping[str, int], parties: Iterable[str]) -> int:
    """Return the total seats of these parties; count a repeated name once."""
    return sum(seats.get(party, 0) for party in set(parties))


def largest(seats: Mapping[str, int]) -> tuple[str, ...]:
    """Return the party or parties with the most seats."""
    most = max(seats.values())
    return tuple(party for party, held in seats.items() if held == most)


@dataclass(frozen=True, slots=True)
class Division:
    """Votes of a house, or of one party in it."""

    yes: int = 0
    no: int = 0
    abstain: int = 0


def divide(members: int, vote: str, restrained: bool = False) -> Division:
    """Divide a party's members. All vote alike; in a restrained party half (rounded down) vote and
    the rest abstain."""
    voting = members // 2 if restrained else members
    match vote:
        case "yes":
            return Division(yes=voting, abstain=members - voting)
        case "no":
            return Division(no=voting, abstain=members - voting)
    return Division(abstain=members)


def total(divisions: Iterable[Division]) -> Division:
    """Return the sum of all divisions."""
    listed = tuple(divisions)
    return Division(
        sum(d.yes for d in listed), sum(d.no for d in listed), sum(d.abstain for d in listed)
    )
