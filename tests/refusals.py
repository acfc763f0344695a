"""The refusals that the cases of a game produce."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

from pbem.orders.order import Problem
from pbem.periods import paper
from tests import cases


def of_cases(key: str, folder: Path) -> Iterator[Problem]:
    """All of them, case after case."""
    for path in cases.find(folder):
        case = tomllib.loads(path.read_text(encoding="utf-8"))
        scenario = case.get("scenario", {})
        if isinstance(scenario, str):
            scenario = paper.read_toml(path.parent / scenario)
        seats = tuple(case["seats"]) if "seats" in case else None
        setup = paper.Setup(key, case.get("seed", 0), seats, case.get("options", {}), scenario)
        game = paper.begin(setup)
        for wanted in case.get("period", []):
            game = paper.step(game, wanted.get("orders", {}))
            for taken in game.periods[-1].taken.values():
                yield from taken.problems
