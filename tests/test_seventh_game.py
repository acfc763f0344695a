"""A seventh game touches only the places that docs/rule-sets.md names: the toy passes the whole
contract suite."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOY = ROOT / "docs" / "seventh-game"
FACTS = "tests/data/told_facts.json"
"""What mails tell; the toy has no row there."""


@pytest.mark.slow
def test_the_toy_game_passes_the_contract(tmp_path: Path) -> None:
    for folder in (
        "pbem",
        "grammar",
        "templates",
        "rules",
        "migrations",
        "tests/contract",
        "tests/letter",
    ):
        shutil.copytree(
            ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    for file in [*(ROOT / "tests").glob("[!t]*.*"), ROOT / "pyproject.toml"]:
        shutil.copy(file, tmp_path / file.relative_to(ROOT))
    (tmp_path / "tests" / "data").mkdir()
    shutil.copy(ROOT / FACTS, tmp_path / FACTS)
    shutil.copytree(TOY, tmp_path, dirs_exist_ok=True)
    registry = tmp_path / "pbem" / "games" / "__init__.py"
    line = 'GAMES = {\n    "show-of-hands": "pbem.games.show_of_hands",\n'
    registry.write_text(re.sub(r"GAMES = \{\n", line, registry.read_text()))
    # a run of its own, and no worker of ours: else it would take what other runs have kept
    outside = {name: said for name, said in os.environ.items() if "XDIST" not in name}
    env = {**outside, "PYTHONPATH": str(tmp_path), "PBEM_GAMES": "show-of-hands"}
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-n",
            "0",
            "-p",
            "no:cacheprovider",
            "-m",
            "slow or not slow",
            "tests/contract",
        ],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]
    assert "passed" in run.stdout
