"""The state of a game, what the cards' printed texts mean, and Teams (3.9)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pbem.errors import ScenarioError
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import seats_from

PIP = "PIP"
SUITS = "SHDC"
"""From high to low (1.2)."""
ISSUES = {"S": "EMPLOYMENT", "H": "IMMIGRATION", "D": "TAXATION", "C": "SECURITY"}
SUIT_OF = {issue: suit for suit, issue in ISSUES.items()}
ISSUE_WORDS = {
    word: ISSUES[suit]
    for suit, name in {"S": "SPADES", "H": "HEARTS", "D": "DIAMONDS", "C": "CLUBS"}.items()
    for word in (suit, name, ISSUES[suit])
}
"""In any spelling."""

_CANDIDATE = re.compile(r"([SHDC])([0-9]+)(m?) (.+?)(?: of ([A-Z]{3}))?")
_CONSTITUENCY = re.compile(r"([0-9])([SHDC])([+-][0-9]+) (.+)")
_COPY = re.compile(r"[AR][0-9][A-Z]")
DECKS = {"T": "talent", "A": "action", "K": "constituencies"}
DECKS |= dict.fromkeys("GLR", "grassroots")
"""By first letter."""


@dataclass(frozen=True, slots=True)
class Card:
    """A Candidate, Action or Reaction."""

    id: str
    name: str
    issue: str
    """Empty for Actions and Reactions."""
    popularity: int
    minority: bool
    party: str
    """A Leader's, else ""."""

    @property
    def candidate(self) -> bool:
        """Whether it can stand or be spent."""
        return bool(self.issue)

    @property
    def minister(self) -> bool:
        """Whether it is one of the 13 (1.4)."""
        return self.id[0] == "M"

    @property
    def kind(self) -> str:
        """The kind of several copies: "A4", "R1" (1.9, 1.10)."""
        return self.id[:2]

    @property
    def deck(self) -> str:
        """The deck; "" for Ministers."""
        return DECKS.get(self.id[0], "")

    @property
    def rank(self) -> tuple[int, int]:
        """Popularity, then suit (4.1)."""
        return self.popularity, -SUITS.index(SUIT_OF[self.issue])


@dataclass(frozen=True, slots=True)
class Item:
    """A card in an order, with options."""

    card: str
    on: str = ""
    against: str = ""

    def __str__(self) -> str:
        on = f" ON {self.on}" if self.on else ""
        return f"{self.card}{on}" + (f" AGAINST {self.against}" if self.against else "")


@dataclass(frozen=True, slots=True)
class Constituency:
    """A constituency: seats, issue, Incumbent Advantage in votes."""

    id: str
    name: str
    seats: int
    issue: str
    advantage: int

    @property
    def grc(self) -> bool:
        return self.seats > 1


@cache
def card(id: str, text: str) -> Card:
    found = _CANDIDATE.fullmatch(text)
    if not found:
        return Card(id, text.partition(":")[0], "", 0, False, "")
    suit, popularity, minority, name, party = found.groups()
    return Card(id, name, ISSUES[suit], int(popularity), bool(minority), party or "")


@cache
def constituency(id: str, text: str) -> Constituency:
    found = _CONSTITUENCY.fullmatch(text)
    if not found:
        raise ScenarioError(f"tables.constituencies.{id}: {text!r} is not of the form '5H+8 Name'")
    seats, suit, advantage, name = found.groups()
    return Constituency(id, name, int(seats), ISSUES[suit], int(advantage))


def printed(tables: Mapping[str, Any]) -> dict[str, str]:
    """Return id -> text, each copy apart (A1a, A1b)."""
    cards: dict[str, str] = {}
    for name in ("ministers", "talents", "grassroots", "constituencies"):
        cards |= tables[name]
    for name in ("actions", "reactions"):
        for kind, told in tables[name].items():
            cards |= {f"{kind}{chr(97 + copy)}": told["text"] for copy in range(told["copies"])}
    return cards


def spelt(id: str, text: str) -> str:
    """Describe a card: "G19 Dipper, Employment 7, Minority"."""
    if id[0] == "K":
        place = constituency(id, text)
        seats = "1 seat" if place.seats == 1 else f"{place.seats} seats"
        return (
            f"{id} {place.name}: {seats}, {place.issue.capitalize()}, Advantage"
            f" {place.advantage:+d}"
        )
    told = card(id, text)
    if not told.candidate:
        return f"{id} {text}"
    marks = [f"{told.issue.capitalize()} {told.popularity}"]
    marks += ["Minority"] if told.minority else []
    marks += [f"Leader ({told.party})"] if told.party else []
    return f"{id} {told.name}, {', '.join(marks)}"


def card_id(word: str) -> str:
    """Return an id as printed."""
    upper = word.upper()
    return upper[:-1] + upper[-1].lower() if _COPY.fullmatch(upper) else upper


PHASES = ("CAMPAIGN", "NOMINATION", "POLLING", "POLLING+CAMPAIGN", "OVER")
CAMPAIGN, NOMINATION, POLLING, SHARED, OVER = PHASES


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

    def worded(self, item: Item) -> str:
        """Return "R5a CHANGE THE SUBJECT on Taxation"."""
        on = f" on {item.on.capitalize()}" if item.on else ""
        return f"{self.named(item.card)}{on}" + (f" against {item.against}" if item.against else "")

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

    def ministers(self) -> tuple[str, ...]:
        return tuple(id for id in self.pool if self.card(id).minister)

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


def taken(state: State, seat: str, ids: Iterable[str]) -> State:
    """Take cards from the seat's pool or hand."""
    left = without(state.held(seat), ids)
    if seat == PIP:
        return replace(state, pool=left)
    return replace(state, hands={**state.hands, seat: left})


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


def split_team(
    state: State, cards: Sequence[str], seats: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split into Team and Helpers after ``seats`` Candidates (R9)."""
    candidates = tuple(id for id in cards if state.card(id).candidate)
    return candidates[:seats], candidates[seats:]


def disqualified(state: State, team: Sequence[str]) -> str:
    """Return why a Team is out; "" if not (4.6)."""
    place = state.place()
    if len(team) < place.seats:
        return "too few Candidates"
    if place.grc and not any(state.card(id).minority for id in team):
        return "no Minority Candidate"
    return ""


def automatic_team(state: State, issue: str) -> tuple[str, ...]:
    """Return the PIP's best Team, with a Minority card if any."""
    talents, ministers, place = state.talents(), state.ministers(), state.place()

    def votes(id: str) -> int:
        return state.votes_for(id, issue)

    team = sorted(talents, key=lambda id: (-votes(id), id))[: place.seats]
    team += sorted(ministers, key=lambda id: (votes(id), id))[: place.seats - len(team)]
    if not place.grc or not team or any(map(state.minority, team)):
        return tuple(team)
    able = ([id for id in group if state.minority(id)] for group in (talents, ministers))
    if spare := next(filter(None, able), None):
        team[-1] = min(spare, key=lambda id: (votes(id), id))
    return tuple(team)


def walkover_team(state: State) -> tuple[str, ...]:
    """Return the PIP's least popular Team, Ministers last."""

    def key(id: str) -> tuple[bool, int, str]:
        told = state.card(id)
        return told.minister, told.popularity, id

    return tuple(sorted(state.candidates(), key=key)[: state.place().seats])


def strongest_team(state: State, cards: Sequence[str], seats: int) -> tuple[str, ...]:
    """Return the Team with most votes, in a GRC with a Minority Candidate if any."""

    def key(id: str) -> tuple[int, str]:
        return -state.votes_for(id, state.issue), id

    listed = sorted((id for id in cards if state.card(id).candidate), key=key)
    team, minority = listed[:seats], [id for id in listed if state.card(id).minority]
    if state.place().grc and team and minority and not any(state.card(id).minority for id in team):
        team[-1] = minority[0]
    return tuple(team)
