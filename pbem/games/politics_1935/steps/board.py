"""The board: pins, leaders, votes, county costs. Pure functions; ``pins`` is never changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pbem.games.politics_1935.orders import Item
from pbem.games.politics_1935.state import Pin
from pbem.games.politics_1935.tables import Atlas

Pins = Mapping[str, tuple[Pin, ...]]


def level(pins: Pins, state: str, seat: str) -> int:
    """Return the seat's counties in the state; 0 for no pin."""
    return next((pin.level for pin in pins.get(state, ()) if pin.seat == seat), 0)


def blocked(pins: Pins, atlas: Atlas, state: str) -> bool:
    """Whether a pin in the capital shuts the state (4.2b)."""
    return any(pin.level >= atlas.states[state].capital for pin in pins.get(state, ()))


def captured(pins: Pins, state: str, seat: str) -> Pins:
    """Return the pins after the seat takes another county; it is last on its new line."""
    others = tuple(pin for pin in pins.get(state, ()) if pin.seat != seat)
    return {**pins, state: (*others, Pin(seat, level(pins, state, seat) + 1))}


def without(pins: Pins, seats: Iterable[str]) -> Pins:
    """Return the pins without those of ``seats``; the others keep their levels (4.3)."""
    gone = frozenset(seats)
    left = {state: tuple(pin for pin in row if pin.seat not in gone) for state, row in pins.items()}
    return {state: row for state, row in left.items() if row}


def leader(pins: Pins, state: str) -> str | None:
    """Return who would get the state's votes: the highest level, among equals the first to
    arrive (4.3, R8)."""
    row = pins.get(state, ())
    return max(row, key=lambda pin: pin.level).seat if row else None


def leaders(pins: Pins, atlas: Atlas) -> dict[str, str]:
    """Return the leader of each state with a pin, by code."""
    return {state: who for state in atlas.states if (who := leader(pins, state))}


def led(pins: Pins, atlas: Atlas, seat: str) -> list[tuple[str, int]]:
    """Return the states the seat leads with their votes, largest first."""
    found = leaders(pins, atlas).items()
    rows = [(state, atlas.states[state].votes) for state, who in found if who == seat]
    return sorted(rows, key=lambda row: -row[1])


def behind(pins: Pins, atlas: Atlas, seat: str) -> list[tuple[str, int, int]]:
    """Return the states where the seat has a pin and can overtake another leader: votes, and
    counties behind (0: it came later)."""
    rows = [
        (state, atlas.states[state].votes, level(pins, state, who) - own)
        for state, who in leaders(pins, atlas).items()
        if who != seat and (own := level(pins, state, seat)) and not blocked(pins, atlas, state)
    ]
    return sorted(rows, key=lambda row: -row[1])


def votes(pins: Pins, atlas: Atlas, seats: Iterable[str]) -> dict[str, int]:
    """Return each seat's electoral votes as the pins stand."""
    tally = dict.fromkeys(seats, 0)
    for state, who in leaders(pins, atlas).items():
        tally[who] += atlas.states[state].votes
    return tally


def pinless(pins: Pins, atlas: Atlas) -> tuple[str, ...]:
    """Return the states without a pin; none means the board is closed."""
    return tuple(state for state in atlas.states if not pins.get(state))


def cost(atlas: Atlas, items: Iterable[Item]) -> int:
    """Return the items' cost in dice points."""
    return sum(atlas.states[item.state].cost * item.count for item in items)


@dataclass(frozen=True, slots=True)
class Play:
    """The result of spending points."""

    pins: Pins
    left: int
    taken: tuple[tuple[str, int], ...]
    """(state, counties) captured, in order."""
    stopped: tuple[tuple[str, int], ...]
    """What was lost to a taken capital."""


def play(pins: Pins, atlas: Atlas, seat: str, items: Iterable[Item], points: int) -> Play:
    """Execute items county by county: capture if the points suffice and no capital is taken.
    Skipped items leave their points to the rest (4.2b)."""
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
    """Return one county in each pinless state, cheapest first, then by code (R9)."""
    return tuple(
        Item(state)
        for state in sorted(pinless(pins, atlas), key=lambda s: (atlas.states[s].cost, s))
    )
