"""What a stranger's letter asks for: to join a table, to watch one, an answer, nothing.

A wish is the writer's own ("I would like to play"), no invitation to us ("Join now"). A letter that
refuses, sells or answers by machine wishes nothing.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, pairwise

from pbem.orders import mailwords
from pbem.orders.asking import GENEROUS, OF_STRANGERS, WISHES, WORDS, asked
from pbem.orders.door.answer import code_of, name_in
from pbem.orders.door.phrases import Phrases, Spot, joined
from pbem.orders.mailwords import Peeled
from pbem.orders.sentences import COMMA, folded
from pbem.orders.spelling import slips


class Kind(StrEnum):
    """What is wished for."""

    JOIN = "join"
    WATCH = "watch"
    PRACTISE = "practise"
    QUESTION = "question"
    CODE = "code"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Wish:
    """What a letter asks for."""

    kind: Kind
    table: str = ""
    """"" if it is unclear which; of practice, the games named."""
    named: str = ""
    """A table that is not there, or ""."""
    code: str = ""
    name: str = ""
    """What they want to be called, as written."""


_PRICE = re.compile(
    r"[0-9] ?(?:[%$\u20ac\u00a3]|(?:eur|euros?|usd|gbp|chf|dollars|pounds)\b)"
    r"|(?:[$\u20ac\u00a3]|\b(?:eur|usd|gbp|chf)) ?[0-9]",
    re.IGNORECASE,
)
_TABLE = "tablename"
"""Stands for a table's name."""
_SHORT = 14  # words: a letter that names a table says little else
_LONG = 20  # in a longer one that names no table, one sign of a seller is enough
_STRANGE = 2  # so many signs of a seller or a machine make one
_TAIL = 2  # words behind a "can I play" that add nothing
_FEW_ASKED = 40  # words: a letter that asks something asks us
_FEW = 6  # sentences of a short letter
_BEFORE = 3  # words before a phrase that can turn it round
_LEAST_FOR_SLIP = 4  # letters: a shorter name must be spelt right
_FOR_PLAYERS = frozenset(WORDS) - OF_STRANGERS - WISHES
"""Words for the referee that nobody says without a seat."""
_BEFORE_SENTENCES = frozenset(("WHY", "PROTEST", "NAME", "ASK", "PRESS"))
"""What stands behind these may be anybody's sentence."""
_GAMESMASTER = frozenset(("GM", "GAMESMASTER", "REFEREE"))


def read(
    text: str,
    phrases: Phrases,
    joinable: Mapping[str, str],
    watchable: Sequence[str],
    games: Sequence[str] = (),
) -> Wish:
    """Return what a letter asks for.

    joinable: open tables, each with its rule-set. watchable: games and tables. games: rule-sets
    that it names.
    """
    return _Reading(text, phrases, joinable, watchable, games).wish()


def to_us(peeled: Peeled) -> str:
    """Return the press for the gamesmaster, or ""."""
    return next((one.text for one in peeled.press if not _GAMESMASTER.isdisjoint(one.to)), "")


@dataclass
class _Reading:
    text: str
    phrases: Phrases
    joinable: Mapping[str, str]
    watchable: Sequence[str]
    games: Sequence[str]

    def __post_init__(self) -> None:
        self.lists = self.phrases.words
        self.names = {folded(one) for one in (*self.joinable, *self.watchable)}
        said = self.phrases.sentences(self.text)
        self.said = [replace(one, words=joined(one.words, self.names)) for one in said]
        self.marked = [tuple(map(self._marked, one.words)) for one in self.said]
        self.words = [word for one in self.said for word in (*one.words, COMMA)]
        self.about = {*chain(*self.marked)}
        self.many = sum(word != COMMA for word in self.words)

    def wish(self) -> Wish:
        if code := code_of(self.text, self.phrases):
            return Wish(Kind.CODE, code=code)
        peeled = mailwords.peel(self.text)
        if to_us(peeled):
            return Wish(Kind.QUESTION)
        words = {
            one.name
            for one in peeled.commands
            if not (one.argument and one.name in _BEFORE_SENTENCES)
        }
        if _FOR_PLAYERS & words and len(self.said) == len(peeled.commands):
            return Wish(Kind.NOTHING)
        if peeled.game or peeled.period:  # a player wrote from another address: they want no seat
            return Wish(Kind.NOTHING)
        joins, watches = next(self._wishes("join"), None), next(self._wishes("watch"), None)
        watches_first = bool(watches and (joins is None or watches <= joins))
        if self._unwanted(max(filter(None, (joins, watches)), default=None), watches_first):
            return Wish(Kind.NOTHING)
        asks, where = self._asks(), joins[0] if joins else 0
        if self._practises(asks):
            return Wish(Kind.PRACTISE, " ".join(self.games))
        looks = self.marked and not self.lists["lookers"].isdisjoint(self.marked[where])
        if watches_first or (looks and (joins or not asks)):
            return self._of(Kind.WATCH, self.watchable)
        if joins or self._bare() or (not asks and self._just_named()):
            return self._of(Kind.JOIN, list(self.joinable))
        return Wish(Kind.QUESTION if asks else Kind.NOTHING)

    def _of(self, kind: Kind, there: Sequence[str]) -> Wish:
        found, doubtful = self._named(there)
        name = self._name()
        if len(found) == 1 and not doubtful:
            return Wish(kind, found[0], name=name)
        if found or doubtful:
            return Wish(kind, named=doubtful, name=name)
        if kind is Kind.JOIN and len(meant := self._by_game()) == 1:
            return Wish(kind, meant[0], name=name)
        other = self._unknown()
        only = there[0] if len(there) == 1 and not other else ""
        return Wish(kind, only, named=other, name=name)

    # --- wishes -----------------------------------------------------------------------------------

    def _spots(self, kind: str) -> Iterator[tuple[int, Spot]]:
        for number, words in enumerate(self.marked):
            for spot in self.phrases.spots(kind, words):
                yield number, spot

    def _wishes(self, kind: str) -> Iterator[tuple[int, int]]:
        """Yield the sentence and first word of each wish."""
        for number, spot in self._spots(kind):
            words = self.marked[number]
            if not (self._turned(words, spot) or self._asks_more(kind, number, spot)):
                yield number, spot[0]

    def _turned(self, words: Sequence[str], spot: Spot) -> bool:
        """Return whether a "not", a "you" or a doubt turns a phrase round."""
        first, end = spot
        if "mind" in words[first:end]:
            return False
        around = list[str]()
        for word in words[max(0, first - _BEFORE) : first]:
            around = [] if word in self.lists["and"] else [*around, word]
        around += words[first:end]
        undecided = self.lists["undecided"].isdisjoint(words[max(0, first - 2) : end])
        to_us = " you to " in " ".join(around)
        return to_us or not undecided or not self.lists["not"].isdisjoint(around)

    def _asks_more(self, kind: str, number: int, spot: Spot) -> bool:
        """Return whether a "can I play" is only part of a question."""
        words, (first, end) = self.marked[number], spot
        if words[first] == _TABLE and self.phrases.has("wonders", words):
            return True
        if not self.said[number].asks:
            return False
        if first and words[first - 1] in self.lists["supposed"]:
            return True
        clause = max((at + 1 for at in range(first) if words[at] == COMMA), default=0)
        if words[clause] in self.lists["invites"] and self.lists["self"].isdisjoint(words):
            return True
        tail = [word for word in words[end:] if word != COMMA]
        more = len(tail) > _TAIL and self.lists["kept"].isdisjoint(tail)
        more = more or not self.lists["whether"].isdisjoint(words)
        return kind == Kind.JOIN and words[clause] in self.lists["asking"] and more

    def _practises(self, asks: bool) -> bool:
        """Return whether they would like to play alone, or to try a game of which no table is."""
        if not self.names.isdisjoint(self.words) or self._by_game():
            return False
        kinds = ("practise", "try") if self.games else () if asks else ("practise",)
        return any(next(self._wishes(kind), None) for kind in kinds)

    def _bare(self) -> bool:
        """Return whether the letter is a few words by which one joins."""
        if not self.said or len(self.said) > _FEW or self.said[0].asks:
            return False
        words = [word for word in self.marked[0] if word != COMMA]
        says = not self.lists["yes"].union((_TABLE,)).isdisjoint(words)
        plain = len(words) <= _SHORT and self.phrases.is_kind(words, (_TABLE,))
        return words[0] == "signon" or (says and plain)

    def _just_named(self) -> bool:
        said = zip(self.said, self.marked, strict=True)
        ours = self.lists["theirs"].isdisjoint(self.about)
        named = any(_TABLE in words and not one.asks for one, words in said)
        return named and ours and self.many <= _SHORT

    def _asks(self) -> bool:
        for one in self.said:
            word, _ = asked(one.text.strip(" .!?")) or ("", "")
            if word in GENEROUS or self.phrases.has("wonders", one.words):
                return True
        questions = self.phrases.talk.asked(self.text)
        if questions and not self.lists["ours"].isdisjoint(self.about):
            return True
        begins = not self.lists["begins"].isdisjoint(folded(one.split()[0]) for one in questions)
        return begins and self.many <= _FEW_ASKED and not self._strange()

    # --- tables -----------------------------------------------------------------------------------

    def _marked(self, word: str) -> str:
        """Return a word without a slip, and a table as :data:`_TABLE`."""
        if word in self.names or _near(word, self.names):
            return _TABLE
        if len(word) < _LEAST_FOR_SLIP or word in self.phrases.vocabulary:
            return word
        near = slips(word, self.lists["keys"])
        return near[0] if len(near) == 1 else word

    def _named(self, there: Sequence[str]) -> tuple[list[str], str]:
        """Return the tables named and not struck out, and an ambiguous name with a slip, or ""."""
        by_name = {folded(one): one for one in there}
        struck, found = list[str](), dict[str, None]()
        for number, (first, end) in self._spots("struck"):
            words = zip(self.said[number].words, self.marked[number], strict=True)
            struck += [word for word, mark in [*words][first:end] if mark == _TABLE]
        named = [word for word in self.words if word in by_name]
        for one in struck:
            if one in named and {*named} != {one}:
                named.remove(one)
        if named:
            return list(dict.fromkeys(by_name[one] for one in named)), ""
        for word in self.words:
            near = _near(word, by_name)
            if len(near) > 1:
                return [], word
            found |= {by_name[one]: None for one in near}
        return list(found), ""

    def _by_game(self) -> list[str]:
        return [table for table, game in self.joinable.items() if game in self.games]

    def _unknown(self) -> str:
        """Return a word behind "table" or "game" that names none of ours, or ""."""
        behind = (after for word, after in pairwise(self.words) if word in self.lists["table"])
        return next((word for word in behind if word not in self.phrases.vocabulary), "")

    def _name(self) -> str:
        """Return the name behind "as" or "call me": one to three words."""
        tables = {folded(one) for one in self.joinable}
        names = (name_in(one.text) for one in self.said)
        return next((one for one in names if one and folded(one) not in tables), "")

    # --- what wishes nothing ----------------------------------------------------------------------

    def _unwanted(self, wished: tuple[int, int] | None, watches: bool) -> bool:
        """Return whether the letter refuses, sells, or is a machine's.

        wished: where its last wish is. watches: who would like to watch may decline to play.
        """
        if any(self._spots("refuses")):
            return True
        said = [(number, first) for number, (first, _) in self._spots("declines")]
        declines = max((one for one in said if not self.said[one[0]].asks), default=None)
        if declines and not watches and (wished is None or declines >= wished):
            return True
        named = bool(self.games) or (wished is not None and not self.names.isdisjoint(self.words))
        if wished and not named and self._of_something_else(self.marked[wished[0]]):
            return True
        wishes = chain(self._wishes("join"), self._wishes("watch"))
        own = any(not self.lists["self"].isdisjoint(self.marked[number]) for number, _ in wishes)
        score = self._strange() + _STRANGE * ("http" in self.text and not named)
        if named or own:
            return score >= 2 * _STRANGE
        return score >= (1 if self.many > _LONG and not self._asks() else _STRANGE)

    def _of_something_else(self, words: Sequence[str]) -> bool:
        """Return whether they wish what others do ("join your tender")."""
        strange = not self.lists["sells"].isdisjoint(words) or self.phrases.has("machine", words)
        return strange and self.lists["ours"].isdisjoint(words)

    def _strange(self) -> int:
        """Return how much speaks for a seller or a machine."""
        sure = len({(number, end) for number, (_, end) in self._spots("machine")})
        sure += len(self.lists["sells"].intersection(self.words))
        sure += bool(_PRICE.search(self.text))
        return _STRANGE * sure + len(self.lists["spam"].intersection(self.words))


def _near(word: str, names: Collection[str]) -> list[str]:
    """Return the names that are one slip off."""
    long = [one for one in names if len(one) >= _LEAST_FOR_SLIP]
    return slips(word, long) if len(word) >= _LEAST_FOR_SLIP else []
