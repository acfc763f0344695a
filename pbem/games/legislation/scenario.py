"""Scenario fields of Legislation, with the names and shapes of the views."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

from pbem.games.frame.codec import Json
from pbem.games.frame.events import Seat
from pbem.games.frame.scenario import (
    At,
    Either,
    Flag,
    Kind,
    Listed,
    Made,
    Name,
    Names,
    Part,
    Share,
    Table,
    Text,
    Whole,
    Word,
    entry,
    exact,
    in_capitals,
    of_each,
    read_whole,
    wrong,
)
from pbem.games.legislation import cards
from pbem.games.legislation.orders import ADD, AGAINST, CHOICES, FOR, NONE, REMOVE
from pbem.games.legislation.state import PHASES

T = TypeVar("T")
_SIGNS = str.maketrans({"\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2212": "-"})


def _card(at: At, text: str) -> str | None:
    word = text.translate(_SIGNS).upper().replace("PLUS", "+").replace("MINUS", "-")
    word = word.replace(" ", "")
    known = word[-1:] in ("+", "-") and word[:-1] in at.names["issue"].listed
    return word if known or word == cards.CROWN else None


def _named(_: At, seats: tuple[Seat, ...] | dict[Seat, bool]) -> tuple[Seat, ...]:
    """Also { P1 = true }."""
    return seats if isinstance(seats, tuple) else tuple(s for s, named in seats.items() if named)


def _one(_: At, card: str | tuple[str, ...]) -> str | None:
    return card if isinstance(card, str) else card[0] if card else None


def _capitals(_: At, text: str) -> str:
    return text.upper()


_SEAT = Name("seat")
_SEATS: Kind[tuple[Seat, ...]] = Made(
    Either(Listed(_SEAT), Table(_SEAT, Flag())), _named, "a list of seats"
)
_CARD = Made(Text(), _card, 'a card of this game, as "STAR+",')
_CARDS = Listed(_CARD)
_ID = Made(Text(10), _capitals)
_COUNTS = Table(_SEAT, Whole())
_EYE = Whole(-999, 999)


@dataclass(frozen=True, slots=True)
class Amendment:
    follows: ClassVar = ("bill",)
    id: str | None = entry(_ID, "its number", "A1, A2, ...")
    action: str = entry(Word(ADD, REMOVE), "what is to be done", needed=True)
    card: str = entry(_CARD, "with which card", needed=True)
    movers: tuple[Seat, ...] | None = entry(Listed(_SEAT), "who moved it", "nobody")
    mover: Seat | None = entry(_SEAT, "who moved it, if one alone")


@dataclass(frozen=True, slots=True)
class Bill:
    follows: ClassVar = ("cards", "open")
    core: tuple[str, ...] = entry(_CARDS, "its original cards", needed=True)
    id: str | None = entry(_ID, "its number", "B1, B2, ...")
    chair: Seat | None = entry(_SEAT, "whose bill it is", "the chairs in their order")
    added: tuple[str, ...] | None = entry(_CARDS, "cards added", "none")
    removed: tuple[str, ...] | None = entry(_CARDS, "core cards amended away", "none")
    dropped: tuple[str, ...] | None = entry(_CARDS, "cards that are law by now", "none")
    filed: tuple[str, ...] | None = entry(_CARDS, "as the chair filed it", "its core")
    yellow: str | None = entry(Name("yellow card"), "its yellow card", "none")
    extensions: int | None = entry(Whole(0, 99), "how often it was extended", "0")
    fresh: bool | None = entry(Flag(), "new in the round", "true where it was not extended")
    amendments: tuple[Amendment, ...] | None = entry(
        Listed(Part(Amendment)), "motions on it", "none"
    )
    carried: tuple[Amendment, ...] | None = entry(
        Listed(Part(Amendment)), "motions that changed it", "none"
    )


@dataclass(frozen=True, slots=True)
class Public:
    follows: ClassVar = (
        "bill_cards",
        "majority",
        "veto",
        "options",
        "sessions",
        "threshold",
        "scores",
        "red_left",
        "yellow_left",
        "returning",
        "hand_sizes",
        "balance",
        "deciding",
        "hands",
        "last_scores",
    )
    phase: str | None = entry(Word(*PHASES), "the phase, also as `phase`")
    order: tuple[Seat, ...] | None = entry(_SEATS, "round the table", "by lot")
    session: int = entry(Whole(1, 99), "number of the session", default=1)
    round: int | None = entry(Whole(1, 999), "number of the round", "1")
    first: Seat | None = entry(_SEAT, "the session's first chair", "by CHAIR")
    chair_order: tuple[Seat, ...] | None = entry(
        _SEATS, "instead of `first`: the chairs from there"
    )
    chair: Seat | None = entry(_SEAT, "the chair of the bill before the house")
    turns: tuple[Seat, ...] | None = entry(
        _SEATS, "chairs of the running round; DOCKET=SERIAL: the one chair", "by the docket"
    )
    queue: tuple[Seat, ...] | None = entry(
        _SEATS, "DOCKET=SERIAL: chairs still to come", "the rest"
    )
    again: tuple[Seat, ...] | None = entry(
        _SEATS, "chairs whose Crisis bill has passed this round", "none"
    )
    missed: tuple[Seat, ...] | None = entry(_SEATS, "chairs who filed nothing", "none")
    issues: tuple[str, ...] | None = entry(
        Listed(Name("issue")), "the issues in play", "those that cards name, and others by lot"
    )
    pool: tuple[str, ...] | None = entry(
        _CARDS, "instead of `issues`: the blue cards not in the law"
    )
    law: tuple[str, ...] | None = entry(_CARDS, "blue cards that are law", "none")
    docket: tuple[Bill, ...] | None = entry(Listed(Part(Bill)), "bills before the house", "none")
    bill: Bill | None = entry(Part(Bill), "instead of `docket`: the one bill")
    tokens: dict[Seat, int] | None = entry(_COUNTS, "the purses", "as the tables have it")
    terms: dict[Seat, int] | None = entry(_COUNTS, "elections won", "0")
    decided: int | None = entry(Whole(), "bills decided this session", "0")
    failed: int | None = entry(Whole(), "bills failed this session", "0")
    mixup: int = entry(Whole(), "bonuses held since a Treasury Mix-up", default=0)
    filed: int | None = entry(Whole(), "bills numbered this session", "the highest of the docket")
    laid: dict[Seat, dict[str, str]] | None = entry(
        Table(_SEAT, Table(_CARD, Word(FOR, AGAINST))), "how the tokens lie on cards", "none"
    )
    skip: tuple[Seat, ...] | None = entry(_SEATS, "who loses the next turn in the chair", "nobody")
    alive: tuple[Seat, ...] | None = entry(_SEATS, "who still plays", "everybody")
    teams: dict[str, tuple[Seat, ...]] | None = entry(
        Table(Text(20), Listed(_SEAT)), "teams or parties with their members", "by lot"
    )
    first_period: bool | None = entry(Flag(), "the first period of a session", "where it fits")
    streak: int | None = entry(Whole(), "BALANCED: bills in a row that did not pass", "0")
    balancing: bool | None = entry(Flag(), "BALANCED: this is a further round", "false")
    crises: dict[Seat, int] | None = entry(_COUNTS, "Crisis cards of the session by chair", "0")
    eye: dict[Seat, int] | None = entry(Table(_SEAT, _EYE), "Public Eye, in half points", "0")
    crown: dict[Seat, int] | None = entry(_COUNTS, "bills failed against a holder's Nay", "0")


@dataclass(frozen=True, slots=True)
class Private:
    follows: ClassVar = ("score", "satisfied", "team", "returns", "ledger")
    hand: tuple[str, ...] | None = entry(_CARDS, "the red cards", "dealt")
    eye: int | None = entry(_EYE, "Public Eye, in half points", "0")
    drawn: str | None = entry(
        Made(Either(_CARD, _CARDS), _one, _CARD.about),
        "the card drawn on re-election, still to be answered by a return",
        "none",
    )
    nextbill: tuple[str, ...] | None = entry(_CARDS, "the bill on file", "none")
    on_file: tuple[str, ...] | None = entry(_CARDS, "a bill from the file that stands now", "none")
    standing: str | None = entry(Word(*CHOICES, NONE), "the standing vote on file", NONE)
    ifs: str | None = entry(Text(), "votes with IF on file, as in an order", "none")
    crown: int | None = entry(Whole(), "bills failed against the holder's Nay", "0")
    tokens: int | None = entry(Whole(), "the purse, for VOTES=SECRET", "as public.tokens has it")
    team_cards: tuple[str, ...] | None = entry(_CARDS, "the red cards of the team", "dealt")
    last_score: Fraction | None = entry(Share(-999, 999), "the score at the last election", "none")
    terms: int | None = entry(Whole(), "elections won", "as public.terms has it")


@dataclass(frozen=True, slots=True)
class Decks:
    """The decks, top card last."""

    red: tuple[str, ...] | None = entry(_CARDS, "red cards", "shuffled", also="red_deck")
    yellow: tuple[str, ...] | None = entry(
        Listed(Name("yellow card")), "yellow cards", "shuffled", also="yellow_deck"
    )
    blue: tuple[str, ...] | None = entry(
        _CARDS, "blue cards, to draw the issues from", "shuffled", also="blue_deck"
    )


@dataclass(frozen=True, slots=True)
class Scenario:
    phase: str | None = entry(
        Word(*PHASES), "the phase to start in", "VOTE with a docket, else BILL"
    )
    public: Public = entry(Part(Public), "what everybody may know", default=Public())
    private: dict[Seat, Private] | None = entry(
        Table(_SEAT, Part(Private)), "what a player alone knows"
    )
    decks: Decks = entry(Part(Decks), "the decks, top card last", default=Decks())

    def drawn(self) -> dict[Seat, str]:
        """Return what re-elected players have just drawn."""
        return of_each(self.private, lambda own: own.drawn)

    def bills(self) -> tuple[Bill, ...]:
        return self.public.docket or ((self.public.bill,) if self.public.bill else ())

    def named_issues(self) -> tuple[str, ...]:
        piles = [self.public.law or (), self.decks.red or (), tuple(self.drawn().values())]
        for own in (self.private or {}).values():
            piles += [own.hand or (), own.team_cards or (), own.nextbill or (), own.on_file or ()]
        for bill in self.bills():
            piles += [bill.core, bill.added or (), bill.filed or bill.core]
        named = (cards.issue(card) for pile in piles for card in pile if card != cards.CROWN)
        return tuple(dict.fromkeys(named))


_FIGURE = Whole(0, 1000)

_SHARE = Listed(Whole(1, 100), least=2, most=2)


@dataclass(frozen=True, slots=True)
class Tables:
    tokens: int | None = entry(Whole(), "money tokens at the start")
    hand: int | None = entry(Whole(1, 40), "red cards of a player")
    team_hand: int | None = entry(Whole(0, 40), "red cards of a team, and of a player beside it")
    red_copies: int | None = entry(Whole(1, 99), "copies of each red card")
    fewest_issues: int | None = entry(Whole(1, 99), "issues at least")
    point_cost: int | None = entry(Whole(1, 1000), "tokens a point")
    void_cost: int | None = entry(_FIGURE, "tokens a void")
    bill_cards: int | None = entry(Whole(1, 20), "cards of a bill at least")
    majority: tuple[int, ...] | None = entry(
        _SHARE, "a bill passes with more Ayes than this share of Ayes and Nays, [1, 2] for a half"
    )
    veto: tuple[int, ...] | None = entry(
        _SHARE, "and with Threat of Veto with at least this share, [2, 3] for two thirds"
    )
    pay: int | None = entry(_FIGURE, "tokens for the winning side")
    term_pay: int | None = entry(_FIGURE, "tokens on re-election")
    crown_bills: int | None = entry(_FIGURE, "bills that fail (Loyalty to the Crown)")
    crisis_cards: int | None = entry(Whole(1, 40), "cards of a Crisis, at random")
    veto_bonus: int | None = entry(_FIGURE, "tokens more for the Ayes if it passes")
    nay_bonus: int | None = entry(_FIGURE, "tokens more for the Nays if it fails")
    issues: tuple[str, ...] | None = entry(
        Listed(Text(20), least=4, most=99, once=True), "the issues, in their order"
    )
    yellow: dict[str, str] | None = entry(Table(Text(40), Text()), "yellow cards and their effects")


def agree(tables: Mapping[str, Any]) -> None:
    """Raise ScenarioError if merged tables disagree."""
    for name in ("majority", "veto"):
        part, whole = tables[name]
        if part > whole:
            wrong(f"tables.{name}", f"{part} of {whole} is more than all")
    if tables["team_hand"] > tables["hand"]:
        wrong("tables.team_hand", f"{tables['team_hand']} is more than hand, {tables['hand']}")


def reading(scenario: Json, seats: Sequence[Seat], tables: Mapping[str, Any]) -> Scenario:
    yellow = {_letters(name): name for name in tables["yellow"]}
    names = {
        "seat": in_capitals(seats),
        "issue": in_capitals(tables["issues"]),
        "card": exact(cards.blue(tables["issues"])),
        "yellow card": Names(tuple(tables["yellow"]), lambda word: yellow.get(_letters(word))),
    }
    return read_whole(Scenario, scenario, names)


def _letters(name: str) -> str:
    return "".join(char for char in name.upper() if char.isalpha())
