"""Shared by several commands: options, and output to the terminal. Code that needs a database is in
``at_work``.

Commands print only through :func:`say` or :func:`document`, so text from outside cannot command the
terminal.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from pbem.games import GAMES
from pbem.pages import terminal

F = TypeVar("F", bound=Callable[..., Any])
FOLDER = click.Path(path_type=Path, file_okay=False)
FILE = click.Path(path_type=Path, dir_okay=False)
RULESET = click.argument("ruleset", type=click.Choice(list(GAMES)), metavar="RULESET")


def say(text: str, *, err: bool = False, nl: bool = True) -> None:
    """A text to the terminal (``err``: as an error; ``nl``: with a line end)."""
    click.echo(terminal.shown(text), err=err, nl=nl)


def document(value: Any) -> None:
    """A JSON document to the terminal."""
    click.echo(terminal.document(value))


class _Shown(logging.Formatter):
    """The lines of libraries that log by themselves."""

    def format(self, record: logging.LogRecord) -> str:
        return terminal.shown(super().format(record))


def guard() -> None:
    """What a library logs without a handler of its own goes to stderr as harmless text."""
    if logging.lastResort:
        logging.lastResort.setFormatter(_Shown())


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
