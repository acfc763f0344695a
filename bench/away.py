"""What orders for what may come save: days of a game while one seat after another is away.

    python -m bench.away [--games 40] [--away 28]

A model, not a measurement of mail: bots play, each seat that is at home answers on the first or
the second day of a period, and a period closes on the day when nobody owes anything any more, else
at its deadline. Each seat is away once, for so many days; whoever is away sends nothing, and then
its silence counts. The same games are played three times: nobody away; each away with nothing on
file; each away having filed the orders of ``FILED`` when it left. What the figures compare are the
days from the first bulletin to the last.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.games.frame.adjudication import play_period, take
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Seat
from pbem.games.frame.options import settle
from pbem.games.frame.ruleset import Ruleset
from pbem.house import shelf
from tests.bots import bot_of

FILED: Mapping[str, Mapping[str, str]] = {
    "party-in-power": {
        "PIP": "STANDING DRAW TALENT 1 ACTION 1",
        "": "STANDING DRAFT TOP; STANDING DECLINE",
    },
    "politics-1935": {"": "STANDING BID 50,000 ON ANY"},
}
"""Game -> what a seat files before it leaves; "" for every seat without a line of its own."""
NOBODY, SILENT, FILES = "nobody away", "away", "away, orders filed"
SETTINGS = {
    "party-in-power": ({}, {"SHARED": "OFF"}, {"FAST": "ON"}),
    "politics-1935": ({}, {"MODE": "TURN"}),
}


@dataclass
class Course:
    """One game: its days, periods, those that closed before their deadline, and what was told."""

    days: int = 0
    periods: int = 0
    early: int = 0
    events: Counter[str] = field(default_factory=Counter)


def played(key: str, seed: int, how: str, options: Mapping[str, str], span: int) -> Course:
    """One game of bots in one of the three ways."""
    ruleset: Ruleset[Any] = shelf.open_ruleset(key)
    given = settle(ruleset.about.options, dict(options))
    dice, course = Dice(str(seed), "away"), Course()
    seats = ruleset.about.seats[0]
    state = ruleset.setup(seats, given, {}, dice).state
    leaves = dict(zip(seats, _leaving(dice, len(seats), span), strict=True))
    gone: set[Seat] = set()
    while ruleset.result(state) is None and course.periods < 400:
        asked, standing, day = ruleset.asked(state), dict[Seat, Any](), 1
        length = given["PERIOD_ONE"] if sum(map(bool, asked.values())) == 1 else given["PERIOD"]
        latest = 1
        for seat in asked:
            chance = dice.stream(f"bot/{course.periods}/{seat}")
            letter = bot_of(ruleset).letter(
                ruleset.view(state, None), ruleset.view(state, seat), seat, chance
            )
            day = min(1 + chance.below(2), int(length))
            away = how != NOBODY and leaves[seat] <= course.days < leaves[seat] + span
            if away:
                filed = FILED[key].get(seat, FILED[key].get("", "")) if how == FILES else ""
                letter = filed if seat not in gone else ""
                gone.add(seat)
            if "RESIGN" in letter:
                letter = ""
            standing[seat] = take(ruleset, state, seat, letter, {}).standing
            if asked[seat] and not away:
                latest = max(latest, day)
        owed = any(ruleset.due(state, seat, standing[seat]) for seat in asked)
        lasted = int(length) if owed or not any(asked.values()) else latest
        outcome = play_period(ruleset, state, standing, dice)
        course.days, course.periods = course.days + lasted, course.periods + 1
        course.early += lasted < int(length)
        for event in outcome.events:
            course.events[event.kind] += 1
            if event.kind == "lot_sold" and event.data["seat"] in gone:
                course.events["bought by who is or was away"] += 1
        state = outcome.state
    return course


def _leaving(dice: Dice, seats: int, span: int) -> Iterator[int]:
    """The day on which each seat leaves: one after another, each after the one before is back."""
    chance = dice.stream("leaving")
    day = chance.below(7)
    for _ in range(seats):
        yield day
        day += span + chance.below(7)


def main() -> None:
    """A line for each game, its options and each way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--away", type=int, default=28)
    asked = parser.parse_args()
    for key, settings in SETTINGS.items():
        for options in settings:
            print(f"{key} {options or ''}, {asked.games} games, each seat away {asked.away} days")
            for how in (NOBODY, SILENT, FILES):
                courses = [played(key, n, how, options, asked.away) for n in range(asked.games)]
                days, periods, early = (
                    sum(getattr(one, name) for one in courses) / len(courses)
                    for name in ("days", "periods", "early")
                )
                told = sum((one.events for one in courses), Counter[str]())
                lots = {n: told[n] for n in ("lot_sold", "lot_unsold") if told[n]}
                if lots:
                    lots["bought by who is or was away"] = told["bought by who is or was away"]
                print(
                    f"  {how:20} {days:6.1f} days {days / 7:5.1f} weeks, {periods:5.1f} periods,"
                    f" {early / periods:4.0%} closed early {lots or ''}"
                )


if __name__ == "__main__":
    main()
