"""The course of a session (§3, §4.9)."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from pbem.games.frame.events import Orders, Seat, seats_from
from pbem.games.frame.treasury import Payment, listed_anew, pay
from pbem.games.legislation import cards
from pbem.games.legislation import state as s
from pbem.games.legislation.orders import Case, Give, NextBill
from pbem.games.legislation.state import State
from pbem.games.legislation.steps import election, floor
from pbem.games.legislation.steps.deciding import balanced, decide
from pbem.orders.declared import checked


def file_nextbills(state: State, orders: Orders) -> State:
    """File or end NEXTBILL (§3.4)."""
    filed = dict(state.nextbill)
    for seat, given in orders.items():
        order = given.get("NEXTBILL")
        if isinstance(order, NextBill):
            filed.pop(seat, None)
            if order.cards is not None:
                filed[seat] = order.cards
    return replace(state, nextbill=filed)


def first_chair(state: State, session: int) -> Seat:
    """Return the first living seat, or by CHAIR=ROTATE the next place (§3.2)."""
    if session == 1 or state.on("CHAIR", "FIXED"):
        return next(iter(state.alive), state.order[0])
    after = seats_from(state.order, state.first)[1:]
    return next((seat for seat in (*after, state.first) if seat in state.alive), state.first)


def begin_session(state: State, session: int, clerk: s.Clerk) -> State:
    """Begin a session with its chairs, less the skipped (LOSE=SKIP)."""
    state = replace(
        state,
        session=session,
        first=first_chair(state, session),
        round=0,
        first_period=True,
        filed=0,
        decided=0,
        failed=0,
        docket=(),
        again=(),
        missed=(),
        crises={},
        balancing=False,
        streak=0,
        doomed=False,
    )
    around = s.chair_order(state)
    chairs = tuple(seat for seat in around if seat not in state.skip)
    clerk.minutes.public(
        "session",
        "3.1",
        session=session,
        of=state.number("MAX_SESSIONS"),
        chairs=list(chairs),
        skipped=[seat for seat in around if seat in state.skip],
    )
    state = replace(state, skip=frozenset())
    if not state.serial:
        return open_round(state, chairs, clerk) if chairs else end_session(state, clerk)
    return next_chair(replace(state, queue=chairs, turns=()), clerk)


def open_round(state: State, chairs: tuple[Seat, ...], clerk: s.Clerk) -> State:
    """Open a round: BILL, unless all have a valid NEXTBILL (§3.3, §3.4)."""
    state = replace(state, round=state.round + 1, turns=chairs, again=(), missed=())
    state = take_nextbills(state, clerk)
    opening = state.round == 1 and not state.serial
    if chairs and (opening or any(chair not in state.taken for chair in chairs)):
        return replace(state, phase=s.BILL)
    if chairs:
        clerk.minutes.public("bill_skipped", "3.3", chairs=list(chairs))
    return after_bill(floor.lay_bills(state, {}, clerk), clerk)


def take_nextbills(state: State, clerk: s.Clerk) -> State:
    """Use valid NEXTBILLs; drop invalid ones and tell their owners (§3.4)."""
    waiting, taken = dict(state.nextbill), {}
    for chair in state.turns:
        filed = waiting.pop(chair, None)
        if filed is None:
            continue
        problems = checked(NextBill(filed), Case(state, chair, {}, clerk.tables)).problems
        if not problems:
            taken[chair] = filed
            clerk.minutes.private("nextbill_taken", "3.4", [chair], cards=list(filed))
        else:
            why = problems[0].message
            clerk.minutes.private("nextbill_dropped", "3.4", [chair], cards=list(filed), why=why)
    return replace(state, nextbill=waiting, taken=taken)


def after_bill(state: State, clerk: s.Clerk) -> State:
    """Go to AMEND, or VOTE without open bills."""
    if s.amendments_allowed(state) and any(s.amendable(state, bill) for bill in state.docket):
        return replace(state, phase=s.AMEND)
    return to_vote(state, clerk)


def after_amend(state: State, clerk: s.Clerk) -> State:
    """Go to AMENDVOTE if anything was moved."""
    return replace(state, phase=s.AMENDVOTE) if s.moved(state) else to_vote(state, clerk)


def to_vote(state: State, clerk: s.Clerk) -> State:
    """Go to VOTE unless the docket is empty."""
    if state.docket:
        return replace(state, phase=s.VOTE)
    return after_vote(decide(state, {}, clerk), clerk)


def after_vote(state: State, clerk: s.Clerk) -> State:
    """Go to the next round, chair or the session's end (§3.1, §3.3)."""
    if state.winners is not None:
        return state
    if state.doomed:
        return end_session(state, clerk)
    if not state.serial:
        return _after_vote_together(state, clerk)
    # extended: back to AMEND, before the next chair
    return after_bill(state, clerk) if state.docket else next_chair(state, clerk)


def _after_vote_together(state: State, clerk: s.Clerk) -> State:
    again = tuple(seat for seat in s.chair_order(state) if seat in state.again)
    if again:
        return open_round(replace(state, balancing=False), again, clerk)
    if not _may_end(state, clerk):
        return open_round(replace(state, balancing=True), s.chair_order(state), clerk)
    if state.docket:
        return open_round(replace(state, balancing=False), (), clerk)
    return end_session(state, clerk)


def next_chair(state: State, clerk: s.Clerk) -> State:
    """Go to the chair whose Crisis passed, the next in the queue, or by rotation until balance
    (SERIAL)."""
    again = tuple(seat for seat in state.again if seat in state.alive)
    if again:
        return open_round(state, again, clerk)
    queue = tuple(seat for seat in state.queue if seat in state.alive)
    if queue:
        return open_round(replace(state, queue=queue[1:]), queue[:1], clerk)
    if not state.turns or _may_end(state, clerk):
        return end_session(replace(state, queue=()), clerk)
    start = seats_from(state.order, state.turns[0])
    after = next(seat for seat in (*start[1:], start[0]) if seat in state.alive)
    chair = after if state.balancing else s.chair_order(state)[0]
    return open_round(replace(state, queue=(), balancing=True), (chair,), clerk)


def _may_end(state: State, clerk: s.Clerk) -> bool:
    if balanced(state):
        return True
    told: dict[str, Any] = {"mode": state.options["BALANCED"], "sum": cards.balance(state.law)}
    bound = state.number("BALANCED_ROUNDS")
    if state.round >= bound:
        clerk.minutes.public("never_balanced", "6.10", rounds=state.round, **told)
        return True
    clerk.minutes.public("unbalanced", "6.10", **told)
    return False


def end_session(state: State, clerk: s.Clerk) -> State:
    """Check victory and Stalled, then campaign (§4.9)."""
    state = replace(state, turns=(), queue=(), again=(), docket=(), balancing=False, taken={})
    winners, rule = election.victors(state, clerk.tables)
    clerk.minutes.public("victory" if winners else "no_victory", rule, winners=list(winners))
    if winners:
        return replace(state, winners=winners)
    stalled = state.on("STALLED") and 2 * state.failed > state.decided
    if stalled:
        clerk.minutes.public("stalled", "6.6", failed=state.failed, decided=state.decided)
        if state.on("STALLED_END", "GAME"):
            return replace(state, winners=())
    if stalled or state.doomed:
        return close_election(election.all_lose(state, clerk), clerk)
    clerk.minutes.public(
        "campaign", "4.9.3", session=state.session, threshold=election.threshold(state)
    )
    return replace(state, phase=s.CAMPAIGN)


def close_election(state: State, clerk: s.Clerk) -> State:
    """Reset the session's counts; go on or end (step 5)."""
    state = replace(state, eye=dict.fromkeys(state.seats, 0), decided=0, failed=0)
    if state.winners is not None:
        return state
    if state.session >= state.number("MAX_SESSIONS"):
        return _finish(state, clerk)
    return begin_session(state, state.session + 1, clerk)


def _finish(state: State, clerk: s.Clerk) -> State:
    """4.9.5, 6.4. Most terms, then last score, then tokens, else joint."""

    def rank(seat: Seat) -> tuple[Any, ...]:
        return state.terms[seat], state.last_score.get(seat, Fraction(0)), state.tokens(seat)

    best = max(map(rank, state.alive))
    winners = tuple(seat for seat in state.alive if rank(seat) == best)
    rule = "4.9.5"
    if state.on("SINGLE_PARTY"):
        winners, rule = (), "6.8"
    elif state.joint:
        teams = {state.team(seat) for seat in winners}
        winners, rule = tuple(seat for seat in state.alive if state.team(seat) in teams), "6.4"
    clerk.minutes.public("finish", rule, sessions=state.session, winners=list(winners))
    return replace(state, winners=winners)


def give(state: State, orders: Orders, clerk: s.Clerk) -> State:
    """Transfer gifts; they cannot be spent this period. Secret votes: publish the total."""
    gifts = [
        (seat, order.target, order.tokens)
        for seat in state.alive
        for order in orders[seat].values()
        if isinstance(order, Give) and order.target in state.alive
    ]
    if gifts and state.secret:
        clerk.minutes.public("gifts_total", "3.8", tokens=sum(tokens for _, _, tokens in gifts))
    for giver, taker, tokens in gifts:
        if state.secret:
            clerk.minutes.private(
                "gift", "3.8", [giver, taker], giver=giver, taker=taker, tokens=tokens
            )
        else:
            clerk.minutes.public("gift", "3.8", giver=giver, taker=taker, tokens=tokens)
    entries = [
        Payment(state.period, giver, taker, tokens, "gift") for giver, taker, tokens in gifts
    ]
    return replace(state, accounts=pay(listed_anew(state.accounts), entries))
