"""Write the whole site, a folder a game.

A game's pages are rewritten when players are told something; its mark stays until then. The
database is read after locking, so older pages never replace newer ones. Then: the rules as pages.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import structlog
from markupsafe import Markup, escape
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from pbem.errors import DatabaseError, OperatorError, OutsideError, OverBudget, PbemError
from pbem.games import GAMES
from pbem.house import pictures, resources, shelf, templates
from pbem.pages import html
from pbem.pages.rulebook import Rules
from pbem.periods import issue_mails, own_page
from pbem.post.work import Installation, Work
from pbem.store.engine.database import exclusive_transaction, reading
from pbem.store.games import games
from pbem.store.joining import practices
from pbem.store.journal import notes
from pbem.store.schema.states import GameState, PeriodState
from pbem.text import counted
from pbem.website import feed, index, public
from pbem.website.files import Folder, SiteFolder
from pbem.website.public import PublicGame, PublicIssue

Cite = Callable[[str], Markup]
"""Makes a sentence HTML."""


def citing(book: Rules, page: str) -> Cite:
    """Return a function that makes a sentence HTML, citations linked to page."""
    known = book.paragraphs

    def linked(found: re.Match[str]) -> str:
        each = found[1].split(", ")
        links = (f'<a href="{page}#p{one}">{one}</a>' if one in known else one for one in each)
        return f'<span class="cite">[{", ".join(links)}]</span>'

    return lambda line: Markup(html.CITED.sub(linked, html.escaped(line.strip())))


log = structlog.get_logger()
AT_ONCE = 20
"""Games written before that is stored."""
PATIENCE = 10.0
"""Seconds that ``pbem site`` waits for another writer."""
_BEGUN = (GameState.RUNNING, GameState.HELD, GameState.OVER)
_TOLD = 3
Marks = Mapping[str, Mapping[str, Any]]
"""Game -> the mark of its last change."""


class PagesTried(NamedTuple):
    """What became of some games' pages."""

    written: Sequence[str]
    failed: Mapping[str, PbemError]
    """Game -> why not."""
    ended: bool
    """Whether it stopped before all were tried."""


def write(
    installation: Installation, now: datetime, at: SiteFolder
) -> tuple[int, PbemError | None]:
    """Write the whole site. Return the number of games, and what failed or None. Raise
    FolderBusy."""
    failed = dict[str, PbemError]()
    with at.writing(PATIENCE) as to:
        _frame(to)
        with reading(installation.engine) as conn:
            known = _public(conn)
        for share in _shares(known):
            failed |= _tried(installation, now, to, share, lambda: False).failed
        index.falls_behind(to)
        return _lists(installation, now, to), _trouble(failed)


def renew(
    installation: Installation,
    now: datetime,
    crash: Callable[[str], None],
    ends: Callable[[], bool],
) -> int:
    """Write changed games, then the lists, until done or ends(). Return the number of games.

    Unwritten games stay marked. A failing one is tried last; its error is raised at the end. Raise
    FolderBusy.
    """
    written, failed, ended = 0, dict[str, PbemError](), False
    ours = installation.config.site
    with SiteFolder(Path(ours.folder), ours.address or None).writing() as to:
        _begin(installation, now, to)
        for marks in _waiting(installation, failed):
            tried = _tried(installation, now, to, list(marks), ends)
            crash("pages.written")
            with exclusive_transaction(installation.engine) as conn:
                notes.written(conn, {one: marks[one] for one in tried.written})
                notes.not_written(conn, now, {one: marks[one] for one in tried.failed})
            crash("pages.noted")
            written += len(tried.written)
            failed |= tried.failed
            ended = tried.ended or ends()
            vain = not tried.written and all(one.get("failed") for one in marks.values())
            if ended or vain:  # all of these failed before: leave the rest
                break
        if not ended:
            _lists(installation, now, to)
    if trouble := _trouble(failed):
        raise trouble
    return written


def _public(conn: Connection) -> Sequence[str]:
    """Practice games have no pages."""
    practised = practices.ids(conn)
    return [one for one in games.in_state(conn, *_BEGUN) if one not in practised]


def _begin(installation: Installation, now: datetime, to: Folder) -> None:
    """Mark all games if the folder is new, moved or another database's, if writable."""
    of = {
        "folder": str(to.path.absolute()),
        "address": to.address or "",
        "referee": installation.mark.address,
    }
    with reading(installation.engine) as conn:
        if to.has("index.html") and notes.memo(conn, notes.SITE) == of:
            return
    _frame(to)
    index.falls_behind(to)
    with exclusive_transaction(installation.engine) as conn:
        notes.set_memo(conn, notes.SITE, of)
        notes.stale(conn, now, *_public(conn))


def _waiting(installation: Installation, failed: Collection[str]) -> Iterator[Marks]:
    while True:
        with reading(installation.engine) as conn:
            marks = notes.all_stale(conn)
        # the longest waiting first, failed ones last
        turn = sorted(marks, key=lambda one: (marks[one].get("failed", False), marks[one]["since"]))
        left = {one: marks[one] for one in turn}
        if not left.keys() - failed:
            return
        for share in _shares([one for one in left if one not in failed]):
            yield {one: left[one] for one in share}


def _shares(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    return (ids[first : first + AT_ONCE] for first in range(0, len(ids), AT_ONCE))


def _tried(
    installation: Installation,
    now: datetime,
    to: Folder,
    ids: Sequence[str],
    ends: Callable[[], bool],
) -> PagesTried:
    written, failed = list[str](), dict[str, PbemError]()
    with reading(installation.engine) as conn:
        work = Work(conn, installation.mark, installation.config, now)
        for game_id in ids:
            if (written or failed) and ends():
                break
            try:
                write_game(work, to, game_id)
                written.append(game_id)
            except (DatabaseError, DBAPIError):
                raise
            except PbemError as error:
                failed[game_id] = error
            except (Exception, OverBudget) as error:
                log.exception("pages not written", game=game_id)
                said = f"the pages of {game_id}: {type(error).__name__}: {error}"
                failed[game_id] = OutsideError(said)
    return PagesTried(written, failed, len(written) + len(failed) < len(ids))


def _trouble(failed: Mapping[str, PbemError]) -> PbemError | None:
    """Return one error for all failed games. OperatorError if only files are in the way."""
    if not failed:
        return None
    said = [f"{error}" for error in failed.values()]
    more = f"; and {counted(len(said) - _TOLD, 'game')} more" if len(said) > _TOLD else ""
    outside = any(isinstance(error, OutsideError) for error in failed.values())
    return (OutsideError if outside else OperatorError)("; ".join(said[:_TOLD]) + more)


def _lists(installation: Installation, now: datetime, to: Folder) -> int:
    """Write lists and shared files unless current. Return their number of games, or 0. Raise
    OperatorError if the club's own words cannot be read; all else is written then."""
    words, trouble = "", None
    try:
        words = index.words(installation.config.site.welcome)
    except OperatorError as error:
        trouble = error
    with reading(installation.engine) as conn:
        work = Work(conn, installation.mark, installation.config, now)
        listed = index.listed(work, words)
        number = 0
        if not (to.has("index.html") and to.text(index.LISTED) == listed.text):
            _frame(to)
            number = index.write(work, to, listed)
    if trouble:
        raise trouble
    return number


def _frame(to: Folder) -> None:
    files = (("mail.css",), ("website", "site.css"))
    to.put("site.css", "".join(resources.text("templates", "_shared", *one) for one in files))
    to.put("pocket.py", resources.text("docs", "pocket.py"))
    page = templates.environment().get_template("_shared/website/rules.html.j2")
    for key in GAMES:
        book = shelf.rules(key)
        to.put(f"rules-{key}.html", page.render(book=book, key=key, cited=citing(book, "")))


def write_game(work: Work, to: Folder, game_id: str) -> None:
    """Write a game's pages, or remove them if it is not public."""
    public_game = public.game(work.conn, game_id)
    if public_game is None:
        if to.drop(game_id):
            feed.drop(to, game_id)
            index.falls_behind(to)
            to.settle("")
        return
    at, game = public_game
    made: dict[str, str | bytes] = dict(_pages(work, to, game))
    begun = games.game_at(work.conn, game_id, 1).period.opened
    made["feed.xml"] = feed.of_game(game, begun, to.address, work.mark.domain)
    last = at.period.number - (at.period.status == PeriodState.REVIEW)
    known = [games.game_at(work.conn, game_id, number) for number in range(1, last + 1)]
    title = f"{game_id}: {at.ruleset.about.title}"
    if dated := own_page.all_of(work, at, known, title=title):
        made["calendar.ics"] = dated
    if signed := issue_mails.charter(work.conn, at):
        made["charter.html"] = _page("charter", signed, escape, {}, game=game)
    figures, charter = templates.figures(at.ruleset, at.state), "charter.html" in made
    made["index.html"] = _index(work, to, game, dated=bool(dated), charter=charter, figures=figures)
    for name, content in made.items():
        to.put(f"{game_id}/{name}", content)
    index.falls_behind(to)
    feed.put(to, game)
    to.put(f"{game_id}/{index.LINE}", index.kept(game.line))
    drawn = {file for issue in game.issues for file in _files(issue).values()}
    to.keep(game_id, {*made, *drawn, index.LINE})
    to.settle(game_id)


def _pages(work: Work, to: Folder, game: PublicGame) -> Iterable[tuple[str, str]]:
    cite = citing(shelf.rules(game.line.ruleset), f"../rules-{game.line.ruleset}.html")
    before: PublicIssue | None = None
    for place, issue in enumerate(game.issues):
        shown = _pictures(work.conn, to, game, issue)
        after = game.issues[place + 1] if place + 1 < len(game.issues) else None
        around = {"game": game, "issue": issue, "before": before, "after": after}
        yield f"{issue.number}.html", _page("bulletin", issue.sheet, cite, shown, **around)
        before = issue


def _index(work: Work, to: Folder, game: PublicGame, **more: Any) -> str:
    shown = _pictures(work.conn, to, game, game.newest) if game.newest else {}
    watch = "" if game.line.over else index.letter(work, f"WATCH {game.id}")
    return _page("game", "", escape, shown, game=game, watch=watch, **more)


def _page(name: str, sheet: str, cite: Cite, shown: Mapping[str, str], **more: Any) -> str:
    env = templates.environment()
    return html.site_page(env, f"_shared/website/{name}.html.j2", sheet, cite, shown, **more)


def _files(issue: PublicIssue) -> dict[str, str]:
    return {name: f"{digest[:20]}.png" for name, digest in issue.pictures.items()}


def _pictures(conn: Connection, to: Folder, game: PublicGame, issue: PublicIssue) -> dict[str, str]:
    files = _files(issue)
    if all(to.has(f"{game.id}/{file}") for file in files.values()):
        return files
    drawn = public.drawn(conn, game.id, issue.number)
    for name, svg in drawn.items():
        if name in files:
            to.put(f"{game.id}/{files[name]}", pictures.png(svg))
    return {name: file for name, file in files.items() if name in drawn}
