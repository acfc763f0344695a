"""The state of a game, and the tables of ``rules/politics-1935.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbem.games.frame.options import Options
from pbem.games.frame.treasury import Accounts
from pbem.orders.order import Worded, Wording


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
        states, speeches = sorted(tables["states"].items()), sorted(tables["speeches"].items())
        return cls(
            {code: Territory(code, **row) for code, row in states},
            {
                key: Card(key, row["title"], tuple((code, n) for code, n in row["counties"]))
                for key, row in speeches
            },
            tables["majority"],
            **tables["cards"],
            **tables["money"],
        )

    def named(self) -> dict[str, str]:
        """Return each spelling, in capitals, with its code."""
        codes = {code: code for code in self.states}
        return codes | {
            " ".join(row.name.upper().split()): code for code, row in self.states.items()
        }


FUND = "expense fund"
MOST = 8
"""Counties of a state in an item (3.1)."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The options that the rules use (1.6)."""

    turns: bool
    open_rolls: bool
    first_price: bool
    fund: bool
    first_cut: int
    """0: off."""
    tab_limit: int
    """0: off."""
    max_rounds: int
    speech_from: int
    slot_next: bool
    auto: bool
    secret_holdings: bool

    @classmethod
    def of(cls, options: Options) -> Choices:
        return cls(
            turns=options["MODE"] == "TURN",
            open_rolls=options["ROLLS"] == "PUBLIC",
            first_price=options["AUCTION"] == "FIRST",
            fund=options["FUND"] == "ON",
            first_cut=0 if options["FIRST_CUT"] == "OFF" else int(options["FIRST_CUT"]),
            tab_limit=0 if options["TAB_LIMIT"] == "NONE" else int(options["TAB_LIMIT"]),
            max_rounds=int(options["MAX_ROUNDS"]),
            speech_from=int(options["SPEECH_FROM"]),
            slot_next=options["SLOT_FIRST"] == "NEXT",
            auto=options["NMR"] == "AUTO",
            secret_holdings=options["HOLDINGS"] == "SECRET" and options["FUND"] == "ON",
        )


class Item(Worded):
    """``count`` counties of a state; an unknown name stays as written."""

    state: str
    count: int = 1
    written = Wording("{state} {count}")


@dataclass(frozen=True, slots=True)
class Pin:
    """A seat's pin in a state."""

    seat: str
    level: int
    """County lines passed; past the last is the capital."""


@dataclass(frozen=True, slots=True)
class Lot:
    """A card for auction, and who turned it up."""

    card: str
    thrower: str


@dataclass(frozen=True, slots=True)
class Gone:
    """A seat out."""

    seat: str
    votes: int
    """When it went."""
    wave: int
    """Which elimination, from 1."""


@dataclass(frozen=True, slots=True)
class State:
    """A position."""

    phase: str
    atlas: Atlas
    seats: tuple[str, ...]
    order: tuple[str, ...]
    choices: Choices
    round: int
    turn: str | None
    """Who has the dice in MODE=TURN."""
    last_seat: str
    """The last one living as the round opened (R4)."""
    throws: Mapping[str, tuple[int, ...]]
    """Three dice of each that has thrown."""
    pins: Mapping[str, tuple[Pin, ...]]
    """By state with pins, in order of arrival: of equal levels the first leads (R8)."""
    accounts: Accounts
    """Dollars."""
    pack: tuple[str, ...]
    """Top last."""
    hands: Mapping[str, tuple[str, ...]]
    played: Mapping[str, tuple[str, ...]]
    shown: Mapping[str, str]
    """By seat (FUND=OFF)."""
    lots: tuple[Lot, ...]
    """Open for bids."""
    spoke: frozenset[str]
    """Since their last throws."""
    lists: Mapping[str, tuple[Item, ...]]
    out: tuple[Gone, ...]
    counts: int
    """Of the game."""
    counts_round: int
    """Of the round."""
    shuffles: int
    """Eliminations shuffled."""
    last_count: Mapping[str, int] | None
    """Votes of those then in; None before it."""
    winners: tuple[str, ...] | None
    """None during the game."""
    dealt: Mapping[str, tuple[str, ...]]
    """First hands, published at the end (4.7)."""
    plans: Mapping[str, tuple[str, ...]]
    """Canonical texts by seat (3.9)."""

    @property
    def alive(self) -> tuple[str, ...]:
        gone = {one.seat for one in self.out}
        return tuple(seat for seat in self.order if seat not in gone)

    @property
    def set_aside(self) -> Mapping[str, str]:
        """Cards shown to secret viewers: they would reveal private throws, so they count with
        the pack (4.7, 6.1)."""
        return {} if self.choices.open_rolls or self.choices.turns else self.shown

    def total(self, seat: str) -> int:
        return sum(self.throws.get(seat, ()))

    def told_throw(self, seat: str) -> dict[str, Any]:
        return {"throw": list(self.throws[seat]), "total": self.total(seat)}

    @property
    def fee(self) -> int:
        """0 with FUND=OFF."""
        return self.atlas.radio_fee if self.choices.fund else 0

    def cash(self, seat: str) -> int:
        """Return the campaign fund, in dollars."""
        return self.accounts.balance(seat)

    def gap_open(self, after: object) -> bool:
        """Return whether the gap after that seat is open to speeches (R4)."""
        first = self.choices.speech_from - 1
        return self.round > first or (self.round == first and after == self.last_seat)
