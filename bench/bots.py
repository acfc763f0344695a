"""Games of random house bots: how many a second in each rule-set, where the time goes, what the
slowest period costs.

    python bench/bots.py [--seconds 5] [--games coalition,legislation]

Rates hold for one machine on one day. The slowest adjudication of each game is therefore also given
as a ratio to three movement phases of the `diplomacy` package (PyPI), adjudicated from order texts
in the same run.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from pbem.games import GAMES
from pbem.games.frame import codec
from pbem.games.frame.adjudication import play_period, take
from pbem.games.frame.dice import Dice
from pbem.games.frame.ruleset import Ruleset
from pbem.house import shelf
from tests.bots import drawn, nonsense

try:
    from diplomacy import Game
except ImportError:
    Game = None

STEPS = ("parse", "check", "adjudicate", "dump", "bots")
MOST_PERIODS, KEPT, TIMES = 400, 5, 7


@dataclass
class Clock:
    """Seconds spent in each step."""

    spent: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    @contextmanager
    def on(self, step: str) -> Iterator[None]:
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.spent[step] += time.perf_counter() - begin

    def timed(self, step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any) -> Any:
            begin = time.perf_counter()
            try:
                return function(*args)
            finally:
                self.spent[step] += time.perf_counter() - begin

        return run


class TimedLanguage:
    """A language whose reading is on the clock."""

    def __init__(self, language: Any, clock: Clock) -> None:
        self.language = language
        self.split = clock.timed("parse", language.split)
        self.read = clock.timed("parse", language.read)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.language, name)


class TimedRuleset:
    """A rule-set whose checks, reading and adjudications are on the clock."""

    def __init__(self, ruleset: Ruleset[Any], clock: Clock) -> None:
        self.result = ruleset.result
        self.language = TimedLanguage(ruleset.language, clock)
        self.check = clock.timed("check", ruleset.check)
        self.adjudicate = clock.timed("adjudicate", ruleset.adjudicate)


@dataclass
class Period:
    """One period that was slow to adjudicate, kept to be measured again."""

    seconds: float
    state: Any
    letters: dict[str, str]
    seed: int


@dataclass
class Tally:
    """What one rule-set came to."""

    key: str
    games: int = 0
    periods: int = 0
    letters: int = 0
    seconds: float = 0.0
    clock: Clock = field(default_factory=Clock)
    slowest: list[Period] = field(default_factory=list)

    def keep(self, period: Period) -> None:
        self.slowest = sorted([*self.slowest, period], key=lambda p: -p.seconds)[:KEPT]


def play(ruleset: Ruleset[Any], bot: Any, seed: int, tally: Tally) -> None:
    """One whole game of bots, its table and options drawn as the tests draw them."""
    clock = tally.clock
    timed: Any = TimedRuleset(ruleset, clock)
    chance = Dice(f"bench-{seed}", ruleset.about.key).stream("choices")
    seats, options = drawn(ruleset, seed)
    state = ruleset.setup(seats, options, {}, Dice(str(seed), "bench")).state
    while ruleset.result(state) is None:
        with clock.on("bots"):
            public = ruleset.view(state, None)
            letters = {
                seat: bot.letter(public, ruleset.view(state, seat), seat, chance) for seat in seats
            }
        standing = {
            seat: take(timed, state, seat, text, {}).standing for seat, text in letters.items()
        }
        before = clock.spent["adjudicate"]
        outcome = play_period(timed, state, standing, Dice(str(seed), "bench"))
        tally.keep(Period(clock.spent["adjudicate"] - before, state, letters, seed))
        state = outcome.state
        with clock.on("dump"):
            codec.text(ruleset.dump(state))
        tally.periods, tally.letters = tally.periods + 1, tally.letters + len(letters)
        if tally.periods > MOST_PERIODS * (tally.games + 1):
            raise RuntimeError(f"{ruleset.about.key}: game {seed} does not end")
    tally.games += 1


def measured(key: str, seconds: float) -> Tally:
    """As many whole games as begin within ``seconds``, at least two."""
    ruleset, bot, tally = (
        shelf.open_ruleset(key),
        nonsense(key),
        Tally(key),
    )
    play(ruleset, bot, 0, Tally(key))  # grammars and hooks are built at first use
    begin = time.perf_counter()
    while tally.games < 2 or time.perf_counter() - begin < seconds:
        play(ruleset, bot, tally.games, tally)
    tally.seconds = time.perf_counter() - begin
    return tally


def slowest(tally: Tally) -> tuple[float, float]:
    """Median seconds of the slowest period, measured again: adjudication alone, and from order
    texts."""
    ruleset = shelf.open_ruleset(tally.key)

    def from_texts(period: Period) -> None:
        standing = {
            s: take(ruleset, period.state, s, text, {}).standing
            for s, text in period.letters.items()
        }
        play_period(ruleset, period.state, standing, Dice(str(period.seed), "bench"))

    def alone(period: Period) -> Callable[[], Any]:
        state, letters = period.state, period.letters
        standing = {
            seat: take(ruleset, state, seat, text, {}).standing for seat, text in letters.items()
        }
        return lambda: play_period(ruleset, state, standing, Dice(str(period.seed), "bench"))

    both = [(median(alone(p)), median(lambda p=p: from_texts(p))) for p in tally.slowest]  # type: ignore[misc]
    return max(both)


def median(function: Callable[[], Any]) -> float:
    took = []
    for _ in range(TIMES):
        begin = time.perf_counter()
        function()
        took.append(time.perf_counter() - begin)
    return statistics.median(took)


def diplomacy_phases(phases: int = 3) -> float | None:
    """Median seconds of that many movement phases of Diplomacy, orders given as texts; None where
    not installed."""
    if Game is None:
        return None
    took = []
    for seed in range(TIMES):
        game, chance, spent, done = Game(), random.Random(seed), 0.0, 0
        while done < phases:
            possible, where = game.get_all_possible_orders(), game.get_orderable_locations()
            texts = {
                p: [chance.choice(possible[at]) for at in places if possible[at]]
                for p, places in where.items()
            }
            movement = game.phase_type == "M"
            begin = time.perf_counter()
            for power, orders in texts.items():
                game.set_orders(power, orders)
            game.process()
            if movement:
                spent, done = spent + time.perf_counter() - begin, done + 1
        took.append(spent)
    return statistics.median(took)


def present(key: str) -> str | None:
    """Why a rule-set cannot be measured; None if it can."""
    try:
        shelf.open_ruleset(key)
        nonsense(key)
    except (ImportError, FileNotFoundError) as error:
        return str(error)
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument(
        "--seconds", type=float, default=5.0, help="how long each rule-set plays (default 5)"
    )
    parser.add_argument(
        "--games", default=",".join(GAMES), help="rule-sets, separated by commas (default all)"
    )
    given = parser.parse_args()
    tallies = []
    for key in given.games.split(","):
        why = present(key)
        if why:
            print(f"{key}: ABSENT, not measured ({why})")
        else:
            tallies.append(measured(key, given.seconds))
    print(f"\n{'rule-set':<16}{'games':>6}{'games/s':>9}{'periods/s':>10}{'letters/s':>10}", end="")
    print("".join(f"{step:>11}" for step in STEPS) + f"{'rest':>8}")
    for tally in tallies:
        print(
            f"{tally.key:<16}{tally.games:>6}{tally.games / tally.seconds:>9.1f}"
            f"{tally.periods / tally.seconds:>10.0f}{tally.letters / tally.seconds:>10.0f}",
            end="",
        )
        shares = [tally.clock.spent[step] / tally.seconds for step in STEPS]
        print("".join(f"{share:>11.0%}" for share in shares) + f"{1 - sum(shares):>8.0%}")
    reference = diplomacy_phases()
    if reference is None:
        print("\nthe diplomacy package is not installed: no ratios")
    else:
        print(
            f"\nthree movement phases of diplomacy from order texts: {reference * 1000:.2f} ms ="
            " 1.00"
        )
    for tally in tallies:
        alone, texts = slowest(tally)
        ratios = f": {alone / reference:.2f}, {texts / reference:.2f} of them" if reference else ""
        print(
            f"{tally.key:<16} slowest period: adjudication {alone * 1000:.2f} ms, "
            f"from order texts {texts * 1000:.2f} ms{ratios}"
        )


if __name__ == "__main__":
    main()
