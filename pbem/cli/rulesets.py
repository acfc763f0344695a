"""The rule-sets: `games`."""

from importlib import import_module
from textwrap import fill

import click

from pbem.cli.shared import AS_JSON, document, say
from pbem.games import GAMES
from pbem.games.frame import scenario
from pbem.house import resources, shelf


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


COMMANDS = (games_command,)
