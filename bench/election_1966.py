"""How long a whole election of Parlement 1966 takes, beside one movement phase of PyPI's
`diplomacy`.

    python bench/election_1966.py [rounds]

Both are measured in the same run, in turns, from order texts: 50 districts, primary and runoff,
from the players' letters to the tallies; and 29 units of seven powers, from order strings to the
positions. Then order lines parsed and checked a second beside diplomacy's order strings a second.
Everything is pinned in ``bench/workloads/1966``. Exit code 1 if the election takes longer than the
movement phase or lines are read less than 1.5 times as fast.
"""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from diplomacy import Game

from pbem.games.frame.adjudication import play_period, take
from pbem.games.frame.dice import Dice
from pbem.house import shelf
from pbem.periods import paper

ROOT = Path(__file__).parents[1]
KEY = "parlement-1966"
LOAD = ROOT / "bench" / "workloads" / "1966"
SEATS = ("S", "R", "L", "C", "M")
WANTED = 1.5


def election(start: Any, letters: list[dict[str, str]]) -> tuple[float, Any]:
    """Seconds for primary and runoff from the letters, and the state after it."""
    ruleset, dice, state = shelf.open_ruleset(KEY), Dice("0", "bench"), start
    ruleset.language._parsed.cache_clear()  # each round parses again
    begun = perf_counter()
    for texts in letters:
        orders = {
            seat: take(ruleset, state, seat, text, {}).standing for seat, text in texts.items()
        }
        state = play_period(ruleset, state, orders, dice).state
    return perf_counter() - begun, state


def movement(position: dict[str, Any]) -> tuple[float, float]:
    """Seconds for taking the order strings of all powers, and for the whole movement phase."""
    game = Game()
    game.clear_units()
    game.clear_centers()
    game.set_current_phase(position["phase"])
    for power, units in position["units"].items():
        game.set_units(power, units)
        game.set_centers(power, position["centers"][power])
    begun = perf_counter()
    for power, orders in position["orders"].items():
        game.set_orders(power, orders)
    taken = perf_counter() - begun
    game.process()
    return taken, perf_counter() - begun


def reading(state: Any, text: str) -> float:
    """Seconds for parsing and checking every line of a text."""
    ruleset = shelf.open_ruleset(KEY)
    ruleset.language._parsed.cache_clear()
    begun = perf_counter()
    answers = take(ruleset, state, "S", text, {}).answers
    spent = perf_counter() - begun
    refused = [answer.line.text for answer in answers if not answer.orders]
    assert not refused, f"the workload has lines that are refused: {refused[:3]}"
    return spent


def main(rounds: int) -> int:
    start = paper.begin(paper.Setup(KEY, 0, None, {}, paper.read_toml(LOAD / "primary.toml"))).start
    letters = paper.periods(LOAD, SEATS)[4:]
    position = json.loads((LOAD / "diplomacy.json").read_text())
    strings = sum(len(orders) for orders in position["orders"].values())
    last_period = paper.begin(
        paper.Setup(KEY, 0, None, {}, paper.read_toml(LOAD / "last-period.toml"))
    ).start
    lines = (LOAD / "lines.txt").read_text()
    for _ in range(5):
        election(start, letters), movement(position), reading(last_period, lines)
    elections, phases, taken, read = [], [], [], []
    for _ in range(rounds):
        spent, state = election(start, letters)
        strings_taken, whole = movement(position)
        elections.append(spent)
        phases.append(whole)
        taken.append(strings_taken)
        read.append(reading(last_period, lines))
    assert state.seats == {"S": 6, "R": 12, "L": 14, "C": 14, "M": 4}, state.seats
    ours, theirs = statistics.median(elections), statistics.median(phases)
    here = len(lines.splitlines()) / statistics.median(read)
    there = strings / statistics.median(taken)
    print(f"election, 50 districts, primary and runoff: {ours * 1000:8.2f} ms")
    print(f"diplomacy, one movement phase, {strings} units:   {theirs * 1000:8.2f} ms")
    print(f"ratio (at most 1.00 wanted):                {ours / theirs:8.2f}")
    print(f"order lines parsed and checked a second:    {here:8.0f}")
    print(f"diplomacy's order strings a second:         {there:8.0f}")
    print(f"ratio (at least {WANTED:.2f} wanted):               {here / there:8.2f}")
    return 0 if ours <= theirs and here >= WANTED * there else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 50))
