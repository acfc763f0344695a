"""Answer questions in plain words by quoting the game's texts."""

import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import accumulate, islice
from typing import Any

import jinja2

from pbem.budget import paused
from pbem.games.frame.adjudication import Answer, canonical
from pbem.games.frame.events import PUBLIC, Event, Seat
from pbem.games.frame.house import House
from pbem.games.frame.readiness import meant
from pbem.games.frame.ruleset import Ruleset
from pbem.house import houses, lookup, resources, shelf, templates
from pbem.house.lookup import Found, Index
from pbem.orders import inquiry, order
from pbem.orders.characters import first_word
from pbem.orders.mailwords import Peeled
from pbem.orders.order import Standing
from pbem.orders.questions import words
from pbem.orders.sentences import folded, greets, is_courtesy, sentences, signs
from pbem.orders.spelling import is_number, slips
from pbem.orders.splitter import LogicalLine
from pbem.pages import guide, sheet
from pbem.pages.guide import of_guide, of_sheet
from pbem.pages.plain import plain
from pbem.periods import formation, inquiries, issue_mails, own_page, publishing
from pbem.periods.issue_mails import Terms
from pbem.periods.paper import Game
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.store.games import club, periods
from pbem.store.games.games import GameAt
from pbem.store.schema.tables import Outgoing
from pbem.text import moment_words, safe, sentence

MOST, _MOST_READ = 2, 5
"""Of a letter: questions answered, and read."""
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
    return _folded(() if game.practice else (*map(game.player, game.seats),), game.seats)


@lru_cache(maxsize=64)
def _folded(names: tuple[str, ...], seats: tuple[str, ...]) -> tuple[str, ...]:
    said = [one for name in map(folded, names) for one in (name, name.partition(" ")[0])]
    return (*dict.fromkeys(filter(None, [*said, *map(folded, seats)])),)


def meant_for(peeled: Peeled, game: GameAt) -> str:
    """Return the player or seat that a letter greets, or ""."""
    talk, known, to = lookup.how_asked(), people(game), None
    for one in sentences(peeled.text, {}):
        to = to or talk.addressed(one, known)
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
    quiet = [answer.line for answer in answers if answer.quiet]
    quiet += [one for answer in answers if answer.asked for one in _left_out(game, answer)]
    asks = {" ".join(words(one)) for one in asked(peeled, game)} if quiet else ()
    ready = {one.line for one in peeled.commands if one.name == "READY"}  # it loses no words
    return [
        part.text
        for line in islice(quiet, _MOST_UNREAD)
        for part in sentences(line.text, {})
        if " ".join(words(part.text)) not in asks
        and (
            game.ruleset.language.may_mean(part.text, beside=True)
            or (line.number in ready and not is_courtesy(part.text, people(game)))
        )
    ]


def _left_out(game: GameAt, answer: Answer) -> list[LogicalLine]:
    """Return the sentences of a line with an order's own word that its offer leaves out."""
    said = sentences(answer.line.text, {})
    lines = [line for one in answer.problems for line in meant(one)]
    offered = {word for line in lines for one in line.split("; ") for word in one.split()[:2]}
    if len(said) < 2 or not offered:
        return []
    verbs = game.ruleset.language.corrector.said
    return [
        replace(answer.line, text=one.text)
        for one in said
        if (own := {verb for verb, value in verbs(one.text)[1].items() if value > 1})
        and own.isdisjoint(offered)
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
        "entry": partial(orders, page_guide),
        "happened": happened(seat, (one for period in game.periods for one in period.events)),
        "paragraph": partial(of_label, where),
    }
    players = dict.fromkeys(game.seats, "")

    def told(question: str) -> str:
        return of_facts(ruleset, state, seat, question, players, more)

    said = [answer(told, where, known, one)[0] or UNKNOWN for one in asks]
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
    asked_now = [one for one in asked_now if not lookup.how_asked().announces(one)]
    if (request := for_time(work, judged, game)) in asked_now:
        asked_now.remove(request)
    if not asked_now:
        return
    who = "" if judged.deputy else inquiries.whom(work, game)
    answered = _answers(work, game, judged.decision.seat, standing)
    found = [(question, answered(question)) for question in asked_now[:_MOST_READ]]
    helped = list(accumulate(bool(told) for _, (told, _) in found))
    given = [_told(*one, who) for one, n in zip(found, helped, strict=True) if n <= MOST]
    if len(asked_now) > len(given):
        given.append(f"One letter gets {MOST} such answers. Ask the rest in another letter.")
    yield "Your question" if len(asked_now) == 1 else "Your questions", "\n\n".join(given)


def _answers(
    work: Work, game: GameAt, seat: Seat, standing: Standing
) -> Callable[[str], tuple[str, bool]]:
    """Return what answers a question: a fact of the game, or a paragraph, which may not help."""
    known, where = formation.seen(work, game, seat), index(game)
    players = {one: game.player(one) for one in game.seats}
    more = known_besides(work, game, seat, standing)
    more["paragraph"] = lambda label: of_label(where, label)

    def told(question: str) -> str:
        return of_facts(known.ruleset, known.state, seat, question, players, more)

    return partial(answer, told, where, people(game))


def answer(
    fact: Callable[[str], str], where: Index, players: Iterable[str], question: str
) -> tuple[str, bool]:
    """Return what answers a question or a part of it, and whether something may lack. players:
    their names, in small letters."""
    parts = lookup.how_asked().parts(question)
    known = ["" if at and _BACK & {*words(one)} else fact(one) for at, one in enumerate(parts)]
    if told := fact(question):
        return told, not all(known[1:])
    if any(known[:1]):
        each = dict.fromkeys(filter(None, known))
        return ("\n\n" if any(sheet.MARK in one for one in each) else " ").join(each), True
    asks = [one for one in parts if words(one)[0] in lookup.how_asked().begins]
    return _paragraph(where, players, asks[0] if len(asks) > 1 else question), True


def _paragraph(where: Index, players: Iterable[str], question: str) -> str:
    found = where.answer(question, (*players, *_CODE.findall(question)))
    return quoted(found) if found else ""


def of_label(where: Index, label: str) -> str:
    """Return the paragraph of a label."""
    one = next((one for one in where.paragraphs if one.label == label), None)
    return quoted(Found(one, next(one.passages()), 0.0, 0.0)) if one else ""


def _told(question: str, answered: tuple[str, bool], answerer: str) -> str:
    """Return a question, its answer, and the link to ask the gamesmaster if something may lack."""
    text, may_lack = answered
    begins = "Not what you need?" if text else UNKNOWN
    asks = f"{begins} Ask {answerer}:" if answerer else "" if text else begins
    asks = asks if may_lack else ""
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


_NUMBER = re.compile(r"[a-z]{0,2}[0-9]{1,2}(?:/[0-9]{1,2})?+")
_AMOUNT = re.compile(r"(?<![\w,.-])(?:[0-9]++(?:[-,.][0-9]++)++|[0-9]{3,}+)(?!\w)")
"""A sum or a throw: no fact goes by it."""
_CODE = re.compile(r"\b[A-Z]{1,2}[0-9]{1,2}\b")
_LONGEST_NAME = 3  # words of a name
_LEAST_FOR_SLIP = 5  # letters


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing asked."""

    needed: tuple[frozenset[str], ...]
    """Of each one word, in any order."""
    known: frozenset[str]
    """No other word is in the question, unless it only has to begin so."""
    says: jinja2.Template
    begins: bool = False
    """The needed words stand first, in their order; any others may follow."""

    def is_asked(self, said: Sequence[str], idle: frozenset[str]) -> bool:
        """Return whether a question's words ask it. idle: words that say nothing."""
        if self.begins:
            return len(said) >= len(self.needed) and all(
                one in of for one, of in zip(said, self.needed, strict=False)
            )
        there = set(said)
        return there - idle <= self.known and all(map(there.intersection, self.needed))


def ordered(key: str, question: str) -> str:
    """Return the first word of an order that a question names, or calls as people do; "" if
    none."""
    known = shelf.open_ruleset(key).language.words
    said = (order for one in words(question) for order in (one.upper(), *_called().get(one, ())))
    return next((one for one in said if one in known), "")


@lru_cache
@paused
def _data() -> Mapping[str, Any]:
    return tomllib.loads(resources.text("grammar", "facts.toml"))


@lru_cache
def _called() -> Mapping[str, Sequence[str]]:
    """Return orders by what people call them."""
    called = _data()["called"]
    return {name: orders.split() for orders, names in called.items() for name in names.split()}


@lru_cache
@paused
def by_game(key: str) -> tuple[frozenset[str], Sequence[str], tuple[Fact, ...]]:
    """Return the words and the phrases that say nothing, and the facts of one game before those of
    all."""
    data, env = _data(), templates.environment()
    language, known_facts = shelf.open_ruleset(key).language, []
    like = {**data["like"], "anyorder": " ".join([*language.words, *_called()]).lower()}
    for says, *several in [*data[key], *data["all"]]:
        template = env.from_string(says)
        for asks in several:
            needed, every = list[frozenset[str]](), set[str]()
            for token in asks.removeprefix("^").split():
                parts = token.removesuffix("?").split("|")
                of = frozenset(" ".join(like.get(one, one) for one in parts).split())
                every |= of
                needed += [of] * (not token.endswith("?"))
            fact = Fact((*needed,), frozenset(every), template, asks.startswith("^"))
            known_facts.append(fact)
    return frozenset(data["fill"].split()), data["phrases"], tuple(known_facts)


def of_facts(
    ruleset: Ruleset[Any],
    state: Any,
    seat: Seat,
    question: str,
    players: Mapping[Seat, str],
    more: Mapping[str, Any],
) -> str:
    """Return what answers a question, by what its seat may know; "" if no fact does.

    players: by seat, "" if not public. more: what is known besides the views.
    """
    fill, phrases, rows = by_game(key := ruleset.about.key)
    more = {**more, "question": question.lower(), "order": ordered(key, question)}
    given = known(ruleset, state, seat, players, more)
    said = words(_AMOUNT.sub("", question))
    text = f" {' '.join(lookup.how_asked().impolite(said))} "
    for phrase in phrases:
        text = text.replace(f" {phrase} ", " ")
    names = _names(ruleset, state, players, given)
    vocabulary = fill.union(*map(str.split, names), *(row.known for row in rows))
    spelt = [_spelt(one, vocabulary) for one in text.split()]
    said, named = _marked(spelt, question, names)
    found = (say(one, given, named) for one in rows if one.is_asked(said, fill))
    return next((told for told in found if told and _is_about(told, named.get("{number}", ""))), "")


def _is_about(told: str, number: str) -> bool:
    """Return whether an answer names the bill or motion asked about, or none: never another."""
    kind = number.rstrip("0123456789")
    named = {code for code in _CODE.findall(told) if code.startswith(kind)} if kind else ()
    return not named or number in named


def _spelt(word: str, vocabulary: frozenset[str]) -> str:
    """Return a longer word without its one slip of a letter, if there is one way to mend it."""
    near = slips(word, vocabulary) if len(word) >= _LEAST_FOR_SLIP else []
    return near[0] if len(near) == 1 else word


def known(
    ruleset: Ruleset[Any],
    state: Any,
    seat: Seat,
    players: Mapping[Seat, str],
    more: Mapping[str, Any],
) -> dict[str, Any]:
    """Return what the sentences may use: views, players, and more."""
    context = templates.context(ruleset, state, seat)

    def effect(number: str) -> str:
        """Say what an order is worth, as the form does. number: in it; "" for the only one."""
        offers = ruleset.offers(state, seat)
        found = [
            f"{order}: {sentence(said)}"
            for order, said in templates.words(ruleset, state, seat).lines(offers)
            if said and (not number or number in order.split())
        ]
        return found[0] if len(found) == 1 else ""

    def title(one: Seat) -> str:
        """Return a seat with party and player: "L, the Liberals (Anna)"."""
        called = templates.seat_words(ruleset, state, one)
        return f"{called} ({players[one]})" if players.get(one) else called

    return {**context, **more, "players": players, "effect": effect, "title": title}


def say(fact: Fact, given: Mapping[str, Any], named: Mapping[str, str]) -> str:
    """Return what a fact says of what is named."""
    who = named.get("{seat}", given["seat"])
    of = {"who": who, "number": named.get("{number}", ""), "place": named.get("{place}", "")}
    told = fact.says.render({**given, **of, "mine": who == given["seat"]}).strip()
    for seat in given["players"] if "{seat}" in named else ():  # an example names who is named
        told = told.replace(f' TO {seat}"', f' TO {who}"')
    return told


def _names(
    ruleset: Ruleset[Any], state: Any, players: Mapping[Seat, str], given: Mapping[str, Any]
) -> dict[str, tuple[str, str]]:
    """Return marks and what they stand for, by name: of a seat its key, player and party; of a
    place; of a bill its name."""
    view = given["view"]
    places = view.get("map") or {view.get("constituency") or "": view.get("place") or {}}
    marks = {
        one: ("{place}", key) for key, at in places.items() for one in (key, at.get("name", ""))
    }
    bills = given["tables"].get("bills", {})
    marks |= {one.get("name", ""): ("{number}", key) for key, one in bills.items()}
    for seat, player in {**dict.fromkeys(view.get("seats") or (), ""), **players}.items():
        party = templates.seat_words(ruleset, state, seat).partition(", ")[2]
        name = party.removeprefix("the ").removesuffix(" party").strip('"')
        first, called = player.partition(" ")[0], name.partition(" ")[0]
        several = (seat, player, first, f"{first}s", name, name.removesuffix("s"))
        for one in (*several, *[called] * (len(called) > _LEAST_FOR_SLIP)):
            marks.setdefault(one, ("{seat}", seat))
    return {" ".join(words(one)): mark for one, mark in marks.items() if one}


def _marked(
    spoken: Sequence[str], question: str, names: Mapping[str, tuple[str, str]]
) -> tuple[list[str], dict[str, str]]:
    """Return the words with marks for names and numbers, and what these stand for. A name of one
    or two letters is written in capitals."""
    first, *rest = question.split() or [""]
    shouted = [word for word in rest if word.isupper()] + [first] * first.endswith("?")
    capitals = {word.strip(",.?!").lower() for word in shouted if word.isupper()} - {"i"}
    made, stand, place = list[str](), dict[str, str](), 0
    while place < len(spoken):
        for length in range(_LONGEST_NAME, 0, -1):
            name = " ".join(spoken[place : place + length])
            if name in names and (len(name) > 2 or name in capitals or is_number(name[-1])):
                mark, stands = names[name]
                break
        else:
            length, stands = 1, spoken[place].upper()
            mark = "{number}" if _NUMBER.fullmatch(spoken[place]) else spoken[place]
        stand[mark] = stands
        made.append(mark)
        place += length
    return made, stand


def known_besides(work: Work, game: GameAt, seat: Seat, standing: Standing) -> dict[str, Any]:
    """Return what the facts of all games say besides the views."""
    page_words = own_page.words(game, seat, standing, form=False) if game.result is None else {}
    spans = club.spans(work.conn, game.ruleset.about.key, game.house)
    return {
        "deadline": publishing.local_deadline(game),
        "lasts": houses.words(game.ruleset.about.key, game.house, spans, game.row.options),
        "left": own_page.time_left(game, work.now),
        "over": game.result is not None,
        "result": game.result,
        "period": own_page.name(game),
        "bots": game.bots,
        "gamesmaster": inquiries.whom(work, game),
        "written": lambda: _written(work, game, seat),
        "owes": page_words.get("owes", ()),
        "nothing": str(page_words.get("nothing", "")),
        "open": templates.owed(game.ruleset, game.state, seat, standing).unowed,
        "silence": page_words.get("silence", ()),
        "standing": canonical(standing),
        "entry": lambda *words: entry(game, seat, *words),
        "happened": happened(
            seat, (one.event for one in periods.told_events(work.conn, game.id, seat))
        ),
    }


def happened(seat: Seat, events: Iterable[Event]) -> dict[str, list[Mapping[str, Any]]]:
    """Return what the events that a seat may know tell, the newest last, by their kind."""
    told = defaultdict[str, list[Mapping[str, Any]]](list)
    for one in events:
        if one.audience == PUBLIC or seat in one.audience:
            told[one.kind].append(one.data)
    return told


def _written(work: Work, game: GameAt, seat: Seat) -> str:
    """Return when press was last mailed to a seat, or ""."""
    of = {"game_id": game.id, "seat": seat, "kind": "press"}
    last = Outgoing.scalar(work.conn, Outgoing.created, order=Outgoing.id.desc(), **of)
    return moment_words(last.astimezone(game.zone)) if last else ""


def entry(game: GameAt, seat: Seat, *words: str) -> str:
    """Return what words to the referee, and orders, do, as HELP says it."""
    told = guide.guide(templates.environment(), game.ruleset.about.key, game.house)
    return "\n".join(filter(None, [tools(game, seat, *words), orders(told, *words)]))


def orders(told: guide.Guide, *words: str) -> str:
    shown = guide.Guide()
    found = (one for word in words for one in told.about(word))
    return "\n".join(shown.entry(one.order, one.does) for one in found)


def tools(game: GameAt, seat: Seat, *words: str) -> str:
    """Return what words to the referee do."""
    there = sheet.entries(templates.tools(game.ruleset, game.house, game.people(seat)))
    return "\n".join(
        sheet.entry(one.number, one.order, one.said, one.below)
        for one in there
        if one.order.split()[0] in words
    )
