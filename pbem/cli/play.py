"""A whole game from order files, without mail: `play`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pbem.cli.shared import FILE, FOLDER, RULESET, document, pairs, say
from pbem.games.frame.dice import commitment
from pbem.pages import bulletin
from pbem.periods import paper
from pbem.store import templates


@click.command("play")
@RULESET
@click.argument("folder", type=FOLDER, metavar="DIR")
@click.option(
    "--scenario", type=FILE, help="a TOML file that replaces parts of the starting position"
)
@click.option("--seed", type=int, help="seed of the game's chance (default 0)")
@click.option(
    "--option", "options", multiple=True, callback=pairs, metavar="NAME=VALUE", help="a game option"
)
@click.option("--private", is_flag=True, help="print each seat's private notices too")
@click.option(
    "--json", "as_json", is_flag=True, help="print one JSON document instead of bulletins"
)
def play_command(  # noqa: PLR0913  one for each option
    ruleset: str,
    folder: Path,
    scenario: Path | None,
    seed: int | None,
    options: dict[str, str],
    private: bool,
    as_json: bool,
) -> None:
    """Play a game from order files: DIR/01/S.txt, DIR/01/R.txt, ... DIR/02/S.txt, ..."""
    setup = paper.load_setup(ruleset, folder, scenario=scenario, seed=seed, options=options)
    for game in paper.played(setup, folder):
        if not as_json:
            _print_period(game, private)
    if as_json:
        document(game.json())


def _print_period(game: paper.Game, private: bool) -> None:
    env = templates.environment()
    if game.periods:
        last = game.periods[-1]
        frame = _last(game) if game.ruleset.result(last.state) is not None else {}
        issue = templates.issue(
            game.ruleset, last.state, game.seats, last.number, last.phase, last.events, frame
        )
        for seat, taken in last.taken.items():
            for problem in taken.problems:
                say(f"{seat}: line {problem.line}: {problem.code} {problem.message}", err=True)
    else:
        frame = {"commitment": commitment(str(game.seed))}
        issue = templates.issue(game.ruleset, game.start, game.seats, 0, "", game.opening, frame)
    say(bulletin.bulletin(env, issue))
    if private:
        for seat in game.seats:
            if text := bulletin.notice(env, issue, seat):
                say(f"--- for {seat} alone ---\n{text}")


def _last(game: paper.Game) -> dict[str, Any]:
    """What the last bulletin says besides: the seed, and what the seats knew at the beginning."""
    opening = {seat: game.ruleset.view(game.start, seat) for seat in game.seats}
    return {"seed": str(game.seed), "opening": opening}


COMMANDS = (play_command,)
