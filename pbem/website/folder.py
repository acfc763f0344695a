"""The site as a folder of files: each is written whole under another name and then put in its
place, and one that would stay the same is left alone."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape
from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.games import GAMES
from pbem.pages import html
from pbem.pages.rulebook import Rules
from pbem.periods import dates
from pbem.post.work import Site, Work
from pbem.store import games, notes, pictures, resources, shelf, templates
from pbem.store.database import reading, transaction
from pbem.store.states import GameState
from pbem.website import feed, public
from pbem.website.public import Issue, PublicGame

_CITED = re.compile(r"\[((?:[A-Z]?[0-9][\w.]*)(?:, [A-Z]?[0-9][\w.]*)*)\]")
_PLACES = "_shared/website"


@dataclass(frozen=True, slots=True)
class Folder:
    """Where the site is written; ``address``: where it will be read, "" for anywhere."""

    path: Path
    address: str = ""

    def put(self, name: str, content: str | bytes) -> None:
        """A file of the site; raises OperatorError where it cannot be written."""
        file, raw = self.path / name, content.encode() if isinstance(content, str) else content
        try:
            if file.is_file() and file.read_bytes() == raw:
                return
            file.parent.mkdir(parents=True, exist_ok=True)
            made = file.with_name(f".{file.name}.new")
            made.write_bytes(raw)
            os.replace(made, file)
        except OSError as error:
            raise OperatorError(f"the site: {file}: {error.strerror}") from error

    def has(self, name: str) -> bool:
        """Whether there is such a file already."""
        return (self.path / name).is_file()

    def drop(self, name: str) -> None:
        """What was there of a game is there no more."""
        shutil.rmtree(self.path / name, ignore_errors=True)


def write(work: Work, to: Folder) -> int:
    """The whole site; the number of games on it."""
    for key in GAMES:
        _rules(to, key)
    to.put("site.css", _styles())
    to.put("pocket.py", resources.text("docs", "pocket.py"))
    known = games.in_state(work.conn, GameState.RUNNING, GameState.HELD, GameState.OVER)
    for game_id in known:
        write_game(work, to, game_id)
    return write_index(work, to)


def renew(site: Site, now: datetime) -> int:
    """Write anew what has changed of the games; how many. What cannot be written stays to be."""
    to = Folder(Path(site.config.site.folder), site.config.site.address)
    with reading(site.engine) as conn:
        changed = notes.all_stale(conn)
        if not changed:
            return 0
        work = Work(conn, site.mark, site.config, now)
        if not to.has("index.html"):
            write(work, to)
        else:
            for game_id in changed:
                write_game(work, to, game_id)
            write_index(work, to)
    with transaction(site.engine) as conn:
        notes.written(conn, changed)
    return len(changed)


def write_game(work: Work, to: Folder, game_id: str) -> None:
    """The pages of one game; where it is not for the public, they go."""
    game = public.game(work.conn, game_id)
    if game is None:
        to.drop(game_id)
        return
    cite = _citing(shelf.rules(game.ruleset), f"../rules/{game.ruleset}.html")
    for place, issue in enumerate(game.issues):
        shown = _pictures(work.conn, to, game, issue)
        page = _page(
            "bulletin",
            issue.sheet,
            cite,
            shown,
            game=game,
            issue=issue,
            before=game.issues[place - 1] if place else None,
            after=game.issues[place + 1] if place + 1 < len(game.issues) else None,
        )
        to.put(f"{game.id}/{issue.number}.html", page)
    newest = game.newest
    shown = _pictures(work.conn, to, game, newest) if newest else {}
    to.put(f"{game.id}/index.html", _page("game", "", cite, shown, game=game))
    domain = work.mark.domain
    to.put(f"{game.id}/feed.xml", feed.atom(game, to.address, domain))
    to.put(f"{game.id}/calendar.ics", _calendar(work, game_id))


def _calendar(work: Work, game_id: str) -> str:
    """The deadline of the open period, and those of all before it."""
    at = games.table(work.conn, game_id)
    past = [games.table(work.conn, game_id, number) for number in range(1, at.period.number)]
    return dates.all_of(work, at, [*past, at])


def write_index(work: Work, to: Folder) -> int:
    """The first page; the number of games on it."""
    known = games.in_state(work.conn, GameState.RUNNING, GameState.HELD, GameState.OVER)
    found = [game for one in known if (game := public.game(work.conn, one))]
    running = sorted((one for one in found if not one.over), key=_next)
    over = [one for one in found if one.over]
    rules = {key: shelf.open_ruleset(key).about.title for key in GAMES}
    to.put(
        "index.html",
        _page("index", "", escape, {}, running=running, over=over, rules=rules, mark=work.mark),
    )
    return len(found)


def _next(game: PublicGame) -> tuple[bool, str, str]:
    """The next deadline first."""
    return game.due is None, f"{game.due}", game.id


def _page(name: str, sheet: str, cite: Any, shown: Mapping[str, str], **more: Any) -> str:
    env = templates.environment()
    return html.site_page(env, f"{_PLACES}/{name}.html.j2", sheet, cite, shown, **more)


def _rules(to: Folder, key: str) -> None:
    """The rules of a game, each paragraph with a name of its own for links."""
    book = shelf.rules(key)
    cite = _citing(book, "")
    env = templates.environment()
    made = env.get_template(f"{_PLACES}/rules.html.j2").render(book=book, key=key, cited=cite)
    to.put(f"rules/{key}.html", made)


def _citing(book: Rules, page: str) -> Any:
    """What makes a sentence HTML whose citations lead to the paragraphs on ``page``."""
    known = book.paragraphs

    def cited(line: str) -> Markup:
        return Markup(_CITED.sub(lambda found: "".join(_links(found[1], known, page)), _safe(line)))

    return cited


def _safe(line: str) -> str:
    return str(escape(line.strip()))


def _links(numbers: str, known: Mapping[str, str], page: str) -> Iterator[str]:
    """[17, 18] with each number a link, where there is such a paragraph."""
    found = [
        f'<a href="{page}#p{one}">{one}</a>' if one in known else one for one in numbers.split(", ")
    ]
    yield f'<span class="cite">[{", ".join(found)}]</span>'


def _pictures(conn: Connection, to: Folder, game: PublicGame, issue: Issue) -> dict[str, str]:
    """The pictures of a bulletin, drawn where they are not there yet; their files by name."""
    files = {name: f"{digest[:20]}.png" for name, digest in issue.pictures.items()}
    if all(to.has(f"{game.id}/{file}") for file in files.values()):
        return files
    drawn: Mapping[str, str] = public.drawn(conn, game.id, issue.number)
    for name, svg in drawn.items():
        if name in files:
            to.put(f"{game.id}/{files[name]}", pictures.png(svg))
    return {name: file for name, file in files.items() if name in drawn}


def _styles() -> str:
    """The looks of a mail, and what a site has besides."""
    names: Sequence[str] = ("_shared/mail.css", f"{_PLACES}/site.css")
    return "".join(resources.text("templates", *name.split("/")) for name in names)
