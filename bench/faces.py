"""What the faces of mails cost: processor time of all that seven players are mailed after an
election of Parlement (1968), with pictures and without, and of one notice with HTML and without.

    python -m bench.faces [--rounds 5]

The sheets are of a game of house bots; nothing is stored or sent. Ratios are measured in turns in
one run; the seconds are of this machine.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from pbem.games.frame.ruleset import Ruleset
from pbem.house import pictures, shelf, templates
from pbem.orders.muting import muted, order_lines
from pbem.pages import bulletin, html, picture
from pbem.pages.bulletin import Issue
from pbem.pages.plain import plain
from tests.bots import bot_game

DIVIDER = "-------- reply above this line --------"


def election(ruleset: Ruleset[Any]) -> Issue:
    """The issue with the longest bulletin of a bots' game: that of an election."""
    issues = [
        templates.issue(
            ruleset,
            turn.outcome.state,
            sorted(turn.standing),
            turn.number,
            turn.before.phase,
            turn.outcome.events,
            {"game": "bench", "pictures": {"board": "", "chart": ""}},
            [(turn.number - 1, ruleset.scores(turn.before))],
        )
        for turn in bot_game(ruleset, 0)
    ]
    return max(issues, key=lambda one: len(one.events))


def drawn(issue: Issue) -> None:
    """Its pictures, as PNG, with nothing kept from before."""
    pictures.png.cache_clear()
    for svg in picture.svgs(templates.environment(), issue).values():
        pictures.png(svg)


def mailed(ruleset: Ruleset[Any], issue: Issue, *, rich: bool) -> None:
    """The bulletin for each player, and each player's notice."""
    env = templates.environment()
    public = bulletin.public_sheet(env, issue)
    for seat in issue.seats:
        for sheet in (public, bulletin.seat_sheet(env, issue, seat)):
            faced(ruleset, sheet, rich=rich)


def faced(ruleset: Ruleset[Any], sheet: str, *, rich: bool) -> None:
    """One mail in plain text, and with HTML where it is ``rich``."""
    language = ruleset.language
    muted(plain(sheet), orders=partial(order_lines, language))
    if rich:
        html.page(templates.environment(), sheet, "bench", DIVIDER, ("board", "chart"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    ruleset = shelf.open_ruleset("parlement-1968")
    issue = election(ruleset)
    receipt = bulletin.seat_sheet(templates.environment(), issue, issue.seats[0])
    work: dict[str, Callable[[], None]] = {
        "election, plain": lambda: mailed(ruleset, issue, rich=False),
        "election, HTML": lambda: mailed(ruleset, issue, rich=True),
        "its pictures": lambda: drawn(issue),
        "one notice, plain": lambda: faced(ruleset, receipt, rich=False),
        "one notice, HTML": lambda: faced(ruleset, receipt, rich=True),
    }
    spent: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(rounds + 1):
        for name, does in work.items():
            begun = time.process_time()
            does()
            spent[name].append(time.process_time() - begun)
    median = {name: statistics.median(taken[1:]) for name, taken in spent.items()}
    for name, taken in median.items():
        base = median["one notice, plain" if name.startswith("one") else "election, plain"]
        print(f"{name:20}{1000 * taken:9.1f} ms{taken / base:8.2f} x plain")


if __name__ == "__main__":
    main()
