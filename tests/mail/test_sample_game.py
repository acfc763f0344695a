"""The sample game of 1966 through SMTP and IMAP, in five mail clients' styles: every figure as printed."""

from __future__ import annotations

from pathlib import Path

from pbem import database, demo, replay, store
from pbem.database import transaction

RECORDS = {
    "W": {"S": 7, "R": 7, "L": 5, "C": 5, "M": 7},
    "B": {"S": 5, "R": 5, "L": 9, "C": 9, "M": 7},
    "K": {"S": 0, "R": 0, "L": 2, "C": 2, "M": 4},
}


def test_the_sample_game_by_mail(tmp_path: Path) -> None:
    said: list[str] = []
    demo.run("parlement-1966", tmp_path, said.append)
    assert said[-1] == "Seats: S 6, R 12, L 14, C 14, M 4"
    engine = database.connect(f"sqlite:///{tmp_path / 'pbem.db'}")
    with transaction(engine) as conn:
        at = store.table(conn, demo.GAME_ID)
        public = at.ruleset.view(at.state, None)
        own = {seat: at.ruleset.view(at.state, seat) for seat in at.seats}
        report = replay.replay(conn, demo.GAME_ID)
        primary = at.ruleset.view(store.table(conn, demo.GAME_ID, 6).state, None)
        spend = {seat: at.ruleset.view(store.table(conn, demo.GAME_ID, 5).state, seat)["treasury"] for seat in at.seats}
    engine.dispose()
    assert report.faults == [] and report.periods == 6
    assert public["records"] == RECORDS
    assert public["seats"] == {"S": 6, "R": 12, "L": 14, "C": 14, "M": 4}
    assert spend == {"S": 9500, "R": 9500, "L": 2500, "C": 500, "M": 2500}
    assert {seat: view["treasury"] for seat, view in own.items()} == {"S": 0, "R": 500, "L": 500, "C": 0, "M": 0}
    assert primary["districts"]["25"]["tally"] == {"S": 12000, "M": 7000}
    typo = (tmp_path / "m@pbem.example.mbox").read_text()
    assert "did you mean VOTE?" in typo and "VTOE 1 YES" in typo


def test_every_game_has_a_demo_by_mail(key: str, tmp_path: Path) -> None:
    said: list[str] = []
    demo.run(key, tmp_path, said.append)
    assert any(line.startswith(("Winners: ", "Seats: ")) for line in said)
