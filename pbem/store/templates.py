"""The shell's side of bulletins: the template folder, and issues made of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from jinja2 import Environment, FileSystemLoader

from pbem.games.frame.events import Event, Seat
from pbem.games.frame.ruleset import Ruleset
from pbem.pages import bulletin
from pbem.pages.bulletin import Issue
from pbem.store import resources


@lru_cache
def environment() -> Environment:
    """The environment over the ``templates/`` folder."""
    return bulletin.environment(FileSystemLoader(resources.path("templates")))


def issue(  # noqa: PLR0913  what a bulletin is made of
    ruleset: Ruleset[Any],
    state: Any,
    seats: Sequence[Seat],
    number: int,
    phase: str,
    events: Sequence[Event],
    frame: Mapping[str, Any] | None = None,
) -> Issue:
    """The issue that closes a period: views and what is asked next are taken from the state after
    it."""
    result, asked = ruleset.result(state), ruleset.asked(state)
    return Issue(
        ruleset.about.key,
        ruleset.about.title,
        number,
        phase,
        tuple(events),
        ruleset.view(state, None),
        {seat: ruleset.view(state, seat) for seat in seats},
        {seat: asked.get(seat, ()) for seat in seats},
        result.json() if result else None,
        dict(frame or {}),
    )


def tables(key: str) -> Sequence[str]:
    """The names of a game's tables, as people ask for them."""
    folder = resources.path("templates", key, "tables")
    return sorted(file.name.partition(".")[0] for file in folder.glob("*.txt.j2"))


def table(key: str, name: str, values: Mapping[str, Any]) -> str:
    """One of them in print, of a game's own ``values``."""
    page = environment().get_template(f"{key}/tables/{name}.txt.j2").render(tables=values)
    return "\n".join(line.rstrip() for line in page.strip("\n").split("\n"))
