"""Answer questions in plain words by quoting the game's texts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import Any

from pbem.games.frame.adjudication import Answer, canonical
from pbem.games.frame.events import Seat
from pbem.games.frame.house import House
from pbem.house import houses, lookup, shelf, templates
from pbem.house.lookup import Found, Index
from pbem.orders import inquiry, order
from pbem.orders.characters import first_word
from pbem.orders.mailwords import Peeled
from pbem.orders.order import Standing
from pbem.orders.questions import words
from pbem.orders.sentences import folded, greets, is_courtesy, sentences, signs
from pbem.pages import guide, sheet
from pbem.pages.guide import of_guide, of_sheet
from pbem.pages.plain import plain
from pbem.periods import formation, inquiries, issue_mails
from pbem.periods.issue_mails import Terms
from pbem.periods.paper import Game
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.words import facts
from pbem.store.games.games import GameAt
from pbem.text import safe

MOST = 2
UNKNOWN = "I don't know."
_LONGEST, _MOST_UNREAD = 200, 20
_BACK = frozenset({"it", "its", "they", "them", "then"})
"""A part with one of these speaks of another part."""


def asked(peeled: Peeled, game: GameAt) -> list[str]:
    """Return questions to the referee."""
    return [*of_text(game.ruleset.about.key, peeled.text, people(game))]


@lru_cache(maxsize=16)  # a letter's are asked for several times
def of_text(key: str, text: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """known: names that may be greeted, in small letters."""
    talk, language = lookup.how_asked(), shelf.open_ruleset(key).language

    def is_order(sentence: str) -> bool:
        to = order.told(sentence)
        if to and {*known, "and", "all", "everybody", "everyone"}.issuperset(words(to[0])):
            return True
        shouted = sentence.lstrip().startswith(word := first_word(sentence))
        prose = not shouted and not talk.begins.isdisjoint(words(sentence))
        bare = sentence.strip(" .!?")
        return word in language.words and (shouted or (language.reads(bare) and not prose))

    return (*talk.asked(text, is_order, known),)


def people(game: GameAt) -> tuple[str, ...]:
    """Return players' names, whole and first, and seats, in small letters."""
    names = () if game.practice else tuple(map(game.player, game.seats))
    return _folded(names, game.seats)


@lru_cache(maxsize=64)
def _folded(names: tuple[str, ...], seats: tuple[str, ...]) -> tuple[str, ...]:
    said = [one for name in map(folded, names) for one in (name, name.partition(" ")[0])]
    return (*dict.fromkeys(filter(None, [*said, *map(folded, seats)])),)


def meant_for(peeled: Peeled, game: GameAt) -> str:
    """Return the player or seat that a letter greets, or ""."""
    talk, known, to = lookup.how_asked(), people(game), None
    for sentence in sentences(peeled.text, {}):
        to = to or talk.addressed(sentence, known)
    if to is None:
        return ""
    called = {folded(one): one for seat in game.seats for one in (seat, game.player(seat))}
    return called.get(to) or next(
        (name for one, name in called.items() if one.startswith(f"{to} ")), ""
    )


def only_asks(peeled: Peeled, game: GameAt) -> bool:
    return not (peeled.press or peeled.commands) and bool(asked(peeled, game))


def others(peeled: Peeled, game: GameAt, answers: Sequence[Answer]) -> list[Answer]:
    """Leave out questions, prose around them, greetings and signatures."""
    if not any(one.quiet or not (one.orders or one.cancelled) for one in answers):
        return [*answers]
    return _others(asked(peeled, game), people(game), answers)


def lost(peeled: Peeled, game: GameAt, answers: Sequence[Answer]) -> list[str]:
    """Return sentences that may be orders, and are passed over beside others."""
    quiet = [answer.line.text for answer in answers if answer.quiet]
    asks = {" ".join(words(one)) for one in asked(peeled, game)} if quiet else ()
    return [
        part.text
        for text in islice(quiet, _MOST_UNREAD)
        for part in sentences(text, {})
        if " ".join(words(part.text)) not in asks
        and game.ruleset.language.may_mean(part.text, beside=True)
    ]


def _others(
    questions: Sequence[str], known: Sequence[str], answers: Sequence[Answer]
) -> list[Answer]:
    asks = {" ".join(words(one)) for one in questions}
    kept = list[Answer]()
    for answer in reversed(answers):
        if answer.orders or answer.cancelled or not _is_beside(answer, asks, known, last=not kept):
            kept.append(answer)
    return kept[::-1]


def _is_beside(answer: Answer, asks: set[str], known: Sequence[str], *, last: bool) -> bool:
    """Return whether a line is a question, prose around one, a greeting or a signature."""
    text = answer.line.text
    signed = signs(text) and (last or greets(text))
    said = [" ".join(words(part.text)) for part in sentences(text, {})] if asks else []
    prose = answer.quiet and (asks or signed or is_courtesy(text, known))
    return bool(prose or (said and not answer.asked and asks.issuperset(said)))


def on_paper(
    game: Game, seat: Seat, standing: Standing, text: str, answers: Sequence[Answer] = ()
) -> tuple[list[str], list[Answer]]:
    """Return the answers to a text's questions in a game without mail, and what is left of it."""
    ruleset, state, key = game.ruleset, game.state, game.ruleset.about.key
    known = (*map(folded, game.seats),)
    if not (asks := of_text(key, text, known)):
        return [], _others((), known, answers)
    env, result = templates.environment(), game.ruleset.result(game.state)
    page_guide = guide.guide(env, key, houses.usual(key))
    where = lookup.index(key, (*of_guide(page_guide),))
    page = templates.page_words(ruleset, state, seat, standing, form=False)
    more = {
        **dict.fromkeys(("deadline", "left", "lasts", "gamesmaster", "nothing"), ""),
        **{"over": result is not None, "result": result, "written": str},
        **{"owes": page["owes"], "silence": page["silence"], "standing": canonical(standing)},
        "period": f"period {len(game.periods) + 1}",
        "bots": [one for one in game.seats if one != seat],
        "open": templates.owed(ruleset, state, seat, standing).unowed,
        "entry": partial(facts.orders, page_guide),
        "paragraph": partial(of_label, where),
    }
    players = dict.fromkeys(game.seats, "")

    def fact(question: str) -> str:
        return facts.answer(ruleset, state, seat, question, players, more)

    said = [answer(fact, where, one)[0] or UNKNOWN for one in asks]
    return [*map(plain, said)], _others(asks, known, answers)


def section(
    work: Work,
    judged: Judged,
    game: GameAt,
    standing: Standing,
    answers: Sequence[Answer],
    more: Sequence[str] = (),
) -> Iterator[tuple[str, str]]:
    """Yield (title, text) of the answer to a letter's questions, if it has any.

    answers: to its lines; a request that is offered as an order is no question. more: further
    questions.
    """
    offered = {" ".join(words(answer.line.text)) for answer in answers if answer.asked}
    asked_here = asked(judged.decision.peeled, game)
    asked_now = [*more, *(one for one in asked_here if " ".join(words(one)) not in offered)]
    if (request := for_time(work, judged, game)) in asked_now:
        asked_now.remove(request)
    if not asked_now:
        return
    who = "" if judged.deputy else inquiries.whom(work, game)
    answered = _answers(work, game, judged.decision.seat, standing)
    given = [_told(question, answered(question), who) for question in asked_now[:MOST]]
    if len(asked_now) > MOST:
        given.append(f"One letter gets {MOST} such answers. Ask the rest in another letter.")
    yield "Your question" if len(asked_now) == 1 else "Your questions", "\n\n".join(given)


def _answers(
    work: Work, game: GameAt, seat: Seat, standing: Standing
) -> Callable[[str], tuple[str, bool]]:
    """Return what answers a question: a fact of the game, or a paragraph, which may not help."""
    known, where = formation.seen(work, game, seat), index(game)
    players = {one: game.player(one) for one in game.seats}
    more = facts.known_besides(work, game, seat, standing)
    more["paragraph"] = lambda label: of_label(where, label)

    def fact(question: str) -> str:
        return facts.answer(known.ruleset, known.state, seat, question, players, more)

    return partial(answer, fact, where)


def answer(fact: Callable[[str], str], where: Index, question: str) -> tuple[str, bool]:
    """Return what answers a question or a part of it, and whether something may lack."""
    if told := fact(question):
        return told, False
    parts = lookup.how_asked().parts(question)
    if not any(known := ["" if _BACK.intersection(words(one)) else fact(one) for one in parts]):
        return _paragraph(where, question), True
    said = (one or _paragraph(where, part) for one, part in zip(known, parts, strict=True))
    return " ".join(dict.fromkeys(filter(None, said))), True


def _paragraph(where: Index, question: str) -> str:
    return quoted(found) if (found := where.answer(question)) else ""


def of_label(where: Index, label: str) -> str:
    """Return the paragraph of a label."""
    one = next(one for one in where.paragraphs if one.label == label)
    return quoted(Found(one, next(one.passages()), 0.0, 0.0))


def _told(question: str, answered: tuple[str, bool], answerer: str) -> str:
    """Return a question, its answer, and the link to ask the gamesmaster if something may lack."""
    text, may_lack = answered
    asks = ""
    if may_lack:
        begins = ("Not what you need?" if text else UNKNOWN) + (
            f" Ask {answerer}:" if answerer else ""
        )
        asks = "" if text and not answerer else begins
    line = inquiry.line(safe(question))
    link = sheet.answer_line(line, name=f"Ask {answerer}") if asks and answerer else ""
    parts = (f'You asked: "{safe(question)[:_LONGEST]}"', text, asks, link)
    return "\n\n".join(filter(None, parts))


def index(game: GameAt) -> Index:
    key, values = game.ruleset.about.key, game.ruleset.tables_at(game.state)
    return indexed(key, game.house, game.row, values)


def indexed(key: str, house: House, terms: Terms, values: Mapping[str, Any]) -> Index:
    """Return rules, order guide, house rules and tables of a game."""
    told = [*of_guide(guide.guide(templates.environment(), key, house))]
    told += of_sheet(issue_mails.house_text(key, house, terms), "The house rules")
    for name in templates.tables(key):
        told += of_sheet(templates.table(key, name, values), f"The table {name}")
    return lookup.index(key, tuple(told))


def quoted(found: Found) -> str:
    """Return a paragraph in quotation marks, with its place."""
    return sheet.aside(f'"{found.quoted}" [{found.paragraph.label}]')


def for_time(work: Work, judged: Judged, game: GameAt) -> str:
    """Return the sentence of a player that asks for more time, or "": the gamesmaster gets it."""
    talk, text = lookup.how_asked(), judged.decision.peeled.text
    request = "" if judged.deputy else talk.for_time(text)
    return request if request and inquiries.whom(work, game) else ""
