"""The command line is quick: what a command does not need, it does not load.

No clock here: ``bench/quick.py`` measures.
"""

import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import pbem.cli
from pbem.acts.acts import BY_NAME
from pbem.cli import acting, main
from pbem.cli.commands import FRONT, LISTED
from pbem.cli.service import db_command
from pbem.games import GAMES

SAMPLE = Path(__file__).parent / "games" / "parlement-1966" / "sample"
OURS = {"pbem", "pbem.cli", "pbem.errors", "pbem.games", "pbem.pages", "pbem.acts"} | {
    f"pbem.{name}"
    for name in (
        "cli.commands",
        "cli.shared",
        "orders",
        "acts.act",
        "acts.acts",
        "acts.needs",
        "pages.terminal",
    )
}
GRAMMARS = {"click", "lark", "cattrs", "attr", "attrs", "typing_extensions"}
TEMPLATES = {"jinja2", "markupsafe"}
PROBE = """
import atexit, sys
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
from pbem.acts.acts import BY_NAME
from pbem.cli import main
main(prog_name="pbem")
"""
HOUSE = {"pbem.house", "pbem.house.resources", "pbem.house.shelf"}
OUTSIDE = ("pbem.store", "pbem.house")


def loaded(*words: str) -> set[str]:
    """The modules that are loaded when a command ends."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


def libraries(modules: set[str]) -> set[str]:
    """Those that are neither Python's nor ours, by their first name."""
    first = {name.partition(".")[0] for name in modules}
    site = {"sitecustomize", "usercustomize", "pbem"}
    return {name for name in first - sys.stdlib_module_names - site if not name.startswith("_")}


def games(modules: set[str]) -> set[str]:
    """The packages of games among them."""
    return modules & set(GAMES.values())


def test_the_list_of_commands_loads_none() -> None:
    for words in (["--help"], ["--version"]):
        modules = loaded(*words)
        assert libraries(modules) == {"click"}
        assert {name for name in modules if name.startswith("pbem")} <= OURS


def test_the_help_of_an_act_loads_no_database() -> None:
    modules = loaded("extend", "--help")
    assert libraries(modules) == {"click"}
    assert not {name for name in modules if name.startswith(("pbem.store", "pbem.post"))}


def test_the_rule_sets_are_listed_without_a_database() -> None:
    modules = loaded("games")
    assert libraries(modules) <= GRAMMARS
    assert {name for name in modules if name.startswith(OUTSIDE)} == HOUSE
    assert games(modules) == set(GAMES.values())


@pytest.mark.parametrize(
    ("words", "more", "store"),
    [
        (
            ("check", "parlement-1966", str(SAMPLE / "01" / "S.txt"), "--seat", "S"),
            TEMPLATES,
            {"pbem.house.templates"},
        ),
        (("play", "parlement-1966", str(SAMPLE)), TEMPLATES, {"pbem.house.templates"}),
    ],
    ids=["check", "play"],
)
def test_a_game_on_paper_loads_that_game_only(
    words: tuple[str, ...], more: set[str], store: set[str]
) -> None:
    modules = loaded(*words)
    assert libraries(modules) <= GRAMMARS | more
    assert {name for name in modules if name.startswith(OUTSIDE)} == HOUSE | store
    assert games(modules) == {GAMES["parlement-1966"]}
    assert not {name for name in modules if name.startswith(("pbem.post", "pbem.letters"))}


def test_the_table_is_of_every_command() -> None:
    modules = {
        name: importlib.import_module(f"pbem.cli.{name}")
        for name in (found.name for found in pkgutil.iter_modules(pbem.cli.__path__))
    }
    there = {
        name: {one.removesuffix("_command") for one in vars(module) if one.endswith("_command")}
        - {""}
        for name, module in modules.items()
    }
    there["acting"] = set(acting.COMMANDS)
    there["service"] -= db_command.commands.keys()
    there = {name: commands for name, commands in there.items() if commands}
    assert there == {name: set(listed) for name, listed in LISTED.items()}


def test_the_front_lists_fifteen_commands_each_on_a_whole_line() -> None:
    said = CliRunner().invoke(main, ["--help"]).output
    listed = [name for names in FRONT.values() for name in names]
    lines = re.findall(r"^  ([a-z]+) +[A-Z].*\.$", said, re.MULTILINE)
    assert len(listed) <= 15 and listed == lines and set(listed) <= main.commands.keys()


@pytest.mark.parametrize("which, least", [("all", set(main.commands)), ("acts", set(BY_NAME))])
def test_the_help_has_every_command_in_full(which: str, least: set[str]) -> None:
    said = CliRunner().invoke(main, ["help", which]).output
    assert {line.split()[0] for line in said.splitlines() if re.match("  [a-z]", line)} >= least


@pytest.mark.parametrize("incomplete", ["", "re", "-", "x"])
def test_completion_says_what_the_commands_say(incomplete: str) -> None:
    context = main.make_context("pbem", [], resilient_parsing=True)
    ours, theirs = (
        [(item.value, item.type, item.help) for item in complete(context, incomplete)]
        for complete in (main.shell_complete, lambda *a: click.Group.shell_complete(main, *a))
    )
    assert ours == theirs
    assert bool(ours) == (incomplete != "x")
