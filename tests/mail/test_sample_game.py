"""The sample game of 1966 through SMTP and IMAP, in five mail clients' styles: every figure as
printed."""

from datetime import UTC, datetime
from pathlib import Path

from pbem.cli import gallery
from pbem.cli.demo import demo
from pbem.periods import replay
from pbem.store.engine import database
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from tests.keeping import once

EARLIER = f"p3@{demo.DOMAIN}.mbox"
RECORDS = {
    "W": {"S": 7, "R": 7, "L": 5, "C": 5, "M": 7},
    "B": {"S": 5, "R": 5, "L": 9, "C": 9, "M": 7},
    "K": {"S": 0, "R": 0, "L": 2, "C": 2, "M": 4},
}


def played(key: str, folder: Path) -> list[str]:
    """Play the demo game, once in a run; its files are put into the folder. Return what it said."""

    def play() -> tuple[list[str], dict[str, bytes]]:
        said: list[str] = []
        first = folder / "first"
        first.mkdir()
        (first / EARLIER).write_text("a mailbox of an earlier demo")
        demo.run(key, first, said.append)
        files = [one for one in first.rglob("*") if one.is_file()]
        return said, {str(one.relative_to(first)): one.read_bytes() for one in files}

    said, files = once(("demo", key), play)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return said


def test_the_sample_game_by_mail(tmp_path: Path) -> None:
    said = played("parlement-1966", tmp_path)
    assert not (tmp_path / EARLIER).exists()
    assert said[-1] == "Seats: S 6, R 12, L 14, C 14, M 4"
    engine = database.connect(f"sqlite:///{tmp_path / 'pbem.db'}")
    with exclusive_transaction(engine) as conn:
        at = games.game_at(conn, demo.GAME_ID)
        public = at.ruleset.view(at.state, None)
        own = {seat: at.ruleset.view(at.state, seat) for seat in at.seats}
        report = replay.replay(conn, demo.GAME_ID)
        primary = at.ruleset.view(games.game_at(conn, demo.GAME_ID, 6).state, None)
        spend = {
            seat: at.ruleset.view(games.game_at(conn, demo.GAME_ID, 5).state, seat)["treasury"]
            for seat in at.seats
        }
    engine.dispose()
    assert report.faults == [] and report.periods == 6
    assert public["records"] == RECORDS
    assert public["seats"] == {"S": 6, "R": 12, "L": 14, "C": 14, "M": 4}
    assert spend == {"S": 9500, "R": 9500, "L": 2500, "C": 500, "M": 2500}
    assert {seat: view["treasury"] for seat, view in own.items()} == {
        "S": 0,
        "R": 500,
        "L": 500,
        "C": 0,
        "M": 0,
    }
    assert primary["districts"]["25"]["tally"] == {"S": 12000, "M": 7000}
    socialist = " ".join((tmp_path / "s@pbem.example.mbox").read_text().split())
    assert (
        "You have 9,500 crowns. Your own payments and fees here, 9,000, leave"
        " 500 crowns." in socialist
    )
    typo = (tmp_path / "m@pbem.example.mbox").read_text()
    assert "did you mean VOTE YES ON 1?" in typo and "VTOE 1 YES" in typo


def test_every_game_has_a_demo_by_mail(key: str, tmp_path: Path) -> None:
    said = played(key, tmp_path)
    assert any(line.startswith(("Winners: ", "Seats: ")) for line in said)
    assert [line for line in said[-3:-1] if line.startswith("Watch it period by period")]
    assert "<img" in (tmp_path / "site" / "demo" / "1.html").read_text()


def test_a_gallery_has_only_its_own_mails(tmp_path: Path) -> None:
    mails = [
        gallery.GalleryMail(
            "S", datetime(2026, 3, day, 18, 30, tzinfo=UTC), f"Mail {day}", "Text", "<p>"
        )
        for day in (1, 2, 3)
    ]
    gallery.write(tmp_path, "First", mails)
    gallery.write(tmp_path, "Second", mails[:1])
    assert {one.name for one in tmp_path.iterdir()} == {"0001.txt", "0001.html", "index.html"}
    assert "Sunday 1 March 2026, 18:30 UTC" in (tmp_path / "index.html").read_text()
