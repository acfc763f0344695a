"""The command line.

Exit codes: 0 done; 1 wrong input; 2 wrong usage; 3 something outside failed. May import: every
other room.
"""

import sys
import traceback
from types import TracebackType
from typing import Any

import click

from pbem import __version__
from pbem.cli.commands import LazyGroup
from pbem.cli.shared import guard, say
from pbem.errors import OutsideError, OverBudget, PbemError


def _crashed(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print a traceback safely: it may hold words of a letter."""
    say("".join(traceback.format_exception(kind, error, trace)), err=True, nl=False)


class _Commands(LazyGroup):
    """Turn our errors, and files that cannot be opened, into a line on stderr and an exit code."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        sys.excepthook = _crashed
        guard()
        return super().main(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except OverBudget as error:
            say(f"pbem: {error}; see [limits] letter_seconds", err=True)
            ctx.exit(1)
        except PbemError as error:
            say(f"pbem: {error}", err=True)
            ctx.exit(3 if isinstance(error, OutsideError) else 1)
        except (
            FileNotFoundError,
            FileExistsError,
            NotADirectoryError,
            IsADirectoryError,
            PermissionError,
        ) as error:
            say(f"pbem: {error.filename}: {error.strerror}", err=True)
            ctx.exit(1)


@click.group(cls=_Commands)
@click.version_option(__version__)
def main() -> None:
    """An email-driven referee for political games played by mail."""
