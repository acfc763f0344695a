"""The request for standing orders as a session opens (house rule 9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.games.parlement_1968.state import State
from pbem.games.parlement_1968.steps.house import own_factions, points
from pbem.games.parlement_1968.steps.voting import standing_key
from pbem.games.parlement_1968.tables import Tables


@dataclass(frozen=True, slots=True)
class Request:
    """What a party has not said, and what its records suggest."""

    bills: tuple[str, ...]
    budget: bool
    orders: tuple[str, ...]


def request(state: State, tables: Tables, seat: str) -> Request | None:
    """Return what is asked now; None if nothing is."""
    sizes = own_factions(state, tables, seat)
    if state.over or state.counted or state.phase not in ("formation", "program") or not sizes:
        return None
    bills = tuple(key for key in tables.bills if not _on_file(state, seat, key, sizes))
    budget = not state.budget_passed and not all(
        _on_file(state, seat, item, sizes) for item in tables.items
    )
    if not bills and not budget:
        return None
    orders = [line for key in bills for line in _bill(state, tables, sizes, key)]
    orders += _budget(state, tables, sizes) if budget else []
    return Request(bills, budget, tuple(orders))


def _on_file(state: State, seat: str, line: str, sizes: Mapping[str, int]) -> bool:
    filed = state.standing.get(seat, {})
    regions = [unit.partition("-")[2] for unit in sizes]
    return standing_key(line) in filed or all(standing_key(line, r) in filed for r in regions)


def _bill(state: State, tables: Tables, sizes: Mapping[str, int], key: str) -> list[str]:
    stands = tables.bills[key].stands
    wish = {unit: _choice(state, tables, unit, stands, "Y", ("YES", "NO")) for unit in sizes}
    usual = _most(wish, sizes)
    return [f"STANDING VOTE {key} {usual}"] + [
        f"STANDING VOTE {key} {unit.partition('-')[2].upper()} {choice}"
        for unit, choice in wish.items()
        if choice != usual
    ]


def _budget(state: State, tables: Tables, sizes: Mapping[str, int]) -> list[str]:
    wish = {
        unit: ", ".join(
            f"{item.upper()} {_choice(state, tables, unit, one.stands, 'H', ('H', 'L'))}"
            for item, one in tables.items.items()
        )
        for unit in sizes
    }
    usual = _most(wish, sizes)
    return [f"STANDING VOTE BUDGET {usual}"] + [
        f"STANDING VOTE BUDGET {unit.partition('-')[2].upper()} {levels}"
        for unit, levels in wish.items()
        if levels != usual
    ]


def _choice(
    state: State,
    tables: Tables,
    unit: str,
    stands: Mapping[str, str],
    first: str,
    words: tuple[str, str],
) -> str:
    """Return the side of the blocs with more points; "!" counts twice."""
    weight = 0
    for bloc, n in points(state, tables, unit).items():
        worth = n * (2 if stands[bloc].endswith("!") else 1)
        weight += worth if stands[bloc].startswith(first) else -worth
    return words[0] if weight > 0 else words[1] if weight < 0 else "ABSTAIN"


def _most(wish: Mapping[str, str], sizes: Mapping[str, int]) -> str:
    behind: dict[str, int] = {}
    for unit, said in wish.items():
        behind[said] = behind.get(said, 0) + sizes[unit]
    return max(behind, key=lambda said: behind[said])
