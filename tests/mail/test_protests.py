"""PROTEST against an adjudication: who is told, until when it stands, and how it is settled; and the
lines on honour in the house rules."""

import pytest

from pbem.errors import OperatorError
from pbem.periods import opening
from pbem.periods.inquiries import settle
from pbem.referee.gamesmaster import queue
from pbem.store.schema.tables import Journal, Protest
from tests.installation import GAMESMASTER, Installation, desk, text_of, told
from tests.mail.test_press_that_offends import counts
from tests.subjects import subjects

pytestmark = pytest.mark.game("coalition")


def standing(at: Installation) -> list[tuple[str, int, str]]:
    with desk(at) as work:
        return [
            (one.seat, one.bulletin, one.text)
            for one in Protest.many(work.conn, order=Protest.since)
        ]


def test_it_waits_for_the_gamesmaster_and_nobody_else_is_told(at: Installation) -> None:
    at.to_deadline()
    before = counts(at)
    at.send("A", "PROTEST my seats are counted wrongly")
    assert counts(at) == before | {"A": before["A"] + 1, GAMESMASTER: before[GAMESMASTER] + 1}
    assert "Your protest against bulletin 1 stands until the next deadline." in told(at, "A")
    assert "A protests against bulletin 1" in subjects(at)[-1]
    assert standing(at) == [("A", 1, "my seats are counted wrongly")]
    with desk(at) as work:
        (row,) = (one for one in queue.queue(work)["waits"] if one["what"] == "protest")
        kinds = [one.kind for one in Journal.many(work.conn, game_id="g")]
    assert row["release"] == "pbem settle g A" and "protest" in kinds


def test_it_lapses_at_the_next_deadline(at: Installation) -> None:
    at.send("A", "PROTEST the lot was drawn wrongly")
    assert standing(at)
    at.to_deadline()
    at.once()
    assert standing(at) == []
    said = [" ".join(text_of(mail).split()) for mail in at.mails("A")]
    assert any(
        "your protest against bulletin 0 has lapsed without an answer" in one for one in said
    )


def test_the_gamesmaster_settles_it(at: Installation) -> None:
    at.send("A", "PROTEST the lot was drawn wrongly")
    before = counts(at)
    at.act(settle, "g", "A", "The draw can be checked.")
    at.once()
    assert standing(at) == [] and counts(at) == before | {"A": before["A"] + 1}
    assert "The gamesmaster has settled your protest against bulletin 0." in told(at, "A")
    assert "The draw can be checked." in told(at, "A")
    with desk(at) as work, pytest.raises(OperatorError, match="no protest of A stands in g"):
        settle(work, "g", "A", "")


def test_its_player_takes_it_back(at: Installation) -> None:
    at.send("A", "PROTEST the lot was drawn wrongly")
    at.send("A", "PROTEST OFF")
    assert standing(at) == [] and "You have taken your protest back." in told(at, "A")
    at.send("A", "PROTEST OFF")
    assert "No protest of yours stands." in told(at, "A")


def test_it_ends_with_the_game(at: Installation) -> None:
    at.send("A", "PROTEST the lot was drawn wrongly")
    at.act(opening.end, "g", "enough")
    at.once()
    assert standing(at) == []
