"""Bulletins as Atom feeds (RFC 4287): of one game, and of all."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from pbem.games.frame import codec
from pbem.house import templates
from pbem.pages.plain import plain
from pbem.store.games import bulletins
from pbem.website.files import Folder
from pbem.website.public import PublicGame

MOST = 10
"""Bulletins in a game's feed."""
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Not in XML 1.0 (2.2)."""


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One piece of news."""

    id: str
    """Within the feed."""
    title: str
    updated: datetime
    page: str
    """From the feed's folder."""
    sheet: str


def of_game(game: PublicGame, begun: datetime, address: str | None, domain: str) -> str:
    issues = [
        FeedEntry(f"{one.number}", one.title, one.published, f"{one.number}.html", one.sheet)
        for one in reversed(game.issues[-MOST:])
    ]
    return feed(f"{game.line.title}: {game.id}", issues, begun, address, domain, game.id)


def feed(
    title: str,
    shown: Sequence[FeedEntry],
    begun: datetime,
    address: str | None,
    domain: str,
    folder: str = "",
) -> str:
    """Return a feed. begun: the date of an empty one. address: of the site; None for relative
    links. domain: makes ids unique. folder: its game's, or ""."""
    base = "".join(f"{one.rstrip('/')}/" for one in (address, folder) if address and one)
    page = templates.environment().get_template("_shared/website/feed.xml.j2")
    made = page.render(
        name=f"tag:{domain},2026:{folder or '/'}",
        title=title,
        updated=max((one.updated for one in shown), default=begun),
        base=base,
        entries=shown,
        plain=plain,
    )
    return _NO_XML.sub("\ufffd", made)


MOST_NEWS = 20
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
        for one in game.issues[-MOST_NEWS:]
    ]
    _set(to, [*_others(to, game.id), *own])


def drop(to: Folder, game_id: str) -> None:
    _set(to, _others(to, game_id))


def entries(conn: Connection, to: Folder) -> Iterator[FeedEntry]:
    """Yield the listed bulletins with pages, newest first."""
    for issue in _listed(to):
        page = f"{issue.game}/{issue.number}.html"
        text = bulletins.valid(conn, issue.game, issue.number) if to.has(page) else None
        if text is not None:
            moment = datetime.fromisoformat(issue.published)
            title = f"{issue.game}: {issue.title}"
            yield FeedEntry(f"{issue.game}:{issue.number}", title, moment, page, text)


def _others(to: Folder, game_id: str) -> list[News]:
    return [one for one in _listed(to) if one.game != game_id]


def _set(to: Folder, found: Sequence[News]) -> None:
    newest = sorted(found, key=lambda one: (one.published, one.game, one.number), reverse=True)
    to.put(_LISTED, codec.text(codec.dump(newest[:MOST_NEWS])))


def _listed(to: Folder) -> list[News]:
    """[] if missing or of another form."""
    try:
        return codec.load(list[News], codec.parse(to.text(_LISTED)))
    except Exception:
        return []
