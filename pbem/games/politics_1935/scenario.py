"""Scenario fields of Politics, with the names and shapes of the views."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from pbem.games.frame.codec import Json
from pbem.games.frame.events import Seat
from pbem.games.frame.scenario import (
    At,
    Either,
    Flag,
    Listed,
    Made,
    Name,
    Names,
    Pair,
    Part,
    Pattern,
    Table,
    Text,
    Whole,
    Word,
    entry,
    exact,
    in_capitals,
    read_whole,
    wrong,
)
from pbem.games.politics_1935.orders import items
from pbem.games.politics_1935.state import MOST, Atlas, Item, Lot, Pin

T = TypeVar("T")


def _wave(_: At, told: Seat | tuple[Seat, ...]) -> tuple[Seat, ...]:
    return (told,) if isinstance(told, str) else told


def _spoke(_: At, told: tuple[Seat, ...] | dict[Seat, bool]) -> frozenset[Seat]:
    """Also {seat: true or false}."""
    return frozenset(told if isinstance(told, tuple) else (s for s, spoke in told.items() if spoke))


def _counties(at: At, told: str | tuple[str, int]) -> tuple[Item, ...]:
    """Read ["NV", 2] or "NV 2, AZ"."""
    if not isinstance(told, str):
        return (Item(*told),)
    if told.strip().upper() in ("", "NONE"):
        return ()
    named = at.names["name of a state"]
    codes = {name: named.find(name) or name for name in named.listed}
    words = told.replace(",", " ").split()
    read = tuple(items(words, lambda name: codes.get(name.upper())))
    for item in read:
        if item.state not in at.names["state"].listed or not 1 <= item.count <= MOST:
            at.wrong(told, f"one to {MOST} counties of each state, as {item} is not,")
    return read


def _together(_: At, told: tuple[Item, ...] | tuple[tuple[Item, ...], ...]) -> tuple[Item, ...]:
    return tuple(one for item in told for one in ((item,) if isinstance(item, Item) else item))


_SEAT, _CARD, _STATE = Name("seat"), Name("card"), Name("state")
_SEATS, _CARDS = Listed(_SEAT), Listed(_CARD)
_VOTES = Table(_SEAT, Whole())
_DICE = Listed(Whole(1, 6), least=3, most=3)
_PIN = Made(Pair(_SEAT, Whole(1, 99)), lambda _, told: Pin(*told), 'a pin, as ["P1", 3]')


@dataclass(frozen=True, slots=True)
class ToldLot:
    """A card up for bids."""

    follows: ClassVar = ("title", "counties")
    card: str = entry(_CARD, "the card", needed=True)
    thrower: Seat = entry(_SEAT, "whose throw turned it up", needed=True)


def _lot(_: At, told: ToldLot | tuple[str, Seat]) -> Lot:
    return Lot(told.card, told.thrower) if isinstance(told, ToldLot) else Lot(*told)


@dataclass(frozen=True, slots=True)
class Public:
    follows: ClassVar = (
        "board_closed",
        "pinless",
        "leaders",
        "electoral_votes",
        "next_throws",
        "pack",
        "hand_sizes",
        "map",
        "places",
        "dealt",
    )
    phase: str | None = entry(Word("ROUND", "TURN"), "the phase, also as `phase`")
    order: tuple[Seat, ...] | None = entry(_SEATS, "the order round the table", "thrown for")
    round: int = entry(Whole(1, 9999), "number of the round", default=1)
    turn: Seat | None = entry(_SEAT, "MODE=TURN: who has the dice", "the first")
    last_seat: Seat | None = entry(_SEAT, "the last seat living when the round opened", "the last")
    alive: tuple[Seat, ...] | None = entry(
        _SEATS, "who is left: the others are out, together", "by `out`"
    )
    out: tuple[tuple[Seat, ...], ...] = entry(
        Listed(Made(Either(_SEAT, _SEATS), _wave, "a seat or a list of seats")),
        "who is out, the seats of each elimination in order",
        "nobody",
        default=(),
    )
    votes_out: dict[Seat, int] | None = entry(_VOTES, "the votes of those who are out", "0")
    fund: int | None = entry(Whole(), "the Expense Fund, dollars", "all entries")
    cash: dict[Seat, int] | None = entry(_VOTES, "the campaign funds, dollars", "less the entry")
    lots: tuple[Lot, ...] = entry(
        Listed(Made(Either(Part(ToldLot), Pair(_CARD, _SEAT)), _lot)),
        "cards up for bids now, in the order turned up",
        "none",
        default=(),
    )
    spoke: frozenset[Seat] = entry(
        Made(Either(_SEATS, Table(_SEAT, Flag())), _spoke),
        "who has spoken since their own last throw",
        "nobody",
        default=frozenset(),
    )
    counts: int = entry(Whole(), "tabulations so far (FIRST_CUT looks at the first)", default=0)
    counts_round: int = entry(Whole(), "tabulations of this round (TAB_LIMIT)", default=0)
    shuffles: int = entry(
        Whole(), "eliminations so far; names the stream of the next shuffle", default=0
    )
    last_count: dict[Seat, int] | None = entry(_VOTES, "votes at the last count", "none was")
    inflation: Seat | None = entry(_SEAT, "who spoke for inflation", "nobody")
    throws: dict[Seat, tuple[int, ...]] | None = entry(
        Table(_SEAT, _DICE), "as private.SEAT.throw, where throws are open", also="throw"
    )
    pins: dict[str, tuple[Pin, ...]] | None = entry(
        Table(_STATE, Listed(_PIN)),
        "[seat, level] in order of arrival; a level beyond the lines is the capital",
        "none",
    )
    played: dict[Seat, tuple[str, ...]] | None = entry(
        Table(_SEAT, _CARDS), "the cards of speeches made", "none"
    )


@dataclass(frozen=True, slots=True)
class Private:
    follows: ClassVar = ("total", "pair", "cards", "led", "trails", "money", "first_speech")
    hand: tuple[str, ...] | None = entry(_CARDS, "the cards", "dealt")
    throw: tuple[int, ...] | None = entry(_DICE, "the throw, as [6, 5, 4]", "thrown")
    standing: tuple[Item, ...] | None = entry(
        Made(
            Either(
                Made(Text(2000, 0), _counties),
                Listed(Made(Either(Text(), Pair(_STATE, Whole(1, MOST))), _counties)),
            ),
            _together,
            'a list of counties, as [["NV", 2], ["AZ", 1]] or "NV 2, AZ"',
        ),
        "the list on file",
        "none",
    )
    shown: str | None = entry(_CARD, "FUND=OFF: the card shown to this seat", "none")
    cash: int | None = entry(Whole(), "dollars, for HOLDINGS=SECRET", "as public.cash has it")
    played: tuple[str, ...] | None = entry(_CARDS, "as public.played")
    spoke: bool = entry(Flag(), "as public.spoke", default=False)
    plans: tuple[str, ...] = entry(Listed(Text()), "the bids for what may come", "none", default=())


@dataclass(frozen=True, slots=True)
class Decks:
    pack: tuple[str, ...] | None = entry(
        _CARDS, "top last; nothing else is in the pack then", "the rest, shuffled"
    )


@dataclass(frozen=True, slots=True)
class Scenario:
    phase: str | None = entry(
        Word("ROUND", "TURN"), "ROUND, with option MODE=TURN: TURN", "by MODE"
    )
    public: Public = entry(Part(Public), "what everybody may know", default=Public())
    private: dict[Seat, Private] | None = entry(
        Table(_SEAT, Part(Private)), "what a seat alone knows"
    )
    decks: Decks = entry(Part(Decks), "the pack", default=Decks())


_CODE = re.compile(r"[A-Z]{2}")
_CARD_KEY = re.compile(r"S[0-9]{2}")
_KEY = Pattern(_CARD_KEY, "the key of a card, as S05")


@dataclass(frozen=True, slots=True)
class Money:
    """Amounts in dollars."""

    campaign_fund: int | None = entry(Whole(), "each player's at the start")
    radio_fee: int | None = entry(Whole(), "for each speech")
    unit: int | None = entry(Whole(1), "the smallest note")
    entry: int | None = entry(Whole(), "into the Expense Fund at the start")


@dataclass(frozen=True, slots=True)
class CardsRow:
    dealt: int | None = entry(Whole(0, 99), "cards dealt to each player")
    inflation: str | None = entry(_KEY, "the card that speaks for inflation")


@dataclass(frozen=True, slots=True)
class StateRow:
    name: str | None = entry(Text(40), "its name")
    votes: int | None = entry(Whole(0, 999), "electors")
    colour: str | None = entry(
        Word("yellow", "blue", "red", "green", "pink", "purple", exact=True), "its colour"
    )
    cost: int | None = entry(Whole(1, 99), "dice points a county")
    lines: int | None = entry(Whole(1, 20), "county lines")


@dataclass(frozen=True, slots=True)
class SpeechRow:
    title: str | None = entry(Text(60), "its title")
    counties: tuple[tuple[str, int], ...] | None = entry(
        Listed(Pair(Pattern(_CODE, "the code of a state"), Whole(1, 20))), "states and counties"
    )


@dataclass(frozen=True, slots=True)
class Tables:
    majority: int | None = entry(Whole(1), "votes that elect")
    money: Money | None = entry(Part(Money), "dollars")
    cards: CardsRow | None = entry(Part(CardsRow), "the speech cards")
    states: dict[str, StateRow] | None = entry(
        Table(Pattern(_CODE, "the code of a state"), Part(StateRow)), "the states"
    )
    speeches: dict[str, SpeechRow] | None = entry(Table(_KEY, Part(SpeechRow)), "the speech cards")


def agree(tables: Mapping[str, Any]) -> None:
    """Raise ScenarioError if merged tables disagree."""
    for kind, row in (("states", StateRow), ("speeches", SpeechRow)):
        for key, given in tables[kind].items():
            if missing := sorted(set(row.__dataclass_fields__) - set(given)):
                wrong(f"tables.{kind}.{key}.{missing[0]}", "is missing")
    for key, speech in tables["speeches"].items():
        for code, _ in speech["counties"]:
            if code not in tables["states"]:
                wrong(f"tables.speeches.{key}.counties", f"{code!r} is none of tables.states")
    if tables["cards"]["inflation"] not in tables["speeches"]:
        wrong("tables.cards.inflation", f"{tables['cards']['inflation']!r} is no speech card")
    if tables["money"]["entry"] > tables["money"]["campaign_fund"]:
        wrong("tables.money.entry", "is more than campaign_fund")


def reading(scenario: Json, seats: Sequence[Seat], atlas: Atlas) -> Scenario:
    named = atlas.named()
    names = {
        "seat": exact(seats),
        "card": in_capitals(atlas.cards),
        "state": exact(atlas.states),
        "name of a state": Names(tuple(named), named.get),
    }
    return read_whole(Scenario, scenario, names)
