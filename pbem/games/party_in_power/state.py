"""The state of Party In Power: frozen plain values, with common queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pbem.games.frame.dice import Dice
from pbem.games.frame.events import seats_from
from pbem.games.party_in_power.cards import PIP, Card, Constituency, card, constituency, spelt
from pbem.games.party_in_power.orders import Item

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
    """The settled options (1.12) and figures of the tables."""

    constituencies: int
    shared: bool
    fast: bool
    incumbency: int
    """Added to every printed Advantage."""
    drafts: int
    """Number of DRAFT passes."""
    tie: str
    open_pool: bool
    any_minister: bool
    """MINORITY=MINISTER."""
    helper_votes: bool
    """HELPERS=VOTE."""
    vacant: bool
    """LAPSE=VACANT."""
    ncmps: Mapping[str, int]
    """By number of seats."""
    pip_points: int
    opposition_points: int
    most_hand: int
    most_talents: int


@dataclass(frozen=True, slots=True)
class State:
    """One position of Party In Power."""

    settings: Settings
    cards: Mapping[str, str]
    """Printed texts of all cards."""
    order: tuple[str, ...]
    """The seats clockwise."""
    numbers: Mapping[str, int]
    """Registration numbers of the parties."""
    names: Mapping[str, str]
    """Names of the parties."""
    k: int
    """Opposition Parties at the start."""
    phase: str
    i: int
    """Number of the constituency in play."""
    con: str
    """The constituency in play."""
    issue: str
    """The issue now contested."""
    next: str | None
    """The constituency revealed ahead."""
    top: tuple[int, str] | None
    """(Popularity, suit) of the last override."""
    top_owner: str | None
    """Who played the last override."""
    last: str | None
    votes: Mapping[str, int | None]
    """Votes of the count in ``last``; None for the disqualified."""
    decks: Mapping[str, tuple[str, ...]]
    """By name, top last."""
    discards: Mapping[str, tuple[str, ...]]
    """By name, top last."""
    shuffles: Mapping[str, int]
    """Number of shuffles by deck."""
    row: tuple[str, ...]
    pool: tuple[str, ...]
    hands: Mapping[str, tuple[str, ...]]
    submitted: Mapping[str, tuple[Item, ...]]
    """By contesting party."""
    momentum: str | None
    won: Mapping[str, tuple[str, ...]]
    """Constituencies by party."""
    vacancies: tuple[str, ...]
    """Constituencies nobody won."""
    ncmp: Mapping[str, int]
    bonus: Mapping[str, int]
    removed: tuple[str, ...]
    """Cards that left the game."""
    out: frozenset[str]
    """Who has resigned."""
    plans: Mapping[str, tuple[str, ...]]
    """Plans on file as canonical texts, by seat with any."""

    def card(self, id: str) -> Card:
        """Return a card by id."""
        return card(id, self.cards[id])

    def place(self, id: str | None = None) -> Constituency:
        """Return a constituency by id; None: the one in play."""
        return constituency(id or self.con, self.cards[id or self.con])

    def spelt(self, id: str) -> str:
        """Describe a card in words."""
        return spelt(id, self.cards[id])

    def named(self, id: str) -> str:
        """Return a card's code and name: "G19 Dipper"."""
        return f"{id} {self.card(id).name}"

    def held(self, seat: str) -> tuple[str, ...]:
        """Return a seat's cards: the PIP's pool, an Opposition Party's hand."""
        return self.pool if seat == PIP else self.hands[seat]

    @property
    def opposition(self) -> tuple[str, ...]:
        """The Opposition Parties still in, clockwise from the PIP."""
        return tuple(seat for seat in self.clockwise(PIP) if seat != PIP and seat not in self.out)

    @property
    def living(self) -> tuple[str, ...]:
        """Everybody still in."""
        return tuple(seat for seat in self.order if seat not in self.out)

    @property
    def lapsed(self) -> bool:
        """Whether the PIP has resigned (R14)."""
        return PIP in self.out

    def clockwise(self, start: str) -> tuple[str, ...]:
        """Return all seats clockwise from ``start``."""
        return seats_from(self.order, start)

    def from_momentum(self) -> tuple[str, ...]:
        """Return the living Opposition Parties clockwise from the Momentum holder."""
        if self.momentum is None:
            return self.opposition
        return tuple(seat for seat in self.clockwise(self.momentum) if seat in self.opposition)

    def minority(self, id: str) -> bool:
        """Whether the card serves as Minority Candidate of a GRC (R7)."""
        told = self.card(id)
        return told.minority or (told.minister and self.settings.any_minister)

    def votes_for(self, id: str, issue: str) -> int:
        """Return the votes of a Candidate without affiliation on this issue (4.7)."""
        told = self.card(id)
        return told.popularity + (told.issue == issue)

    def talents(self) -> tuple[str, ...]:
        """The pool's non-Ministers."""
        return tuple(id for id in self.pool if self.card(id).deck == "talent")

    def candidates(self) -> tuple[str, ...]:
        """The pool's Candidates, Ministers included."""
        return tuple(id for id in self.pool if self.card(id).candidate)

    def actions(self) -> tuple[str, ...]:
        """The pool's Action cards."""
        return tuple(id for id in self.pool if self.card(id).deck == "action")

    def points(self, seat: str) -> int:
        """Return Victory Points so far: seats won, NCMPs and bonus cards (4.10)."""
        worth = self.settings.pip_points if seat == PIP else self.settings.opposition_points
        return worth * self.seats_won(seat) + self.ncmp[seat] + self.bonus[seat]

    def seats_won(self, seat: str) -> int:
        """Return the seats of the constituencies won."""
        return sum(self.place(id).seats for id in self.won[seat])


def without(held: Sequence[str], gone: Iterable[str]) -> tuple[str, ...]:
    """Return ``held`` without ``gone``, in order."""
    left = set(gone)
    return tuple(id for id in held if id not in left)


def put_down(state: State, ids: Iterable[str]) -> State:
    """Put these cards on their discards; Ministers leave the game (4.9)."""
    discards, removed = dict(state.discards), state.removed
    for id in ids:
        deck = state.card(id).deck
        if deck:
            discards[deck] = (*discards[deck], id)
        else:
            removed = (*removed, id)
    return replace(state, discards=discards, removed=removed)


def draw(state: State, deck: str, dice: Dice) -> tuple[State, str | None]:
    """Draw a deck's top card, reshuffling the discard if the deck is empty. None if both are
    empty."""
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
    """Fill the public row to 2k cards, as far as deck and discard go (2.2)."""
    while len(state.row) < 2 * state.k:
        state, id = draw(state, "grassroots", dice)
        if id is None:
            break
        state = replace(state, row=(*state.row, id))
    return state
