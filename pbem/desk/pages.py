"""The table of the desk's pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.desk import acts, game_acts, game_pages, home, letter, lists, new, tables
from pbem.desk.asked import Answer, Asked, Given


@dataclass(frozen=True, slots=True)
class PageRoute:
    """A page's path and function."""

    path: str
    function: Callable[[Asked], Answer]
    writes: bool = False
    """Whether it writes without a posted form."""
    posts: bool = False

    def game(self, path: Mapping[str, Any], _given: Given) -> str:
        """Return the only game to lock; "" for all."""
        return str(path.get("game", "")) if self.writes else ""


class _Acts(PageRoute):
    def game(self, path: Mapping[str, Any], given: Given) -> str:
        return acts.game_of(str(path["act"]), given)


PAGES = (
    PageRoute("/", home.page, posts=True),
    PageRoute("/games", lists.games_page),
    PageRoute("/letters", lists.letters_page),
    PageRoute("/tables/{table}", tables.page),
    PageRoute("/do", acts.every),
    PageRoute("/letters/{letter:int}", letter.page, writes=True),
    PageRoute("/letters/{letter:int}/html", letter.html),
    _Acts("/do/{act}", acts.page, writes=True, posts=True),
    PageRoute("/new", new.page, posts=True),
    PageRoute("/games/{game}", game_pages.page),
    PageRoute("/games/{game}/bulletins/{number:int}", game_pages.bulletin),
    PageRoute("/games/{game}/bulletins/{number:int}/as-sent", game_pages.bulletin_as_sent),
    PageRoute("/games/{game}/bulletins/{number:int}/{name}.png", game_pages.picture),
    PageRoute("/games/{game}/mails/{mail:int}", game_pages.mail),
    PageRoute("/games/{game}/mails/{mail:int}/as-sent", game_pages.mail_as_sent, writes=True),
    PageRoute("/games/{game}/seats/{seat}", game_pages.seat),
    PageRoute("/games/{game}/journal", game_pages.journal),
    PageRoute("/games/{game}/preview", game_acts.preview, writes=True, posts=True),
    PageRoute("/games/{game}/deadline", game_acts.deadline, writes=True),
    PageRoute("/games/{game}/rewind", game_acts.rewind, writes=True, posts=True),
)
