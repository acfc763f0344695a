"""Bulletins and private notices: from events and views to plain text within 78 columns.

In a game's ``templates/<key>/``, ``events.txt.j2`` has one macro for each kind of event,
``bulletin.txt.j2`` lays out the public facts, and ``notice.txt.j2`` a seat's own. Each event is
told with the paragraph that caused it. A template sees only views and events of its own audience.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined

from pbem import text as typeset
from pbem.errors import RefereeError
from pbem.games.frame.codec import Json
from pbem.games.frame.events import PUBLIC, Event, Seat
from pbem.games.frame.ruleset import Ruleset
from pbem.pages import macros, page, sheet
from pbem.pages.macros import in_force
from pbem.pages.page import Page
from pbem.pages.plain import plain

_FRAME: Mapping[str, Any] = {
    "game": "",
    "deadline": "",
    "rulings": (),
    "press": (),
    "house": (),
    "commitment": "",
    "agreed": "",
    "seed": "",
    "statements": "",
    "journal": "",
    "left": "",
    "zones": {},
    "signed": "",
    "closed": "",
    "players": {},
    "laid_open": (),
    "opening": {},
    "scores": {},
    "pictures": {},
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
    "page": {},
    "tables": {},
    "events": (),
    "seats": (),
    "course": (),
}
"""The names that every template of a game may use, with nothing behind them."""


@dataclass(frozen=True, slots=True)
class Issue:
    """One issue of the bulletin."""

    key: str
    title: str
    number: int
    """The period closed; 0: the opening."""
    phase: str
    """The phase that was adjudicated; "" for the opening."""
    events: tuple[Event, ...]
    """All events of the period."""
    view: Json
    """The public view after the period."""
    views: Mapping[Seat, Json]
    """Each seat's own view."""
    owed: Mapping[Seat, tuple[str, ...]]
    """The slots that each seat is asked for next, on file or not."""
    result: Json = None
    frame: Mapping[str, Any] = field(default_factory=dict)
    """What the house adds, all optional: ``game`` (its id), ``deadline`` (text), ``rulings``,
    ``press``, ``commitment``, ``agreed`` (how the players ended it), ``seed``, ``statements`` (the
    request for them), ``journal``, ``house`` (notes), ``closed`` (name of the closed period),
    ``left`` (time left), ``zones`` ({seat: deadline in its own zone}, for the seat's page only),
    ``signed`` (lines that a signed letter needs before the form), ``scores`` (by seat),
    ``pictures`` ({name: SHA-256 of the SVG}). The last bulletin also has ``players`` ({seat:
    player}), ``laid_open`` (orders by period) and ``opening`` (what each seat knew at the
    beginning, for the game's block ``fixed``)."""
    tables: Mapping[str, Any] = field(default_factory=dict)
    """The game's own."""
    pages: Mapping[Seat, Page] = field(default_factory=dict)
    """What each seat's page is made of."""
    seats: tuple[Seat, ...] = ()
    """All seats, as the game names them."""
    course: Sequence[tuple[int, Mapping[Seat, int | float]]] = ()
    """(bulletin, ``scores``) of every bulletin up to this one that kept scores."""


def environment(loader: BaseLoader) -> Environment:
    """Return the template environment: strict about names, no HTML escaping in plain text, our
    filters."""
    env = macros.Environment(
        loader=loader,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        autoescape=lambda name: bool(name and (".html" in name or ".svg" in name)),
    )
    env.filters.update(
        wrap=_filled,
        listed=typeset.listed,
        counted=typeset.counted,
        thousands=typeset.thousands,
        figure=typeset.figure,
        spans=typeset.spans,
        short=typeset.short,
        columns=typeset.columns,
        safe=typeset.safe,
        gathered=_gathered,
    )
    env.globals.update(sheet.GIVEN)
    return env


def _filled(text: str, indent: int = 0, width: int = typeset.WIDTH) -> str:
    """Keep sentences as they are, because the mail's lines are filled later. Fill indented text
    here."""
    as_is = not indent and width == typeset.WIDTH
    return text.strip("\n") if as_is else typeset.wrap(text, indent, width)


def _gathered(orders: Iterable[object], ruleset: Ruleset[Any]) -> Sequence[str]:
    """Orders as they are listed for a player, those that are alike in one line."""
    return ruleset.gathered([str(order) for order in orders])


def bulletin(env: Environment, issue: Issue) -> str:
    """Return the public bulletin as plain text."""
    return plain(public_sheet(env, issue))


def notice(env: Environment, issue: Issue, seat: Seat) -> str:
    """Return what this seat alone is told, as plain text; "" if there is nothing."""
    return plain(seat_sheet(env, issue, seat))


def public_sheet(env: Environment, issue: Issue) -> str:
    """Return the sheet of the public bulletin."""
    public = [event for event in issue.events if event.audience == PUBLIC]
    return _set(env, f"{issue.key}/bulletin.txt.j2", issue, public, own=None, seat=None)


def seat_sheet(env: Environment, issue: Issue, seat: Seat) -> str:
    """The sheet of what this seat alone is told; "" if there is nothing."""
    own = [event for event in issue.events if event.audience != PUBLIC and seat in event.audience]
    return _set(env, f"{issue.key}/notice.txt.j2", issue, own, own=issue.views.get(seat), seat=seat)


def _set(
    env: Environment,
    template: str,
    issue: Issue,
    events: Sequence[Event],
    own: Json,
    seat: Seat | None,
) -> str:
    known: dict[str, Any] = {
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
        "tables": issue.tables,
        "seats": issue.seats,
        "course": issue.course,
        "page": {},
        "events": [event.json() for event in events],
        "public": [event.json() for event in issue.events if event.audience == PUBLIC],
    }
    context = dict(known)  # the macros of a game's events, form and words know no more than this
    if seat is not None and seat in issue.pages:
        known["page"] = page_of(env, issue.key, issue.pages[seat], context)
    known["words"] = _Words(env, issue.key, context)
    told = [tell(env, issue.key, event, context) for event in events]
    known["news"] = [line for line in told if line]
    with in_force(known):
        text = env.get_template(template).render(known)
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    return "\n".join(lines) + "\n" if any(lines) else ""


@dataclass(frozen=True, slots=True)
class _Words:
    """A game's words for a template of the frame: ``words.owed(slot)``."""

    env: Environment
    key: str
    context: Mapping[str, Any]

    def period(self) -> str:
        """Return what the game's rules call the period that is open now: "session 1, third"."""
        return page.worded(self.env, self.key, "period", self.context)

    def figures(self) -> str:
        """Return what the figures of the final standing are: "seats"; "" if the game does not
        say."""
        named = page.has(self.env, self.key, "figures", self.context)
        return page.worded(self.env, self.key, "figures", self.context) if named else ""

    def owed(self, slot: str) -> str:
        """Return what a slot asks for: "a vote on bill 4"."""
        return page.worded(self.env, self.key, "owed", self.context, slot)


def page_of(
    env: Environment,
    key: str,
    given: Page,
    context: Mapping[str, Any],
    *,
    form: bool = True,
) -> Mapping[str, Any]:
    """Return what a seat's page says, in words: what it ``owes`` (``nothing`` says that it owes
    nothing), its ``silence``, and its ``form`` where that is wanted."""
    nothing = page.has(env, key, "nothing", context) and page.worded(env, key, "nothing", context)
    return {
        "nothing": nothing or "You owe nothing in this period.",
        "owes": [page.worded(env, key, "owed", context, slot) for slot in given.owes],
        "silence": [" ".join(tell(env, key, one, context).split()) for one in given.silence],
        "form": page.form(env, key, given.offers, context) if form else "",
    }


def headline(env: Environment, issue: Issue) -> str:
    """Return what a bulletin says above all, for its subject; public, a few words: "L and C
    lead"."""
    public = [event.json() for event in issue.events if event.audience == PUBLIC]
    context = {**CONTEXT, "key": issue.key, "view": issue.view, "tables": issue.tables}
    return page.worded(env, issue.key, "headline", context, public, issue.result)


def tell(env: Environment, key: str, event: Event, context: Mapping[str, Any]) -> str:
    """Return one event in words with its paragraph, by the macro of its kind; "" if the macro says
    nothing. Each sentence is one line, to be filled later."""
    with in_force(context):
        macro = getattr(macros.macros(env, f"{key}/events.txt.j2"), event.kind, None)
        if macro is None:
            raise RefereeError(
                f"templates/{key}/events.txt.j2 has no macro for events of kind {event.kind!r}"
            )
        words = str(macro(event.data)).strip("\n")
    if not words.strip():
        return ""
    first, newline, rest = words.partition("\n")
    return f"{first} [{event.rule}]{newline}{rest}"
