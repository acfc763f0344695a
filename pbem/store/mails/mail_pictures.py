"""Stores a picture once for each game; mails have its hash."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256

import structlog
from sqlalchemy import Connection, bindparam, delete, select
from sqlalchemy.dialects.postgresql import insert  # SQLite has the same syntax

from pbem.store.engine.hot import Hot
from pbem.store.schema.tables import Outgoing, Picture

log = structlog.get_logger()
_MARK = re.compile(rb"\0([0-9a-f]{64})\0")  # no other byte of a mail is NUL
_BYTES = Hot(select(Picture.content).where(Picture.hash == bindparam("hash")).limit(1))
_NEW = Hot(
    insert(Picture)
    .values({name: bindparam(name) for name in ("hash", "game_id", "content")})
    .on_conflict_do_nothing()
)
_UNSHOWN = delete(Picture).where(
    Picture.game_id == bindparam("game"),
    ~select(Outgoing.id).where(Outgoing.game_id == bindparam("game"), Outgoing.raw != b"").exists(),
)


def apart(conn: Connection, game_id: str, raw: bytes, pictures: Sequence[bytes]) -> bytes:
    """Store a mail's pictures. Return it with marks."""
    for picture in pictures:
        hashed = _hash(picture)
        _NEW.count(conn, {"hash": hashed, "game_id": game_id, "content": picture})
        raw = raw.replace(picture, b"\0" + hashed.encode() + b"\0", 1)
    return raw


def whole(conn: Connection, raw: bytes) -> bytes:
    """Return a mail's bytes. A lost picture is logged."""

    def found(mark: re.Match[bytes]) -> bytes:
        row = _BYTES.first(conn, {"hash": mark[1].decode()})
        if row is None:
            log.error("a picture of a mail is not on file", hash=mark[1].decode())
        return b"" if row is None else bytes(row[0])

    return _MARK.sub(found, raw) if b"\0" in raw else raw


def purge(conn: Connection, games: Iterable[str]) -> None:
    if given := [{"game": one} for one in sorted(games) if one]:
        conn.execute(_UNSHOWN, given)


@lru_cache(maxsize=2)
def _hash(picture: bytes) -> str:
    return sha256(picture).hexdigest()
