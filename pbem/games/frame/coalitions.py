"""Seats and majorities in both Parlements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


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
