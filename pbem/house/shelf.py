"""Make rule-sets from the data folders.

What a beginner does now, and why: ``rules/<key>.lessons.md``, a heading for each phase.
"""

import importlib
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pbem.budget import paused
from pbem.errors import OperatorError
from pbem.games import GAMES
from pbem.games.frame import scenario
from pbem.games.frame.ruleset import Rulebook, Ruleset
from pbem.games.frame.scenario import At
from pbem.house import resources
from pbem.pages import rulebook as rulebook_pages


@lru_cache
@paused
def rulebook(key: str) -> Rulebook:
    """Return a game's rulebook. Raise OperatorError for an unknown key."""
    if key not in GAMES:
        raise OperatorError(f"there is no game {key!r}; there are: {', '.join(GAMES)}")
    return Rulebook(
        key=key,
        grammar=resources.text("grammar", f"{key}.lark"),
        terminals=resources.text("grammar", "terminals.lark"),
        tables=tomllib.loads(resources.text("rules", f"{key}.toml")),
        paragraphs=rules(key).paragraphs,
    )


@lru_cache
@paused
def rules(key: str) -> rulebook_pages.Rules:
    return rulebook_pages.parse(resources.text("rules", f"{key}.md"))


def open_ruleset(key: str, tables: Mapping[str, Any] | None = None) -> Ruleset[Any]:
    """Return a game's rule-set, with its own or recorded tables (invariant 11)."""
    return _standard(key) if tables is None else _make(key, dict(tables))


@lru_cache
@paused
def _standard(key: str) -> Ruleset[Any]:
    return _make(key, dict(rulebook(key).tables))


def _make(key: str, tables: dict[str, Any]) -> Ruleset[Any]:
    book = rulebook(key)
    package = importlib.import_module(GAMES[key])
    mine = Rulebook(key, book.grammar, book.terminals, tables, book.paragraphs)
    made: Ruleset[Any] = package.ruleset(mine)
    return made


def with_changes(key: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return tables changed by a scenario's ``[tables]``. Raise ScenarioError for wrong ones."""
    book = rulebook(key)
    reader = importlib.import_module(f"{GAMES[key]}.setup")
    scenario.read(reader.Tables, changes, At("tables", {}))
    tables = merged(book.tables, changes)
    if hasattr(reader, "agree"):  # a game of one table has nothing that could fail to fit
        reader.agree(tables)
    return tables


def merged(tables: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return tables with changes: mappings key by key, all else replaced."""
    result = dict(tables)
    for name, change in changes.items():
        old = result.get(name)
        both = isinstance(old, Mapping) and isinstance(change, Mapping)
        result[name] = merged(old, change) if both else change  # type: ignore[arg-type]
    return result


PERIODS = 3
"""So many periods of a practice game have a lesson."""


def of(key: str, phase: str) -> str:
    return _lessons(key).get(phase, "")


@lru_cache
@paused
def _lessons(key: str) -> dict[str, str]:
    if not resources.path("rules", f"{key}.lessons.md").exists():
        return {}
    _, *parts = resources.text("rules", f"{key}.lessons.md").split("\n## ")
    headed = (part.partition("\n") for part in parts)
    return {phase.strip(): " ".join(said.split()) for phase, _, said in headed}
