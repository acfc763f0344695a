"""A sheet as HTML for mail programs, by ``templates/_shared/mail.html.j2`` and ``mail.css``.

Looks are inlined, because some ignore style sheets, except rules for dark or narrow screens. Links
begin a letter to the referee.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import groupby, zip_longest
from typing import Any
from urllib.parse import quote

import css_inline
from jinja2 import Environment
from markupsafe import Markup

from pbem.games.frame.ruleset import BLANK
from pbem.pages import sheet
from pbem.pages.plain import broken
from pbem.pages.sheet import Form

_LINE = "%0D%0A"


@dataclass(frozen=True, slots=True)
class Links:
    """Links of one mail."""

    address: str
    subject: str

    def line(self, text: str) -> str:
        """Return a letter with one line, broken as the mail prints it."""
        return self._letter(list(broken(text)))

    def trial(self, form: Form | None) -> str:
        orders = [order for order, *_ in form.lines] if form else []
        return self._letter(["CHECK", *(line for order in orders for line in broken(order))])

    def _letter(self, lines: Sequence[str]) -> str:
        """Return the mailto address (RFC 6068). The last line is empty, for text that programs add
        below."""
        body = _LINE.join(map(_quoted, [*lines, ""]))
        return f"mailto:{self.address}?subject={_quoted(self.subject)}&body={body}"


@lru_cache(maxsize=1024)
def _quoted(line: str) -> str:
    """Cached: many mails share lines."""
    return quote(line, safe="")


Looks = Callable[[str, str], str]
"""(shape, start tags around it) -> styled shape."""
Kinds = Sequence[tuple[sheet.Column, ...]]

_EMPTY_LINE = re.compile(r"\n[ \t]*+\n")
_NARROW = 43  # characters of a row that fit a phone
_SHORT = 12  # characters of a name that stands in one line
FROM = "Send this from the address at which you got this mail."
"""A phone writes from its first address."""
_MOST_CELLS = 400  # more would exceed what mail programs show


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

    def letter(self, source: str) -> str:
        """Return the body of a mail: blocks, links to words, and from where to send them."""
        body = self.blocks(source) + self._words(source)
        if 'href="mailto:' in body:
            body += self.put('<p class="words">{}</p>\n', FROM)
        return body

    def _words(self, source: str) -> str:
        if self.links is None:
            return ""
        forms = [one for one in sheet.blocks(source) if isinstance(one, sheet.Form)]
        targets = (
            (self.links.line("ORDERS"), "Show my orders"),
            (self.links.trial(forms[-1] if forms else None), "Try orders first"),
            (self.links.line("READY"), "I am ready"),
            (self.links.line("HELP"), "Help"),
        )
        within = '<p class="words">'
        link = self.looks('<a class="write" href="{}">{}</a>', within)
        links = (link.format(quoted(to), name) for to, name in targets)
        return self.put('<p class="words">{}</p>\n', " ".join(links))

    def _block(self, block: sheet.Block) -> str:
        match block:
            case sheet.Text(text):
                return "".join(self._paragraphs(text))
            case sheet.Entry():
                return self._entry(block)
            case sheet.Heading(text):
                return self.put(f"<h{self.level}>{{}}</h{self.level}>\n", escaped(text))
            case sheet.Orders(orders):
                code = self.looks("{} <code>{}</code>", "")
                lines = (code.format(sheet.numbered(n), escaped(order)) for n, order in orders)
                return self.put('<p class="orders">{}</p>\n', "<br>".join(lines))
            case sheet.Table():
                return self._table(block)
            case sheet.Form(rows):
                offers = (self._offer(order, effect, words) for order, effect, *words in rows)
                return self.put('<div class="form">{}</div>\n', "".join(offers))
            case sheet.Masthead(title, line):
                top = f'<p class="title">{{}}</p>\n<h{self.level - 1}>{{}}</h{self.level - 1}>\n'
                return self.put(top, escaped(title), escaped(line))
            case sheet.Fenced(lines):
                said = "<br>".join(map(escaped, lines))
                return self.put("<blockquote>{}</blockquote>\n", said)
            case sheet.Aside(text):
                return self.put('<div class="aside">\n{}\n</div>\n', self.blocks(text))
            case sheet.Picture(name, alt):
                if name not in self.pictures:
                    return self.put('<p class="figure">{}</p>\n', escaped(alt))
                shape = '<p class="figure"><img src="{}" alt="{}" width="480"></p>\n'
                return self.put(shape, quoted(self.pictures[name]), quoted(alt))
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
        number, below = escaped(sheet.numbered(entry.number)), entry.below
        if entry.order:
            order = "<br>".join(map(escaped, (entry.order, *below)))
            written = entry.written and self.links
            if not entry.said and not written:
                return self.put('<p class="line">{} <code>{}</code></p>\n', number, order)
            shape = '<p class="line">{} <code>{}</code><br><span class="effect">{}</span>{}</p>\n'
            link = f" {self._link(entry.order, 'write this order')}" if written else ""
            return self.put(shape, number, order, self.cite(entry.said), link)
        parts = [self.cite(entry.said)]
        for line, following in zip_longest(below, below[1:], fillvalue=""):
            if line.startswith(" ") or following.startswith(" "):
                parts.append(self.put('<code class="below">{}</code>', escaped(line)))
            else:
                parts.append(self.put('<span class="effect">{}</span>', self.cite(line)))
        if self.links and entry.writes:
            parts.append(" ".join(self._link(one, one) for one in entry.writes))
        return self.put('<p class="line">{} {}</p>\n', number, "<br>".join(parts))

    def _link(self, line: str, name: str) -> str:
        assert self.links is not None
        link = self.looks('<a class="write" href="{}">{}</a>', "")
        return link.format(quoted(self.links.line(line)), escaped(name))

    def _offer(self, order: str, effect: str, choices: Sequence[str]) -> str:
        pieces = [escaped(piece.strip()) for piece in broken(order)]
        made = self.put("<code>{}</code>", "<br>&nbsp;&nbsp;".join(pieces))
        if effect:
            made += self.put('<br><span class="effect">{}</span>', escaped(effect))
        if self.links:
            letters = [(order.replace(BLANK, one, 1), one) for one in choices]
            written = " ".join(self._link(*one) for one in letters or [(order, "write this")])
            made += f"{' ' if effect else '<br>'}{written}"
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

    def _table(self, table: sheet.Table) -> str:
        wide = len(table.columns) > 2 and _breadth(table) > _NARROW
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
        shown = self.cite(cell)
        if column.kind == "key":
            short = " short" if len(cell) <= _SHORT else ""
            kind = "" if self.dense else f' class="key{short}"'
            return self.put(f'<th scope="row"{kind}>{{}}</th>', shown, within=within)
        if self.dense:
            return self.put("<td>{}</td>", shown, within=within)
        if not (column.title and cell):
            return self.put(f'<td class="{column.kind}">{{}}</td>', shown, within=within)
        shape = f'<td class="{column.kind}" data-title="{{}}">{{}}</td>'
        return self.put(shape, quoted(column.title), shown, within=within)


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


def _breadth(table: sheet.Table) -> float:
    """Return the widest row's characters: figures do not wrap, words do."""
    cells = zip(*(tuple(c.title for c in table.columns), *table.rows), strict=True)
    return sum(map(_need, table.columns, cells)) + 1.5 * len(table.columns)


def _need(column: sheet.Column, cells: Sequence[str]) -> int:
    widest = max(map(len, cells))
    longest = max(len(word) for cell in cells for word in cell.split(" "))
    return widest if column.kind == "number" else max(longest, min(widest, 13))


CITED = re.compile(r"\[((?:[A-Z]?[0-9][\w.]*)(?:, [A-Z]?[0-9][\w.]*)*)\]")
_HOLE = re.compile(r'(?<!")\{\}')
"""A hole between tags."""
_EDGE, _KEPT = "<!-- edge -->", "<!--{}-->"
"""Comments, which may stand anywhere."""
_TITLE, _BODY = "\ue000", "\ue001"
_INLINER = css_inline.CSSInliner(keep_style_tags=True, load_remote_stylesheets=False)


@lru_cache(maxsize=16)
def page(
    env: Environment,
    source: str,
    title: str,
    divider: str,
    pictures: tuple[str, ...] = (),
    links: Links | None = None,
) -> str:
    """Return a sheet as HTML without scripts or outside resources. divider: no answer is read below
    it. pictures: sent along; words replace others. Cached: the readers of a bulletin share it."""
    looks, dense = partial(_inlined, env), kinds(source)
    shown = {name: f"cid:{name}" for name in pictures}
    setting = Setting(partial(_cited, looks), shown, looks, links, dense=dense)
    head, top, bottom = _frame(env, divider, dense)
    return f"{head}{escaped(title)}{top}{setting.letter(source)}{bottom}"


@lru_cache(maxsize=16)
def _frame(env: Environment, divider: str, dense: Kinds) -> tuple[str, str, str]:
    made = env.get_template("_shared/mail.html.j2").render(
        title=_TITLE, body=_BODY, divider=divider, dense=dense
    )
    head, _, rest = _INLINER.inline(made).partition(_TITLE)
    top, _, bottom = rest.partition(_BODY)
    return head, top, bottom


@lru_cache(maxsize=512)
def _inlined(env: Environment, shape: str, within: str) -> str:
    body = Markup(f"{within}{_EDGE}{_HOLE.sub(_KEPT, shape)}{_EDGE}")
    made = env.get_template("_shared/mail.html.j2").render(
        title="", body=body, divider="", dense=()
    )
    _, shown, _ = _INLINER.inline(made).split(_EDGE)
    return shown.replace(_KEPT, "{}")


def site_page(
    env: Environment,
    template: str,
    source: str,
    cite: Callable[[str], Markup],
    pictures: Mapping[str, str],
    *,
    top: int = 2,
    **more: Any,
) -> str:
    """Return a page of the site. cite: makes a sentence HTML. pictures: addresses. top: heading
    level."""
    dense = kinds(source)
    body = Setting(cite, pictures, level=top, dense=dense).blocks(source)
    return env.get_template(template).render(
        body=Markup(body), dense=dense, pictures=pictures, **more
    )


def cited(line: str) -> Markup:
    return Markup(_cited(as_they_are, line))


def _cited(looks: Looks, line: str) -> str:
    said = escaped(line.strip())
    if "[" not in said:
        return said
    return CITED.sub(looks('<span class="cite">[{}]</span>', "").replace("{}", r"\1"), said)
