"""The command line. Exit codes: 0 done; 1 the input was wrong; 2 wrong usage; 3 something outside failed."""

from __future__ import annotations

from typing import Any

import click

from pbem import __version__
from pbem.commands import desk, games, service, table
from pbem.errors import OutsideError, OverBudget, PbemError


class _Commands(click.Group):
    """Turns our own errors, and a file that cannot be had, into a line on stderr and the contract's exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except OverBudget as error:
            click.echo(f"pbem: {error}; see [limits] letter_seconds", err=True)
            ctx.exit(1)
        except PbemError as error:
            click.echo(f"pbem: {error}", err=True)
            ctx.exit(3 if isinstance(error, OutsideError) else 1)
        except (FileNotFoundError, FileExistsError, NotADirectoryError, IsADirectoryError, PermissionError) as error:
            click.echo(f"pbem: {error.filename}: {error.strerror}", err=True)
            ctx.exit(1)


@click.group(cls=_Commands)
@click.version_option(__version__)
def main() -> None:
    """An email-driven referee for political games played by mail."""


for module in (table, service, games, desk):
    for command in module.COMMANDS:
        main.add_command(command)
