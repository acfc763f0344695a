"""Answers to WHY, from what the seat was told and may know (1.2 to 1.5, 4.1 to 4.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbem.games.frame.events import PUBLIC, Event
from pbem.games.frame.ruleset import ToldEvent
from pbem.games.politics_1935 import names
from pbem.games.politics_1935.advice import on_dice
from pbem.games.politics_1935.state import FUND, State
from pbem.games.politics_1935.steps import board

Steps = Iterator[Event]
_FILLERS = frozenset(("A", "DO", "DOES", "HAS", "HAVE", "I", "IN", "IS", "LEAD", "LEADS", "MY"))
_FILLERS |= {"CAMPAIGN", "EXPENSE", "OF", "THE", "WHO"}
_STATE = frozenset(("STATE", "STATES", "VOTES"))
_SPEECH = frozenset(("CARD", "SPEECH", "SPEAK", "LOT", "BID"))
_COUNTED = frozenset(("count", "president", "nobody_out", "eliminated", "last_count"))
_MOST_STATES = 3


def questions(state: State, seat: str | None) -> tuple[str, ...]:
    large = sorted(state.atlas.states.values(), key=lambda row: (-row.votes, row.code))
    cards = sorted(state.hands[seat]) if seat else []
    return (
        *(f"STATE {row.code}" for row in large[:_MOST_STATES]),
        *(["SCORE"] if seat else []),
        *(f"SCORE {one}" for one in state.seats if one != seat),
        *(["MONEY"] if seat and state.choices.fund else []),
        *(["FUND"] if state.choices.fund else []),
        *(["THROW"] if _has_thrown(state, seat) else []),
        *(f"CARD {card}" for card in cards[:1]),
        "BOARD",
        *(["COUNT"] if state.counts else []),
    )


def why(state: State, seat: str | None, told: Sequence[ToldEvent], words: str) -> tuple[Event, ...]:
    *before, last = words.upper().split() or [""]  # IN at the end is Indiana
    asked = [*(word for word in before if word not in _FILLERS), last]
    return tuple(_steps(_Asker(state, seat, told), asked))


class _Asker:
    def __init__(self, state: State, seat: str | None, told: Sequence[ToldEvent]) -> None:
        self.state, self.seat, self.told = state, seat, told
        self.audience: Any = PUBLIC if seat is None else frozenset([seat])

    def step(self, kind: str, rule: str, **data: Any) -> Event:
        return Event(kind, rule, self.audience, data)

    def events(self, *kinds: str) -> Iterator[tuple[int, Event]]:
        return ((one.period, one.event) for one in self.told if one.event.kind in kinds)

    def again(self, kind: str, event: Event, **more: Any) -> Event:
        return self.step(kind, event.rule, **{**event.data, **more})


def _steps(asker: _Asker, asked: list[str]) -> Steps:
    state, seat, first = asker.state, asker.seat, asked[0]
    rest = " ".join(asked[1:])
    topics: Mapping[str, Callable[[_Asker], Steps]] = {
        **dict.fromkeys(("BOARD", "PAIR", "PIN", "PINS"), _board),
        **(dict.fromkeys(("AUCTION", "AUCTIONS", "LOTS"), _lots) if state.lots else {}),
        "COUNT": _count,
        "TABULATION": _count,
        **({"FUND": _fund, "EXPENSE": _fund} if state.choices.fund else {}),
        **(dict.fromkeys(("MONEY", "CASH"), _money) if seat and state.choices.fund else {}),
        **(dict.fromkeys(("THROW", "DICE", "POINTS"), _throw) if _has_thrown(state, seat) else {}),
    }
    if first in topics and not rest:
        return topics[first](asker)
    if first in ("SCORE", "VOTES", "RACE", "ELECTORAL") and (who := _who(asker, rest)):
        return _score(asker, who)
    if first in state.seats and not rest:
        return _score(asker, first)
    if first not in _SPEECH:
        place = rest if first in _STATE else " ".join(asked)
        if code := names.state(state.atlas, place):
            return _state(asker, code)
    card = names.speech(state.atlas, rest if first in _SPEECH else " ".join(asked))
    return _card(asker, card) if card in state.atlas.cards else iter(())


def _who(asker: _Asker, words: str) -> str | None:
    if words in ("", "VOTES", "ELECTORAL VOTES"):
        return asker.seat
    return words if words in asker.state.seats else None


def _has_thrown(state: State, seat: str | None) -> bool:
    mine = seat == state.turn if state.choices.turns else True
    return seat is not None and mine and seat in state.throws and state.winners is None


def _state(asker: _Asker, code: str) -> Steps:
    state = asker.state
    place, row = state.atlas.states[code], state.pins.get(code, ())
    yield asker.step("why_state", "1.3", code=code, **_place(state, code))
    there: set[str] = set()
    for period, event in asker.events("play", "speech", "eliminated"):
        for step in _moved(asker, period, event, code, there):
            there |= {step.data["seat"]} if step.kind == "why_moved" else set()
            yield step
    if row:
        yield from _leading(asker, code)
    else:
        yield asker.step("why_empty", "4.2a", name=place.name)
    yield from _speeches(asker, code)


def _leading(asker: _Asker, code: str) -> Steps:
    """4.3, R8."""
    state = asker.state
    place, row = state.atlas.states[code], state.pins[code]
    leader = board.leader(state.pins, code)
    best = board.level(state.pins, code, str(leader))
    level = [pin.seat for pin in row if pin.level == best]
    yield asker.step(
        "why_leader",
        "R8" if len(level) > 1 else "4.3",
        seat=leader,
        votes=place.votes,
        pins=[[pin.seat, pin.level] for pin in sorted(row, key=lambda pin: -pin.level)],
        capital=place.capital,
        equal=level[1:],
    )
    if best >= place.capital:
        yield asker.step("why_shut", "4.2b", name=place.name, seat=leader)
    elif asker.seat in state.alive and asker.seat != leader:
        own = board.level(state.pins, code, str(asker.seat))
        more = best + 1 - own
        yield asker.step("why_to_lead", "1.3", own=own, more=more, points=more * place.cost)


def _place(state: State, code: str) -> dict[str, Any]:
    row = state.atlas.states[code]
    return {"name": row.name, "votes": row.votes, "cost": row.cost, "lines": row.lines}


def _moved(asker: _Asker, period: int, event: Event, code: str, there: set[str]) -> Steps:
    """Tell a move of pins; ``there``: seats with pins."""
    data = event.data
    if event.kind == "eliminated":
        if gone := [seat for seat in data["seats"] if seat in there]:
            yield asker.step("why_left", event.rule, period=period, seats=gone)
        return
    for state, n, level, capital in data["taken"]:
        if state == code:
            yield asker.step(
                "why_moved",
                event.rule,
                period=period,
                seat=data["seat"],
                n=n,
                level=level,
                capital=capital,
                card=data.get("card"),
                title=data.get("title"),
            )


def _speeches(asker: _Asker, code: str) -> Steps:
    """1.4."""
    cards = asker.state.atlas.cards.values()
    on = [
        [card.key, card.title, n] for card in cards for state, n in card.counties if state == code
    ]
    held = set(asker.state.hands.get(asker.seat or "", ()))
    if on:
        yield asker.step(
            "why_speeches", "1.4", cards=on, held=[key for key, _, _ in on if key in held]
        )


def _score(asker: _Asker, who: str) -> Steps:
    """4.3."""
    state = asker.state
    gone = next((one for one in state.out if one.seat == who), None)
    if gone:
        yield asker.step("why_out", "4.3", seat=who, votes=gone.votes)
        return
    votes = board.votes(state.pins, state.atlas, state.seats)[who]
    led = board.led(state.pins, state.atlas, who)
    yield asker.step("why_votes", "4.3", seat=who, states=[list(row) for row in led], votes=votes)
    yield asker.step("why_to_go", "1.1", votes=votes, majority=state.atlas.majority)
    if behind := board.behind(state.pins, state.atlas, who):
        rows = [list(row) for row in behind]
        yield asker.step("why_behind", "R8", seat=who, states=rows)
    if state.last_count is not None:
        counted = state.last_count.get(who, 0)
        yield asker.step("why_counted", "4.6", seat=who, votes=counted)


def _money(asker: _Asker) -> Steps:
    """1.5, 2.3."""
    state, seat = asker.state, asker.seat
    paid = [
        (period, event, _amount(event, str(seat)))
        for period, event in asker.events("lot_bought", "speech", "fund_paid")
    ]
    balance = state.cash(str(seat))
    opening = balance - sum(amount for _, _, amount in paid)
    full = state.atlas.campaign_fund - state.atlas.entry
    entry = state.atlas.entry if opening == full else 0
    yield asker.step("why_opening", "2.3", opening=opening + entry, entry=entry, left=opening)
    for period, event, amount in paid:
        if amount:
            yield asker.again("why_paid", event, period=period, amount=amount, by=event.kind)
    yield asker.step("why_balance", "1.5", balance=balance, over=state.winners is not None)


def _amount(event: Event, seat: str) -> int:
    data = event.data
    if event.kind == "fund_paid":
        return int(data["shares"].get(seat, 0))
    if event.kind == "lot_bought":
        return -int(data["price"])
    return -int(data["fee"]) if data["seat"] == seat else 0


def _fund(asker: _Asker) -> Steps:
    """2.3, 4.1, 4.2d."""
    state = asker.state
    sold = [
        (n, e, e.data["price"]) for n, e in asker.events("lot_sold") if e.data["price"] is not None
    ]
    fees = sum(event.data["fee"] for _, event in asker.events("speech"))
    shares = [event.data["shares"] for _, event in asker.events("fund_paid")]
    balance = state.accounts.balance(FUND)
    opening = balance + sum(sum(one.values()) for one in shares) - fees
    opening -= sum(price for _, _, price in sold)
    entries = state.atlas.entry * len(state.seats)
    hidden = state.choices.secret_holdings
    yield asker.step(
        "why_entries",
        "2.3",
        entry=state.atlas.entry if hidden or opening == entries else 0,
        seats=len(state.seats),
        opening=entries if hidden else opening,
    )
    for period, event, _ in sold:
        yield asker.again("why_sold", event, period=period)
    if hidden and opening > entries:
        yield asker.step("why_prices", "4.1", amount=opening - entries)
    if fees:
        yield asker.step("why_fees", "4.2d", amount=fees, fee=state.atlas.radio_fee)
    for _, event in asker.events("fund_paid"):
        yield asker.again("fund_paid", event)
    yield asker.step("why_fund", "1.5", balance=balance)


def _throw(asker: _Asker) -> Steps:
    return iter(on_dice(asker.state, str(asker.seat)))


def _card(asker: _Asker, key: str) -> Steps:
    state, card = asker.state, asker.state.atlas.cards[key]
    counties = [[code, state.atlas.states[code].name, n] for code, n in card.counties]
    held = key in state.hands.get(asker.seat or "", ())
    inflation = key == state.atlas.inflation and state.choices.fund
    yield asker.step("why_card", "1.4", card=key, title=card.title, counties=counties, held=held)
    if inflation:
        yield asker.step("why_inflation", "R16", card=key)
    for period, event in asker.events("lot", "lot_unsold", "lot_sold", "speech"):
        if event.data["card"] == key:
            seat = event.data.get("seat")
            yield asker.step("why_told", event.rule, period=period, what=event.kind, seat=seat)


def _lots(asker: _Asker) -> Steps:
    """4.1."""
    return (step for lot in asker.state.lots for step in _card(asker, lot.card))


def _board(asker: _Asker) -> Steps:
    """4.2a."""
    atlas = asker.state.atlas
    empty = [
        [code, atlas.states[code].name, atlas.states[code].votes]
        for code in board.pinless(asker.state.pins, atlas)
    ]
    yield asker.step("why_board", "4.2a", empty=empty)


def _count(asker: _Asker) -> Steps:
    state = asker.state
    if not state.counts:
        return
    periods = [period for period, _ in asker.events("count", "last_count")]
    yield asker.step("why_counts", "4.3", counts=state.counts, period=max(periods, default=0))
    for period, event in asker.events(*sorted(_COUNTED)):
        if period == max(periods, default=0):
            yield asker.again(event.kind, event)
