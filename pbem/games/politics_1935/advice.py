"""Receipt notes on standing orders, on the present board, from what the seat knows."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.frame.events import Event, Minutes, Tell
from pbem.games.politics_1935.offers import elected, to_throw
from pbem.games.politics_1935.orders import Bid, Campaign, Speak, StandingList
from pbem.games.politics_1935.state import Item, State
from pbem.games.politics_1935.steps import board
from pbem.games.politics_1935.steps.auction import LUCKY
from pbem.games.politics_1935.steps.counting import losers, matters
from pbem.orders.order import Standing


def advice(state: State, seat: str, standing: Standing) -> tuple[Event, ...]:
    """Return the notes in the order of execution."""
    minutes = Minutes()
    tell = minutes.to(seat)
    if state.winners is not None or seat not in state.alive:
        return ()
    if "RESIGN" in standing:
        tell("your_leaving", "3.6")
        return tuple(minutes.events)
    _bids(state, seat, standing, tell)
    speeches = [order for order in standing.values() if isinstance(order, Speak)]
    pins = state.pins
    for order in speeches:
        if not order.late(state, seat):
            pins = _speech(state, pins, seat, order, standing, tell)
    if to_throw(state, seat):
        pins = _play(state, pins, seat, standing, tell)
    for order in speeches:
        if order.late(state, seat):
            pins = _speech(state, pins, seat, order, standing, tell)
    if pins != state.pins or "CAMPAIGN" in standing:
        _votes(state, seat, pins, tell)
    _cash(state, seat, standing, tell)
    return tuple(minutes.events)


def _bids(state: State, seat: str, standing: Standing, tell: Tell) -> None:
    """4.1."""
    for order in standing.values():
        if isinstance(order, Bid):
            tell(
                "your_bid",
                "4.1",
                card=order.card,
                title=state.atlas.cards[order.card].title,
                bid=order.amount,
                unit=state.atlas.unit,
                first_price=state.choices.first_price,
            )


def _play(state: State, pins: board.Pins, seat: str, standing: Standing, tell: Tell) -> board.Pins:
    """Report throw, CAMPAIGN and list; without orders the fate of the points. Return the pins
    after it."""
    points, rows = state.total(seat), None
    for event in on_dice(state, seat):
        tell(event.kind, event.rule, **event.data)
    if "TAKE" in standing and seat in state.shown:
        card = state.shown[seat]
        title = state.atlas.cards[card].title
        tell("your_choice", "6.2", card=card, title=title, points=points)
        return pins
    campaign, listed = standing.get("CAMPAIGN"), standing.get("STANDING")
    kept = listed.items if isinstance(listed, StandingList) else state.lists[seat]
    if isinstance(campaign, Campaign) and campaign.items:
        rows, pins, points = _items(state, pins, seat, campaign.items, points)
        tell("your_play", "3.1", rows=rows)
    if kept:
        spent = not points
        rows, pins, points = _items(state, pins, seat, kept, points)
        tell("your_list", "3.2", rows=rows, spent=spent)
        if spent:
            return pins
    elif state.choices.auto and not isinstance(campaign, Campaign):
        items = board.cheapest_pinless(pins, state.atlas)
        done = board.play(pins, state.atlas, seat, items, points)
        taken = [Item(*row) for row in done.taken]
        rows, pins, points = _items(state, pins, seat, taken, points)
        tell("your_missed_move", "R9", rows=rows)
    if rows is not None or not {"CAMPAIGN", "PASS"}.isdisjoint(standing):
        tell("your_rest", "4.2b", points=points)
    return pins


def on_dice(state: State, seat: str) -> tuple[Event, ...]:
    """Report the throw, and a pair, seven or eleven (4.2a, 4.2c, 4.5, R11)."""
    minutes, throw = Minutes(), state.throws[seat]
    tell = minutes.to(seat)
    tell("your_points", "4.5", throw=list(throw), points=state.total(seat))
    empty = len(board.pinless(state.pins, state.atlas))
    if matters(state, seat) and not state.choices.turns:
        rule = "R11" if empty else "4.2a"
        tell(
            "your_pair",
            rule,
            throw=list(throw),
            empty=empty,
            first=seat == state.alive[0],
            elected=elected(state),
            out=list(losers(state, board.votes(state.pins, state.atlas, state.alive))[0]),
        )
    cards = len(state.pack) + len(state.set_aside)
    if state.choices.fund and state.total(seat) in LUCKY and cards:
        tell("your_lot", "4.2c", points=state.total(seat))
    return tuple(minutes.events)


def _votes(state: State, seat: str, pins: board.Pins, tell: Tell) -> None:
    """4.3."""
    before, after = (board.leaders(one, state.atlas) for one in (state.pins, pins))
    gained = [code for code in after if after[code] == seat != before.get(code)]
    tell(
        "your_votes",
        "4.3",
        votes=board.votes(pins, state.atlas, state.seats)[seat],
        before=board.votes(state.pins, state.atlas, state.seats)[seat],
        majority=state.atlas.majority,
        gained=[[code, state.atlas.states[code].votes] for code in gained],
    )


def _speech(
    state: State,
    pins: board.Pins,
    seat: str,
    order: Speak,
    standing: Standing,
    tell: Tell,
) -> board.Pins:
    """4.2d, R5. Return the pins after it, unchanged if unsure."""
    card, late = state.atlas.cards[order.card], order.late(state, seat)
    after = "" if state.choices.turns else order.after
    named = {"card": card.key, "title": card.title, "after": after}
    fee = state.atlas.radio_fee if state.choices.fund else 0
    if _spoken(state, seat, order):
        tell("your_second_speech", "R5", **named)
        return pins
    if state.choices.fund and state.cash(seat) < fee:
        tell("your_dear_speech", "4.2d", fee=fee, **named)
        return pins
    items = [Item(*row) for row in card.counties]
    wholly = board.cost(state.atlas, items)
    rows, after_it, _ = _items(state, pins, seat, items, wholly)
    twice = late and any(
        isinstance(one, Speak) and one.card == card.key and not one.late(state, seat)
        for one in standing.values()
    )
    tell(
        "your_speech",
        "4.2d",
        fee=fee,
        rows=rows,
        twice=twice,
        held=card.key in state.hands[seat],
        **named,
    )
    return pins if twice or card.key not in state.hands[seat] else after_it


def _spoken(state: State, seat: str, order: Speak) -> bool:
    """R5."""
    return seat in state.spoke and (state.choices.turns or not order.late(state, seat))


def _cash(state: State, seat: str, standing: Standing, tell: Tell) -> None:
    """1.5."""
    bids = sum(order.amount for order in standing.values() if isinstance(order, Bid))
    speeches = [order for order in standing.values() if isinstance(order, Speak)]
    fees = sum(not _spoken(state, seat, one) for one in speeches) * state.atlas.radio_fee
    if state.choices.fund and bids + fees:
        tell("your_cash", "1.5", cash=state.cash(seat), bids=bids, fees=fees)


def _items(
    state: State, pins: board.Pins, seat: str, items: Iterable[Item], points: int
) -> tuple[list[dict[str, object]], board.Pins, int]:
    rows: list[dict[str, object]] = []
    for item in items:
        place = state.atlas.states[item.state]
        done = board.play(pins, state.atlas, seat, (item,), points)
        reached = board.level(done.pins, item.state, seat)
        rows.append(
            {
                "state": item.state,
                "name": place.name,
                "count": item.count,
                "got": sum(count for _, count in done.taken),
                "spent": points - done.left,
                "reached": reached,
                "lines": place.lines,
                "capital": reached == place.capital,
                "shut": bool(done.stopped),
                "leads": board.leader(done.pins, item.state) == seat,
                "leader": board.leader(done.pins, item.state),
                "left": done.left,
            }
        )
        pins, points = done.pins, done.left
    return rows, pins, points
