"""A sheet as plain text of 78 columns."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pbem.orders.spelling import is_number
from pbem.pages import sheet
from pbem.pages.sheet import Block
from pbem.text import UNBROKEN, WIDTH, columns, listed, wrap

_COLUMN = 40  # where effects beside orders begin at the latest
_LEAST = 14  # the narrowest column of words
_GAP = 2
_GAP_OF_LINES = re.compile(r"\n{3,}")
"""Left by blocks without text, such as pictures."""
_MOVED = (sheet.Heading, sheet.Orders, sheet.Table, sheet.Text)
_FIRST, _BELOW = 6, 8
"""Columns of a numbered line's text and of words below it."""


@lru_cache(maxsize=4)
def plain(source: str, width: int = WIDTH) -> str:
    """Set a sheet as text. Cached: a bulletin is set more than once."""
    text = "".join(_set(block, width) for block in sheet.blocks(source)).replace(UNBROKEN, " ")
    return _GAP_OF_LINES.sub("\n\n", text if source.startswith("\n") else text.lstrip("\n"))


@lru_cache(maxsize=4)
def shortened(source: str, most: int) -> tuple[str, Sequence[str]]:
    """Leave out the longest sections of a sheet, and tables of its news, until it has so many
    words, press apart. Return it and their headings. Forms, pictures and press stay."""
    sections: list[list[Block]] = [[]]
    is_news = True
    for block in sheet.blocks(source):
        is_news &= not isinstance(block, sheet.Heading)
        after = sections[-1] and isinstance(sections[-1][0], sheet.Table)
        apart = is_news and (isinstance(block, sheet.Table) or after)
        if isinstance(block, sheet.Heading) or apart:
            sections.append([])
        if isinstance(block, sheet.Fenced) and sections[-1]:
            sections.append(_by(sections[-1]))
        sections[-1].append(block)
    words = [
        sum(len(_set(one, WIDTH).split()) for one in section if not isinstance(one, sheet.Fenced))
        for section in sections
    ]
    left = [
        n
        for n, section in enumerate(sections)
        if section
        and isinstance(section[0], sheet.Heading | sheet.Table)
        and all(isinstance(one, _MOVED) for one in section)
    ]
    gone: list[int] = []
    while left and sum(words) > most:
        gone.append(max(left, key=words.__getitem__))
        left.remove(gone[-1])
        words[gone[-1]] = 0
    headings = [_title(sections[n][0]) for n in sorted(gone)]
    kept = (one for n, section in enumerate(sections) if n not in gone for one in section)
    return "".join(map(sheet.marked, kept)), headings


def _by(section: list[Block]) -> list[Block]:
    """Take the paragraph that says whose the words below it are off a section's end."""
    if not isinstance(last := section[-1], sheet.Text):
        return []
    above, gap, by = last.text.rpartition("\n\n")
    section[-1] = sheet.Text(above)
    return [sheet.Text(f"{gap}{by}")]


def _title(block: Block) -> str:
    if isinstance(block, sheet.Table):
        return f"the table of {listed(one.title for one in block.columns if one.title)}"
    return f'"{block.text}"' if isinstance(block, sheet.Heading) else ""


def _set(block: Block, width: int) -> str:
    match block:
        case sheet.Text(text):
            body = text.strip("\n")
            if not body:
                return text
            head, _, tail = text.partition(body)
            return f"{head}{wrap(body, 0, width)}{tail}"
        case sheet.Table():
            return _table(block, width)
        case _:
            return "\n".join(_lines(block, width))


def _lines(block: Block, width: int) -> Iterator[str]:
    match block:
        case sheet.Masthead(title, line):
            yield wrap(title, 0, width)
            if line:
                yield wrap(line, 0, width)
            yield "=" * width
        case sheet.Heading(text):
            yield from ("", wrap(_capitals(text), 0, width))  # parted from what is above
        case sheet.Orders(orders):
            for number, order in orders:
                yield from _hung(f"  {sheet.numbered(number)} ", order, width)
        case sheet.Fenced(lines):
            for line in lines:
                yield from (f"    | {one}".rstrip() for one in wrap(line, 0, width - 6).split("\n"))
        case sheet.Aside(text):
            yield from (f"| {line}".rstrip() for line in plain(text, width - 2).split("\n"))
        case sheet.Picture() | sheet.Answer(link_only=True):
            pass
        case sheet.Form(lines):
            yield from _form(lines, width)
        case sheet.Entry():
            yield from _entry(block, width)
        case sheet.Answer(line, _):
            yield f"    {line}"


def _capitals(text: str) -> str:
    first, *more = text.split("(")
    parts = (piece.partition(")") for piece in more)
    return first.upper() + "".join(f"({own}{end}{rest.upper()}" for own, end, rest in parts)


def _table(table: sheet.Table, width: int) -> str:
    """Narrow the widest columns of words until the table fits."""
    titles = tuple(column.title for column in table.columns)
    rows = [*([titles] if any(titles) else []), *table.rows]
    right = [at for at, column in enumerate(table.columns) if column.kind == "number"]
    widths = [max(len(cell) for cell in cells) for cells in zip(*rows, strict=True)]
    words = [at for at in range(len(titles)) if at not in right]
    while sum(widths) + _GAP * len(widths) > width and words:
        widest = max(words, key=widths.__getitem__)
        if widths[widest] <= _LEAST:
            break
        widths[widest] -= 1
    return columns([line for row in rows for line in _split(row, widths)], right=right)


def _split(row: Sequence[str], widths: Sequence[int]) -> Iterator[Sequence[str]]:
    cells = [
        wrap(cell, 0, max(width, 1)).split("\n") for cell, width in zip(row, widths, strict=True)
    ]
    for at in range(max(map(len, cells))):
        yield [cell[at] if at < len(cell) else "" for cell in cells]


def _entry(entry: sheet.Entry, width: int) -> Iterator[str]:
    """Yield an order with its words behind or below; as a comment, so that a copy is read."""
    number = sheet.numbered(entry.number)
    if not entry.order:
        yield from _hung(f"  {number} ", entry.said, width)
        for line in entry.below:
            yield wrap(line, _FIRST, width - 2)
        return
    between = "  # " if is_number(entry.number) else " - "
    sentence = f"{between}{entry.said}" if entry.said else ""
    if entry.below or len(entry.order) + len(sentence) + _FIRST > width:
        yield from _hung(f"{number:>{_FIRST - 1}} ", entry.order, width)
        yield from (f"{' ' * _FIRST}{line}" for line in entry.below)
        if entry.said:
            yield wrap(entry.said, _BELOW, width)
    else:
        yield f"{number:>{_FIRST - 1}} {entry.order}{sentence}"


def _hung(head: str, text: str, width: int) -> Iterator[str]:
    first, *more = wrap(text, 0, width - len(head) - 2).split("\n")
    yield f"{head}{first}"
    yield from (f"{' ' * _FIRST}{line}" for line in more)


def _form(lines: Sequence[tuple[str, ...]], width: int) -> Iterator[str]:
    short = [len(order) for order, *_ in lines if len(order) <= _COLUMN]
    column = max(short, default=0) + 2
    for order, effect, *_ in lines:
        beside = f"{order:<{column - 1}} # {effect}"
        if not effect:
            yield order
        elif len(beside) <= width:
            yield beside
        else:
            yield from _packed(order, width)
            yield from (f"    # {line}" for line in wrap(effect, 0, width - 6).split("\n"))


def _packed(order: str, width: int) -> Iterator[str]:
    """Break a long order after commas, in as few lines as will do."""
    line = ""
    for piece in broken(order, width):
        if line and len(f"{line} {piece.strip()}") < width:
            line = f"{line} {piece.strip()}"
        else:
            if line:
                yield line
            line = piece
    yield line


def broken(order: str, width: int = WIDTH) -> Iterator[str]:
    """Break a long order into an item a line, continued by a comma."""
    if len(order) < width:
        yield order
        return
    first, *more = order.split(", ")
    yield from (f"{piece}," for piece in (first, *(f"    {piece}" for piece in more[:-1])))
    yield f"    {more[-1]}" if more else first
