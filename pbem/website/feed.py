"""The bulletins of a game as an Atom feed (RFC 4287)."""

from __future__ import annotations

import re
from datetime import datetime
from xml.etree import ElementTree

from pbem.pages.plain import plain
from pbem.website.public import PublicGame

_ATOM = "http://www.w3.org/2005/Atom"
MOST = 10
"""Bulletins in a feed."""
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Not in XML 1.0 (2.2)."""


def atom(game: PublicGame, begun: datetime, address: str | None, domain: str) -> bytes:
    """Return a game's Atom feed. address: of its pages; None for relative links. domain: makes ids
    unique."""
    ElementTree.register_namespace("", _ATOM)
    feed = ElementTree.Element(f"{{{_ATOM}}}feed")
    name = f"tag:{domain},2026:{game.id}"
    _says(feed, "id", name)
    _says(feed, "title", f"{game.line.title}: {game.id}")
    _says(feed, "updated", _moment(max([begun, *(one.published for one in game.issues)])))
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
    _child(parent, name, **attributes).text = _NO_XML.sub("\ufffd", text)


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
