"""Who may know what (4.7)."""

from __future__ import annotations

from pbem.games.frame.codec import Json
from pbem.games.frame.events import seats_from
from pbem.games.politics_1935.state import FUND, Item, State
from pbem.games.politics_1935.steps import board
from pbem.games.politics_1935.steps.counting import inflation, matters, places


def public(state: State) -> Json:
    hidden = state.choices.secret_holdings
    pinless = board.pinless(state.pins, state.atlas)
    return {
        "phase": state.phase,
        "round": state.round,
        "turn": state.turn,
        "order": list(state.order),
        "alive": list(state.alive),
        "out": out_by_wave(state),
        "votes_out": {gone.seat: gone.votes for gone in state.out},
        "last_seat": state.last_seat,
        "throws": open_throws(state),
        "next_throws": next_throws(state),
        "pins": {
            code: [[pin.seat, pin.level] for pin in state.pins.get(code, ())]
            for code in state.atlas.states
        },
        "leaders": board.leaders(state.pins, state.atlas),
        "electoral_votes": board.votes(state.pins, state.atlas, state.seats),
        "pinless": list(pinless),
        "board_closed": not pinless,
        "counts": state.counts,
        "counts_round": state.counts_round,
        "shuffles": state.shuffles,
        "last_count": None if state.last_count is None else dict(state.last_count),
        "fund": state.accounts.balance(FUND),
        "cash": {seat: None if hidden else state.cash(seat) for seat in state.seats},
        "pack": len(state.pack) + len(state.set_aside),
        "hand_sizes": {seat: len(state.hands[seat]) for seat in state.seats},
        "played": {seat: list(state.played[seat]) for seat in state.seats},
        "inflation": inflation(state),
        "spoke": {seat: seat in state.spoke for seat in state.alive},
        "lots": [
            {"card": lot.card, "thrower": lot.thrower, **printed(state, lot.card)}
            for lot in state.lots
        ],
        "places": [list(place) for place in places(state)] if state.winners is not None else [],
        "dealt": {} if state.winners is None else {s: list(c) for s, c in state.dealt.items()},
        "map": {
            code: {
                "name": row.name,
                "votes": row.votes,
                "colour": row.colour,
                "cost": row.cost,
                "lines": row.lines,
            }
            for code, row in state.atlas.states.items()
        },
    }


def own(state: State, seat: str) -> Json:
    """Return the seat's own. In MODE=TURN only the thrower has a throw."""
    shown = state.shown.get(seat)
    throw = None if state.choices.turns and seat != state.turn else state.throws.get(seat)
    cards = [*state.hands[seat], *([shown] if shown else [])]
    pins, atlas = state.pins, state.atlas
    return {
        "throw": None if throw is None else list(throw),
        "total": sum(throw or ()),
        "pair": not state.choices.turns and matters(state, seat),
        "hand": sorted(state.hands[seat]),
        "shown": shown,
        "standing": [[item.state, item.count] for item in state.lists[seat]],
        "cash": state.cash(seat),
        "cards": {
            card: {**printed(state, card), "reach": reach(state, seat, card)}
            for card in sorted(cards)
        },
        "led": [list(row) for row in board.led(pins, atlas, seat)],
        "trails": [list(row) for row in board.behind(pins, atlas, seat)],
        "money": money(state, seat),
        "first_speech": first_speech(state),
        "plans": list(state.plans.get(seat, ())),
    }


def reach(state: State, seat: str, card: str) -> Json:
    """Return a speech's effect now: state, counties, level, whether it leads."""
    rows: list[Json] = []
    for code, count in state.atlas.cards[card].counties:
        points = count * state.atlas.states[code].cost
        done = board.play(state.pins, state.atlas, seat, (Item(code, count),), points)
        rows.append(
            {
                "state": code,
                "got": sum(n for _, n in done.taken),
                "reached": board.level(done.pins, code, seat),
                "leads": board.leader(done.pins, code) == seat,
            }
        )
    return rows


def first_speech(state: State) -> Json:
    """Return round, seat and whether now of the first speeches; None once open (R4)."""
    first = state.choices.speech_from - 1
    if state.round > first:
        return None
    return {"round": first, "after": state.last_seat, "now": state.round == first}


def money(state: State, seat: str) -> Json:
    entries = state.accounts.of(seat)
    signed = [entry.amount if entry.payee == seat else -entry.amount for entry in entries]
    told = [[entry.purpose, n] for entry, n in zip(entries, signed, strict=True)]
    balance = state.cash(seat)
    return {"opening": balance - sum(signed), "entries": told, "balance": balance}


def printed(state: State, card: str) -> Json:
    row = state.atlas.cards[card]
    return {"title": row.title, "counties": [list(one) for one in row.counties]}


def open_throws(state: State) -> Json:
    if state.winners is not None:
        return {}
    if state.choices.turns:
        return {state.turn: list(state.throws[state.turn])} if state.turn else {}
    return (
        {seat: list(state.throws[seat]) for seat in state.alive} if state.choices.open_rolls else {}
    )


def next_throws(state: State) -> list[str]:
    if state.winners is not None:
        return []
    return [
        seat
        for seat in (seats_from(state.order, state.turn) if state.turn else state.order)
        if seat in state.alive
    ]


def out_by_wave(state: State) -> list[list[str]]:
    waves = sorted({gone.wave for gone in state.out})
    return [[gone.seat for gone in state.out if gone.wave == wave] for wave in waves]
