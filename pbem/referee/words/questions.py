"""Answer questions in plain words by quoting the game's texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from pbem.games.frame.adjudication import Answer
from pbem.house import lookup, shelf
from pbem.house.lookup import Found, Index
from pbem.orders import inquiry
from pbem.orders.characters import first_word
from pbem.orders.mailwords import Peeled
from pbem.orders.questions import words
from pbem.orders.sentences import folded, sentences
from pbem.pages import sheet
from pbem.periods import inquiries, lookups
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.store.games.games import GameAt
from pbem.text import safe

MOST = 2
_NAMED = 2
"""Words of the longest name that WHY explains."""
_LONGEST = 200


def asked(peeled: Peeled, at: GameAt) -> list[str]:
    """Return questions to the referee."""
    return [*_asked(at.ruleset.about.key, peeled.text, people(at))]


@lru_cache(maxsize=16)  # a letter's are asked for several times
def _asked(key: str, text: str, known: tuple[str, ...]) -> tuple[str, ...]:
    talk, language = lookup.how_asked(key), shelf.open_ruleset(key).language

    def is_order(sentence: str) -> bool:
        shouted = sentence.lstrip().startswith(word := first_word(sentence))
        prose = not shouted and not talk.begins.isdisjoint(words(sentence))
        bare = sentence.strip(" .!?")
        return word in language.words and (shouted or (language.reads(bare) and not prose))

    return (*talk.asked(text, is_order, known),)


def people(at: GameAt) -> tuple[str, ...]:
    """Return players' names, whole and first, and seats, in small letters."""
    names = () if at.practice else tuple(map(at.player, at.seats))
    return _folded(names, at.seats)


@lru_cache(maxsize=64)
def _folded(names: tuple[str, ...], seats: tuple[str, ...]) -> tuple[str, ...]:
    said = [one for name in map(folded, names) for one in (name, name.partition(" ")[0])]
    return (*dict.fromkeys(filter(None, [*said, *map(folded, seats)])),)


def meant_for(peeled: Peeled, at: GameAt) -> str:
    """Return the player or seat that a letter greets, or ""."""
    talk, known, to = lookup.how_asked(at.ruleset.about.key), people(at), None
    for sentence in sentences(peeled.text, {}):
        to = to or talk.addressed(sentence, known)
    if to is None:
        return ""
    called = {folded(one): one for seat in at.seats for one in (seat, at.player(seat))}
    return called.get(to) or next(
        (name for one, name in called.items() if one.startswith(f"{to} ")), ""
    )


def only_asks(peeled: Peeled, at: GameAt) -> bool:
    return not (peeled.press or peeled.commands) and bool(asked(peeled, at))


def is_sentence(words: str) -> bool:
    """Return whether what follows WHY may be a plain question."""
    return len(words.split()) > _NAMED


def others(peeled: Peeled, at: GameAt, answers: Sequence[Answer]) -> list[Answer]:
    """Leave out questions, prose around them, greetings and signatures."""
    if not any(one.quiet or not (one.orders or one.cancelled) for one in answers):
        return [*answers]
    asks = [" ".join(words(one)) for one in asked(peeled, at)]
    talk, known, kept = lookup.how_asked(at.ruleset.about.key), people(at), list[Answer]()
    for one in reversed(answers):
        text = one.line.text
        prose = one.quiet and (asks or talk.is_courtesy(text, known, last=not kept))
        if one.orders or one.cancelled or not (prose or " ".join(words(text)) in asks):
            kept.append(one)
    return kept[::-1]


def section(
    work: Work, judged: Judged, at: GameAt, more: Sequence[str] = ()
) -> Iterator[tuple[str, str]]:
    """Yield (title, text) of the answer to a letter's questions, if it has any.

    more: further questions.
    """
    found = [*more, *asked(judged.decision.peeled, at)]
    if (request := for_time(work, judged, at)) in found:
        found.remove(request)
    if not found:
        return
    where = index(at)
    told = [_told(where, question) for question in found[:MOST]]
    if len(found) > MOST:
        told.append(f"One letter gets {MOST} such answers. Ask the rest in another letter.")
    told += filter(None, [_offer(work, judged, at, found[:MOST])])
    yield "Your question" if len(found) == 1 else "Your questions", "\n\n".join(told)


def _told(where: Index, question: str) -> str:
    said = safe(question)[:_LONGEST]
    return f'You asked: "{said}"\n\n{answered(where, question)}'


def index(at: GameAt) -> Index:
    key, values = at.ruleset.about.key, at.ruleset.tables_at(at.state)
    return lookups.index(key, at.house, at.game, values)


def answered(where: Index, question: str) -> str:
    """Return the paragraph that tells it, or that nothing does."""
    if found := where.answer(question):
        return quoted(found)
    if where.talk.is_standing(question):
        return "To see how the game stands, send\u00a0STATUS."
    return "See\u00a0STATUS and\u00a0HELP." if where.talk.is_todo(question) else "I don't know."


def quoted(found: Found) -> str:
    """Return a paragraph in quotation marks, with its place."""
    return sheet.aside(f'"{found.quoted}" [{found.paragraph.label}]')


def for_time(work: Work, judged: Judged, at: GameAt) -> str:
    """Return the sentence of a player that asks for more time, or "": the gamesmaster gets it."""
    talk, text = lookup.how_asked(at.ruleset.about.key), judged.decision.peeled.text
    request = "" if judged.deputy else talk.for_time(text)
    return request if request and inquiries.whom(work, at) else ""


def _offer(work: Work, judged: Judged, at: GameAt, questions: Sequence[str]) -> str:
    """Return the lines that ask the gamesmaster these questions; "" if nobody may answer."""
    who = inquiries.whom(work, at)
    if judged.deputy or not who:
        return ""
    lines = [sheet.answer_line(inquiry.line(safe(one)), name=f"Ask {who}") for one in questions]
    return "\n\n".join([f"Not what you need? Ask {who}:", *lines])
