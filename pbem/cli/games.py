"""Commands on games: `forget`, `queue`, `seen`, `table`, `replay`, `export`, `explain`, `why`."""

import json
import os
from datetime import datetime
from pathlib import Path
from typing import Any

import click
from sqlalchemy import Connection

from pbem.cli.at_work import looking, working
from pbem.cli.shared import FOLDER, document, say, with_config
from pbem.errors import OperatorError
from pbem.pages.plain import plain
from pbem.periods import guards, opening, publishing, replay
from pbem.post import masters
from pbem.referee.acts import table_acts
from pbem.referee.gamesmaster import queue, waits
from pbem.referee.gamesmaster.queue import Face
from pbem.referee.words import look
from pbem.store.games import games
from pbem.store.joining import open_tables
from pbem.store.journal.notes import LookKind
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Bulletin, Game, Journal, Letter, OrderSet, Period
from pbem.text import counted


def export(conn: Connection, game_id: str, folder: Path) -> int:
    """Write the game into a new or empty folder. Return the number of files. Raise OperatorError.
    Seeds of running games, tokens and nonces are left out. Letters are whole, so keep it
    private."""
    if folder.exists() and any(folder.iterdir()):
        raise OperatorError(f"{folder} is not empty; name a new folder")
    before = os.umask(0o077)  # for us alone
    try:
        return _written(conn, game_id, _Files(folder))
    finally:
        os.umask(before)


def _written(conn: Connection, game_id: str, files: "_Files") -> int:
    at = games.game(conn, game_id)
    over = at.status == GameState.OVER
    row = Game.many(conn, id=game_id)[0]._asdict()
    game = {name: value for name, value in row.items() if name not in ("seed", "tables") or over}
    begun = games.begun(conn, game_id)
    result = begun.result if begun else None
    files.json("game.json", game | {"tables": row["tables"], "result": result})
    holders = games.holders(conn, game_id).values()
    files.json("seats.json", [{"seat": one.seat, "name": one.name} for one in holders])
    for period in (one._asdict() for one in Period.many(conn, game_id=game_id)):
        files.json(f"periods/{period['number']:03}.json", period)
    for orders in (one._asdict() for one in OrderSet.many(conn, game_id=game_id)):
        name = f"orders/{orders['period']:03}/{orders['seat']}.txt"
        files.text(name, "\n".join(orders["orders"]) + "\n")
    order = (Bulletin.number, Bulletin.edition)
    for issue in Bulletin.many(conn, game_id=game_id, order=order):
        seat = f"-{issue.seat}" if issue.seat else ""
        name = f"{issue.number:03}{seat}{'-corrected' * (issue.edition > 1)}"
        name += "-void" * (issue.voided is not None)
        files.text(f"bulletins/{name}.txt", issue.text)
    for letter in Letter.many(conn, game_id=game_id):
        if letter.raw is not None:
            files.bytes(f"letters/{letter.id:06}-{letter.seat or 'x'}.eml", letter.raw)
    shown = [
        {name: value for name, value in entry.items() if over or name not in ("nonce", "data")}
        for entry in (one._asdict() for one in Journal.many(conn, game_id=game_id))
    ]
    files.json("journal.json", shown)
    return files.count


class _Files:
    """Writes files below a folder. Of two of one name the newest stays."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._names: set[str] = set()
        if folder.exists():
            folder.chmod(0o700)

    @property
    def count(self) -> int:
        return len(self._names)

    def bytes(self, name: str, content: bytes) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        self._names.add(name)

    def text(self, name: str, content: str) -> None:
        self.bytes(name, content.encode("utf-8"))

    def json(self, name: str, content: Any) -> None:
        self.text(name, json.dumps(content, ensure_ascii=False, indent=1, default=_plain) + "\n")


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


@click.command("forget")
@click.argument("game")
@with_config
def forget_command(game: str, config_file: Path) -> None:
    """Delete a game that has not begun; nobody had been told of it. Of an open table all who have
    signed on are told that it is closed."""
    with working(config_file) as work:
        if open_tables.joinable(work.conn, game):
            say(table_acts.close_table(work, game, None).said)
            return
        dismissed = opening.forget(work, game)
    say(f"game {game} is forgotten")
    if dismissed:
        say(f"letters for it that waited, and are dismissed: {dismissed}")


@click.command("queue")
@click.argument("game", required=False)
@click.option("--page", type=click.IntRange(1), help="of the games, 20 a page (default: 1)")
@click.option("--all", "everything", is_flag=True, help="all games, however many")
@click.option("--json", "as_json", is_flag=True, help="for programs; all games without --page")
@with_config
def queue_command(
    game: str | None, page: int | None, everything: bool, as_json: bool, config_file: Path
) -> None:
    """What waits and the command that releases it, outbox, games. With who is in and missing."""
    if everything and page is not None:
        raise click.UsageError("give --page or --all")
    with working(config_file) as work:
        waits = queue.queue(work, game, page if as_json or everything else page or 1)
    if as_json:
        document(waits)
    else:
        say(queue.text(waits, Face.SHELL).rstrip("\n"))


@click.command("seen")
@click.argument("mail", required=False)
@with_config
def seen_command(mail: str | None, config_file: Path) -> None:
    """Alarm MAIL has been seen, and waits no more; without MAIL: all alarms."""
    with working(config_file) as work:
        say(waits.seen(work, work.mark.gamesmaster, mail or ""))


@click.command("table")
@click.argument("table")
@with_config
def table_command(table: str, config_file: Path) -> None:
    """An open table: who came when, through whom, who is sure, and who joins alike."""
    with looking(config_file) as work:
        say(queue.table_words(work, table.lower(), Face.SHELL))


@click.command("replay")
@click.argument("game")
@with_config
def replay_command(game: str, config_file: Path) -> None:
    """Re-adjudicate a game from its stored orders; compare positions, events, draws, views,
    bulletins and the journal."""
    with looking(config_file) as work:
        report = replay.replay(work.conn, game)
        plays = masters.plays(work.conn, game, work.mark.gamesmaster)
    entries = counted(report.journal, "journal entry", "journal entries")
    say(
        f"{counted(report.periods, 'period')} (positions, draws,"
        f" {counted(report.events, 'event')}, {counted(report.views, 'view')}),"
        f" {counted(report.bulletins, 'bulletin or notice', 'bulletins and notices')},"
        # its length tells players how many letters came
        f" {'the journal' if plays else entries} compared"
    )
    if report.other_templates:
        say(
            f"not compared: {counted(report.other_templates, 'text')} that other templates made;"
            " what was published is kept"
        )
    if report.faults:
        raise OperatorError(f"game {game} does not replay: " + "; ".join(report.faults))
    say("everything came out the same")


@click.command("export")
@click.argument("game")
@click.argument("folder", type=FOLDER, metavar="DIR")
@with_config
def export_command(game: str, folder: Path, config_file: Path) -> None:
    """One game as a folder of letters, orders, bulletins and JSON. While the game runs that is a
    look at what is secret."""
    with working(config_file, game) as work:
        guards.may_act(work.conn, work.mark, game)
        count = export(work.conn, game, folder)
        at = games.begun(work.conn, game)
        look = guards.looked(work, at, LookKind.EXPORT) if at else ""
    say(f"{counted(count, 'file')} in {folder}")
    if look:
        say(look)


@click.command("explain")
@click.argument("what", type=click.Choice(["deadline"]))
@click.argument("game")
@with_config
def explain_command(what: str, game: str, config_file: Path) -> None:
    """How a game's deadline came about: base, moves, result."""
    with working(config_file, game) as work:
        table = games.game_at(work.conn, game)
        deadline = publishing.deadline_of(table)
    if deadline:
        say("\n".join(deadline.explained(table.house.hour, table.zone)))
    else:
        say("this period has no deadline")


@click.command("why")
@click.argument("game")
@click.argument("words", nargs=-1, required=True, metavar="WORDS")
@with_config
def why_command(game: str, words: tuple[str, ...], config_file: Path) -> None:
    """How a public figure came about, step by step: `pbem why GAME N2`. `pbem why GAME W Soc`: a
    record."""
    with working(config_file, game) as work:
        table = games.game_at(work.conn, game)
        say(plain(look.why(work.conn, table, None, " ".join(words))))
