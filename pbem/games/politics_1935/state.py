"""The state of Politics: frozen dataclasses of plain values, which pbem.games.frame.codec can dump
and load."""

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
    """The gamesmaster's options that the rules ask for (1.6). ``first_cut`` and ``tab_limit`` 0:
    off."""

    turns: bool
    open_rolls: bool
    first_price: bool
    fund: bool
    first_cut: int
    tab_limit: int
    max_rounds: int
    speech_from: int
    slot_next: bool
    auto: bool
    secret_holdings: bool

    @classmethod
    def of(cls, options: Options) -> Choices:
        """The options as they were settled."""
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
    """A seat's one pin in a state: the county lines it has passed; one more than there are lines:
    the capital."""

    seat: str
    level: int


@dataclass(frozen=True, slots=True)
class Lot:
    """A card turned up for auction, and the seat whose throw turned it up."""

    card: str
    thrower: str


@dataclass(frozen=True, slots=True)
class Gone:
    """A seat that is out: its votes at that count or moment, and the how-manieth elimination it
    was, from 1."""

    seat: str
    votes: int
    wave: int


@dataclass(frozen=True, slots=True)
class State:
    """One position.

    ``atlas``: the tables this game is played by. ``seats`` in joining order, ``order`` round the
    table. ``turn``: who has the dice (MODE=TURN), else None. ``last_seat``: the last seat living
    when the round opened (R4). ``throws``: three dice of each seat that has thrown for this round
    or turn. ``pins``: by state, in order of arrival on their present lines, so that of equal levels
    the first leads (R8); states without pins are left out. ``accounts``: dollars of the seats and
    of the fund. ``pack``: top last. ``shown``: the card shown to a seat (FUND=OFF). ``lots``: open
    for the bids of this period. ``spoke``: who has spoken since his own last throw. ``lists``: the
    lists on file. ``counts``, ``counts_round``: tabulations of the game, of this round;
    ``last_count``: votes of those still in at the last one, None before it. ``shuffles``:
    eliminations shuffled. ``winners``: None while the game runs. ``dealt``: the hands of the start,
    which are laid open at the end (4.7). ``plans``: the bids for what may come that are on file, as
    canonical texts, of those who have any (3.9).
    """

    phase: str
    atlas: Atlas
    seats: tuple[str, ...]
    order: tuple[str, ...]
    choices: Choices
    round: int
    turn: str | None
    last_seat: str
    throws: Mapping[str, tuple[int, ...]]
    pins: Mapping[str, tuple[Pin, ...]]
    accounts: Accounts
    pack: tuple[str, ...]
    hands: Mapping[str, tuple[str, ...]]
    played: Mapping[str, tuple[str, ...]]
    shown: Mapping[str, str]
    lots: tuple[Lot, ...]
    spoke: frozenset[str]
    lists: Mapping[str, tuple[Item, ...]]
    out: tuple[Gone, ...]
    counts: int
    counts_round: int
    shuffles: int
    last_count: Mapping[str, int] | None
    winners: tuple[str, ...] | None
    dealt: Mapping[str, tuple[str, ...]]
    plans: Mapping[str, tuple[str, ...]]

    @property
    def alive(self) -> tuple[str, ...]:
        """The seats still in, in table order."""
        gone = {one.seat for one in self.out}
        return tuple(seat for seat in self.order if seat not in gone)

    @property
    def set_aside(self) -> Mapping[str, str]:
        """The cards shown whose viewers nobody knows: that one was shown tells a throw of seven or
        eleven, so while the throws of a round are private such a card counts with the pack it came
        from (4.7, 6.1)."""
        return {} if self.choices.open_rolls or self.choices.turns else self.shown

    def total(self, seat: str) -> int:
        """The points of the seat's throw."""
        return sum(self.throws.get(seat, ()))

    def cash(self, seat: str) -> int:
        """The seat's campaign fund in dollars."""
        return self.accounts.balance(seat)
