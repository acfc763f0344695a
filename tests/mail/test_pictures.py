"""The pictures of a bulletin on their way: drawn once, in every player's mail, found again by
replay."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from pbem.games.frame.dice import Dice
from pbem.house import pictures
from pbem.periods import drawing, replay
from pbem.post.compose import Draft, compose
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import bulletins, games
from pbem.store.people.players import PLAIN
from pbem.store.schema.tables import Bulletin, Player
from tests.bots import bot_of
from tests.installation import Installation

NOW = datetime(2026, 3, 2, tzinfo=UTC)


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Installation]:
    with Installation(tmp_path, "politics-1935") as at:
        at.start()
        pictures.png.cache_clear()
        yield at


def _campaigns(at: Installation, seat: str) -> str:
    """The seat's play, as the house bot would write it."""
    chance = Dice("pictures", "g").stream(seat)
    letter: str = bot_of(at.table().ruleset).letter(at.view(), at.view(seat), seat, chance)
    return next(line for line in letter.split("\n") if line.startswith("CAMPAIGN"))


def _on_file(at: Installation, number: int) -> Any:
    with exclusive_transaction(at.daemon.engine) as conn:
        return bulletins.of_period(conn, "g", number)[""].frame


def _drawn_now(at: Installation, number: int) -> dict[str, str]:
    with exclusive_transaction(at.daemon.engine) as conn:
        after = games.game_at(conn, "g", number + 1)
        return drawing.svgs(conn, after, number)


def _drawn_at_deadline(at: Installation) -> int:
    """How many PNGs are drawn at a deadline."""
    at.to_deadline()
    return pictures.png.cache_info().misses


def test_each_picture_is_drawn_once_for_all_mails(at: Installation) -> None:
    at.send("P1", _campaigns(at, "P1"))
    assert _drawn_at_deadline(at) == 2
    assert at.table().period.number == 2
    assert _on_file(at, 1)["pictures"] == drawing.digests(_drawn_now(at, 1))


def test_none_is_drawn_where_all_mails_are_plain(at: Installation) -> None:
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Player).values(face=PLAIN))
    assert _drawn_at_deadline(at) == 0
    assert sorted(_on_file(at, 1)["pictures"]) == ["board"], "the website has it"


def test_replay_knows_the_pictures_again_and_another_one_from_them(at: Installation) -> None:
    at.write("P1", _campaigns(at, "P1"))
    at.to_deadline()
    at.to_deadline()
    with exclusive_transaction(at.daemon.engine) as conn:
        assert replay.replay(conn, "g").faults == []
    frame = _on_file(at, 1)
    assert sorted(frame["pictures"]) == ["board", "chart"]
    other = frame | {"pictures": frame["pictures"] | {"chart": "0" * 64}}
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Bulletin).where(Bulletin.number == 1).values(frame=other))
        assert replay.replay(conn, "g").faults == ["bulletin 1: another chart is drawn"]


def test_the_course_is_that_of_the_bulletins_that_kept_their_scores(at: Installation) -> None:
    at.to_deadline()
    at.to_deadline()
    old = {name: value for name, value in _on_file(at, 0).items() if name != "scores"}
    with exclusive_transaction(at.daemon.engine) as conn:
        assert [number for number, _ in bulletins.scores(conn, "g", 3)] == [0, 1, 2]
        assert [number for number, _ in bulletins.scores(conn, "g", 2)] == [0, 1]
        conn.execute(update(Bulletin).where(Bulletin.number == 0).values(frame=old))
        assert [number for number, _ in bulletins.scores(conn, "g", 3)] == [1, 2]


def test_a_mail_carries_the_pictures_that_its_page_shows(at: Installation) -> None:
    page = '<p><img src="cid:chart" alt="The course" width="640"></p>'
    draft = Draft("bulletin:g:1", "bulletin", "Bulletin 1", "The course.\n", page)
    pngs = {"chart": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "board": b"not shown"}
    mark = at.daemon.installation.mark
    mail = compose(mark, replace(draft, pictures=pngs), "p1@legit.example", NOW)
    parsed = message_from_bytes(mail.raw, policy=policy.default)
    assert parsed.get_content_type() == "multipart/alternative"
    plain, related = parsed.iter_parts()
    assert plain.get_content().strip() == "The course."
    assert related.get_content_type() == "multipart/related"
    assert related.get_param("type") == "text/html"
    html, chart = related.iter_parts()
    assert chart.get_content() == pngs["chart"]
    assert chart.get_content_disposition() == "inline"
    ident = chart["Content-ID"].strip("<>")
    assert ident.endswith(f"@{mark.domain}") and f'src="cid:{ident}"' in html.get_content()
    assert not [defect for part in parsed.walk() for defect in part.defects]
    again = compose(mark, replace(draft, key="bulletin:g:2", pictures=pngs), "p1@x.example", NOW)
    assert ident.encode() not in again.raw, "a Content-ID is one in the world"
