"""Scenario fields of Party In Power, with the names and shapes of the views."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pbem.games.frame.codec import Json
from pbem.games.frame.scenario import (
    At,
    Either,
    Kind,
    Listed,
    Made,
    Name,
    Names,
    Nothing,
    Pair,
    Part,
    Pattern,
    Table,
    Text,
    Whole,
    Word,
    entry,
    in_capitals,
    or_nothing,
    read_whole,
    wrong,
)
from pbem.games.party_in_power.state import ISSUE_WORDS, PHASES, PIP, SUITS, Item, card_id

_EMPTY = ("", "null", "none")
_CARDS = {
    "grassroots card": "GLR",
    "card of the pool": "MTA",
    "minister": "M",
    "talent": "T",
    "action": "A",
    "constituency": "K",
}


def _phase(_: At, word: str) -> str | None:
    phase = word.upper().replace(" ", "")
    return phase if phase in PHASES[:-1] else None


def _issue(_: At, word: str) -> str | None:
    return ISSUE_WORDS.get(word.upper())


def _items(at: At, listed: tuple[str, ...] | str) -> tuple[Item, ...]:
    """Read ["L02", "R5a ON TAXATION"]."""
    text = listed if isinstance(listed, str) else " ".join(listed)
    words, items = text.upper().replace(",", " ").split(), list[Item]()
    while words:
        id, issue = _GRASSROOTS.read(at, words.pop(0)), ""
        if words[:1] == ["ON"]:
            if words[1:2] == [] or words[1] not in ISSUE_WORDS:
                at.wrong(" ".join([id, *words[:2]]), f"an issue behind {id} ON")
            issue, words = ISSUE_WORDS[words[1]], words[2:]
        items.append(Item(id, issue))
    return tuple(items)


_PARTY = Name("party")
_NOTHING = Nothing(*_EMPTY)
_CONSTITUENCY, _GRASSROOTS = Name("constituency"), Name("grassroots card")
_PLACE = or_nothing(_CONSTITUENCY, *_EMPTY)
_PLACES = Listed(_CONSTITUENCY, once=True)
_PHASE = Made(Text(40), _phase, ", ".join(PHASES[:-1]))
_ISSUE = or_nothing(Made(Text(20), _issue, "an issue of the game"), *_EMPTY)
_ITEMS = Made(
    Either(Listed(Text(60)), Text(300, 0)), _items, 'a list of cards, as ["L02", "R5a ON TAXATION"]'
)
_POOL = Listed(Name("card of the pool"), once=True)
_FIGURES = Table(_PARTY, Whole())


@dataclass(frozen=True, slots=True)
class Pool:
    """The PIP's cards."""

    ministers: tuple[str, ...] = entry(_POOL, "Ministers", "none", default=())
    candidates: tuple[str, ...] = entry(_POOL, "Talents", "none", default=())
    actions: tuple[str, ...] = entry(_POOL, "Action cards", "none", default=())


_OF_POOL = Either(_NOTHING, Either(Part(Pool), _POOL))


@dataclass(frozen=True, slots=True)
class Public:
    follows: ClassVar = (
        "parties",
        "k",
        "of",
        "place",
        "next_place",
        "row_texts",
        "hands",
        "ministers_texts",
        "pool_size",
        "pool_texts",
        "actions_held",
        "seats_won",
        "deck_sizes",
        "discard_sizes",
        "drafts",
        "fast",
        "held_at_end",
    )
    phase: str | None = entry(_PHASE, "the phase, also as `phase`")
    order: tuple[str, ...] | None = entry(
        Listed(_PARTY), "clockwise; the PIP need not be first in the list", "by registration number"
    )
    out: tuple[str, ...] = entry(Listed(_PARTY), "who has resigned", "nobody", default=())
    i: int | None = entry(Whole(1, 99), "number of the constituency in play", "by those decided")
    constituency: str | None = entry(_PLACE, "the card in play", "the next of its deck", also="con")
    issue: str | None = entry(_ISSUE, "the issue now contested", "the printed one")
    next: str | None = entry(_PLACE, "the card revealed ahead (SHARED=ON)", "the next of its deck")
    last: str | None = entry(_PLACE, "the constituency of the last count", "none")
    votes: dict[str, int | None] | None = entry(
        Table(_PARTY, Either(_NOTHING, Whole(-9999))), "its votes, for the disqualified", "none"
    )
    top: tuple[int, str] | None = entry(
        Either(Nothing(*_EMPTY, []), Pair(Whole(), Word(*SUITS, exact=True))),
        "the last override, Popularity and suit",
        "none",
    )
    top_owner: str | None = entry(or_nothing(_PARTY, *_EMPTY), "who made it", "nobody")
    row: tuple[str, ...] | None = entry(
        Listed(_GRASSROOTS, once=True), "the cards of the row", "dealt"
    )
    momentum: str | None = entry(
        or_nothing(_PARTY, *_EMPTY), "who has the Momentum Card", "the highest registration number"
    )
    won: dict[str, tuple[str, ...]] | None = entry(
        Table(_PARTY, _PLACES), "constituencies won", "none"
    )
    vacancies: tuple[str, ...] = entry(_PLACES, "constituencies nobody won", "none", default=())
    ncmp: dict[str, int] | None = entry(_FIGURES, "NCMPs", "0")
    bonus: dict[str, int] | None = entry(
        Table(_PARTY, Whole(-9999, 9999)), "Victory Points from cards", "0"
    )
    points: dict[str, int] | None = entry(
        Table(_PARTY, Whole(-9999, 9999)),
        "instead of bonus: what seats and NCMPs do not explain is bonus",
    )
    ministers: tuple[str, ...] | None = entry(
        Listed(Name("minister"), once=True), "Ministers in play, where the pool is dealt", "by lot"
    )
    pool: Pool | tuple[str, ...] | None = entry(_OF_POOL, "the PIP's cards, for POOL=OPEN")
    submitted: dict[str, tuple[Item, ...]] | None = entry(
        Table(_PARTY, _ITEMS), "as private.PARTY.submitted"
    )
    contests: dict[str, int] | None = entry(
        _FIGURES, "in the POLLING phases: who contests, and how many cards"
    )


@dataclass(frozen=True, slots=True)
class Private:
    follows: ClassVar = ("texts", "submitted_texts")
    pool: Pool | tuple[str, ...] | None = entry(_OF_POOL, "of the PIP: its cards", "dealt")
    hand: tuple[str, ...] | None = entry(
        Listed(_GRASSROOTS, once=True), "of the Opposition: its cards", "dealt"
    )
    submitted: tuple[Item, ...] | None = entry(
        _ITEMS, "in the POLLING phases: what it contests with, no longer in the hand", "nothing"
    )
    plans: tuple[str, ...] = entry(
        Listed(Text()), "its orders for what may come", "none", default=()
    )


def _deck(sort: str) -> Kind[tuple[str, ...]]:
    return Listed(Name(sort), once=True)


@dataclass(frozen=True, slots=True)
class Decks:
    """The decks, top card last. If a deck is listed, a card placed nowhere is out of the game."""

    talent: tuple[str, ...] | None = entry(_deck("talent"), "Talents", "the rest")
    talent_discard: tuple[str, ...] = entry(_deck("talent"), "discarded", "none", default=())
    action: tuple[str, ...] | None = entry(_deck("action"), "Action cards", "the rest")
    action_discard: tuple[str, ...] = entry(_deck("action"), "discarded", "none", default=())
    grassroots: tuple[str, ...] | None = entry(_deck("grassroots card"), "Grassroots", "the rest")
    grassroots_discard: tuple[str, ...] = entry(
        _deck("grassroots card"), "discarded", "none", default=()
    )
    constituencies: tuple[str, ...] | None = entry(
        _PLACES, "those still to come", "the rest", also="constituency"
    )

    def listed(self, name: str) -> tuple[str, ...] | None:
        """Return a draw deck; None if not listed."""
        decks = {
            "talent": self.talent,
            "action": self.action,
            "grassroots": self.grassroots,
            "constituencies": self.constituencies,
        }
        return decks[name]

    def discards(self) -> dict[str, tuple[str, ...]]:
        return {
            "talent": self.talent_discard,
            "action": self.action_discard,
            "grassroots": self.grassroots_discard,
        }


@dataclass(frozen=True, slots=True)
class Scenario:
    phase: str | None = entry(_PHASE, "the phase to start in", "CAMPAIGN")
    public: Public = entry(Part(Public), "what everybody may know", default=Public())
    private: dict[str, Private] | None = entry(
        Table(_PARTY, Part(Private)), "what a party alone knows"
    )
    decks: Decks = entry(Part(Decks), "the decks, top card last", default=Decks())

    def own(self, seat: str) -> Private:
        return (self.private or {}).get(seat) or Private()

    def submitted(self, seat: str) -> tuple[Item, ...]:
        said = self.own(seat).submitted
        return (self.public.submitted or {}).get(seat, ()) if said is None else said


_PRINTED = re.compile(r"[SHDC][0-9]{1,3}m? .{1,60}")
_PLACE_PRINTED = re.compile(r"[1-9][SHDC][+-][0-9]{1,3} .{1,60}")
_NUMBERED = re.compile(r"[0-9]{1,3} .{1,60}")
_OPPOSITION = re.compile(r"[1-9]")
_BY_NUMBER = Pattern(_OPPOSITION, "a number from 1 to 9")
_TEXTS = Pattern(_PRINTED, 'a card as it is printed, as "S7m Dipper"')


@dataclass(frozen=True, slots=True)
class Copies:
    """A card with several copies."""

    copies: int = entry(Whole(0, 26), "how many there are", needed=True)
    text: str = entry(Text(), "its text", needed=True)


@dataclass(frozen=True, slots=True)
class PointsASeat:
    PIP: int | None = entry(Whole(0, 99), "by the PIP")
    OPPOSITION: int | None = entry(Whole(0, 99), "by an Opposition Party")


def _ids(letters: str) -> Pattern:
    known = {"M": _M, "T": _T, "GL": _GL, "K": _K, "A": _A, "R": _R}
    return Pattern(known[letters], f"an id that begins with {letters[0]}")


_M, _T, _GL, _K = (re.compile(f"[{letter}][0-9]{{2}}") for letter in ("M", "T", "GL", "K"))
_A, _R = re.compile(r"A[0-9]"), re.compile(r"R[0-9]")


@dataclass(frozen=True, slots=True)
class Tables:
    nomination_drafts: dict[str, int] | None = entry(
        Table(_BY_NUMBER, Whole(0, 99)), "DRAFT=AUTO by the number of Opposition Parties"
    )
    incumbency: dict[str, int] | None = entry(
        Table(_BY_NUMBER, Whole(-99, 99)), "INCUMBENCY=AUTO by the number of Opposition Parties"
    )
    ncmps: dict[str, int] | None = entry(Table(_BY_NUMBER, Whole(0, 99)), "NCMPs by seats")
    points_a_seat: PointsASeat | None = entry(Part(PointsASeat), "Victory Points for a seat won")
    first_talents: int | None = entry(Whole(0, 99), "non-Ministers dealt to the pool")
    first_hand: int | None = entry(Whole(0, 99), "cards dealt to a hand")
    most_hand: int | None = entry(Whole(1, 99), "cards in a hand")
    most_talents: int | None = entry(Whole(1, 99), "non-Ministers in the pool")
    parties: dict[str, str] | None = entry(
        Table(Text(3, 3), Pattern(_NUMBERED, 'a number and a name, as "2 Lantern Party"')),
        "registration number and name",
    )
    ministers: dict[str, str] | None = entry(Table(_ids("M"), _TEXTS), "Ministers")
    talents: dict[str, str] | None = entry(Table(_ids("T"), _TEXTS), "Talents")
    grassroots: dict[str, str] | None = entry(Table(_ids("GL"), _TEXTS), "Grassroots and Leaders")
    actions: dict[str, Copies] | None = entry(Table(_ids("A"), Part(Copies)), "Action cards")
    reactions: dict[str, Copies] | None = entry(Table(_ids("R"), Part(Copies)), "Reactions")
    constituencies: dict[str, str] | None = entry(
        Table(_ids("K"), Pattern(_PLACE_PRINTED, 'a constituency, as "5H+8 Banyan Court"')),
        "constituencies",
    )


def agree(tables: Mapping[str, Any]) -> None:
    """Raise ScenarioError if merged tables disagree."""
    numbers = [name.split()[0] for name in tables["parties"].values()]
    if len(set(numbers)) < len(numbers):
        wrong("tables.parties", "two parties have the same registration number")


def reading(scenario: Json, cards: Mapping[str, str], seats: Sequence[str]) -> Scenario:
    names = {sort: _sort(cards, letters) for sort, letters in _CARDS.items()}
    names["party"] = in_capitals(seats)
    made = read_whole(Scenario, _with_nobody(scenario), names)
    for seat, own in (made.private or {}).items():
        if seat == PIP and (own.hand is not None or own.submitted is not None):
            key = "submitted" if own.hand is None else "hand"
            wrong(f"private.{seat}.{key}", f"is of the Opposition; the {PIP} has a pool")
        if seat != PIP and own.pool is not None:
            wrong(f"private.{seat}.pool", f"is the {PIP}'s; the Opposition has hand and submitted")
    return made


def _sort(cards: Mapping[str, str], letters: str) -> Names:
    ids = {id: id for id in cards if id[0] in letters}
    return Names(tuple(ids), lambda word: ids.get(card_id(word)))


def _with_nobody(scenario: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give a view's null as "null": Momentum with nobody, votes of the disqualified."""
    public = scenario.get("public")
    if not isinstance(public, Mapping):
        return scenario
    told = dict(public)
    if "momentum" in told and told["momentum"] is None:
        told["momentum"] = _EMPTY[1]
    if isinstance(told.get("votes"), Mapping):
        told["votes"] = {s: _EMPTY[1] if n is None else n for s, n in told["votes"].items()}
    return {**scenario, "public": told}
