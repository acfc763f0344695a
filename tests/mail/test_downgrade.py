"""A program that is put back finds its own tables: the revisions go down with running games in them,
and up again, and nothing of the games, letters and mails is lost on the way."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from pbem.periods import replay
from pbem.store.engine import database
from pbem.store.engine.database import exclusive_transaction
from tests.installation import Installation
from tests.mail.test_upgrade import BOTH, GAMES, LATER_GAMES, landed, rows, states, url_of


@BOTH
def test_it_goes_down_and_up_with_running_games(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = url_of(kind, tmp_path, request)
    clock, _ = landed(url)
    with Installation(tmp_path, "coalition", seats=tuple("ABCDE"), url=url) as at:
        at.clock, at.game = clock, "autumn"
        at.write("A", "GAME autumn\nREADY")
        at.write("B", "GAME autumn\nQUIT")
        at.once()
        at.to_deadline()
        at.daemon.close()
        before = rows(url)
        engine = database.connect(url)
        database.downgrade(engine, "0001")
        first = rows(url)  # what later revisions brought is gone, all else is there
        assert first == {name: number for name, number in before.items() if name in first}
        assert {"game", "letter", "order_set", "outgoing", "journal"} <= first.keys()
        database.upgrade(engine)
        again = rows(url)
        assert {name: again[name] for name in first} == first and database.drift(engine) == []
        engine.dispose()
        at.daemon = at.new_daemon()
        at.write("C", "GAME autumn\nREADY")
        at.once()
        at.to_deadline()
        with exclusive_transaction(at.daemon.engine) as conn:
            assert [game for game in GAMES if replay.replay(conn, game).faults] == []


@BOTH
def test_players_keep_their_wishes_of_before(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """0006 brings a face and a calendar to each player, and takes them away again."""
    url = url_of(kind, tmp_path, request)
    landed(url)
    engine = database.connect(url)
    wishes = "SELECT {} FROM player ORDER BY id"
    database.upgrade(engine)
    with exclusive_transaction(engine) as conn:
        conn.execute(text("UPDATE player SET zone = 'Asia/Tokyo', face = 'plain', calendar = true"))
    database.downgrade(engine, "0005")
    with exclusive_transaction(engine) as conn:
        before = conn.execute(text(wishes.format("id, zone, all_receipts"))).all()
        row = conn.execute(text("SELECT * FROM player")).mappings().first()
        assert row is not None and not {"face", "calendar"} & set(row)
    database.upgrade(engine)
    assert database.drift(engine) == []
    with exclusive_transaction(engine) as conn:
        assert conn.execute(text(wishes.format("id, zone, all_receipts"))).all() == before
        faces = conn.execute(text(wishes.format("face, calendar"))).all()
    assert {(face, bool(calendar)) for face, calendar in faces} == {("html", False)}
    assert before and {zone for _, zone, _ in before} == {"Asia/Tokyo"}
    engine.dispose()


@BOTH
def test_links_lapse_from_their_first_number(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """0007 brings a number of its links to each seat, and takes it away again."""
    url = url_of(kind, tmp_path, request)
    landed(url)
    engine = database.connect(url)
    seats = "SELECT {} FROM seat ORDER BY game_id, seat"
    database.upgrade(engine)
    with exclusive_transaction(engine) as conn:
        before = conn.execute(text(seats.format("game_id, seat, token_hash, token_no"))).all()
        assert set(conn.execute(text(seats.format("link_no"))).scalars()) == {1}
        conn.execute(text("UPDATE seat SET link_no = 3"))
    database.downgrade(engine, "0006")
    with exclusive_transaction(engine) as conn:
        row = conn.execute(text("SELECT * FROM seat")).mappings().first()
        assert row is not None and "link_no" not in row
    database.upgrade(engine)
    assert database.drift(engine) == []
    with exclusive_transaction(engine) as conn:
        again = conn.execute(text(seats.format("game_id, seat, token_hash, token_no"))).all()
        assert before and again == before
        assert set(conn.execute(text(seats.format("link_no"))).scalars()) == {1}
    engine.dispose()


@BOTH
def test_the_states_go_down_and_up(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = url_of(kind, tmp_path, request)
    clock, _ = landed(url, "0002")
    made = rows(url), states(url)
    engine = database.connect(url)
    database.upgrade(engine)
    database.downgrade(engine, "0002")
    assert (rows(url), states(url)) == made
    with exclusive_transaction(engine) as conn:  # as the program of that revision may
        conn.execute(text("UPDATE ruling SET kind = 'other' WHERE id = 1"))
        conn.execute(text("UPDATE ruling SET kind = 'house' WHERE id = 1"))
    database.upgrade(engine)
    assert database.drift(engine) == []
    engine.dispose()
    with Installation(tmp_path, "coalition", seats=tuple("ABCDE"), url=url) as at:
        at.clock, at.game = clock, "autumn"
        at.once()
        at.to_deadline()
        with exclusive_transaction(at.daemon.engine) as conn:
            assert {g: f for g in LATER_GAMES if (f := replay.replay(conn, g).faults)} == {}
