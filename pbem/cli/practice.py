"""A game against house bots in this terminal: `practice`.

The folder holds what `pbem play` reads: `game.toml` and the orders of each period.
"""

import json
import secrets
import shutil
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from pbem.bots import bots
from pbem.cli.play import issue_of
from pbem.cli.shared import FOLDER, OPTION, RULESET, SCENARIO, say
from pbem.errors import OperatorError
from pbem.games.frame import readiness
from pbem.games.frame.adjudication import Answer, Sender, canonical, take
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import PUBLIC, Seat
from pbem.games.frame.ruleset import Ruleset, ToldEvent
from pbem.house import houses, shelf, templates
from pbem.orders import sentences
from pbem.orders.mailwords import Command, peel
from pbem.orders.order import Order
from pbem.pages import bulletin, guide, sheet
from pbem.pages.macros import in_force
from pbem.pages.plain import plain
from pbem.periods import paper

WORDS = """\
Type one order a line, or ask a question. READY closes the period. ORDERS
shows what stands, and STATUS your notice again. HELP lists all orders; RULES,
TABLES and WHY tell more. QUIT leaves, and the same command goes on with the
game."""
_BRACKETS = """\
Numbers in brackets after a sentence name the paragraph of the rules that made
it so: type RULES and the number to read it."""
_GUIDANCE = """\
HELP lists what you can type, HELP FORM what you can do now. RULES and a word,
as RULES majority, brings what the rules say of it."""
_SEAT = "seat.txt"


@click.command("practice")
@RULESET
@click.option("--seat", default="", help="the seat you play; drawn if not given")
@click.option("--players", type=int, help="how many play, you among them")
@click.option("--folder", type=FOLDER, help="where the game is kept (default practice-RULESET)")
@SCENARIO
@click.option("--seed", type=int, help="seed of the game's chance; drawn if not given")
@OPTION
@click.option("--long", "whole", is_flag=True, help="as long as a game by mail, not an evening")
def practice_command(ruleset: str, folder: Path | None, **given: Any) -> None:
    """Play a game against house bots in this terminal, without mail."""
    folder = folder or Path(f"practice-{ruleset}")
    if (folder / _SEAT).exists():
        if given.pop("seed") is not None or any(given.values()):
            raise OperatorError(
                f"{folder} holds a game already: name another with --folder, or leave the options"
                " out to go on with it"
            )
    else:
        _make(ruleset, folder, **given)
    _with_readline(shelf.open_ruleset(ruleset))
    setup = paper.load_setup(ruleset, folder)
    *_, game = paper.played(setup, folder)
    _play(game, (folder / _SEAT).read_text(encoding="utf-8").strip(), folder)


def _make(  # noqa: PLR0913  what a game is made of
    key: str,
    folder: Path,
    seat: str,
    players: int | None,
    scenario: Path | None,
    seed: int | None,
    options: dict[str, Any],
    whole: bool,
) -> None:
    """Raise OperatorError for a game that cannot be."""
    options = ({} if whole else dict(bots.short(key))) | options
    seed = secrets.randbelow(10**9) if seed is None else seed
    about = shelf.open_ruleset(key).about
    seats = _table(about.seats, players, seat)
    told = paper.read_toml(scenario) if scenario else {}
    listed = seats if players or not scenario else None
    game = paper.begin(paper.Setup(key, seed, listed, options, told))
    own_seat = paper.seat_of(seat, game.seats) if seat else None
    if seat and own_seat is None:
        raise OperatorError(f"--seat {seat}: the seats are {', '.join(game.seats)}")
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"seed = {seed}", f"seats = {json.dumps(game.seats)}"]
    if scenario:
        shutil.copyfile(scenario, folder / "scenario.toml")
        lines.append('scenario = "scenario.toml"')
    named = [f"{json.dumps(name)} = {json.dumps(value)}" for name, value in options.items()]
    text = "\n".join([*lines, "[options]", *named, ""])
    (folder / "game.toml").write_text(text, encoding="utf-8")
    drawn = Dice(f"{seed} seat", key).stream("seat").choice(game.seats)
    (folder / _SEAT).write_text(f"{own_seat or drawn}\n", encoding="utf-8")


def _table(
    tables: tuple[tuple[Seat, ...], ...], players: int | None, seat: str
) -> tuple[Seat, ...]:
    """Return the usual table, or one of that size. Raise OperatorError."""
    if players is None:
        fitting = [one for one in tables if not seat or paper.seat_of(seat, one)]
        return fitting[0] if fitting else tables[0]
    for table in tables:
        if len(table) == players:
            return table
    sizes = sorted({len(table) for table in tables})
    raise OperatorError(f"--players {players}: {sizes[0]} to {sizes[-1]} can play")


def _play(game: paper.Game, seat: Seat, folder: Path) -> None:
    say(f"{game.ruleset.about.title}: you play {seat}, house bots play the others.")
    say(f"The game is kept in {folder}.\n\n{WORDS}\n")
    env = templates.environment()
    if not game.periods:
        say(f"{plain(_beginning(game, seat))}\n")
    while True:
        issue = issue_of(game)
        say(bulletin.bulletin(env, issue))
        if text := bulletin.notice(env, issue, seat):
            say(text)
            if lesson := _lesson(game, seat):
                say(lesson)
        if game.ruleset.result(game.state) is not None:
            say(f"pbem play {game.ruleset.about.key} {folder}  # shows the whole game again")
            return
        period = OpenPeriod(game, seat)
        if not period.played():
            say(f"Left. The game waits in {folder}.")
            if period.standing:
                say("Orders of the open period are not kept: send them again.")
            return
        game = _close(game, seat, period.standing, folder)


def _beginning(game: paper.Game, seat: Seat) -> str:
    """Return the goal and how a turn goes, in the words of the welcome by mail."""
    env, key = templates.environment(), game.ruleset.about.key
    shared = env.get_template("_shared/start.txt.j2")
    page = env.select_template([f"{key}/welcome.txt.j2", shared])
    seen = templates.context(game.ruleset, game.state, seat)
    known = dict(seen, short=shelf.rules(key).short)
    with in_force(known):
        said = [
            "".join((page.blocks.get(name) or shared.blocks[name])(page.new_context(known))).strip()
            for name in ("goal", "first")
        ]
    return "\n\n".join([sheet.heading("How to win"), *filter(None, said), _BRACKETS])


def _lesson(game: paper.Game, seat: Seat) -> str:
    """Return what a beginner does now, and why; "" if taught."""
    phase = game.state.phase
    taught = shelf.of(game.ruleset.about.key, phase)
    new = bool(taught) and all(period.phase != phase for period in game.periods)
    if not (len(game.periods) < shelf.PERIODS or new) or not (text := _bot(game, seat)):
        return ""
    typed = "\n".join(f"    {line}" for line in [*text.split("\n"), "READY"])
    said = "\n\n".join([sheet.heading("A lesson"), taught, "A beginner could type this:"])
    return f"{plain(said)}\n\n{typed}\n"


def _bot(game: paper.Game, seat: Seat) -> str:
    chance = bots.chance(str(game.seed), game.ruleset.about.key, seat, len(game.periods) + 1)
    return bots.letter(game.ruleset, game.state, seat, chance)


def _close(game: paper.Game, seat: Seat, standing: dict[str, Order], folder: Path) -> paper.Game:
    """Let the bots write, keep all letters, and play the period."""
    texts = {other: _bot(game, other) for other in game.seats if other != seat}
    texts[seat] = "\n".join(canonical(standing))
    place = folder / f"{len(game.periods) + 1:02}"
    place.mkdir(exist_ok=True)
    for one, text in texts.items():
        (place / f"{one}.txt").write_text(text + "\n", encoding="utf-8")
    return paper.step(game, texts)


@dataclass(slots=True)
class OpenPeriod:
    """A period played by the person."""

    game: paper.Game
    seat: Seat
    standing: dict[str, Order] = field(default_factory=dict)
    offered: tuple[str, ...] = ()
    """What was last meant, for a yes."""

    @property
    def ruleset(self) -> Ruleset[Any]:
        return self.game.ruleset

    def played(self) -> bool:
        """Take orders line by line. Return whether the period may close."""
        if self.seat not in self.ruleset.asked(self.game.state):
            say("You can do nothing in this period; READY goes on.")
        from pbem.referee.words import questions  # noqa: PLC0415  it takes a second to come

        warned = guided = False
        while True:
            try:
                peeled = peel(self._typed())
            except (EOFError, KeyboardInterrupt):
                say("")
                return False
            told, _ = questions.on_paper(self.game, self.seat, self.standing, peeled.text)
            if told:
                say("\n\n".join([*told, *([_GUIDANCE] if questions.UNKNOWN in told else [])]))
                continue
            said_yes = self.offered and sentences.yes(peeled.text, (), self.ruleset.language.reads)
            text = "\n".join((*self.offered, said_yes.rest)) if said_yes else peeled.text
            taken = take(self.ruleset, self.game.state, self.seat, text, self.standing)
            self.standing = taken.standing
            problems = (problem for answer in taken.answers for problem in answer.problems)
            sender = Sender(self.ruleset, self.game.state, self.seat, self.standing)
            self.offered = tuple(
                lines
                for problem in problems
                for lines in readiness.meant(problem)
                if sender.refusals(lines) is not None
            )
            for answer in taken.answers:
                self._say(answer)
            if self.offered:
                say("    Answer yes, and it is taken.")
            if not guided and any(one.problems and not one.orders for one in taken.answers):
                guided = True
                say(_GUIDANCE)
            for command in peeled.commands:
                if command.name == "QUIT":
                    return False
                if command.name == "READY":
                    if warned or not (owed := self._owed()):
                        return True
                    warned = True
                    say("\n".join(owed))
                    say("READY again closes the period without that.")
                else:
                    say(plain(self._told(command)))

    def _typed(self) -> str:
        """Return one entry: a line, its continuations, or a block."""
        lines = [input(f"{self.seat}> ")]
        closing = self.ruleset.language.blocks.get(" ".join(lines[0].upper().split()))
        while lines[-1].strip() and (lines[-1].rstrip().endswith(",") or closing):
            lines.append(input("... "))
            if " ".join(lines[-1].upper().split()) == closing:
                break
        return "\n".join(lines)

    def _say(self, answer: Answer) -> None:
        for order in answer.orders:
            say(f"+ {order}")
        for order in answer.cancelled:
            say(f"- {order}")
        for problem in answer.problems:
            say(f"{'Note' if problem.warning else 'Not taken'}: {problem.message}")
            for note in problem.notes:
                say(f"    {note}")
            if problem.rule:
                say(f"    paragraph {problem.rule}")

    def _owed(self) -> list[str]:
        named = templates.owed_words(self.ruleset, self.game.state, self.seat, self.standing)
        return [f"Still owed: {one}" for one in named]

    def _told(self, command: Command) -> str:
        ruleset, state, words = self.ruleset, self.game.state, command.argument
        match command.name:
            case "ORDERS":
                return self._orders()
            case "STATUS":
                return bulletin.notice(templates.environment(), issue_of(self.game), self.seat)
            case "RULES":
                return templates.rules_text(ruleset.about.key, words)
            case "TABLES":
                return templates.tables_text(ruleset.about.key, ruleset.tables_at(state), words)
            case "WHY":
                told = self._heard()
                return templates.explained(ruleset, state, self.seat, told, words)
            case "HELP":
                return self._help(words)
        return f"{command.name} does nothing here. {WORDS}"

    def _orders(self) -> str:
        advice = self.ruleset.advice(self.game.state, self.seat, self.standing)
        lines = [f"* {order}" for order in canonical(self.standing)] or ["No order stands."]
        lines += self._owed()
        lines += templates.events_in_words(self.ruleset, self.game.state, self.seat, advice)
        return "\n".join(lines)

    def _help(self, words: str) -> str:
        key = self.ruleset.about.key
        made = guide.guide(templates.environment(), key, houses.usual(key))
        word = words.strip(" .?!").upper().partition(" ")[0]
        if word == "FORM":
            page = templates.page_words(self.ruleset, self.game.state, self.seat, self.standing)
            return page["form"] or "There is nothing that you can send now."
        if word in ("", "GUIDE", "ALL"):
            return f"{made.text}\n\n{WORDS}"
        lines = [guide.Guide().entry(one.order, one.does) for one in made.about(word)]
        return "\n".join(lines) or f'No order begins with "{word}". HELP lists all orders.'

    def _heard(self) -> tuple[ToldEvent, ...]:
        periods = [(0, self.game.opening), *((p.number, p.events) for p in self.game.periods)]
        return tuple(
            ToldEvent(number, event)
            for number, events in periods
            for event in events
            if event.audience == PUBLIC or self.seat in event.audience
        )


def _with_readline(ruleset: Ruleset[Any]) -> None:
    """Let the terminal edit, recall and complete lines, if it can."""
    with suppress(ImportError):
        import readline  # noqa: PLC0415  not on every system

        known = sorted({*ruleset.language.words, *ruleset.language.names, "READY", "ORDERS"})

        def complete(begun: str, number: int) -> str | None:
            found = [one for one in known if one.casefold().startswith(begun.casefold())]
            return found[number] if number < len(found) else None

        readline.set_completer(complete)
        readline.parse_and_bind("tab: complete")
