"""A sheet as plain text of 78 columns."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.pages import sheet
from pbem.pages.sheet import Block
from pbem.text import WIDTH, columns, wrap

_COLUMN = 40
"""Where the effects of a form begin at the latest, if they stand behind their orders."""


def plain(source: str) -> str:
    """The plain face: text filled to its columns, blocks set in their place."""
    pieces = source.split(sheet.MARK)
    if len(pieces) == 1:
        return wrap(source)
    set_ = ["\n".join(_set(block)) for block in sheet.blocks(source)]
    found = iter(set_)
    out = []
    for place, piece in enumerate(pieces):
        if place % 2:
            out.append(next(found))
        elif piece.strip("\n"):
            next(found)
            out.append(_kept(piece))
        else:
            out.append(piece)
    return "".join(out)


def _kept(piece: str) -> str:
    """Text between blocks with the line breaks at its ends as they are."""
    head = piece[: len(piece) - len(piece.lstrip("\n"))]
    tail = piece[len(piece.rstrip("\n")) :]
    return f"{head}{wrap(piece.strip(chr(10)))}{tail}"


def _set(block: Block) -> Iterator[str]:
    match block:
        case sheet.Heading(text, 1):
            yield text
            yield "=" * WIDTH
        case sheet.Heading(text):
            yield text.upper()
        case sheet.Table():
            yield _table(block)
        case sheet.Items(items):
            for item in items:
                yield wrap(f"* {item}")
        case sheet.Orders(orders):
            for number, order in enumerate(orders, 1):
                yield wrap(f"[{number}] {order}", 2, WIDTH - 4)
        case sheet.Words(lines):
            for line in lines:
                yield f"    | {line}".rstrip()
        case sheet.Figure():
            pass
        case sheet.Form(lines):
            yield from _form(lines)
        case sheet.Text(text):
            yield text


def _table(table: sheet.Table) -> str:
    titles = [column.title for column in table.columns]
    rows = [*([titles] if any(titles) else []), *table.rows]
    right = [at for at, column in enumerate(table.columns) if column.kind == "number"]
    return columns(rows, indent=2, right=right)


def _form(lines: tuple[tuple[str, str], ...]) -> Iterator[str]:
    short = [len(order) for order, _ in lines if len(order) <= _COLUMN]
    column = max(short, default=0) + 2
    for order, effect in lines:
        beside = f"{order:<{column - 1}} # {effect}"
        if not effect:
            yield order
        elif len(beside) <= WIDTH:
            yield beside
        else:
            yield order
            yield from (f"    # {line}" for line in wrap(effect, 0, WIDTH - 6).split("\n"))
