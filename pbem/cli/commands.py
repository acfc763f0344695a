"""The table of commands. Each is imported when called."""

import ast
from collections import UserDict
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from pbem.acts.acts import ACTS, FAMILIES, NEW, OLD
from pbem.cli.shared import say

LISTED: Mapping[str, Sequence[str]] = {
    "play": ("play", "check"),
    "practice": ("practice",),
    "rulesets": ("games", "house", "rules"),
    "init": ("init",),
    "service": (
        *("demo", "serve", "once", "letter", "doctor", "backup", "db", "desk"),
        *("site", "zine"),
    ),
    "games": ("queue", "seen", "table", "forget", "replay", "export", "explain", "why"),
    "commands": ("help",),
    "acting": [act.name for act in (NEW, *ACTS)],
}
"""Module -> commands: ``<name>_command``, whose docstring is the help."""
FRONT: Mapping[str, Sequence[str]] = {
    "First steps": ("demo", "practice", "init", "doctor"),
    "Running": ("serve", "once", "queue", "desk", "backup"),
    "A game": ("new", "open", "start", "why"),
    "More": ("help",),
}
"""What `pbem --help` lists: each by the first sentence of its help."""


@cache
def helps() -> dict[str, str]:
    """Return each command's help, read in its source."""  # to import them takes a second
    found = {act.name: act.help for act in (NEW, *ACTS)}
    for module, names in LISTED.items():
        source = Path(__file__).with_name(f"{module}.py").read_text(encoding="utf-8")
        for one in ast.parse(source).body:
            name = getattr(one, "name", "").removesuffix("_command")
            if name in names and isinstance(one, ast.FunctionDef):
                found[name] = " ".join(str(ast.get_docstring(one)).split())
    return found


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
                firsts = [(name, helps()[name].partition(". ")[0].rstrip(".")) for name in names]
                formatter.write_dl([(name, f"{said}.") for name, said in firsts])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        for old, new, *_ in OLD:
            if args[0] == old:
                ctx.fail(f"`pbem {old}` is now: `pbem {new}`")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return names with this beginning, then options."""
        names = [
            CompletionItem(name, help=click.Command(name, help=said).get_short_help_str())
            for name, said in sorted(helps().items())
            if name.startswith(incomplete)
        ]
        return names + click.Command.shell_complete(self, ctx, incomplete)


@click.command("help")
@click.argument("what", type=click.Choice(["acts", "all"]))
@click.pass_context
def help_command(ctx: click.Context, what: str) -> None:
    """Say what the other commands do: `pbem help acts` or `all`."""
    groups = {"Commands": sorted(helps())}
    if what == "acts":
        groups = {
            title.capitalize(): [act.name for act in acts if act.name in helps()]
            for title, acts in FAMILIES.values()
        }
    formatter = ctx.make_formatter()
    for title, names in groups.items():
        with formatter.section(title):
            formatter.write_dl([(name, helps()[name]) for name in names])
    say(formatter.getvalue().strip("\n"))
