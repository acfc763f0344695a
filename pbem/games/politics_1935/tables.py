"""The tables of ``rules/politics-1935.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Territory:
    """A state (1.2)."""

    code: str
    name: str
    votes: int
    colour: str
    cost: int
    """Dice points a county."""
    lines: int
    """The capital is level ``lines + 1``."""

    @property
    def capital(self) -> int:
        """A capital pin's level."""
        return self.lines + 1


@dataclass(frozen=True, slots=True)
class Card:
    """A speech card (1.4)."""

    key: str
    title: str
    counties: tuple[tuple[str, int], ...]
    """(state, counties), as printed."""

    @property
    def printed(self) -> str:
        """ "TX 2, OK 2"."""
        return ", ".join(f"{code} {count}" for code, count in self.counties)


@dataclass(frozen=True, slots=True)
class Atlas:
    """All tables; money in dollars."""

    states: Mapping[str, Territory]
    cards: Mapping[str, Card]
    majority: int
    dealt: int
    inflation: str
    campaign_fund: int
    entry: int
    radio_fee: int
    unit: int

    @classmethod
    def of(cls, tables: Mapping[str, Any]) -> Atlas:
        """Read the tables; cards by number."""
        money, cards = tables["money"], tables["cards"]
        return cls(
            {
                code: Territory(
                    code, row["name"], row["votes"], row["colour"], row["cost"], row["lines"]
                )
                for code, row in sorted(tables["states"].items())
            },
            {
                key: Card(
                    key, row["title"], tuple((code, count) for code, count in row["counties"])
                )
                for key, row in sorted(tables["speeches"].items())
            },
            tables["majority"],
            cards["dealt"],
            cards["inflation"],
            money["campaign_fund"],
            money["entry"],
            money["radio_fee"],
            money["unit"],
        )

    def named(self) -> dict[str, str]:
        """Return each spelling, in capitals, with its code."""
        codes = {code: code for code in self.states}
        return codes | {
            " ".join(row.name.upper().split()): code for code, row in self.states.items()
        }
