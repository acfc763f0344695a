"""The table of commands. Each is imported when called."""

from collections import UserDict
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from pbem.acts.acts import ACTS, FAMILIES, NEW, OLD
from pbem.cli.shared import say

LISTED: Mapping[str, Mapping[str, str]] = {
    "play": {
        "play": "Play a game from order files: DIR/01/S.txt, DIR/01/R.txt, ...",
        "check": "Try an order file: what each line would do, or why not.",
    },
    "practice": {"practice": "Play a game against house bots in this terminal, without mail."},
    "rulesets": {
        "games": "The rule-sets with their seats, options and status.",
        "house": "The house rules of a game in words; `--pace NAME` at a preset.",
        "rules": (
            "The rules and tables as they are mailed: `pbem rules KEY` (what there is), `pbem rules"
            " KEY 14-17`, `pbem rules KEY money`, `pbem rules KEY TABLES bills`."
        ),
    },
    "init": {"init": "Make an installation by asking: the mail account and the rest."},
    "service": {
        "demo": "A whole game by real mail on this machine, nothing to configure.",
        "serve": "The daemon: poll, decide, remind, adjudicate, send.",
        "once": "One pass of the same, for cron.",
        "letter": "What the referee makes of one letter, and why.",
        "doctor": "Is this installation whole? Each fault with its mend.",
        "backup": "The whole database as one new file, while the service runs.",
        "db": "The database.",
        "desk": "What waits and all acts, as pages in a browser.",
    },
    "website": {
        "site": (
            "All games as pages in FOLDER, from what is public of them; FOLDER/index.html is the"
            " first."
        ),
        "zine": "Show the club's paper as it would be now, and the letters to it that wait.",
    },
    "games": {
        "queue": "What waits and the command that releases it, outbox, games.",
        "seen": "Alarm MAIL has been seen, and waits no more; without MAIL: all alarms.",
        "table": ("An open table: who came when, through whom, who is sure, and who joins alike."),
        "forget": "Delete a game that has not begun; nobody had been told of it.",
        "replay": (
            "Re-adjudicate a game from its stored orders; compare positions, events, draws, views,"
            " bulletins and the journal."
        ),
        "export": "One game as a folder of letters, orders, bulletins and JSON.",
        "explain": "How a game's deadline came about: base, moves, result.",
        "why": "How a public figure came about, step by step: `pbem why GAME N2`.",
    },
    "commands": {"help": "Say what the other commands do: `pbem help acts` or `all`."},
    "acting": {act.name: act.help for act in (NEW, *ACTS)},
}
"""Module -> command -> the beginning of its help. What does it is ``<name>_command`` there."""
FRONT: Mapping[str, Sequence[str]] = {
    "First steps": ("demo", "practice", "init", "doctor"),
    "Running": ("serve", "once", "queue", "desk", "backup"),
    "A game": ("new", "open", "start", "why"),
    "More": ("help",),
}
"""What `pbem --help` lists: each by the first sentence of its help."""
HELP = {name: said for named in LISTED.values() for name, said in named.items()}


class Later(UserDict[str, Any]):
    """The commands by name, loaded on use."""

    def __init__(self) -> None:
        super().__init__()
        for module, named in LISTED.items():
            self.data |= dict.fromkeys(named, module)  # until loaded

    def __getitem__(self, name: str) -> click.Command:
        place = self.data[name]
        if isinstance(place, str):
            module = import_module(f"pbem.cli.{place}")
            self.data[name] = getattr(module, f"{name}_command", None) or module.COMMANDS[name]
        command: click.Command = self.data[name]
        return command


class LazyGroup(click.Group):
    """A group whose help and completion need only the tables."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.commands = Later()

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, names in FRONT.items():
            with formatter.section(title):
                firsts = [(name, HELP[name].partition(". ")[0].rstrip(".")) for name in names]
                formatter.write_dl([(name, f"{said}.") for name, said in firsts])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        for old, new, *_ in OLD:
            if args[0] == old:
                ctx.fail(f"`pbem {old}` is now: `pbem {new}`")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return names with this beginning, then options."""
        names = [
            CompletionItem(name, help=click.Command(name, help=HELP[name]).get_short_help_str())
            for name in sorted(HELP)
            if name.startswith(incomplete)
        ]
        return names + click.Command.shell_complete(self, ctx, incomplete)


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
