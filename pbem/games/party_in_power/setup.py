"""The opening (1.12, 2.1, 2.2). A scenario's cards come first; the rest is dealt."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pbem.errors import OptionError
from pbem.games.frame import scenario as kinds
from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Event, Minutes
from pbem.games.frame.options import Options
from pbem.games.frame.ruleset import Outcome
from pbem.games.frame.scenario import At, Either, Made, Name, Part, Table, Text, Whole, entry, wrong
from pbem.games.party_in_power import state as s
from pbem.games.party_in_power.state import ISSUE_WORDS, PHASES, PIP, SUITS, Item, State, card_id
from pbem.games.party_in_power.steps import revealed

_EMPTY = ("", "null", "none")
_CARDS = {
    "grassroots card": "GLR",
    "card of the pool": "MTA",
    "minister": "M",
    "talent": "T",
    "action": "A",
    "constituency": "K",
}


def _named_phase(_: At, word: str) -> str | None:
    phase = word.upper().replace(" ", "")
    return phase if phase in PHASES[:-1] else None


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
_NOTHING = kinds.Nothing(*_EMPTY)
_CONSTITUENCY, _GRASSROOTS = Name("constituency"), Name("grassroots card")
_PLACE = kinds.or_nothing(_CONSTITUENCY, *_EMPTY)
_PLACES = kinds.Listed(_CONSTITUENCY, once=True)
_PHASE = Made(Text(40), _named_phase, ", ".join(PHASES[:-1]))
_ISSUE = kinds.or_nothing(
    Made(Text(20), lambda _, word: ISSUE_WORDS.get(word.upper()), "an issue of the game"), *_EMPTY
)
_ITEMS = Made(
    Either(kinds.Listed(Text(60)), Text(300, 0)),
    _items,
    'a list of cards, as ["L02", "R5a ON TAXATION"]',
)
_DECKS = ("talent", "action", "grassroots")


def _deck(sort: str) -> kinds.Kind[tuple[str, ...]]:
    return kinds.Listed(Name(sort), once=True)


_GRASSROOTS_CARDS = _deck("grassroots card")
_POOL = _deck("card of the pool")
_GAIN = Table(_PARTY, Whole(-9999, 9999))
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
        *("parties", "k", "of", "place", "next_place", "row_texts", "hands", "ministers_texts"),
        *("pool_size", "pool_texts", "actions_held", "seats_won", "deck_sizes", "discard_sizes"),
        *("drafts", "fast", "held_at_end"),
    )
    phase: str | None = entry(_PHASE, "the phase, also as `phase`")
    order: tuple[str, ...] | None = entry(
        kinds.Listed(_PARTY),
        "clockwise; the PIP need not be first in the list",
        "by registration number",
    )
    out: tuple[str, ...] = entry(kinds.Listed(_PARTY), "who has resigned", "nobody", default=())
    i: int | None = entry(Whole(1, 99), "number of the constituency in play", "by those decided")
    constituency: str | None = entry(_PLACE, "the card in play", "the next of its deck", also="con")
    issue: str | None = entry(_ISSUE, "the issue now contested", "the printed one")
    next: str | None = entry(_PLACE, "the card revealed ahead (SHARED=ON)", "the next of its deck")
    last: str | None = entry(_PLACE, "the constituency of the last count", "none")
    votes: dict[str, int | None] | None = entry(
        Table(_PARTY, Either(_NOTHING, Whole(-9999))), "its votes, for the disqualified", "none"
    )
    top: tuple[int, str] | None = entry(
        Either(kinds.Nothing(*_EMPTY, []), kinds.Pair(Whole(), kinds.Word(*SUITS, exact=True))),
        "the last override, Popularity and suit",
        "none",
    )
    top_owner: str | None = entry(kinds.or_nothing(_PARTY, *_EMPTY), "who made it", "nobody")
    row: tuple[str, ...] | None = entry(_GRASSROOTS_CARDS, "the cards of the row", "dealt")
    momentum: str | None = entry(
        kinds.or_nothing(_PARTY, *_EMPTY),
        "who has the Momentum Card",
        "the highest registration number",
    )
    won: dict[str, tuple[str, ...]] | None = entry(
        Table(_PARTY, _PLACES), "constituencies won", "none"
    )
    vacancies: tuple[str, ...] = entry(_PLACES, "constituencies nobody won", "none", default=())
    ncmp: dict[str, int] | None = entry(_FIGURES, "NCMPs", "0")
    bonus: dict[str, int] | None = entry(_GAIN, "Victory Points from cards", "0")
    points: dict[str, int] | None = entry(
        _GAIN, "instead of bonus: what seats and NCMPs do not explain is bonus"
    )
    ministers: tuple[str, ...] | None = entry(
        _deck("minister"), "Ministers in play, where the pool is dealt", "by lot"
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
    hand: tuple[str, ...] | None = entry(_GRASSROOTS_CARDS, "of the Opposition: its cards", "dealt")
    submitted: tuple[Item, ...] | None = entry(
        _ITEMS, "in the POLLING phases: what it contests with, no longer in the hand", "nothing"
    )
    plans: tuple[str, ...] = entry(
        kinds.Listed(Text()), "its orders for what may come", "none", default=()
    )


@dataclass(frozen=True, slots=True)
class Decks:
    """The decks, top card last. If a deck is listed, a card placed nowhere is out of the game."""

    talent: tuple[str, ...] | None = entry(_deck("talent"), "Talents", "the rest")
    talent_discard: tuple[str, ...] = entry(_deck("talent"), "discarded", "none", default=())
    action: tuple[str, ...] | None = entry(_deck("action"), "Action cards", "the rest")
    action_discard: tuple[str, ...] = entry(_deck("action"), "discarded", "none", default=())
    grassroots: tuple[str, ...] | None = entry(_GRASSROOTS_CARDS, "Grassroots", "the rest")
    grassroots_discard: tuple[str, ...] = entry(_GRASSROOTS_CARDS, "discarded", "none", default=())
    constituencies: tuple[str, ...] | None = entry(
        _PLACES, "those still to come", "the rest", also="constituency"
    )

    def listed(self, name: str) -> tuple[str, ...] | None:
        """Return a draw deck; None if not listed."""
        given: tuple[str, ...] | None = getattr(self, name)
        return given

    def discards(self) -> dict[str, tuple[str, ...]]:
        return {deck: getattr(self, f"{deck}_discard") for deck in _DECKS}


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
_BY_NUMBER = kinds.Pattern(_OPPOSITION, "a number from 1 to 9")
_TEXTS = kinds.Pattern(_PRINTED, 'a card as it is printed, as "S7m Dipper"')


@dataclass(frozen=True, slots=True)
class Copies:
    """A card with several copies."""

    copies: int = entry(Whole(0, 26), "how many there are", needed=True)
    text: str = entry(Text(), "its text", needed=True)


@dataclass(frozen=True, slots=True)
class PointsASeat:
    PIP: int | None = entry(Whole(0, 99), "by the PIP")
    OPPOSITION: int | None = entry(Whole(0, 99), "by an Opposition Party")


_OF_THREE = {letters: re.compile(f"[{letters}][0-9]{{2}}") for letters in ("M", "T", "GL", "K")}
_OF_TWO = {letter: re.compile(f"{letter}[0-9]") for letter in "AR"}
_PATTERNS = _OF_THREE | _OF_TWO


def _ids(letters: str) -> kinds.Pattern:
    return kinds.Pattern(_PATTERNS[letters], f"an id that begins with {letters[0]}")


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
        Table(Text(3, 3), kinds.Pattern(_NUMBERED, 'a number and a name, as "2 Lantern Party"')),
        "registration number and name",
    )
    ministers: dict[str, str] | None = entry(Table(_ids("M"), _TEXTS), "Ministers")
    talents: dict[str, str] | None = entry(Table(_ids("T"), _TEXTS), "Talents")
    grassroots: dict[str, str] | None = entry(Table(_ids("GL"), _TEXTS), "Grassroots and Leaders")
    actions: dict[str, Copies] | None = entry(Table(_ids("A"), Part(Copies)), "Action cards")
    reactions: dict[str, Copies] | None = entry(Table(_ids("R"), Part(Copies)), "Reactions")
    constituencies: dict[str, str] | None = entry(
        Table(_ids("K"), kinds.Pattern(_PLACE_PRINTED, 'a constituency, as "5H+8 Banyan Court"')),
        "constituencies",
    )


def agree(tables: Mapping[str, Any]) -> None:
    """Raise ScenarioError if merged tables disagree."""
    numbers = [name.split()[0] for name in tables["parties"].values()]
    if len(set(numbers)) < len(numbers):
        wrong("tables.parties", "two parties have the same registration number")


def reading(scenario: Json, cards: Mapping[str, str], seats: Sequence[str]) -> Scenario:
    names = {sort: _sort(cards, letters) for sort, letters in _CARDS.items()}
    names["party"] = kinds.in_capitals(seats)
    made = kinds.read_whole(Scenario, _with_nobody(scenario), names)
    for seat, own in (made.private or {}).items():
        if seat == PIP and (own.hand is not None or own.submitted is not None):
            key = "submitted" if own.hand is None else "hand"
            wrong(f"private.{seat}.{key}", f"is of the Opposition; the {PIP} has a pool")
        if seat != PIP and own.pool is not None:
            wrong(f"private.{seat}.pool", f"is the {PIP}'s; the Opposition has hand and submitted")
    return made


def _sort(cards: Mapping[str, str], letters: str) -> kinds.Names:
    ids = {id: id for id in cards if id[0] in letters}
    return kinds.Names(tuple(ids), lambda word: ids.get(card_id(word)))


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


def settings(options: Options, tables: Mapping[str, Any], k: int) -> s.Settings:
    """Resolve options for k Opposition Parties. Raise OptionError (1.12)."""
    for name in ("CONSTITUENCIES", "MINISTERS"):
        most = len(tables[name.lower()])
        if options[name] != "AUTO" and int(options[name]) > most:
            raise OptionError(f"option {name}: there are {most}, not {options[name]}")
    incumbency, drafts = options["INCUMBENCY"], options["DRAFT"]
    return s.Settings(
        constituencies=int(options["CONSTITUENCIES"]),
        shared=options["SHARED"] == "ON" and options["FAST"] == "OFF",
        fast=options["FAST"] == "ON",
        incumbency=int(tables["incumbency"][str(k)] if incumbency == "AUTO" else incumbency),
        drafts=int(tables["nomination_drafts"][str(k)] if drafts == "AUTO" else drafts),
        tie=str(options["TIE"]),
        open_pool=options["POOL"] == "OPEN",
        any_minister=options["MINORITY"] == "MINISTER",
        helper_votes=options["HELPERS"] == "VOTE",
        vacant=options["LAPSE"] == "VACANT",
        ncmps=tables["ncmps"],
        pip_points=tables["points_a_seat"]["PIP"],
        opposition_points=tables["points_a_seat"]["OPPOSITION"],
        most_hand=tables["most_hand"],
        most_talents=tables["most_talents"],
    )


def ministers_in_play(
    options: Options, tables: Mapping[str, Any], constituencies: int, dice: Dice
) -> tuple[str, ...]:
    """Return the seniors and Cabinet Ministers by lot: MINISTERS, AUTO ceil(10n/27) (1.4)."""
    listed = sorted(tables["ministers"])
    seniors, cabinet = listed[:3], listed[3:]
    number = -(-len(cabinet) * constituencies // len(tables["constituencies"]))
    if options["MINISTERS"] != "AUTO":
        number = int(options["MINISTERS"]) - len(seniors)
    drawn = dice.stream("ministers").shuffled(cabinet)[len(cabinet) - number :]
    return tuple(sorted([*seniors, *drawn]))


def start(
    seats: Sequence[str], options: Options, scenario: Json, tables: Mapping[str, Any], dice: Dice
) -> Outcome[State]:
    """Return position and events. Raise ScenarioError or OptionError naming the key."""
    cards, parties, k = s.printed(tables), tables["parties"], len(seats) - 1
    numbers = {code: int(parties[code].split()[0]) for code in seats}
    by_number = tuple(sorted(seats, key=lambda code: numbers[code]))
    told = reading(scenario, cards, by_number)
    public = told.public
    settled = settings(options, tables, k)
    phase = _phase(told, settled)
    stock = _Stock(told, cards, by_number, dice)
    i, con, ahead, places = _constituencies(told, settled, phase, stock)
    order = by_number if public.order is None else public.order
    momentum = _momentum(told, numbers)
    if sorted(order) != sorted(seats):
        wrong("public.order", f"name each of {', '.join(by_number)} once")
    in_play = ministers_in_play(options, tables, settled.constituencies, dice)
    dealt = _deal(stock, tables, in_play, order, momentum)
    dealt["decks"]["constituencies"] = places
    state = State(
        settings=settled,
        cards=cards,
        order=order,
        numbers=numbers,
        names={code: parties[code].partition(" ")[2] for code in seats},
        k=k,
        phase=phase,
        i=i,
        con=con,
        issue=public.issue or s.constituency("", cards[con]).issue,
        next=ahead,
        top=public.top,
        top_owner=public.top_owner or None,
        last=public.last or None,
        votes=public.votes or {},
        discards=told.decks.discards(),
        shuffles=dict.fromkeys(_DECKS, 1),
        submitted=_submitted(told, by_number, phase),
        momentum=momentum,
        won={seat: (public.won or {}).get(seat, ()) for seat in by_number},
        vacancies=public.vacancies,
        ncmp={seat: (public.ncmp or {}).get(seat, 0) for seat in by_number},
        bonus={seat: (public.bonus or {}).get(seat, 0) for seat in by_number},
        out=frozenset(public.out),
        plans={seat: own.plans for seat, own in (told.private or {}).items() if own.plans},
        **dealt,
    )
    if public.points is not None and public.bonus is None:  # what seats and NCMPs leave
        now = {seat: state.points(seat) for seat in by_number}
        bonus = {seat: public.points.get(seat, points) - points for seat, points in now.items()}
        state = replace(state, bonus=bonus)
    return Outcome(state, _opening(state, options))


def _phase(told: Scenario, settings: s.Settings) -> str:
    phase = told.public.phase or s.CAMPAIGN
    if phase == s.SHARED and not settings.shared:
        wrong("phase", f"{s.SHARED} needs SHARED=ON and FAST=OFF")
    if phase == s.POLLING and settings.fast:
        wrong("phase", f"with FAST=ON there is no {s.POLLING} period")
    return phase


def _momentum(told: Scenario, numbers: Mapping[str, int]) -> str | None:
    """2.1."""
    given, out = told.public.momentum, told.public.out
    if given is None:
        able = [code for code in numbers if code != s.PIP and code not in out]
        return max(able, key=numbers.__getitem__, default=None)
    if given == s.PIP or given in out:
        wrong("public.momentum", "only an Opposition Party in the game has the Momentum Card")
    return given or None


def _submitted(told: Scenario, seats: tuple[str, ...], phase: str) -> dict[str, tuple[s.Item, ...]]:
    named = {seat: told.submitted(seat) for seat in seats}
    contests = told.public.contests or {}
    given = {seat: items for seat, items in named.items() if items or seat in contests}
    if phase in (s.POLLING, s.SHARED):
        if not given:
            wrong("private", f"phase {phase} needs private.<party>.submitted of a contesting party")
        return given
    if given:
        wrong(f"private.{next(iter(given))}.submitted", f"nothing is submitted before {s.POLLING}")
    return {}


class _Stock:
    """Cards as placed, and the shuffled rest."""

    def __init__(
        self, told: Scenario, cards: Mapping[str, str], seats: tuple[str, ...], dice: Dice
    ) -> None:
        self.told, self.cards, self.seats, self.dice = told, cards, seats, dice

    def deck(self, name: str, taken: Collection[str]) -> tuple[str, ...]:
        """Return a deck, top last: as listed, else the shuffled rest."""
        listed = self.told.decks.listed(name)
        return tuple(self.spare(name, taken)) if listed is None else listed

    def spare(self, name: str, taken: Collection[str]) -> list[str]:
        mine = [id for id in self.cards if s.DECKS.get(id[0]) == name]
        stream = "constituencies" if name == "constituencies" else f"{name}/1"
        left = {*taken, *(self.told.decks.listed(name) or ())}
        return [id for id in self.dice.stream(stream).shuffled(mine) if id not in left]

    def pool(self) -> tuple[str, ...] | None:
        own = self.told.own(s.PIP).pool
        given = self.told.public.pool if own is None else own
        if isinstance(given, Pool):
            given = (*given.ministers, *given.candidates, *given.actions)
            if len(set(given)) < len(given):
                wrong(f"private.{s.PIP}.pool", "a card is listed twice")
        return given

    def hands(self) -> dict[str, tuple[str, ...]]:
        """Return given hands less cards submitted."""
        hands = {}
        for seat in self.seats:
            if (hand := self.told.own(seat).hand) is not None:
                gone = {item.card for item in self.told.submitted(seat)}
                hands[seat] = tuple(id for id in hand if id not in gone)
        return hands

    def claimed(self) -> frozenset[str]:
        """Return cards placed outside draw decks; refuse one placed twice."""
        told = self.told
        decks = [told.decks.listed(name) or () for name in _DECKS]
        places = [
            *self.hands().values(),
            told.public.row or (),
            self.pool() or (),
            *(tuple(item.card for item in told.submitted(seat)) for seat in self.seats),
            *told.decks.discards().values(),
            *decks,
        ]
        seen: set[str] = set()
        for ids in places:
            twice = seen & set(ids)
            if twice:
                wrong("private, public.row, decks", f"{min(twice)} is in two places")
            seen |= set(ids)
        return frozenset(seen - {id for ids in decks for id in ids})


def _constituencies(
    told: Scenario, settled: s.Settings, phase: str, stock: _Stock
) -> tuple[int, str, str | None, tuple[str, ...]]:
    public = told.public
    con, ahead = public.constituency or None, public.next or None
    won = [id for ids in (public.won or {}).values() for id in ids]
    decided = [*won, *public.vacancies]
    i = len(decided) + 1 if public.i is None else public.i
    deck = stock.deck("constituencies", {*decided, *filter(None, (con, ahead))})
    if told.decks.constituencies is None:
        left = settled.constituencies - (i - 1) - bool(con) - bool(ahead)
        deck = deck[len(deck) - max(0, left) :]
    if con is None:
        con, deck = _top(deck)
    if phase == s.SHARED and ahead is None:
        ahead, deck = _top(deck)
    return i, con, ahead, deck


def _deal(
    stock: _Stock,
    tables: Mapping[str, Any],
    ministers: Sequence[str],
    order: tuple[str, ...],
    momentum: str | None,
) -> dict[str, Any]:
    """2.1, 2.2. A listed draw deck stays; what is left of the others is out of the game."""
    public, claimed = stock.told.public, stock.claimed()
    spare = {deck: stock.spare(deck, claimed) for deck in _DECKS}

    def drawn(deck: str, number: int) -> tuple[str, ...]:
        return tuple(spare[deck].pop() for _ in range(min(number, len(spare[deck]))))

    pool, row, hands = stock.pool(), public.row, stock.hands()
    if pool is None:
        given = public.ministers
        pool = (*(ministers if given is None else given), *drawn("talent", tables["first_talents"]))
    at = order.index(momentum) if momentum else 0
    for seat in order[at:] + order[:at]:
        if seat != s.PIP and seat not in hands:
            hands[seat] = () if seat in public.out else drawn("grassroots", tables["first_hand"])
    if row is None:
        row = drawn("grassroots", 2 * (len(order) - 1))
    decks = {
        deck: tuple(ids) if (listed := stock.told.decks.listed(deck)) is None else listed
        for deck, ids in spare.items()
    }
    placed = {*claimed, *pool, *row}.union(*hands.values(), *decks.values())
    removed = tuple(id for id in stock.cards if id[0] != "K" and id not in placed)
    return {"decks": decks, "pool": pool, "hands": hands, "row": row, "removed": removed}


def _top(deck: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    if not deck:
        wrong("decks.constituencies", "no constituency is left to be revealed")
    return deck[-1], deck[:-1]


def _opening(state: State, options: Options) -> tuple[Event, ...]:
    minutes = Minutes()
    minutes.public(
        "seats",
        "1.3",
        order=list(state.order),
        names=dict(state.names),
        momentum=state.momentum,
        ministers=[state.spelt(id) for id in state.ministers()],
    )
    minutes.public("options", "1.12", options=dict(options))
    revealed(state, state.con, state.row, minutes)
    return tuple(minutes.events)
