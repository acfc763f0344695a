"""House bots against the nonsense bots of the tests, which try everything.

    python bench/tournament.py [--games 200] [--rulesets coalition,legislation]

Lots decide in each game which half of the seats the house bot plays (`bot.py` of a rule-set); a
nonsense bot (`tests/nonsense`) plays the others. A win is one; winners share it. The table gives
the mean share of a seat of each kind, their ratio with its 95 % interval (bootstrap over
games), the longest run of periods without a Government in Parlement (1968), and the processor time
of a bot's letter. Python collects its garbage between the games, so that no letter is charged with
it.
"""

from __future__ import annotations

import argparse
import gc
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.bots import bots
from pbem.games import GAMES
from pbem.games.frame.adjudication import play_period
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Seat
from pbem.games.frame.options import settle
from pbem.games.frame.ruleset import Ruleset
from pbem.house import shelf
from tests.bots import nonsense

MOST_PERIODS = 400
_COLLECTED = 20
"""Garbage is collected after so many games."""


@dataclass
class Tally:
    """What one rule-set came to."""

    shares: list[tuple[float, float]] = field(default_factory=list)
    """(mean share of a bot's seat, of a nonsense bot's), game by game."""
    periods: list[int] = field(default_factory=list)
    longest: int = 0
    seconds: float = 0.0
    letters: int = 0
    slowest: float = 0.0


def play(ruleset: Ruleset[Any], number: int, tally: Tally, *, all_bots: bool = False) -> None:
    """One game."""
    key = ruleset.about.key
    lots = Dice(f"tournament-{number}", key)
    seats = lots.stream("table").choice(ruleset.about.seats)
    mixed = lots.stream("sides").shuffled(seats)
    half = (len(mixed) + lots.stream("odd").below(2)) // 2
    house = set(seats) if all_bots else set(mixed[:half])
    options = settle(ruleset.about.options, dict(bots.short(key)))
    state = ruleset.setup(seats, options, {}, Dice(str(number), "tournament")).state
    modules = {"bot": bots.bot_of(key), "nonsense": nonsense(key)}
    chances = {seat: lots.stream(f"chance {seat}") for seat in seats}
    period, run = 0, 0
    while ruleset.result(state) is None and period < MOST_PERIODS:
        period += 1
        run = run + 1 if state.phase == "formation" else 0
        tally.longest = max(tally.longest, run)
        public = ruleset.view(state, None)
        orders = {}
        for seat in seats:
            kind = "bot" if seat in house else "nonsense"
            begin = time.process_time()
            text = modules[kind].letter(public, ruleset.view(state, seat), seat, chances[seat])
            if kind == "bot":
                spent = time.process_time() - begin
                tally.seconds, tally.letters = tally.seconds + spent, tally.letters + 1
                tally.slowest = max(tally.slowest, spent)
            orders[seat] = bots.taken(ruleset, state, seat, text)
        state = play_period(ruleset, state, orders, Dice(str(number), "tournament")).state
    result = ruleset.result(state)
    winners = result.winners if result else ()
    tally.periods.append(period)
    won = {seat: 1 / len(winners) if seat in winners else 0.0 for seat in seats}
    tally.shares.append((_mean(won, house), _mean(won, set(seats) - house)))


def _mean(won: dict[Seat, float], seats: set[Seat]) -> float:
    return sum(won[one] for one in seats) / len(seats) if seats else 0.0


def ratio(shares: Sequence[tuple[float, float]]) -> float:
    """Mean share of bots over that of nonsense bots."""
    others = sum(other for _, other in shares)
    return sum(bot for bot, _ in shares) / others if others else float("inf")


def interval(shares: Sequence[tuple[float, float]], times: int = 1000) -> tuple[float, float]:
    """The 95 % interval of the ratio."""
    chance = random.Random(1)
    made = sorted(ratio(chance.choices(shares, k=len(shares))) for _ in range(times))
    return made[times // 40], made[-times // 40 - 1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--rulesets", default=",".join(GAMES))
    parser.add_argument("--bots-only", action="store_true", help="how long their games are")
    given = parser.parse_args()
    gc.disable()
    print(
        f"{'rule-set':<16}{'games':>6}{'bot':>8}{'other':>8}{'ratio':>8}{'95 %':>14}"
        f"{'periods':>9}{'formation':>11}{'ms a letter':>13}{'slowest':>9}"
    )
    for key in given.rulesets.split(","):
        tally, ruleset = Tally(), shelf.open_ruleset(key)
        for number in range(given.games):
            if number % _COLLECTED == 0:
                gc.collect()
            play(ruleset, number, tally, all_bots=given.bots_only)
        count, shares = len(tally.shares), tally.shares
        low, high = interval(shares)
        print(
            f"{key:<16}{count:>6}{sum(a for a, _ in shares) / count:>8.3f}"
            f"{sum(b for _, b in shares) / count:>8.3f}{ratio(shares):>8.2f}"
            f"{f'{low:.2f}-{high:.2f}':>14}{sorted(tally.periods)[count // 2]:>9}"
            f"{tally.longest:>11}{1000 * tally.seconds / max(tally.letters, 1):>13.2f}"
            f"{1000 * tally.slowest:>9.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
