"""What a mail says before it has a face: text with blocks in it, each saying what it is.

A template calls ``heading("THE POSITION")`` or ``table(...)``; the call gives the block as one line
of JSON between two :data:`MARK` characters, which no player's word can hold (``safe`` takes control
characters away). What stands between blocks is text: lines are sentences, an empty line parts
paragraphs. :mod:`pbem.pages.plain` and :mod:`pbem.pages.hypertext` set the same sheet as plain text
and as HTML, so that the two cannot say different things.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

MARK = "\x01"
Kind = Literal["text", "number", "key"]
"""What a column holds: words, figures (set flush right), or the word that names its row."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; ``level`` 1 is the mail's own."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its title ("" for none) and what it holds."""

    title: str
    kind: Kind = "text"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under their columns; ``total``: the last row sums up the others."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    total: bool = False


@dataclass(frozen=True, slots=True)
class Items:
    """A list; each item a sentence or more."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Orders:
    """Orders in print, with the number in front that makes them none."""

    orders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """A player's own words, line by line, in a fence that he cannot leave."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture, and what is to be seen on it in words."""

    name: str
    alt: str


@dataclass(frozen=True, slots=True)
class Form:
    """An order form: orders with blanks, each with its effect."""

    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Text:
    """What stands between blocks: paragraphs of lines."""

    text: str


Block = Heading | Table | Items | Orders | Words | Figure | Form | Text


def _marked(name: str, block: object) -> str:
    return MARK + json.dumps({"is": name, **asdict(block)}, ensure_ascii=False) + MARK  # type: ignore[call-overload]


def heading(text: str, level: int = 2) -> str:
    """A heading."""
    return _marked("heading", Heading(_line(text), level))


def table(columns: Sequence[str], rows: Sequence[Sequence[object]], total: bool = False) -> str:
    """A table. A column's title begins with ">" where it holds figures; the first column names the
    rows."""
    kinds: list[Column] = []
    for place, title in enumerate(columns):
        number = title.startswith(">")
        kinds.append(Column(title.lstrip(">"), "number" if number else "text" if place else "key"))
    cells = tuple(tuple(_line(str(cell)) for cell in row) for row in rows)
    return _marked("table", Table(tuple(kinds), cells, total))


def items(texts: Sequence[object]) -> str:
    """A list."""
    return _marked("items", Items(tuple(_line(str(text)) for text in texts)))


def orders(texts: Sequence[object]) -> str:
    """Orders in print."""
    return _marked("orders", Orders(tuple(_line(str(text)) for text in texts)))


def words(text: str) -> str:
    """A player's words."""
    return _marked("words", Words(tuple(line.rstrip() for line in text.split("\n"))))


def figure(name: str, alt: str) -> str:
    """A picture."""
    return _marked("figure", Figure(name, _line(alt)))


def form(lines: Sequence[tuple[str, str]]) -> str:
    """An order form."""
    return _marked("form", Form(tuple((order, effect) for order, effect in lines)))


def _line(text: str) -> str:
    return " ".join(text.split(" ")).replace("\n", " ").strip()


GIVEN: Mapping[str, Any] = {
    one.__name__: one for one in (heading, table, items, orders, words, figure, form)
}
"""What templates call."""


def blocks(source: str) -> Iterator[Block]:
    """The blocks of a sheet in their order, with the text between them."""
    for place, piece in enumerate(source.split(MARK)):
        if place % 2:
            yield _block(json.loads(piece))
        elif piece.strip("\n"):
            yield Text(piece)


def _block(said: Mapping[str, Any]) -> Block:
    match said["is"]:
        case "heading":
            return Heading(said["text"], said["level"])
        case "table":
            columns = tuple(Column(one["title"], one["kind"]) for one in said["columns"])
            return Table(columns, tuple(tuple(row) for row in said["rows"]), said["total"])
        case "items":
            return Items(tuple(said["items"]))
        case "orders":
            return Orders(tuple(said["orders"]))
        case "words":
            return Words(tuple(said["lines"]))
        case "figure":
            return Figure(said["name"], said["alt"])
        case _:
            return Form(tuple((order, effect) for order, effect in said["lines"]))
