"""A command for each act of the table."""

import sys
from collections.abc import Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import click

from pbem.acts.act import Act, Argument, Kind
from pbem.acts.acts import ACTS, NEW
from pbem.cli.shared import FILE, say, with_config
from pbem.errors import OperatorError, OutsideError
from pbem.referee.acts.values import MOMENT, READ


class Value(click.ParamType[Any]):
    """A value read as by mail and at the desk."""

    name = "integer"

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        return f"[{MOMENT}]" if self.kind is Kind.TIME else None

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return READ[self.kind](value)
        except OperatorError as error:
            self.fail(str(error), param, ctx)


def parameter(argument: Argument) -> click.Parameter:
    kind = FILE if argument.kind is Kind.FILE else click.STRING
    type_ = Value(argument.kind) if argument.kind in READ else kind
    takes: dict[str, Any] = {"required": argument.required, "metavar": argument.shown or None}
    if not argument.option:
        return click.Argument([argument.name], type=type_, **takes)
    if argument.kind is Kind.FLAG:
        takes = {"is_flag": True}
    else:
        takes["type"] = (click.STRING, FILE) if argument.kind is Kind.ORDERS else type_
    names = [argument.option, argument.name]
    return click.Option(names, multiple=argument.many, help=argument.help, **takes)


def _do(act: Act, config_file: Path, backup: Path | None = None, **values: Any) -> None:
    """Do an act. A restore first puts its backup into the database's place."""
    # help needs no database
    from pbem.cli.at_work import working  # noqa: PLC0415
    from pbem.referee.acts.doing import Actor, do  # noqa: PLC0415

    if backup:
        _restore(act, config_file, backup, **values)
        return
    if act.misused(values):
        raise click.UsageError(act.usage)
    for argument in act.arguments:
        if argument.kind is Kind.FILE and not (argument.option and not values[argument.name]):
            values[argument.name] = _text(values[argument.name])
        elif argument.kind is Kind.ORDERS:
            values[argument.name] = [(seat, _text(file)) for seat, file in values[argument.name]]
    game = values["game"] or None if act.of_one_game else None
    doubted = act.name == "restore"  # a backup's word on the clock is old
    with working(config_file, game, doubted=doubted) as work:
        done = do(work, act, values, Actor())
    said = done.said
    if act.name == "close" and not values["unread"]:
        said = _closed(config_file, values["game"]) or said
    if said:
        say(said)
    if act.tried and not values[act.tried]:
        say(f"To do it, give the same words with --{act.tried}.")
    if done.undone:
        raise OperatorError(f"{done.undone}; what was done stands above, and is done")


def _closed(config_file: Path, game: str) -> str | None:
    """Close the period after every letter is read. None: another daemon will. Raise OutsideError,
    and leave it open, if the mailbox cannot be read."""
    from pbem.daemon import logs  # noqa: PLC0415
    from pbem.daemon.passes import Passes  # noqa: PLC0415
    from pbem.house import config  # noqa: PLC0415
    from pbem.periods import due  # noqa: PLC0415
    from pbem.post import clock  # noqa: PLC0415
    from pbem.store.engine.database import shared_transaction  # noqa: PLC0415
    from pbem.store.games import games, periods  # noqa: PLC0415

    settings = config.load(config_file)
    logs.configure(settings.daemon.log_json)
    with closing(Passes(settings)) as daemon:
        with shared_transaction(daemon.engine) as conn:
            number = games.game_at(conn, game).period.number
        scan, done = daemon.caught_up()
        if scan is None and not daemon.clock.wrong:
            return None
        if scan is None or not scan.drained:
            with shared_transaction(daemon.engine, game) as conn:
                if games.game_at(conn, game).period.number == number:
                    periods.set_period(conn, game, number, close_asked=None)
            with shared_transaction(daemon.engine) as conn:
                clock.must_be_sure(conn)
            why = "; ".join(done.trouble) or "a letter there cannot be read yet"
            raise OutsideError(
                f"the mailbox cannot be read: {why}\nGame {game} was not closed, for letters that"
                f" count may wait there. To close it without them: `pbem close {game} --unread`"
            )
        due.safely(daemon.installation, game, number, scan)
        with shared_transaction(daemon.engine) as conn:
            after = games.game_at(conn, game).period
    return f"The game {game} is now in period {after.number} ({after.phase})."


def _restore(act: Act, config_file: Path, backup: Path, **values: Any) -> None:
    """Do an act on a backup before it takes the database's place."""
    from pbem.cli.at_work import working_on_backup  # noqa: PLC0415
    from pbem.referee.acts.doing import Actor, do  # noqa: PLC0415

    if any(values.values()):
        raise click.UsageError("--from is the first step, and --release-outbox a later one")
    with working_on_backup(config_file, backup) as (work, found):
        done = do(work, act, values, Actor())
    kept = f"; what was there is kept as {found.aside}" if found.aside else ""
    already = " already; all is held again" if found.there else ""
    say(f"{backup} is in the database's place{already}{kept}")
    say(done.said)


def _text(file: Path | None) -> str:
    """None for standard input."""
    return file.read_bytes().decode("utf-8", errors="replace") if file else sys.stdin.read()


_BACKUP = click.Option(
    ["--from", "backup"], type=FILE, help="first put this backup (of `pbem backup`) in its place"
)


def _command(act: Act) -> click.Command:
    parameters = [parameter(argument) for argument in act.arguments]
    command = click.Command(
        act.name,
        callback=partial(_do, act),
        params=[*parameters, *([_BACKUP] if act.name == "restore" else [])],
        help=act.help,
        context_settings={"ignore_unknown_options": act.has(Kind.LENGTH)},  # it may be -2
    )
    return with_config(command)


COMMANDS: Mapping[str, click.Command] = {act.name: _command(act) for act in (NEW, *ACTS)}
