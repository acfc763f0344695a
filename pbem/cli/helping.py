"""The commands that `pbem --help` leaves out, each with its whole help."""

from __future__ import annotations

import click

from pbem.acts.acts import ACTS
from pbem.cli.commands import HELP
from pbem.cli.shared import say
from pbem.referee.gamesmaster.gamesmaster_help import GROUPS


@click.command("help")
@click.argument("what", type=click.Choice(["acts", "all"]))
@click.pass_context
def help_command(ctx: click.Context, what: str) -> None:
    """Say what the commands do: `pbem help acts` (those on a game), `pbem help all`."""
    groups = {"Commands": sorted(HELP)}
    if what == "acts":
        named = {act.word: act.name for act in ACTS}
        groups = {
            title.capitalize(): [named[word] for word in words if word in named]
            for title, words in GROUPS.items()
        }
        grouped = {name for names in groups.values() for name in names}
        groups["The installation"] = [act.name for act in ACTS if act.name not in grouped]
    formatter = ctx.make_formatter()
    for title, names in groups.items():
        with formatter.section(title):
            formatter.write_dl([(name, HELP[name]) for name in names])
    say(formatter.getvalue().strip("\n"))


COMMANDS = [help_command]
