"""The table of the desk's pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.desk import acts, game_acts, game_pages, home, letter, lists, new, tables
from pbem.desk.asked import Answer, Asked, Given


@dataclass(frozen=True, slots=True)
class Entry:
    """One page: its path and the function that makes it."""

    path: str
    function: Callable[[Asked], Answer]
    writes: bool = False
    """Whether it writes even without a posted form: a look at a secret is recorded, and a trial is
    written and rolled back."""
    posts: bool = False
    """Whether it takes a posted form."""

    def game(self, path: Mapping[str, Any], _given: Given) -> str:
        """The game that the page is about, so that other games need not wait for it; "" for all."""
        return str(path.get("game", "")) if self.writes else ""


class _Acts(Entry):
    """The acts, each a page of its own."""

    def game(self, path: Mapping[str, Any], given: Given) -> str:
        """The game of an act that concerns one game alone."""
        return acts.game_of(str(path["act"]), given)


PAGES = (
    Entry("/", home.page),
    Entry("/games", lists.games_page),
    Entry("/letters", lists.letters_page),
    Entry("/tables/{table}", tables.page),
    Entry("/do", acts.every),
    Entry("/letters/{letter:int}", letter.page, writes=True),
    Entry("/letters/{letter:int}/html", letter.html),
    _Acts("/do/{act}", acts.page, writes=True, posts=True),
    Entry("/new", new.page, posts=True),
    Entry("/games/{game}", game_pages.page),
    Entry("/games/{game}/bulletins/{number:int}", game_pages.bulletin),
    Entry("/games/{game}/bulletins/{number:int}/as-sent", game_pages.bulletin_as_sent),
    Entry("/games/{game}/bulletins/{number:int}/{name}.png", game_pages.picture),
    Entry("/games/{game}/mails/{mail:int}", game_pages.mail),
    Entry("/games/{game}/mails/{mail:int}/as-sent", game_pages.mail_as_sent, writes=True),
    Entry("/games/{game}/seats/{seat}", game_pages.seat),
    Entry("/games/{game}/journal", game_pages.journal),
    Entry("/games/{game}/replay", game_pages.replay),
    Entry("/games/{game}/preview", game_acts.preview, writes=True, posts=True),
    Entry("/games/{game}/deadline", game_acts.deadline, writes=True),
    Entry("/games/{game}/rewind", game_acts.rewind, writes=True, posts=True),
)
