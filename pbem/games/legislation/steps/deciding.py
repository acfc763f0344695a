"""Decide bills one by one, each enacted and paid for before the next (§4.3, §4.6, §6.3)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from pbem.games.frame.events import Orders, Seat
from pbem.games.frame.treasury import BANK, Payment
from pbem.games.frame.treasury import pay as settle
from pbem.games.legislation import cards
from pbem.games.legislation import state as s
from pbem.games.legislation.orders import ADD, AYE, CHOICES, NAY, NONE, PRESENT, StandingVote, Vote
from pbem.games.legislation.state import State
from pbem.games.legislation.steps.floor import tally
from pbem.orders.order import Standing
from pbem.orders.spelling import is_number

Sides = Mapping[str, list[Seat]]


def file_standing(state: State, orders: Orders) -> State:
    """File or end STANDING VOTE (§3.6)."""
    standing = dict(state.standing)
    for seat, given in orders.items():
        standing.pop(seat, None)
        if choice := standing_vote(state.standing.get(seat), given):
            standing[seat] = choice
    return replace(state, standing=standing)


def standing_vote(before: str | None, given: Standing) -> str | None:
    order = given.get("STANDING")
    if isinstance(order, StandingVote):
        return None if order.choice == NONE else order.choice
    return before


def decide(state: State, orders: Orders, clerk: s.Clerk) -> State:
    """Decide after VOTE: Crises first, each in chair order. Extended bills stay."""
    extended: list[s.Bill] = []
    for entry in deciding_order(state):
        if _over(state):
            if isinstance(entry, s.Bill):
                _lapse(entry, "the session is over", "6.10", clerk)
            continue
        if isinstance(entry, s.Bill):
            state, bill, fate = _decide_one(state, entry, _sides(state, entry, orders), clerk)
            if state.winners is not None:
                return replace(state, docket=())
            if fate == s.EXTENDED:
                extended.append(bill)
                continue
            passed = fate == s.PASSED
            if passed and bill.crisis and bill.chair in state.alive:
                clerk.minutes.public("new_turn", "4.5", chair=bill.chair)
                state = replace(state, again=(*state.again, bill.chair))
        else:
            passed = False
        state = _count_streak(state, passed, clerk)
    return replace(state, docket=_still_open(state, extended, _over(state), clerk), missed=())


def _over(state: State) -> bool:
    """6.10. Return whether the rest lapses."""
    return state.doomed or (state.balancing and not state.serial and balanced(state))


def deciding_order(state: s.Public) -> list[s.Bill | Seat]:
    """Return the bills, and for Balanced Budget the chairs without one."""
    around = state.order.index(state.first)

    def place(entry: s.Bill | Seat) -> tuple[bool, int, int]:
        bill = isinstance(entry, s.Bill)
        chair = entry.chair if isinstance(entry, s.Bill) else entry
        crisis = isinstance(entry, s.Bill) and entry.crisis
        number = int(entry.id[1:]) if isinstance(entry, s.Bill) and is_number(entry.id[1:]) else 0
        return (
            not crisis,
            (state.order.index(chair) - around) % len(state.order),
            number if bill else 10_000,
        )

    return sorted((*state.docket, *state.missed), key=place)


def earlier_bills(state: s.Public, bill: s.Bill) -> list[s.Bill]:
    """Return the bills decided before it."""
    order = [one for one in deciding_order(state) if isinstance(one, s.Bill)]
    return list(takewhile(lambda one: one.id != bill.id, order))


def _sides(state: State, bill: s.Bill, orders: Orders) -> dict[str, list[Seat]]:
    """Return seats by order, standing vote, or absence (ruling 4)."""
    sides: dict[str, list[Seat]] = {choice: [] for choice in CHOICES}
    for seat in s.chair_order(state):
        order = orders.get(seat, {}).get(f"VOTE {bill.id}")
        choice = order.choice if isinstance(order, Vote) else state.standing.get(seat)
        if choice:
            sides[choice].append(seat)
    return sides


def drop_laws(state: s.Public, bill: s.Bill) -> s.Bill:
    """Drop cards already law, for good (step 1)."""
    gone = tuple(card for card in bill.cards if card in state.law)
    return replace(bill, dropped=(*bill.dropped, *gone))


def _decide_one(
    state: State, bill: s.Bill, sides: Sides, clerk: s.Clerk
) -> tuple[State, s.Bill, str]:
    """4.3, the five steps."""
    before, bill = bill, drop_laws(state, bill)
    if gone := bill.dropped[len(before.dropped) :]:
        clerk.minutes.public("dropped", "4.3.1", id=bill.id, cards=list(gone))
    if not bill.standing_core and not bill.crisis:
        _lapse(bill, "its core is law already", "4.3.1", clerk)
        return state, bill, s.LAPSED
    fate, rule, why = _fate(state, bill, sides)
    clerk.minutes.public(
        "vote",
        rule,
        id=bill.id,
        chair=bill.chair,
        yellow=bill.yellow,
        cards=list(bill.cards),
        verdict=fate,
        why=why,
        absent=state.n - sum(map(len, sides.values())),
        **tally(state, sides),
    )
    if fate == s.EXTENDED:
        later = replace(bill, extensions=bill.extensions + 1, fresh=state.serial)
        return state, later, s.EXTENDED
    if bill.crisis and fate != s.PASSED:
        clerk.minutes.public("crisis_lost", "4.5", id=bill.id)
        return replace(state, winners=()), bill, fate
    if fate == s.LAPSED:
        return state, bill, s.LAPSED
    state = replace(state, decided=state.decided + 1, failed=state.failed + (fate != s.PASSED))
    state = pay(state, bill, sides, fate, clerk)
    state = watch(state, bill, sides, clerk)
    if fate == s.PASSED:
        return enact(state, bill, clerk), bill, s.PASSED
    return _count_crown(state, sides), bill, s.FAILED


@dataclass(frozen=True, slots=True)
class Needs:
    """A vote's thresholds."""

    quorum: int
    """0 for none."""
    ayes: int
    present: int
    """To extend."""


def needs(state: s.Public, n: int, ayes: int, nays: int) -> Needs:
    """Return thresholds for ``n`` players with these Ayes and Nays (§4.3)."""
    half, quorum = (n + 1) // 2, state.on("QUORUM", "HALF")
    simple = int((ayes + nays) * state.share("majority")) + 1
    return Needs(
        half if quorum else 0,
        max(simple, 2) if quorum and n >= 4 else simple,
        half if state.on("EXTEND", "HALF") else n // 2 + 1,
    )


def _fate(state: State, bill: s.Bill, sides: Sides) -> tuple[str, str, str]:
    """4.3. Return verdict, paragraph, reason."""
    a, b, c = (len(sides[choice]) for choice in CHOICES)
    asks = needs(state, state.n, a, b)
    if a + b + c < asks.quorum:
        return s.LAPSED, "4.3.2", f"{a + b + c} votes, the quorum is {asks.quorum}"
    needed, present = asks.ayes, asks.present
    majority = a >= needed
    veto = state.share("veto")
    thirds = bill.yellow != s.THREAT_OF_VETO or a >= veto * (a + b)
    wanted = f"{needed} {'Aye was' if needed == 1 else 'Ayes were'} needed"
    passes = s.PASSED, "4.3.3", wanted
    extends = s.EXTENDED, "4.3.4", f"{present} Present extend it"
    may_pass = majority and thirds
    may_extend = c >= present and bill.extensions < state.number("MAX_EXTEND")
    first, second = (passes, extends), (may_pass, may_extend)
    if state.on("PRECEDENCE", "EXTEND"):
        first, second = (extends, passes), (may_extend, may_pass)
    for outcome, possible in zip(first, second, strict=True):
        if possible:
            return outcome
    if majority:
        share = "two thirds" if veto == s.NUMBERS["veto"] else f"{veto} of Ayes and Nays"
        return s.VETOED, "4.3.3", f"a majority, but short of the {share}"
    return s.FAILED, "4.3.5", wanted


def _lapse(bill: s.Bill, why: str, rule: str, clerk: s.Clerk) -> None:
    clerk.minutes.public("lapsed", rule, id=bill.id, chair=bill.chair, why=why)


def enact(state: State, bill: s.Bill, clerk: s.Clerk) -> State:
    """Put cards into the law, or back with their opposites (§4.8)."""
    law = cards.law_after(state.law, bill.cards)
    entered = [card for card in bill.cards if card in law]
    cancelled = [card for card in bill.cards if card not in law]
    clerk.minutes.public("enacted", "4.8", id=bill.id, entered=entered, cancelled=cancelled)
    return replace(state, law=law)


def _count_crown(state: State, sides: Sides) -> State:
    """6.7."""
    crown = dict(state.crown)
    for seat in sides["NAY"]:
        if cards.CROWN in state.hand[seat]:
            crown[seat] = crown.get(seat, 0) + 1
    return replace(state, crown=crown)


def _count_streak(state: State, passed: bool, clerk: s.Clerk) -> State:
    if state.on("BALANCED", "OFF"):
        return state
    streak = 0 if passed else state.streak + 1
    doomed = streak >= state.n
    if doomed:
        clerk.minutes.public("doomed", "6.10", streak=streak)
    return replace(state, streak=streak, doomed=doomed)


def balanced(state: State) -> bool:
    """Return whether the law lets the session end (BALANCED)."""
    total = cards.balance(state.law)
    ends = {"ZERO": total == 0, "NO_DEFICIT": total <= 0, "LITERAL": total > 0}
    return ends.get(state.options["BALANCED"], True)


def _still_open(
    state: State, extended: list[s.Bill], over: bool, clerk: s.Clerk
) -> tuple[s.Bill, ...]:
    """Return extended bills that wait. One with a core that is law lapses; at the end all do."""
    kept = []
    for bill in extended:
        now = drop_laws(state, bill)
        if over:
            _lapse(bill, "the session is over", "6.10", clerk)
        elif not now.standing_core and not now.crisis:
            _lapse(bill, "its core is law already", "4.4", clerk)
        else:
            kept.append(bill)
    return tuple(kept)


def pay(state: State, bill: s.Bill, sides: Sides, fate: str, clerk: s.Clerk) -> State:
    """Pay for a bill ``passed``, ``failed`` or ``vetoed``; a held bonus goes to all paid."""
    if bill.yellow == s.TREASURY_MIXUP:
        clerk.minutes.public("mixup", "4.7", id=bill.id, held=state.mixup + 1)
        return replace(state, mixup=state.mixup + 1)
    choices = {seat: choice for choice in (AYE, NAY) for seat in sides[choice]}
    paid = {
        seat: why
        for seat in dict.fromkeys([*choices, bill.chair])
        if sum((why := grounds(state, bill, seat, choices.get(seat), fate, clerk.tables)).values())
    }
    if not paid:
        return state
    if state.mixup:
        paid = {
            seat: {**why, "held since a Treasury Mix-up": state.mixup} for seat, why in paid.items()
        }
        state = replace(state, mixup=0)
    told = {seat: {"tokens": sum(why.values()), "why": why} for seat, why in paid.items()}
    if state.secret:
        clerk.minutes.public(
            "paid_total", "4.6", id=bill.id, tokens=sum(sum(why.values()) for why in paid.values())
        )
        for seat, one in told.items():
            clerk.minutes.private("paid", "4.6", [seat], id=bill.id, paid={seat: one})
    else:
        clerk.minutes.public("paid", "4.6", id=bill.id, paid=told)
    entries = [
        Payment(state.period, BANK, seat, sum(why.values()), f"pay for {bill.id}")
        for seat, why in paid.items()
    ]
    return replace(state, accounts=settle(state.accounts, entries))


def grounds(
    state: s.Public,
    bill: s.Bill,
    seat: Seat,
    choice: str | None,
    fate: str,
    tables: Mapping[str, Any],
) -> dict[str, int]:
    """Return {reason: tokens} by vote and fate; nothing for a Mix-up."""
    found: dict[str, int] = {}
    passed, vetoed = fate == s.PASSED, fate == s.VETOED
    if bill.yellow == s.TREASURY_MIXUP:
        return found
    if choice == AYE and (passed or vetoed):
        found["Aye"] = tables["pay"]
    if choice == NAY and (fate == s.FAILED or (vetoed and state.on("VETO_PAY", "BOTH"))):
        found["Nay"] = tables["pay"]
    if choice == AYE and passed and bill.yellow == s.THREAT_OF_VETO:
        found["Threat of Veto"] = tables["veto_bonus"]
    chair = seat == bill.chair and seat in state.alive
    if chair and passed and bill.yellow == s.CORPORATE_APPROVAL and not bill.removed:
        found["Corporate Approval"] = state.number("CORP_BONUS")
    if choice == NAY and not passed and bill.yellow == s.CORPORATE_DISAPPROVAL:
        found["Corporate Disapproval"] = tables["nay_bonus"]
    return found


def watch(state: State, bill: s.Bill, sides: Sides, clerk: s.Clerk) -> State:
    """Add a decided bill's half points; tell each its own."""
    if not state.on("PUBLIC_EYE"):
        return state
    eye = dict(state.eye)
    for seat in state.alive:
        goals = state.objectives(seat)
        choice = next((choice for choice in (AYE, NAY) if seat in sides[choice]), PRESENT)
        vote = voted(state, goals, bill, choice)
        drafted = bill.filed if bill.chair == seat and not bill.crisis else ()
        draft = points(state, goals, drafted)
        moved = sum(
            motion(state, goals, amendment)
            for amendment in bill.carried
            if seat in amendment.movers
        )
        eye[seat] += vote + draft + moved
        if vote or draft or moved:
            clerk.minutes.private(
                "eye", "6.3", [seat], id=bill.id, vote=vote, draft=draft, moved=moved, eye=eye[seat]
            )
    return replace(state, eye=eye)


def points(state: s.Public, goals: Sequence[str], named: Iterable[str]) -> int:
    return sum(sum(cards.regard(goals, card, state.conflicting)) for card in named)


def motion(state: s.Public, goals: Sequence[str], amendment: s.Amendment) -> int:
    worth = points(state, goals, [amendment.card])
    return worth if amendment.action == ADD else -worth


def voted(state: s.Public, goals: Sequence[str], bill: s.Bill, choice: str) -> int:
    """Return a vote's half points under the yellow card (§1.3)."""
    way = (choice == AYE) - (choice == NAY)
    values = [
        way * value for card in bill.cards for value in cards.regard(goals, card, state.conflicting)
    ]
    if bill.yellow == s.PUBLIC_DISTRACTION:
        return 0
    return sum(
        value
        for value in values
        if not (value < 0 and bill.yellow == s.PUBLIC_APPROVAL)
        and not (value > 0 and bill.yellow == s.PUBLIC_DISAPPROVAL)
    )
