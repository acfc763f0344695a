"""The table of the desk's pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.desk import acts, home, lists, new, tables
from pbem.desk.asked import Answer, Asked, Given


@dataclass(frozen=True, slots=True)
class Entry:
    """One page: its path, what makes it, whether it is a look at what is secret, which goes on
    file, and whether it takes a form that is posted."""

    path: str
    function: Callable[[Asked], Answer]
    looks: bool = False
    posts: bool = False

    def writes(self, _path: Mapping[str, Any], _given: Given) -> bool:
        """Whether it needs to write."""
        return self.looks

    def game(self, path: Mapping[str, Any], _given: Given) -> str:
        """The game that it is upon, so that others need not wait for it; "" for all."""
        return str(path.get("game", "")) if self.looks else ""


class _Acts(Entry):
    """The acts, each a page of its own."""

    def writes(self, path: Mapping[str, Any], given: Given) -> bool:
        """Whatever is tried is written, and taken back."""
        return True

    def game(self, path: Mapping[str, Any], given: Given) -> str:
        """The game of an act that is upon one alone."""
        return acts.game_of(str(path["act"]), given)


PAGES = (
    Entry("/", home.page),
    Entry("/games", lists.games_page),
    Entry("/letters", lists.letters_page),
    Entry("/tables/{table}", tables.page),
    Entry("/do", acts.every),
    _Acts("/do/{act}", acts.page, posts=True),
    Entry("/new", new.page, posts=True),
)
