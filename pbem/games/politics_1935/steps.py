"""A round (4) or turn (4a): cards sold by sealed bids (4.1, 4.2c, R2, R3, R18), plays, the gap
after them (4.2a to 4.2d, 6.1 to 6.3), the next one's opening."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Minutes, Orders, seats_from
from pbem.games.frame.treasury import Payment, pay
from pbem.games.politics_1935 import counting
from pbem.games.politics_1935.orders import SELF, Bid, Campaign, Speak, StandingList
from pbem.games.politics_1935.state import FUND, Item, Lot, State
from pbem.orders.order import Standing

LUCKY = (7, 11)


def turn_up(state: State, seat: str, minutes: Minutes) -> State:
    """Turn up a lot on seven or eleven if the pack has one (4.2c, R15)."""
    if not state.choices.fund or state.total(seat) not in LUCKY:
        return state
    if not state.pack:
        minutes.public("no_lot", "R15", seat=seat, total=state.total(seat))
        return state
    card = state.pack[-1]
    minutes.public("lot", "4.2c", seat=seat, card=card)
    return replace(state, pack=state.pack[:-1], lots=(*state.lots, Lot(card, seat)))


def sell(state: State, orders: Orders, minutes: Minutes) -> State:
    """Sell the last period's lots in order (4.1)."""
    lots = state.lots
    state = replace(state, lots=())
    for lot in lots:
        state = _sold(state, lot, orders, minutes)
    return state


def _sold(state: State, lot: Lot, orders: Orders, minutes: Minutes) -> State:
    """Sell to the highest payable bid, of equals the first from the thrower."""
    bids, told = {}, {"card": lot.card, "thrower": lot.thrower}
    for seat in seats_from(state.order, lot.thrower):
        order = orders.get(seat, {}).get(f"BID {lot.card}")
        if isinstance(order, Bid) and (able := min(order.amount, state.cash(seat))) > 0:
            bids[seat] = able
    if not bids:
        minutes.public("lot_unsold", "4.1", **told)
        return replace(state, pack=(lot.card, *state.pack))
    winner = max(bids, key=lambda seat: bids[seat])
    amount = price(state, winner, bids)
    shown = None if state.choices.secret_holdings else amount
    minutes.public("lot_sold", "4.1", **told, seat=winner, price=shown)
    minutes.private("lot_bought", "4.1", [winner], card=lot.card, price=amount, bid=bids[winner])
    for seat, bid in bids.items():
        if seat != winner:
            minutes.private("lot_lost", "4.1", [seat], card=lot.card, bid=bid)
    payment = Payment(state.round, winner, FUND, amount, f"card {lot.card}")
    return replace(
        state,
        accounts=pay(state.accounts, [payment]),
        hands={**state.hands, winner: (*state.hands[winner], lot.card)},
    )


def price(state: State, winner: str, bids: Mapping[str, int]) -> int:
    """Return the bid (AUCTION=FIRST), else a note above the second, at most the bid (4.1)."""
    if state.choices.first_price:
        return bids[winner]
    second = max((bid for seat, bid in bids.items() if seat != winner), default=0)
    return min(second + state.atlas.unit, bids[winner])


def play(state: State, seat: str, orders: Standing, minutes: Minutes) -> State:
    """Spend the points, or take the card (4.2b, 6.2)."""
    if seat in state.shown:
        if "TAKE" in orders:
            return _take_card(state, seat, minutes)
        minutes.public("card_left", "6.2", seat=seat)
        pack = (state.shown[seat], *state.pack)
        state = replace(state, shown=counting.but(state.shown, [seat]), pack=pack)
    items = wanted(state, seat, orders)
    done = counting.play(state.pins, state.atlas, seat, items, state.total(seat))
    reached = Counter[str]()
    for code, count in done.taken:
        reached[code] += count
    minutes.public(
        "play",
        "4.2b",
        seat=seat,
        **state.told_throw(seat),
        left=done.left,
        taken=[_gain(state, done.pins, seat, code, n) for code, n in reached.items()],
    )
    if done.stopped:
        minutes.private("stopped", "4.2b", [seat], counties=[list(row) for row in done.stopped])
    return replace(state, pins=done.pins)


def _gain(
    state: State, pins: counting.Pins, seat: str, code: str, counties: int
) -> list[str | int | bool]:
    level = counting.level(pins, code, seat)
    return [code, counties, level, level == state.atlas.states[code].capital]


def wanted(state: State, seat: str, orders: Standing) -> tuple[Item, ...]:
    """Return CAMPAIGN, then the list; silence without one follows NMR (3.1, 3.2, R9)."""
    campaign, kept = orders.get("CAMPAIGN"), state.lists.get(seat, ())
    if isinstance(campaign, Campaign):
        return (*campaign.items, *kept)
    if state.choices.auto and not kept:
        return counting.cheapest_pinless(state.pins, state.atlas)
    return kept


def _take_card(state: State, seat: str, minutes: Minutes) -> State:
    """6.2. All points are lost."""
    card = state.shown[seat]
    minutes.public("card_taken", "6.2", seat=seat, **state.told_throw(seat))
    minutes.private("card_yours", "6.2", [seat], card=card)
    return replace(
        state,
        shown=counting.but(state.shown, [seat]),
        hands={**state.hands, seat: (*state.hands[seat], card)},
    )


def show_cards(state: State, minutes: Minutes, seats: tuple[str, ...]) -> State:
    """Show each seat with seven or eleven a card, while they last (6.1)."""
    if state.choices.fund:
        return state
    for seat in seats:
        if state.total(seat) in LUCKY and seat not in state.shown and state.pack:
            card = state.pack[-1]
            minutes.private("card_shown", "6.1", [seat], card=card)
            state = replace(state, pack=state.pack[:-1], shown={**state.shown, seat: card})
    return state


def gap(state: State, after: str, orders: Orders, minutes: Minutes) -> State:
    """Hold speeches: the seat or its left neighbour first, then leftward (4.2d, R6)."""
    first = seats_from(state.order, after)
    for seat in (*first[1:], first[0]) if state.choices.slot_next else first:
        for order in orders.get(seat, {}).values():
            if (
                isinstance(order, Speak)
                and seat in state.alive
                and (state.choices.turns or (seat if order.after == SELF else order.after) == after)
            ):
                state = _speech(state, seat, order.card, after, minutes)
    return state


def _speech(state: State, seat: str, key: str, after: str, minutes: Minutes) -> State:
    """Charge the fee, set pins as printed, lay the card open. A failed speech is free."""
    why = _failing(state, seat, key)
    if why:
        minutes.private("speech_failed", "4.2d", [seat], card=key, after=after, why=why)
        return state
    card, fee = state.atlas.cards[key], state.fee
    items = [Item(*row) for row in card.counties]
    wholly = counting.cost(state.atlas, items)
    done = counting.play(state.pins, state.atlas, seat, items, wholly)
    minutes.public(
        "speech",
        "4.2d",
        seat=seat,
        card=key,
        title=card.title,
        after=after,
        fee=fee,
        taken=[_gain(state, done.pins, seat, code, n) for code, n in done.taken],
        stopped=[list(row) for row in done.stopped],
    )
    return replace(
        state,
        pins=done.pins,
        accounts=pay(state.accounts, [Payment(state.round, seat, FUND, fee, f"Radio Fee {key}")]),
        hands={**state.hands, seat: tuple(held for held in state.hands[seat] if held != key)},
        played={**state.played, seat: (*state.played.get(seat, ()), key)},
        spoke=state.spoke | {seat},
    )


def _failing(state: State, seat: str, key: str) -> str:
    """Return "spoke", "card" or "cash"; "" if it succeeds."""
    if seat in state.spoke:
        return "spoke"
    if key not in state.hands[seat]:
        return "card"
    return "cash" if state.cash(seat) < state.fee else ""


def adjudicated(state: State, orders: Orders, dice: Dice, minutes: Minutes) -> State:
    gaps, before = (state.turn,) if state.turn else state.alive, state.pins
    leaving = [seat for seat in state.alive if "RESIGN" in orders.get(seat, {})]
    state = counting.resignations(state, leaving, dice, minutes)
    if state.winners is not None:
        return state
    orders = {seat: orders.get(seat, {}) for seat in state.alive}
    state = sell(filed(state, orders), orders, minutes)
    for seat in gaps:
        if not state.choices.turns:
            state = before_play(state, seat, dice, minutes)
        if state.winners is not None:
            return state
        if seat in state.alive:
            state = turn_up(play(state, seat, orders[seat], minutes), seat, minutes)
        state = gap(state, seat, orders, minutes)
    spoken = any(event.kind == "speech" for event in minutes.events)
    if not spoken and any(state.gap_open(after) for after in gaps):
        minutes.public("no_speech", "4.2d")
    counting.tell_race(before, state, minutes)
    if state.choices.turns:
        return pass_dice(state, dice, minutes)
    if state.round >= state.choices.max_rounds:
        return counting.last_count(state, minutes)
    state = replace(state, round=state.round + 1, counts_round=0, throws={})
    return open_round(state, dice, minutes)


def filed(state: State, orders: Orders) -> State:
    """File lists (3.2)."""
    new = {
        s: o.items
        for s, given in orders.items()
        if isinstance(o := given.get("STANDING"), StandingList)
    }
    return replace(state, lists={**state.lists, **new})


def before_play(state: State, seat: str, dice: Dice, minutes: Minutes) -> State:
    """Begin the seat's round; a pair on a closed board is counted first (4.2a)."""
    if seat not in state.alive:
        return state
    state = replace(state, spoke=state.spoke - {seat})
    if not counting.calls_a_count(state, seat):
        counting.tell_idle_pair(state, seat, minutes)
        return state
    return counting.alone(counting.tabulate(state, seat, dice, minutes), minutes)


def thrown(state: State, seat: str, dice: Dice) -> State:
    """Throw three dice unless thrown."""
    if seat in state.throws:
        return state
    stream = dice.stream(f"throw/{state.round}/{seat}")
    return replace(state, throws={**state.throws, seat: (stream.d6(), stream.d6(), stream.d6())})


def open_round(state: State, dice: Dice, minutes: Minutes) -> State:
    """Let all living throw in private; FUND=OFF shows cards (4.5, 6.1)."""
    state = replace(state, last_seat=state.alive[-1])
    for seat in state.alive:
        state = thrown(state, seat, dice)
    minutes.public(
        "round_opens",
        "4.5",
        round=state.round,
        throws={s: list(state.throws[s]) for s in state.alive} if state.choices.open_rolls else {},
    )
    for seat in state.alive:
        minutes.private("your_throw", "4.5", [seat], **state.told_throw(seat))
    return show_cards(state, minutes, state.alive)


def pass_dice(state: State, dice: Dice, minutes: Minutes) -> State:
    """Pass to the next living seat that may play (4a.1, 4a.3)."""
    assert state.turn is not None
    before = state.turn
    following = next(seat for seat in seats_from(state.order, before)[1:] if seat in state.alive)
    state = replace(state, throws=counting.but(state.throws, [before]))
    if state.order.index(following) < state.order.index(before):
        if state.round >= state.choices.max_rounds:
            return counting.last_count(state, minutes)
        state = replace(state, round=state.round + 1, counts_round=0, last_seat=state.alive[-1])
    return give_dice(state, following, dice, minutes)


def give_dice(state: State, seat: str, dice: Dice, minutes: Minutes) -> State:
    """Throw in public; count a pair on a closed board, and pass on if it puts the seat out
    (4a.1)."""
    state = thrown(replace(state, turn=seat), seat, dice)
    minutes.public("turn_opens", "4a.1", round=state.round, seat=seat, **state.told_throw(seat))
    state = before_play(state, seat, dice, minutes)
    if state.winners is not None:
        return state
    if seat not in state.alive:
        return pass_dice(state, dice, minutes)
    return show_cards(state, minutes, (seat,))
