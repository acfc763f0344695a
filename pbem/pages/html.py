"""A sheet as HTML for mail programs.

``templates/_shared/mail.html.j2`` has an element for each kind of block and ``mail.css`` their
looks, which are written into the elements, since some programs take no style sheet: what hangs on
the screen (dark, narrow) stays in one besides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import css_inline
from jinja2 import Environment
from markupsafe import Markup, escape

from pbem.pages import sheet

_CITED = re.compile(r"\[((?:[A-Z]?\d[\w.]*)(?:, [A-Z]?\d[\w.]*)*)\]")
_NARROW = 40
"""A table of so many characters a row fits a phone."""
_INLINER = css_inline.CSSInliner(keep_style_tags=True, load_remote_stylesheets=False)


def page(env: Environment, source: str, title: str, style: str) -> str:
    """The HTML document of a sheet; no script, no outside resource."""
    made = env.get_template("_shared/mail.html.j2").render(
        blocks=list(_blocks(source)), title=title, style=Markup(style)
    )
    return _INLINER.inline(made)


def _blocks(source: str) -> Iterator[dict[str, Any]]:
    for block in sheet.blocks(source):
        match block:
            case sheet.Heading(text, level):
                yield {"is": "heading", "text": text, "level": level}
            case sheet.Table(columns, rows, total):
                yield {
                    "is": "table",
                    "columns": columns,
                    "rows": rows,
                    "total": total,
                    "wide": _breadth(block) > _NARROW,
                }
            case sheet.Items(items):
                yield {"is": "items", "items": [cited(item) for item in items]}
            case sheet.Orders(orders):
                yield {"is": "orders", "orders": orders}
            case sheet.Words(lines):
                yield {"is": "words", "lines": lines}
            case sheet.Figure(name, alt):
                yield {"is": "figure", "name": name, "alt": alt}
            case sheet.Form(lines):
                yield {"is": "form", "lines": lines}
            case sheet.Text(text):
                yield from _paragraphs(text)


def _paragraphs(text: str) -> Iterator[dict[str, Any]]:
    """Text as paragraphs of lines; lines that begin with blanks keep their columns."""
    for piece in re.split(r"\n[ \t]*\n", text.strip("\n")):
        if not piece.strip():
            continue
        lines = piece.split("\n")
        if all(line.startswith(" ") or not line for line in lines):
            yield {"is": "pre", "text": piece}
        else:
            yield {"is": "text", "lines": [cited(line) for line in lines]}


def cited(line: str) -> Markup:
    """A sentence with the paragraphs it cites as small marks."""
    return Markup(_CITED.sub(r'<span class="cite">[\1]</span>', str(escape(line.strip()))))


def _breadth(table: sheet.Table) -> int:
    """How many characters the widest row takes, cell by cell."""
    rows = [tuple(column.title for column in table.columns), *table.rows]
    widths = [max(len(row[at]) for row in rows if at < len(row)) for at in range(len(rows[0]))]
    return sum(widths) + 2 * len(widths)
