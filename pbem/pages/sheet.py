"""A sheet: what a mail says, before it is set as text or HTML.

Templates write text and blocks. In text, a line is a sentence that may be filled, an empty line
separates paragraphs, ``* `` begins a list item, and leading blanks keep columns. A paragraph of the
rules is cited in brackets, ``[17]``. Everything else is a block. A template calls ``heading("The
position")`` or ``table(...)``, which gives one line of JSON between two :data:`MARK` characters. No
player's word can hold these (:func:`pbem.text.safe` removes control characters).
:mod:`pbem.pages.plain` and :mod:`pbem.pages.html` set the same sheet, so both say the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from typing import Any, Literal, get_args

from pbem.errors import RefereeError
from pbem.text import safe

MARK = "\x01"
_BEGINS = '{"is": '
"""How a block begins; whatever else stands between marks is text."""
_BLANKS = re.compile(r"[^\S\u00a0]++")
Kind = Literal["text", "number", "key"]
"""What a column holds: words, figures (set flush right), or the word that names its row."""


@dataclass(frozen=True, slots=True)
class Masthead:
    """What the mail is: the ``title`` of its game and, below it, the ``line`` that is its own."""

    title: str
    line: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, written as a sentence is; what stands in parentheses keeps its letters when plain
    text sets the others as capitals."""

    text: str


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
class Orders:
    """Orders in print, each with a number in front, which makes it none when it is quoted."""

    orders: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Fenced:
    """A player's own words, line by line, in a fence that he cannot leave."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Aside:
    """A text of ours with words in it that are orders where they stand free: a rule, an example."""

    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, and what is to be seen on it in words."""

    name: str
    alt: str


@dataclass(frozen=True, slots=True)
class Form:
    """An order form: orders with blanks, each with its effect."""

    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A numbered line of a list. The number keeps it from being an order when quoted."""

    number: str
    order: str
    """An order, or none."""
    said: str
    below: tuple[str, ...] = ()
    """Lines that belong to it. One that begins with blanks (a caret) stands below its place in the
    line before."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The one line by which this mail is to be answered, as it stands: ``CONFIRM 4711``."""

    line: str
    letter: str = ""
    """The address (``mailto:``) that writes it; "" if the mail's own links do."""


@dataclass(frozen=True, slots=True)
class Text:
    """What stands between blocks."""

    text: str


Block = (
    Masthead | Heading | Table | Orders | Fenced | Aside | Picture | Form | Entry | Answer | Text
)


def masthead(title: str, line: str) -> str:
    """Return what the mail is."""
    return _marked(Masthead(_line(title), _line(line)))


@lru_cache(maxsize=256)
def heading(text: str) -> str:
    """Return a heading, written as a sentence is, without a full stop."""
    return _marked(Heading(_line(text)))


def table(columns: Sequence[str], rows: Sequence[Sequence[object]], total: bool = False) -> str:
    """Return a table. A column's title begins with ">" where it holds figures; the first column
    names the rows, unless it holds figures."""
    kinds: list[Column] = []
    for place, title in enumerate(columns):
        kind: Kind = "number" if title.startswith(">") else "text" if place else "key"
        kinds.append(Column(title.removeprefix(">"), kind))
    cells = tuple(tuple(_line(str(cell)) for cell in row) for row in rows)
    if any(len(row) != len(kinds) for row in cells):
        raise RefereeError(f"a table of {len(kinds)} columns {columns} has a row of other length")
    return _marked(Table(tuple(kinds), cells, total))


def order_list(texts: Sequence[object]) -> str:
    """Orders in print, numbered from 1."""
    return _marked(Orders(tuple((str(n), _line(str(one))) for n, one in enumerate(texts, 1))))


def fenced(text: str) -> str:
    """Return a player's words, which may stand behind their bars already."""
    return _marked(Fenced(tuple(safe(line.removeprefix("    |")) for line in text.split("\n"))))


def aside(text: str) -> str:
    """Return a text of ours that quotes orders."""
    return _marked(Aside(text.strip("\n")))


def picture(name: str, alt: str) -> str:
    """Return a picture."""
    return _marked(Picture(name, _line(alt)))


def order_form(lines: Sequence[Sequence[str]]) -> str:
    """Return an order form."""
    return _marked(Form(tuple((order, effect) for order, effect in lines)))


def entry(number: object, order: str, said: str, below: Sequence[str] = ()) -> str:
    """Return a line of a list: an order, and what is said of it."""
    kept = tuple(line.replace(MARK, " ").rstrip() for line in below)
    return _marked(Entry(str(number), _line(order), _line(said), kept))


def answer_line(line: str, letter: str = "") -> str:
    """The line by which a mail is to be answered. letter: an address that writes it."""
    return _marked(Answer(_line(line), letter))


GIVEN: Mapping[str, Any] = {
    one.__name__: one
    for one in (
        masthead,
        heading,
        table,
        order_list,
        fenced,
        aside,
        picture,
        order_form,
        entry,
        answer_line,
    )
}
"""What templates call. No result begins with a blank or has a line break, so filters that join or
indent lines keep it whole."""


def entries(source: str) -> list[Entry]:
    """Return the numbered lines of a sheet."""
    return [block for block in blocks(source) if isinstance(block, Entry)]


def shown_again(source: str) -> str:
    """A sheet as it is read later: its forms were of their time, and are no forms any more."""
    pieces = source.split(MARK)
    for place, piece in enumerate(pieces):
        if piece.startswith(_BEGINS) and isinstance(block := _block(piece), Form):
            lines = (f"{order}  # {effect}" if effect else order for order, effect in block.lines)
            pieces[place] = aside("\n".join(lines)).strip(MARK)
    return MARK.join(pieces)


def blocks(source: str) -> Iterator[Block]:
    """Yield the blocks of a sheet in their order, with the text between them."""
    for piece in source.split(MARK):
        if piece.startswith(_BEGINS):
            yield _block(piece)
        elif piece:
            yield Text(piece)


def _marked(block: Block) -> str:
    kind = type(block)
    said = {name: getattr(block, name) for name in _FIELDS[kind]}
    return f"{MARK}{_JSON.encode({'is': kind.__name__, **said})}{MARK}"


_FIELDS: Mapping[type, tuple[str, ...]] = {
    kind: tuple(one.name for one in fields(kind)) for kind in get_args(Block)
}
_JSON = json.JSONEncoder(ensure_ascii=False, default=asdict)


@lru_cache(maxsize=256)  # each face of a mail asks for them
def _block(piece: str) -> Block:
    said = json.loads(piece)
    match said.pop("is"):
        case "Table":
            columns = tuple(Column(**one) for one in said["columns"])
            return Table(columns, tuple(tuple(row) for row in said["rows"]), said["total"])
        case "Orders":
            return Orders(tuple((number, order) for number, order in said["orders"]))
        case "Fenced":
            return Fenced(tuple(said["lines"]))
        case "Form":
            return Form(tuple((order, effect) for order, effect in said["lines"]))
        case "Entry":
            return Entry(said["number"], said["order"], said["said"], tuple(said["below"]))
        case name:
            return _SIMPLE[name](**said)


_SIMPLE: Mapping[str, Callable[..., Block]] = {
    one.__name__: one for one in (Masthead, Heading, Aside, Picture, Answer)
}


def _line(text: str) -> str:
    """On one line; blanks that do not break stay."""
    return _BLANKS.sub(" ", text.replace(MARK, " ")).strip(" ")
