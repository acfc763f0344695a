"""The rules as pages, and links to their paragraphs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from markupsafe import Markup, escape

from pbem.house import shelf, templates
from pbem.pages.rulebook import Rules
from pbem.website.files import Folder

_CITED = re.compile(r"\[((?:[A-Z]?[0-9][\w.]*)(?:, [A-Z]?[0-9][\w.]*)*)\]")

Cite = Callable[[str], Markup]
"""Makes a sentence HTML."""


def citing(book: Rules, page: str) -> Cite:
    """Return a function that makes a sentence HTML, citations linked to page."""
    known = book.paragraphs

    def cited(line: str) -> Markup:
        return Markup(_CITED.sub(lambda found: _links(found[1], known, page), _safe(line)))

    return cited


def _safe(line: str) -> str:
    return str(escape(line.strip()))


def _links(numbers: str, known: Mapping[str, str], page: str) -> str:
    found = [
        f'<a href="{page}#p{one}">{one}</a>' if one in known else one for one in numbers.split(", ")
    ]
    return f'<span class="cite">[{", ".join(found)}]</span>'


def write(to: Folder, key: str) -> None:
    book = shelf.rules(key)
    page = templates.environment().get_template("_shared/website/rules.html.j2")
    to.put(f"rules-{key}.html", page.render(book=book, key=key, cited=citing(book, "")))
