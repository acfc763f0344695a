"""A deadline (4). Orders: {seat: {slot: order}}."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.coalition import figures
from pbem.games.coalition.orders import (
    Name,
    Propose,
    Special,
    StandingVote,
    Withdraw,
    taken,
    votes_if,
)
from pbem.games.coalition.state import (
    ABSTAIN,
    AYE,
    DEFEATED,
    MAJORITY,
    MINORITY,
    NAY,
    SITTING,
    Division,
    Draft,
    Motion,
    State,
    in_order,
    with_party,
)
from pbem.games.coalition.steps.scoring import only_players_left, scored
from pbem.games.frame.conditions import WhatIf
from pbem.games.frame.events import Minutes, Seat
from pbem.games.frame.ruleset import Outcome
from pbem.orders.order import Standing

Orders = Mapping[Seat, Standing]


def held(state: State, orders: Orders) -> Outcome[State]:
    minutes, opened = Minutes(), state
    state = resignations(state, orders, minutes)
    if len(state.living) <= 1:
        state = only_players_left(state, minutes)
        return Outcome(state, tuple(minutes.events))
    state = recorded(state, {s: o for s, o in orders.items() if state.parties[s].playing}, minutes)
    before, state = state.floor, voted(state, orders, minutes, opened)
    formed = before is not None and state.history[-1].verdict == MAJORITY
    if formed or state.period >= state.last_period:
        state = scored(state, minutes)
    else:
        state = tabled(state, minutes)
        state = replace(state, phase=SITTING, period=state.period + 1)
    return Outcome(state, tuple(minutes.events))


def resignations(state: State, orders: Orders, minutes: Minutes) -> State:
    """Make leavers VACANT; strike drafts, void orders (step 1)."""
    before = state.needed
    for letter in state.living:
        if "RESIGN" in orders.get(letter, {}):
            party = state.parties[letter]
            minutes.public("resigned", "3.7", party=letter, name=party.name)
            state = with_party(
                state, letter, replace(party, playing=False, draft=None, standing=None)
            )
            state = figures.filed(state, letter, votes_if(()))
    if state.needed != before and len(state.living) > 1:
        minutes.public("majority", "4.3", majority=state.needed, held=state.mps(state.living))
    return state


def recorded(state: State, orders: Orders, minutes: Minutes) -> State:
    """File names, specials, standing votes and drafts, A to O (step 1)."""
    for letter in sorted(orders):
        for _, order in sorted(orders[letter].items()):
            party = state.parties[letter]
            match order:
                case Name(text=name) if taken(state, letter, name):
                    minutes.private("name_taken", "4.1", [letter], name=name, keeps=party.name)
                case Name(text=name):
                    minutes.public("named", "3.6", party=letter, name=name)
                    state = with_party(state, letter, replace(party, name=name))
                case Special():
                    minutes.private("specials", "3.1", [letter], specials=list(order.chosen))
                    state = with_party(state, letter, replace(party, specials=order.chosen))
                case StandingVote():
                    minutes.private("standing", "3.5", [letter], vote=order.vote)
                    state = with_party(state, letter, replace(party, standing=order.vote))
                case WhatIf():
                    minutes.private(
                        "ifs", "3.9", [letter], order=str(order) if order.cases else None
                    )
                    state = figures.filed(state, letter, order)
                case Propose():
                    minutes.private("filed", "3.2", [letter], slate=in_order(state, order.slate))
                    draft = Draft(in_order(state, order.slate), state.period)
                    state = with_party(state, letter, replace(party, draft=draft))
                case Withdraw():
                    if party.draft:
                        minutes.private("withdrawn", "3.3", [letter])
                    state = with_party(state, letter, replace(party, draft=None))
    if state.period == state.options["SPECIAL_LOCK"]:
        minutes.public("specials_fixed", "4.1", period=state.period)
    return state


def voted(state: State, orders: Orders, minutes: Minutes, opened: State) -> State:
    """Count, decide, record and clear the floor (steps 2 to 4). Conditional votes read
    ``opened``, the period's opening."""
    if state.floor is None:
        if state.phase == SITTING:
            minutes.public("no_motion", "4.2", period=state.period)
        return state
    votes = {
        letter: _vote(opened, letter, orders.get(letter, {}), minutes)
        if state.parties[letter].playing
        else ABSTAIN
        for letter in state.letters
    }
    division = _divided(state, state.floor, votes)
    ballots = state.chosen("BALLOTS", "PUBLIC")
    minutes.public(
        "division",
        "4.3",
        id=division.motion.id,
        sponsor=shown_sponsor(state, division.motion),
        slate=in_order(state, division.motion.slate),
        votes=votes if ballots else None,
        aye=division.aye,
        nay=division.nay,
        abstain=division.abstain,
        verdict=division.verdict,
        named=state.mps(division.motion.named),
    )
    return replace(state, floor=None, history=(*state.history, division))


def _vote(opened: State, letter: str, orders: Standing, minutes: Minutes) -> str:
    """4.2."""
    assert opened.floor is not None
    vote, how = figures.vote(opened, letter, orders)
    name, mps = opened.floor.id, opened.parties[letter].seats
    if told := figures.acted(opened, letter, orders):
        minutes.private("if_acted", "3.9", [letter], id=name, how=how, **told)
    minutes.private("vote", "4.2", [letter], id=name, vote=vote, how=how, mps=mps)
    return vote


def _divided(state: State, motion: Motion, votes: Mapping[str, str]) -> Division:
    aye, nay, abstain = (
        state.mps(p for p, v in votes.items() if v == kind) for kind in (AYE, NAY, ABSTAIN)
    )
    return Division(motion, votes, aye, nay, abstain, verdict(state, motion, votes), state.period)


def verdict(state: State, motion: Motion, votes: Mapping[str, str]) -> str:
    """Return MAJORITY, MINORITY or DEFEATED, by MAJORITY and CONSENT (step 3)."""
    aye = state.mps(party for party, vote in votes.items() if vote == AYE)
    nay = state.mps(party for party, vote in votes.items() if vote == NAY)
    agreed = [party for party in motion.named if votes[party] == AYE]
    if state.chosen("CONSENT", "ON") and len(agreed) < len(motion.named):
        return DEFEATED
    enough = {
        "VOTES": aye >= state.needed,
        "MEMBERS": state.mps(agreed) >= state.needed,
        "BOTH": aye >= state.needed and state.mps(motion.named) >= state.needed,
    }
    if enough[str(state.options["MAJORITY"])]:
        return MAJORITY
    return MINORITY if aye > nay else DEFEATED


def tabled(state: State, minutes: Minutes) -> State:
    """Bring the next draft to the floor; strike one that names a VACANT party (step 5)."""
    for letter in docket(state):
        party = state.parties[letter]
        assert party.draft is not None
        slate = party.draft.slate
        gone = [other for other in sorted(set(slate.values())) if not state.parties[other].playing]
        if gone:
            minutes.private("struck", "4.5", [letter], vacant=gone)
            state = with_party(state, letter, replace(party, draft=None))
            continue
        motion = Motion(f"V{next_number(state)}", letter, slate)
        state = with_party(state, letter, replace(party, draft=None, tabled=party.tabled + 1))
        state = replace(state, floor=motion)
        minutes.public(
            "tabled",
            "4.5",
            id=motion.id,
            sponsor=shown_sponsor(state, motion),
            slate=in_order(state, slate),
            mps={p: state.parties[p].seats for p in motion.named},
            named=state.mps(motion.named),
        )
        minutes.private("yours", "4.5", [letter], id=motion.id)
        return state
    minutes.public("nothing_tabled", "4.5")
    return state


def docket(state: State) -> list[str]:
    """Return parties with drafts, in turn (TABLING)."""
    waiting = [letter for letter in state.letters if state.parties[letter].draft]
    return sorted(waiting, key=lambda letter: turn(state, letter))


def turn(state: State, letter: str) -> tuple[int, int, str]:
    """Return a draft's sort key.

    LEAST: fewest tabled, most seats. SEATS: most seats. FIFO: first filed, A to O.
    """
    party = state.parties[letter]
    if state.chosen("TABLING", "FIFO"):
        return party.draft.filed if party.draft else state.period, 0, letter
    return party.tabled if state.chosen("TABLING", "LEAST") else 0, -party.seats, letter


def next_number(state: State) -> int:
    motions = [division.motion for division in state.history] + (
        [state.floor] if state.floor else []
    )
    return 1 + max((motion.number for motion in motions), default=0)


def shown_sponsor(state: State, motion: Motion) -> str | None:
    return motion.sponsor if state.chosen("SPONSOR", "PUBLIC") else None
