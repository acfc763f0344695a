"""The course of a session (§3, §4.9): victory check, campaign, election, and losing it (§4.9.1 to
§4.9.4, §6.5, §6.9), also by RESIGN (§3.10)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from pbem.games.frame import codec
from pbem.games.frame.dice import Stream
from pbem.games.frame.events import Orders, Seat, seats_from
from pbem.games.frame.treasury import BANK, Payment, listed_anew, pay
from pbem.games.legislation import cards
from pbem.games.legislation import orders as o
from pbem.games.legislation import state as s
from pbem.games.legislation.state import Clerk, Public, State
from pbem.games.legislation.steps import deciding
from pbem.orders.declared import checked


def file_nextbills(state: State, orders: Orders) -> State:
    """File or end NEXTBILL (§3.4)."""
    filed = dict(state.nextbill)
    for seat, given in orders.items():
        order = given.get("NEXTBILL")
        if isinstance(order, o.NextBill):
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
    return after_bill(deciding.lay_bills(state, {}, clerk), clerk)


def take_nextbills(state: State, clerk: s.Clerk) -> State:
    """Use valid NEXTBILLs; drop invalid ones and tell their owners (§3.4)."""
    waiting, taken = dict(state.nextbill), {}
    for chair in state.turns:
        filed = waiting.pop(chair, None)
        if filed is None:
            continue
        problems = checked(o.NextBill(filed), o.Case(state, chair, {}, clerk.tables)).problems
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


def to_vote(state: State, clerk: s.Clerk) -> State:
    """Go to VOTE unless the docket is empty."""
    if state.docket:
        return replace(state, phase=s.VOTE)
    return after_vote(deciding.decide(state, {}, clerk), clerk)


def after_vote(state: State, clerk: s.Clerk) -> State:
    """Go to the next round, chair or the session's end (§3.1, §3.3)."""
    if state.winners is not None:
        return state
    if state.doomed:
        return end_session(state, clerk)
    if state.serial:  # extended: back to AMEND, before the next chair
        return after_bill(state, clerk) if state.docket else next_chair(state, clerk)
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
    if deciding.balanced(state):
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
    winners, rule = victors(state, clerk.tables)
    clerk.minutes.public("victory" if winners else "no_victory", rule, winners=list(winners))
    if winners:
        return replace(state, winners=winners)
    stalled = state.on("STALLED") and 2 * state.failed > state.decided
    if stalled:
        clerk.minutes.public("stalled", "6.6", failed=state.failed, decided=state.decided)
        if state.on("STALLED_END", "GAME"):
            return replace(state, winners=())
    if stalled or state.doomed:
        living = list(state.alive)
        told = {"reelected": [], "losers": living, "tokens": 0, "threshold": None}
        clerk.minutes.public("election", "4.9.4", **told)
        return close_election(lose(state, [], living, clerk), clerk)
    clerk.minutes.public("campaign", "4.9.3", session=state.session, threshold=threshold(state))
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
        if isinstance(order, o.Give) and order.target in state.alive
    ]
    if gifts and state.secret:
        clerk.minutes.public("gifts_total", "3.8", tokens=sum(tokens for _, _, tokens in gifts))
    for giver, taker, tokens in gifts:
        told = {"giver": giver, "taker": taker, "tokens": tokens}
        if state.secret:
            clerk.minutes.private("gift", "3.8", [giver, taker], **told)
        else:
            clerk.minutes.public("gift", "3.8", **told)
    entries = [
        Payment(state.period, giver, taker, tokens, "gift") for giver, taker, tokens in gifts
    ]
    return replace(state, accounts=pay(listed_anew(state.accounts), entries))


def victors(state: State, tables: Mapping[str, Any]) -> tuple[tuple[Seat, ...], str]:
    if state.on("SINGLE_PARTY"):
        goal = state.number("SINGLE_GOAL")
        reached = all(len(state.satisfied(seat)) >= goal for seat in state.alive)
        return state.alive if reached else (), "6.8"
    done = [
        seat
        for seat in state.alive
        if at_goal(state.objectives(seat), state.satisfied(seat), state.crown.get(seat, 0), tables)
    ]
    if not state.joint:
        return tuple(done), "4.9.1"
    mates = [(seat, state.teams[state.team(seat) or ""]) for seat in done]
    return tuple(seat for seat, team in mates if all(mate in done for mate in team)), "6.4"


def at_goal(
    goals: Sequence[str], satisfied: Sequence[str], crown: int, tables: Mapping[str, Any]
) -> bool:
    """6.7. With a blank card only that one counts."""
    if cards.CROWN in goals:
        return crown >= int(tables["crown_bills"])
    return bool(goals) and len(satisfied) == len(goals)


def threshold(state: Public) -> int:
    """Return the score that re-elects (§6.9 THRESHOLD_STEP)."""
    return state.number("THRESHOLD") + state.number("THRESHOLD_STEP") * (state.session - 1)


@dataclass(frozen=True, slots=True)
class Tally:
    """A candidate's campaign."""

    bought: int = 0
    """Points."""
    against: int = 0
    """Points."""
    bitten: tuple[str, ...] = ()
    """Issues voided with effect."""


def campaign(state: State, orders: Orders, clerk: Clerk) -> State:
    """Spend, score, and split re-elected from losers."""
    state, tallies = _spend(state, orders, clerk)
    scores: dict[Seat, Fraction] = {}
    for seat in state.alive:
        tally = tallies[seat]
        scores[seat] = state.score(seat) + tally.bought - tally.against - len(tally.bitten)
        told = {
            "satisfied": len(state.satisfied(seat)),
            "eye": codec.number(Fraction(state.eye[seat], 2)),
            "bought": tally.bought,
            "against": tally.against,
            "voids": list(tally.bitten),
            "score": codec.number(scores[seat]),
            "threshold": threshold(state),
        }
        clerk.minutes.private("score", "4.9.3", [seat], seat=seat, **told)
    if state.on("SCORES", "PUBLIC"):
        clerk.minutes.public(
            "scores", "4.10", scores={seat: codec.number(score) for seat, score in scores.items()}
        )
    return elect(replace(state, last_score={**state.last_score, **scores}), scores, clerk)


def _spend(state: State, orders: Orders, clerk: Clerk) -> tuple[State, dict[Seat, Tally]]:
    """Apply points and voids in table order; repeated voids are wasted (R9)."""
    tallies = {seat: Tally() for seat in state.alive}
    voided: set[tuple[Seat, str]] = set()
    entries, spendings = list[Payment](), list[dict[str, Any]]()
    for seat in state.alive:
        for order in orders[seat].values():
            if not isinstance(order, o.Spend | o.Void):
                continue
            target = seat if order.target == o.ME else order.target
            if target not in tallies:
                continue
            if isinstance(order, o.Spend):
                tallies[target], told = _points(tallies[target], order, clerk.tables)
            else:
                tallies[target], told = _voided(
                    state, target, tallies[target], order, voided, clerk.tables
                )
            entries.append(Payment(state.period, seat, BANK, told["tokens"], str(order)))
            spendings.append({"by": seat, "target": target, **told})
    clerk.minutes.public("spendings", "4.9.3", spendings=spendings)
    for target, issue in sorted(voided):
        bitten = tallies[target].bitten
        bit = issue in bitten if issue else bool(bitten)
        clerk.minutes.private("void", "R9", [target], issue=issue or None, bit=bit)
    return replace(state, accounts=pay(state.accounts, entries)), tallies


def _points(
    tally: Tally, order: o.Spend, tables: Mapping[str, Any]
) -> tuple[Tally, dict[str, Any]]:
    points = order.tokens // tables["point_cost"]
    kind = "against" if order.against else "on"
    more = (
        {"against": tally.against + points} if order.against else {"bought": tally.bought + points}
    )
    told = {"kind": kind, "tokens": order.tokens, "points": points, "issue": None, "wasted": False}
    return replace(tally, **more), told


def _voided(
    state: State,
    target: Seat,
    tally: Tally,
    order: o.Void,
    voided: set[tuple[Seat, str]],
    tables: Mapping[str, Any],
) -> tuple[Tally, dict[str, Any]]:
    scope = (target, "" if state.on("VOID_SCOPE", "PLAYER") else order.issue)
    wasted = scope in voided
    voided.add(scope)
    held = state.on("VOID_EFFECT", "HELD")
    pile = state.objectives(target) if held else state.satisfied(target)
    if not wasted and order.issue in map(cards.issue, pile):
        tally = replace(tally, bitten=(*tally.bitten, order.issue))
    told = {"kind": "void", "tokens": tables["void_cost"], "points": 1, "issue": order.issue}
    return tally, {**told, "wasted": wasted}


def elect(state: State, scores: Mapping[Seat, Fraction], clerk: Clerk) -> State:
    """Pay the re-elected and let them draw; charge the losers (step 4)."""
    winners = [seat for seat in state.alive if scores[seat] >= threshold(state)]
    losers = [seat for seat in state.alive if seat not in winners]
    fee = int(clerk.tables["term_pay"])
    clerk.minutes.public(
        "election",
        "4.9.4",
        reelected=winners,
        losers=losers,
        tokens=fee,
        threshold=threshold(state),
    )
    terms = {seat: state.terms[seat] + (seat in winners) for seat in state.seats}
    entries = [Payment(state.period, BANK, seat, fee, "re-election") for seat in winners]
    state = replace(state, terms=terms, accounts=pay(state.accounts, entries))
    if state.session < state.number("MAX_SESSIONS"):
        for seat in winners:
            state = draw(state, seat, clerk)
    return lose(state, winners, losers, clerk)


def draw(state: State, seat: Seat, clerk: Clerk) -> State:
    """Draw a red card; a second blank one goes under the deck (§6.7)."""
    deck = list(state.red_deck)
    card = cards.take_top(deck, state.hand[seat], cards.one_crown)
    if card is None:
        return state
    clerk.minutes.private("drawn", "4.9.4", [seat], card=card)
    hand = {**state.hand, seat: (*state.hand[seat], card)}
    return replace(state, red_deck=tuple(deck), hand=hand, drawn={**state.drawn, seat: card})


def by_default(state: State, seat: Seat) -> str:
    """Return the drawn card; with RETURN_DRAWN=OFF a clashing, else the oldest one."""
    legal, drawn = o.legal_returns(state, seat), state.drawn[seat]
    if drawn in legal and state.on("RETURN_DRAWN"):
        return drawn
    return next((card for card in state.hand[seat] if card in legal), drawn)


def give_back(state: State, orders: Orders, clerk: Clerk) -> State:
    """Put owed cards under the red deck in secret, in table order."""
    hand, deck = dict(state.hand), list(state.red_deck)
    crown = dict(state.crown)
    for seat in (seat for seat in state.alive if seat in state.drawn):
        order = orders.get(seat, {}).get("RETURN")
        card = order.card if isinstance(order, o.Return) else by_default(state, seat)
        left = list(hand[seat])
        drawn = card == state.drawn[seat]
        place = len(left) - 1 - left[::-1].index(card) if drawn else left.index(card)
        hand[seat] = (*left[:place], *left[place + 1 :])
        deck.insert(0, card)
        if card == cards.CROWN:
            crown.pop(seat, None)
        clerk.minutes.private(
            "returned", "3.9", [seat], card=card, drawn=state.drawn[seat], ordered=order is not None
        )
    return replace(state, hand=hand, red_deck=tuple(deck), crown=crown, drawn={})


def lose(state: State, winners: Sequence[Seat], losers: Sequence[Seat], clerk: Clerk) -> State:
    """Charge the losers; in the last session only tokens and place."""
    last = state.session >= state.number("MAX_SESSIONS")
    if not losers:
        return state
    if state.on("ASSIMILATION"):
        if winners:
            return _assimilate(state, losers, clerk, deal=not last)
        return state if last else new_hands(state, losers, clerk)
    if not state.on("PARTIES", "OFF") and not last:
        state = _change_party(state, losers, clerk)
    for cost in state.options["LOSE"].split("+"):
        match cost:
            case "NEWHAND" | "SKIP" if last:
                continue
            case "NEWHAND":
                state = new_hands(state, losers, clerk)
            case "SKIP":
                clerk.minutes.public("skip", "4.9.4", seats=list(losers))
                state = replace(state, skip=state.skip | frozenset(losers))
            case "FINE":
                clerk.minutes.public("fine", "4.9.4", seats=list(losers))
                state = _to_bank(state, losers, "lost the election")
    return state if state.on("PARTIES", "OFF") or last else _pass_on(state, losers, clerk)


def _to_bank(state: State, seats: Sequence[Seat], purpose: str) -> State:
    entries = [
        Payment(state.period, seat, BANK, max(0, state.tokens(seat)), purpose) for seat in seats
    ]
    return replace(state, accounts=pay(state.accounts, entries))


def new_hands(state: State, losers: Sequence[Seat], clerk: Clerk) -> State:
    """Put hands under the deck and deal new ones."""
    chance = clerk.dice.stream(f"newhand/{state.session}")
    thrown = chance.shuffled([card for seat in losers for card in state.hand[seat]])
    beside, deck = {seat: state.shared(seat) for seat in losers}, [*thrown, *state.red_deck]
    deck, dealt = deal(state, deck, beside, hand_size(state, clerk), chance)
    clerk.minutes.public("new_hands", "4.9.4", seats=list(losers))
    for seat, hand in dealt.items():
        clerk.minutes.private("hand", "4.9.4", [seat], hand=list(hand))
    crown = {seat: count for seat, count in state.crown.items() if seat not in losers}
    return replace(state, hand={**state.hand, **dealt}, red_deck=tuple(deck), crown=crown)


def hand_size(state: State, clerk: Clerk) -> int:
    """Return red cards dealt: four, or two with team cards."""
    return int(clerk.tables["hand"]) - (int(clerk.tables["team_hand"]) if state.teams else 0)


def deal(
    state: State,
    deck: Sequence[str],
    beside: Mapping[str, Sequence[str]],
    count: int,
    chance: Stream,
    crown: bool = True,
) -> tuple[list[str], dict[str, tuple[str, ...]]]:
    """Deal ``count`` cards beside what each holds."""
    fits = [_rule(state, held, count, crown) for held in beside.values()]
    may = [holding(state, held, crown) for held in beside.values()]
    left, hands = cards.deal(deck, count, fits, may, chance)
    return left, dict(zip(beside, map(tuple, hands), strict=True))


def _rule(state: State, shared: Sequence[str], count: int, crown: bool) -> cards.Fits:
    """Return the rule for ``count`` cards beside ``shared``: different issues (unless Conflicting
    Interests), with SPLIT_DEAL equal signs; ``crown``: one blank card."""
    split = state.on("SPLIT_DEAL") and not state.on("PLUS_ONLY")

    def may(card: str, hand: Sequence[str]) -> bool:
        if card == cards.CROWN:
            return crown and card not in hand
        alike = [cards.sign(held) for held in hand].count(cards.sign(card))
        if split and alike >= (count + 1) // 2:
            return False
        return state.conflicting or cards.issue(card) not in map(cards.issue, (*shared, *hand))

    return may


def holding(state: State, shared: Sequence[str], crown: bool = True) -> cards.Fits:
    """Return the test for holding a card beside ``shared`` (§2.2, §6.2)."""

    def may(card: str, hand: Sequence[str]) -> bool:
        if card == cards.CROWN:
            return crown and card not in hand
        return state.conflicting or cards.opposite(card) not in (*shared, *hand)

    return may


def _change_party(state: State, losers: Sequence[Seat], clerk: Clerk) -> State:
    """6.5. In table order, each to the smallest other party; ties by lot."""
    chance = clerk.dice.stream(f"parties/{state.session}")
    teams = dict(state.teams)
    for seat in losers:
        old = next(name for name, members in teams.items() if seat in members)
        others = [name for name in teams if name != old]
        if not others:
            continue
        least = min(len(teams[name]) for name in others)
        smallest = [name for name in others if len(teams[name]) == least]
        new = smallest[0] if len(smallest) == 1 else chance.choice(smallest)
        teams[old] = tuple(member for member in teams[old] if member != seat)
        teams[new] = (*teams[new], seat)
        clerk.minutes.public("party", "6.5", seat=seat, left=old, joined=new)
        clerk.minutes.private("team", "6.5", [seat], team=new, cards=list(state.team_cards[new]))
    return replace(state, teams=teams)


def _pass_on(state: State, movers: Sequence[Seat], clerk: Clerk) -> State:
    """6.5. A clashing card goes to the next who can hold it, else under the deck."""
    for seat in movers:
        for card in state.hand[seat]:
            if holding(state, state.shared(seat))(card, ()):
                continue
            hand, left = dict(state.hand), list(state.hand[seat])
            left.remove(card)
            hand[seat] = tuple(left)
            clerk.minutes.private("passed_on", "6.5", [seat], card=card)
            around = [other for other in seats_from(state.order, seat)[1:] if other in state.alive]
            if taker := _taker(state, card, hand, around):
                hand[taker] = (*hand[taker], card)
                clerk.minutes.private("passed_to", "6.5", [taker], card=card)
            else:
                state = replace(state, red_deck=(card, *state.red_deck))
            state = replace(state, hand=hand)
    return state


def _taker(
    state: State, card: str, hands: Mapping[Seat, Sequence[str]], around: Sequence[Seat]
) -> Seat | None:
    able = (seat for seat in around if holding(state, state.shared(seat))(card, hands[seat]))
    return next(able, None)


def _assimilate(state: State, losers: Sequence[Seat], clerk: Clerk, deal: bool) -> State:
    """6.9. Red cards go round from the next chair, clashing ones on or under the deck. A player
    with none draws."""
    before = state
    thrown = [card for seat in losers for card in state.hand[seat]]
    pile = clerk.dice.stream(f"assim/{state.session}").shuffled(thrown)
    state = leave(_to_bank(state, losers, "left the game"), losers)
    clerk.minutes.public("eliminated", "6.9", seats=list(losers))
    state = end_if_last(state, before, "6.9", clerk)
    hands = {seat: list(state.hand[seat]) for seat in state.alive}
    deck, got = list(state.red_deck), dict[Seat, list[str]]()
    if state.winners is not None or not deal:
        return replace(state, red_deck=(*pile, *deck))
    after = seats_from(state.order, state.first)
    start = state.order if state.on("CHAIR", "FIXED") else (*after[1:], after[0])
    around = [seat for seat in start if seat in state.alive]
    turn = 0
    while pile:
        card = pile.pop()
        tries = 1 if card == cards.CROWN else len(around)  # a second blank card goes back at once
        seats = [around[place % len(around)] for place in range(turn, turn + tries)]
        taker = _taker(state, card, hands, seats)
        if taker is None:
            deck.insert(0, card)
            continue
        hands[taker].append(card)
        got.setdefault(taker, []).append(card)
        turn += 1 + seats.index(taker)
    for seat in [seat for seat in around if seat not in got]:
        if top := cards.take_top(deck, hands[seat], holding(state, state.shared(seat))):
            hands[seat].append(top)
            got[seat] = [top]
    for seat, dealt in got.items():
        clerk.minutes.private("assimilated", "6.9", [seat], cards=dealt)
    kept = {**state.hand, **{seat: tuple(hand) for seat, hand in hands.items()}}
    return replace(state, hand=kept, red_deck=tuple(deck))


def leave(state: State, leavers: Sequence[Seat]) -> State:
    """Empty places and hands; the caller keeps the cards."""
    gone = frozenset(leavers)
    kept: dict[str, Any] = {
        name: {seat: one for seat, one in getattr(state, name).items() if seat not in gone}
        for name in ("drawn", "nextbill", "taken", "standing", "crown", "ifs")
    }
    return replace(
        state,
        alive=tuple(seat for seat in state.alive if seat not in gone),
        hand={seat: () if seat in gone else hand for seat, hand in state.hand.items()},
        eye={seat: 0 if seat in gone else eye for seat, eye in state.eye.items()},
        skip=state.skip - gone,
        teams={
            name: tuple(m for m in members if m not in gone)
            for name, members in state.teams.items()
        },
        **kept,
    )


def resign(state: State, orders: Orders, clerk: Clerk) -> State:
    """Apply RESIGN first; the bill lapses unless a Crisis."""
    leavers = [seat for seat in state.alive if "RESIGN" in orders.get(seat, {})]
    if not leavers:
        return state
    hands = [card for seat in leavers for card in state.hand[seat]]
    thrown = clerk.dice.stream(f"resign/{state.period}").shuffled(hands)
    before, state = state, leave(_to_bank(state, leavers, "resigned"), leavers)
    lapsed = [bill.id for bill in state.docket if bill.chair in leavers and not bill.crisis]
    clerk.minutes.public("resigned", "3.10", seats=leavers, bills=lapsed, left=state.n)
    docket = tuple(bill for bill in state.docket if bill.id not in lapsed)
    state = replace(state, red_deck=(*thrown, *state.red_deck), docket=docket)
    return end_if_last(state, before, "3.10", clerk)


def end_if_last(state: State, before: State, rule: str, clerk: Clerk) -> State:
    """End with one player or team left (§6.4); with SINGLE_PARTY without a winner (§6.8)."""
    if not state.n:
        return replace(state, winners=())
    teams = {state.team(seat) for seat in state.alive}
    others_gone = len(teams) == 1 and len({before.team(seat) for seat in before.alive}) > 1
    if state.n > 1 and not (state.joint and others_gone):
        return state
    if state.on("SINGLE_PARTY"):
        clerk.minutes.public("left_alone", "6.8", seat=state.alive[0])
        return replace(state, winners=())
    if state.n > 1:
        clerk.minutes.public("last_team", "6.4", seats=list(state.alive), team=next(iter(teams)))
    else:
        clerk.minutes.public("last", rule, seat=state.alive[0])
    return replace(state, winners=state.alive)
