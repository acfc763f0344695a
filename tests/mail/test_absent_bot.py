"""A free seat that nobody takes is played by a house bot, if the house rules say so and most are
READY."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from pbem.periods import offers, replay
from pbem.store.engine.database import reading
from pbem.store.games import games, order_sets
from pbem.store.schema.tables import PlayerRecord
from tests.installation import Installation, desk, told
from tests.offering import PAUL, PEOPLE, codes, quits, stand_by, takes
from tests.subjects import subjects

pytestmark = pytest.mark.game("coalition", strangers=PEOPLE, house={"absent": "bot"})


def ready(at: Installation, *seats: str) -> None:
    for seat in seats:
        at.write(seat, "PASS\nREADY")
    at.once()
    at.once()


def test_a_bot_comes_when_most_are_ready(at: Installation) -> None:
    quits(at)
    at.once()
    assert "[g] Shall a house bot play A?" in subjects(at, "B")
    assert "more than half of you are READY in one period" in told(at, "B")
    rest = [seat for seat in at.table().seats if seat != "A"]
    half = len(rest) // 2
    ready(at, *rest[:half])
    assert not at.table().bots
    ready(at, rest[half])
    assert at.table().bots == ("A",) and at.table().player("A") == "Bot Ada"
    assert "[g] A house bot plays A" in subjects(at, "C")
    at.to_deadline()
    for number in range(1, 3):
        with reading(at.daemon.engine) as conn:
            last = order_sets.last_set(conn, "g", number, "A")
        assert last and last.letter_id is None
        assert not [one for one in last.orders if one.startswith("PROPOSE")], "it makes no deals"
        at.to_deadline()
    with reading(at.daemon.engine) as conn:
        assert replay.replay(conn, "g").faults == []
        counted = conn.execute(select(PlayerRecord.seat)).scalars()
        assert "A" not in set(counted)


def test_the_seat_goes_to_who_stands_by_later(at: Installation) -> None:
    quits(at)
    at.once()
    ready(at, *at.table().seats[1:])
    assert at.table().bots == ("A",)
    stand_by(at, PAUL)
    at.once()
    assert codes(at, PAUL)
    takes(at, PAUL)
    assert not at.table().bots and at.table().holders["A"].address == PAUL


def test_who_stays_has_his_seat_back(at: Installation) -> None:
    quits(at)
    at.once()
    ready(at, *at.table().seats[1:])
    with desk(at) as work:
        assert offers.stays(work, games.game_at(work.conn, "g"), "A")
    assert not at.table().bots


@pytest.mark.game("coalition", strangers=PEOPLE)
def test_without_the_house_rule_nobody_is_asked(at: Installation) -> None:
    quits(at)
    at.once()
    ready(at, *at.table().seats[1:])
    assert not at.table().bots
    assert "[g] Shall a house bot play A?" not in subjects(at, "B")
