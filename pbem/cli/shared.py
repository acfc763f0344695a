"""What several commands share: options, the configuration, a connection, and the way to the
terminal.

Whatever a command prints goes through :func:`say`, :func:`document` or :func:`columns`: text from
outside cannot command the terminal, and rich takes nothing in it for markup.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pbem.errors import OperatorError
from pbem.pages import terminal
from pbem.post.postmark import postmark
from pbem.post.work import Work
from pbem.store import config, database

F = TypeVar("F", bound=Callable[..., Any])
FOLDER = click.Path(path_type=Path, file_okay=False)
FILE = click.Path(path_type=Path, dir_okay=False)


def say(text: str, *, err: bool = False, nl: bool = True) -> None:
    """A text to the terminal (``err``: as an error; ``nl``: with a line end)."""
    click.echo(terminal.shown(text), err=err, nl=nl)


def document(value: Any) -> None:
    """A JSON document to the terminal."""
    click.echo(terminal.document(value))


def columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table to the terminal, as wide as that is."""
    table = Table(box=None)
    for head in heads:
        table.add_column(Text(terminal.one_line(head)))
    for row in rows:
        table.add_row(*(Text(terminal.one_line(cell)) for cell in row))
    Console().print(table)


def pairs(_ctx: click.Context, _param: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """NAME=VALUE options as a mapping."""
    read = {}
    for word in given:
        name, equals, value = word.partition("=")
        if not equals:
            raise click.BadParameter(f"{word!r}: write NAME=VALUE")
        read[name] = value
    return read


def with_config(command: F) -> F:
    """Adds ``--config``."""
    return click.option(
        "--config",
        "config_file",
        type=FILE,
        default=Path("config.toml"),
        show_default=True,
        envvar="PBEM_CONFIG",
        help="the installation's configuration",
    )(command)


@contextmanager
def desk(config_file: Path) -> Iterator[Work]:
    """One act of the gamesmaster in the installation's database: one transaction; mails go to the
    outbox and leave with the daemon's next pass."""
    settings = config.load(config_file)
    engine = database.connect(settings.referee.database)
    try:
        if fault := database.pending(engine):
            raise OperatorError(fault)
        with database.transaction(engine) as conn:
            yield Work(conn, postmark(conn, settings), settings, datetime.now(UTC))
    finally:
        engine.dispose()
