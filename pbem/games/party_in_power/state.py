"""The state of Party In Power: frozen, of plain values, with the small questions every step asks of
it."""

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
    """The options as settled (1.12) and the figures of the tables.

    ``incumbency`` is added to every printed Advantage; ``drafts`` is the number of DRAFT passes;
    ``any_minister`` (MINORITY=MINISTER), ``helper_votes`` (HELPERS=VOTE) and ``vacant``
    (LAPSE=VACANT) are switches; ``ncmps`` goes by the number of seats.
    """

    constituencies: int
    shared: bool
    fast: bool
    incumbency: int
    drafts: int
    tie: str
    open_pool: bool
    any_minister: bool
    helper_votes: bool
    vacant: bool
    ncmps: Mapping[str, int]
    pip_points: int
    opposition_points: int
    most_hand: int
    most_talents: int


@dataclass(frozen=True, slots=True)
class State:
    """One position.

    ``cards``: printed texts of all cards; ``order``: the seats clockwise; ``numbers`` and
    ``names``: of the parties; ``k``: Opposition Parties at the start; ``i``: number of the
    constituency in play, ``con``; ``next``: the card revealed ahead; ``issue``: the one now
    contested; ``top``: (Popularity, suit) of the last override and its ``top_owner``; ``votes``: of
    the count in ``last``, None for the disqualified; ``decks`` and ``discards`` by name, top last;
    ``shuffles``: how often each deck was shuffled; ``removed``: cards that left the game;
    ``submitted``: by contesting party; ``won``: constituencies by party; ``vacancies``: those
    nobody won; ``out``: who has resigned; ``plans``: the orders for what may come that are on file,
    as canonical texts, of those who have any.
    """

    settings: Settings
    cards: Mapping[str, str]
    order: tuple[str, ...]
    numbers: Mapping[str, int]
    names: Mapping[str, str]
    k: int
    phase: str
    i: int
    con: str
    issue: str
    next: str | None
    top: tuple[int, str] | None
    top_owner: str | None
    last: str | None
    votes: Mapping[str, int | None]
    decks: Mapping[str, tuple[str, ...]]
    discards: Mapping[str, tuple[str, ...]]
    shuffles: Mapping[str, int]
    row: tuple[str, ...]
    pool: tuple[str, ...]
    hands: Mapping[str, tuple[str, ...]]
    submitted: Mapping[str, tuple[Item, ...]]
    momentum: str | None
    won: Mapping[str, tuple[str, ...]]
    vacancies: tuple[str, ...]
    ncmp: Mapping[str, int]
    bonus: Mapping[str, int]
    removed: tuple[str, ...]
    out: frozenset[str]
    plans: Mapping[str, tuple[str, ...]]

    def card(self, id: str) -> Card:
        """A card by its id."""
        return card(id, self.cards[id])

    def place(self, id: str | None = None) -> Constituency:
        """A constituency by its id; the one in play where none is given."""
        return constituency(id or self.con, self.cards[id or self.con])

    def spelt(self, id: str) -> str:
        """A card in words."""
        return spelt(id, self.cards[id])

    def named(self, id: str) -> str:
        """A card's code with its name: "G19 Dipper"."""
        return f"{id} {self.card(id).name}"

    def held(self, seat: str) -> tuple[str, ...]:
        """A seat's own cards: the PIP's pool, an Opposition Party's hand."""
        return self.pool if seat == PIP else self.hands[seat]

    @property
    def opposition(self) -> tuple[str, ...]:
        """The Opposition Parties still in the game, clockwise from the PIP."""
        return tuple(seat for seat in self.clockwise(PIP) if seat != PIP and seat not in self.out)

    @property
    def living(self) -> tuple[str, ...]:
        """Everybody still in the game."""
        return tuple(seat for seat in self.order if seat not in self.out)

    @property
    def lapsed(self) -> bool:
        """Whether the PIP has resigned (R14)."""
        return PIP in self.out

    def clockwise(self, start: str) -> tuple[str, ...]:
        """All seats clockwise from ``start``."""
        return seats_from(self.order, start)

    def from_momentum(self) -> tuple[str, ...]:
        """The living Opposition Parties clockwise from the Momentum holder."""
        if self.momentum is None:
            return self.opposition
        return tuple(seat for seat in self.clockwise(self.momentum) if seat in self.opposition)

    def minority(self, id: str) -> bool:
        """Whether this card serves as the Minority Candidate of a GRC (R7)."""
        told = self.card(id)
        return told.minority or (told.minister and self.settings.any_minister)

    def votes_for(self, id: str, issue: str) -> int:
        """What a Candidate without affiliation gets on this issue (4.7)."""
        told = self.card(id)
        return told.popularity + (told.issue == issue)

    def talents(self) -> tuple[str, ...]:
        """The non-Ministers of the pool."""
        return tuple(id for id in self.pool if self.card(id).deck == "talent")

    def candidates(self) -> tuple[str, ...]:
        """The Candidates of the pool, Ministers included."""
        return tuple(id for id in self.pool if self.card(id).candidate)

    def actions(self) -> tuple[str, ...]:
        """The Action cards of the pool."""
        return tuple(id for id in self.pool if self.card(id).deck == "action")

    def points(self, seat: str) -> int:
        """Victory Points so far: seats won, NCMPs and bonus cards (4.10)."""
        worth = self.settings.pip_points if seat == PIP else self.settings.opposition_points
        return worth * self.seats_won(seat) + self.ncmp[seat] + self.bonus[seat]

    def seats_won(self, seat: str) -> int:
        """Seats of the constituencies won."""
        return sum(self.place(id).seats for id in self.won[seat])


def without(held: Sequence[str], gone: Iterable[str]) -> tuple[str, ...]:
    """The cards held that are not among the gone, in their order."""
    left = set(gone)
    return tuple(id for id in held if id not in left)


def put_down(state: State, ids: Iterable[str]) -> State:
    """These cards go to their discards; Ministers leave the game (4.9)."""
    discards, removed = dict(state.discards), state.removed
    for id in ids:
        deck = state.card(id).deck
        if deck:
            discards[deck] = (*discards[deck], id)
        else:
            removed = (*removed, id)
    return replace(state, discards=discards, removed=removed)


def draw(state: State, deck: str, dice: Dice) -> tuple[State, str | None]:
    """The top card of a deck; an empty deck is its shuffled discard. None where both are empty."""
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
    """The public row is filled to 2k cards, as far as deck and reshuffled discard go (2.2)."""
    while len(state.row) < 2 * state.k:
        state, id = draw(state, "grassroots", dice)
        if id is None:
            break
        state = replace(state, row=(*state.row, id))
    return state
