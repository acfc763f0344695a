"""A seat's form (3.1 to 3.5), and its silence (3.2, R9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pbem.games.frame.events import Event, Minutes, Tell
from pbem.games.frame.ruleset import Offer
from pbem.games.politics_1935.orders import ANY, SELF, Speak, StandingList
from pbem.games.politics_1935.state import Item, State
from pbem.games.politics_1935.steps import board
from pbem.games.politics_1935.steps.counting import losers, matters
from pbem.orders.order import NO_ORDERS, Standing

_MOST_ITEMS = 3
_BIDS = (5, 10)
"""In notes, besides the lowest and all cash."""


def offers(state: State, seat: str) -> tuple[Offer, ...]:
    if state.winners is not None or seat not in state.alive:
        return ()
    return tuple(_offers(state, seat))


def to_throw(state: State, seat: str) -> bool:
    """Return whether a play is asked (3.1)."""
    return seat == state.turn if state.choices.turns else seat in state.alive


def _offers(state: State, seat: str) -> Iterator[Offer]:
    if to_throw(state, seat):
        plays = examples(state, seat)
        yield Offer(
            "campaign",
            (tuple(map(_written, plays)),),
            {**_priced(state, plays[0]), **_dice(state, seat)},
        )
        if seat in state.shown:
            yield Offer(
                "take", (("CARD",),), {**_named(state, state.shown[seat]), **_dice(state, seat)}
            )
    if gaps := speech_gaps(state, seat):
        cards = tuple(sorted(state.hands[seat]))
        fills = (cards,) if state.choices.turns or gaps == (SELF,) else (cards, gaps)
        fee = state.atlas.radio_fee if state.choices.fund else 0
        yield Offer(
            "speak",
            fills,
            {"cards": list(cards), "gaps": list(gaps), "fee": fee, "turns": state.choices.turns},
        )
    for lot in state.lots if state.choices.fund else ():
        if bids := _bids(state, seat):
            told = tuple(f"{bid:,}" for bid in bids)
            data = {
                "most": bids[-1],
                "unit": state.atlas.unit,
                "printed": _printed(state, lot.card),
            }
            yield Offer("bid", (told,), {**data, **_named(state, lot.card)})
    kept = state.lists[seat]
    yield Offer("standing", (("NV 2, AZ 1", "NONE"),), {"kept": _written(kept)})
    if state.choices.fund and (bids := _bids(state, seat)):
        told = tuple(f"{bid:,}" for bid in bids[1:] or bids)
        yield Offer("keep_bid", (told, (ANY, *sorted(state.atlas.cards))), {"most": bids[-1]})


def _dice(state: State, seat: str) -> dict[str, object]:
    return {"points": state.total(seat)}


def _named(state: State, card: str) -> dict[str, object]:
    return {"card": card, "title": state.atlas.cards[card].title}


def _printed(state: State, card: str) -> str:
    return state.atlas.cards[card].printed


def _bids(state: State, seat: str) -> list[int]:
    unit, cash = state.atlas.unit, state.cash(seat)
    most = cash // unit * unit
    return sorted({n * unit for n in (1, *_BIDS) if n * unit <= most} | ({most} if most else set()))


def speech_gaps(state: State, seat: str) -> tuple[str, ...]:
    """Return gaps for a card in hand, as SPEAK names them, own first; none if it must fail (3.3,
    4.2d)."""
    poor = state.choices.fund and state.cash(seat) < state.atlas.radio_fee
    if poor or not state.hands[seat]:
        return ()
    if state.choices.turns:
        return () if seat in state.spoke or not state.gap_open(state.turn) else (SELF,)
    gaps = (SELF, *(one for one in state.alive if one != seat))
    return tuple(gap for gap in gaps if _useful(state, seat, gap))


def _useful(state: State, seat: str, gap: str) -> bool:
    """R5."""
    spent = seat in state.spoke and not Speak("", gap).late(state, seat)
    return state.gap_open(seat if gap == SELF else gap) and not spent


def examples(state: State, seat: str) -> list[tuple[Item, ...]]:
    atlas, points = state.atlas, state.total(seat)
    free = [code for code in atlas.states if not board.blocked(state.pins, atlas, code)]
    codes = free or list(atlas.states)
    large = sorted(codes, key=lambda code: (-atlas.states[code].votes, code))
    empty = [item.state for item in board.cheapest_pinless(state.pins, atlas)]
    cheap = sorted(codes, key=lambda code: (atlas.states[code].cost, code))
    plays = [_bought(state, points, order) for order in (large, empty, cheap)]
    return list(dict.fromkeys(play for play in plays if play)) or [()]


def _bought(state: State, points: int, codes: Sequence[str]) -> tuple[Item, ...]:
    items: list[Item] = []
    for code in codes:
        cost = state.atlas.states[code].cost
        if cost <= points and len(items) < _MOST_ITEMS:
            items.append(Item(code))
            points -= cost
    return tuple(items)


def _written(items: Sequence[Item]) -> str:
    return ", ".join(map(str, items))


def _priced(state: State, items: Sequence[Item]) -> dict[str, object]:
    rows = [state.atlas.states[item.state] for item in items]
    return {"example": [[row.code, row.name, row.cost] for row in rows]}


def silence(state: State, seat: str, given: Standing = NO_ORDERS) -> tuple[Event, ...]:
    """Return what silence means for slots not ``given``; this period's list is on file."""
    listed = given.get("STANDING")
    if isinstance(listed, StandingList):
        state = replace(state, lists={**state.lists, seat: listed.items})
    minutes = Minutes()
    tell = minutes.to(seat)
    if state.winners is None and seat in state.alive:
        if to_throw(state, seat):
            _unplayed(state, seat, given, tell)
        up = [lot.card for lot in state.lots if f"BID {lot.card}" not in given]
        if up and state.choices.fund:
            cards = [[card, state.atlas.cards[card].title] for card in up]
            speech = bool(speech_gaps(state, seat))
            tell("silent_bids", "4.1", cards=cards, speech=speech)
        elif speech_gaps(state, seat):
            tell("silent_speech", "4.2d")
    return tuple(minutes.events)


def _unplayed(state: State, seat: str, given: Standing, tell: Tell) -> None:
    """3.2, 6.2, R9."""
    points, kept = state.total(seat), state.lists[seat]
    slot = {"slot": "CAMPAIGN", "points": points}
    if seat in state.shown and "TAKE" not in given:
        card = state.shown[seat]
        title = state.atlas.cards[card].title
        tell("silent_card", "6.2", card=card, title=title)
    if (elected := unplayed(state, seat)) is not None:
        tell("silent_counted", "4.2a", elected=elected, **slot)
    elif kept:
        tell("silent_list", "3.2", **_run(state, seat, kept), **slot)
    elif state.choices.auto:
        items = board.cheapest_pinless(state.pins, state.atlas)
        done = board.play(state.pins, state.atlas, seat, items, points)
        codes = [code for code, _ in done.taken]
        tell("silent_auto", "R9", states=codes, **slot)
    else:
        tell("silent_lost", "R9", **slot)


def unplayed(state: State, seat: str) -> list[str | int] | None:
    """4.2a. Return who is elected before it plays, [] if it goes out, None else."""
    if state.choices.turns or seat != state.alive[0] or not matters(state, seat):
        return None
    if board.pinless(state.pins, state.atlas):
        return None
    if found := elected(state):
        return found
    return (
        [] if seat in losers(state, board.votes(state.pins, state.atlas, state.alive))[0] else None
    )


def elected(state: State) -> list[str | int] | None:
    """4.3. Return seat and votes, counted now."""
    for who, votes in board.votes(state.pins, state.atlas, state.alive).items():
        if votes >= state.atlas.majority:
            return [who, votes]
    return None


def _run(state: State, seat: str, kept: Sequence[Item]) -> dict[str, object]:
    """4.2b. Return counties taken, too dear or shut, and points lost."""
    done = board.play(state.pins, state.atlas, seat, kept, state.total(seat))
    taken = _added(Item(*row) for row in done.taken)
    shut = _added(Item(*row) for row in done.stopped)
    wanted = _added(kept)
    dear = {code: n - taken.get(code, 0) - shut.get(code, 0) for code, n in wanted.items()}
    told = {"taken": taken, "dear": dear, "shut": shut}
    rows = {key: [[code, n] for code, n in found.items() if n] for key, found in told.items()}
    return {**rows, "left": done.left}


def _added(items: Iterable[Item]) -> dict[str, int]:
    counties: dict[str, int] = {}
    for item in items:
        counties[item.state] = counties.get(item.state, 0) + item.count
    return counties
