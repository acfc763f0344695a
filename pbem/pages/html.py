"""A sheet as HTML for mail programs.

``templates/_shared/mail.html.j2`` has an element for each kind of block and ``mail.css`` their
looks, which are written into the elements, since some programs take no style sheet: what hangs on
the screen (dark, narrow) stays in one besides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

import css_inline
from jinja2 import Environment
from markupsafe import Markup, escape

from pbem.pages import sheet
from pbem.pages.links import Links
from pbem.pages.plain import broken

_CITED = re.compile(r"\[((?:[A-Z]?[0-9][\w.]*)(?:, [A-Z]?[0-9][\w.]*)*)\]")
_EMPTY_LINE = re.compile(r"\n[ \t]*+\n")
_NARROW = 43
"""A table of so many characters a row fits a phone."""
_MOST_CELLS = 400
"""With more of them in a mail, a style in each would make it longer than mail programs show."""
_INLINER = css_inline.CSSInliner(keep_style_tags=True, load_remote_stylesheets=False)


def page(
    env: Environment,
    source: str,
    title: str,
    divider: str,
    pictures: Collection[str] = (),
    links: Links | None = None,
) -> str:
    """The HTML document of a sheet below the ``divider`` under which no answer is read; no script,
    no outside resource. Of a picture that is not among those that go with it, by its name, it says
    what was to be seen. With ``links``, its orders are written at a touch."""
    if links is None:
        return _unlinked(env, source, title, divider, frozenset(pictures))
    return _set(env, source, title, divider, pictures, links)


@lru_cache(maxsize=4)
def _unlinked(
    env: Environment, source: str, title: str, divider: str, pictures: frozenset[str]
) -> str:
    """A page without links; the last ones are kept, since a bulletin is the same for all."""
    return _set(env, source, title, divider, pictures, None)


def _set(
    env: Environment,
    source: str,
    title: str,
    divider: str,
    pictures: Collection[str],
    links: Links | None,
) -> str:
    shown = {name: f"cid:{name}" for name in pictures}
    words = _words(source, cited, shown)
    made = env.get_template("_shared/mail.html.j2").render(
        words, title=title, divider=divider, links=links
    )
    return _INLINER.inline(made)


def site_page(
    env: Environment,
    template: str,
    source: str,
    cite: Callable[[str], Markup],
    pictures: Mapping[str, str],
    **more: Any,
) -> str:
    """A page of a site with a sheet in it: ``cite`` makes a sentence of it HTML, ``pictures`` are
    the addresses of those that there are."""
    words = _words(source, cite, pictures)
    return env.get_template(template).render(words, links=None, **more)


def _words(
    source: str, cite: Callable[[str], Markup], pictures: Mapping[str, str]
) -> dict[str, Any]:
    """What ``_shared/blocks.html.j2`` needs of a sheet."""
    blocks = list(_blocks(source, cite))
    return {
        "blocks": blocks,
        "dense": _dense(blocks),
        "cited": cite,
        "pictures": pictures,
        "broken": broken,
    }


def _blocks(source: str, cite: Callable[[str], Markup]) -> Iterator[dict[str, Any]]:
    for block in sheet.blocks(source):
        match block:
            case sheet.Text(text):
                yield from _paragraphs(text, cite)
            case sheet.Table():
                yield {"is": "Table", "table": block, "wide": _is_wide(block)}
            case sheet.Aside(text):
                yield {"is": "Aside", "blocks": list(_blocks(text, cite))}
            case _:
                yield {"is": type(block).__name__, "block": block}


def _dense(blocks: Sequence[dict[str, Any]]) -> Sequence[tuple[sheet.Column, ...]]:
    """The kinds of tables of a mail with so many cells that their looks cannot be written into each
    of them: one rule for a column of each kind, in a style sheet, does it."""
    tables = list(_tables(blocks))
    if sum(len(table.rows) * len(table.columns) for table in tables) <= _MOST_CELLS:
        return ()
    return tuple(dict.fromkeys(table.columns for table in tables))


def _tables(blocks: Sequence[dict[str, Any]]) -> Iterator[sheet.Table]:
    for block in blocks:
        match block["is"]:
            case "Table":
                yield block["table"]
            case "Aside":
                yield from _tables(block["blocks"])


def _paragraphs(text: str, cite: Callable[[str], Markup]) -> Iterator[dict[str, Any]]:
    """Text as paragraphs, lists and lines that keep their columns."""
    for piece in _EMPTY_LINE.split(text.strip("\n")):
        for shape, lines in groupby(piece.split("\n"), key=_shape):
            if shape == "items":
                yield {"is": "items", "lines": [cite(line.removeprefix("* ")) for line in lines]}
            elif shape == "kept":
                yield {"is": "kept", "text": "\n".join(lines)}
            elif said := [cite(line) for line in lines if line.strip()]:
                yield {"is": "text", "lines": said}


def _shape(line: str) -> str:
    return "items" if line.startswith("* ") else "kept" if line.startswith(" ") else "text"


def cited(line: str) -> Markup:
    """A sentence with the paragraphs it cites as small marks."""
    said = escape(line.strip())
    return Markup(_CITED.sub(r'<span class="cite">[\1]</span>', str(said))) if "[" in said else said


def _is_wide(table: sheet.Table) -> bool:
    """Whether a phone has no room for its rows: of two columns, the second fills what there is."""
    return len(table.columns) > 2 and _breadth(table) > _NARROW


def _breadth(table: sheet.Table) -> float:
    """How many characters the widest row needs: figures stand in one line, words may be broken
    between blanks, and a column has some room beside it."""
    cells = zip(*(tuple(c.title for c in table.columns), *table.rows), strict=True)
    return sum(map(_need, table.columns, cells)) + 1.5 * len(table.columns)


def _need(column: sheet.Column, cells: Sequence[str]) -> int:
    widest = max(map(len, cells))
    longest = max(len(word) for cell in cells for word in cell.split(" "))
    return widest if column.kind == "number" else max(longest, min(widest, 13))
