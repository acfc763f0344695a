"""Lay and amend bills (§4.1, §4.2), and decide them one by one, each enacted and paid for before
the next (§4.3, §4.6, §6.3)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from pbem.games.frame.events import PUBLIC, Event, Orders, Seat, seats_from
from pbem.games.frame.treasury import BANK, Payment
from pbem.games.frame.treasury import pay as settle
from pbem.games.legislation import cards
from pbem.games.legislation import orders as o
from pbem.games.legislation import state as s
from pbem.games.legislation.orders import ADD, AYE, CHOICES, NAY, NONE, PRESENT, StandingVote, Vote
from pbem.games.legislation.state import State
from pbem.orders.order import Standing
from pbem.orders.spelling import is_number


def positions(state: State, orders: Orders, clerk: s.Clerk) -> State:
    """Publish positions; with TOKENS=AT_ONCE all that lie (§3.7)."""
    told = _lying(state, orders)
    if told:
        clerk.minutes.public("positions", "3.7", positions=told, lie=state.tokens_at_once)
    return replace(state, laid=told) if state.tokens_at_once else state


def _lying(state: State, orders: Orders) -> dict[Seat, dict[str, str]]:
    told = {
        seat: {**state.laid.get(seat, {}), **laid_by(orders.get(seat, {}))} for seat in state.alive
    }
    return {seat: sides for seat, sides in told.items() if sides}


def tokens_lie(state: State, orders: Orders) -> tuple[Event, ...]:
    """Return how the tokens lie with these orders (§3.7, TOKENS=AT_ONCE), or nothing."""
    told = _lying(state, orders) if state.tokens_at_once else {}
    return (Event("positions", "3.7", PUBLIC, {"positions": told, "lie": True}),) if told else ()


def laid_by(standing: Standing) -> dict[str, str]:
    """Return a seat's tokens, {card: side}."""
    return {one.card: one.side for one in standing.values() if isinstance(one, o.Position)}


def clear_tokens(state: State) -> State:
    """Remove tokens from cards no longer before the house."""
    cards_left = {card for bill in state.docket for card in bill.cards}
    laid = {
        seat: {card: side for card, side in sides.items() if card in cards_left}
        for seat, sides in state.laid.items()
    }
    return replace(state, laid={seat: sides for seat, sides in laid.items() if sides})


def token_told(state: State, seat: Seat, before: Standing, standing: Standing) -> tuple[Event, ...]:
    """Return what is told at once of tokens (§3.7)."""
    old, new = laid_by(before), laid_by(standing)
    lay = {card: side for card, side in new.items() if old.get(card) != side}
    lain = state.laid.get(seat, {})
    back = {card: lain.get(card, "") for card in old if card not in new}
    if not state.tokens_at_once or not (lay or back):
        return ()
    return (Event("token_laid", "3.7", PUBLIC, {"seat": seat, "laid": lay, "back": back}),)


def lay_bills(state: State, orders: Orders, clerk: s.Clerk) -> State:
    """Lay bills in chair order, with yellow cards (§4.1). Without a bill the turn is missed."""
    missed = []
    for chair in (seat for seat in state.turns if seat in state.alive):
        order = orders.get(chair, {}).get("BILL")
        filed = order.cards if isinstance(order, o.FileBill) else state.taken.get(chair)
        if not filed:
            missed.append(chair)
            clerk.minutes.public("no_bill", "3.5", chair=chair)
            continue
        state = replace(state, filed=state.filed + 1)
        bill = s.Bill(f"B{state.filed}", chair, filed, filed)
        clerk.minutes.public("bill", "4.1", id=bill.id, chair=chair, cards=list(filed))
        if state.on("BILL_MODIFIERS"):
            state, bill = _modified(state, bill, clerk)
        state = replace(state, docket=(*state.docket, bill))
    return replace(state, missed=tuple(missed), taken={})


def _modified(state: State, bill: s.Bill, clerk: s.Clerk) -> tuple[State, s.Bill]:
    """6.1. Reshuffle the empty deck."""
    deck, shuffles = state.yellow_deck, state.yellow_shuffles
    if not deck:
        shuffles += 1
        deck = tuple(clerk.dice.stream(f"yellow/{shuffles}").shuffled(list(clerk.tables["yellow"])))
    bill = replace(bill, yellow=deck[-1])
    state = replace(state, yellow_deck=deck[:-1], yellow_shuffles=shuffles)
    told = {"card": bill.yellow, "effect": clerk.tables["yellow"][bill.yellow]}
    clerk.minutes.public("yellow", "1.3", id=bill.id, chair=bill.chair, **told)
    return _crisis(state, bill, clerk) if bill.yellow == s.CRISIS else (state, bill)


def _crisis(state: State, bill: s.Bill, clerk: s.Clerk) -> tuple[State, s.Bill]:
    """4.1. Draw three pool cards of different issues for the core."""
    count = state.crises.get(bill.chair, 0) + 1
    again = f"/{count}" if count > 1 else ""
    pack = clerk.dice.stream(f"crisis/{state.session}/{bill.chair}{again}").shuffled(state.pool)
    by_issue = dict[str, str]()
    for card in reversed(pack):
        by_issue.setdefault(cards.issue(card), card)
    core = list(by_issue.values())[: clerk.tables["crisis_cards"]]
    told = {"replaced": list(bill.core), "cards": core}
    clerk.minutes.public("crisis", "4.1", id=bill.id, chair=bill.chair, **told)
    state = replace(state, crises={**state.crises, bill.chair: count})
    return state, replace(bill, core=tuple(core))


def move_amendments(state: State, orders: Orders, clerk: s.Clerk) -> State:
    """Merge equal motions; number them by bill from the chair's left (§4.2)."""
    number, docket = 0, []
    for bill in state.docket:
        motions: dict[tuple[str, str], list[Seat]] = {}
        around = seats_from(state.order, bill.chair)
        for seat in (*around[1:], around[0]):
            order = orders.get(seat, {}).get(f"AMEND {bill.id}")
            if isinstance(order, o.Amend) and s.amendable(state, bill):
                motions.setdefault((order.action, order.card), []).append(seat)
        made = []
        for (action, card), movers in motions.items():
            number += 1
            made.append(s.Amendment(f"A{number}", bill.id, action, card, tuple(movers)))
            clerk.minutes.public("moved", "4.2", **made[-1].told, movers=movers)
        docket.append(replace(bill, amendments=tuple(made)))
    if not number:
        clerk.minutes.public("nothing_moved", "3.3")
    return replace(state, docket=tuple(docket))


def vote_amendments(state: State, orders: Orders, clerk: s.Clerk) -> State:
    """Carry by majority; apply in number order, with BINDING=OFF if the chair accepts (§4.2)."""
    carried: list[s.Amendment] = []
    for amendment in s.moved(state):
        sides: dict[str, list[Seat]] = {"AYE": [], "NAY": [], "PRESENT": []}
        for seat in s.chair_order(state):
            order = orders.get(seat, {}).get(f"VOTE {amendment.id}")
            if isinstance(order, o.Vote):
                sides[order.choice].append(seat)
        passed = len(sides["AYE"]) > len(sides["NAY"])
        if passed:
            carried.append(amendment)
        told = {**amendment.told, "carried": passed, **tally(state, sides)}
        clerk.minutes.public("amendment_vote", "4.2", **told)
    docket = tuple(_amended(state, bill, carried, orders, clerk) for bill in state.docket)
    return replace(state, docket=docket)


def tally(state: State, sides: Mapping[str, list[Seat]]) -> dict[str, object]:
    """Return the counts, and the voters unless secret."""
    votes = {side.lower(): seats for side, seats in sides.items()}
    counts: dict[str, object] = {side: len(seats) for side, seats in votes.items()}
    return counts | {"votes": None if state.secret else votes}


def _amended(
    state: State, bill: s.Bill, carried: list[s.Amendment], orders: Orders, clerk: s.Clerk
) -> s.Bill:
    taken = [amendment for amendment in bill.amendments if amendment in carried]
    order = orders.get(bill.chair, {}).get("ACCEPT")
    if state.on("BINDING", "OFF") and bill.amendments:
        if isinstance(order, o.Accept) and order.words != (o.CARRIED,):
            taken = accepted(bill, order)
        ids = [amendment.id for amendment in taken]
        clerk.minutes.public("accepted", "R6", bill=bill.id, chair=bill.chair, amendments=ids)
    for amendment in taken:
        changed, why = applied(state, bill, amendment)
        clerk.minutes.public(
            "amendment_void" if why else "amended",
            "4.2",
            **amendment.told,
            why=why,
            cards=list(changed.cards),
        )
        bill = changed
    return replace(bill, amendments=())


def accepted(bill: s.Bill, order: o.Accept) -> list[s.Amendment]:
    """Return the amendments that the chair names (R6)."""
    return [one for one in bill.amendments if order.words == (o.ALL,) or one.id in order.words]


def applied(state: s.Public, bill: s.Bill, amendment: s.Amendment) -> tuple[s.Bill, str]:
    """Return the amended bill, or the bill and why the amendment is void."""
    if why := _void(state, bill, amendment):
        return bill, why
    card, carried = amendment.card, (*bill.carried, amendment)
    if amendment.action == o.ADD and card in bill.removed:
        bill = replace(bill, removed=_without(bill.removed, card))
    elif amendment.action == o.ADD:
        bill = replace(bill, added=(*bill.added, card))
    elif card in bill.added:
        bill = replace(bill, added=_without(bill.added, card))
    else:
        bill = replace(bill, removed=(*bill.removed, card))
    return replace(bill, carried=carried), ""


def _without(pile: tuple[str, ...], card: str) -> tuple[str, ...]:
    return tuple(one for one in pile if one != card)


def _void(state: s.Public, bill: s.Bill, amendment: s.Amendment) -> str:
    """Return why it does not apply; "" if it does."""
    card, why = amendment.card, ""
    if amendment.action == o.REMOVE:
        if card not in bill.cards:
            why = f"{card} is not in the bill"
        elif bill.standing_core == (card,):
            why = f"{card} is the last card of the core"
    elif card in bill.cards:
        why = f"{card} is in the bill already"
    elif card not in state.pool:
        why = f"{card} is not in the pool"
    elif cards.opposite(card) in bill.cards:
        why = f"{cards.opposite(card)} is in the bill"
    return why


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
    around = seats_from(state.order, state.first)

    def place(entry: s.Bill | Seat) -> tuple[bool, int, int]:
        if not isinstance(entry, s.Bill):
            return True, around.index(entry), 10_000
        number = int(entry.id[1:]) if is_number(entry.id[1:]) else 0
        return not entry.crisis, around.index(entry.chair), number

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
        held = {"held since a Treasury Mix-up": state.mixup}
        paid = {seat: why | held for seat, why in paid.items()}
        state = replace(state, mixup=0)
    told: dict[Seat, dict[str, Any]]
    told = {seat: {"tokens": sum(why.values()), "why": why} for seat, why in paid.items()}
    if state.secret:
        total = sum(one["tokens"] for one in told.values())
        clerk.minutes.public("paid_total", "4.6", id=bill.id, tokens=total)
        for seat, one in told.items():
            clerk.minutes.private("paid", "4.6", [seat], id=bill.id, paid={seat: one})
    else:
        clerk.minutes.public("paid", "4.6", id=bill.id, paid=told)
    entries = [
        Payment(state.period, BANK, seat, one["tokens"], f"pay for {bill.id}")
        for seat, one in told.items()
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
        moved = sum(motion(state, goals, one) for one in bill.carried if seat in one.movers)
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
    lost = {s.PUBLIC_APPROVAL: -1, s.PUBLIC_DISAPPROVAL: 1}.get(bill.yellow or "", 0)
    return sum(value for value in values if value != lost)
