"""Answers to WHY, from what the seat was told and may know (1.2 to 1.5, 4.1 to 4.6)."""

from collections.abc import Iterator

from pbem.games.frame.events import Event, Minutes
from pbem.games.frame.ruleset import Asker, Reasons, alone
from pbem.games.politics_1935 import counting, orders
from pbem.games.politics_1935.advice import on_dice
from pbem.games.politics_1935.state import FUND, State

Asking = Asker[State]
Steps = Iterator[Event]
_COUNTED = ("count", "president", "nobody_out", "eliminated", "last_count")
_MOST_STATES = 3


def questions(asker: Asking) -> list[str]:
    state, seat = asker.state, asker.seat
    large = sorted(state.atlas.states.values(), key=lambda row: (-row.votes, row.code))
    cards = sorted(state.hands[seat]) if seat else []
    money = ["MONEY", "FUND"] if seat else ["FUND"]
    return [
        *(f"STATE {row.code}" for row in large[:_MOST_STATES]),
        *(["SCORE"] if seat else []),
        *(f"SCORE {one}" for one in state.seats if one != seat),
        *(money if state.choices.fund else []),
        *(["THROW"] if _has_thrown(asker) else []),
        *(f"CARD {card}" for card in cards[:1]),
        "BOARD",
        *(["COUNT"] if state.counts else []),
    ]


def _has_thrown(asker: Asking) -> bool:
    state, seat = asker.state, asker.seat
    mine = seat == state.turn or not state.choices.turns
    return mine and seat in state.throws and state.winners is None


def _state(asker: Asking, words: str) -> Steps:
    if code := orders.state(asker.state.atlas, words):
        yield asker.step("why_state", "1.3", code=code)
        yield from _moves(asker, code)
        yield from _leading(asker, code)
        cards = asker.state.atlas.cards.values()
        on = [[one.key, one.title, n] for one in cards for at, n in one.counties if at == code]
        hand = asker.state.hands.get(asker.seat or "", ())
        if on:
            held = [key for key, _, _ in on if key in hand]
            yield asker.step("why_speeches", "1.4", cards=on, held=held)


def _moves(asker: Asking, code: str) -> Steps:
    there = set[str]()
    for one in asker.heard("play", "speech", "eliminated"):
        data, rule = one.event.data, one.event.rule
        if one.event.kind == "eliminated":
            if gone := [seat for seat in data["seats"] if seat in there]:
                yield asker.step("why_left", rule, period=one.period, seats=gone)
            continue
        for state, n, level, capital in data["taken"]:
            if state == code:
                there.add(data["seat"])
                told = {key: data.get(key) for key in ("seat", "card", "title")}
                told |= {"period": one.period, "n": n, "level": level, "capital": capital}
                yield asker.step("why_moved", rule, **told)


def _leading(asker: Asking, code: str) -> Steps:
    """4.2, 4.3, R8."""
    state, pins = asker.state, asker.state.pins
    leader = counting.leader(pins, code)
    if leader is None:
        yield asker.step("why_empty", "4.2a", code=code)
        return
    best = counting.level(pins, code, leader)
    equal = sum(pin.level == best for pin in pins[code]) > 1
    yield asker.step("why_leader", "R8" if equal else "4.3", code=code, equal=equal)
    if counting.blocked(pins, state.atlas, code):
        yield asker.step("why_shut", "4.2b", code=code)
    elif asker.seat in state.alive and asker.seat != leader:
        own = counting.level(pins, code, str(asker.seat))
        yield asker.step("why_to_lead", "1.3", code=code, own=own, more=best + 1 - own)


def _score(asker: Asking, words: str) -> Steps:
    state, atlas = asker.state, asker.state.atlas
    who = asker.seat if words in ("", "VOTES") else words
    if who not in state.seats:
        return
    if any(one.seat == who for one in state.out):
        yield asker.step("why_out", "4.3", seat=who)
        return
    rows = [list(row) for row in counting.led(state.pins, atlas, who)]
    yield asker.step("why_votes", "4.3", seat=who, states=rows)
    yield asker.step("why_to_go", "1.1", seat=who, majority=atlas.majority)
    if behind := counting.behind(state.pins, atlas, who):
        yield asker.step("why_behind", "R8", seat=who, states=[list(row) for row in behind])
    if state.last_count is not None:
        yield asker.step("why_counted", "4.6", seat=who, votes=state.last_count.get(who, 0))


def _votes(asker: Asking, words: str) -> Steps:
    return _state(asker, words) if orders.state(asker.state.atlas, words) else _score(asker, words)


def _money(asker: Asking) -> Steps:
    state, seat = asker.state, asker.seat
    if not seat or not state.choices.fund:
        return
    told = asker.heard("lot_bought", "speech", "fund_paid")
    paid = [(one, amount) for one in told if (amount := _amount(one.event, seat))]
    opening = state.cash(seat) - sum(amount for _, amount in paid)
    entry = state.atlas.entry if opening == state.atlas.campaign_fund - state.atlas.entry else 0
    yield asker.step("why_opening", "2.3", entry=entry, left=opening)
    for one, amount in paid:
        more = {"period": one.period, "amount": amount, "by": one.event.kind}
        yield asker.step("why_paid", one.event.rule, **{**one.event.data, **more})
    yield asker.step("why_balance", "1.5", balance=state.cash(seat), over=state.winners is not None)


def _amount(event: Event, seat: str) -> int:
    data = event.data
    if event.kind == "fund_paid":
        return int(data["shares"].get(seat, 0))
    if event.kind == "lot_bought":
        return -int(data["price"])
    return -int(data["fee"]) if data["seat"] == seat else 0


def _fund(asker: Asking, words: str) -> Steps:
    state, atlas = asker.state, asker.state.atlas
    if words not in ("", "FUND") or not state.choices.fund:
        return
    sold = [one for one in asker.heard("lot_sold") if one.event.data["price"] is not None]
    fees = sum(event.data["fee"] for event in asker.events("speech"))
    paid = asker.events("fund_paid")
    opening = state.accounts.balance(FUND) - fees
    opening += sum(sum(event.data["shares"].values()) for event in paid)
    opening -= sum(one.event.data["price"] for one in sold)
    entries, hidden = atlas.entry * len(state.seats), state.choices.secret_holdings
    entry = atlas.entry if hidden or opening == entries else 0
    began = entries if hidden else opening
    yield asker.step("why_entries", "2.3", entry=entry, seats=len(state.seats), opening=began)
    for one in sold:
        yield asker.step("why_sold", one.event.rule, **one.event.data, period=one.period)
    if opening > began:
        yield asker.step("why_prices", "4.1", amount=opening - began)
    if fees:
        yield asker.step("why_fees", "4.2d", amount=fees, fee=atlas.radio_fee)
    yield from paid
    yield asker.step("why_fund", "1.5")


def _throw(asker: Asking) -> Steps:
    minutes = Minutes()
    if asker.seat and _has_thrown(asker):
        on_dice(asker.state, asker.seat, minutes.to(asker.seat))
    yield from minutes.events


def _card(asker: Asking, words: str) -> Steps:
    state = asker.state
    key = orders.speech(state.atlas, words)
    if key not in state.atlas.cards:
        return
    card = state.atlas.cards[key]
    held = key in state.hands.get(asker.seat or "", ())
    counties = [list(one) for one in card.counties]
    yield asker.step("why_card", "1.4", card=key, title=card.title, counties=counties, held=held)
    if key == state.atlas.inflation and state.choices.fund:
        yield asker.step("why_inflation", "R16", card=key)
    for one in asker.heard("lot", "lot_unsold", "lot_sold", "speech"):
        if one.event.data["card"] == key:
            told = {"what": one.event.kind, "seat": one.event.data.get("seat")}
            yield asker.step("why_told", one.event.rule, period=one.period, **told)


def _count(asker: Asking) -> Steps:
    if asker.state.counts:
        last = max((one.period for one in asker.heard("count", "last_count")), default=0)
        yield asker.step("why_counts", "4.3", period=last)
        yield from (one.event for one in asker.heard(*_COUNTED) if one.period == last)


REASONS = Reasons(
    questions,
    {
        "BOARD PAIR PIN PINS": alone(lambda asker: [asker.step("why_board", "4.2a")]),
        "AUCTION AUCTIONS LOTS": alone(
            lambda asker: (step for lot in asker.state.lots for step in _card(asker, lot.card))
        ),
        "COUNT TABULATION": alone(_count),
        "FUND EXPENSE": _fund,
        "MONEY CASH": alone(_money),
        "THROW DICE POINTS": alone(_throw),
        "SCORE VOTES RACE ELECTORAL": _votes,
        "STATE STATES LEAD LEADS": _state,
        "CARD SPEECH SPEAK LOT BID": _card,
    },
    (_score, _state, _card),
)
