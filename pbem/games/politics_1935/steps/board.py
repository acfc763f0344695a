"""The board: pins, leaders, votes, and what a county costs. Pure functions on ``pins``, which are
never changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pbem.games.politics_1935.orders import Item
from pbem.games.politics_1935.state import Pin
from pbem.games.politics_1935.tables import Atlas

Pins = Mapping[str, tuple[Pin, ...]]


def level(pins: Pins, state: str, seat: str) -> int:
    """Counties the seat holds in the state; 0: no pin."""
    return next((pin.level for pin in pins.get(state, ()) if pin.seat == seat), 0)


def blocked(pins: Pins, atlas: Atlas, state: str) -> bool:
    """Whether a pin stands in the capital, so that nobody moves there (4.2b)."""
    return any(pin.level >= atlas.states[state].capital for pin in pins.get(state, ()))


def captured(pins: Pins, state: str, seat: str) -> Pins:
    """The pins after the seat took one more county: it arrives last on its new line."""
    others = tuple(pin for pin in pins.get(state, ()) if pin.seat != seat)
    return {**pins, state: (*others, Pin(seat, level(pins, state, seat) + 1))}


def without(pins: Pins, seats: Iterable[str]) -> Pins:
    """The pins when those of ``seats`` have left; the pins behind keep their levels (4.3)."""
    gone = frozenset(seats)
    left = {state: tuple(pin for pin in row if pin.seat not in gone) for state, row in pins.items()}
    return {state: row for state, row in left.items() if row}


def leader(pins: Pins, state: str) -> str | None:
    """Who would get the state's votes: the highest level, of equals the first to arrive there (4.3,
    R8)."""
    row = pins.get(state, ())
    return max(row, key=lambda pin: pin.level).seat if row else None


def leaders(pins: Pins, atlas: Atlas) -> dict[str, str]:
    """The leader of each state that has a pin, by code."""
    return {state: who for state in atlas.states if (who := leader(pins, state))}


def led(pins: Pins, atlas: Atlas, seat: str) -> list[tuple[str, int]]:
    """The states in which the seat leads, with their votes, the largest first."""
    found = leaders(pins, atlas).items()
    rows = [(state, atlas.states[state].votes) for state, who in found if who == seat]
    return sorted(rows, key=lambda row: -row[1])


def behind(pins: Pins, atlas: Atlas, seat: str) -> list[tuple[str, int, int]]:
    """The states in which the seat has a pin and another leads who can be overtaken: votes, and by
    how many counties it is behind (0: it came later)."""
    rows = [
        (state, atlas.states[state].votes, level(pins, state, who) - own)
        for state, who in leaders(pins, atlas).items()
        if who != seat and (own := level(pins, state, seat)) and not blocked(pins, atlas, state)
    ]
    return sorted(rows, key=lambda row: -row[1])


def votes(pins: Pins, atlas: Atlas, seats: Iterable[str]) -> dict[str, int]:
    """Electoral votes of each seat as the pins stand."""
    tally = dict.fromkeys(seats, 0)
    for state, who in leaders(pins, atlas).items():
        tally[who] += atlas.states[state].votes
    return tally


def pinless(pins: Pins, atlas: Atlas) -> tuple[str, ...]:
    """The states without a pin; none: the board is closed."""
    return tuple(state for state in atlas.states if not pins.get(state))


def cost(atlas: Atlas, items: Iterable[Item]) -> int:
    """Dice points these items cost."""
    return sum(atlas.states[item.state].cost * item.count for item in items)


@dataclass(frozen=True, slots=True)
class Play:
    """What came of items and points: the board, points left, (state, counties) captured in order,
    and what was lost to a capital that was taken."""

    pins: Pins
    left: int
    taken: tuple[tuple[str, int], ...]
    stopped: tuple[tuple[str, int], ...]


def play(pins: Pins, atlas: Atlas, seat: str, items: Iterable[Item], points: int) -> Play:
    """Items in order, county by county: captured if the points reach and no capital is taken; what
    is skipped leaves its points to the rest (4.2b)."""
    taken: list[tuple[str, int]] = []
    stopped: list[tuple[str, int]] = []
    for item in items:
        got = shut = 0
        for _ in range(item.count):
            if blocked(pins, atlas, item.state):
                shut += 1
            elif points >= atlas.states[item.state].cost:
                pins, points, got = (
                    captured(pins, item.state, seat),
                    points - atlas.states[item.state].cost,
                    got + 1,
                )
        taken += [(item.state, got)] if got else []
        stopped += [(item.state, shut)] if shut else []
    return Play(pins, points, tuple(taken), tuple(stopped))


def cheapest_pinless(pins: Pins, atlas: Atlas) -> tuple[Item, ...]:
    """One county in each pinless state, cheapest first, then by code (R9)."""
    return tuple(
        Item(state)
        for state in sorted(pinless(pins, atlas), key=lambda s: (atlas.states[s].cost, s))
    )
