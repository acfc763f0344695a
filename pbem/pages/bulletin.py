"""Bulletins and notices: from events and views to plain text of 78 columns.

In ``templates/<key>/``, ``events.txt.j2`` has a macro for each kind of event, ``bulletin.txt.j2``
the public facts, ``notice.txt.j2`` a seat's own.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined

from pbem import text as typeset
from pbem.errors import RefereeError
from pbem.games.frame.codec import Json
from pbem.games.frame.events import PUBLIC, Event, Seat
from pbem.games.frame.ruleset import Ruleset
from pbem.orders.characters import first_word
from pbem.pages import macros, page, sheet
from pbem.pages.macros import in_force
from pbem.pages.page import SeatPage
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
    "zones": {},
    "closed": "",
    "players": {},
    "laid_open": (),
    "opening": {},
    "scores": {},
    "pictures": {},
    "names": {},
}

FIRST, LATER = "NOT_FIRST", "NOT_LATER"
"""Lists of ``form.txt.j2``: left out of the welcome's form, and of later notices'."""
_MOST_LINES, _MOST_WORDS = 8, 35
"""Of a notice's form, if no more are owed."""
_LEARNT = 2
"""From this bulletin on HELP alone has the standing orders."""
_NAMED, _SUBJECT, _WORDS = 3, 60, 10
"""At most so many winners, characters and words in a headline."""
NOTHING = "You owe nothing."
"""Unless the game has words of its own."""
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
    in its zone}), ``scores`` (by seat), ``pictures``
    ({name: SHA-256 of the SVG}), ``names`` (by seat; "" if hidden). The last bulletin also has
    ``players``, ``laid_open`` (orders by period) and ``opening`` (what seats knew at first, for the
    block ``fixed``)."""
    tables: Mapping[str, Any] = field(default_factory=dict)
    pages: Mapping[Seat, SeatPage] = field(default_factory=dict)
    seats: tuple[Seat, ...] = ()
    """All, in the game's order."""
    course: Sequence[tuple[int, Mapping[Seat, int | float]]] = ()
    """(bulletin, scores) up to this one."""
    order_words: frozenset[str] = frozenset()
    """No line of the story begins with one."""


def environment(loader: BaseLoader) -> Environment:
    """Return a strict template environment with our filters; only HTML and SVG are escaped."""
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
    """Other sentences are filled when the mail is set."""
    as_is = not indent and width == typeset.WIDTH
    return text.strip("\n") if as_is else typeset.wrap(text, indent, width)


def _gathered(orders: Iterable[object], ruleset: Ruleset[Any]) -> Sequence[str]:
    return ruleset.gathered([str(order) for order in orders])


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
    context = dict(known)  # all that macros of events, form and words may know
    if seat is not None and seat in issue.pages:
        without = left_out(issue.number)
        known["page"] = page_of(
            env, issue.key, issue.pages[seat], context, without=without, short=issue.number > 0
        )
    known["words"] = _Words(env, issue.key, context, issue.order_words)
    told = [(event.kind, tell(env, issue.key, event, context)) for event in events]
    known["happened"] = [(kind, line) for kind, line in told if line]
    known["news"] = [line for _, line in known["happened"]]
    text = env.get_template(template).render(known)
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    return "\n".join(lines) + "\n" if any(lines) else ""


@dataclass(frozen=True, slots=True)
class _Words:
    """Used by templates: ``words.owed(slot)``."""

    env: Environment
    key: str
    context: Mapping[str, Any]
    order_words: frozenset[str] = frozenset()

    def period(self) -> str:
        """Return "session 1, third"."""
        return page.worded(self.env, self.key, "period", self.context)

    def figures(self) -> str:
        """Return what the final figures count ("seats"), or ""."""
        return page.optional(self.env, self.key, "figures", self.context)

    def story(self) -> str:
        """Return the period in up to three sentences from public events, if the game has words for
        it; the headline if it has no more to tell."""
        if not page.has(self.env, self.key, "story", self.context):
            return ""
        contexts = self.context["public"], self.context["result"]
        words = page.worded(self.env, self.key, "story", self.context, *contexts)
        if self.context["result"]:
            won = _won(self.context["result"])
            words = f"{won[:1].upper()}{won[1:]}. {words}".rstrip()
        if not words:
            short = page.worded(self.env, self.key, "headline", self.context, *contexts)
            words = f"{short[:1].upper()}{short[1:]}." if short else ""
        first, *rest = words.split(" ")
        text = first
        for word in rest:
            text += ("\u00a0" if first_word(word) in self.order_words else " ") + word
        return text

    def asked(self, slots: Sequence[str]) -> str:
        """Return "a vote on bill 4 and your list of candidates"."""
        return _asked(self.env, self.key, slots, self.context)

    def owed(self, slot: str) -> str:
        """Return "a vote on bill 4"."""
        return page.worded(self.env, self.key, "owed", self.context, slot)


def page_of(  # noqa: PLR0913  a page, and how much of its form
    env: Environment,
    key: str,
    given: SeatPage,
    context: Mapping[str, Any],
    *,
    form: bool = True,
    without: str | None = None,
    short: bool = False,
) -> Mapping[str, Any]:
    """Return a seat's ``owes`` (or ``nothing``), ``silence`` and perhaps ``form``. without: as in
    :func:`pbem.pages.page.form`."""
    silence = [" ".join(tell(env, key, one, context).split()) for one in given.silence]
    most = page.Most(_MOST_LINES, _MOST_WORDS, given.owes) if short else None
    return {
        "nothing": nothing(env, key, context),
        "owes": [page.worded(env, key, "owed", context, slot) for slot in given.owes],
        "asked": _asked(env, key, given.owes, context),
        "silence": page.merged(silence),
        "form": page.form(env, key, given.offers, context, without=without, most=most)
        if form
        else "",
    }


def _asked(env: Environment, key: str, slots: Sequence[str], context: Mapping[str, Any]) -> str:
    short = page.optional(env, key, "owed_in_short", context, slots) if slots else ""
    return short or typeset.listed([page.worded(env, key, "owed", context, slot) for slot in slots])


def nothing(env: Environment, key: str, context: Mapping[str, Any]) -> str:
    """Return the game's sentence for a seat that owes nothing."""
    return page.optional(env, key, "nothing", context) or NOTHING


def headline(env: Environment, issue: Issue) -> str:
    """Return the subject in a few public words: "L and C lead"."""
    public = [event.json() for event in issue.events if event.audience == PUBLIC]
    context = {**CONTEXT, "key": issue.key, "view": issue.view, "tables": issue.tables}
    said = page.worded(env, issue.key, "headline", context, public, issue.result)
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


def tell(env: Environment, key: str, event: Event, context: Mapping[str, Any]) -> str:
    """Return an event's words and paragraph, or "", a line each sentence. Raise RefereeError
    without a macro for its kind."""
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
