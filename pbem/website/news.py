"""The newest bulletins of all games, for the site's own feed.

``news.json`` lists them. Each game that is written puts its own in; nothing looks at all games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from pbem.games.frame import codec
from pbem.store.games import bulletins
from pbem.website.feed import Entry
from pbem.website.files import Folder
from pbem.website.public import PublicGame

MOST = 20
"""Bulletins in the feed."""
_LISTED = "news.json"


@dataclass(frozen=True, slots=True)
class News:
    """A bulletin in the list."""

    game: str
    number: int
    title: str
    published: str
    """ISO, UTC."""


def put(to: Folder, game: PublicGame) -> None:
    own = [
        News(game.id, one.number, one.title, one.published.isoformat())
        for one in game.issues[-MOST:]
    ]
    _set(to, [*_others(to, game.id), *own])


def drop(to: Folder, game_id: str) -> None:
    _set(to, _others(to, game_id))


def entries(conn: Connection, to: Folder) -> Iterator[Entry]:
    """Yield the listed bulletins with pages, newest first."""
    for one in _listed(to):
        page = f"{one.game}/{one.number}.html"
        text = bulletins.valid(conn, one.game, one.number) if to.has(page) else None
        if text is not None:
            moment = datetime.fromisoformat(one.published)
            title = f"{one.game}: {one.title}"
            yield Entry(f"{one.game}:{one.number}", title, moment, page, text)


def _others(to: Folder, game_id: str) -> list[News]:
    return [one for one in _listed(to) if one.game != game_id]


def _set(to: Folder, found: Sequence[News]) -> None:
    newest = sorted(found, key=lambda one: (one.published, one.game, one.number))[: -MOST - 1 : -1]
    to.put(_LISTED, codec.text(codec.dump(newest)))


def _listed(to: Folder) -> list[News]:
    """[] if missing or of another form."""
    try:
        return codec.load(list[News], codec.parse(to.text(_LISTED)))
    except Exception:
        return []
