"""The opening (1.5, 1.6, 2.1 to 2.3), or a scenario's position."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from pbem.games.frame import scenario as kinds
from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Minutes, Seat, seats_from
from pbem.games.frame.options import Options
from pbem.games.frame.scenario import At, Listed, Made, Part, Table, Text, Whole, entry, of_each
from pbem.games.frame.treasury import Accounts, Payment, opened, pay
from pbem.games.politics_1935.orders import items
from pbem.games.politics_1935.state import FUND, MOST, Atlas, Choices, Gone, Item, Lot, Pin, State
from pbem.games.politics_1935.steps import give_dice, open_round
from pbem.games.politics_1935.views import OPTIONS

T = TypeVar("T")


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


_SEAT, _CARD, _STATE = kinds.Name("seat"), kinds.Name("card"), kinds.Name("state")
_SEATS, _CARDS = Listed(_SEAT), Listed(_CARD)
_VOTES = Table(_SEAT, Whole())
_DICE = Listed(Whole(1, 6), least=3, most=3)
_WAVE = Made(
    kinds.Either(_SEAT, _SEATS),
    lambda _, told: (told,) if isinstance(told, str) else told,
    "a seat or a list of seats",
)
_PIN = Made(kinds.Pair(_SEAT, Whole(1, 99)), lambda _, told: Pin(*told), 'a pin, as ["P1", 3]')


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
        *("board_closed", "pinless", "leaders", "electoral_votes", "next_throws", "pack"),
        *("hand_sizes", "map", "places", "dealt"),
    )
    phase: str | None = entry(kinds.Word("ROUND", "TURN"), "the phase, also as `phase`")
    order: tuple[Seat, ...] | None = entry(_SEATS, "the order round the table", "thrown for")
    round: int = entry(Whole(1, 9999), "number of the round", default=1)
    turn: Seat | None = entry(_SEAT, "MODE=TURN: who has the dice", "the first")
    last_seat: Seat | None = entry(_SEAT, "the last seat living when the round opened", "the last")
    alive: tuple[Seat, ...] | None = entry(
        _SEATS, "who is left: the others are out, together", "by `out`"
    )
    out: tuple[tuple[Seat, ...], ...] = entry(
        Listed(_WAVE), "who is out, the seats of each elimination in order", "nobody", default=()
    )
    votes_out: dict[Seat, int] | None = entry(_VOTES, "the votes of those who are out", "0")
    fund: int | None = entry(Whole(), "the Expense Fund, dollars", "all entries")
    cash: dict[Seat, int] | None = entry(_VOTES, "the campaign funds, dollars", "less the entry")
    lots: tuple[Lot, ...] = entry(
        Listed(Made(kinds.Either(Part(ToldLot), kinds.Pair(_CARD, _SEAT)), _lot)),
        "cards up for bids now, in the order turned up",
        "none",
        default=(),
    )
    spoke: frozenset[Seat] = entry(
        Made(kinds.Either(_SEATS, Table(_SEAT, kinds.Flag())), _spoke),
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
            kinds.Either(
                Made(Text(2000, 0), _counties),
                Listed(Made(kinds.Either(Text(), kinds.Pair(_STATE, Whole(1, MOST))), _counties)),
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
    spoke: bool = entry(kinds.Flag(), "as public.spoke", default=False)
    plans: tuple[str, ...] = entry(Listed(Text()), "the bids for what may come", "none", default=())


@dataclass(frozen=True, slots=True)
class Decks:
    pack: tuple[str, ...] | None = entry(
        _CARDS, "top last; nothing else is in the pack then", "the rest, shuffled"
    )


@dataclass(frozen=True, slots=True)
class Scenario:
    phase: str | None = entry(
        kinds.Word("ROUND", "TURN"), "ROUND, with option MODE=TURN: TURN", "by MODE"
    )
    public: Public = entry(Part(Public), "what everybody may know", default=Public())
    private: dict[Seat, Private] | None = entry(
        Table(_SEAT, Part(Private)), "what a seat alone knows"
    )
    decks: Decks = entry(Part(Decks), "the pack", default=Decks())


_CODE = re.compile(r"[A-Z]{2}")
_CARD_KEY = re.compile(r"S[0-9]{2}")
_KEY = kinds.Pattern(_CARD_KEY, "the key of a card, as S05")


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
        kinds.Word("yellow", "blue", "red", "green", "pink", "purple", exact=True), "its colour"
    )
    cost: int | None = entry(Whole(1, 99), "dice points a county")
    lines: int | None = entry(Whole(1, 20), "county lines")


@dataclass(frozen=True, slots=True)
class SpeechRow:
    title: str | None = entry(Text(60), "its title")
    counties: tuple[tuple[str, int], ...] | None = entry(
        Listed(kinds.Pair(kinds.Pattern(_CODE, "the code of a state"), Whole(1, 20))),
        "states and counties",
    )


@dataclass(frozen=True, slots=True)
class Tables:
    majority: int | None = entry(Whole(1), "votes that elect")
    money: Money | None = entry(Part(Money), "dollars")
    cards: CardsRow | None = entry(Part(CardsRow), "the speech cards")
    states: dict[str, StateRow] | None = entry(
        Table(kinds.Pattern(_CODE, "the code of a state"), Part(StateRow)), "the states"
    )
    speeches: dict[str, SpeechRow] | None = entry(Table(_KEY, Part(SpeechRow)), "the speech cards")


def agree(tables: Mapping[str, Any]) -> None:
    """Raise ScenarioError if merged tables disagree."""
    for kind, row in (("states", StateRow), ("speeches", SpeechRow)):
        for key, given in tables[kind].items():
            if missing := sorted(set(row.__dataclass_fields__) - set(given)):
                kinds.wrong(f"tables.{kind}.{key}.{missing[0]}", "is missing")
    for key, speech in tables["speeches"].items():
        for code, _ in speech["counties"]:
            if code not in tables["states"]:
                kinds.wrong(f"tables.speeches.{key}.counties", f"{code!r} is none of tables.states")
    if tables["cards"]["inflation"] not in tables["speeches"]:
        kinds.wrong("tables.cards.inflation", f"{tables['cards']['inflation']!r} is no speech card")
    if tables["money"]["entry"] > tables["money"]["campaign_fund"]:
        kinds.wrong("tables.money.entry", "is more than campaign_fund")


def reading(scenario: Json, seats: Sequence[Seat], atlas: Atlas) -> Scenario:
    named = atlas.named()
    names = {
        "seat": kinds.exact(seats),
        "card": kinds.in_capitals(atlas.cards),
        "state": kinds.exact(atlas.states),
        "name of a state": kinds.Names(tuple(named), named.get),
    }
    return kinds.read_whole(Scenario, scenario, names)


def start(
    atlas: Atlas,
    seats: Sequence[Seat],
    options: Options,
    scenario: Json,
    dice: Dice,
    minutes: Minutes,
) -> State:
    choices = Choices.of(options)
    told = reading(scenario, seats, atlas)
    public, mode = told.public, "TURN" if choices.turns else "ROUND"
    if public.phase not in (None, mode):
        kinds.wrong("phase", f"{public.phase}; this game's phase is {mode} (option MODE)")
    order, played, out = public.order, _played(told, atlas), _out(public, seats)
    if order is not None and sorted(order) != sorted(seats):
        kinds.wrong("public.order", f"name each of {list(seats)} once")
    pins = _pins(public, atlas)
    placed = _agree(told, played, pins, {one.seat for one in out}, choices)
    throws: list[dict[str, list[int]]] = []
    if order is None:
        order, throws = seated(seats, dice)
    alive = [seat for seat in order if seat not in {gone.seat for gone in out}]
    if not alive:
        kinds.wrong("public.alive", "nobody is left in the game")
    pack, hands = dealt(atlas, seats, alive, told, placed, dice)
    lists = of_each(told.private, lambda own: own.standing)
    state = State(
        phase=mode,
        atlas=atlas,
        seats=tuple(seats),
        order=order,
        choices=choices,
        round=public.round,
        turn=None,
        last_seat=public.last_seat or alive[-1],
        throws={**(public.throws or {}), **of_each(told.private, lambda own: own.throw)},
        pins=pins,
        accounts=_accounts(atlas, seats, told, choices.fund),
        pack=pack,
        hands=hands,
        played={seat: played.get(seat, ()) for seat in seats},
        shown=of_each(told.private, lambda own: own.shown),
        lots=public.lots,
        spoke=frozenset({*public.spoke, *of_each(told.private, lambda own: own.spoke or None)}),
        lists={seat: lists.get(seat, ()) for seat in seats},
        out=out,
        counts=public.counts,
        counts_round=public.counts_round,
        shuffles=public.shuffles,
        last_count=public.last_count,
        winners=None,
        dealt=hands,
        plans=of_each(told.private, lambda own: own.plans or None),
    )
    minutes.public(
        "opening",
        "2.1",
        order=list(order),
        first=throws,
        fund=state.accounts.balance(FUND),
        scenario=bool(scenario),
        options={option.name: options[option.name] for option in OPTIONS},
    )
    for seat in alive:
        minutes.private("dealt", "2.2", [seat], cards=sorted(state.hands[seat]))
    if choices.turns:
        return give_dice(state, public.turn or alive[0], dice, minutes)
    return open_round(state, dice, minutes)


def _played(told: Scenario, atlas: Atlas) -> dict[Seat, tuple[str, ...]]:
    """Return each seat's spoken cards; the inflation speaker has that card too."""
    played = {**(told.public.played or {}), **of_each(told.private, lambda own: own.played)}
    speaker = told.public.inflation
    if speaker and atlas.inflation not in played.get(speaker, ()):
        played[speaker] = (*played.get(speaker, ()), atlas.inflation)
    return played


def _out(public: Public, seats: Sequence[Seat]) -> tuple[Gone, ...]:
    """Return those out: by ``out``'s eliminations, else all not ``alive``, else those of
    ``votes_out``."""
    votes, alive = public.votes_out or {}, public.alive
    waves = list(public.out)
    if alive is not None:
        waves += [tuple(s for s in seats if s not in alive and not any(s in w for w in waves))]
    elif not waves:
        waves = [tuple(votes)]
    named = [seat for wave in waves for seat in wave]
    if len(set(named)) < len(named):
        kinds.wrong("public.out", f"{named}; each seat once")
    filled = (wave for wave in waves if wave)
    return tuple(
        Gone(seat, votes.get(seat, 0), number)
        for number, wave in enumerate(filled, 1)
        for seat in wave
    )


def _pins(public: Public, atlas: Atlas) -> dict[str, tuple[Pin, ...]]:
    pins = {code: row for code, row in (public.pins or {}).items() if row}
    for code, row in pins.items():
        key, most = f"public.pins.{code}", atlas.states[code].capital
        for pin in row:
            if pin.level > most:
                kinds.wrong(key, f"level {pin.level} is beyond the capital ({most})")
            if [other.seat for other in row].count(pin.seat) > 1:
                kinds.wrong(key, f"{pin.seat} has two pins")
    return pins


def _agree(
    told: Scenario,
    played: Mapping[Seat, Sequence[str]],
    pins: Mapping[str, Sequence[Pin]],
    gone: set[Seat],
    choices: Choices,
) -> frozenset[str]:
    """Return the cards placed. Raise ScenarioError on conflict."""
    public, shown = told.public, of_each(told.private, lambda own: own.shown)
    if shown and choices.fund:
        kinds.wrong(f"private.{next(iter(shown))}.shown", "cards are shown with FUND=OFF only")
    if public.turn in gone:
        kinds.wrong("public.turn", f"{public.turn} is out")
    if public.turn is not None and not choices.turns:
        kinds.wrong("public.turn", "nobody alone has the dice with MODE=ROUND")
    for state, row in pins.items():
        if gone & {pin.seat for pin in row}:
            kinds.wrong(f"public.pins.{state}", "a seat that is out has no pins")
    hands = of_each(told.private, lambda own: own.hand)
    held = [card for row in (*hands.values(), *played.values()) for card in row]
    lots = [lot.card for lot in public.lots]
    cards = [*(told.decks.pack or ()), *held, *shown.values(), *lots]
    twice = sorted({card for card in cards if cards.count(card) > 1})
    if twice:
        kinds.wrong("decks, hand, played, shown, lots", f"{', '.join(twice)} lies in two places")
    return frozenset(cards)


def _accounts(atlas: Atlas, seats: Sequence[Seat], told: Scenario, used: bool) -> Accounts:
    """2.3, 6.1. All 0 with FUND=OFF."""
    if not used:
        return opened({**dict.fromkeys(seats, 0), FUND: 0})
    entries = [Payment(0, seat, FUND, atlas.entry, "entry") for seat in seats]
    paid = pay(opened(dict.fromkeys(seats, atlas.campaign_fund)), entries)
    fund = told.public.fund
    cash = {**(told.public.cash or {}), **of_each(told.private, lambda own: own.cash)}
    if fund is None and not cash:
        return paid
    balances = {seat: cash.get(seat, paid.balance(seat)) for seat in seats}
    return opened({**balances, FUND: paid.balance(FUND) if fund is None else fund})


def seated(
    seats: Sequence[Seat], dice: Dice
) -> tuple[tuple[Seat, ...], list[dict[str, list[int]]]]:
    """Return table order and throws (2.1): the highest starts, ties throw again, joining order
    follows."""
    throws: list[dict[str, list[int]]] = []
    tied = list(seats)
    while len(tied) > 1:
        stream = dice.stream(f"first/{len(throws) + 1}")
        throws.append({seat: [stream.d6(), stream.d6(), stream.d6()] for seat in tied})
        best = max(sum(throw) for throw in throws[-1].values())
        tied = [seat for seat in tied if sum(throws[-1][seat]) == best]
    return seats_from(seats, tied[0]), throws


def dealt(
    atlas: Atlas,
    seats: Sequence[Seat],
    alive: Sequence[Seat],
    told: Scenario,
    placed: frozenset[str],
    dice: Dice,
) -> tuple[tuple[str, ...], dict[Seat, tuple[str, ...]]]:
    """Deal three cards one by one to seats without a given hand (2.2). A given pack stays unless
    nothing else is left. Return the pack, top last, and the hands."""
    named, given = told.decks.pack or (), of_each(told.private, lambda own: own.hand)
    rest = [card for card in dice.stream("pack").shuffled(list(atlas.cards)) if card not in placed]
    pool, hands = [*named, *rest], {seat: given.get(seat, ()) for seat in seats}
    receiving = [seat for seat in seats if seat in alive and seat not in given]
    for _ in range(atlas.dealt):
        for seat in receiving:
            if not pool:
                kinds.wrong("decks.pack", "too few cards are left to deal the hands")
            hands[seat] = (*hands[seat], pool.pop())
    return tuple(one for one in pool if told.decks.pack is None or one in named), hands
