"""What `pbem play` prints: the promise of the seed first, the seed itself last."""

from pathlib import Path

from click.testing import CliRunner

from pbem.cli import main
from pbem.games.frame.dice import commitment


def test_seed_is_promised_and_shown(tmp_path: Path) -> None:
    period = tmp_path / "01"
    period.mkdir()
    for seat in ("P2", "P3"):
        (period / f"{seat}.txt").write_text("RESIGN\n")
    printed = (
        CliRunner().invoke(main, ["play", "politics-1935", str(tmp_path), "--seed", "77"]).output
    )
    first, _, last = printed.partition("Bulletin 1")
    assert commitment("77") in first
    assert "The seed of this game was: \n77" in last or "The seed of this game was:\n77" in last
