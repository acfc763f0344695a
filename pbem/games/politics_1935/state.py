"""The state of Politics: frozen dataclasses of plain values for pbem.games.frame.codec."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.games.frame.options import Options
from pbem.games.frame.treasury import Accounts
from pbem.games.politics_1935.orders import Item
from pbem.games.politics_1935.tables import Atlas

FUND = "expense fund"


@dataclass(frozen=True, slots=True)
class Choices:
    """The gamesmaster's options used by the rules (1.6)."""

    turns: bool
    open_rolls: bool
    first_price: bool
    fund: bool
    first_cut: int
    """0 for off."""
    tab_limit: int
    """0 for off."""
    max_rounds: int
    speech_from: int
    slot_next: bool
    auto: bool
    secret_holdings: bool

    @classmethod
    def of(cls, options: Options) -> Choices:
        """Read the settled options."""
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


@dataclass(frozen=True, slots=True)
class Pin:
    """A seat's one pin in a state."""

    seat: str
    level: int
    """County lines passed; one more than there are lines means the capital."""


@dataclass(frozen=True, slots=True)
class Lot:
    """A card up for auction, and the seat whose throw turned it up."""

    card: str
    thrower: str


@dataclass(frozen=True, slots=True)
class Gone:
    """A seat that is out."""

    seat: str
    votes: int
    """Its votes then."""
    wave: int
    """Number of the elimination, from 1."""


@dataclass(frozen=True, slots=True)
class State:
    """One position of Politics."""

    phase: str
    atlas: Atlas
    """The game's tables."""
    seats: tuple[str, ...]
    """In joining order."""
    order: tuple[str, ...]
    """Round the table."""
    choices: Choices
    round: int
    turn: str | None
    """Who has the dice (MODE=TURN), else None."""
    last_seat: str
    """The last living seat when the round opened (R4)."""
    throws: Mapping[str, tuple[int, ...]]
    """Three dice of each seat that has thrown this round or turn."""
    pins: Mapping[str, tuple[Pin, ...]]
    """By state, in order of arrival on their lines: among equal levels the first leads (R8).
    States without pins are omitted."""
    accounts: Accounts
    """Dollars of the seats and the fund."""
    pack: tuple[str, ...]
    """Top last."""
    hands: Mapping[str, tuple[str, ...]]
    played: Mapping[str, tuple[str, ...]]
    shown: Mapping[str, str]
    """The card shown to a seat (FUND=OFF)."""
    lots: tuple[Lot, ...]
    """Open for this period's bids."""
    spoke: frozenset[str]
    """Who has spoken since his own last throw."""
    lists: Mapping[str, tuple[Item, ...]]
    """Lists on file."""
    out: tuple[Gone, ...]
    counts: int
    """Tabulations of the game."""
    counts_round: int
    """Tabulations of this round."""
    shuffles: int
    """Eliminations shuffled."""
    last_count: Mapping[str, int] | None
    """Votes of those still in at the last count; None before it."""
    winners: tuple[str, ...] | None
    """None while the game runs."""
    dealt: Mapping[str, tuple[str, ...]]
    """Hands of the start, published at the end (4.7)."""
    plans: Mapping[str, tuple[str, ...]]
    """Bid plans on file as canonical texts, by seat with any (3.9)."""

    @property
    def alive(self) -> tuple[str, ...]:
        """The seats still in, in table order."""
        gone = {one.seat for one in self.out}
        return tuple(seat for seat in self.order if seat not in gone)

    @property
    def set_aside(self) -> Mapping[str, str]:
        """Shown cards whose viewers are secret. A shown card reveals a seven or eleven, so while
        throws are private it counts with the pack (4.7, 6.1)."""
        return {} if self.choices.open_rolls or self.choices.turns else self.shown

    def total(self, seat: str) -> int:
        """Return the points of the seat's throw."""
        return sum(self.throws.get(seat, ()))

    def cash(self, seat: str) -> int:
        """Return the seat's campaign fund in dollars."""
        return self.accounts.balance(seat)
