"""HELP: what there is, by groups. HELP group: its words. HELP word: that order or word, with an
example."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.games.frame.adjudication import take
from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.orders.order import Standing
from pbem.pages import guide, page, sheet
from pbem.pages.guide import GuideEntry
from pbem.periods import own_page
from pbem.referee.words.rules_words import rules
from pbem.store.games.games import GameAt
from pbem.store.schema.states import PeriodState
from pbem.text import listed

FORM, GUIDE, ALL = "FORM", "GUIDE", "ALL"
GROUPS: Mapping[str, Sequence[str]] = {
    "LOOK": (
        *("ORDERS", "STATUS", "BOARD", "WHY", "HISTORY", "RULES", "RULINGS", "TABLES", "GAMES"),
    ),
    "TRY": ("CHECK", "CANCEL", "END"),
    "TALK": ("PRESS", "MUTE", "ASK", "PROTEST"),
    "TIME": ("READY", "WAIT", "ABSENT", "ZONE", "CALENDAR"),
    "MAILS": ("RECEIPTS", "PLAIN", "HTML"),
    "SEAT": ("NAME", "QUIT", "DEPUTY", "AGREE", "STATEMENT", "AGAIN"),
}


def answers(at: GameAt, seat: Seat, standing: Standing, words: str) -> list[tuple[str, str]]:
    """Return (title, text) answers."""
    asked = words.strip(" .?!").upper().split()
    if not asked:
        return [("What HELP brings", _groups(at))]
    word = asked[0]
    if word in (FORM, GUIDE, ALL):
        return list(_parts(at, seat, standing, word))
    if word in GROUPS:
        told = "\n".join(_tool(at, seat, one) for one in GROUPS[word])
        return [(f"Help: {word}", told)]
    return [(f"About {word}", _about(at, seat, standing, word))]


def _groups(at: GameAt) -> str:
    orders = list(dict.fromkeys(one.order.split()[0] for one in _guide(at).entries))
    told = [
        (FORM, "lines to copy"),
        (GUIDE, f"all orders: {', '.join(orders)}"),
        *((group, ", ".join(words)) for group, words in GROUPS.items()),
        (orders[0], "an order or word, with an example"),
    ]
    lines = [sheet.entry(n, f"HELP {word}", said) for n, (word, said) in enumerate(told, 1)]
    return "\n".join([*lines, "", "Or ask in plain words."])


def _parts(at: GameAt, seat: Seat, standing: Standing, word: str) -> Iterator[tuple[str, str]]:
    if word in (GUIDE, ALL):
        yield "The order guide", _guide(at).text
    if word == ALL:
        yield "Words to the referee", _tools(at, seat)
    if word in (FORM, ALL):
        opened = at.period.status == PeriodState.OPEN and at.result is None
        form = own_page.words(at, seat, standing)["form"] if opened else ""
        if form or word == FORM:
            yield "Your orders now", form or "There is nothing that you can send now."


def _guide(at: GameAt) -> guide.Guide:
    return guide.guide(templates.environment(), at.ruleset.about.key, at.house)


def _about(at: GameAt, seat: Seat, standing: Standing, word: str) -> str:
    entries = _guide(at).about(word)
    if word == guide.IF:
        return _about_if(at, entries)
    if said := _tool(at, seat, word):
        return said if not entries else f"{said}\n\n{_entries(entries)}"
    if not entries:
        known = sorted({one.order.split()[0] for one in _guide(at).entries})
        return (
            f'There is no order and no word "{word}". The orders of this game begin with:'
            f" {listed(known)}."
        )
    return "\n\n".join([_entries(entries), *_now(at, seat, standing, word, entries)])


def _about_if(at: GameAt, entries: list[GuideEntry]) -> str:
    ifs = at.ruleset.language.ifs
    shown = [_entries(entries)] if entries else ["No order of this game can have IF."]
    if numbers := ", ".join(filter(None, (ifs.rule, ifs.reads))):
        shown.append(rules(at.ruleset.about.key, numbers))
    return "\n\n".join(shown)


def _entries(entries: list[GuideEntry]) -> str:
    made = guide.Guide()
    return "\n".join(made.entry(one.order, one.does) for one in entries)


def _now(
    at: GameAt, seat: Seat, standing: Standing, word: str, entries: list[GuideEntry]
) -> Iterator[str]:
    if at.result is not None:
        yield "The game is over."
        return
    known = templates.context(at.ruleset, at.state, seat)
    env, key = templates.environment(), at.ruleset.about.key
    offers = at.ruleset.offers(at.state, seat)
    lines = page.lines(env, key, offers, known)
    chosen = [
        (offer, order)
        for offer, (order, _) in zip(offers, lines, strict=True)
        if order.split()[0] == word
    ]
    if not chosen:
        yield f"You cannot send it now. {_why_not(at, seat, standing, entries)}".strip()
        return
    yield "What you could send now:"
    yield page.form(env, key, [offer for offer, _ in chosen], known)
    offer, order = chosen[0]
    example = page.filled(order, [words[0] for words in offer.fills])
    yield f"As an example, filled in:\n\n{sheet.order_list([example])}"


def _why_not(at: GameAt, seat: Seat, standing: Standing, entries: list[GuideEntry]) -> str:
    taken = take(at.ruleset, at.state, seat, entries[0].order, standing)
    problems = [one for one in taken.problems if not one.warning]
    if not problems:
        return "It is not among what your form offers in this period."
    cited = f" [{problems[0].rule}]" if problems[0].rule else ""
    return f"{entries[0].order} would be told: {problems[0].message}{cited}"


def _tools(at: GameAt, seat: Seat) -> str:
    return templates.tools(at.ruleset, at.house, at.people(seat))


def _tool(at: GameAt, seat: Seat, word: str) -> str:
    found = [one for one in sheet.entries(_tools(at, seat)) if one.order.split()[0] == word]
    return "\n".join(sheet.entry(one.number, one.order, one.said, one.below) for one in found)
