"""Losing an election, and RESIGN (§4.9.4, §6.5, §6.9, §3.10)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from pbem.games.frame.events import Orders, Seat, seats_from
from pbem.games.frame.treasury import BANK, Payment, pay
from pbem.games.legislation import cards
from pbem.games.legislation.state import Clerk, State

V = TypeVar("V")


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
    count = hand_size(state, clerk)
    fits = [fit(state, seat, count) for seat in losers]
    may = [holding(state, state.shared(seat)) for seat in losers]
    deck, hands = cards.deal(
        [*thrown, *state.red_deck], [()] * len(losers), count, fits, may, chance
    )
    clerk.minutes.public("new_hands", "4.9.4", seats=list(losers))
    for seat, hand in zip(losers, hands, strict=True):
        clerk.minutes.private("hand", "4.9.4", [seat], hand=hand)
    dealt = {seat: tuple(hand) for seat, hand in zip(losers, hands, strict=True)}
    crown = {seat: count for seat, count in state.crown.items() if seat not in losers}
    return replace(state, hand={**state.hand, **dealt}, red_deck=tuple(deck), crown=crown)


def hand_size(state: State, clerk: Clerk) -> int:
    """Return red cards dealt: four, or two with team cards."""
    return int(clerk.tables["hand"]) - (int(clerk.tables["team_hand"]) if state.teams else 0)


def fit(state: State, seat: Seat, count: int) -> cards.Fits:
    """Return the rule for a hand of ``count``: different issues (unless Conflicting Interests), one
    blank card, with SPLIT_DEAL equal signs."""
    return rule(state, state.shared(seat), count, crown=True)


def rule(state: State, shared: Sequence[str], count: int, crown: bool) -> cards.Fits:
    """Return the rule beside ``shared``; ``crown``: a blank card is allowed."""
    split = state.on("SPLIT_DEAL") and not state.on("PLUS_ONLY")

    def may(card: str, hand: Sequence[str]) -> bool:
        if card == cards.CROWN:
            return crown and card not in hand
        if (
            split
            and [cards.sign(held) for held in hand].count(cards.sign(card)) >= (count + 1) // 2
        ):
            return False
        return state.conflicting or cards.issue(card) not in {
            cards.issue(held) for held in (*shared, *hand)
        }

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
            if (
                state.conflicting
                or card == cards.CROWN
                or cards.opposite(card) not in state.shared(seat)
            ):
                continue
            hand, left = dict(state.hand), list(state.hand[seat])
            left.remove(card)
            hand[seat] = tuple(left)
            clerk.minutes.private("passed_on", "6.5", [seat], card=card)
            around = [other for other in seats_from(state.order, seat)[1:] if other in state.alive]
            taker = next(
                (s for s in around if holding(state, state.shared(s))(card, hand[s])), None
            )
            if taker is None:
                state = replace(state, hand=hand, red_deck=(card, *state.red_deck))
                continue
            hand[taker] = (*hand[taker], card)
            clerk.minutes.private("passed_to", "6.5", [taker], card=card)
            state = replace(state, hand=hand)
    return state


def _assimilate(state: State, losers: Sequence[Seat], clerk: Clerk, deal: bool) -> State:
    """6.9. Red cards go round from the next chair, clashing ones on or under the deck. A player
    with none draws."""
    before = state
    pile = clerk.dice.stream(f"assim/{state.session}").shuffled(
        [c for seat in losers for c in state.hand[seat]]
    )
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
        taker = next(
            (seat for seat in seats if holding(state, state.shared(seat))(card, hands[seat])), None
        )
        if taker is None:
            deck.insert(0, card)
            continue
        hands[taker].append(card)
        got.setdefault(taker, []).append(card)
        turn += 1 + seats.index(taker)
    for seat in around:
        if seat not in got and (
            top := cards.take_top(deck, hands[seat], holding(state, state.shared(seat)))
        ):
            hands[seat].append(top)
            got[seat] = [top]
    for seat, dealt in got.items():
        clerk.minutes.private("assimilated", "6.9", [seat], cards=dealt)
    kept = {**state.hand, **{seat: tuple(hand) for seat, hand in hands.items()}}
    return replace(state, hand=kept, red_deck=tuple(deck))


def leave(state: State, leavers: Sequence[Seat]) -> State:
    """Empty places and hands; the caller keeps the cards."""
    gone = frozenset(leavers)
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
        drawn=_but(state.drawn, gone),
        nextbill=_but(state.nextbill, gone),
        taken=_but(state.taken, gone),
        standing=_but(state.standing, gone),
        crown=_but(state.crown, gone),
        ifs=_but(state.ifs, gone),
    )


def _but(kept: Mapping[Seat, V], gone: frozenset[Seat]) -> dict[Seat, V]:
    return {seat: value for seat, value in kept.items() if seat not in gone}


def resign(state: State, orders: Orders, clerk: Clerk) -> State:
    """Apply RESIGN first; the bill lapses unless a Crisis."""
    leavers = [seat for seat in state.alive if "RESIGN" in orders.get(seat, {})]
    if not leavers:
        return state
    thrown = clerk.dice.stream(f"resign/{state.period}").shuffled(
        [c for s in leavers for c in state.hand[s]]
    )
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
