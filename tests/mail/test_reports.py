"""Letters that failed: each of ``tests/corpora/reports``, and what must come of it.

``reports.toml`` there has a row for each: the world it needs and the facts. A row that waits names
the part that mends it, and must fail until then.
"""

import tomllib
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from pbem.referee.acts import seat_acts
from pbem.referee.gamesmaster import queue
from tests.installation import GAMESMASTER, Installation, address, desk, text_of

REPORTS = Path(__file__).parents[1] / "corpora/reports"
ROWS: dict[str, dict[str, Any]] = tomllib.loads((REPORTS / "reports.toml").read_text())
NAMES = ("Anna Able", "Boris Bear", "Clara Cole", "Quentin Ash", "Mia Moor")
SECOND = {"spring": "parlement-1966", "winter": "party-in-power"}
STRANGERS = (
    "stranger@else.example",
    "ann@else.example",
    "bea@else.example",
    "club@lists.example",
    *map(address, ("PIP", "LAN", "COM", "KIT")),
)


@pytest.mark.parametrize("name", ROWS)
def test_a_letter_that_failed(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    row = ROWS[name]
    if waits := row.get("waits"):
        request.applymarker(pytest.mark.xfail(reason=waits, strict=True, raises=AssertionError))
    house = {"names": "hidden"} if row.get("hidden") else {}
    with Installation(
        tmp_path, "parlement-1966", names=NAMES, strangers=STRANGERS, house=house
    ) as at:
        for game in ("autumn", *row.get("games", ())):
            at.game, at.key = game, SECOND.get(game, "parlement-1966")
            if at.key == "party-in-power":
                at.seats = ("PIP", "LAN", "COM", "KIT")
                at.names = ("Quentin Ash", *NAMES[:3])
            at.start(game)
            if game == "winter":  # Quentin Ash plays it too, from the same mailbox
                at.act(seat_acts.replace, game, "PIP", address("C"), "", "he plays both")
                at.once()
        before = {box: len(at.mails(box)) for box in at.boxes}
        at.post(_letter(at, row.get("letter", name), row.get("from") or address("C")))
        at.once()
        mails = {box: at.mails(box)[count:] for box, count in before.items()}
        assert str(at.outcomes()[-1][0]) == row["outcome"], at.outcomes()
        for game, orders in row.get("stands", {}).items():
            at.game = game
            assert at.standing("C") == orders, game
        answered = {box: len(found) for box, found in mails.items() if found}
        assert answered == {_box(who): n for who, n in row["mails"].items()}
        said = " ".join(
            " ".join(f"{mail['Subject']} {text_of(mail)}".split())
            for found in mails.values()
            for mail in found
        )
        assert [words for words in row.get("says", ()) if words not in said] == [], said
        assert [words for words in row.get("never", ()) if words in said] == [], said
        if row.get("waiting"):
            with desk(at) as work:
                assert len(queue.queue(work)["letters"]) == row["waiting"]


def test_every_letter_has_its_row() -> None:
    letters = {path.stem for path in REPORTS.glob("*.eml")}
    assert letters == {row.get("letter", name) for name, row in ROWS.items()}


def _box(who: str) -> str:
    return GAMESMASTER if who == "gm" else who if "@" in who else address(who)


def _letter(at: Installation, name: str, sender: str) -> bytes:
    """Return a letter's bytes. Quentin Ash, who writes as you@player.example, plays C."""

    def to(who: str) -> str:
        told = [str(mail["Reply-To"]) for mail in at.mails(who)]
        return told[0].rpartition("<")[2].strip(">") if told else "referee@game.example"

    raw = (REPORTS / f"{name}.eml").read_bytes()
    for mark, value in {
        "%%SECRET%%": to("C"),
        "%%GM%%": to(GAMESMASTER),
        "%%DATE%%": format_datetime(at.clock),
        "%%N%%": name,
        "you@player.example": sender,
    }.items():
        raw = raw.replace(mark.encode(), value.encode())
    return raw
