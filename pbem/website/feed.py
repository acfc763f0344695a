"""The bulletins of a game as an Atom feed (RFC 4287)."""

from __future__ import annotations

from datetime import datetime
from xml.etree import ElementTree

from pbem.pages.plain import plain
from pbem.website.public import PublicGame

_ATOM = "http://www.w3.org/2005/Atom"
MOST = 20
"""So many bulletins are in a feed, the newest."""


def atom(game: PublicGame, address: str, domain: str) -> bytes:
    """The feed of a game whose pages are at ``address`` ("" where nobody has said where that is:
    then its links are relative); ``domain`` makes its names the only ones in the world."""
    ElementTree.register_namespace("", _ATOM)
    feed = ElementTree.Element(f"{{{_ATOM}}}feed")
    name = f"tag:{domain},2026:{game.id}"
    newest = game.newest
    _says(feed, "id", name)
    _says(feed, "title", f"{game.title}: {game.id}")
    _says(feed, "updated", _moment(newest.published if newest else datetime.min))
    _says(_child(feed, "author"), "name", "The referee")
    base = f"{address.rstrip('/')}/{game.id}/" if address else ""
    _child(feed, "link", rel="alternate", href=f"{base}index.html")
    if base:
        _child(feed, "link", rel="self", href=f"{base}feed.xml")
    for issue in reversed(game.issues[-MOST:]):
        entry = _child(feed, "entry")
        _says(entry, "id", f"{name}:{issue.number}")
        _says(entry, "title", issue.title)
        _says(entry, "updated", _moment(issue.published))
        _child(entry, "link", rel="alternate", href=f"{base}{issue.number}.html")
        _says(entry, "content", plain(issue.sheet), type="text")
    ElementTree.indent(feed)
    return bytes(ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)) + b"\n"


def _child(parent: ElementTree.Element, name: str, **attributes: str) -> ElementTree.Element:
    return ElementTree.SubElement(parent, f"{{{_ATOM}}}{name}", attributes)


def _says(parent: ElementTree.Element, name: str, text: str, **attributes: str) -> None:
    _child(parent, name, **attributes).text = text


def _moment(moment: datetime) -> str:
    """RFC 3339, to the second."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
