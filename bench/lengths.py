"""How long games last: play house bots that play to win, and write `rules/lengths.toml`.

    python bench/lengths.py [--write] [--rulesets coalition,legislation]

Options are the usual ones, and the number of seats goes by lot. A row is a game: how many periods
it had of each kind that a pace may give a length of its own.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from bench.tournament import MOST_PERIODS
from pbem.bots import bots
from pbem.games import GAMES
from pbem.games.frame.adjudication import play_period
from pbem.games.frame.dice import Dice
from pbem.games.frame.options import settle
from pbem.games.frame.ruleset import Ruleset
from pbem.house import houses, resources, shelf

QUICK, LONG = 100, 20
HEAD = """\
# How long games last: a row for each game of the house bots, with the number of its periods of
# each kind. "*" is an ordinary period, "alone" one in which a single player is asked, any other a
# phase with a length of its own. The option "ends" ends a game: each that it counts takes so many
# periods. Games and kinds are written by `python bench/lengths.py --write`.
"""


def play(ruleset: Ruleset[Any], number: int) -> Counter[str]:
    """Return a game's periods by kind."""
    key, found = ruleset.about.key, Counter[str]()
    lots = Dice(f"lengths-{number}", key)
    seats = lots.stream("table").choice(ruleset.about.seats)
    dice = Dice(str(number), "lengths")
    state = ruleset.setup(seats, settle(ruleset.about.options, {}), {}, dice).state
    own = houses.usual(key).lengths
    while ruleset.result(state) is None and found.total() < MOST_PERIODS:
        found[houses.kind(own, state.phase, len(ruleset.asked(state)))] += 1
        chances = {seat: bots.chance(str(number), key, seat, found.total()) for seat in seats}
        orders = {
            seat: bots.taken(ruleset, state, seat, bots.letter(ruleset, state, seat, chances[seat]))
            for seat in seats
        }
        state = play_period(ruleset, state, orders, dice).state
    return found


def table(key: str) -> str:
    """Return the part of the file on one rule-set."""
    ruleset = shelf.open_ruleset(key)
    games = [play(ruleset, n) for n in range(LONG if key.startswith("parlement") else QUICK)]
    kinds = sorted({kind for game in games for kind in game})
    rows = sorted([game[kind] for kind in kinds] for game in games)
    names = ", ".join(f'"{kind}"' for kind in kinds)
    kept = "".join(
        f"{name} = {json.dumps(houses.of_bots()[key][name])}\n" for name in ("ends", "each")
    )
    return f"[{key}]\n{kept}kinds = [{names}]\ngames = [\n{_lines(rows)}\n]\n"


def _lines(rows: list[list[int]]) -> str:
    """Return rows as lines of at most 120 characters."""
    lines = [""]
    for row in rows:
        word = f"{row},"
        if len(lines[-1]) + len(word) > 115:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else f"  {word}"
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--write", action="store_true", help="write the file")
    parser.add_argument("--rulesets", default=",".join(GAMES))
    given = parser.parse_args()
    text = "\n".join([HEAD, *(table(key) for key in given.rulesets.split(","))])
    if given.write:
        Path(resources.path("rules", "lengths.toml")).write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
