"""The map and the cards: the tables of ``rules/politics-1935.toml`` as typed values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Territory:
    """A state of the Union: ``votes`` electors, ``cost`` in dice points a county, ``lines`` county
    lines; the capital is level ``lines + 1`` (1.2)."""

    code: str
    name: str
    votes: int
    colour: str
    cost: int
    lines: int

    @property
    def capital(self) -> int:
        """The level of a pin in the capital."""
        return self.lines + 1


@dataclass(frozen=True, slots=True)
class Card:
    """A speech card: ``counties`` lists (state, counties) in printed order (1.4)."""

    key: str
    title: str
    counties: tuple[tuple[str, int], ...]

    @property
    def printed(self) -> str:
        """The counties as they stand on the card: "TX 2, OK 2"."""
        return ", ".join(f"{code} {count}" for code, count in self.counties)


@dataclass(frozen=True, slots=True)
class Atlas:
    """All tables of the game. Money in dollars."""

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
        """The atlas in a rulebook's tables; cards in the order of their numbers."""
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
        """Every way to write a state, in capitals, to its postal code."""
        codes = {code: code for code in self.states}
        return codes | {
            " ".join(row.name.upper().split()): code for code, row in self.states.items()
        }
