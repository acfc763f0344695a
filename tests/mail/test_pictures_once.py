"""A picture is on file once a game, and in each mail that shows it, when it goes out, when somebody
looks at it, and where the program is put back."""

from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from sqlalchemy import delete, func, select

from pbem.periods import opening
from pbem.store.engine.database import exclusive_transaction
from pbem.store.mails import mails
from pbem.store.schema.tables import Outgoing, Picture
from tests.installation import SEATS, Installation, absent, address, text_of
from tests.mail.test_upgrade import url_of
from tests.mail.test_upkeep import changed

MANY = 40_000
"""More bytes than a bulletin, or a welcome with its tables, has without its pictures."""


@pytest.fixture(params=["sqlite", "postgresql"])
def at(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Installation]:
    url = url_of(request.param, tmp_path, request)
    with Installation(tmp_path, "coalition", seats=SEATS, url=url) as at:
        at.start()
        at.to_deadline()
        yield at


def bulletins(at: Installation) -> dict[int, bytes]:
    """The bulletins to players, and their welcomes, as the database has them."""
    asked = select(Outgoing.id, Outgoing.raw).where(
        Outgoing.kind.in_(("start", "bulletin")), Outgoing.seat != ""
    )
    with exclusive_transaction(at.daemon.engine) as conn:
        return {mail: bytes(raw) for mail, raw in conn.execute(asked)}


def kept(at: Installation) -> int:
    """How many pictures are on file."""
    with exclusive_transaction(at.daemon.engine) as conn:
        return conn.execute(select(func.count()).select_from(Picture)).scalar_one()


def images(raw: bytes) -> list[bytes]:
    parts = message_from_bytes(raw, policy=policy.default).walk()
    return [part.get_content() for part in parts if part.get_content_type() == "image/png"]


def came(at: Installation) -> list[bytes]:
    """The mails with pictures, as they came to the players."""
    return [raw for seat in SEATS for raw in at.office.messages(address(seat)) if images(raw)]


def test_a_bulletins_pictures_are_on_file_once_and_go_out_with_each_mail(at: Installation) -> None:
    on_file, received = bulletins(at), came(at)
    assert len(received) == 2 * len(SEATS), "of the beginning and of the first period"
    assert all(b"image/png" in raw and len(raw) < MANY for raw in on_file.values())
    assert all(len(raw) > MANY and b"\0" not in raw for raw in received)
    shown = {image for raw in received for image in images(raw)}
    assert len(shown) == kept(at) < sum(len(images(raw)) for raw in received)
    assert all(image.startswith(b"\x89PNG\r\n") for image in shown)


def test_whoever_looks_at_a_mail_sees_it_as_it_went_out(at: Installation) -> None:
    received = set(came(at))
    ids = list(bulletins(at))
    with exclusive_transaction(at.daemon.engine) as conn:
        looked = [mails.whole(conn, mail) for mail in ids]
        edition = list(mails.sent_edition(conn, "g", 1, 1))
        keys = select(Outgoing.key).where(Outgoing.kind == "bulletin", Outgoing.seat != "")
        newest = mails.raw(conn, conn.execute(keys).scalars().all())
    assert {row.raw for row in looked if row is not None} == received
    assert len(received.intersection(edition)) == len(SEATS) and newest in edition


def test_a_mail_whose_picture_is_lost_goes_out_without_it(at: Installation) -> None:
    """And keeps no other mail waiting."""
    carrier = at.daemon.carrier
    carrier.close()
    there, carrier.account = carrier.account, absent(carrier.account)
    at.to_deadline()
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(delete(Picture))
    carrier.account = there
    at.clock += timedelta(minutes=20)
    assert not at.once().trouble
    assert {state for _, state in at.outbox()} == {"sent"}
    raws = [raw for raw in at.office.messages(address("A")) if images(raw)]
    newest = message_from_bytes(raws[-1], policy=policy.default)
    assert "Bulletin 2" in str(newest["Subject"]) and "BULLETIN 2" in text_of(newest).upper()
    assert set(images(raws[-1])) == {b""}


def test_they_go_with_the_last_bytes_of_their_game(at: Installation) -> None:
    changed(at, retention_days=30)
    at.later(days=40)
    assert kept(at), "their game is not over"
    at.act(opening.end, "g", "enough")
    at.later(days=1)
    assert all(not raw for raw in list(bulletins(at).values())[: len(SEATS)])
    assert kept(at), "the end of the game was mailed just now"
    at.later(days=40)
    at.later(days=1)
    assert kept(at) == 0
