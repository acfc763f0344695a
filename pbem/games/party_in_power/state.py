"""The state of a game, with queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pbem.games.frame.dice import Dice
from pbem.games.frame.events import seats_from
from pbem.games.party_in_power.cards import (
    PIP,
    Card,
    Constituency,
    Item,
    card,
    constituency,
    spelt,
)

CAMPAIGN, NOMINATION, POLLING, SHARED, OVER = (
    "CAMPAIGN",
    "NOMINATION",
    "POLLING",
    "POLLING+CAMPAIGN",
    "OVER",
)
PHASES = (CAMPAIGN, NOMINATION, POLLING, SHARED, OVER)


@dataclass(frozen=True, slots=True)
class Settings:
    """Settled options (1.12) and figures."""

    constituencies: int
    shared: bool
    fast: bool
    incumbency: int
    """Added to printed Advantages."""
    drafts: int
    """DRAFT passes."""
    tie: str
    open_pool: bool
    any_minister: bool
    """MINORITY=MINISTER."""
    helper_votes: bool
    """HELPERS=VOTE."""
    vacant: bool
    """LAPSE=VACANT."""
    ncmps: Mapping[str, int]
    """By seats."""
    pip_points: int
    opposition_points: int
    most_hand: int
    most_talents: int


@dataclass(frozen=True, slots=True)
class State:
    """A position."""

    settings: Settings
    cards: Mapping[str, str]
    order: tuple[str, ...]
    """Seats clockwise."""
    numbers: Mapping[str, int]
    """By party, at registration."""
    names: Mapping[str, str]
    k: int
    """Opposition Parties at the start."""
    phase: str
    i: int
    """The constituency's number."""
    con: str
    issue: str
    """Now contested."""
    next: str | None
    """Revealed ahead."""
    top: tuple[int, str] | None
    """The last override's (Popularity, suit)."""
    top_owner: str | None
    """Whose override it was."""
    last: str | None
    votes: Mapping[str, int | None]
    """The count of ``last``; None if disqualified."""
    decks: Mapping[str, tuple[str, ...]]
    """Top last."""
    discards: Mapping[str, tuple[str, ...]]
    """Top last."""
    shuffles: Mapping[str, int]
    """By deck."""
    row: tuple[str, ...]
    pool: tuple[str, ...]
    hands: Mapping[str, tuple[str, ...]]
    submitted: Mapping[str, tuple[Item, ...]]
    """By contesting party."""
    momentum: str | None
    won: Mapping[str, tuple[str, ...]]
    """Constituencies by party."""
    vacancies: tuple[str, ...]
    """Won by nobody."""
    ncmp: Mapping[str, int]
    bonus: Mapping[str, int]
    removed: tuple[str, ...]
    out: frozenset[str]
    plans: Mapping[str, tuple[str, ...]]
    """Canonical texts by seat."""

    def card(self, id: str) -> Card:
        return card(id, self.cards[id])

    def place(self, id: str | None = None) -> Constituency:
        """Return a constituency; None for the one in play."""
        return constituency(id or self.con, self.cards[id or self.con])

    def spelt(self, id: str) -> str:
        return spelt(id, self.cards[id])

    def named(self, id: str) -> str:
        """Return "G19 Dipper"."""
        return f"{id} {self.card(id).name}"

    def held(self, seat: str) -> tuple[str, ...]:
        return self.pool if seat == PIP else self.hands[seat]

    @property
    def opposition(self) -> tuple[str, ...]:
        """Those still in, clockwise from the PIP."""
        return tuple(seat for seat in self.clockwise(PIP) if seat != PIP and seat not in self.out)

    @property
    def living(self) -> tuple[str, ...]:
        """All still in."""
        return tuple(seat for seat in self.order if seat not in self.out)

    @property
    def lapsed(self) -> bool:
        """Whether the PIP has resigned (R14)."""
        return PIP in self.out

    def clockwise(self, start: str) -> tuple[str, ...]:
        return seats_from(self.order, start)

    def from_momentum(self) -> tuple[str, ...]:
        """Return the living Opposition from the Momentum holder."""
        if self.momentum is None:
            return self.opposition
        return tuple(seat for seat in self.clockwise(self.momentum) if seat in self.opposition)

    def minority(self, id: str) -> bool:
        """Return whether it serves as Minority Candidate (R7)."""
        told = self.card(id)
        return told.minority or (told.minister and self.settings.any_minister)

    def votes_for(self, id: str, issue: str) -> int:
        """Return a Candidate's votes without affiliation (4.7)."""
        told = self.card(id)
        return told.popularity + (told.issue == issue)

    def talents(self) -> tuple[str, ...]:
        return tuple(id for id in self.pool if self.card(id).deck == "talent")

    def candidates(self) -> tuple[str, ...]:
        return tuple(id for id in self.pool if self.card(id).candidate)

    def actions(self) -> tuple[str, ...]:
        return tuple(id for id in self.pool if self.card(id).deck == "action")

    def points(self, seat: str) -> int:
        """Return Victory Points: seats, NCMPs, bonus (4.10)."""
        worth = self.settings.pip_points if seat == PIP else self.settings.opposition_points
        return worth * self.seats_won(seat) + self.ncmp[seat] + self.bonus[seat]

    def seats_won(self, seat: str) -> int:
        return sum(self.place(id).seats for id in self.won[seat])


def without(held: Sequence[str], gone: Iterable[str]) -> tuple[str, ...]:
    left = set(gone)
    return tuple(id for id in held if id not in left)


def put_down(state: State, ids: Iterable[str]) -> State:
    """Discard cards; Ministers leave the game (4.9)."""
    discards, removed = dict(state.discards), state.removed
    for id in ids:
        deck = state.card(id).deck
        if deck:
            discards[deck] = (*discards[deck], id)
        else:
            removed = (*removed, id)
    return replace(state, discards=discards, removed=removed)


def draw(state: State, deck: str, dice: Dice) -> tuple[State, str | None]:
    """Draw, reshuffling the discard if empty. None if both are."""
    cards = state.decks[deck]
    if not cards:
        cards = state.discards[deck]
        if not cards:
            return state, None
        count = state.shuffles[deck] + 1
        cards = tuple(dice.stream(f"{deck}/{count}").shuffled(cards))
        state = replace(
            state, discards={**state.discards, deck: ()}, shuffles={**state.shuffles, deck: count}
        )
    return replace(state, decks={**state.decks, deck: cards[:-1]}), cards[-1]


def fill_row(state: State, dice: Dice) -> State:
    """Fill the row to 2k cards if possible (2.2)."""
    while len(state.row) < 2 * state.k:
        state, id = draw(state, "grassroots", dice)
        if id is None:
            break
        state = replace(state, row=(*state.row, id))
    return state
