"""BOARD brings the picture of how it stands now, and says it in words."""

from pathlib import Path

import pytest
from sqlalchemy import update

from pbem.store.engine.database import exclusive_transaction
from pbem.store.people.players import PLAIN
from pbem.store.schema.tables import Player
from tests.installation import Installation, told


@pytest.mark.parametrize(
    ("game", "seat", "words"),
    [
        ("politics-1935", "P2", "The states as tiles with all pins"),
        ("parlement-1968", "Com", "Com: C1-C6, E1-E4"),
    ],
)
def test_the_board_comes_with_its_words(tmp_path: Path, game: str, seat: str, words: str) -> None:
    with Installation(tmp_path, game) as at:
        at.start()
        for line in ("BOARD", "Show me the board?\n\nBoard, please"):
            at.send(seat, line)
            mail = at.mails(seat)[-1]
            assert words in told(at, seat)
            pictures = [part for part in mail.walk() if part.get_content_type() == "image/png"]
            assert len(pictures) == 1
        with exclusive_transaction(at.daemon.engine) as conn:
            conn.execute(update(Player).values(face=PLAIN))
        at.send(seat, "BOARD")
        assert words in told(at, seat) and not at.mails(seat)[-1].is_multipart()
        if at.table().period.due:
            at.to_deadline()
        at.send(seat, "BOARD")
        assert "THE BOARD" in told(at, seat)
