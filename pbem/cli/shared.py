"""Shared options and output. ``at_work`` has what needs a database.

Print only by :func:`say` or :func:`document`: they make outside text safe for terminals.
"""

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

AS_JSON = click.option("--json", "as_json", is_flag=True)


def say(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print text to stdout, or stderr if err."""
    click.echo(terminal.shown(text), err=err, nl=nl)


def document(value: Any) -> None:
    click.echo(terminal.document(value))


class _Shown(logging.Formatter):
    """Format libraries' log lines safely."""

    def format(self, record: logging.LogRecord) -> str:
        return terminal.shown(super().format(record))


def guard() -> None:
    """Make libraries' unhandled log lines safe."""
    if logging.lastResort:
        logging.lastResort.setFormatter(_Shown())


def pairs(_ctx: click.Context, _param: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """Return NAME=VALUE options as a dict."""
    read = {}
    for word in given:
        name, equals, value = word.partition("=")
        if not equals:
            raise click.BadParameter(f"{word!r}: write NAME=VALUE")
        read[name] = value
    return read


OPTION = click.option(
    "--option", "options", multiple=True, callback=pairs, metavar="NAME=VALUE", help="a game option"
)
SCENARIO = click.option(
    "--scenario", type=FILE, help="a TOML file that replaces parts of the starting position"
)


def with_config(command: F) -> F:
    return click.option(
        "--config",
        "config_file",
        type=FILE,
        default=Path("config.toml"),
        show_default=True,
        envvar="PBEM_CONFIG",
        help="the installation's configuration",
    )(command)
