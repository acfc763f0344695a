"""The set-up (§2), with a scenario's replacements."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

from pbem.games.frame import scenario as kinds
from pbem.games.frame import treasury
from pbem.games.frame.codec import Json
from pbem.games.frame.conditions import from_text
from pbem.games.frame.events import Seat
from pbem.games.frame.options import Options
from pbem.games.frame.scenario import Flag, Listed, Part, Table, Text, Whole, entry, of_each, wrong
from pbem.games.legislation import cards, figures
from pbem.games.legislation import state as s
from pbem.games.legislation.orders import ADD, AGAINST, CHOICES, FOR, NONE, REMOVE
from pbem.games.legislation.state import PHASES, State
from pbem.games.legislation.steps import session
from pbem.orders.language import Language
from pbem.orders.spelling import is_number

T = TypeVar("T")
_SIGNS = str.maketrans({"\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2212": "-"})


def _card(at: kinds.At, text: str) -> str | None:
    word = text.translate(_SIGNS).upper().replace("PLUS", "+").replace("MINUS", "-")
    word = word.replace(" ", "")
    known = word[-1:] in ("+", "-") and word[:-1] in at.names["issue"].listed
    return word if known or word == cards.CROWN else None


def _first_card(_: kinds.At, told: str | tuple[str, ...]) -> str | None:
    return told if isinstance(told, str) else next(iter(told), None)


def _named(_: kinds.At, seats: tuple[Seat, ...] | dict[Seat, bool]) -> tuple[Seat, ...]:
    """Also { P1 = true }."""
    return seats if isinstance(seats, tuple) else tuple(s for s, named in seats.items() if named)


_SEAT = kinds.Name("seat")
_SEATS: kinds.Kind[tuple[Seat, ...]] = kinds.Made(
    kinds.Either(Listed(_SEAT), Table(_SEAT, Flag())), _named, "a list of seats"
)
_CARD = kinds.Made(Text(), _card, 'a card of this game, as "STAR+",')
_CARDS = Listed(_CARD)
_ID = kinds.Made(Text(10), lambda _, text: text.upper())
_COUNTS = Table(_SEAT, Whole())
_EYE = Whole(-999, 999)


@dataclass(frozen=True, slots=True)
class Amendment:
    follows: ClassVar = ("bill",)
    id: str | None = entry(_ID, "its number", "A1, A2, ...")
    action: str = entry(kinds.Word(ADD, REMOVE), "what is to be done", needed=True)
    card: str = entry(_CARD, "with which card", needed=True)
    movers: tuple[Seat, ...] | None = entry(Listed(_SEAT), "who moved it", "nobody")
    mover: Seat | None = entry(_SEAT, "who moved it, if one alone")


_MOTIONS = Listed(Part(Amendment))


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
    yellow: str | None = entry(kinds.Name("yellow card"), "its yellow card", "none")
    extensions: int | None = entry(Whole(0, 99), "how often it was extended", "0")
    fresh: bool | None = entry(Flag(), "new in the round", "true where it was not extended")
    amendments: tuple[Amendment, ...] | None = entry(_MOTIONS, "motions on it", "none")
    carried: tuple[Amendment, ...] | None = entry(_MOTIONS, "motions that changed it", "none")


@dataclass(frozen=True, slots=True)
class Public:
    follows: ClassVar = (
        *("bill_cards", "majority", "veto", "options", "sessions", "threshold", "scores"),
        *("red_left", "yellow_left", "returning", "hand_sizes", "balance", "deciding"),
        *("hands", "last_scores"),
    )
    phase: str | None = entry(kinds.Word(*PHASES), "the phase, also as `phase`")
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
        Listed(kinds.Name("issue")),
        "the issues in play",
        "those that cards name, and others by lot",
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
        Table(_SEAT, Table(_CARD, kinds.Word(FOR, AGAINST))), "how the tokens lie on cards", "none"
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
        kinds.Made(kinds.Either(_CARD, _CARDS), _first_card, _CARD.about),
        "the card drawn on re-election, still to be answered by a return",
        "none",
    )
    nextbill: tuple[str, ...] | None = entry(_CARDS, "the bill on file", "none")
    on_file: tuple[str, ...] | None = entry(_CARDS, "a bill from the file that stands now", "none")
    standing: str | None = entry(kinds.Word(*CHOICES, NONE), "the standing vote on file", NONE)
    ifs: str | None = entry(Text(), "votes with IF on file, as in an order", "none")
    crown: int | None = entry(Whole(), "bills failed against the holder's Nay", "0")
    tokens: int | None = entry(Whole(), "the purse, for VOTES=SECRET", "as public.tokens has it")
    team_cards: tuple[str, ...] | None = entry(_CARDS, "the red cards of the team", "dealt")
    last_score: Fraction | None = entry(
        kinds.Share(-999, 999), "the score at the last election", "none"
    )
    terms: int | None = entry(Whole(), "elections won", "as public.terms has it")


@dataclass(frozen=True, slots=True)
class Decks:
    """The decks, top card last."""

    red: tuple[str, ...] | None = entry(_CARDS, "red cards", "shuffled", also="red_deck")
    yellow: tuple[str, ...] | None = entry(
        Listed(kinds.Name("yellow card")), "yellow cards", "shuffled", also="yellow_deck"
    )
    blue: tuple[str, ...] | None = entry(
        _CARDS, "blue cards, to draw the issues from", "shuffled", also="blue_deck"
    )


@dataclass(frozen=True, slots=True)
class Scenario:
    phase: str | None = entry(
        kinds.Word(*PHASES), "the phase to start in", "VOTE with a docket, else BILL"
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
        "seat": kinds.in_capitals(seats),
        "issue": kinds.in_capitals(tables["issues"]),
        "card": kinds.exact(cards.blue(tables["issues"])),
        "yellow card": kinds.Names(
            tuple(tables["yellow"]), lambda word: yellow.get(_letters(word))
        ),
    }
    return kinds.read_whole(Scenario, scenario, names)


def _letters(name: str) -> str:
    return "".join(char for char in name.upper() if char.isalpha())


def _numbers(tables: Mapping[str, Any]) -> dict[str, Fraction]:
    told = {"bill_cards": Fraction(int(tables.get("bill_cards", s.NUMBERS["bill_cards"])))}
    told |= {name: Fraction(*tables[name]) for name in ("majority", "veto") if name in tables}
    return {name: value for name, value in told.items() if value != s.NUMBERS[name]}


def start(
    seats: Sequence[Seat], options: Options, scenario: Json, clerk: s.Clerk, language: Language
) -> State:
    settled = {name: str(value) for name, value in options.items()}
    told = reading(scenario, seats, clerk.tables)
    public = told.public
    order = _order(told, seats, clerk)
    living = public.alive or order
    purses = dict.fromkeys(seats, clerk.tables["tokens"]) | (public.tokens or {})
    state = State(
        options=settled,
        numbers=_numbers(clerk.tables),
        seats=tuple(seats),
        order=order,
        alive=tuple(seat for seat in order if seat in living),
        period=1,
        session=public.session,
        first=order[0],
        round=public.round or 1,
        phase=s.BILL,
        first_period=True,
        decided=public.decided or 0,
        failed=public.failed or 0,
        mixup=public.mixup,
        laid=public.laid or {},
        law=frozenset(public.law or ()),
        accounts=treasury.opened(purses | of_each(told.private, lambda own: own.tokens)),
        hand=dict.fromkeys(seats, ()),
        eye=dict.fromkeys(seats, 0)
        | (public.eye or {})
        | of_each(told.private, lambda own: own.eye),
        terms=dict.fromkeys(seats, 0)
        | (public.terms or {})
        | of_each(told.private, lambda own: own.terms),
        last_score=of_each(told.private, lambda own: own.last_score),
        skip=frozenset(public.skip or ()),
        nextbill=of_each(told.private, lambda own: own.nextbill or None),
        standing=of_each(told.private, lambda own: None if own.standing == NONE else own.standing),
        crown=(public.crown or {}) | of_each(told.private, lambda own: own.crown),
    )
    for card in state.law:
        if cards.opposite(card) in state.law:
            wrong("public.law", f"both {card} and {cards.opposite(card)}")
    state = _issues(state, told, clerk)
    state = _teams(state, told, clerk)
    state = _red_cards(state, told, clerk)
    if state.on("BILL_MODIFIERS"):
        deck = clerk.dice.stream("yellow/1").shuffled(list(clerk.tables["yellow"]))
        yellow = deck if told.decks.yellow is None else told.decks.yellow
        state = replace(state, yellow_deck=tuple(yellow), yellow_shuffles=1)
    _announce(state, clerk)
    known = figures.known(state)
    ifs = {
        seat: from_text(language, own.ifs, known, f"private.{seat}.ifs")
        for seat, own in (told.private or {}).items()
        if own.ifs
    }
    state = replace(state, ifs=ifs)
    if _within_session(told):
        return _resume(state, told, clerk)
    return session.begin_session(state, state.session, clerk)


def _order(told: Scenario, seats: Sequence[Seat], clerk: s.Clerk) -> tuple[Seat, ...]:
    order = told.public.order
    if not order:
        return tuple(clerk.dice.stream("seats").shuffled(tuple(seats)))
    if sorted(order) != sorted(seats):
        wrong("public.order", f"each of {', '.join(seats)} once, not {list(order)}")
    return order


def _issues(state: State, told: Scenario, clerk: s.Clerk) -> State:
    every = tuple(clerk.tables["issues"])
    pack = told.decks.blue or clerk.dice.stream("blue").shuffled(cards.blue(every))
    named = told.public.issues
    if named is None and told.public.pool is not None:
        on_cards = (*told.public.pool, *(told.public.law or ()))
        named = tuple(dict.fromkeys(map(cards.issue, on_cards)))
    if named is None:
        number = max(state.number("ISSUES") * len(state.seats), clerk.tables["fewest_issues"])
        drawn = dict.fromkeys(cards.issue(card) for card in reversed(pack))
        listed = dict.fromkeys((*told.named_issues(), *drawn))
        named = tuple(listed)[: max(min(number, len(every)), len(told.named_issues()))]
    outside = [name for name in told.named_issues() if name not in named]
    if outside:
        wrong("public.issues", f"{outside[0]} is named elsewhere but is not in play")
    return replace(state, issues=tuple(name for name in every if name in named))


def _teams(state: State, told: Scenario, clerk: s.Clerk) -> State:
    """6.4, 6.5. Sizes differ by at most one."""
    option = "PARTIES" if not state.on("PARTIES", "OFF") else "TEAMS"
    if state.on(option, "OFF"):
        return state
    given = told.public.teams
    if not given:
        number = len(state.seats) // 2 if state.on(option) else state.number(option)
        lot = clerk.dice.stream("teams").shuffled(state.order)
        names = [f"T{index}" for index in range(1, min(number, len(lot)) + 1)]
        given = {name: tuple(lot[index :: len(names)]) for index, name in enumerate(names)}
    return replace(state, teams=given, team_cards=dict.fromkeys(given, ()))


def _red_cards(state: State, told: Scenario, clerk: s.Clerk) -> State:
    """§2.2, §6.4."""
    pack = _red_pack(state, clerk)
    deck = clerk.dice.stream("red").shuffled(pack)
    shared = of_each(told.private, lambda own: own.team_cards or None)
    team_cards = dict(state.team_cards)
    for name, members in state.teams.items():
        team_cards.update((name, shared[seat]) for seat in members if seat in shared)
    state = replace(state, team_cards=team_cards, drawn=told.drawn())
    size, fixed = session.hand_size(state, clerk), told.decks.red
    hands = _hands(told, size)
    for held in hands.values() if fixed is None else ():
        for card, copies in Counter(held).items():
            if copies > pack.count(card):
                wrong("private hands", f"there are not that many {card} in the game")
    given = [card for pile in (*state.team_cards.values(), *hands.values()) for card in pile]
    deck = _left_over(deck, given, fixed or ())
    chance, count = clerk.dice.stream("deal"), int(clerk.tables["team_hand"])
    beside = {
        name: tuple(card for seat in state.teams[name] for card in hands.get(seat, ()))
        for name, pile in state.team_cards.items()
        if not pile
    }
    deck, piles = session.deal(state, deck, beside, count, chance, crown=False)
    state = replace(state, team_cards={**state.team_cards, **piles})
    players = {seat: state.shared(seat) for seat in state.alive if seat not in hands}
    deck, dealt = session.deal(state, deck, players, size, chance)
    hand = {**state.hand, **hands, **dealt}
    return replace(state, hand=hand, red_deck=tuple(deck if fixed is None else fixed))


def _hands(told: Scenario, size: int) -> dict[Seat, tuple[str, ...]]:
    hands = of_each(told.private, lambda own: own.hand)
    for seat, card in told.drawn().items():
        hand = hands.get(seat, ())
        if card not in hand or len(hand) <= size:
            hands[seat] = (*hand, card)
    return hands


def _red_pack(state: State, clerk: s.Clerk) -> list[str]:
    marks, copies = "+" if state.on("PLUS_ONLY") else "+-", clerk.tables["red_copies"]
    pack = [name + mark for name in state.issues for mark in marks for _ in range(copies)]
    return pack + [cards.CROWN] * crowns(state)


def _left_over(deck: Sequence[str], given: Sequence[str], fixed: Sequence[str]) -> list[str]:
    left = list(deck)
    for card in given:
        if card in left:
            left.remove(card)
    for card in fixed:  # from the top, so that the rest keeps its order
        if card in left:
            del left[len(left) - 1 - left[::-1].index(card)]
    return left


def crowns(state: State) -> int:
    """Return the number of blank red cards (§6.7)."""
    if state.on("CROWN", "OFF"):
        return 0
    return max(1, len(state.seats) // 2) if state.on("CROWN") else state.number("CROWN")


def _announce(state: State, clerk: s.Clerk) -> None:
    options: Mapping[str, str] = state.options
    clerk.minutes.public(
        "opening",
        "2.1",
        order=list(state.order),
        issues=list(state.issues),
        options=dict(options),
        tokens=clerk.tables["tokens"],
        teams={name: list(members) for name, members in state.teams.items()},
    )
    for seat in state.alive:
        clerk.minutes.private("hand", "2.2", [seat], hand=list(state.hand[seat]))
        if name := state.team(seat):
            shared = list(state.team_cards[name])
            clerk.minutes.private("team", "6.4", [seat], team=name, cards=shared)


def _within_session(scenario: Scenario) -> bool:
    public = scenario.public
    flow = (public.phase, public.docket, public.bill, public.turns, public.chair, public.queue)
    counts = (public.round, public.decided, public.failed, public.streak, public.balancing)
    return any(value is not None for value in flow + counts) or bool(scenario.drawn())


def _resume(state: State, told: Scenario, clerk: s.Clerk) -> State:
    public = told.public
    state = replace(state, first=_first(state, public))
    around = s.chair_order(state)
    docket = _docket(told, around, state.serial)
    phase = public.phase or (s.VOTE if docket else s.BILL)
    if phase not in (s.BILL, s.CAMPAIGN) and not docket:
        wrong("public.docket", f"the {phase} period needs a bill")
    numbers = [int(bill.id[1:]) for bill in docket if is_number(bill.id[1:])]
    state = replace(
        state,
        phase=phase,
        docket=docket,
        again=public.again or (),
        missed=public.missed or (),
        filed=max(numbers, default=0) if public.filed is None else public.filed,
        crises=public.crises or {},
        streak=public.streak or 0,
        balancing=bool(public.balancing),
    )
    turns = _turns(state, public)
    serial = state.serial and turns and turns[-1] in around
    rest = around[around.index(turns[-1]) + 1 :] if serial else ()
    state = replace(state, turns=turns, queue=rest if public.queue is None else public.queue)
    fresh = bool(told.drawn()) or (
        phase == s.BILL and state.round == 1 and (not state.serial or turns == around[:1])
    )
    first = fresh if public.first_period is None else public.first_period
    state = replace(state, first_period=first)
    if phase == s.AMENDVOTE and not s.moved(state):
        wrong("public.docket", "the AMENDVOTE period needs a bill with amendments")
    if phase == s.BILL:
        state = session.take_nextbills(state, clerk)
        on_file = of_each(told.private, lambda own: own.on_file or None)
        state = replace(state, taken={**state.taken, **on_file})
    return state


def _docket(told: Scenario, chairs: tuple[Seat, ...], serial: bool) -> tuple[s.Bill, ...]:
    """Return the bills; missing numbers and chairs follow chair order. Extended ones are amendable
    only with ``serial``."""
    found: list[s.Bill] = []
    for index, one in enumerate(told.bills()):
        id = one.id or f"B{index + 1}"
        before = sum(len(bill.amendments) for bill in found)
        given = ((each.name, getattr(one, each.name)) for each in fields(one))
        made: dict[str, Any] = {
            "chair": chairs[index % len(chairs)],
            "filed": one.core,
            "fresh": serial or not one.extensions,
            **{name: value for name, value in given if value not in (None, ())},
            "id": id,
            "amendments": _amendments(id, one.amendments or (), before),
            "carried": _amendments(id, one.carried or (), 0),
        }
        found.append(s.Bill(**made))
    return tuple(found)


def _amendments(bill: str, listed: tuple[Amendment, ...], before: int) -> tuple[s.Amendment, ...]:
    return tuple(
        s.Amendment(
            one.id or f"A{number}",
            bill,
            one.action,
            one.card,
            one.movers or ((one.mover,) if one.mover else ()),
        )
        for number, one in enumerate(listed, before + 1)
    )


def _first(state: State, public: Public) -> str:
    if public.chair_order:
        return public.chair_order[0]
    if public.first:
        return public.first
    begins = (public.phase or s.BILL) == s.BILL and state.round == 1
    if public.chair and public.turns is None and not state.serial and begins:
        return public.chair
    first = session.first_chair(state, 1)
    for number in range(2, state.session + 1):
        first = session.first_chair(replace(state, first=first), number)
    return first


def _turns(state: State, public: Public) -> tuple[str, ...]:
    around = s.chair_order(state)
    if public.turns is not None:
        return public.turns
    if state.phase == s.CAMPAIGN:
        return ()
    if public.chair and (state.serial or state.phase != s.BILL or state.round > 1):
        return (public.chair,)
    if state.docket and (state.phase != s.BILL or state.serial):
        chairs = [bill.chair for bill in state.docket if bill.fresh or state.serial]
        return tuple(seat for seat in around if seat in chairs)
    return around[:1] if state.serial else tuple(seat for seat in around if seat not in state.skip)
