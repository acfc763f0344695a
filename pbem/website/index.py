"""The first page of the site, its lists, and the club's table of those who agreed to stand in it.

The club's own words on the first page are a text file.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import structlog
from markupsafe import Markup, escape
from sqlalchemy.exc import DBAPIError

from pbem.errors import DatabaseError, OperatorError
from pbem.games import GAMES
from pbem.games.frame import codec
from pbem.house import houses, shelf, templates
from pbem.pages import html, sheet
from pbem.pages.html import Setting
from pbem.periods import open_tables as tables
from pbem.periods.open_tables import Facts
from pbem.post.work import Work
from pbem.store.games import club, games
from pbem.store.games.club import Listed
from pbem.store.joining import open_tables
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Issue
from pbem.text import counted, safe
from pbem.website import feed, public, zine
from pbem.website.feed import FeedEntry
from pbem.website.files import Folder
from pbem.website.public import GameSummary


class Member(NamedTuple):
    """Somebody in the table, with games and seats."""

    name: str
    seats: Sequence[tuple[GameSummary, str]]


log = structlog.get_logger()
MOST = 60
_AT_ONCE = 200
LINE = "line.json"
"""A game's summary, stored beside its pages."""
LISTED = "lists.json"
"""What the lists show; absent while they are behind."""
MEMBERS = "players.html"


@dataclass(frozen=True, slots=True)
class Joinable:
    """An open table."""

    facts: Facts
    ruleset: str
    letter: str


@dataclass(frozen=True, slots=True)
class Lists:
    """What the lists show besides the games that have begun."""

    tables: Sequence[Joinable] = ()
    members: Sequence[Listed] = ()
    """The seats of those in the club's table."""
    papers: Sequence[Issue] = ()
    """Of the club's paper, newest first."""
    welcome: str = ""

    @property
    def text(self) -> str:
        """As stored, to see changes."""
        told = [[one.facts.id, one.facts.joined] for one in self.tables]
        papers = [one.month for one in self.papers]
        return codec.text([told, [list(one) for one in self.members], papers, self.welcome])


def listed(work: Work, welcome: str) -> Lists:
    """Return what the lists show now. welcome: HTML."""
    opened = [
        Joinable(tables.facts(work, one), one.ruleset, letter(work, f"SIGNON {one.id} AS ..."))
        for one in open_tables.listed(work.conn)
        if tables.house_of(one).watch and one.is_open
    ]
    papers = [one for one in Issue.many(work.conn, order=Issue.month.desc()) if one.text][:MOST]
    return Lists(opened, club.listed(work.conn), papers, welcome)


def letter(work: Work, line: str) -> str:
    return f"mailto:{work.mark.address}?body={quote(line)}"


def write(work: Work, to: Folder, lists: Lists, most: int = MOST) -> int:
    """Write the first page and lists, most games a page. Return the number of games with pages."""
    going = games.in_state(work.conn, GameState.RUNNING, GameState.HELD)
    now = [line.at(work.now) for line in _summaries(work, to, going, over=False).values()]
    running = sorted(now, key=lambda one: (one.due is None, f"{one.due}", one.id))
    ended = club.ended(work.conn)  # the newest first
    lines = _summaries(work, to, ended, over=True)
    over = [lines[one] for one in ended if one in lines]
    rules = {key: shelf.open_ruleset(key).about.title for key in GAMES}
    _list(to, "over", over, rules, most)
    _list(to, "running", running, rules, most)
    _list(to, "tables", lists.tables, rules, most)
    members = _members(work, to, lists.members)
    papers = [*_papers(work, to, lists.papers)]
    page = templates.environment().get_template("_shared/website/index.html.j2")
    made = page.render(
        tables=lists.tables[:most],
        more_tables=len(lists.tables) > most,
        running=running[:most],
        more_running=len(running) > most,
        over=over[:most],
        more_over=len(over) > most,
        rules=rules,
        games=[_described(work, key) for key in GAMES],
        members=len(members),
        papers=papers,
        paper=letter(work, "ZINE ON") if work.config.club.zine else "",
        welcome=Markup(lists.welcome),
        ask=letter(work, "GAMES"),
        mark=work.mark,
    )
    told = [*papers, *feed.entries(work.conn, to)]
    told.sort(key=lambda one: one.updated, reverse=True)
    to.put("feed.xml", feed.feed(work.mark.name, told, work.now, to.address, work.mark.domain))
    to.put("index.html", made)
    to.settle("")
    to.put(LISTED, lists.text)
    return len(running) + len(over)


def _described(work: Work, key: str) -> dict[str, str]:
    about, house = shelf.open_ruleset(key).about, houses.usual(key)
    counts = sorted({len(one) for one in about.seats})
    few = f"{counts[0]} to " if counts[-1] > counts[0] else ""
    practises = work.limits.practice_games
    return {
        "key": key,
        "title": about.title,
        "words": houses.about(key),
        "players": f"{few}{counted(counts[-1], 'player')}",
        "lasts": houses.words(key, house, club.spans(work.conn, key, house)),
        "practise": letter(work, f"PRACTICE {key}") if practises else "",
    }


def _papers(work: Work, to: Folder, issues: Sequence[Issue]) -> Iterator[FeedEntry]:
    for one in issues:
        said, page = zine.title(work.mark.name, one.month), f"zine-{one.month}.html"
        env, frame = templates.environment(), "_shared/website/frame.html.j2"
        to.put(page, html.site_page(env, frame, one.text, escape, {}, title=said))
        yield FeedEntry(f"zine:{one.month}", said, one.at, page, one.text)


def _members(work: Work, to: Folder, seats: Sequence[Listed]) -> list[Member]:
    lines = _summaries(work, to, {one.game_id for one in seats})
    known = [one for one in seats if one.game_id in lines and lines[one.game_id].named]
    shown = [
        Member(safe(name), [(lines[one.game_id], one.seat) for one in own])
        for (_, name), own in groupby(known, key=lambda one: (one.player_id, one.name))
    ]
    if not shown:
        to.remove(MEMBERS)
        return shown
    page = templates.environment().get_template("_shared/website/members.html.j2")
    rules = {key: shelf.open_ruleset(key).about.title for key in GAMES}
    own = letter(work, "LISTED ON")
    to.put(MEMBERS, page.render(members=shown, rules=rules, letter=own))
    return shown


def falls_behind(to: Folder) -> None:
    to.remove(LISTED)


def kept(line: GameSummary) -> str:
    """Return a summary as stored, because making it needs the position."""
    return codec.text(codec.dump(line))


def _kept(to: Folder, game_id: str) -> GameSummary | None:
    """None if missing or of another form."""
    text = to.text(f"{game_id}/{LINE}")
    try:
        line = codec.load(GameSummary, codec.parse(text))
    except Exception:
        return None
    return line if line.id == game_id and kept(line) == text else None


def _summaries(
    work: Work, to: Folder, ids: Collection[str], *, over: bool | None = None
) -> dict[str, GameSummary]:
    """Return the summaries of games with pages. over: whether they are; None for any."""
    there = [one for one in sorted(ids) if to.has(f"{one}/index.html")]
    lines = {
        one: line
        for one in there
        if (line := _kept(to, one)) and (over is None or line.over == over)
    }
    for line in _found(work, [one for one in there if one not in lines]):
        to.put(f"{line.id}/{LINE}", kept(line))
        lines[line.id] = line
    return lines


def _found(work: Work, ids: Sequence[str]) -> Iterator[GameSummary]:
    for first in range(0, len(ids), _AT_ONCE):
        for row, load in games.several(work.conn, ids[first : first + _AT_ONCE]):
            try:
                if at := public.for_everybody(load()):
                    yield public.game_summary(work.conn, at)
            except (DatabaseError, DBAPIError):
                raise
            except Exception:
                log.exception("not in the lists of the site", game=row.id)


def _list(to: Folder, name: str, found: Sequence[Any], rules: dict[str, str], most: int) -> None:
    """Write further pages, ``over-2.html`` and so on; delete those no longer needed."""
    pieces = [found[first : first + most] for first in range(0, len(found), most)]
    page = templates.environment().get_template("_shared/website/list.html.j2")
    for number, piece in enumerate(pieces[1:], 2):
        made = page.render(
            name=name, games=piece, number=number, last=number == len(pieces), rules=rules
        )
        to.put(f"{name}-{number}.html", made)
    number = max(2, len(pieces) + 1)
    while to.has(f"{name}-{number}.html"):
        to.remove(f"{name}-{number}.html")
        number += 1


MOST_WELCOME = 20_000
_LINK = re.compile(
    r"\[(?P<words>[^\[\]]{1,200})\]\((?P<to>(?:https?://|mailto:)[^\s()<>\"]{1,500})\)"
    r"|(?P<bare>https?://[^\s<>\"]{1,500})"
)
_STOPS = ".,;:!?)'"
_ITEM = ("* ", "- ", "+ ")


def words(file: str) -> str:
    """Return the club's words as HTML; "" without a file. Raise OperatorError.

    Of Markdown: headings (``# ``), items (``* ``), paragraphs and links. Everything else is text.
    """
    if not file:
        return ""
    try:
        text = Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise OperatorError(f"[site] welcome: {file}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise OperatorError(f"[site] welcome: {file} is no UTF-8 text") from None
    if len(text) > MOST_WELCOME:
        raise OperatorError(f"[site] welcome: {file} has more than {MOST_WELCOME:,} characters")
    return Setting(_linked, {}, level=2).blocks("\n".join(_lines(text)))


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a sheet. A paragraph is one line."""
    paragraph = ""
    for line in text.split("\n"):
        bare = safe(line)
        title = bare.lstrip("#").strip() if bare.startswith("#") else ""
        if title or not bare or bare.startswith(_ITEM):
            yield paragraph
            paragraph = ""
        if title or not bare:
            yield from (("", sheet.heading(title), "") if title else ("",))
        elif bare.startswith(_ITEM):
            paragraph = f"* {bare[2:].strip()}"
        else:
            paragraph = f"{paragraph} {bare}".strip()
    yield paragraph


def _linked(line: str) -> Markup:
    made, done = Markup(), 0
    for found in _LINK.finditer(line):
        to = found["to"] or found["bare"].rstrip(_STOPS)
        made += escape(line[done : found.start()])
        made += Markup('<a href="{}">{}</a>').format(to, found["words"] or to)
        done = found.end() if found["to"] else found.start() + len(to)
    return made + escape(line[done:])
