"""The blocks of a sheet as HTML.

A *shape* is HTML with a hole ``{}`` for each text. ``looks`` styles a shape once, not every filled
element.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, zip_longest

from pbem.games.frame.ruleset import BLANK
from pbem.pages import sheet
from pbem.pages.links import Links
from pbem.pages.plain import broken

Looks = Callable[[str, str], str]
"""(shape, start tags around it) -> styled shape."""
Kinds = Sequence[tuple[sheet.Column, ...]]

_EMPTY_LINE = re.compile(r"\n[ \t]*+\n")
_NARROW = 43
"""Characters of a row that fit a phone."""
_SHORT = 12
"""Characters of a name that stands in one line."""
FROM = "Send this from the address at which you got this mail."
"""A phone writes from its first address."""
_MOST_CELLS = 400
"""More would exceed what mail programs show."""


def escaped(text: str) -> str:
    said = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return said.replace("\u00a0", "&nbsp;")


def quoted(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("\u00a0", "&nbsp;")


def as_they_are(shape: str, _within: str) -> str:
    """Return the shape; a style sheet has its looks."""
    return shape


@dataclass(frozen=True, slots=True)
class Setting:
    """How blocks are set."""

    cite: Callable[[str], str]
    """Makes a sentence HTML."""
    pictures: Mapping[str, str]
    """Name -> address."""
    looks: Looks = as_they_are
    links: Links | None = None
    """Begin a letter with an order."""
    level: int = 2
    """Of headings."""
    dense: Kinds = ()
    """Tables (:func:`kinds`) styled by column."""

    def put(self, shape: str, *said: str, within: str | None = None) -> str:
        return self.looks(shape, within or "").format(*said)

    def blocks(self, source: str) -> str:
        return "".join(self._block(block) for block in sheet.blocks(source))

    def words(self, source: str) -> str:
        if self.links is None:
            return ""
        forms = [one for one in sheet.blocks(source) if isinstance(one, sheet.Form)]
        said = (
            (self.links.line("ORDERS"), "Show my orders"),
            (self.links.trial(forms[-1] if forms else None), "Try orders first"),
            (self.links.line("READY"), "I am ready"),
            (self.links.line("HELP"), "Help"),
        )
        within = '<p class="words">'
        link = self.looks('<a class="write" href="{}">{}</a>', within)
        links = (link.format(quoted(to), name) for to, name in said)
        made = self.put('<p class="words">{}</p>\n', " ".join(links))
        return made + self.put('<p class="words">{}</p>\n', FROM)

    def _block(self, block: sheet.Block) -> str:
        match block:
            case sheet.Text(text):
                return "".join(self._paragraphs(text))
            case sheet.Entry():
                return self._entry(block)
            case sheet.Heading(text):
                return self.put(f"<h{self.level}>{{}}</h{self.level}>\n", escaped(text))
            case sheet.Orders(orders):
                code = self.looks("[{}] <code>{}</code>", "")
                lines = [code.format(number, escaped(order)) for number, order in orders]
                return self.put('<p class="orders">{}</p>\n', "<br>".join(lines))
            case sheet.Table():
                return self._table(block)
            case sheet.Form():
                return self._form(block)
            case sheet.Masthead(title, line):
                top = f'<p class="title">{{}}</p>\n<h{self.level - 1}>{{}}</h{self.level - 1}>\n'
                return self.put(top, escaped(title), escaped(line))
            case sheet.Fenced(lines):
                said = "<br>".join(map(escaped, lines))
                return self.put("<blockquote>{}</blockquote>\n", said)
            case sheet.Aside(text):
                return self.put('<div class="aside">\n{}\n</div>\n', self.blocks(text))
            case sheet.Picture(name, alt):
                return self._picture(name, alt)
            case sheet.Answer():
                return self._answer(block)

    def _paragraphs(self, text: str) -> Iterator[str]:
        for piece in _EMPTY_LINE.split(text.strip("\n")):
            for shape, lines in groupby(piece.split("\n"), key=_shape):
                if shape == "items":
                    item = self.looks("<li>{}</li>", "")
                    items = [item.format(self.cite(line.removeprefix("* "))) for line in lines]
                    yield self.put("<ul>{}</ul>\n", "".join(items))
                elif shape == "kept":
                    yield self.put("<pre>{}</pre>\n", escaped("\n".join(lines)))
                elif said := [self.cite(line) for line in lines if line.strip()]:
                    yield from (self.put("<p>{}</p>\n", line) for line in said[:-1])
                    yield self.put('<p class="last">{}</p>\n', said[-1])

    def _entry(self, entry: sheet.Entry) -> str:
        number, below = escaped(entry.number), entry.below
        if entry.order:
            order = "<br>".join(map(escaped, (entry.order, *below)))
            if entry.written and self.links:
                return self._ready(number, order, entry)
            if not entry.said:
                return self.put('<p class="line">[{}] <code>{}</code></p>\n', number, order)
            shape = '<p class="line">[{}] <code>{}</code><br><span class="effect">{}</span></p>\n'
            return self.put(shape, number, order, self.cite(entry.said))
        said = [self.cite(entry.said)]
        for line, following in zip_longest(below, below[1:], fillvalue=""):
            if line.startswith(" ") or following.startswith(" "):
                said.append(self.put('<code class="below">{}</code>', escaped(line)))
            else:
                said.append(self.put('<span class="effect">{}</span>', self.cite(line)))
        if self.links and entry.writes:
            link = self.looks('<a class="write" href="{}">{}</a>', "")
            letters = ((quoted(self.links.line(one)), escaped(one)) for one in entry.writes)
            said.append(" ".join(link.format(to, name) for to, name in letters))
        return self.put('<p class="line">[{}] {}</p>\n', number, "<br>".join(said))

    def _ready(self, number: str, order: str, entry: sheet.Entry) -> str:
        assert self.links is not None
        link = self.looks('<a class="write" href="{}">write this order</a>', "")
        to = link.format(quoted(self.links.line(entry.order)))
        shape = '<p class="line">[{}] <code>{}</code><br><span class="effect">{}</span> {}</p>\n'
        return self.put(shape, number, order, self.cite(entry.said), to)

    def _form(self, form: sheet.Form) -> str:
        lines = "".join(
            self._offer(order, effect, choices) for order, effect, *choices in form.lines
        )
        return self.put('<div class="form">{}</div>\n', lines)

    def _offer(self, order: str, effect: str, choices: Sequence[str]) -> str:
        pieces = [escaped(piece.strip()) for piece in broken(order)]
        made = self.put("<code>{}</code>", "<br>&nbsp;&nbsp;".join(pieces))
        if effect:
            made += self.put('<br><span class="effect">{}</span>', escaped(effect))
        if self.links:
            link = self.looks('<a class="write" href="{}">{}</a>', "")
            letters = [(order.replace(BLANK, one, 1), one) for one in choices]
            written = (
                link.format(quoted(self.links.line(line)), escaped(name))
                for line, name in letters or [(order, "write this")]
            )
            made += f"{' ' if effect else '<br>'}{' '.join(written)}"
        return self.put('<p class="line">{}</p>', made)

    def _answer(self, answer: sheet.Answer) -> str:
        line = answer.line
        if answer.letter:
            return self._button(answer.letter, escaped(line))
        made = self.put('<p class="answer"><code>{}</code></p>\n', escaped(line))
        if self.links:
            name = escaped(answer.name or "Write this answer")
            made += self._button(self.links.line(line), name)
        return made

    def _button(self, to: str, name: str) -> str:
        return self.put('<p><a class="button" href="{}">{}</a></p>\n', quoted(to), name)

    def _picture(self, name: str, alt: str) -> str:
        if name not in self.pictures:
            return self.put('<p class="figure">{}</p>\n', escaped(alt))
        shape = '<p class="figure"><img src="{}" alt="{}" width="480"></p>\n'
        return self.put(shape, quoted(self.pictures[name]), quoted(alt))

    def _table(self, table: sheet.Table) -> str:
        wide = _is_wide(table)
        if self.dense:
            number = self.dense.index(table.columns) + 1
            folds = " folds" if wide else ""
            around = f'<table class="dense d{number}{folds}" cellpadding="3">'
        else:
            around = f'<table class="{"wide" if wide else "rows"}">'
        made = []
        if any(c.title for c in table.columns):
            within = f"{around}<thead><tr>"
            heads = (
                self.put(self._head(c), escaped(c.title), within=within) for c in table.columns
            )
            made.append(f"<thead><tr>{''.join(heads)}</tr></thead>\n")
        made.append("<tbody>\n")
        for cells in table.rows:
            last = table.total and cells is table.rows[-1]
            start = '<tr class="total">' if last else "<tr>"
            row = map(partial(self._cell, f"{around}<tbody>{start}"), table.columns, cells)
            made.append(f"{start}{''.join(row)}</tr>\n")
        made.append("</tbody>\n")
        return self.put(f"{around}\n{{}}</table>\n", "".join(made))

    def _head(self, column: sheet.Column) -> str:
        kind = "" if self.dense else f' class="{column.kind}"'
        return f'<th scope="col"{kind}>{{}}</th>'

    def _cell(self, within: str, column: sheet.Column, cell: str) -> str:
        said = self.cite(cell)
        if column.kind == "key":
            short = " short" if len(cell) <= _SHORT else ""
            kind = "" if self.dense else f' class="key{short}"'
            return self.put(f'<th scope="row"{kind}>{{}}</th>', said, within=within)
        if self.dense:
            return self.put("<td>{}</td>", said, within=within)
        if not (column.title and cell):
            return self.put(f'<td class="{column.kind}">{{}}</td>', said, within=within)
        shape = f'<td class="{column.kind}" data-title="{{}}">{{}}</td>'
        return self.put(shape, quoted(column.title), said, within=within)


def kinds(source: str) -> Kinds:
    """Return the tables to style by column: there are too many cells."""
    tables = list(_tables(source))
    if sum(len(table.rows) * len(table.columns) for table in tables) <= _MOST_CELLS:
        return ()
    return tuple(dict.fromkeys(table.columns for table in tables))


def _tables(source: str) -> Iterator[sheet.Table]:
    for block in sheet.blocks(source):
        match block:
            case sheet.Table():
                yield block
            case sheet.Aside(text):
                yield from _tables(text)


def _shape(line: str) -> str:
    return "items" if line.startswith("* ") else "kept" if line.startswith(" ") else "text"


def _is_wide(table: sheet.Table) -> bool:
    """Return whether rows do not fit a phone. In two columns the second wraps."""
    return len(table.columns) > 2 and _breadth(table) > _NARROW


def _breadth(table: sheet.Table) -> float:
    """Return the widest row's characters: figures do not wrap, words do."""
    cells = zip(*(tuple(c.title for c in table.columns), *table.rows), strict=True)
    return sum(map(_need, table.columns, cells)) + 1.5 * len(table.columns)


def _need(column: sheet.Column, cells: Sequence[str]) -> int:
    widest = max(map(len, cells))
    longest = max(len(word) for cell in cells for word in cell.split(" "))
    return widest if column.kind == "number" else max(longest, min(widest, 13))
