"""Facts of a game that a player asks for in plain words: the rows of ``grammar/facts.toml``."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jinja2

from pbem.budget import paused
from pbem.games.frame.adjudication import canonical
from pbem.games.frame.events import Seat
from pbem.games.frame.ruleset import Ruleset
from pbem.house import houses, lookup, resources, shelf, templates
from pbem.orders.order import Standing
from pbem.orders.questions import words
from pbem.orders.spelling import is_number, slips
from pbem.pages import guide, sheet
from pbem.periods import inquiries, own_page, publishing
from pbem.post.work import Work
from pbem.store.games import club
from pbem.store.games.games import GameAt
from pbem.store.schema.tables import Outgoing
from pbem.text import moment_words, sentence

_NUMBER = re.compile(r"[a-z]{0,2}[0-9]{1,2}")
_CODE = re.compile(r"\b[A-Z]{1,2}[0-9]{1,2}\b")
_LONGEST = 3
"""Words of a name."""
_LEAST_FOR_SLIP = 5
"""Letters."""


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
            tokens = {
                token: frozenset(
                    one
                    for word in token.removesuffix("?").split("|")
                    for one in like.get(word, word).split()
                )
                for token in asks.removeprefix("^").split()
            }
            needed = tuple(of for token, of in tokens.items() if not token.endswith("?"))
            every = frozenset[str]().union(*tokens.values())
            known_facts.append(Fact(needed, every, template, asks.startswith("^")))
    return frozenset(data["fill"].split()), data["phrases"], tuple(known_facts)


def answer(
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
    fill, phrases, rows = by_game(ruleset.about.key)
    given = known(
        ruleset,
        state,
        seat,
        players,
        {**more, "question": question.lower(), "order": ordered(ruleset.about.key, question)},
    )
    text = f" {' '.join(lookup.how_asked().impolite(words(question)))} "
    for phrase in phrases:
        text = text.replace(f" {phrase} ", " ")
    names = _names(ruleset, state, players, given["view"])
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

    return {
        **context,
        **more,
        "players": players,
        "effect": effect,
        "title": lambda one: _title(ruleset, state, players, one),
    }


def say(fact: Fact, given: Mapping[str, Any], named: Mapping[str, str]) -> str:
    """Return what a fact says of what is named."""
    who = named.get("{seat}", given["seat"])
    of = {"who": who, "number": named.get("{number}", ""), "place": named.get("{place}", "")}
    return fact.says.render({**given, **of, "mine": who == given["seat"]}).strip()


def _names(
    ruleset: Ruleset[Any], state: Any, players: Mapping[Seat, str], view: Mapping[str, Any]
) -> dict[str, tuple[str, str]]:
    """Return marks and what they stand for, by name: of a seat its key, player and party."""
    marks = {
        one: ("{place}", key)
        for key, at in view.get("map", {}).items()
        for one in (key, at["name"])
    }
    for seat, player in players.items():
        party = templates.seat_words(ruleset, state, seat).partition(", ")[2]
        name = party.removeprefix("the ").removesuffix(" party").strip('"')
        for one in (seat, player, player.partition(" ")[0], name, name.removesuffix("s")):
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
        for length in range(_LONGEST, 0, -1):
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


def _title(ruleset: Ruleset[Any], state: Any, players: Mapping[Seat, str], seat: Seat) -> str:
    """Return a seat with party and player: "L, the Liberals (Anna)"."""
    called = templates.seat_words(ruleset, state, seat)
    return f"{called} ({players[seat]})" if players.get(seat) else called


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
    }


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
    found = (one for word in words for one in told.about(word))
    return "\n".join(guide.Guide().entry(one.order, one.does) for one in found)


def tools(game: GameAt, seat: Seat, *words: str) -> str:
    """Return what words to the referee do."""
    there = sheet.entries(templates.tools(game.ruleset, game.house, game.people(seat)))
    return "\n".join(
        sheet.entry(one.number, one.order, one.said, one.below)
        for one in there
        if one.order.split()[0] in words
    )
