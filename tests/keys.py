"""Which games are tested, and where each one's own test data lie."""

import importlib.util
import os
from pathlib import Path
from types import ModuleType

from pbem.games import GAMES
from pbem.games.frame.options import settle
from pbem.house import shelf, templates
from pbem.pages import guide
from pbem.pages.plain import plain
from pbem.periods.opening import house_rules

GAME_TESTS = Path(__file__).parent / "games"
KEYS = [
    key for key in GAMES if not (only := os.environ.get("PBEM_GAMES")) or key in only.split(",")
]


def module(path: Path) -> ModuleType:
    """A test helper file of a game, imported by its path (its folder's name has hyphens)."""
    spec = importlib.util.spec_from_file_location(
        f"_{path.parent.name}_{path.stem}".replace("-", "_"), path
    )
    assert spec and spec.loader, f"{path} is missing"
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def printed_guide(key: str) -> str:
    """A game's order guide as its players are mailed it, under the usual house rules."""
    options = settle(shelf.open_ruleset(key).about.options, {})
    house = house_rules(key, options, {})
    return plain(guide.guide(templates.environment(), key, house).text)
