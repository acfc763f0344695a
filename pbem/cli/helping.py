"""The commands that `pbem --help` leaves out, each with its whole help."""

import click

from pbem.acts.acts import FAMILIES
from pbem.cli.commands import HELP
from pbem.cli.shared import say


@click.command("help")
@click.argument("what", type=click.Choice(["acts", "all"]))
@click.pass_context
def help_command(ctx: click.Context, what: str) -> None:
    """Say what the other commands do: `pbem help acts` or `all`."""
    groups = {"Commands": sorted(HELP)}
    if what == "acts":
        groups = {
            title.capitalize(): [act.name for act in acts if act.name in HELP]
            for title, acts in FAMILIES.values()
        }
    formatter = ctx.make_formatter()
    for title, names in groups.items():
        with formatter.section(title):
            formatter.write_dl([(name, HELP[name]) for name in names])
    say(formatter.getvalue().strip("\n"))


COMMANDS = [help_command]
