"""Answer questions in plain words by quoting the game's texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.frame.adjudication import Answer
from pbem.games.frame.ruleset import tables_at
from pbem.house import lookup
from pbem.house.lookup import Found, Index
from pbem.orders.mailwords import Peeled
from pbem.pages import sheet
from pbem.periods import lookups
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.words import inquiries
from pbem.store.games.games import GameAt
from pbem.text import safe

MOST = 2
_NAMED = 2
"""Words of the longest name that WHY explains."""
_LONGEST = 200


def asked(peeled: Peeled, at: GameAt) -> list[str]:
    """Return questions, without press, orders and words for the referee."""
    talk = lookup.how_asked(at.ruleset.about.key)
    return talk.asked(peeled.text, at.ruleset.language.words)


def only_asks(peeled: Peeled, at: GameAt) -> bool:
    return not (peeled.press or peeled.commands) and bool(asked(peeled, at))


def is_sentence(words: str) -> bool:
    """Return whether what follows WHY may be a plain question."""
    return len(words.split()) > _NAMED


def others(peeled: Peeled, at: GameAt, answers: Sequence[Answer]) -> list[Answer]:
    """Leave out the prose around a question."""
    asks = bool(asked(peeled, at))
    return [one for one in answers if not (one.quiet and asks)]


def section(
    work: Work, judged: Judged, at: GameAt, more: Sequence[str] = ()
) -> Iterator[tuple[str, str]]:
    """Yield (title, text) of the answer to a letter's questions, if it has any.

    more: further questions.
    """
    found = [*more, *asked(judged.decision.peeled, at)]
    if not found:
        return
    where = index(at)
    told = [_told(where, question) for question in found[:MOST]]
    if len(found) > MOST:
        told.append(f"One letter gets {MOST} such answers. Ask the rest in another letter.")
    told += filter(None, [inquiries.offer(work, judged, at, found[:MOST])])
    yield "Your question" if len(found) == 1 else "Your questions", "\n\n".join(told)


def _told(where: Index, question: str) -> str:
    said = safe(question)[:_LONGEST]
    return f'You asked: "{said}"\n\n{answered(where, question)}'


def index(at: GameAt) -> Index:
    key, values = at.ruleset.about.key, tables_at(at.ruleset, at.state)
    return lookups.index(key, at.house, at.game, values)


def answered(where: Index, question: str) -> str:
    """Return the best paragraphs, or that there are none."""
    if found := where.answers(question):
        return "\n\n".join(map(quoted, found))
    return "I found nothing about that in the rules."


def quoted(found: Found) -> str:
    """Return a paragraph in quotation marks, with its place."""
    return sheet.aside(f'"{found.quoted}" [{found.paragraph.label}]')
