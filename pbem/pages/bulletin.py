"""Bulletins and private notices: from events and views to plain text within 78 columns.

A game's ``templates/<key>/events.txt.j2`` has one macro for each kind of event, ``bulletin.txt.j2``
lays out the public facts and ``notice.txt.j2`` a seat's own. Each event is told with the paragraph
that made it happen. A template sees views and events of its own audience and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined

from pbem import text as typeset
from pbem.errors import RefereeError
from pbem.games.frame.codec import Json
from pbem.games.frame.events import PUBLIC, Event, Seat

_FRAME: Mapping[str, Any] = {
    "game": "",
    "deadline": "",
    "rulings": (),
    "press": (),
    "house": (),
    "commitment": "",
    "seed": "",
    "journal": "",
}


CONTEXT: Mapping[str, Any] = {
    "key": "",
    "title": "",
    "number": 0,
    "phase": "",
    "view": {},
    "owed": {},
    "result": None,
    "frame": _FRAME,
    "own": None,
    "seat": None,
}
"""The names that every template of a game may use, with nothing behind them."""


@dataclass(frozen=True, slots=True)
class Issue:
    """One issue of the bulletin.

    ``number`` is the period closed (0: the opening), ``phase`` the phase that was adjudicated (""
    for the opening), ``events`` all events of the period, ``view`` the public view after it,
    ``views`` the seats' own, ``owed`` what is asked of each next ({seat: slots}), whether it is on
    file or not. ``frame`` is what the house adds, all of it optional: ``game`` (its id),
    ``deadline`` (text), ``rulings``, ``press``, ``commitment``, ``seed``, ``journal``, ``house``
    (notes).
    """

    key: str
    title: str
    number: int
    phase: str
    events: tuple[Event, ...]
    view: Json
    views: Mapping[Seat, Json]
    owed: Mapping[Seat, tuple[str, ...]]
    result: Json = None
    frame: Mapping[str, Any] = field(default_factory=dict)


def environment(loader: BaseLoader) -> Environment:
    """The template environment: strict about names, no HTML escaping in plain text, our filters."""
    env = Environment(
        loader=loader,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,  # a running referee prints from the templates it began with
        autoescape=lambda name: bool(name and ".html" in name),
    )
    env.filters.update(
        wrap=typeset.wrap,
        listed=typeset.listed,
        thousands=typeset.thousands,
        figure=typeset.figure,
        spans=typeset.spans,
        columns=typeset.columns,
        safe=typeset.safe,
    )
    return env


def bulletin(env: Environment, issue: Issue) -> str:
    """The public bulletin."""
    public = [event for event in issue.events if event.audience == PUBLIC]
    return _set(env, f"{issue.key}/bulletin.txt.j2", issue, public, own=None, seat=None)


def notice(env: Environment, issue: Issue, seat: Seat) -> str:
    """What this seat alone is told; "" where there is nothing."""
    own = [event for event in issue.events if event.audience != PUBLIC and seat in event.audience]
    return _set(env, f"{issue.key}/notice.txt.j2", issue, own, own=issue.views.get(seat), seat=seat)


def _set(
    env: Environment,
    template: str,
    issue: Issue,
    events: Iterable[Event],
    own: Json,
    seat: Seat | None,
) -> str:
    context = {
        "key": issue.key,
        "title": issue.title,
        "number": issue.number,
        "phase": issue.phase,
        "view": issue.view,
        "owed": issue.owed,
        "result": issue.result,
        "frame": {**_FRAME, **issue.frame},
        "own": own,
        "seat": seat,
    }
    told = [tell(env, issue.key, event, context) for event in events]
    text = env.get_template(template).render(context, news=[line for line in told if line])
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    return "\n".join(lines) + "\n" if any(lines) else ""


def tell(env: Environment, key: str, event: Event, context: Mapping[str, Any]) -> str:
    """One event in words, by the macro of its kind, with its paragraph; "" where the macro says
    nothing."""
    module = env.get_template(f"{key}/events.txt.j2").make_module(dict(context))
    macro = getattr(module, event.kind, None)
    if macro is None:
        raise RefereeError(
            f"templates/{key}/events.txt.j2 has no macro for events of kind {event.kind!r}"
        )
    words = str(macro(event.data)).strip("\n")
    if not words.strip():
        return ""
    first, newline, rest = words.partition("\n")
    return typeset.wrap(f"{first} [{event.rule}]{newline}{rest}")
