"""The first page of the site and its lists: what can be joined, what runs, what is over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import structlog
from sqlalchemy.exc import DBAPIError

from pbem.errors import DatabaseError
from pbem.games import GAMES
from pbem.games.frame import codec
from pbem.house import shelf, templates
from pbem.periods import open_tables as tables
from pbem.periods.open_tables import Facts
from pbem.post.work import Work
from pbem.store.games import club, games
from pbem.store.games.club import EndedRow
from pbem.store.joining import open_tables
from pbem.store.joining.open_tables import TableRow
from pbem.store.schema.states import GameState
from pbem.website import public
from pbem.website.files import Folder
from pbem.website.public import GameSummary

log = structlog.get_logger()
MOST = 60
"""Games of one list on one page."""
_AT_ONCE = 200
LINE = "line.json"
"""A game's summary, stored beside its pages."""
_LISTED = "lists.json"
"""Open tables as listed; absent while the lists are behind."""


@dataclass(frozen=True, slots=True)
class Joinable:
    """An open table."""

    facts: Facts
    ruleset: str
    full: bool
    letter: str
    """The mailto address to sign on."""

    @property
    def changes(self) -> tuple[str, int, bool]:
        """What letters change of it."""
        return self.facts.id, self.facts.joined, self.full


def joinable(work: Work) -> list[Joinable]:
    """Return the open tables of public games."""
    return [
        _table(work, one)
        for one in open_tables.listed(work.conn)
        if tables.house_of(one).watch and one.is_open
    ]


def _table(work: Work, row: TableRow) -> Joinable:
    facts = tables.facts(work, row)
    return Joinable(
        facts,
        row.ruleset,
        facts.joined >= facts.places,
        letter(work, f"SIGNON {row.id} AS ..."),
    )


def letter(work: Work, line: str) -> str:
    """Return a mailto address with a line."""
    return f"mailto:{work.mark.address}?body={quote(line)}"


def write(work: Work, to: Folder, open_now: Sequence[Joinable], most: int = MOST) -> int:
    """Write the first page and lists, most games a page. Return the number of games with pages."""
    running = _running(work, to)
    over = [one for one in _over(work) if to.has(f"{one.id}/index.html")]
    rules = {key: shelf.open_ruleset(key).about.title for key in GAMES}
    _list(to, "over", over, rules, most)
    _list(to, "running", running, rules, most)
    _list(to, "tables", open_now, rules, most)
    page = templates.environment().get_template("_shared/website/index.html.j2")
    made = page.render(
        tables=open_now[:most],
        more_tables=len(open_now) > most,
        running=running[:most],
        more_running=len(running) > most,
        over=over[:most],
        more_over=len(over) > most,
        rules=rules,
        mark=work.mark,
    )
    to.put("index.html", made)
    to.settle("")
    to.put(_LISTED, _tables(open_now))
    return len(running) + len(over)


def _tables(open_now: Sequence[Joinable]) -> str:
    return codec.text([list(one.changes) for one in open_now])


def is_current(to: Folder, open_now: Sequence[Joinable]) -> bool:
    """Return whether the lists are up to date."""
    return to.has("index.html") and to.text(_LISTED) == _tables(open_now)


def falls_behind(to: Folder) -> None:
    """Mark the lists as behind."""
    to.remove(_LISTED)


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
    return line if line.id == game_id and not line.over and kept(line) == text else None


def _running(work: Work, to: Folder) -> list[GameSummary]:
    known = games.in_state(work.conn, GameState.RUNNING, GameState.HELD)
    there = [one for one in known if to.has(f"{one}/index.html")]
    lines = {one: line for one in there if (line := _kept(to, one))}
    for line in _found(work, [one for one in there if one not in lines]):
        to.put(f"{line.id}/{LINE}", kept(line))
        lines[line.id] = line
    now = [line.at(work.now) for line in lines.values()]
    return sorted(now, key=lambda one: (one.due is None, f"{one.due}", one.id))


def _found(work: Work, ids: Sequence[str]) -> Iterator[GameSummary]:
    """Log unreadable games and leave them out."""
    for first in range(0, len(ids), _AT_ONCE):
        for row, load in games.several(work.conn, ids[first : first + _AT_ONCE]):
            try:
                if at := public.for_everybody(load()):
                    yield public.game_summary(work.conn, at)
            except (DatabaseError, DBAPIError):
                raise
            except Exception:
                log.exception("not in the lists of the site", game=row.id)


def _over(work: Work) -> list[EndedRow]:
    return [one for one in club.ended(work.conn) if one.house.watch]


def _list(to: Folder, name: str, found: Sequence[Any], rules: dict[str, str], most: int) -> None:
    """Write a long list's further pages, ``over-2.html`` and so on. Delete pages no longer
    needed."""
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
