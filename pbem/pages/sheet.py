"""What a mail says, before it is set as text or HTML.

A line is a sentence, an empty line separates paragraphs, ``* `` begins an item, leading blanks keep
columns, ``[17]`` cites. A block such as ``heading("The position")`` is a line of JSON between two
:data:`MARK`, which no player's words contain (:func:`pbem.text.safe`).
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, get_args

from pbem.errors import RefereeError
from pbem.games.frame import codec
from pbem.orders.spelling import is_number
from pbem.text import safe

MARK = "\x01"
_BEGINS = '{"is": '
"""Anything else between marks is text."""
_BLANKS = re.compile(r"[^\S\u00a0]++")
Kind = Literal["text", "number", "key"]
"""Words, figures (flush right), or the word that names its row."""


@dataclass(frozen=True, slots=True)
class Masthead:
    """The game's title and the mail's own line."""

    title: str
    line: str


@dataclass(frozen=True, slots=True)
class Heading:
    """Written as a sentence. Parentheses keep their case when plain text uses capitals."""

    text: str


@dataclass(frozen=True, slots=True)
class Column:
    """A column: title ("" for none) and kind."""

    title: str
    kind: Kind = "text"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells. total: the last row is a sum."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    total: bool = False


@dataclass(frozen=True, slots=True)
class Orders:
    """Printed orders. A number keeps each from being an order when quoted."""

    orders: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Fenced:
    """A player's words in a fence it cannot leave."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Aside:
    """Our words that would be orders alone: a rule, an example."""

    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, and its description."""

    name: str
    alt: str


@dataclass(frozen=True, slots=True)
class Form:
    """Orders with blanks: order, effect, and words to choose from if few."""

    lines: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A numbered line. The number keeps it from being an order when quoted."""

    number: str
    order: str
    """"" for none."""
    said: str
    below: tuple[str, ...] = ()
    """One that begins with blanks (a caret) refers to the line above."""
    written: bool = False
    """Whether a link may write the order."""
    writes: tuple[str, ...] = ()
    """Lines for links, which plain text leaves out."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The line that answers this mail: ``CONFIRM 4711``."""

    line: str
    letter: str = ""
    """The ``mailto:`` that writes it; "" if the mail's own links do."""
    link_only: bool = False
    """Plain text leaves it out: the words before say the line."""
    name: str = ""
    """Of the link; "" for the usual one."""


@dataclass(frozen=True, slots=True)
class Text:
    """Text between blocks."""

    text: str


Block = (
    Masthead | Heading | Table | Orders | Fenced | Aside | Picture | Form | Entry | Answer | Text
)


def masthead(title: str, line: str) -> str:
    return marked(Masthead(_line(title), _line(line)))


@lru_cache(maxsize=256)
def heading(text: str) -> str:
    """Make a heading, without full stop."""
    return marked(Heading(_line(text)))


def section(title: str, body: str) -> str:
    below = body.strip("\n")
    return f"{heading(title)}\n\n{below}\n" if below.strip() else ""


def table(columns: Sequence[str], rows: Sequence[Sequence[object]], total: bool = False) -> str:
    """Make a table. A title with ">" marks figures; else the first column names the rows."""
    kinds: list[Column] = []
    for place, title in enumerate(columns):
        kind: Kind = "number" if title.startswith(">") else "text" if place else "key"
        kinds.append(Column(title.removeprefix(">"), kind))
    cells = tuple(tuple(_line(str(cell)) for cell in row) for row in rows)
    if any(len(row) != len(kinds) for row in cells):
        raise RefereeError(f"a table of {len(kinds)} columns {columns} has a row of other length")
    return marked(Table(tuple(kinds), cells, total))


def order_list(texts: Sequence[object]) -> str:
    return marked(Orders(tuple((str(n), _line(str(one))) for n, one in enumerate(texts, 1))))


def fenced(text: str) -> str:
    """Make a fence of a player's words, with or without bars."""
    return marked(Fenced(tuple(safe(line.removeprefix("    |")) for line in text.split("\n"))))


def aside(text: str) -> str:
    return marked(Aside(text.strip("\n")))


def picture(name: str, alt: str) -> str:
    return marked(Picture(name, _line(alt)))


def order_form(lines: Sequence[Sequence[str]]) -> str:
    return marked(Form(tuple(map(tuple, lines))))


def numbered(number: object) -> str:
    """Number a line: "#3". "[3]" is a paragraph, "[+]" a mark."""
    return f"#{number}" if is_number(str(number)) else f"[{number}]"


def entry(
    number: object, order: str, said: str, below: Sequence[str] = (), writes: Sequence[str] = ()
) -> str:
    """Make an entry. writes: lines for links."""
    kept = tuple(line.replace(MARK, " ").rstrip() for line in below)
    lines = tuple(map(_line, writes))
    return marked(Entry(str(number), _line(order), _line(said), kept, writes=lines))


def ready_line(number: object, order: str, said: str) -> str:
    """Make an entry whose order a link writes as it is."""
    return marked(Entry(str(number), _line(order), _line(said), (), written=True))


def answer_line(line: str, letter: str = "", name: str = "", asked: str = "") -> str:
    """Make the line that answers a mail. letter: writes it. name: of that link. asked: above it."""
    return (f"{asked}\n\n" if asked else "") + marked(Answer(_line(line), letter, name=name))


def link_line(line: str, letter: str) -> str:
    """Make a link that writes a line, left out of plain text."""
    return marked(Answer(_line(line), letter, link_only=True))


GIVEN: Mapping[str, Any] = {
    one.__name__: one
    for one in (
        *(masthead, heading, section, table, order_list, fenced, aside, picture, order_form),
        *(entry, numbered, ready_line, answer_line),
    )
}
"""For templates. Results begin without blank or line break, so filters keep them whole."""


def entries(source: str) -> list[Entry]:
    return [block for block in blocks(source) if isinstance(block, Entry)]


def shown_again(source: str) -> str:
    """Return a sheet for later reading: its forms become asides."""

    def aside(block: Block) -> Block:
        if not isinstance(block, Form):
            return block
        lines = (f"{order}  # {effect}" if effect else order for order, effect, *_ in block.lines)
        return Aside("\n".join(lines))

    return edited(source, aside)


def unlinked(source: str) -> str:
    """Return a sheet without its reader's own links, to be passed on."""

    def without(block: Block) -> Block:
        if not isinstance(block, Answer):
            return block
        return Text("") if block.link_only else replace(block, letter="")

    return edited(source, without)


def blocks(source: str) -> Iterator[Block]:
    for piece in source.split(MARK):
        if piece.startswith(_BEGINS):
            yield _block(piece)
        elif piece:
            yield Text(piece)


def edited(source: str, edit: Callable[[Block], Block]) -> str:
    """Return a sheet whose blocks are edited; an equal block keeps its text."""
    pieces = source.split(MARK)
    for place, piece in enumerate(pieces):
        block = _block(piece) if piece.startswith(_BEGINS) else Text(piece)
        if (new := edit(block)) != block:
            pieces[place] = marked(new).strip(MARK)
    return MARK.join(pieces)


def marked(block: Block) -> str:
    if isinstance(block, Text):
        return block.text
    # bulletins on file have these names
    said = {"is": type(block).__name__, **codec.dump(block)}
    return f"{MARK}{_JSON.encode(said)}{MARK}"


_JSON = json.JSONEncoder(ensure_ascii=False)
_KINDS: Mapping[str, type[Block]] = {kind.__name__: kind for kind in get_args(Block)}


@lru_cache(maxsize=256)  # each face of a mail asks
def _block(piece: str) -> Block:
    said = json.loads(piece)
    return codec.load(_KINDS[said.pop("is")], said)


def _line(text: str) -> str:
    """Join lines; keep non-breaking blanks."""
    return _BLANKS.sub(" ", text.replace(MARK, " ")).strip(" ")
