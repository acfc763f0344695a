"""The template folder, and bulletins and pages of games."""

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from jinja2 import Environment, FileSystemLoader, Template

from pbem.budget import paused
from pbem.games.frame.events import PUBLIC, Event, Seat
from pbem.games.frame.options import unusual
from pbem.games.frame.ruleset import Ruleset, ToldEvent
from pbem.house import resources, shelf
from pbem.orders.asking import WORDS
from pbem.orders.order import NO_ORDERS, Standing
from pbem.pages import bulletin, guide, page, rulebook
from pbem.pages.bulletin import CONTEXT, Issue
from pbem.pages.page import SeatPage
from pbem.pages.plain import plain


@lru_cache
@paused
def environment() -> Environment:
    env = bulletin.environment(FileSystemLoader(resources.path("templates")))
    env.globals["unusual"] = lambda key, given: unusual(
        shelf.open_ruleset(key).about.options, given
    )
    return env


def said(file: str, what: str, *given: Any) -> str:
    """Return what a macro of ``_shared/FILE.txt.j2`` says, or one of its ``phrases``."""
    told = environment().get_template(f"_shared/{file}.txt.j2").module
    for head, phrase in getattr(told, "phrases", {}).items():
        name, *names = head.split()
        if name == what:
            return _phrase(phrase).render(zip(names, given, strict=True)).strip()
    return str(getattr(told, what)(*given)).strip()


@lru_cache(maxsize=256)
@paused
def _phrase(text: str) -> Template:
    return environment().from_string(text)


def shared(name: str, /, **known: Any) -> str:
    """Return ``_shared/NAME.txt.j2``."""
    return environment().get_template(f"_shared/{name}.txt.j2").render(known)


def mail(name: str, /, **known: Any) -> tuple[str, str]:
    """Return a mail's subject, which is the first line of ``_shared/NAME.txt.j2``, and its text."""
    subject, _, text = shared(name, known=known, **known).strip("\n").partition("\n")
    return subject, text.strip("\n") + "\n"


def issue(  # noqa: PLR0913  what a bulletin is made of
    ruleset: Ruleset[Any],
    state: Any,
    seats: Sequence[Seat],
    number: int,
    phase: str,
    events: Sequence[Event],
    frame: Mapping[str, Any] | None = None,
    before: Sequence[tuple[int, Mapping[Seat, int | float]]] = (),
) -> Issue:
    """Return the issue that closes a period. Views and what is due come from the state after it.
    before: scores of earlier bulletins."""
    asked = ruleset.asked(state)
    public = pictured(ruleset, state, seats, number, phase, events, before)
    pages = {} if public.result else {seat: page_at(ruleset, state, seat) for seat in asked}
    return replace(
        public,
        events=tuple(events),
        views={seat: _view(ruleset, state, seat) for seat in seats},
        owed={seat: asked.get(seat, ()) for seat in seats},
        frame=dict(frame or {}),
        pages=pages,
        order_words=ruleset.language.words,
    )


def pictured(  # noqa: PLR0913  what pictures are made of
    ruleset: Ruleset[Any],
    state: Any,
    seats: Sequence[Seat],
    number: int,
    phase: str,
    events: Sequence[Event],
    before: Sequence[tuple[int, Mapping[Seat, int | float]]] = (),
    names: Mapping[Seat, str] = MappingProxyType({}),
) -> Issue:
    """Return the public part of an issue, for its pictures. names: of players, as far as they are
    public."""
    result, scores = ruleset.result(state), ruleset.scores(state)
    return Issue(
        ruleset.about.key,
        ruleset.about.title,
        number,
        phase,
        tuple(event for event in events if event.audience == PUBLIC),
        _view(ruleset, state, None),
        {},
        {},
        result.json() if result else None,
        {"names": names},
        tables=ruleset.tables_at(state),
        seats=ruleset.about.in_order(seats),
        course=(*before, *([(number, scores)] if scores else [])),
    )


def page_at(
    ruleset: Ruleset[Any], state: Any, seat: Seat, standing: Standing = NO_ORDERS, form: bool = True
) -> SeatPage:
    """Return a seat's page at its standing orders; slots filled have no word on silence."""
    owes = ruleset.due(state, seat, standing)
    filled = {*standing, *ruleset.due(state, seat, NO_ORDERS)}.difference(owes)
    told = ruleset.silence(state, seat, standing)
    silence = [one for one in told if one.data.get("slot") not in filled]
    return SeatPage(owes, tuple(silence), ruleset.offers(state, seat) if form else ())


def page_words(
    ruleset: Ruleset[Any], state: Any, seat: Seat, standing: Standing, *, form: bool = True
) -> Mapping[str, Any]:
    """Return a seat's page in words: ``owes``, ``silence`` and perhaps ``form``."""
    given = page_at(ruleset, state, seat, standing, form)
    return words(ruleset, state, seat).page(given, form=form)


def form(ruleset: Ruleset[Any], state: Any, seat: Seat, without: str | None) -> str:
    return words(ruleset, state, seat).form(ruleset.offers(state, seat), without=without)


def effects(ruleset: Ruleset[Any], state: Any, seat: Seat) -> str:
    """Return the lines with their effects for which others stand in the form, or ""."""
    each = [one for offer in ruleset.offers(state, seat) for one in offer.each]
    return plain(words(ruleset, state, seat).form(each))


def likely(ruleset: Ruleset[Any], state: Any, seat: Seat) -> Mapping[str, str]:
    """Return, by kind of offer, its first line with the likeliest words."""
    offers = ruleset.offers(state, seat)
    found: dict[str, str] = {}
    for offer, (order, _) in zip(offers, words(ruleset, state, seat).lines(offers), strict=True):
        if all(offer.fills):
            found.setdefault(offer.kind, page.filled(order, [one[0] for one in offer.fills]))
    return found


def owed_words(ruleset: Ruleset[Any], state: Any, seat: Seat, standing: Standing) -> Sequence[str]:
    return slots_words(ruleset, state, ruleset.due(state, seat, standing), seat)


def slots_words(
    ruleset: Ruleset[Any], state: Any, slots: Sequence[str], seat: Seat | None = None
) -> Sequence[str]:
    """seat: None for all."""
    said = words(ruleset, state, seat)
    return [said.owed(slot) for slot in slots]


@dataclass(frozen=True, slots=True)
class Owed:
    """What a seat owes."""

    words: Sequence[str] = ()
    in_short: str = ""
    """"" if the game has no such words."""
    unowed: str = ""
    """If nothing is owed: what the seat can still do, by public facts."""


def owed(ruleset: Ruleset[Any], state: Any, seat: Seat, standing: Standing) -> Owed:
    """Return what a seat owes besides standing orders."""
    said = words(ruleset, state, seat)
    if slots := ruleset.due(state, seat, standing):
        return Owed([said.owed(slot) for slot in slots], said.optional("owed_in_short", slots))
    return Owed(unowed=said.optional("unowed"))


def seat_words(ruleset: Ruleset[Any], state: Any, seat: Seat) -> str:
    """Return a seat as the game calls it: "L, the Liberals"."""
    return words(ruleset, state, None).optional("seat", seat) or seat


def figures(ruleset: Ruleset[Any], state: Any) -> str:
    """Return what the final figures count, or else the scores: "Seats"."""
    known = {**context(ruleset, state, None), "result": ruleset.result(state)}
    return page.Words(environment(), known).figures().capitalize() or "Count"


def tools(ruleset: Ruleset[Any], house: Any, seats: Sequence[Seat], first: bool = False) -> str:
    """Return the words for the referee with this game's examples. first: what is needed first."""
    key = ruleset.about.key
    entries = guide.guide(environment(), key, house).entries
    return shared(
        "words",
        words=WORDS.values(),
        first=first,
        to=", ".join(seats[-2:]),
        order=entries[0].order.split()[0] if entries else "PASS",
        paragraph=cited(ruleset, house),
    ).strip("\n")


def cited(ruleset: Ruleset[Any], house: Any) -> str:
    """Return the first paragraph cited in the order guide."""
    text = guide.guide(environment(), ruleset.about.key, house).text
    numbers = ruleset.book.paragraphs
    return next((one for one in numbers if f"({one})" in text), next(iter(numbers)))


def words(ruleset: Ruleset[Any], state: Any, seat: Seat | None) -> page.Words:
    """Return what the game's macros say outside bulletins."""
    return page.Words(environment(), context(ruleset, state, seat))


def context(ruleset: Ruleset[Any], state: Any, seat: Seat | None) -> Mapping[str, Any]:
    """Return what macros may use outside bulletins: views of public and seat, tables."""
    known = {
        "key": ruleset.about.key,
        "title": ruleset.about.title,
        "view": _view(ruleset, state, None),
        "own": _view(ruleset, state, seat) if seat else None,
        "seat": seat,
        "tables": ruleset.tables_at(state),
    }
    return {**CONTEXT, **known}


def _view(ruleset: Ruleset[Any], state: Any, seat: Seat | None) -> Any:
    """Return a view. Cached by position: one letter asks several times."""
    key = id(ruleset), id(state), seat
    if key not in _KEPT:
        if len(_KEPT) >= _MOST_KEPT:
            _KEPT.popitem(last=False)
        _KEPT[key] = ruleset, state, ruleset.view(state, seat)
    _KEPT.move_to_end(key)
    return _KEPT[key][2]


_MOST_KEPT = 128  # each takes 20 to 60 kilobytes
_CODE = re.compile(r"\b[A-Za-z]{1,2}[0-9]{1,2}[a-z]?\b")
LONGEST_NAME = 2
"""Words of the longest name that WHY explains; more may be a plain question."""
_KEPT = OrderedDict[tuple[int, int, Seat | None], tuple[Ruleset[Any], Any, Any]]()
"""By id; the entry keeps its objects, so no id is reused."""


def events_in_words(
    ruleset: Ruleset[Any], state: Any, seat: Seat | None, events: Iterable[Event]
) -> list[str]:
    return list(map(words(ruleset, state, seat).tell, events))


def why_named(asked: str) -> Iterator[str]:
    """Yield what WHY may be asked of: the words, or a code in them ("was V2 defeated")."""
    yield from filter(None, (asked, *_CODE.findall(asked)))


def explained(
    ruleset: Ruleset[Any], state: Any, seat: Seat | None, heard: Sequence[ToldEvent], words: str
) -> str:
    """Return WHY's answer: steps with paragraphs, or what can be asked."""
    title = ruleset.about.title
    asked = " ".join(words.strip(" .?!").split())
    each = (ruleset.why(state, seat, heard, one) for one in why_named(asked))
    if steps := next(filter(None, each), ()):
        return "\n".join(line for line in events_in_words(ruleset, state, seat, steps) if line)
    questions = ruleset.questions(state, seat)
    if not questions:
        return f"There is nothing to explain in {title} now."
    can = f"WHY can be asked of: {', '.join(questions)}."
    if len(asked.split()) > LONGEST_NAME:
        return f"I cannot explain that. {can}"
    return f'Nothing here is called "{asked}". {can}' if asked else can


def tables(key: str) -> Sequence[str]:
    folder = resources.path("templates", key, "tables")
    return sorted(file.name.partition(".")[0] for file in folder.glob("*.txt.j2"))


def table(key: str, name: str, values: Mapping[str, Any]) -> str:
    page = environment().get_template(f"{key}/tables/{name}.txt.j2").render(tables=values)
    return "\n".join(line.rstrip() for line in page.strip("\n").split("\n"))


def rules_text(key: str, words: str) -> str:
    """Return the contents of the rules for "", else the paragraphs named."""
    book, asked = shelf.rules(key), words.strip(" .?!")
    return rulebook.read(book, asked) if asked else rulebook.contents(book, tables(key))


def tables_text(key: str, values: Mapping[str, Any], words: str) -> str:
    """Return a table by name or its beginning, all, or their names. values: the game's own."""
    names, asked = tables(key), words.strip(" .?!").lower()
    if asked == rulebook.ALL.lower():
        return "\n\n".join(table(key, name, values) for name in names)
    found = [asked] if asked in names else [one for one in names if asked and one.startswith(asked)]
    if len(found) == 1:
        return table(key, found[0], values)
    told = f"The tables are {', '.join(names)}. Ask for one by its name, or for ALL."
    return f'There is no one table "{asked}". {told}' if asked else told
