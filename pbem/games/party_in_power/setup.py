"""The start: options settled, codes and decks by lot, hands dealt, the first constituency revealed
(1.12, 2.1, 2.2).

A scenario's cards are taken first; what it leaves out is dealt from the rest in the game's own way.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.errors import OptionError, ScenarioError
from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Event, Minutes
from pbem.games.frame.options import Options
from pbem.games.frame.ruleset import Outcome
from pbem.games.party_in_power.about import CODES
from pbem.games.party_in_power.cards import PIP, printed
from pbem.games.party_in_power.scenario import Told
from pbem.games.party_in_power.state import SHARED, Settings, State


def dealt_codes(players: Sequence[str], dice: Dice) -> dict[str, str]:
    """Who plays which party: the PIP and the lowest numbers, dealt to the players by lot (1.3)."""
    return dict(zip(players, dice.stream("seating").shuffled(CODES[: len(players)]), strict=True))


def settings(options: Options, tables: Mapping[str, Any], k: int) -> Settings:
    """The options as they work out for k Opposition Parties; raises OptionError (1.12)."""
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
    return Settings(
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
    """The three seniors and Cabinet Ministers by lot: as many as MINISTERS says, AUTO ceil(10n/27)
    (1.4)."""
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
    """The opening position and its events; raises ScenarioError and OptionError naming the key."""
    cards, parties, k = printed(tables), tables["parties"], len(seats) - 1
    numbers = {code: int(parties[code].split()[0]) for code in seats}
    told = Told(scenario, cards, tuple(sorted(seats, key=lambda code: numbers[code])))
    settled = settings(options, tables, k)
    phase = told.phase(settled)
    i, con, ahead, places = _constituencies(told, settled, phase, dice)
    momentum = told.party("momentum", _highest(numbers, told.out()))
    in_play = ministers_in_play(options, tables, settled.constituencies, dice)
    deal = _deal(told, tables, in_play, momentum, dice)
    state = State(
        settings=settled,
        cards=cards,
        order=told.order(),
        numbers=numbers,
        names={code: parties[code].partition(" ")[2] for code in seats},
        k=k,
        phase=phase,
        i=i,
        con=con,
        issue=told.issue("issue", cards[con]),
        next=ahead,
        top=told.top(),
        top_owner=told.party("top_owner", None),
        last=told.constituency("last"),
        votes=told.votes(),
        decks={**deal.decks, "constituencies": places},
        discards=told.discards(),
        shuffles=dict.fromkeys(deal.decks, 1),
        row=deal.row,
        pool=deal.pool,
        hands=deal.hands,
        submitted=told.submitted(phase),
        momentum=momentum,
        won=told.won(),
        vacancies=told.constituencies_of("vacancies"),
        ncmp=told.figures("ncmp"),
        bonus=told.figures("bonus"),
        removed=deal.removed,
        out=told.out(),
    )
    state = told.with_points(state)
    return Outcome(state, _opening(state, options))


def _highest(numbers: Mapping[str, int], out: Collection[str]) -> str | None:
    """Who begins with the Momentum Card: the highest registration number (2.1)."""
    return max(
        (code for code in numbers if code != PIP and code not in out),
        key=numbers.__getitem__,
        default=None,
    )


def _constituencies(
    told: Told, settled: Settings, phase: str, dice: Dice
) -> tuple[int, str, str | None, tuple[str, ...]]:
    """Number of the card in play, the card, the one revealed ahead, and the deck to come:
    CONSTITUENCIES in all."""
    con, ahead = told.constituency("constituency"), told.constituency("next")
    decided = [
        id for ids in (*told.won().values(), told.constituencies_of("vacancies")) for id in ids
    ]
    i = told.count("i", len(decided) + 1)
    deck = told.deck("constituencies", dice, {*decided, *filter(None, (con, ahead))})
    if not told.has_deck("constituencies"):
        left = settled.constituencies - (i - 1) - bool(con) - bool(ahead)
        deck = deck[len(deck) - max(0, left) :]
    if con is None:
        con, deck = _top(deck)
    if phase == SHARED and ahead is None:
        ahead, deck = _top(deck)
    return i, con, ahead, deck


@dataclass(frozen=True, slots=True)
class _Deal:
    """Where the cards lie at the start; ``removed``: those out of the game."""

    decks: dict[str, tuple[str, ...]]
    pool: tuple[str, ...]
    hands: dict[str, tuple[str, ...]]
    row: tuple[str, ...]
    removed: tuple[str, ...]


def _deal(
    told: Told,
    tables: Mapping[str, Any],
    ministers: Sequence[str],
    momentum: str | None,
    dice: Dice,
) -> _Deal:
    """What the scenario says of the cards, and the rest dealt: pool, hands clockwise from Momentum,
    row (2.1, 2.2).

    Where the scenario lists a draw deck, it stays as listed: what is dealt comes from the cards it
    left over, and those that remain are out of the game.
    """
    claimed, out = told.claimed(), told.out()
    stock = {deck: told.spare(deck, dice, claimed) for deck in ("talent", "action", "grassroots")}

    def drawn(deck: str, number: int) -> tuple[str, ...]:
        return tuple(stock[deck].pop() for _ in range(min(number, len(stock[deck]))))

    pool, row, hands = told.pool(), told.row(), told.hands()
    if pool is None:
        given = told.ministers()
        pool = (*(ministers if given is None else given), *drawn("talent", tables["first_talents"]))
    order = told.order()
    at = order.index(momentum) if momentum else 0
    for seat in order[at:] + order[:at]:
        if seat != PIP and seat not in hands:
            hands[seat] = () if seat in out else drawn("grassroots", tables["first_hand"])
    if row is None:
        row = drawn("grassroots", 2 * (len(order) - 1))
    decks = {
        deck: told.deck(deck, dice, claimed) if told.has_deck(deck) else tuple(ids)
        for deck, ids in stock.items()
    }
    placed = {*claimed, *pool, *row}.union(*hands.values(), *decks.values())
    removed = tuple(id for id in told.cards if id[0] != "K" and id not in placed)
    return _Deal(decks, pool, hands, row, removed)


def _top(deck: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    if not deck:
        raise ScenarioError("decks.constituencies: no constituency is left to be revealed")
    return deck[-1], deck[:-1]


def _opening(state: State, options: Options) -> tuple[Event, ...]:
    """The opening events."""
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
