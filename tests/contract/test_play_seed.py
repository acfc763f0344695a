"""The table without mail publishes what checks its chance: the seed's SHA-256 at the start, the
seed at the end."""

import hashlib
from pathlib import Path

from click.testing import CliRunner

from pbem.cli import main


def test_play_commits_to_its_seed_and_lays_it_open(tmp_path: Path) -> None:
    (tmp_path / "02").mkdir()
    told = CliRunner().invoke(
        main, ["play", "coalition", str(tmp_path), "--seed", "4711", "--option", "max_periods=2"]
    )
    assert told.exit_code == 0
    first, _, rest = told.stdout.partition("Bulletin 1")
    assert hashlib.sha256(b"4711").hexdigest() in first
    assert "4711" not in first.replace(hashlib.sha256(b"4711").hexdigest(), "")
    assert rest.rstrip().endswith("4711")
