"""Questions in plain words, and what each asks about."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile, pairwise
from typing import Any

from pbem.orders.characters import uncomment
from pbem.orders.sentences import COMMA, Sentence, sentences, unaccented
from pbem.orders.spelling import is_number

_WORD = re.compile(r"[^\W_]++(?:[-/'][^\W_]++)*+")
_QUOTED = re.compile(r'"[^"\n]*+"')
_TIME = re.compile(
    r"\b(?:(?:more|extra|another|additional|further) (?:\w+ )?(?:time|days?|weeks?|hours?|weekend)"
    r"|an extension|(?:extend|postpone|delay|move) (?:the|this) (?:deadline|period|session))\b"
)
_FOOTER = re.compile(
    r"\bprint(?:ing)? this (?:e-?mail|mail|message)|\breceived this (?:\S+ )?in error"
    r"|\bintended recipient",
    re.IGNORECASE,
)
"""What companies write below their mails."""
_REQUESTS = frozenset(
    {"could", "can", "may", "might", "please", "need", "like", "give", "ask", "request", "possible"}
)
_ANNOUNCES = frozenset(
    {"may", "can", "could", "i", "we", "also", "ask", "you", "a", "an", "one", "two", "few", "some"}
    | {"more", "quick", "other", "another", "question", "questions", "something", "please", "have"}
)
"""Words that only say that a question comes."""
_JOINS = frozenset({"and", "nd", "but"})
_ALSO = frozenset({"also", "and", "but", "so", "now"})
_HINGES = frozenset({"if", "unless", "because", "although"})
"""What they begin is no part by itself: it changes the rest."""
_SHORT_FORMS = {
    **{"wat": "what", "wich": "which", "shud": "should"},
    "nd": "and",
    "ur": "your",
    "evryone": "everyone",
    "rn": "now",
}
"""As on telephones; in capitals they are something else: ND is a state."""
_LONGEST = 6  # words of the longest phrase in ``means``
_SETS = ("begins", "doubtful", "idle", "light", "speaker", "spoken_to", "greets")
_SPOKEN = ("personal", "opens", "polite")
_SHORTEST, MOST_WORDS = 2, 40
"""Words of a question."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing asked about."""

    said: str
    finds: tuple[str, ...]
    """Words to look for, best first; any will do."""
    light: bool = False
    """It says little."""


@dataclass(frozen=True)
class Talk:
    """How people ask: the words of ``grammar/questions.toml``."""

    begins: frozenset[str]
    doubtful: frozenset[str]
    """They need a question mark."""
    sure: frozenset[tuple[str, str]]
    """A doubtful word, and one behind it that makes up for the mark."""
    idle: frozenset[str]
    """Words that say nothing of what is asked."""
    light: frozenset[str]
    personal: frozenset[tuple[str, ...]]
    """Said to a person."""
    opens: frozenset[tuple[str, ...]]
    """Personal at the beginning."""
    polite: frozenset[tuple[str, ...]]
    """Before a question."""
    speaker: frozenset[str]
    spoken_to: frozenset[str]
    greets: frozenset[str]
    means: Mapping[tuple[str, ...], tuple[str, ...]]
    """A player's words -> the rules' words."""

    def asked(
        self,
        text: str,
        is_order: Callable[[str], bool] = lambda sentence: False,
        people: Collection[str] = (),
    ) -> list[str]:
        """Return a text's questions, each once; none to people (names in small letters)."""
        own = _QUOTED.sub('"..."', "\n".join(map(uncomment, text.split("\n"))))
        if "?" not in own and self.begins.isdisjoint(words(own)):
            return []
        found, to = dict[str, None](), None
        for sentence in sentences(own, {}):
            said = words(sentence.text)
            to = self.addressed(sentence, people, to)
            if _FOOTER.search(sentence.text):
                continue
            if to or not _SHORTEST <= len(said) <= MOST_WORDS or is_order(sentence.text):
                continue
            if sentence.asks or self._asks(sentence.text, people):
                found[" ".join(sentence.text.split()) + "?"] = None
        return list(found)

    def _asks(self, sentence: str, people: Collection[str]) -> bool:
        """Return whether a sentence without its mark asks, behind a comma or what is polite too."""
        clauses = [self.impolite(words(one)) for one in sentence.split(",")]
        plainly = any(
            one and one[0] in self.begins - self.doubtful and one[:2] != ["what", "a"]
            for one in clauses
        )
        surely = any(
            tuple(one[:2]) in self.sure or (one[0] in self.doubtful and one[1] in people)
            for one in clauses
            if len(one) > _SHORTEST
        )
        return plainly or (surely and not self.is_personal(sentence))

    def announces(self, question: str) -> bool:
        """Return whether it only says that a question comes."""
        return _ANNOUNCES.issuperset(words(question))

    def parts(self, question: str) -> list[str]:
        """Return what commas part, and questions that an "and" joins; [] if there is one part, or
        the first is no question, but says when the other holds."""
        asks = question.split()
        found, asks = [list[str]()], asks[asks[0].lower() in _ALSO :]
        for word, after in pairwise([*asks, ""]):
            if word.lower() in _JOINS and after.lower() in self.begins:
                found.append([])
            else:
                found[-1].append(word.rstrip(","))
                found += [[]] * word.endswith(",")
        parts = [" ".join(one) for one in found if not self.greets.issuperset(words(" ".join(one)))]
        if any(part.split()[0].lower() in _HINGES for part in parts):
            return []
        begins = not self.begins.isdisjoint(words(parts[0])[:1]) if parts else False
        return parts if begins and len(parts) > 1 else []

    def for_time(self, text: str) -> str:
        """Return the first sentence that asks for more time, or ""."""
        if not _TIME.search(" ".join(words(text))):
            return ""
        for sentence in sentences(text, {}):
            said = words(sentence.text)
            wants = _TIME.search(" ".join(said)) and not _REQUESTS.isdisjoint(said)
            if wants and said[0] not in self.begins - self.doubtful:
                return " ".join(sentence.text.split()) + ("?" if sentence.asks else ".")
        return ""

    def addressed(
        self, sentence: Sentence, people: Collection[str], before: str | None = None
    ) -> str | None:
        """Return whom of these people a sentence is for, or None. before: whom the one before was
        for; a greeting ends that."""
        heads = [*dropwhile(lambda word: word in (*self.greets, COMMA), sentence.words)]
        greeted = len(heads) < len(sentence.words)
        for one in people:
            name = (*one.split(),)
            rest = heads[len(name) :]
            plainly = rest[:1] in ([], [COMMA]) or (greeted and len(one) > 1)
            if (tuple(heads[: len(name)]) == name and plainly) or sentence.words[
                -1 - len(name) :
            ] == (COMMA, *name):
                return one
        return None if greeted and sentence.words[0] in self.greets else before

    def subjects(self, question: str) -> list[Subject]:
        """Return what it asks about, each once."""
        said, at = words(question), 0
        found = dict[str, Subject]()
        while at < len(said):
            length, finds = self._meant(said, at)
            one = " ".join(said[at : at + length])
            if finds:
                found.setdefault(one, Subject(one, finds))
            elif one not in self.idle:
                subject = Subject(one, (one,), one in self.light or is_number(one))
                found.setdefault(one, subject)
            at += length
        return list(found.values())

    def _meant(self, said: Sequence[str], at: int) -> tuple[int, tuple[str, ...]]:
        """Return how many words from ``at`` mean something together, and what; else (1, ())."""
        for length in range(min(_LONGEST, len(said) - at), 0, -1):
            if finds := self.means.get(tuple(said[at : at + length])):
                return length, finds
        return 1, ()

    def is_personal(self, question: str) -> bool:
        """Return whether it is for a person: no rule answers it."""
        said = self.impolite(words(question))
        return (
            _has(said, self.personal)
            or any(tuple(said[:length]) in self.opens for length in range(1, _LONGEST + 1))
            or not (self.speaker.isdisjoint(said) or self.spoken_to.isdisjoint(said))
        )

    def impolite(self, said: list[str]) -> list[str]:
        """Return words without what is only polite before a question."""
        for length in range(_LONGEST, 0, -1):
            if tuple(said[:length]) in self.polite:
                return self.impolite(said[length:])
        return said

    def pairs(self, question: str) -> Iterator[str]:
        """Yield neighbouring words that both say something."""
        for one, two in pairwise(words(question)):
            if one not in self.idle and two not in self.idle:
                yield f"{one} {two}"


def _has(said: Sequence[str], phrases: Collection[tuple[str, ...]]) -> bool:
    return any(
        tuple(said[at : at + length]) in phrases
        for at in range(len(said))
        for length in range(1, _LONGEST + 1)
    )


def talk(data: Mapping[str, Any]) -> Talk:
    given: dict[str, Any] = {one: frozenset(data[one].split()) for one in _SETS}
    for one in _SPOKEN:
        given[one] = frozenset((*words(phrase),) for phrase in data[one])
    sure = (
        (first, second)
        for firsts, seconds in data["sure"].items()
        for first in firsts.split()
        for second in seconds.split()
    )
    means = {
        (*words(phrase),): (*(one.strip() for one in finds.split(",")),)
        for finds, phrases in data["means"].items()
        for phrase in phrases
    }
    return Talk(**given, sure=frozenset(sure), means=means)


def words(text: str) -> list[str]:
    """Return small letters, without accents and apostrophes."""
    found = (one.replace("'", "") for one in _WORD.findall(unaccented(text)))
    shouted = {*_WORD.findall(text)}
    return [one if one.upper() in shouted else _SHORT_FORMS.get(one, one) for one in found]
