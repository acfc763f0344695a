"""What a stranger's letter asks for: to join a table, to watch one, an answer, nothing.

A wish is the writer's own ("I would like to play"), no invitation to us ("Join now"). A letter that
refuses, sells or answers by machine wishes nothing.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from pbem.orders import sentences
from pbem.orders.door.answer import code_of, name_in
from pbem.orders.door.phrases import Phrases, Spot, clause, joined, pressed
from pbem.orders.sentences import COMMA, Sentence
from pbem.orders.spelling import slips


class Kind(StrEnum):
    """What is wished for."""

    JOIN = "join"
    WATCH = "watch"
    QUESTION = "question"
    CODE = "code"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Wish:
    """What a letter asks for."""

    kind: Kind
    table: str = ""
    """"" if it is unclear which."""
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
_HEAD = re.compile(r"(?m)^[^\w\n]{0,8}([^\W\d_][^:\n]{0,30}): \S")
_TABLE = "tablename"
"""Stands for a table's name."""
_SHORT = 14
"""A letter of no more words that names a table says little else."""
_LONG = 20
"""In a longer letter that names no table, one sign of a seller is enough."""
_TAIL = 2
"""Words behind a "can I play" that add nothing."""
_FEW_ASKED = 40
"""A letter of no more words that asks something asks us."""
_FEW = 6
"""Words of a short letter."""
_BEFORE = 3
"""Words before a phrase that can turn it round."""
_LEAST_FOR_SLIP = 4
"""A shorter name must be spelt right."""
_OF_A_GAME = re.compile(r"(?m)^[ >]*(?:GAME [\w-]{1,40}|PERIOD [0-9]{1,4})[ \t]*$")
"""A player wrote from another address. They want no seat."""


def read(
    text: str, phrases: Phrases, joinable: Mapping[str, Collection[str]], watchable: Sequence[str]
) -> Wish:
    """Return what a letter asks for.

    joinable: open tables, each with other names (of its game). watchable: games and tables.
    """
    return _Reading(text, phrases, joinable, watchable).wish()


@dataclass
class _Reading:
    text: str
    phrases: Phrases
    joinable: Mapping[str, Collection[str]]
    watchable: Sequence[str]

    def __post_init__(self) -> None:
        self.names = {sentences.folded(one) for one in (*self.joinable, *self.watchable)}
        said = sentences.sentences(self.text, self.phrases.short)
        self.said = [replace(one, words=joined(one.words, self.names)) for one in said]
        self.marked = [self._marked(one) for one in self.said]
        self.words = [word for one in self.said for word in (*one.words, COMMA)]
        self.struck = self._struck()

    def wish(self) -> Wish:
        if code := code_of(self.text, self.phrases):
            return Wish(Kind.CODE, code=code)
        if pressed(self.text):
            return Wish(Kind.QUESTION)
        if _OF_A_GAME.search(self.text):
            return Wish(Kind.NOTHING)
        joins, watches = next(self._all("join"), None), next(self._all("watch"), None)
        wished = max((one for one in (joins, watches) if one), default=None)
        watches_first = bool(watches and (joins is None or watches <= joins))
        if self._unwanted(wished, watches=watches_first):
            return Wish(Kind.NOTHING)
        where = joins[0] if joins else 0
        looks = self.marked and not self.phrases.words["lookers"].isdisjoint(self.marked[where])
        if watches_first or (looks and (joins or not self._asks())):
            return self._of(Kind.WATCH, self.watchable)
        asks = self._asks()
        if joins or self._bare() or (not asks and (self._just_named() or self._likes())):
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

    def _all(self, kind: str) -> Iterator[tuple[int, int]]:
        for number, words in enumerate(self.marked):
            for spot in self.phrases.spots(kind, words):
                if not (self._turned(words, spot) or self._asks_more(kind, number, spot)):
                    yield number, spot[0]

    def _asks_more(self, kind: str, number: int, spot: Spot) -> bool:
        """Return whether a "can I play" is only part of a question."""
        words, said = self.marked[number], self.phrases.words
        if not self.said[number].asks:
            return False
        first = words[clause(words, spot[0])]
        own = said["self"].union(said["mine"]).intersection(words[: spot[1]])
        if first in said["asked"] and first != words[spot[0]] and not own:
            return True
        tail = [word for word in words[spot[1] :] if word != COMMA]
        plain = said["wants"].union(said["asking"]).isdisjoint(words[spot[0] : spot[1]])
        before = said["relative"] | (said["supposed"] if plain else frozenset())
        if spot[0] and words[spot[0] - 1] in before:
            return True
        more = len(tail) > _TAIL and said["kept"].isdisjoint(tail)
        asking = kind == Kind.JOIN and first in said["asking"]
        return asking and (more or self.phrases.has("whether", words))

    def _likes(self) -> bool:
        return any(self.phrases.has("likes", words) for words in self._stated())

    def _stated(self) -> list[tuple[str, ...]]:
        """Return the words of each sentence that asks nothing."""
        said = zip(self.said, self.marked, strict=True)
        return [words for one, words in said if not one.asks]

    def _struck(self) -> set[int]:
        """Return where tables are named only to be turned down."""
        found, begins = set[int](), 0
        for words in self.marked:
            for first, end in self.phrases.spots("struck", words):
                found |= {begins + at for at in range(first, end) if words[at] == _TABLE}
            begins += len(words) + 1
        return found

    def _marked(self, one: Sentence) -> tuple[str, ...]:
        """Return its words without slips, and each table as one word."""
        return tuple(_TABLE if self._is_table(word) else self._mended(word) for word in one.words)

    def _mended(self, word: str) -> str:
        if len(word) < _LEAST_FOR_SLIP or word in self.phrases.vocabulary:
            return word
        near = slips(word, sorted(self.phrases.words["keys"]))
        return near[0] if len(near) == 1 else word

    def _is_table(self, word: str) -> bool:
        return word in self.names or bool(self._near(word, self.names))

    @staticmethod
    def _near(word: str, names: Collection[str]) -> list[str]:
        """Return the names that are one slip off."""
        long = [one for one in names if len(one) >= _LEAST_FOR_SLIP]
        return slips(word, long) if len(word) >= _LEAST_FOR_SLIP else []

    def _turned(self, words: Sequence[str], spot: Spot) -> bool:
        """Return whether a "not", a "you" or a doubt turns a phrase round."""
        (first, end), said = spot, self.phrases.words
        before = list[str]()
        for word in reversed(words[max(0, first - _BEFORE) : first]):
            if word in self.phrases.words["and"]:
                break
            before.append(word)
        if before[-2:] == ["not", "if"]:  # "if not, deal me in"
            before = before[:-2]
        within = words[first:end]
        if "mind" in within:
            return False
        to_us = first and words[first] in said["mine"] and words[first - 1] in said["toward"]
        undecided = not said["undecided"].isdisjoint(words[max(0, first - 2) : end])
        if to_us or undecided or " you to " in " ".join(within):
            return True
        around = [*before, *within]
        return "why" not in around and not said["not"].isdisjoint(around)

    def _bare(self) -> bool:
        """Return whether the letter is a few words by which one joins."""
        first = next(iter(self.said), None)
        if first is None:
            return False
        words = self.marked[0]
        if words[0] == "signon":
            return True
        left = [word for word in words if word != _TABLE]
        named = len(left) < len(words)
        rest = [word for word in left if word not in self.phrases.words["filler"]]
        if not rest:
            return (named or "me" in left) and not first.asks
        short = len(rest) <= _FEW and (len(self.said) <= _FEW)
        filler = self.phrases.words["filler"]
        plain = filler.issuperset(self.phrases.without("bare", left))
        return short and plain and (named or not first.asks)

    def _just_named(self) -> bool:
        few = sum(word != COMMA for word in self.words) <= _SHORT
        ours = self.phrases.signs["theirs"].isdisjoint(self.words)
        return few and ours and any(_TABLE in words for words in self._stated())

    # --- tables -----------------------------------------------------------------------------------

    def _named(self, there: Sequence[str]) -> tuple[list[str], str]:
        """Return the tables named and not struck out, and an ambiguous name with a slip, or ""."""
        folded = {sentences.folded(one): one for one in there}
        places = [at for at, word in enumerate(self.words) if word in folded]
        kept = [at for at in places if at not in self.struck] or places
        if kept:
            return list(dict.fromkeys(folded[self.words[at]] for at in kept)), ""
        found = dict[str, None]()
        for word in self.words:
            near = self._near(word, folded)
            if len(near) > 1:
                return [], word
            found |= {folded[one]: None for one in near}
        return list(found), ""

    def _by_game(self) -> list[str]:
        said = f" {' '.join(self.words)} "
        return [
            table
            for table, names in self.joinable.items()
            if any(f" {sentences.folded(name)} " in said for name in names)
        ]

    def _unknown(self) -> str:
        """Return a word behind "table" or "game" that names none of ours, or ""."""
        words = self.phrases.words
        ours = words["plain"] | words["filler"] | self.phrases.vocabulary
        for word, after in zip(self.words, self.words[1:], strict=False):
            if word in self.phrases.signs["table"] and after not in ours:
                return after
        return ""

    def _name(self) -> str:
        """Return the name behind "as" or "call me": one to three words."""
        for one in self.said:
            found = name_in(one.text)
            if found and sentences.folded(found) not in map(sentences.folded, self.joinable):
                return found
        return ""

    # --- what wishes nothing ----------------------------------------------------------------------

    def _unwanted(self, wished: tuple[int, int] | None, *, watches: bool) -> bool:
        """Return whether the letter refuses, sells, or is a machine's.

        wished: where its last wish is. watches: who would like to watch may decline to play.
        """
        if self._times("refuses") or self._is_calendars():
            return True
        declines = None if watches else max(self._spots("declines"), default=None)
        if declines and (wished is None or declines >= wished):
            return True
        named = wished is not None and not self.names.isdisjoint(self.words)
        if wished and not named and self._of_something_else(wished[0]):
            return True
        own = any(self._is_own(*at) for kind in ("join", "watch") for at in self._all(kind))
        score = 2 * (self._times("machine") + self._times("sells")) + self._times("spam")
        score += 2 * (("http" in self.text) and not named) + 2 * bool(_PRICE.search(self.text))
        long = len(self.words) > _LONG
        return score >= (4 if named or own else 1 if long and not self._asks() else 2)

    def _of_something_else(self, number: int) -> bool:
        """Return whether they wish what others do ("join your tender")."""
        words = self.marked[number]
        ours = self.phrases.words["wished"]
        return ours.isdisjoint(words) and self.phrases.has("sells", words)

    def _is_calendars(self) -> bool:
        calendar = self.phrases.signs["calendar"]
        return any(head[1].lower() in calendar for head in _HEAD.finditer(self.text))

    def _is_own(self, number: int, at: int) -> bool:
        return not self.phrases.signs["writer"].isdisjoint(
            self.marked[number][max(0, at - _SHORT) : at + _BEFORE]
        )

    def _spots(self, kind: str) -> Iterator[tuple[int, int]]:
        for number, words in enumerate(self.marked):
            for spot in self.phrases.spots(kind, words):
                if not self._supposed(number, spot):
                    yield number, spot[0]

    def _times(self, kind: str) -> int:
        ends = set[Spot]()
        for number, one in enumerate(self.said):
            spots = self.phrases.spots(kind, one.words)
            ends |= {(number, spot[1]) for spot in spots if not self._supposed(number, spot)}
        return len(ends)

    def _supposed(self, number: int, spot: Spot) -> bool:
        """Return whether a question only supposes it ("what if I do not")."""
        one = self.said[number]
        before = one.words[: spot[0] + 1]
        return one.asks and not self.phrases.words["supposed"].isdisjoint(before)

    def _asks(self) -> bool:
        ours = self.phrases.words["ours"]
        about = {word for words in self.marked for word in words}
        for one in self.said:
            if one.asks and one.words[0] in self.phrases.words["invites"]:
                continue
            first = one.text.strip(" .!?").split(" ")[0].lower()
            if first in self.phrases.signs["keywords"] or self.phrases.has("wonders", one.words):
                return True
            spots = self.phrases.spots("question", one.words)
            begins = any(start == 0 or end - start > 2 for start, end in spots)
            if (one.asks or begins) and not ours.isdisjoint(about):
                return True
            few = sum(word != COMMA for word in self.words) <= _FEW_ASKED
            if one.asks and begins and few and not (self._times("spam") or self._times("sells")):
                return True
        return False
