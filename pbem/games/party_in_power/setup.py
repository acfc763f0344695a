"""The start: options settled, codes and decks by lot, hands dealt, the first constituency revealed (1.12, 2.1, 2.2).

A scenario's cards are taken first; what it leaves out is dealt from the rest in the game's own way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.codec import Json
from pbem.dice import Dice
from pbem.errors import OptionError, ScenarioError
from pbem.games.party_in_power.cards import PIP, printed
from pbem.games.party_in_power.scenario import Told
from pbem.games.party_in_power.state import SHARED, Settings, State
from pbem.ruleset import About, Minutes, Option, Options, Outcome

CODES = ("PIP", "LAN", "COM", "KIT", "NLP", "VER", "TID", "CMP", "HAH", "OWP")
_SIZES = (4, 2, 3, 5, 6, 7, 8, 9, 10)
ABOUT = About(
    key="party-in-power",
    title="Party In Power",
    seats=tuple(CODES[:size] for size in _SIZES),
    schema=1,
    phases=("CAMPAIGN", "NOMINATION", "POLLING", "POLLING+CAMPAIGN", "OVER"),
    options=(
        Option("CONSTITUENCIES", 12, "constituencies to be polled, 3 to 27 (27: the table game)", least=3),
        Option("SHARED", "ON", "a polling and the next campaign share one period", ("ON", "OFF")),
        Option("MINISTERS", "AUTO", "Ministers in play, 3 to 13", least=3, words=("AUTO",)),
        Option("INCUMBENCY", "AUTO", "added to every Incumbent Advantage", least=-99, words=("AUTO",)),
        Option("DRAFT", "AUTO", "cards drafted on each Nomination Day", least=0, words=("AUTO",)),
        Option("TIE", "PIP", "who wins a tie between the PIP and an Opposition Party", ("PIP", "OPPOSITION", "LADDER")),
        Option("POOL", "PRIVATE", "whether the PIP's pool is public", ("PRIVATE", "OPEN")),
        Option("MINORITY", "STRICT", "MINISTER: any Minister serves as Minority", ("STRICT", "MINISTER")),
        Option("HELPERS", "TIEBREAK", "VOTE: each Helper gives a vote too", ("TIEBREAK", "VOTE")),
        Option("FAST", "OFF", "the PIP fields in the NOMINATION period; no POLLING", ("OFF", "ON")),
        Option("LAPSE", "PIP", "after the PIP resigns: automatic Teams, or VACANT", ("PIP", "VACANT")),
        Option("PERIOD", 3, "days of a period", least=1),
        Option("PERIOD_ONE", 2, "days of a period in which one player alone owes an order", least=1),
        Option("EARLY", "ON", "whether a period closes early once all owed orders are in", ("ON", "OFF")),
        Option("EARLY_HOUR", 20, "hour of the day at which that is looked at"),
    ),
    status="complete",
)


def dealt_codes(players: Sequence[str], dice: Dice) -> dict[str, str]:
    """Who plays which party: the PIP and the lowest numbers, dealt to the players by lot (1.3)."""
    return dict(zip(players, dice.stream("seating").shuffled(CODES[: len(players)]), strict=True))


def settings(options: Options, tables: Mapping[str, Any], k: int) -> Settings:
    """The options as they work out for k Opposition Parties; raises OptionError (1.12)."""
    constituencies, ministers = int(options["CONSTITUENCIES"]), options["MINISTERS"]
    if constituencies > len(tables["constituencies"]):
        raise OptionError(f"option CONSTITUENCIES: there are {len(tables['constituencies'])}, not {constituencies}")
    if ministers != "AUTO" and int(ministers) > len(tables["ministers"]):
        raise OptionError(f"option MINISTERS: there are {len(tables['ministers'])}, not {ministers}")
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


def ministers_in_play(options: Options, tables: Mapping[str, Any], constituencies: int, dice: Dice) -> tuple[str, ...]:
    """The three seniors and Cabinet Ministers by lot: as many as MINISTERS says, AUTO ceil(10n/27) (1.4)."""
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
    """The opening position."""
    cards, parties = printed(tables), tables["parties"]
    numbers = {code: int(parties[code].split()[0]) for code in seats}
    told = Told(scenario, cards, tuple(sorted(seats, key=lambda code: numbers[code])))
    settled = settings(options, tables, len(seats) - 1)
    ministers = ministers_in_play(options, tables, settled.constituencies, dice)
    order, k = told.order(), settled_k(seats)
    won, vacancies = told.won(), told.constituencies_of("vacancies")
    played = [id for ids in (*won.values(), vacancies) for id in ids]

    # The deck of constituencies, and the card in play off its top.
    con, ahead = told.constituency("constituency"), told.constituency("next")
    i = told.count("i", len(played) + 1)
    places = told.deck("constituencies", dice, {*played, *filter(None, (con, ahead))})
    if not told.has_deck("constituencies"):
        gone = i - 1 + bool(con) + bool(ahead)
        places = places[len(places) - max(0, settled.constituencies - gone) :]
    if con is None:
        con, places = _top(places, "decks.constituencies")
    phase = told.phase(settled)
    if phase == SHARED and ahead is None:
        ahead, places = _top(places, "decks.constituencies")

    # What the scenario says of the cards; the rest of each deck is dealt.
    hands, row, submitted = told.hands(), told.row(), told.submitted(phase)
    pool, in_play = told.pool(), told.ministers()
    claimed = told.claimed()
    supply = {deck: list(told.deck(deck, dice, claimed)) for deck in ("talent", "action", "grassroots")}
    source = {deck: told.spare(deck, dice, claimed) if told.has_deck(deck) else supply[deck] for deck in supply}
    if pool is None:
        first = [_deal(source["talent"]) for _ in range(tables["first_talents"])]
        pool = (*(ministers if in_play is None else in_play), *filter(None, first))
    momentum = told.party("momentum", max((s for s in seats if s != PIP), key=lambda code: numbers[code]))
    at = order.index(momentum) if momentum else 0
    for seat in order[at:] + order[:at]:
        if seat != PIP and seat not in hands:
            new = [_deal(source["grassroots"]) for _ in range(tables["first_hand"])]
            hands[seat] = () if seat in told.out() else tuple(filter(None, new))
    if row is None:
        new = [_deal(source["grassroots"]) for _ in range(2 * k)]
        row = tuple(filter(None, new))
    discards = told.discards()
    on_the_table = {*pool, *row, *(id for hand in hands.values() for id in hand), *claimed}
    placed = {*on_the_table, *(id for deck in supply.values() for id in deck)}
    place_issue = told.issue("issue", cards[con])
    state = State(
        settings=settled, cards=cards, order=order, numbers=numbers,
        names={code: parties[code].partition(" ")[2] for code in seats}, k=k, phase=phase, i=i, con=con,
        issue=place_issue, next=ahead, top=told.top(), top_owner=told.party("top_owner", None),
        last=told.constituency("last"), votes=told.votes(),
        decks={**{deck: tuple(ids) for deck, ids in supply.items()}, "constituencies": tuple(places)},
        discards=discards, shuffles=dict.fromkeys(supply, 1), row=row, pool=pool, hands=hands, submitted=submitted,
        momentum=momentum, won=won, vacancies=vacancies, ncmp=told.figures("ncmp"), bonus=told.figures("bonus"),
        removed=tuple(id for id in cards if id[0] != "K" and id not in placed), out=told.out(),
    )  # fmt: skip
    state = told.with_points(state)
    return Outcome(state, _opening(state))


def settled_k(seats: Sequence[str]) -> int:
    """k: the number of Opposition Parties at the start."""
    return len(seats) - 1


def _top(deck: Sequence[str], key: str) -> tuple[str, tuple[str, ...]]:
    if not deck:
        raise ScenarioError(f"{key}: no constituency is left to be revealed")
    return deck[-1], tuple(deck[:-1])


def _deal(deck: list[str]) -> str | None:
    return deck.pop() if deck else None


def _opening(state: State) -> tuple[Any, ...]:
    minutes = Minutes()
    minutes.public("seats", "1.3", order=list(state.order), names=dict(state.names), momentum=state.momentum,
                   ministers=[state.spelt(id) for id in state.pool if state.card(id).minister])  # fmt: skip
    minutes.public("reveal", "2.2", constituency=state.con, text=state.spelt(state.con),
                   row=[state.spelt(id) for id in state.row])  # fmt: skip
    return tuple(minutes.events)
