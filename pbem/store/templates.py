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


def issue(
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
