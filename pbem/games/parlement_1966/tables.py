"""The tables of ``rules/parlement-1966.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbem.errors import ScenarioError
from pbem.games.parlement_1966.names import PARTIES
from pbem.orders.spelling import is_number


@dataclass(frozen=True, slots=True)
class Bill:
    """A row of Table 1. ``stances``: unrestrained votes. ``favours``: by independent bloc.
    ``minister``: who signs, or None."""

    number: int
    name: str
    stances: Mapping[str, str]
    favours: Mapping[str, str]
    minister: str | None

    def restrains(self, party: str, vote: str) -> bool:
        stance = self.stances.get(party)
        return (stance == "Y" and vote == "no") or (stance == "N" and vote == "yes")

    def earns(self, bloc: str, vote: str, restrained: bool, passed: bool) -> int:
        """Return a vote's points with a bloc (22)."""
        favours = self.favours.get(bloc) == "Y"
        if vote != ("yes" if favours else "no"):
            return 0
        if restrained:
            return 1
        return 5 if favours and passed else 2

    def worth(self, party: str, vote: str, passed: bool) -> dict[str, int]:
        """Return a vote's points, by blocs that give any (22)."""
        restrained = self.restrains(party, vote)
        points = {bloc: self.earns(bloc, vote, restrained, passed) for bloc in self.favours}
        return {bloc: earned for bloc, earned in points.items() if earned}


@dataclass(frozen=True, slots=True)
class Tables:
    """Table 1 and the figures.

    ``missing``: where a party has no bloc (21). Crowns: ``fee``, ``salary``, ``contribution``.
    Votes: ``independent`` and ``party_bloc`` at the start, ``loss`` after an election.
    """

    bills: Mapping[int, Bill]
    blocs: tuple[str, ...]
    missing: Mapping[str, tuple[int, ...]]
    independent: int
    party_bloc: int
    loss: int
    fee: int
    salary: int
    contribution: int
    seats: int


def read(raw: Mapping[str, Any]) -> Tables:
    for number, row in raw["bills"].items():
        if not is_number(number) or set(row.get("blocs", {})) != set(raw["blocs"]):
            raise ScenarioError(
                f"tables: bills.{number} must be numbered and have blocs {{ W, B, K = Y or N }}"
            )
    bills = {
        int(number): Bill(
            int(number),
            row.get("name", ""),
            {p: v for p, v in row.get("parties", {}).items() if v},
            dict(row["blocs"]),
            row.get("minister") or None,
        )
        for number, row in raw["bills"].items()
    }
    missing = {party: tuple(raw["missing"].get(party, ())) for party in PARTIES}
    votes, crowns = raw["votes"], raw["crowns"]
    return Tables(
        bills,
        tuple(raw["blocs"]),
        missing,
        votes["independent"],
        votes["party_bloc"],
        votes["loss"],
        crowns["fee"],
        crowns["salary"],
        crowns["contribution"],
        raw["seats"],
    )
