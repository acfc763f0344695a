"""Bulletins as Atom feeds (RFC 4287): of one game, and of all."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from xml.etree import ElementTree

from sqlalchemy import Connection

from pbem.games.frame import codec
from pbem.pages.plain import plain
from pbem.store.games import bulletins
from pbem.website.files import Folder
from pbem.website.public import PublicGame

_ATOM = "http://www.w3.org/2005/Atom"
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


def atom(game: PublicGame, begun: datetime, address: str | None, domain: str) -> bytes:
    """Return a game's Atom feed. address: of the site; None for relative links. domain: makes ids
    unique."""
    issues = [
        FeedEntry(f"{one.number}", one.title, one.published, f"{one.number}.html", one.sheet)
        for one in reversed(game.issues[-MOST:])
    ]
    base = f"{address.rstrip('/')}/{game.id}/" if address else ""
    title = f"{game.line.title}: {game.id}"
    return _feed(f"tag:{domain},2026:{game.id}", title, issues, begun, base)


def of_all(
    title: str, entries: Sequence[FeedEntry], begun: datetime, address: str | None, domain: str
) -> bytes:
    """Return the site's feed. begun: the date of an empty one."""
    base = f"{address.rstrip('/')}/" if address else ""
    return _feed(f"tag:{domain},2026:/", title, entries, begun, base)


def _feed(name: str, title: str, entries: Iterable[FeedEntry], begun: datetime, base: str) -> bytes:
    ElementTree.register_namespace("", _ATOM)
    shown = list(entries)
    feed = ElementTree.Element(f"{{{_ATOM}}}feed")
    _says(feed, "id", name)
    _says(feed, "title", title)
    _says(feed, "updated", _moment(max([one.updated for one in shown], default=begun)))
    _says(_child(feed, "author"), "name", "The referee")
    _child(feed, "link", rel="alternate", href=f"{base}index.html")
    if base:
        _child(feed, "link", rel="self", href=f"{base}feed.xml")
    for item in shown:
        entry = _child(feed, "entry")
        _says(entry, "id", f"{name}:{item.id}")
        _says(entry, "title", item.title)
        _says(entry, "updated", _moment(item.updated))
        _child(entry, "link", rel="alternate", href=f"{base}{item.page}")
        _says(entry, "content", plain(item.sheet), type="text")
    ElementTree.indent(feed)
    return bytes(ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)) + b"\n"


def _child(parent: ElementTree.Element, name: str, **attributes: str) -> ElementTree.Element:
    return ElementTree.SubElement(parent, f"{{{_ATOM}}}{name}", attributes)


def _says(parent: ElementTree.Element, name: str, text: str, **attributes: str) -> None:
    _child(parent, name, **attributes).text = _NO_XML.sub("\ufffd", text)


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


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
    newest = sorted(found, key=lambda one: (one.published, one.game, one.number))[
        : -MOST_NEWS - 1 : -1
    ]
    to.put(_LISTED, codec.text(codec.dump(newest)))


def _listed(to: Folder) -> list[News]:
    """[] if missing or of another form."""
    try:
        return codec.load(list[News], codec.parse(to.text(_LISTED)))
    except Exception:
        return []
