"""Pins, leaders, votes, costs; ``pins`` never changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pbem.games.politics_1935.state import Item, Pin
from pbem.games.politics_1935.tables import Atlas

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


def votes(pins: Pins, atlas: Atlas, seats: Iterable[str]) -> dict[str, int]:
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
                pins, points, got = (
                    captured(pins, item.state, seat),
                    points - atlas.states[item.state].cost,
                    got + 1,
                )
        taken += [(item.state, got)] if got else []
        stopped += [(item.state, shut)] if shut else []
    return Play(pins, points, tuple(taken), tuple(stopped))


def cheapest_pinless(pins: Pins, atlas: Atlas) -> tuple[Item, ...]:
    """Return a county of each pinless state, cheapest first, then by code (R9)."""
    return tuple(
        Item(state)
        for state in sorted(pinless(pins, atlas), key=lambda s: (atlas.states[s].cost, s))
    )
