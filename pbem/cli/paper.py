"""Orders without mail: `check`."""

import sys
from pathlib import Path

import click

from pbem.cli.shared import FILE, FOLDER, RULESET, document, pairs, say
from pbem.errors import OperatorError
from pbem.games.frame.adjudication import take
from pbem.house import templates
from pbem.orders.mailwords import peel
from pbem.pages.plain import plain
from pbem.periods import paper


@click.command("check")
@RULESET
@click.argument("file", type=FILE, metavar="FILE")
@click.option("--seat", required=True, help="whose orders these are")
@click.option("--after", type=FOLDER, help="in the position after the periods of this folder")
@click.option("--scenario", type=FILE)
@click.option("--option", "options", multiple=True, callback=pairs, metavar="NAME=VALUE")
@click.option("--json", "as_json", is_flag=True)
def check_command(  # noqa: PLR0913  one for each option
    ruleset: str,
    file: Path,
    seat: str,
    after: Path | None,
    scenario: Path | None,
    options: dict[str, str],
    as_json: bool,
) -> None:
    """Try an order file: what each line would do, or why not. Nothing is stored."""
    setup = paper.load_setup(ruleset, after, scenario=scenario, options=options)
    game = list(paper.played(setup, after))[-1] if after else paper.begin(setup)
    found = paper.seat_of(seat, game.seats)
    if found is None:
        raise OperatorError(f"--seat {seat}: the seats are {', '.join(game.seats)}")
    seat = found
    try:
        text = file.read_bytes().decode("utf-8", errors="replace")
    except OSError as error:
        raise OperatorError(f"{file}: {error.strerror}") from error
    taken = take(game.ruleset, game.state, seat, peel(text).text, {})
    owed = game.ruleset.due(game.state, seat, taken.standing)
    running = game.ruleset.result(game.state) is None
    advised = game.ruleset.advice(game.state, seat, taken.standing) if running else ()
    advice = [
        plain(one) for one in templates.events_in_words(game.ruleset, game.state, seat, advised)
    ]
    if as_json:
        document(
            {
                "ruleset": ruleset,
                "seat": seat,
                "phase": game.state.phase,
                "orders": [str(order) for order in taken.standing.values()],
                "problems": [problem.json() for problem in taken.problems],
                "owed": list(owed),
                "advice": advice,
            }
        )
    else:
        for answer in taken.answers:
            for order in answer.orders:
                say(f"line {answer.line.number}: {order}")
            for order in answer.cancelled:
                say(f"line {answer.line.number}: cancelled: {order}")
            for problem in answer.problems:
                say(f"line {problem.line}: {problem.code} {problem.message}")
                for note in (
                    *problem.notes,
                    *([f"paragraph {problem.rule}"] if problem.rule else []),
                ):
                    say(f"    {note}")
        for told in advice:
            say(told)
        say(f"still owed: {', '.join(owed) or 'nothing'}")
    if any(not problem.warning for problem in taken.problems):
        sys.exit(1)


COMMANDS = (check_command,)
