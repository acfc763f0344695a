"""What several commands share: options, the configuration, a connection."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click
from sqlalchemy import Connection

from pbem import config, database, registry
from pbem.errors import OperatorError
from pbem.mailing import Postmark

F = TypeVar("F", bound=Callable[..., Any])
FOLDER = click.Path(path_type=Path, file_okay=False)
FILE = click.Path(path_type=Path, dir_okay=False)


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
        "--config", "config_file", type=FILE, default=Path("config.toml"), show_default=True, envvar="PBEM_CONFIG",
        help="the installation's configuration",
    )(command)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Desk:
    """One act of the gamesmaster: the configuration, one transaction, our postmark and the time."""

    config: config.Config
    conn: Connection
    mark: Postmark
    now: datetime


@contextmanager
def desk(config_file: Path) -> Iterator[Desk]:
    """The installation's database, for one transaction; mails go to the outbox and leave with the daemon's next pass."""
    settings = config.load(config_file)
    engine = database.connect(settings.referee.database)
    try:
        if fault := database.pending(engine):
            raise OperatorError(fault)
        with database.transaction(engine) as conn:
            yield Desk(settings, conn, registry.postmark(conn, settings), datetime.now(UTC))
    finally:
        engine.dispose()
