"""Counts, leaders, costs, eliminations, the end, the Expense Fund (4.0, 4.3, 4.4, R14 to R20)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Minutes, grouped
from pbem.games.frame.treasury import Payment, pay
from pbem.games.politics_1935.state import FUND, Atlas, Gone, Item, Pin, State

Pins = Mapping[str, tuple[Pin, ...]]


def level(pins: Pins, state: str, seat: str) -> int:
    """Return the seat's counties; 0 without a pin."""
    return next((pin.level for pin in pins.get(state, ()) if pin.seat == seat), 0)


def blocked(pins: Pins, atlas: Atlas, state: str) -> bool:
    """Return whether a capital's pin shuts the state (4.2b)."""
    return any(pin.level >= atlas.states[state].capital for pin in pins.get(state, ()))


def captured(pins: Pins, state: str, seat: str) -> Pins:
    """Return pins with one more county, last on its line."""
    others = tuple(pin for pin in pins.get(state, ()) if pin.seat != seat)
    return {**pins, state: (*others, Pin(seat, level(pins, state, seat) + 1))}


def without(pins: Pins, seats: Iterable[str]) -> Pins:
    """Return pins without ``seats``; others keep levels (4.3)."""
    gone = frozenset(seats)
    left = {state: tuple(pin for pin in row if pin.seat not in gone) for state, row in pins.items()}
    return {state: row for state, row in left.items() if row}


def leader(pins: Pins, state: str) -> str | None:
    """Return the highest, of equals the first to arrive (4.3, R8)."""
    row = pins.get(state, ())
    return max(row, key=lambda pin: pin.level).seat if row else None


def leaders(pins: Pins, atlas: Atlas) -> dict[str, str]:
    return {state: who for state in atlas.states if (who := leader(pins, state))}


def led(pins: Pins, atlas: Atlas, seat: str) -> list[tuple[str, int]]:
    found = leaders(pins, atlas).items()
    rows = [(state, atlas.states[state].votes) for state, who in found if who == seat]
    return sorted(rows, key=lambda row: -row[1])


def behind(pins: Pins, atlas: Atlas, seat: str) -> list[tuple[str, int, int]]:
    """Return states to overtake in: votes, counties behind (0: came later)."""
    rows = [
        (state, atlas.states[state].votes, level(pins, state, who) - own)
        for state, who in leaders(pins, atlas).items()
        if who != seat and (own := level(pins, state, seat)) and not blocked(pins, atlas, state)
    ]
    return sorted(rows, key=lambda row: -row[1])


def votes_of(pins: Pins, atlas: Atlas, seats: Iterable[str]) -> dict[str, int]:
    tally = dict.fromkeys(seats, 0)
    for state, who in leaders(pins, atlas).items():
        tally[who] += atlas.states[state].votes
    return tally


def pinless(pins: Pins, atlas: Atlas) -> tuple[str, ...]:
    return tuple(state for state in atlas.states if not pins.get(state))


def cost(atlas: Atlas, items: Iterable[Item]) -> int:
    return sum(atlas.states[item.state].cost * item.count for item in items)


@dataclass(frozen=True, slots=True)
class Play:
    """The result of spending points."""

    pins: Pins
    left: int
    taken: tuple[tuple[str, int], ...]
    """(state, counties), in order."""
    stopped: tuple[tuple[str, int], ...]
    """Lost to a taken capital."""


def play(pins: Pins, atlas: Atlas, seat: str, items: Iterable[Item], points: int) -> Play:
    """Buy county by county if points suffice and the state is open; skipped items leave their
    points (4.2b)."""
    taken: list[tuple[str, int]] = []
    stopped: list[tuple[str, int]] = []
    for item in items:
        got = shut = 0
        for _ in range(item.count):
            if blocked(pins, atlas, item.state):
                shut += 1
            elif points >= atlas.states[item.state].cost:
                pins, got = captured(pins, item.state, seat), got + 1
                points -= atlas.states[item.state].cost
        taken += [(item.state, got)] if got else []
        stopped += [(item.state, shut)] if shut else []
    return Play(pins, points, tuple(taken), tuple(stopped))


def cheapest_pinless(pins: Pins, atlas: Atlas) -> tuple[Item, ...]:
    """Return a county of each pinless state, cheapest first, then by code (R9)."""
    codes = sorted(pinless(pins, atlas), key=lambda code: (atlas.states[code].cost, code))
    return tuple(map(Item, codes))


_T = TypeVar("_T")
_NEARLY_CLOSED = 24  # pinless states at which pairs are reported


def calls_a_count(state: State, seat: str) -> bool:
    """Return whether the throw calls a count: a pair or triple on a closed board (4.2a, R11,
    R12)."""
    throw = state.throws.get(seat, ())
    free = not state.choices.tab_limit or state.counts_round < state.choices.tab_limit
    return is_pair(throw) and free and not pinless(state.pins, state.atlas)


def is_pair(throw: Sequence[int]) -> bool:
    """Return whether it is a pair or triple."""
    return len(set(throw)) < len(throw)


def matters(state: State, seat: str) -> bool:
    """Return whether it is a pair on a board almost closed."""
    empty = len(pinless(state.pins, state.atlas))
    return is_pair(state.throws.get(seat, ())) and empty <= _NEARLY_CLOSED


def tell_idle_pair(state: State, seat: str, minutes: Minutes) -> None:
    """Report a pair without count: the board is just open (R11), or counted this round (R12)."""
    if matters(state, seat):
        empty, throw = len(pinless(state.pins, state.atlas)), list(state.throws[seat])
        rule = "R11" if empty else "R12"
        minutes.public("no_count", rule, seat=seat, throw=throw, empty=empty)


def tell_race(before: Pins, state: State, minutes: Minutes) -> None:
    """Report votes and changed leaders (4.3)."""
    old, new = (leaders(pins, state.atlas) for pins in (before, state.pins))
    votes = [votes_of(pins, state.atlas, state.seats) for pins in (before, state.pins)]
    taken = [[code, old[code], who] for code, who in new.items() if old.get(code, who) != who]
    minutes.public(
        "race",
        "4.3",
        taken=taken,
        votes={seat: [tally[seat] for tally in votes] for seat in state.alive},
        majority=state.atlas.majority,
    )
    for seat in state.alive:
        if mine := [row for row in taken if seat in row]:
            minutes.private(
                "your_states",
                "4.3",
                [seat],
                gained=[[code, loser] for code, loser, who in mine if who == seat],
                lost=[[code, who] for code, loser, who in mine if loser == seat],
            )


def tabulate(state: State, seat: str, dice: Dice, minutes: Minutes) -> State:
    """Count: a majority ends the game, else the lowest goes (4.3)."""
    tally = votes_of(state.pins, state.atlas, state.alive)
    minutes.public(
        "count",
        "4.3",
        seat=seat,
        throw=list(state.throws[seat]),
        votes=ranked(tally),
        states=leaders(state.pins, state.atlas),
    )
    gone, rule = losers(state, tally)
    state = replace(
        state, counts=state.counts + 1, counts_round=state.counts_round + 1, last_count=tally
    )
    first = max(tally, key=lambda who: tally[who])
    if tally[first] >= state.atlas.majority:
        minutes.public(
            "president", "4.3", seat=first, votes=tally[first], electors=sum(tally.values())
        )
        return finish(state, (first,), minutes)
    if not gone:
        minutes.public("nobody_out", rule, votes=min(tally.values()))
        return state
    return eliminate(state, gone, tally, rule, dice, minutes)


def losers(state: State, tally: Mapping[str, int]) -> tuple[tuple[str, ...], str]:
    """Return who goes and why: the lowest, or by the first cut all below third."""
    if state.choices.first_cut and not state.counts and len(tally) > state.choices.first_cut:
        third = sorted(tally.values(), reverse=True)[state.choices.first_cut - 1]
        return tuple(seat for seat in state.alive if tally[seat] < third), "R20"
    lowest = [seat for seat in state.alive if tally[seat] == min(tally.values())]
    return tuple(lowest) if len(lowest) == 1 else (), "4.3"


def eliminate(
    state: State,
    seats: Sequence[str],
    tally: Mapping[str, int],
    rule: str,
    dice: Dice,
    minutes: Minutes,
) -> State:
    """Remove seats: pins go, cards are shuffled into the pack, cash is frozen (4.3, R14)."""
    returned: list[str] = []
    for seat in seats:
        shown = [state.shown[seat]] if seat in state.shown else []
        returned += [*state.hands.get(seat, ()), *state.played.get(seat, ()), *shown]
    pack = dice.stream(f"elim/{state.shuffles + 1}").shuffled([*state.pack, *returned])
    wave = max((gone.wave for gone in state.out), default=0) + 1
    before = pinless(state.pins, state.atlas)
    pins = without(state.pins, seats)
    opened = [code for code in pinless(pins, state.atlas) if code not in before]
    minutes.public(
        "eliminated",
        rule,
        seats=list(seats),
        votes={seat: tally[seat] for seat in seats},
        opened=opened,
        cards=len(returned) - len(state.set_aside.keys() & set(seats)),
        resigned=rule == "4.0",
    )
    for seat in seats:
        minutes.private("you_are_out", rule, [seat], votes=tally[seat], resigned=rule == "4.0")
    return replace(
        state,
        pins=pins,
        pack=tuple(pack),
        shuffles=state.shuffles + 1,
        hands=_less(state.hands, seats),
        played=_less(state.played, seats),
        shown=but(state.shown, seats),
        throws=but(state.throws, seats),
        spoke=state.spoke - frozenset(seats),
        lists=_less(state.lists, seats),
        out=(*state.out, *(Gone(seat, tally[seat], wave) for seat in seats)),
        last_count=None if state.last_count is None else but(state.last_count, seats),
    )


def but(held: Mapping[str, _T], seats: Sequence[str]) -> dict[str, _T]:
    return {seat: one for seat, one in held.items() if seat not in seats}


def _less(held: Mapping[str, tuple[_T, ...]], seats: Sequence[str]) -> dict[str, tuple[_T, ...]]:
    return {seat: () if seat in seats else cards for seat, cards in held.items()}


def resignations(state: State, seats: Sequence[str], dice: Dice, minutes: Minutes) -> State:
    """Remove all who resign, with their votes (4.0)."""
    if not seats:
        return state
    tally = votes_of(state.pins, state.atlas, state.alive)
    state = eliminate(state, [s for s in state.order if s in seats], tally, "4.0", dice, minutes)
    if not state.alive:
        minutes.public("nobody_left", "4.0")
        return finish(state, (), minutes)
    return alone(state, minutes)


def alone(state: State, minutes: Minutes) -> State:
    """Let the last one win (4.4)."""
    if len(state.alive) != 1 or state.winners is not None:
        return state
    minutes.public("last_one", "4.4", seat=state.alive[0])
    return finish(state, state.alive, minutes)


def last_count(state: State, minutes: Minutes) -> State:
    """Decide by votes, states, counties, else jointly (4.4)."""
    tally = votes_of(state.pins, state.atlas, state.alive)
    lead = list(leaders(state.pins, state.atlas).values())
    counties = {s: sum(level(state.pins, code, s) for code in state.pins) for s in state.alive}
    figures = {seat: (tally[seat], lead.count(seat), counties[seat]) for seat in state.alive}
    best = max(figures.values())
    winners = tuple(seat for seat in state.alive if figures[seat] == best)
    minutes.public(
        "last_count",
        "4.4",
        round=state.round,
        votes=ranked(tally),
        states=leaders(state.pins, state.atlas),
        figures={seat: list(row) for seat, row in figures.items()},
        winners=list(winners),
    )
    return finish(replace(state, last_count=tally), winners, minutes)


def finish(state: State, winners: tuple[str, ...], minutes: Minutes) -> State:
    """End: lapse lots, pay the fund, settle places."""
    if state.lots:
        minutes.public("lots_lapse", "R18", cards=[lot.card for lot in state.lots])
    state = replace(
        state,
        phase="OVER",
        winners=winners,
        lots=(),
        pack=(*(lot.card for lot in reversed(state.lots)), *state.pack),
    )
    shares = fund_shares(state, winners)
    if shares:
        entries = [Payment(state.round, FUND, who, n, "Expense Fund") for who, n in shares.items()]
        state = replace(state, accounts=pay(state.accounts, entries))
        speaker = inflation(state)
        rule = "R17" if len(winners) > 1 else "R16" if speaker else "4.6"
        minutes.public("fund_paid", rule, shares=shares, speaker=speaker)
    minutes.public(
        "final_order",
        "4.6",
        places=[list(place) for place in places(state)],
        standing=final_standing(state),
    )
    return state


def inflation(state: State) -> str | None:
    """Return the inflation speaker if still in (FUND=ON)."""
    if not state.choices.fund:
        return None
    card = state.atlas.inflation
    return next((seat for seat in state.alive if card in state.played.get(seat, ())), None)


def fund_shares(state: State, winners: Sequence[str]) -> dict[str, int]:
    """Return the fund's shares in dollars: half to the inflation speaker (all if they win alone),
    the rest to winners in whole notes, the remainder to the first (R16, R17)."""
    fund, unit = state.accounts.balance(FUND), state.atlas.unit
    if not fund or not winners:
        return {}
    shares: dict[str, int] = {}
    speaker = inflation(state)
    if speaker and tuple(winners) != (speaker,):
        shares[speaker] = fund // 2 // unit * unit
    rest = fund - sum(shares.values())
    part = rest // len(winners) // unit * unit
    for seat in winners:
        left_over = rest - part * len(winners) if seat == winners[0] else 0
        shares[seat] = shares.get(seat, 0) + part + left_over
    return {seat: amount for seat, amount in shares.items() if amount}


def final_standing(state: State) -> dict[str, int]:
    """Return votes at the last count, or as seats went; without a count as pins stand (4.6)."""
    now = state.last_count
    now = votes_of(state.pins, state.atlas, state.alive) if now is None else now
    figures = {**now, **{gone.seat: gone.votes for gone in state.out}}
    return {seat: figures.get(seat, 0) for seat in state.seats}


def places(state: State) -> list[tuple[str, ...]]:
    """Return places, equals together: winners, those in by votes, the last out first (4.6)."""
    votes = final_standing(state)
    waves = {gone.seat: gone.wave for gone in state.out}
    winners = state.winners or ()
    keys = {
        s: (s in winners, waves.get(s, len(waves) + 1), 0 if s in winners else votes[s])
        for s in state.order
    }
    placed = grouped((keys[s], s) for s in state.order)
    return [tuple(placed[key]) for key in sorted(placed, reverse=True)]


def ranked(tally: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(tally.items(), key=lambda row: -row[1]))
