"""The rule-sets: `games`, `house` and `rules`."""

from importlib import import_module
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

import click

from pbem.acts.acts import NEW
from pbem.cli.acting import parameter
from pbem.cli.shared import AS_JSON, RULESET, document, say, with_config
from pbem.games import GAMES
from pbem.games.frame import scenario
from pbem.house import resources, shelf
from pbem.pages.plain import plain


@click.command("games")
@click.option(
    "--scenario-template",
    type=click.Choice(list(GAMES)),
    metavar="KEY",
    help="print a complete scenario file, and what each key takes",
)
@AS_JSON
def games_command(scenario_template: str | None, as_json: bool) -> None:
    """The rule-sets with their seats, options and status."""
    if scenario_template:
        say(resources.text("rules", "scenarios", scenario_template, "template.toml"))
        fields = import_module(f"{GAMES[scenario_template]}.setup")
        parts = ((fields.Scenario, None), (fields.Tables, "tables"))
        for line in (line for part in parts for line in scenario.reference(*part)):
            say(fill(line, 118, initial_indent="# ", subsequent_indent="#   "))
        return
    abouts = [shelf.open_ruleset(key).about for key in GAMES]
    if as_json:
        document(
            [
                {
                    "key": a.key,
                    "title": a.title,
                    "status": a.status,
                    "seats": [list(s) for s in a.seats],
                    "phases": list(a.phases),
                    "options": [
                        {
                            "name": o.name,
                            "default": o.default,
                            "choices": [*o.choices, *o.words],
                            "about": o.about,
                        }
                        for o in a.options
                    ],
                }
                for a in abouts
            ]
        )
        return
    for about in abouts:
        sizes = sorted({len(seats) for seats in about.seats})
        players = f"{sizes[0]}-{sizes[-1]}" if len(sizes) > 1 else str(sizes[0])
        say(
            f"{about.key}: {about.title} ({players} players, {about.status}); seats"
            f" {', '.join(about.seats[0])}"
        )
        for option in about.options:
            bounds = option.bounds if option.text else f"{option.least}..{option.most}"
            numbers = () if option.choices else (bounds,)
            legal = "|".join((*option.choices, *numbers, *option.words))
            say(f"    {option.name}={option.default}  ({legal})  {option.about}")


class _Terms(NamedTuple):
    """What house rules need of a game not yet made."""

    zone: str
    late: str


_SETTINGS = ("option", "pace", "house", "grace", "press", "deputies", "zone", "late")


@click.command("house", params=[parameter(one) for one in NEW.arguments if one.name in _SETTINGS])
@RULESET
@with_config
def house_command(ruleset: str, config_file: Path, **settings: Any) -> None:
    """The house rules of a game in words; `--pace NAME` at a preset."""
    from pbem.house import config, houses  # noqa: PLC0415  `games` needs no database
    from pbem.periods import issue_mails  # noqa: PLC0415  the same

    pace, zone, late = (settings[name] for name in ("pace", "zone", "late"))
    chosen = houses.settled(ruleset, houses.pairs(settings["option"]), pace)
    rules = houses.house_rules(ruleset, chosen, houses.changes(settings), pace)
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
    from pbem.house import templates  # noqa: PLC0415  `games` needs none

    if words and words[0].upper() == "TABLES":
        told = templates.tables_text(ruleset, shelf.rulebook(ruleset).tables, " ".join(words[1:]))
        say(plain(told))
    else:
        say(plain(templates.rules_text(ruleset, " ".join(words))))
