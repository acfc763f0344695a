"""The opening (1.12, 2.1, 2.2). A scenario's cards come first; the rest is dealt."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.errors import OptionError
from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Event, Minutes
from pbem.games.frame.options import Options
from pbem.games.frame.ruleset import Outcome
from pbem.games.frame.scenario import wrong
from pbem.games.party_in_power import state as s
from pbem.games.party_in_power.scenario import Pool, Scenario, reading
from pbem.games.party_in_power.state import State


def settings(options: Options, tables: Mapping[str, Any], k: int) -> s.Settings:
    """Resolve options for k Opposition Parties. Raise OptionError (1.12)."""
    constituencies, ministers = int(options["CONSTITUENCIES"]), options["MINISTERS"]
    if constituencies > len(tables["constituencies"]):
        raise OptionError(
            f"option CONSTITUENCIES: there are {len(tables['constituencies'])}, not"
            f" {constituencies}"
        )
    if ministers != "AUTO" and int(ministers) > len(tables["ministers"]):
        raise OptionError(
            f"option MINISTERS: there are {len(tables['ministers'])}, not {ministers}"
        )
    incumbency, drafts = options["INCUMBENCY"], options["DRAFT"]
    return s.Settings(
        constituencies=constituencies,
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
    order, momentum = _order(told, by_number), _momentum(told, numbers)
    in_play = ministers_in_play(options, tables, settled.constituencies, dice)
    deal = _deal(stock, tables, in_play, order, momentum)
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
        decks={**deal.decks, "constituencies": places},
        discards=told.decks.discards(),
        shuffles=dict.fromkeys(deal.decks, 1),
        row=deal.row,
        pool=deal.pool,
        hands=deal.hands,
        submitted=_submitted(told, by_number, phase),
        momentum=momentum,
        won={seat: (public.won or {}).get(seat, ()) for seat in by_number},
        vacancies=public.vacancies,
        ncmp={seat: (public.ncmp or {}).get(seat, 0) for seat in by_number},
        bonus={seat: (public.bonus or {}).get(seat, 0) for seat in by_number},
        removed=deal.removed,
        out=frozenset(public.out),
        plans={seat: own.plans for seat, own in (told.private or {}).items() if own.plans},
    )
    state = _with_points(state, told, by_number)
    return Outcome(state, _opening(state, options))


def _phase(told: Scenario, settings: s.Settings) -> str:
    phase = told.public.phase or s.CAMPAIGN
    if phase == s.SHARED and not settings.shared:
        wrong("phase", f"{s.SHARED} needs SHARED=ON and FAST=OFF")
    if phase == s.POLLING and settings.fast:
        wrong("phase", f"with FAST=ON there is no {s.POLLING} period")
    return phase


def _order(told: Scenario, seats: tuple[str, ...]) -> tuple[str, ...]:
    """Return seats clockwise, by default by registration."""
    given = seats if told.public.order is None else told.public.order
    if sorted(given) != sorted(seats):
        wrong("public.order", f"name each of {', '.join(seats)} once")
    return given


def _momentum(told: Scenario, numbers: Mapping[str, int]) -> str | None:
    given, out = told.public.momentum, told.public.out
    if given is None:
        return _highest(numbers, out)
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


def _with_points(state: State, told: Scenario, seats: tuple[str, ...]) -> State:
    """Give ``points`` without ``bonus`` the bonus that seats and NCMPs leave."""
    points = told.public.points
    if points is None or told.public.bonus is not None:
        return state
    rest = {seat: points.get(seat, state.points(seat)) - state.points(seat) for seat in seats}
    return replace(state, bonus=rest)


def _highest(numbers: Mapping[str, int], out: Collection[str]) -> str | None:
    """2.1."""
    return max(
        (code for code in numbers if code != s.PIP and code not in out),
        key=numbers.__getitem__,
        default=None,
    )


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
        mine = [id for id, text in self.cards.items() if _deck_of(id, text) == name]
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


_DECKS = ("talent", "action", "grassroots")


def _deck_of(id: str, text: str) -> str:
    return "constituencies" if id[0] == "K" else s.card(id, text).deck


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


@dataclass(frozen=True, slots=True)
class _Deal:
    decks: dict[str, tuple[str, ...]]
    pool: tuple[str, ...]
    hands: dict[str, tuple[str, ...]]
    row: tuple[str, ...]
    removed: tuple[str, ...]


def _deal(
    stock: _Stock,
    tables: Mapping[str, Any],
    ministers: Sequence[str],
    order: tuple[str, ...],
    momentum: str | None,
) -> _Deal:
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
    return _Deal(decks, pool, hands, row, removed)


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
        ministers=[state.spelt(id) for id in state.pool if state.card(id).minister],
    )
    minutes.public("options", "1.12", options=dict(options))
    minutes.public(
        "reveal",
        "2.2",
        constituency=state.con,
        text=state.spelt(state.con),
        row=[state.spelt(id) for id in state.row],
    )
    return tuple(minutes.events)
