"""Without mail: a game from order files (`play`), and one file tried (`check`)."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from pbem.cli import gallery
from pbem.cli.shared import AS_JSON, FILE, FOLDER, OPTION, RULESET, SCENARIO, document, say
from pbem.errors import OperatorError
from pbem.games.frame.adjudication import Answer, Taken, take
from pbem.games.frame.dice import commitment
from pbem.house import templates
from pbem.orders.language import shorten
from pbem.orders.mailwords import peel
from pbem.pages import bulletin
from pbem.pages.bulletin import Issue
from pbem.pages.plain import plain
from pbem.periods import paper


@click.command("play")
@RULESET
@click.argument("folder", type=FOLDER, metavar="DIR")
@SCENARIO
@click.option("--seed", type=int, help="seed of the game's chance (default 0)")
@OPTION
@click.option("--private", is_flag=True, help="print each seat's private notices too")
@click.option(
    "--mails", type=FOLDER, help="write each bulletin and notice there, as mails show them"
)
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
    mails: Path | None,
    as_json: bool,
) -> None:
    """Play a game from order files: DIR/01/S.txt, DIR/01/R.txt, ... DIR/02/S.txt, ..."""
    setup = paper.load_setup(ruleset, folder, scenario=scenario, seed=seed, options=options)
    shown: list[gallery.GalleryMail] = []
    for game in paper.played(setup, folder):
        if not as_json:
            _print_period(game, private)
        if mails:
            shown += _mails(game)
    if mails:
        gallery.write(mails, f"{game.ruleset.about.title}: bulletins and notices", shown)
    if as_json:
        document(game.json())


def issue_of(game: paper.Game, **frame: Any) -> Issue:
    if not game.periods:
        frame |= {"commitment": commitment(str(game.seed))}
        return templates.issue(game.ruleset, game.start, game.seats, 0, "", game.opening, frame)
    last = game.periods[-1]
    if game.ruleset.result(last.state) is not None:
        opening = {seat: game.ruleset.view(game.start, seat) for seat in game.seats}
        frame |= {"seed": str(game.seed), "opening": opening}
    states = [game.start, *(period.state for period in game.periods[:-1])]
    before = [(number, game.ruleset.scores(state)) for number, state in enumerate(states)]
    return templates.issue(
        game.ruleset, last.state, game.seats, last.number, last.phase, last.events, frame, before
    )


def _mails(game: paper.Game) -> Iterator[gallery.GalleryMail]:
    from pbem.house import pictures  # noqa: PLC0415  and no drawing
    from pbem.pages import html, picture  # noqa: PLC0415  a game on paper needs no HTML

    env = templates.environment()
    drawn = picture.svgs(env, issue_of(game))
    issue, pngs = issue_of(game, pictures=drawn), {n: pictures.png(svg) for n, svg in drawn.items()}
    sheets = {"": bulletin.public_sheet(env, issue)}
    sheets |= {seat: bulletin.seat_sheet(env, issue, seat) for seat in game.seats}
    for seat, source in sheets.items():
        title = f"Notice {issue.number} for {seat}" if seat else f"Bulletin {issue.number}"
        own = {} if seat else pngs
        page = html.page(env, source, title, "", tuple(own))
        if source:
            yield gallery.GalleryMail(seat or "all", None, title, plain(source), page, own)


def _print_period(game: paper.Game, private: bool) -> None:
    env, issue = templates.environment(), issue_of(game)
    if game.periods:
        for seat, taken in game.periods[-1].taken.items():
            for problem in taken.problems:
                say(f"{seat}: line {problem.line}: {problem.code} {problem.message}", err=True)
    say(bulletin.bulletin(env, issue))
    if private:
        for seat in game.seats:
            if text := bulletin.notice(env, issue, seat):
                say(f"--- for {seat} alone ---\n{text}")


@click.command("check")
@RULESET
@click.argument("file", type=FILE, metavar="FILE")
@click.option("--seat", required=True, help="whose orders these are")
@click.option("--after", type=FOLDER, help="in the position after the periods of this folder")
@SCENARIO
@OPTION
@AS_JSON
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
    place = paper.seat_of(seat, game.seats)
    if place is None:
        raise OperatorError(f"--seat {seat}: the seats are {', '.join(game.seats)}")
    try:
        text = file.read_bytes().decode("utf-8", errors="replace")
    except OSError as error:
        raise OperatorError(f"{file}: {error.strerror}") from error
    text = peel(text).text
    taken = take(game.ruleset, game.state, place, text, {}, greeted=tuple)
    said_besides, answers = list[str](), list(taken.answers)
    if any(one.problems and not one.orders for one in answers):
        from pbem.referee.words import questions  # noqa: PLC0415  it takes a second to come

        said_besides, answers = questions.on_paper(game, place, taken.standing, text, answers)
    problems = [problem for answer in answers for problem in answer.problems]
    owed = game.ruleset.due(game.state, place, taken.standing)
    running = game.ruleset.result(game.state) is None
    advised = game.ruleset.advice(game.state, place, taken.standing) if running else ()
    advice = [
        plain(one) for one in templates.events_in_words(game.ruleset, game.state, place, advised)
    ]
    if as_json:
        document(
            {
                "ruleset": ruleset,
                "seat": place,
                "phase": game.state.phase,
                "orders": [str(order) for order in taken.standing.values()],
                "problems": [problem.json() for problem in problems],
                "owed": list(owed),
                "advice": advice,
            }
        )
    else:
        for answer in answers:
            _say_answer(game, taken, answer)
        for one in (*said_besides, *advice):
            say(one)
        say(f"still owed: {', '.join(owed) or 'nothing'}")
    if any(not problem.warning for problem in problems):
        sys.exit(1)


def _say_answer(game: paper.Game, taken: Taken, answer: Answer) -> None:
    """Say what a line of an order file does; of prose what the mail says."""
    for order in answer.orders:
        say(f"line {answer.line.number}: {order}")
    for order in answer.cancelled:
        say(f"line {answer.line.number}: cancelled: {order}")
    if answer.quiet:
        if not taken.standing or game.ruleset.language.may_mean(answer.line.text):
            say(f'line {answer.line.number}: I found no order in "{shorten(answer.line.text)}".')
        return
    for problem in answer.problems:
        say(f"line {problem.line}: {problem.code} {problem.message}")
        for note in (*problem.notes, *([f"paragraph {problem.rule}"] if problem.rule else [])):
            say(f"    {note}")
