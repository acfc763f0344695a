"""Steps 5 to 9 (4.5 to 4.9), the reveal (2.2), resignations (R14)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Minutes
from pbem.games.party_in_power.cards import PIP, Item
from pbem.games.party_in_power.orders import Contest, Field, Play, Walkover
from pbem.games.party_in_power.state import (
    CAMPAIGN,
    OVER,
    POLLING,
    SHARED,
    State,
    fill_row,
    put_down,
    without,
)
from pbem.games.party_in_power.steps.campaign import shuffled
from pbem.games.party_in_power.steps.count import Sheet, count, prevailing
from pbem.games.party_in_power.steps.teams import automatic_team, walkover_team
from pbem.orders.order import Standing


def resignations(
    state: State, orders: Mapping[str, Standing], minutes: Minutes
) -> tuple[State, dict[str, Standing]]:
    """Apply resignations first; void the leavers' other orders (R14)."""
    gone = [seat for seat in state.living if "RESIGN" in orders.get(seat, {})]
    for seat in gone:
        state = _leave(state, seat, minutes)
    if len(state.living) < 2:
        minutes.public("last", "R14", left=list(state.living))
        state = replace(state, phase=OVER)
    return state, {seat: given for seat, given in orders.items() if seat not in state.out}


def _leave(state: State, seat: str, minutes: Minutes) -> State:
    """Discard its cards and pass Momentum on clockwise."""
    state = replace(state, out=state.out | {seat})
    if seat == PIP:
        if state.settings.vacant:
            state = replace(put_down(state, state.pool), pool=())
        minutes.public("resigned", "R14", party=seat, vacant=state.settings.vacant, momentum=None)
        return state
    submitted = state.submitted.get(seat, ())
    state = put_down(state, [*state.hands[seat], *(item.card for item in submitted)])
    state = replace(state, hands={**state.hands, seat: ()})
    if seat in state.submitted:
        state = replace(state, submitted={**state.submitted, seat: ()})
    momentum = state.momentum
    if momentum == seat:
        momentum = next(iter(state.from_momentum()), None)
    minutes.public(
        "resigned",
        "R14",
        party=seat,
        vacant=False,
        momentum=momentum if momentum != state.momentum else None,
    )
    return replace(state, momentum=momentum)


def nomination(state: State, orders: Mapping[str, Standing], dice: Dice, minutes: Minutes) -> State:
    """Settle who contests; if nobody, a walkover. Poll at once if none is awaited (step 5, FAST=ON,
    R14)."""
    for seat in state.from_momentum():
        given = orders.get(seat, {}).get("CONTEST")
        if isinstance(given, Contest):
            hand = without(state.hands[seat], [item.card for item in given.items])
            state = replace(
                state,
                submitted={**state.submitted, seat: given.items},
                hands={**state.hands, seat: hand},
            )
    counts = {seat: len(items) for seat, items in state.submitted.items()}
    minutes.public("contests", "4.5", constituency=state.con, cards=counts)
    if not counts:
        return _walkover(state, orders.get(PIP, {}).get("WALKOVER"), dice, minutes)
    if state.settings.fast:
        return polling(state, orders, dice, minutes)
    if state.settings.shared and state.next is None and state.decks["constituencies"]:
        state = _reveal(state, dice, minutes)
    if state.lapsed:
        return polling(state, orders, dice, minutes)
    return replace(state, phase=SHARED if state.next else POLLING)


def _walkover(state: State, given: object, dice: Dice, minutes: Minutes) -> State:
    """4.5. Momentum stays, no NCMP."""
    if state.lapsed and state.settings.vacant:
        minutes.public("vacancy", "R14", constituency=state.con)
        return _advance(replace(state, vacancies=(*state.vacancies, state.con)), dice, minutes)
    team = (
        given.cards
        if isinstance(given, Walkover) and set(given.cards) <= set(state.pool)
        else walkover_team(state)
    )
    minutes.public(
        "walkover",
        "4.5",
        constituency=state.con,
        team=[state.spelt(id) for id in team],
        seats=state.place().seats,
        momentum=state.momentum,
    )
    state = replace(state, pool=without(state.pool, team), removed=(*state.removed, *team))
    return _advance(_award(state, PIP), dice, minutes)


def polling(state: State, orders: Mapping[str, Standing], dice: Dice, minutes: Minutes) -> State:
    """Run steps 6 to 9, then the next constituency or the end."""
    given = orders.get(PIP, {})
    played, kept = _played(state, given.get("PLAY"))
    for item in kept:
        minutes.public(
            "kept", "4.5", card=item.card, text=state.spelt(item.card), against=item.against
        )
    for item in played:
        minutes.public(
            "action",
            "4.6",
            card=item.card,
            text=state.spelt(item.card),
            on=item.on,
            against=item.against,
        )
    issue, fielded = prevailing(state, played), given.get("FIELD")
    team: Sequence[str] = (
        fielded.cards if isinstance(fielded, Field) else automatic_team(state, issue)
    )
    sheets = count(state, team, played)
    bonus = bonuses(state, sheets, played)
    for seat, sheet in sheets.items():
        cards = list(team) if seat == PIP else [str(item) for item in state.submitted[seat]]
        by_rule = seat == PIP and not isinstance(fielded, Field)
        minutes.public(
            "sheet",
            "4.7",
            automatic=by_rule,
            cards=cards,
            bonus=bonus.get(seat, 0),
            **sheet.json(state),
        )
    votes = {seat: None if sheet.out else sheet.total for seat, sheet in sheets.items()}
    state = replace(state, issue=issue, last=state.con, votes=votes)
    winner, best = decide(state, sheets)
    state = _verdict(state, sheets, winner, best, played, minutes)
    state = _clean_up(state, winner, team, played)
    return _advance(state, dice, minutes)


def _played(state: State, given: object) -> tuple[list[Item], list[Item]]:
    """Return Actions played, and those kept for want of their target (FAST=ON, 4.5)."""
    items = given.items if isinstance(given, Play) else ()
    played = [item for item in items if not item.against or item.against in state.submitted]
    return played, [item for item in items if item not in played]


def decide(state: State, sheets: Mapping[str, Sheet]) -> tuple[str | None, str | None]:
    """Return the winner and the best valid Opposition Party, each or None (step 8)."""
    valid = {seat: sheet for seat, sheet in sheets.items() if not sheet.out}

    def ladder(seat: str) -> tuple[int, bool, int]:
        return len(valid[seat].helpers), seat == state.momentum, -state.numbers[seat]

    rivals = [seat for seat in valid if seat != PIP]
    best = max(rivals, key=lambda seat: (valid[seat].total, ladder(seat)), default=None)
    if PIP not in valid or best is None:
        return (PIP if PIP in valid else best), best
    ahead = valid[PIP].total - valid[best].total
    if ahead == 0 and state.settings.tie != "PIP":
        holds = state.settings.tie == "LADDER" and ladder(PIP) > ladder(best)
        return (PIP if holds else best), best
    return (PIP if ahead >= 0 else best), best


def bonuses(state: State, sheets: Mapping[str, Sheet], played: Sequence[Item]) -> dict[str, int]:
    """Return VP of STRONG MANDATE and GOING VIRAL by party (1.9, 1.10)."""
    winner, best = decide(state, sheets)
    if winner is None:
        return {}
    bonus: dict[str, int] = {}
    strong = any(state.card(item.card).kind == "A8" for item in played)
    if strong and winner == PIP and best and sheets[PIP].total - sheets[best].total >= 10:
        bonus[PIP] = 2
    if best and any(state.card(item.card).kind == "R6" for item in state.submitted[best]):
        bonus[best] = 2
    return bonus


def _verdict(
    state: State,
    sheets: Mapping[str, Sheet],
    winner: str | None,
    best: str | None,
    played: Sequence[Item],
    minutes: Minutes,
) -> State:
    """4.8. Award card, Momentum, NCMPs, bonus."""
    seats, bonus = state.place().seats, dict(state.bonus)
    if winner is None:
        minutes.public("vacancy", "R14", constituency=state.con)
        return replace(state, vacancies=(*state.vacancies, state.con))
    ncmps = state.settings.ncmps.get(str(seats), 0) if winner == PIP and best else 0
    worth = state.settings.pip_points if winner == PIP else state.settings.opposition_points
    tied = [
        seat
        for seat, sheet in sheets.items()
        if not sheet.out and sheet.total == sheets[winner].total
    ]
    level = [
        seat
        for seat, sheet in sheets.items()
        if best and not sheet.out and sheet.total == sheets[best].total
    ]
    minutes.public(
        "result",
        "4.8",
        constituency=state.con,
        winner=winner,
        votes=dict(state.votes),
        seats=seats,
        points=worth * seats,
        best=best,
        ncmps=ncmps,
        momentum=best or state.momentum,
        held=state.momentum,
        tied=tied if len(tied) > 1 else [],
        level=[seat for seat in level if seat != PIP] if winner == PIP else [],
    )
    for seat, points in bonuses(state, sheets, played).items():
        bonus[seat] += points
        rule, card = ("1.9", "STRONG MANDATE") if seat == PIP else ("1.10", "GOING VIRAL")
        minutes.public("bonus", rule, party=seat, card=card, points=points)
    ncmp = {**state.ncmp, best: state.ncmp[best] + ncmps} if best else state.ncmp
    return _award(replace(state, bonus=bonus, ncmp=ncmp, momentum=best or state.momentum), winner)


def _award(state: State, winner: str) -> State:
    return replace(state, won={**state.won, winner: (*state.won[winner], state.con)})


def _clean_up(
    state: State, winner: str | None, team: Sequence[str], played: Sequence[Item]
) -> State:
    """4.9. The winner's Team leaves the game; discard the rest."""
    submitted = [item.card for seat in state.order for item in state.submitted.get(seat, ())]
    actions = [item.card for item in played]
    elected: Sequence[str] = team if winner == PIP else ()
    if winner is not None and winner != PIP:
        candidates = [
            item.card for item in state.submitted[winner] if state.card(item.card).candidate
        ]
        elected = candidates[: state.place().seats]
    state = put_down(state, without([*submitted, *team, *actions], elected))
    return replace(
        state,
        removed=(*state.removed, *elected),
        pool=without(state.pool, [*team, *actions]),
        submitted={},
    )


def _advance(state: State, dice: Dice, minutes: Minutes) -> State:
    if state.next is None and state.decks["constituencies"]:
        state = _reveal(state, dice, minutes)
    if state.next is None:
        points = {seat: state.points(seat) for seat in state.order}
        minutes.public("end", "4.10", points=points)
        return replace(state, phase=OVER)
    return replace(
        state,
        phase=CAMPAIGN,
        i=state.i + 1,
        con=state.next,
        issue=state.place(state.next).issue,
        next=None,
        top=None,
        top_owner=None,
    )


def _reveal(state: State, dice: Dice, minutes: Minutes) -> State:
    """2.2."""
    deck = state.decks["constituencies"]
    state = replace(state, next=deck[-1], decks={**state.decks, "constituencies": deck[:-1]})
    before = state
    state = fill_row(state, dice)
    minutes.public(
        "reveal",
        "2.2",
        constituency=deck[-1],
        text=state.spelt(deck[-1]),
        row=[state.spelt(id) for id in without(state.row, before.row)],
    )
    shuffled(before, state, minutes)
    return state
