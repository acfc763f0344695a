"""What a game is played by: `house`, the options that set house rules, and `rules`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from pbem.cli.shared import OPTION, RULESET, pairs, say, with_config
from pbem.games.frame.house import DEPUTIES
from pbem.games.frame.press_rules import MODES
from pbem.house import config, houses, shelf, templates
from pbem.pages.plain import plain
from pbem.periods import issue_mails

_NAMED = "pbem.house"
"""Keeps options of single rules while a command runs."""
F = TypeVar("F", bound=Callable[..., Any])


def house_options(command: F) -> F:
    """Add ``--option``, ``--pace``, ``--house``, ``--grace``, ``--press``, ``--deputies``."""
    added = (
        OPTION,
        click.option(
            "--pace",
            type=click.Choice(houses.paces()),
            help="periods and all that goes with them, from a preset",
        ),
        click.option(
            "--house",
            multiple=True,
            callback=pairs,
            metavar="NAME=VALUE",
            help="a house rule, e.g. hour=20:00",
        ),
        click.option(
            "--grace",
            metavar="LENGTH",
            callback=_into_house,
            expose_value=False,
            help="once for each player a period waits so long for one who owes and has sent"
            " nothing, as 24h",
        ),
        click.option(
            "--press",
            type=click.Choice(MODES),
            callback=_into_house,
            expose_value=False,
            help="among the players: all there is; open: to everybody and signed, or not at all;"
            " none",
        ),
        click.option(
            "--deputies",
            type=click.Choice(DEPUTIES),
            callback=_into_house,
            expose_value=False,
            help="who is away may have a deputy, and all are told of it; or there are none",
        ),
    )
    for option in reversed(added):
        command = option(command)
    return command


def _into_house(context: click.Context, option: click.Parameter, value: str | None) -> None:
    if value and option.name:
        context.meta.setdefault(_NAMED, {})[option.name] = value


def named(house: dict[str, str]) -> dict[str, object]:
    """Return the house rules given; whole numbers as int."""
    return houses.read_pairs(house | click.get_current_context().meta.get(_NAMED, {}))


class _Terms(NamedTuple):
    """What house rules need of a game not yet made."""

    zone: str
    late: str


@click.command("house")
@RULESET
@house_options
@click.option("--zone", help="time zone (default: the configuration's)")
@click.option("--late", type=click.Choice(["until_adjudicated", "deadline"]))
@with_config
def house_command(  # noqa: PLR0913  one for each option
    ruleset: str,
    options: dict[str, str],
    pace: str | None,
    house: dict[str, str],
    zone: str | None,
    late: str | None,
    config_file: Path,
) -> None:
    """The house rules of a game in words; `--pace NAME` at a preset."""
    chosen = houses.settled(ruleset, options, pace)
    rules = houses.house_rules(ruleset, chosen, named(house), pace)
    ours = config.load(config_file).referee if config_file.exists() else None
    terms = _Terms(
        zone or (ours.zone if ours else "the game's"),
        late or (ours.late if ours else "until_adjudicated"),
    )
    say(plain(issue_mails.house_text(ruleset, rules, terms)))
    if not pace:
        say("\nPaces, for --pace:")
        for name in houses.paces():
            preset = houses.preset(ruleset, name)
            at_pace = houses.house_rules(ruleset, houses.settled(ruleset, {}, name), {}, name)
            whole = houses.words(ruleset, at_pace)
            lasts = f", a game {whole}" if whole else ""
            say(f"  {name}: {preset.words}; a period lasts {preset.whole}{lasts}")


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


COMMANDS = (house_command, rules_command)
