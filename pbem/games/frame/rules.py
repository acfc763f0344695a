"""Base of all rule-sets: rulebook, positions as JSON, and answers to WHY."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from pbem.games.frame import codec
from pbem.games.frame.codec import Json
from pbem.games.frame.events import PUBLIC, Event, Seat
from pbem.games.frame.ruleset import About, Offer, Rulebook, ToldEvent
from pbem.orders.language import Language
from pbem.orders.order import NO_ORDERS, Standing

S = TypeVar("S")
_SIGNS = str.maketrans("\u2212,:#", "-   ")
_FILLERS = {"WHY", "THE", "OF", "ON", "WITH", "IN", "FOR", "MY", "OUR", "DID", "IS", "HAS", "WHO"}


@dataclass(frozen=True, slots=True)
class Asker(Generic[S]):
    """Who asks (None: everybody), at a position, after what was told."""

    state: S
    seat: Seat | None
    told: Sequence[ToldEvent]
    tables: Any

    def step(self, kind: str, rule: str, /, **data: Any) -> Event:
        return Event(kind, rule, frozenset([self.seat]) if self.seat else PUBLIC, data)

    def heard(self, *kinds: str, since: Iterable[str] = ()) -> list[ToldEvent]:
        """Return what was told of ``kinds``, from the last of ``since`` on."""
        first = max((n for n, one in enumerate(self.told) if one.event.kind in since), default=0)
        return [one for one in self.told[first:] if one.event.kind in kinds]

    def events(self, *kinds: str, since: Iterable[str] = ()) -> list[Event]:
        return [one.event for one in self.heard(*kinds, since=since)]


Topic = Callable[[Asker[S], str], Iterable[Event]]
"""Given words in capitals, without the topic's own (first or last); no steps for words not
understood."""


@dataclass(frozen=True, slots=True)
class Reasons(Generic[S]):
    """What can be asked of a game by WHY."""

    questions: Callable[[Asker[S]], Sequence[str]]
    topics: Mapping[str, Topic[S]]
    """By words."""
    names: Sequence[Topic[S]]
    """For words that no topic understands, in turn."""

    def why(self, asker: Asker[S], words: str) -> tuple[Event, ...]:
        *before, last = words.upper().translate(_SIGNS).split() or [""]
        said = [*(word for word in before if word not in _FILLERS), last]
        topics = {word: topic for words, topic in self.topics.items() for word in words.split()}
        tried = [(topic, said) for topic in self.names if last]
        for own, rest in ((said[-1], said[:-1]), (said[0], said[1:])):
            tried[:0] = [(topics[own], rest)] if own in topics else []
        answers = (tuple(topic(asker, " ".join(words))) for topic, words in tried)
        return next(filter(None, answers), ())


def alone(topic: Callable[[Asker[S]], Iterable[Event]]) -> Topic[S]:
    """Return a topic that takes no words."""
    return lambda asker, words: () if words else topic(asker)


def ends(word: str, names: Sequence[Any]) -> list[str]:
    """Return questions for the first and the last."""
    return list(dict.fromkeys(f"{word}{name}" for name in (*names[:1], *names[-1:])))


class Rules(Generic[S]):
    """Base class.

    A subclass sets ``about`` and ``position`` (its state's dataclass), and implements the rest of
    :class:`pbem.games.frame.ruleset.Ruleset`.
    """

    about: About
    position: type[S]
    reasons: ClassVar[Reasons[Any]] = Reasons(lambda asker: (), {}, ())
    upgrades: ClassVar[Mapping[int, Callable[[Json], Json]]] = {}

    def __init__(self, book: Rulebook, language: Language) -> None:
        self.book = book
        self.language = language

    def dump(self, state: S) -> Json:
        return codec.dump(state)

    def load(self, dumped: Json) -> S:
        return codec.load(self.position, dumped)

    def silence(self, state: S, seat: Seat, standing: Standing = NO_ORDERS) -> tuple[Event, ...]:
        return ()

    def offers(self, state: S, seat: Seat) -> tuple[Offer, ...]:
        return ()

    def advice(self, state: S, seat: Seat, standing: Standing) -> tuple[Event | str, ...]:
        return ()

    def scores(self, state: S) -> Mapping[Seat, int | float]:
        return {}

    def gathered(self, orders: Sequence[str]) -> Sequence[str]:
        return tuple(orders)

    def questions(self, state: S, seat: Seat | None) -> tuple[str, ...]:
        asker = Asker(state, seat, (), self._tables(state))
        return tuple(self.reasons.questions(asker))

    def why(
        self, state: S, seat: Seat | None, told: Sequence[ToldEvent], words: str
    ) -> tuple[Event | str, ...]:
        return self.reasons.why(Asker(state, seat, told, self._tables(state)), words)

    def _tables(self, state: S) -> Any:
        """Return what WHY reads."""
        return self.book.tables
