"""Receipt notes on standing orders, on the present board; a form (3.1 to 3.5), and silence (3.2,
R9): all by what the seat knows."""

from collections.abc import Iterable, Iterator, Sequence

from pbem.games.frame.events import Tell
from pbem.games.frame.ruleset import Offer
from pbem.games.politics_1935 import counting
from pbem.games.politics_1935.counting import losers, matters
from pbem.games.politics_1935.orders import ANY, SELF, Bid, Campaign, Speak
from pbem.games.politics_1935.state import Item, State
from pbem.games.politics_1935.steps import LUCKY, filed
from pbem.orders.order import Standing

_MOST_ITEMS = 3
_BIDS = (5, 10)
"""In notes, besides the lowest and all cash."""


def to_throw(state: State, seat: str) -> bool:
    """Return whether a play is asked (3.1)."""
    return seat == state.turn if state.choices.turns else seat in state.alive


def offers(state: State, seat: str) -> Iterator[Offer]:
    if to_throw(state, seat):
        plays, states = examples(state, seat), state.atlas.states
        priced = (states[item.state] for item in plays[0])
        example = [[row.code, row.name, row.cost] for row in priced]
        yield Offer(
            "campaign",
            (tuple(map(_written, plays)),),
            {"example": example, "points": state.total(seat)},
        )
        if seat in state.shown:
            told = {**_named(state, state.shown[seat]), "points": state.total(seat)}
            yield Offer("take", (("CARD",),), told)
    if gaps := speech_gaps(state, seat):
        cards = tuple(sorted(state.hands[seat]))
        fills = (cards,) if state.choices.turns or gaps == (SELF,) else (cards, gaps)
        told = {"cards": list(cards), "gaps": list(gaps), "fee": state.fee}
        yield Offer("speak", fills, {**told, "turns": state.choices.turns})
    unit = state.atlas.unit
    most = state.cash(seat) // unit * unit
    bids = sorted({n * unit for n in (1, *_BIDS) if n * unit < most} | {most}) if most else []
    sums = tuple(f"{bid:,}" for bid in bids)
    for lot in state.lots if bids else ():
        told = {"most": most, "unit": unit, "printed": state.atlas.cards[lot.card].printed}
        yield Offer("bid", (sums,), {**told, **_named(state, lot.card)})
    kept = state.lists[seat]
    yield Offer("standing", (("NV 2, AZ 1", "NONE"),), {"kept": _written(kept)})
    if bids:
        cards = (ANY, *sorted(state.atlas.cards))
        yield Offer("keep_bid", (sums[1:] or sums, cards), {"most": most})


def _named(state: State, card: str) -> dict[str, object]:
    return {"card": card, "title": state.atlas.cards[card].title}


def speech_gaps(state: State, seat: str) -> tuple[str, ...]:
    """Return gaps for a card in hand, as SPEAK names them, own first; none if it must fail (3.3,
    4.2d)."""
    if state.cash(seat) < state.fee or not state.hands[seat]:
        return ()
    if state.choices.turns:
        return () if seat in state.spoke or not state.gap_open(state.turn) else (SELF,)
    gaps = (SELF, *(one for one in state.alive if one != seat))
    open_now = (gap for gap in gaps if state.gap_open(seat if gap == SELF else gap))
    return tuple(gap for gap in open_now if not _spoken(state, seat, Speak("", gap)))


def examples(state: State, seat: str) -> list[tuple[Item, ...]]:
    atlas, points = state.atlas, state.total(seat)
    free = [code for code in atlas.states if not counting.blocked(state.pins, atlas, code)]
    codes = free or list(atlas.states)
    large = sorted(codes, key=lambda code: (-atlas.states[code].votes, code))
    empty = [item.state for item in counting.cheapest_pinless(state.pins, atlas)]
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


def silence(state: State, seat: str, given: Standing, tell: Tell) -> None:
    """Tell what silence means for slots not ``given``; this period's list is on file."""
    state = filed(state, {seat: given})
    if to_throw(state, seat):
        _unplayed(state, seat, given, tell)
    speaks = any(slot.startswith("SPEAK") for slot in given)
    cards_up = [lot.card for lot in state.lots if f"BID {lot.card}" not in given]
    if cards_up and state.choices.fund:
        cards = [[card, state.atlas.cards[card].title] for card in cards_up]
        speech = bool(speech_gaps(state, seat)) and not speaks
        tell("silent_bids", "4.1", cards=cards, speech=speech)
    elif speech_gaps(state, seat) and not speaks:
        tell("silent_speech", "4.2d")


def _unplayed(state: State, seat: str, given: Standing, tell: Tell) -> None:
    points, kept = state.total(seat), state.lists[seat]
    slot = {"slot": "CAMPAIGN", "points": points}
    if seat in state.shown and "TAKE" not in given:
        tell("silent_card", "6.2", **_named(state, state.shown[seat]))
    if (elected := unplayed(state, seat)) is not None:
        tell("silent_counted", "4.2a", elected=elected, **slot)
    elif kept:
        tell("silent_list", "3.2", **_run(state, seat, kept), **slot)
    elif state.choices.auto:
        items = counting.cheapest_pinless(state.pins, state.atlas)
        done = counting.play(state.pins, state.atlas, seat, items, points)
        codes = [code for code, _ in done.taken]
        tell("silent_auto", "R9", states=codes, **slot)
    else:
        tell("silent_lost", "R9", **slot)


def unplayed(state: State, seat: str) -> list[str | int] | None:
    """4.2a. Return who is elected before it plays, [] if it goes out, None else."""
    if state.choices.turns or seat != state.alive[0] or not matters(state, seat):
        return None
    if counting.pinless(state.pins, state.atlas):
        return None
    if found := elected(state):
        return found
    gone, _ = losers(state, counting.votes_of(state.pins, state.atlas, state.alive))
    return [] if seat in gone else None


def elected(state: State) -> list[str | int] | None:
    """4.3. Return seat and votes, counted now."""
    for who, votes in counting.votes_of(state.pins, state.atlas, state.alive).items():
        if votes >= state.atlas.majority:
            return [who, votes]
    return None


def _run(state: State, seat: str, kept: Sequence[Item]) -> dict[str, object]:
    """4.2b. Return counties taken, too dear or shut, and points lost."""
    done = counting.play(state.pins, state.atlas, seat, kept, state.total(seat))
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


def advice(state: State, seat: str, standing: Standing, tell: Tell) -> None:
    """Tell the notes in the order of execution."""
    if "RESIGN" in standing:
        tell("your_leaving", "3.6")
        return
    state = filed(state, {seat: standing})
    for bid in standing.values():
        if isinstance(bid, Bid):
            tell(
                "your_bid",
                "4.1",
                **_named(state, bid.card),
                bid=bid.amount,
                unit=state.atlas.unit,
                first_price=state.choices.first_price,
            )
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


def _play(
    state: State, pins: counting.Pins, seat: str, standing: Standing, tell: Tell
) -> counting.Pins:
    """Report throw, CAMPAIGN and list; without orders the fate of the points. Return the pins
    after it."""
    points, rows = state.total(seat), None
    on_dice(state, seat, tell)
    if "TAKE" in standing and seat in state.shown:
        tell("your_choice", "6.2", **_named(state, state.shown[seat]), points=points)
        return pins
    campaign, kept = standing.get("CAMPAIGN"), state.lists[seat]
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
        items = counting.cheapest_pinless(pins, state.atlas)
        done = counting.play(pins, state.atlas, seat, items, points)
        taken = [Item(*row) for row in done.taken]
        rows, pins, points = _items(state, pins, seat, taken, points)
        tell("your_missed_move", "R9", rows=rows)
    if rows is not None or not {"CAMPAIGN", "PASS"}.isdisjoint(standing):
        tell("your_rest", "4.2b", points=points)
    return pins


def on_dice(state: State, seat: str, tell: Tell) -> None:
    """Report the throw, and a pair, seven or eleven (4.2a, 4.2c, 4.5, R11)."""
    throw = state.throws[seat]
    tell("your_points", "4.5", throw=list(throw), points=state.total(seat))
    empty = len(counting.pinless(state.pins, state.atlas))
    if matters(state, seat) and not state.choices.turns:
        rule = "R11" if empty else "4.2a"
        tell(
            "your_pair",
            rule,
            throw=list(throw),
            empty=empty,
            first=seat == state.alive[0],
            elected=elected(state),
            out=list(losers(state, counting.votes_of(state.pins, state.atlas, state.alive))[0]),
        )
    cards = len(state.pack) + len(state.set_aside)
    if state.choices.fund and state.total(seat) in LUCKY and cards:
        tell("your_lot", "4.2c", points=state.total(seat))


def _votes(state: State, seat: str, pins: counting.Pins, tell: Tell) -> None:
    before, after = (counting.leaders(one, state.atlas) for one in (state.pins, pins))
    gained = [code for code in after if after[code] == seat != before.get(code)]
    tell(
        "your_votes",
        "4.3",
        votes=counting.votes_of(pins, state.atlas, state.seats)[seat],
        before=counting.votes_of(state.pins, state.atlas, state.seats)[seat],
        majority=state.atlas.majority,
        gained=[[code, state.atlas.states[code].votes] for code in gained],
    )


def _speech(
    state: State, pins: counting.Pins, seat: str, order: Speak, standing: Standing, tell: Tell
) -> counting.Pins:
    """4.2d, R5. Return the pins after it, unchanged if unsure."""
    card, late = state.atlas.cards[order.card], order.late(state, seat)
    after = "" if state.choices.turns else order.after
    named, fee = {**_named(state, card.key), "after": after}, state.fee
    if _spoken(state, seat, order):
        tell("your_second_speech", "R5", **named)
        return pins
    if state.cash(seat) < fee:
        tell("your_dear_speech", "4.2d", fee=fee, **named)
        return pins
    items = [Item(*row) for row in card.counties]
    wholly = counting.cost(state.atlas, items)
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
    bids = sum(order.amount for order in standing.values() if isinstance(order, Bid))
    speeches = [order for order in standing.values() if isinstance(order, Speak)]
    fees = sum(not _spoken(state, seat, one) for one in speeches) * state.fee
    if state.choices.fund and bids + fees:
        tell("your_cash", "1.5", cash=state.cash(seat), bids=bids, fees=fees)


def _items(
    state: State, pins: counting.Pins, seat: str, items: Iterable[Item], points: int
) -> tuple[list[dict[str, object]], counting.Pins, int]:
    rows: list[dict[str, object]] = []
    for item in items:
        place = state.atlas.states[item.state]
        done = counting.play(pins, state.atlas, seat, (item,), points)
        reached = counting.level(done.pins, item.state, seat)
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
                "leads": counting.leader(done.pins, item.state) == seat,
                "leader": counting.leader(done.pins, item.state),
                "left": done.left,
            }
        )
        pins, points = done.pins, done.left
    return rows, pins, points
