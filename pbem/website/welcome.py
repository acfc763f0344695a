"""The club's own words on the first page: a text file, set as pages are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from markupsafe import Markup, escape

from pbem.errors import OperatorError
from pbem.pages import sheet
from pbem.pages.elements import Setting
from pbem.text import safe

MOST = 20_000
"""The most characters of them."""
_LINK = re.compile(
    r"\[(?P<words>[^\[\]]{1,200})\]\((?P<to>(?:https?://|mailto:)[^\s()<>\"]{1,500})\)"
    r"|(?P<bare>https?://[^\s<>\"]{1,500})"
)
_STOPS = ".,;:!?)'"
_ITEM = ("* ", "- ", "+ ")


def words(file: str) -> str:
    """Return the club's words as HTML; "" without a file. Raise OperatorError.

    Of Markdown: headings (``# ``), items (``* ``), paragraphs and links. Everything else is text.
    """
    if not file:
        return ""
    try:
        text = Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise OperatorError(f"[site] welcome: {file}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise OperatorError(f"[site] welcome: {file} is no UTF-8 text") from None
    if len(text) > MOST:
        raise OperatorError(f"[site] welcome: {file} has more than {MOST:,} characters")
    return Setting(_linked, {}, level=2).blocks("\n".join(_lines(text)))


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a sheet. A paragraph is one line."""
    said = ""
    for line in text.split("\n"):
        bare = safe(line)
        title = bare.lstrip("#").strip() if bare.startswith("#") else ""
        if title or not bare or bare.startswith(_ITEM):
            yield said
            said = ""
        if title or not bare:
            yield from (("", sheet.heading(title), "") if title else ("",))
        elif bare.startswith(_ITEM):
            said = f"* {bare[2:].strip()}"
        else:
            said = f"{said} {bare}".strip()
    yield said


def _linked(line: str) -> Markup:
    made, at = Markup(), 0
    for found in _LINK.finditer(line):
        to = found["to"] or found["bare"].rstrip(_STOPS)
        made += escape(line[at : found.start()])
        made += Markup('<a href="{}">{}</a>').format(to, found["words"] or to)
        at = found.end() if found["to"] else found.start() + len(to)
    return made + escape(line[at:])
