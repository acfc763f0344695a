"""The rulebook: `rules`."""

import click

from pbem.cli.shared import RULESET, say
from pbem.house import shelf, templates
from pbem.pages.plain import plain


@click.command("rules")
@RULESET
@click.argument("words", nargs=-1, metavar="[PARAGRAPH ...]")
def rules_command(ruleset: str, words: tuple[str, ...]) -> None:
    """The rules and tables as they are mailed: `pbem rules KEY` (what there is), `pbem rules KEY
    14-17`, `pbem rules KEY money`, `pbem rules KEY TABLES bills`."""
    if words and words[0].upper() == "TABLES":
        told = templates.tables_text(ruleset, shelf.rulebook(ruleset).tables, " ".join(words[1:]))
        say(plain(told))
    else:
        say(plain(templates.rules_text(ruleset, " ".join(words))))


COMMANDS = (rules_command,)
