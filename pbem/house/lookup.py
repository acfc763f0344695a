"""Look up a question in a game's paragraphs, by SQLite's full-text search.

Each thing asked counts by its rarity. A paragraph that lacks some counts less, below a threshold
nothing: no answer beats a wrong one.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf, log

from pbem.budget import paused
from pbem.house import resources, shelf
from pbem.orders.questions import Subject, Talk, talk, words
from pbem.orders.spelling import slips
from pbem.pages.guide import Paragraph, of_document, of_rules

_ENOUGH = ((0.7, 15.0, 1.2), (0.6, 16.0, 1.5))
"""The threshold, learnt on tests/questions: nine of ten paragraphs shown help. Each row is enough:
the share of the question that a paragraph has, its score, and by what it leads the next."""
_ASKED = 2.0  # weight of the best phrase of players for a paragraph
_SHORTEST = 6  # letters of a word that may be one letter off
_LIGHT, _PAIR = 0.35, 0.5
"""Weight of a word that says little, and of two words together."""
_MOST_WEIGHT = 2.0  # most that one word weighs in the share of the question that a paragraph has
_UNKNOWN = 2.5  # weight there of a word in no paragraph
_ENDINGS = ("ing", "ed", "es", "s", "er", "ly")


@dataclass(frozen=True, slots=True)
class Found:
    """A paragraph that may answer."""

    paragraph: Paragraph
    passage: str
    score: float
    covered: float
    """Share of the question it has, 0 to 1."""

    @property
    def quoted(self) -> str:
        return self.paragraph.quoted(self.passage)


class Index:
    """The paragraphs of one game, in memory."""

    def __init__(
        self, paragraphs: Iterable[Paragraph], talk: Talk, asked: Mapping[str, str]
    ) -> None:
        """asked: players' phrases with commas, by label or beginning of the paragraph."""
        self.talk = talk
        self._rows = [(one, text) for one in dict.fromkeys(paragraphs) for text in one.passages()]
        self._texts = sqlite3.connect(":memory:", check_same_thread=False)
        columns = [
            (f"{one.label} {one.heading}".strip(), text, _asked(one, asked))
            for one, text in self._rows
        ]
        self._fill("passage", "label, text, asked", columns)
        self._phrases = [
            (one, phrase)
            for one in self.paragraphs
            for phrase in _asked(one, asked).replace(";", ",").split(",")
        ]
        self._lengths = [self._length(phrase) for _, phrase in self._phrases]
        self._fill("phrase", "text", [(phrase,) for _, phrase in self._phrases])
        there = {word for row in columns for word in words(" ".join(row))}
        self._words = there - talk.idle
        self._stems = frozenset(map(_stem, self._words))

    def _fill(self, table: str, columns: str, rows: Sequence[tuple[str, ...]]) -> None:
        how = f"{table} USING fts5 ({columns}, tokenize='porter unicode61')"
        self._texts.execute(f"CREATE VIRTUAL TABLE {how}")
        values = ", ".join("?" * (1 + len(columns.split())))
        into = f"INSERT INTO {table} (rowid, {columns}) VALUES ({values})"
        self._texts.executemany(into, ((at, *row) for at, row in enumerate(rows)))

    @property
    def paragraphs(self) -> list[Paragraph]:
        """Each once."""
        return list(dict.fromkeys(one for one, _ in self._rows))

    def answer(self, question: str, names: Iterable[str] = ()) -> Found | None:
        """Return the paragraph that answers a question; None if none surely does. Names that no
        paragraph has are passed over, and slips of idle words."""
        if self.talk.is_personal(question):
            return None
        known = self._words | self.talk.idle
        idle = {word for one in names for word in words(one)} - known
        long = (one for one in {*words(question)} - known if len(one) >= _SHORTEST)
        idle.update(one for one in long if slips(one, self.talk.idle))
        question = " ".join(one for one in question.split() if idle.isdisjoint(words(one)))
        best, second, *_ = [*self.ranked(question), None, None]
        lead = best.score / second.score if best and second else inf
        if best is None or not any(
            best.covered >= share and best.score >= score and lead >= least
            for share, score, least in _ENOUGH
        ):
            return None
        own = self._scores(question, "{text} : ")[0]
        there = [at for at, (one, _) in enumerate(self._rows) if one == best.paragraph]
        at = max(there, key=lambda at: own.get(at, 0.0))
        return replace(best, passage=self._rows[at][1]) if at in own else None

    def ranked(self, question: str) -> list[Found]:
        """Return every paragraph that has something of a question, best first."""
        scores, covered = self._scores(question)
        asked, best = self._asked_scores(question), dict[Paragraph, Found]()
        for at, score in scores.items():
            one, text = self._rows[at]
            share = covered.get(at, 0.0)
            total = (score * share + _ASKED * asked.get(one, 0.0)) * one.weight
            if one not in best or total > best[one].score:
                best[one] = Found(one, text, total, share)
        return sorted(best.values(), key=lambda one: -one.score)

    def _scores(
        self, question: str, where: str | None = None
    ) -> tuple[dict[int, float], dict[int, float]]:
        """Return {passage: score} and {passage: share of the question it has}. where: a filter of
        columns; None for all."""
        scores, covered = defaultdict[int, float](float), defaultdict[int, float](float)
        whole = 0.0
        for subject in self.talk.subjects(question):
            hits = self._hits(subject, where)
            weight = self._weight(hits)
            for paragraph in hits:
                scores[paragraph] += weight * (_LIGHT if subject.light else 1)
            if not subject.light:
                part = min(weight, _MOST_WEIGHT) if hits else _UNKNOWN
                whole += part
                for paragraph in hits:
                    covered[paragraph] += part
        for pair in self.talk.pairs(question):
            hits = self._matches(pair, where)
            for paragraph in scores.keys() & hits:
                scores[paragraph] += _PAIR * self._weight(hits)
        if not whole:  # nothing but light words
            return scores, dict.fromkeys(scores, 1.0)
        return scores, {at: part / whole for at, part in covered.items()}

    def _asked_scores(self, question: str) -> dict[Paragraph, float]:
        """Return {paragraph: score of its best phrase}: the better both fit, the more it counts."""
        plain = [Subject(one, (one,), light=self._is_light(one)) for one in words(question)]
        meant = [
            *self.talk.subjects(question),
            *(one for one in plain if one.said in self.talk.idle),
        ]
        best = defaultdict[Paragraph, float](float)
        for subjects in (meant, plain):
            scores, had, whole = defaultdict[int, float](float), defaultdict[int, float](float), 0.0
            for subject in dict.fromkeys(subjects):
                hits = self._hits(subject, None, "phrase")
                whole += (part := _LIGHT if subject.light else 1)
                weight = self._weight({self._phrases[at][0] for at in hits})
                for at in hits:
                    scores[at] += weight * part
                    had[at] += part
            for at, score in scores.items():
                one = self._phrases[at][0]
                fits = min(1.0, had[at] / self._lengths[at]) * had[at] / whole
                best[one] = max(best[one], score * fits)
        return best

    def _is_light(self, word: str) -> bool:
        return word in self.talk.light or word in self.talk.idle

    def _length(self, phrase: str) -> float:
        return sum(_LIGHT if self._is_light(one) else 1 for one in {*words(phrase)}) or 1.0

    def _weight(self, hits: Sized) -> float:
        """Return how much a word counts: the rarer, the more."""
        return log((len(self._rows) + 1) / (len(hits) + 0.5))

    def _hits(self, subject: Subject, where: str | None, table: str = "passage") -> set[int]:
        """Return the rows of a table that have the subject, or what is one letter off."""
        finds: Iterable[str] = subject.finds
        if finds == (subject.said,) and not subject.light and not self._matches(subject.said):
            stem = _stem(subject.said)
            near = [stem] if stem in self._stems else []
            if len(subject.said) >= _SHORTEST:
                near = slips(subject.said, self._words) or near
            finds = [one for one in near if one[0] == subject.said[0]]
        return {at for word in finds for at in self._matches(word, where, table)}

    def _matches(self, word: str, where: str | None = None, table: str = "passage") -> set[int]:
        bare = word.removesuffix("*").replace('"', " ")
        rows = self._texts.execute(
            f"SELECT rowid FROM {table} WHERE {table} MATCH ?",
            ((where or "") + (f'"{bare}"*' if word.endswith("*") else f'"{bare}"'),),
        )
        return {at for (at,) in rows}


def _asked(one: Paragraph, asked: Mapping[str, str]) -> str:
    begins = (said for beginning, said in asked.items() if one.text.startswith(beginning))
    return asked.get(one.label) or next(begins, "")


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending):
            return word.removesuffix(ending)
    return word


@lru_cache(maxsize=16)
@paused
def index(key: str, more: tuple[Paragraph, ...] = ()) -> Index:
    """more: a game's house rules, order guide and tables."""
    texts = [*of_rules(shelf.rules(key)), *more]
    texts += of_document(resources.text("docs", "players-guide.md"), "The player's guide")
    return Index(texts, how_asked(), asked_of(key))


@lru_cache
@paused
def how_asked() -> Talk:
    return talk(resources.toml("grammar", "questions.toml"))


def asked_of(key: str) -> Mapping[str, str]:
    """Return players' questions, by label or beginning of the paragraph that answers."""
    data = resources.toml("rules", "asked.toml")
    return {**data["any"], **data[key]}


def is_usable() -> bool:
    """Return whether this SQLite has full-text search."""
    with sqlite3.connect(":memory:") as texts:
        try:
            texts.execute("CREATE VIRTUAL TABLE passage USING fts5 (text)")
        except sqlite3.OperationalError:
            return False
    return True
