"""Seats, majorities and divisions of a house: plain functions shared by the editions of
Parlement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


def strength(seats: Mapping[str, int], parties: Iterable[str]) -> int:
    """The seats of these parties together; naming one twice counts it once."""
    return sum(seats.get(party, 0) for party in set(parties))


def largest(seats: Mapping[str, int]) -> tuple[str, ...]:
    """The party or parties with the most seats."""
    most = max(seats.values())
    return tuple(party for party, held in seats.items() if held == most)


@dataclass(frozen=True, slots=True)
class Division:
    """How a house or one party in it divided."""

    yes: int = 0
    no: int = 0
    abstain: int = 0


def divide(members: int, vote: str, restrained: bool = False) -> Division:
    """The division of a party's members: all vote alike; of a restrained party half (rounded down)
    vote and the others abstain."""
    voting = members // 2 if restrained else members
    match vote:
        case "yes":
            return Division(yes=voting, abstain=members - voting)
        case "no":
            return Division(no=voting, abstain=members - voting)
    return Division(abstain=members)


def total(divisions: Iterable[Division]) -> Division:
    """The members of all divisions together."""
    listed = tuple(divisions)
    return Division(
        sum(d.yes for d in listed), sum(d.no for d in listed), sum(d.abstain for d in listed)
    )
