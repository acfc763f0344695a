"""Who may know what (4.7), and what is known without a game: seats, phases, options."""

from pbem.games.frame import codec
from pbem.games.frame.codec import Json
from pbem.games.frame.events import seats_from
from pbem.games.frame.options import Option, one_of, timing
from pbem.games.politics_1935 import counting
from pbem.games.politics_1935.counting import inflation, matters, places
from pbem.games.politics_1935.state import FUND, Item, State


def public(state: State) -> Json:
    hidden = state.choices.secret_holdings
    pinless = counting.pinless(state.pins, state.atlas)
    return {
        "phase": state.phase,
        "round": state.round,
        "turn": state.turn,
        "order": list(state.order),
        "alive": list(state.alive),
        "out": [
            [gone.seat for gone in state.out if gone.wave == wave]
            for wave in sorted({gone.wave for gone in state.out})
        ],
        "votes_out": {gone.seat: gone.votes for gone in state.out},
        "last_seat": state.last_seat,
        "throws": open_throws(state),
        "next_throws": next_throws(state),
        "pins": {
            code: [[pin.seat, pin.level] for pin in state.pins.get(code, ())]
            for code in state.atlas.states
        },
        "leaders": counting.leaders(state.pins, state.atlas),
        "electoral_votes": counting.votes_of(state.pins, state.atlas, state.seats),
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
            code: {name: told for name, told in codec.dump(row).items() if name != "code"}
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
        "led": [list(row) for row in counting.led(pins, atlas, seat)],
        "trails": [list(row) for row in counting.behind(pins, atlas, seat)],
        "money": money(state, seat),
        "first_speech": first_speech(state),
        "plans": list(state.plans.get(seat, ())),
    }


def reach(state: State, seat: str, card: str) -> Json:
    """Return a speech's effect now: state, counties, level, whether it leads."""
    rows: list[Json] = []
    for code, count in state.atlas.cards[card].counties:
        points = count * state.atlas.states[code].cost
        done = counting.play(state.pins, state.atlas, seat, (Item(code, count),), points)
        rows.append(
            {
                "state": code,
                "got": sum(n for _, n in done.taken),
                "reached": counting.level(done.pins, code, seat),
                "leads": counting.leader(done.pins, code) == seat,
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
    seats = (state.turn,) if state.turn else state.alive if state.choices.open_rolls else ()
    return {seat: list(state.throws[seat]) for seat in seats}


def next_throws(state: State) -> list[str]:
    if state.winners is not None:
        return []
    around = seats_from(state.order, state.turn) if state.turn else state.order
    return [seat for seat in around if seat in state.alive]


OPTIONS = (
    one_of(
        "MODE",
        "what a period is",
        ROUND="a round of the table",
        TURN="one candidate's turn, with an open throw (section 4a)",
    ),
    one_of(
        "ROLLS",
        "who sees the throws of a round when it opens",
        PRIVATE="each is told their own",
        PUBLIC="all are told (4.5)",
    ),
    one_of(
        "AUCTION",
        "what a card costs who buys it",
        PROXY="a note more than the next bid",
        FIRST="their own bid (4.1)",
    ),
    one_of("FUND", "money", ON="there is a fund", OFF="no money, fee or auction (6.1)"),
    Option(
        "FIRST_CUT",
        "OFF",
        "who stays after the first count",
        ("OFF", "3"),
        says=("as after any other", "only the first three (R20)"),
    ),
    Option(
        "TAB_LIMIT",
        "NONE",
        "counts of the votes in a round at most",
        ("NONE", "1"),
        says=("as many as fall in it", "one (R12)"),
    ),
    Option(
        "MAX_ROUNDS", 15, "the round after which the votes are counted for the last time", least=1
    ),
    Option("SPEECH_FROM", 3, "the round from which speeches are made", least=1),
    one_of(
        "SLOT_FIRST",
        "who has the first word in a gap",
        THROWER="the thrower",
        NEXT="their left neighbour (R6)",
    ),
    one_of(
        "NMR",
        "what becomes of points without orders",
        LOSE="they are lost",
        AUTO="they go to the cheapest states without a pin (R9)",
    ),
    one_of(
        "HOLDINGS",
        "cash and the prices of cards",
        PUBLIC="all are told",
        SECRET="they are secret (4.7)",
    ),
    *timing(5),
)
