"""What orders with IF save in days: games of bots, in which none, a third, two thirds or all of the
players leave their votes on file.

    python bench/whatif.py [--games 40] [--silent 10]

Every game is played once, by votes that a condition says (a motion's points, a bill's cards), so
that its course is the same whoever had them on file; only the calendar differs. What is supposed:
early closing as each game has it by default, once a day; a player who is waited for writes on any
day of the period with equal chance, his READY in the same letter, and on ``--silent`` of a hundred
occasions not at all; then the period lasts until its deadline. Where a period asks nobody for
anything it waits for the READY of all, whoever has what on file. That a table may want its days to
talk is not in these figures.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import mean
from typing import Any

from pbem.games.frame.adjudication import play_period, take
from pbem.games.frame.dice import Dice
from pbem.games.frame.options import settle
from pbem.games.frame.ruleset import Ruleset
from pbem.house import shelf
from tests.bots import nonsense

SHARES = (Fraction(0), Fraction(1, 3), Fraction(2, 3), Fraction(1))
LEFT_OUT = ("VOTE", "STANDING", "RESIGN")
"""Orders of the house bots that are not played: how they vote is said by a condition."""


def coalition(public: Any, _own: Any, seat: str) -> str:
    """Aye for more than the seats' share of the points, else Nay."""
    share = 91 * public["seats"][seat] // sum(public["seats"].values()) + 1
    return f"VOTE AYE IF POINTS >= {share}, ELSE NAY"


def legislation(_public: Any, own: Any, _seat: str) -> str:
    """Nay for a bill that has the opposite of a red card, Aye for one that has a red card, else
    Nay; amendments alike."""
    goals = sorted({card for card in [*own["hand"], *own["team_cards"]] if card != "CROWN"})[:4]
    against = [card[:-1] + ("-" if card[-1] == "+" else "+") for card in goals]
    nay = [*against, *(f"ADD {card}" for card in against)]
    aye = [*goals, *(f"ADD {card}" for card in goals)]
    return f"VOTE NAY IF {' OR '.join(nay)}, AYE IF {' OR '.join(aye)}, ELSE NAY"


@dataclass(frozen=True)
class Played:
    """A game, the days of its period, its players and how they vote."""

    key: str
    days: int
    seats: tuple[str, ...]
    votes: Callable[[Any, Any, str], str]
    options: Mapping[str, str | int] = field(default_factory=dict)


PLAYED = (
    Played("coalition", 7, tuple("ABCDEFGHI"), coalition),
    Played("coalition", 7, tuple("ABCDEFGHIJKLMNO"), coalition),
    Played("legislation", 3, tuple(f"P{n}" for n in range(1, 7)), legislation),
)


@dataclass
class Measured:
    """What came of the games, by share of players with IF: days a game, and how many of the periods
    that ask for something closed early."""

    days: dict[Fraction, list[int]] = field(default_factory=lambda: {one: [] for one in SHARES})
    early: dict[Fraction, int] = field(default_factory=lambda: dict.fromkeys(SHARES, 0))
    asking: int = 0
    periods: list[int] = field(default_factory=list)


def play(played: Played, number: int, silent: int, measured: Measured) -> None:
    """One game, and its days by each share."""
    ruleset = shelf.open_ruleset(played.key)
    bot: Any = nonsense(played.key)
    dice = Dice(str(number), "whatif")
    chance, delays = dice.stream("bots"), dice.stream("delays")
    options = settle(ruleset.about.options, played.options)
    state = ruleset.setup(played.seats, options, {}, dice).state
    days, periods = dict.fromkeys(SHARES, 0), 0
    while ruleset.result(state) is None:
        asked = ruleset.asked(state)
        answered = {
            seat: played.days if delays.below(100) < silent else 1 + delays.below(played.days)
            for seat in played.seats
        }
        measured.asking += any(asked.values())
        for share in SHARES:
            lasts = _lasts(ruleset, state, asked, answered, played.seats, share)
            days[share] += lasts
            measured.early[share] += any(asked.values()) and lasts < played.days
        public, orders = ruleset.view(state, None), {}
        for seat in asked:
            own = ruleset.view(state, seat)
            text = _without_votes(bot.letter(public, own, seat, chance))
            text += f"\n{played.votes(public, own, seat)}"
            orders[seat] = take(ruleset, state, seat, text, {}).standing
        state = play_period(ruleset, state, orders, Dice(f"{number} {periods}", "whatif")).state
        periods += 1
    measured.periods.append(periods)
    for share in SHARES:
        measured.days[share].append(days[share])


def _lasts(
    ruleset: Ruleset[Any],
    state: Any,
    asked: Mapping[str, Any],
    answered: Mapping[str, int],
    seats: tuple[str, ...],
    share: Fraction,
) -> int:
    """How many days a period lasts where the first so many seats have their votes on file."""
    having = set(seats[: int(share * len(seats))])
    plain = {seat: order for seat, order in state.ifs.items() if seat in having}
    seen = type(state)(**{**{f: getattr(state, f) for f in state.__slots__}, "ifs": plain})
    waited = [
        answered[seat] for seat in asked if not any(asked.values()) or ruleset.due(seen, seat, {})
    ]
    return max(waited, default=1)


def _without_votes(letter: str) -> str:
    lines = letter.split("\n")
    return "\n".join(line for line in lines if not line.upper().startswith(LEFT_OUT))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=40, help="games of each kind")
    parser.add_argument("--silent", type=int, default=10, help="of a hundred letters not sent")
    asked = parser.parse_args()
    print("game, players      with IF   periods   days a game   weeks saved   closed early")
    for played in PLAYED:
        measured = Measured()
        for number in range(asked.games):
            play(played, number, asked.silent, measured)
        usual = mean(measured.days[SHARES[0]])
        periods = mean(measured.periods)
        for share in SHARES:
            days, early = mean(measured.days[share]), measured.early[share] / measured.asking
            print(
                f"{played.key:12} {len(played.seats):3}   {share!s:>7} {periods:11.1f}"
                f" {days:13.1f} {(usual - days) / 7:13.1f} {100 * early:12.0f} %"
            )


if __name__ == "__main__":
    main()
