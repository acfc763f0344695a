"""The rulebook: `rules`."""

from __future__ import annotations

import click

from pbem.cli.shared import RULESET, say
from pbem.house import shelf
from pbem.pages.plain import plain
from pbem.referee.words import rules_words


@click.command("rules")
@RULESET
@click.argument("words", nargs=-1, metavar="[PARAGRAPH ...]")
def rules_command(ruleset: str, words: tuple[str, ...]) -> None:
    """The rules and tables as they are mailed: `pbem rules KEY` (what there is), `pbem rules KEY
    14-17`, `pbem rules KEY money`, `pbem rules KEY TABLES bills`."""
    if words and words[0].upper() == "TABLES":
        told = rules_words.tables(ruleset, shelf.rulebook(ruleset).tables, " ".join(words[1:]))
        say(plain(told))
    else:
        say(plain(rules_words.rules(ruleset, " ".join(words))))


COMMANDS = (rules_command,)
