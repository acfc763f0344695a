"""The whole site: who writes what of it, and when. The folders in it are the games', by their ids.

A game's pages are written anew when all have been told something of it; what has changed is on file
until that is done, so that neither a folder that is full nor a plug that is pulled loses a
bulletin. Nothing is written within a transaction, and nothing that goes wrong here is more than
trouble."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import structlog
from markupsafe import escape
from sqlalchemy import Connection

from pbem.errors import DatabaseError, OperatorError, OverBudget
from pbem.games import GAMES
from pbem.pages import html
from pbem.periods import dates
from pbem.post.work import Site, Work
from pbem.store import games, notes, pictures, resources, shelf, templates
from pbem.store.database import reading, transaction
from pbem.store.games import Table
from pbem.store.states import GameState, PeriodState
from pbem.website import feed, index, public, rules
from pbem.website.files import Folder
from pbem.website.public import Issue, Line, PublicGame
from pbem.website.rules import Cite

log = structlog.get_logger()
AT_ONCE = 20
"""So many games are written in one pass; the others in the next."""
_TABLES = "site"
"""The memo of the open tables that the first page has."""
_BEGUN = (GameState.RUNNING, GameState.HELD, GameState.OVER)


def write(work: Work, to: Folder) -> int:
    """The whole site; the number of games on it."""
    _frame(to)
    known = games.in_state(work.conn, *_BEGUN)
    index.keep(to, {game_id: write_game(work, to, game_id) for game_id in known})
    return index.write(work, to, index.joinable(work))


def renew(site: Site, now: datetime, crash: Callable[[str], None], ends: Callable[[], bool]) -> int:
    """Write anew what has changed of the games, or until it ``ends``; how many. What is not written
    stays to be, and the lists wait for it; what cannot be stays too, is tried after all others, and
    once these are written OperatorError is raised."""
    to = Folder(Path(site.config.site.folder), site.config.site.address)
    if not to.has("index.html"):
        _begin(site, to, now)
    with reading(site.engine) as conn:
        work = Work(conn, site.mark, site.config, now)
        open_now = index.joinable(work)
        said = {"tables": [list(one.changes) for one in open_now]}
        marks = notes.all_stale(conn)
        changed = dict(sorted(marks.items(), key=_turn)[:AT_ONCE])
        if not changed and to.has("index.html") and notes.memo(conn, _TABLES) == said:
            return 0
        _frame(to)
        written, failed = _written(work, to, changed, ends)
        index.keep(to, written)
        whole = len(written) + len(failed) == len(changed)
        if whole:
            index.write(work, to, open_now)
    crash("pages.written")
    with transaction(site.engine) as conn:
        notes.written(conn, {game_id: changed[game_id] for game_id in written})
        notes.not_written(conn, now, {game_id: changed[game_id] for game_id in failed})
        if whole:
            notes.set_memo(conn, _TABLES, said)
    crash("pages.noted")
    if failed:
        raise OperatorError("; ".join(list(failed.values())[:3]))
    return len(written)


def _turn(marked: tuple[str, Mapping[str, Any]]) -> tuple[bool, str]:
    """Whose turn is next: that which has waited the longest, before what could not be written."""
    _, mark = marked
    return mark.get("failed", False), mark["since"]


def _begin(site: Site, to: Folder, now: datetime) -> None:
    """A folder that is new: all games are to be written to it, unless nothing can be."""
    _frame(to)
    with transaction(site.engine) as conn:
        notes.stale(conn, now, *games.in_state(conn, *_BEGUN))


def _written(
    work: Work, to: Folder, changed: Iterable[str], ends: Callable[[], bool]
) -> tuple[dict[str, Line | None], dict[str, str]]:
    """Those of the changed games whose pages are written, one at the least, each as the lists are
    to have it, and why those of others cannot be."""
    done: dict[str, Line | None] = {}
    failed: dict[str, str] = {}
    for game_id in changed:
        if (done or failed) and ends():
            break
        try:
            done[game_id] = write_game(work, to, game_id)
        except DatabaseError:
            raise
        except OperatorError as error:
            failed[game_id] = str(error)
        except (Exception, OverBudget) as error:
            log.exception("pages not written", game=game_id)
            failed[game_id] = f"the pages of {game_id}: {type(error).__name__}: {error}"
    return done, failed


def _frame(to: Folder) -> None:
    """What the pages of all games share."""
    to.put("site.css", _styles())
    to.put("pocket.py", resources.text("docs", "pocket.py"))
    for key in GAMES:
        rules.write(to, key)


def write_game(work: Work, to: Folder, game_id: str) -> Line | None:
    """The pages of one game, which in one line is told; where it is not for everybody, they go, and
    that is None."""
    found = public.game(work.conn, game_id)
    if found is None:
        to.drop(game_id)
        return None
    at, game = found
    made: dict[str, str | bytes] = dict(_pages(work, to, game))
    begun = games.table(work.conn, game_id, 1).period.opened
    made["feed.xml"] = feed.atom(game, begun, to.address, work.mark.domain)
    if dated := _calendar(work, at):
        made["calendar.ics"] = dated
    made["index.html"] = _index(work, to, game, dated=bool(dated))
    for name, content in made.items():
        to.put(f"{game_id}/{name}", content)
    drawn = {file for issue in game.issues for file in _files(issue).values()}
    to.keep(game_id, {*made, *drawn})
    return game.line


def _pages(work: Work, to: Folder, game: PublicGame) -> Iterable[tuple[str, str]]:
    """Each bulletin's page by the name of its file; its pictures are drawn where they are not there
    yet."""
    cite = rules.citing(shelf.rules(game.line.ruleset), f"../rules-{game.line.ruleset}.html")
    before: Issue | None = None
    for place, issue in enumerate(game.issues):
        shown = _pictures(work.conn, to, game, issue)
        after = game.issues[place + 1] if place + 1 < len(game.issues) else None
        around = {"game": game, "issue": issue, "before": before, "after": after}
        yield f"{issue.number}.html", _page("bulletin", issue.sheet, cite, shown, **around)
        before = issue


def _index(work: Work, to: Folder, game: PublicGame, *, dated: bool) -> str:
    """The page of a game."""
    shown = _pictures(work.conn, to, game, game.newest) if game.newest else {}
    watch = "" if game.line.over else index.letter(work, f"WATCH {game.id}")
    return _page("game", "", escape, shown, game=game, dated=dated, watch=watch)


def _calendar(work: Work, at: Table) -> str:
    """The deadlines of all periods that are known of."""
    last = at.period.number - (at.period.status == PeriodState.REVIEW)
    known = [games.table(work.conn, at.id, number) for number in range(1, last + 1)]
    return dates.all_of(work, at, known)


def _page(name: str, sheet: str, cite: Cite, shown: Mapping[str, str], **more: Any) -> str:
    env = templates.environment()
    return html.site_page(env, f"_shared/website/{name}.html.j2", sheet, cite, shown, **more)


def _files(issue: Issue) -> dict[str, str]:
    """The file of each picture: by what is on it, so that it is drawn once."""
    return {name: f"{digest[:20]}.png" for name, digest in issue.pictures.items()}


def _pictures(conn: Connection, to: Folder, game: PublicGame, issue: Issue) -> dict[str, str]:
    """The pictures of a bulletin, drawn where they are not there yet; their files by name."""
    files = _files(issue)
    if all(to.has(f"{game.id}/{file}") for file in files.values()):
        return files
    drawn = public.drawn(conn, game.id, issue.number)
    for name, svg in drawn.items():
        if name in files:
            to.put(f"{game.id}/{files[name]}", pictures.png(svg))
    return {name: file for name, file in files.items() if name in drawn}


def _styles() -> str:
    """The looks of a mail, and what a site has besides."""
    files = ("mail.css", "website/site.css")
    return "".join(resources.text("templates", "_shared", *name.split("/")) for name in files)
