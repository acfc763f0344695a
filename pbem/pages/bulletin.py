"""Bulletins and notices: from events and views to plain text of 78 columns.

In ``templates/<key>/``, ``events.txt.j2`` has a macro for each kind of event, ``bulletin.txt.j2``
the public facts, ``notice.txt.j2`` a seat's own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined

from pbem import text as typeset
from pbem.games.frame.codec import Json
from pbem.games.frame.events import PUBLIC, Event, Seat
from pbem.orders.characters import first_word
from pbem.pages import macros, page, sheet
from pbem.pages.page import SeatPage
from pbem.pages.plain import plain

_TEXTS = ("game", "deadline", "commitment", "agreed", "seed", "statements", "journal", "closed")
_FRAME: Mapping[str, Any] = {
    **dict.fromkeys(_TEXTS, ""),
    **dict.fromkeys(("rulings", "press", "house", "laid_open"), ()),
    **{name: {} for name in ("zones", "players", "opening", "scores", "pictures", "names")},
}

FIRST, LATER = "NOT_FIRST", "NOT_LATER"
"""Lists of ``form.txt.j2``: left out of the welcome's form, and of later notices'."""
_LEARNT = 2  # from this bulletin on HELP alone has the standing orders
_ESCAPED = (".html", ".svg", ".xml")
_NAMED, _SUBJECT, _WORDS = 3, 60, 10
"""At most so many winners, characters and words in a headline."""
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


def left_out(number: int) -> str | None:
    """Return what the form below bulletin ``number`` leaves out."""
    return LATER if number >= _LEARNT else None


@dataclass(frozen=True, slots=True)
class Issue:
    """One issue of the bulletin."""

    key: str
    title: str
    number: int
    """The period closed; 0 for the opening."""
    phase: str
    """The phase adjudicated; "" for the opening."""
    events: tuple[Event, ...]
    view: Json
    views: Mapping[Seat, Json]
    owed: Mapping[Seat, tuple[str, ...]]
    """Asked of each seat next, filled or not."""
    result: Json = None
    frame: Mapping[str, Any] = field(default_factory=dict)
    """What the house adds, all optional: ``game`` (id), ``deadline`` (text), ``rulings``,
    ``press``, ``commitment``, ``agreed`` (how players ended it), ``seed``, ``statements`` (the
    request), ``journal``, ``house`` (notes), ``closed`` (period's name), ``zones`` ({seat: deadline
    in its zone}), ``scores`` (by seat), ``pictures`` ({name: SHA-256 of the SVG}), ``names`` (by
    seat; "" if hidden). The last bulletin also has ``players``, ``laid_open`` (orders by period)
    and ``opening`` (what seats knew at first, for the block ``fixed``)."""
    tables: Mapping[str, Any] = field(default_factory=dict)
    pages: Mapping[Seat, SeatPage] = field(default_factory=dict)
    seats: tuple[Seat, ...] = ()
    """All, in the game's order."""
    course: Sequence[tuple[int, Mapping[Seat, int | float]]] = ()
    """(bulletin, scores) up to this one."""
    order_words: frozenset[str] = frozenset()
    """No line of the story begins with one."""


def environment(loader: BaseLoader) -> Environment:
    """Return a strict template environment with our filters; only markup is escaped."""
    env = macros.Environment(
        loader=loader,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        autoescape=lambda name: bool(name and any(one in name for one in _ESCAPED)),
    )
    env.filters["wrap"] = _filled
    env.filters["gathered"] = lambda orders, ruleset: ruleset.gathered([*map(str, orders)])
    for name in ("listed", "counted", "thousands", "figure", "spans", "short", "safe"):
        env.filters[name] = getattr(typeset, name)
    env.globals.update(sheet.GIVEN)
    return env


def _filled(text: str, indent: int = 0, width: int = typeset.WIDTH) -> str:
    """Other sentences are filled when the mail is set."""
    as_is = not indent and width == typeset.WIDTH
    return text.strip("\n") if as_is else typeset.wrap(text, indent, width)


def bulletin(env: Environment, issue: Issue) -> str:
    return plain(public_sheet(env, issue))


def notice(env: Environment, issue: Issue, seat: Seat) -> str:
    return plain(seat_sheet(env, issue, seat))


def public_sheet(env: Environment, issue: Issue) -> str:
    public = [event for event in issue.events if event.audience == PUBLIC]
    return _set(env, f"{issue.key}/bulletin.txt.j2", issue, public, own=None, seat=None)


def seat_sheet(env: Environment, issue: Issue, seat: Seat) -> str:
    own = [event for event in issue.events if event.audience != PUBLIC and seat in event.audience]
    return _set(env, f"{issue.key}/notice.txt.j2", issue, own, own=issue.views.get(seat), seat=seat)


def facts(issue: Issue) -> dict[str, Any]:
    """Return what :data:`CONTEXT` names of an issue."""
    return {name: getattr(issue, name, otherwise) for name, otherwise in CONTEXT.items()}


def _set(
    env: Environment,
    template: str,
    issue: Issue,
    events: Sequence[Event],
    own: Json,
    seat: Seat | None,
) -> str:
    known = facts(issue) | {
        "frame": {**_FRAME, **issue.frame},
        "own": own,
        "seat": seat,
        "events": [event.json() for event in events],
        "public": [event.json() for event in issue.events if event.audience == PUBLIC],
    }
    words = _Words(env, dict(known), issue.order_words)  # all that macros may know
    if seat is not None and seat in issue.pages:
        without = left_out(issue.number)
        known["page"] = words.page(issue.pages[seat], without=without, short=issue.number > 0)
    known["words"] = words
    told = [(event.kind, words.tell(event)) for event in events]
    known["happened"] = [(kind, line) for kind, line in told if line]
    known["news"] = [line for _, line in known["happened"]]
    text = env.get_template(template).render(known)
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    return "\n".join(lines) + "\n" if any(lines) else ""


@dataclass(frozen=True, slots=True)
class _Words(page.Words):
    """Used by templates: ``words.owed(slot)``."""

    order_words: frozenset[str]

    def story(self) -> str:
        """Return the period in up to three sentences from public events, if the game has words for
        it; the headline if it has no more to tell."""
        if not self.has("story"):
            return ""
        given = self.known["public"], self.known["result"]
        words = self.worded("story", *given)
        if self.known["result"]:
            won = _won(self.known["result"])
            words = f"{won[:1].upper()}{won[1:]}. {words}".rstrip()
        if not words:
            short = self.worded("headline", *given)
            words = f"{short[:1].upper()}{short[1:]}." if short else ""
        first, *rest = words.split(" ")
        text = first
        for word in rest:
            text += ("\u00a0" if first_word(word) in self.order_words else " ") + word
        return text


def headline(env: Environment, issue: Issue) -> str:
    """Return the subject in a few public words: "L and C lead"."""
    public = [event.json() for event in issue.events if event.audience == PUBLIC]
    context = {**CONTEXT, "key": issue.key, "view": issue.view, "tables": issue.tables}
    said = page.Words(env, context).worded("headline", public, issue.result)
    if issue.result is None:
        return said
    both = "; ".join(filter(None, (_won(issue.result), said)))
    is_short = len(both) <= _SUBJECT and len(both.split()) <= _WORDS
    return both if is_short else _won(issue.result)


def _won(result: Json) -> str:
    winners = result["winners"]
    if len(winners) > _NAMED:
        return f"{len(winners)} players win the game together"
    who = typeset.listed(winners) or "nobody"
    return f"{who} {'win' if len(winners) > 1 else 'wins'} the game"
