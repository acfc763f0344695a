"""The interface of a game: pure functions over frozen values.

A rule-set sees no clock, mail, database, file or global chance. Templates get only :class:`Event`
and ``view``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, TypeVar

from pbem.errors import OperatorError
from pbem.games.frame import codec
from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import PUBLIC, Event, Minutes, Orders, Seat, Tell
from pbem.games.frame.options import Option, Options
from pbem.orders.language import Language
from pbem.orders.order import Checked, Order, Pass, Resign, Standing

BLANK = "..."
"""A form's place for the player's word."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An order a seat could send: a line of its form."""

    kind: str
    """Macro of ``templates/<key>/form.txt.j2``: order with :data:`BLANK`, " # ", effect."""
    fills: tuple[tuple[str, ...], ...]
    """Words for blanks, likeliest first."""
    data: Mapping[str, Any]
    few: bool = False
    """Whether each of the first blank's words may have a link of its own, whatever it is."""
    each: tuple[Offer, ...] = ()
    """What it stands for, one by one; a notice has their effects attached."""


@dataclass(frozen=True, slots=True)
class ToldEvent:
    """An event of a period (0: the opening)."""

    period: int
    event: Event


S = TypeVar("S")
_SIGNS = str.maketrans("\u2212,:#", "-   ")
_FILLERS = {"WHY", "THE", "OF", "ON", "WITH", "IN", "FOR", "MY", "OUR", "DID", "IS", "HAS", "WHO"}


@dataclass(frozen=True, slots=True)
class Outcome(Generic[S]):
    """What a setup or adjudication gives."""

    state: S
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """Winners (none: all lose) and ranking figures."""

    winners: tuple[Seat, ...]
    standing: Mapping[Seat, int | str]

    def json(self) -> Json:
        """Return the contract's ``result``."""
        return {"winners": list(self.winners), "standing": dict(self.standing)}


@dataclass(frozen=True, slots=True)
class Rulebook:
    """A game's texts and data."""

    key: str
    grammar: str
    terminals: str
    """Shared Lark terminals."""
    tables: Mapping[str, Any]
    """``rules/<key>.toml`` or the game's copy, with its scenario."""
    paragraphs: Mapping[str, str]
    """{"9": text}, from ``rules/<key>.md``."""


@dataclass(frozen=True, slots=True)
class Awaited:
    """What house rule 8 waits for."""

    slot: str
    one: str
    several: str
    short: str


@dataclass(frozen=True, slots=True)
class About:
    """Facts about a game without playing it."""

    key: str
    title: str
    seats: tuple[tuple[Seat, ...], ...]
    """Legal sets, the usual one first."""
    schema: int
    """Of the state's JSON."""
    phases: tuple[str, ...]
    options: tuple[Option, ...]
    status: Literal["beta", "complete"]
    lot: bool = True
    """Whether seats are drawn by lot."""
    seat_tables: tuple[str, ...] = ()
    """Public scenario tables of seats, besides ``order``, that tell who plays."""
    seat_rows: tuple[str, ...] = ()
    """Public scenario tables of rows that begin with a seat."""
    awaited: Awaited | None = None
    """None: nothing."""
    plays_on: str = "PASS"
    """Whose sender plays on when asked."""
    told_since: tuple[str, ...] = ()
    """Event kinds that older records lack; add new ones (`tests/test_told_since.py`)."""
    charter: bool = False
    """For ``templates/<key>/charter.txt.j2``."""
    veiled: bool = False
    """Whether the gamesmaster may publish unnamed press."""

    def in_order(self, seats: Collection[Seat]) -> tuple[Seat, ...]:
        named = next((one for one in self.seats if set(one) == set(seats)), None)
        return named or tuple(sorted(seats))


@dataclass(frozen=True, slots=True)
class Amended:
    """An amendment adopted by players."""

    number: int
    text: str
    """Its proposer's words."""
    adopted: str
    """When, in words."""
    done: tuple[str, ...]
    """"name=value", "by hand"; () if not yet carried out."""


HOUSE = "house "
"""Begins a setting that changes a house rule."""


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
"""Given words in capitals, without the topic's own (first or last); no steps if not understood."""


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


class Ruleset(ABC, Generic[S]):
    """One game on one rulebook. Equal arguments give equal answers, whatever a mapping's order.
    `asked` says who may act, `check` takes orders, and `adjudicate` gives the next position, until
    there is a `result`. Players read what comes of `view`, `tell_silence`, `tell_advice`, `form`,
    `why`. All else has an answer for a game with nothing to say: `slot_name` (slots have other
    names in print), `foreseen` (orders may speak for a seat), `kept` (orders outlive their period),
    `laid_open` (the end shows orders), `told_at_once` (orders are told early), `brief` (the
    gamesmaster is told something), `adopted` (players may amend the rules), `continuous` (letters
    work on receipt)."""

    about: About
    position: type[S]
    """The dataclass of its state."""
    reasons: ClassVar[Reasons[Any]] = Reasons(lambda asker: (), {}, ())
    upgrades: ClassVar[Mapping[int, Callable[[Json], Json]]] = {}
    """{schema: function to the next}; see :func:`upgraded`."""
    continuous: ClassVar[frozenset[str]] = frozenset()
    """Phases whose letters work on receipt, without a deadline until something is ripe. The
    position is the opening one plus all letters as they came."""

    def __init__(self, book: Rulebook, language: Language) -> None:
        self.book = book
        self.language = language

    @abstractmethod
    def setup(
        self, seats: Sequence[Seat], options: Options, scenario: Json, dice: Dice
    ) -> Outcome[S]:
        """Start a game. Raise ScenarioError. ``seats``: as they joined. ``options``: settled.
        ``scenario``: {} or the contract's parts."""

    @abstractmethod
    def asked(self, state: S) -> Mapping[Seat, tuple[str, ...]]:
        """Return who may act, with slots asked (() for none); public, so stored orders do not
        matter."""

    def due(self, state: S, seat: Seat, standing: Standing) -> tuple[str, ...]:
        """Return asked slots still owed."""
        if any(isinstance(order, Pass | Resign) for order in standing.values()):
            return ()
        asked, filled = self.asked(state).get(seat, ()), self.filled(state, seat, standing)
        return tuple(slot for slot in asked if slot not in standing and slot not in filled)

    def filled(self, state: S, seat: Seat, standing: Standing) -> Collection[str]:
        """Return asked slots that an order for another slot, or one kept, fills."""
        return ()

    @abstractmethod
    def check(self, state: S, seat: Seat, standing: Standing, order: Order) -> Checked:
        """Return the orders to file, one a slot, or a Problem, by what the seat may know."""

    @abstractmethod
    def default(self, state: S, seat: Seat) -> tuple[Order, ...]:
        """Return a silent seat's orders: kept ones, or the rule for missed moves."""

    @abstractmethod
    def adjudicate(self, state: S, orders: Orders, dice: Dice) -> Outcome[S]:
        """Adjudicate; a seat without orders sent nothing."""

    @abstractmethod
    def view(self, state: S, seat: Seat | None) -> Json:
        """Return public facts (None), or what a seat knows besides."""

    @abstractmethod
    def result(self, state: S) -> Result | None:
        """Return None while the game runs."""

    def silence(self, state: S, seat: Seat, standing: Standing) -> tuple[Event, ...]:
        """Return what sending no more than ``standing`` means, for this seat."""
        return self._told(self.tell_silence, state, seat, standing)

    def advice(self, state: S, seat: Seat, standing: Standing) -> tuple[Event, ...]:
        """Return what follows from orders, for this seat."""
        return self._told(self.tell_advice, state, seat, standing)

    def _told(
        self, told: Callable[..., None], state: S, seat: Seat, standing: Standing
    ) -> tuple[Event, ...]:
        minutes = Minutes()
        if seat in self.asked(state):
            told(state, seat, standing, minutes.to(seat))
        return tuple(minutes.events)

    def offers(self, state: S, seat: Seat) -> tuple[Offer, ...]:
        """Return the lines of the seat's form."""
        return tuple(self.form(state, seat)) if seat in self.asked(state) else ()

    def tell_silence(self, state: S, seat: Seat, standing: Standing, tell: Tell) -> None:
        """Tell what silence means, leaving out slots that an order fills."""

    def tell_advice(self, state: S, seat: Seat, standing: Standing, tell: Tell) -> None:
        """Tell what follows from orders, and what depends on others."""

    def form(self, state: S, seat: Seat) -> Iterable[Offer]:
        """Return up to forty possible orders, asked ones first."""
        return ()

    def questions(self, state: S, seat: Seat | None) -> tuple[str, ...]:
        """Return words for WHY ("VOTE 4"); of many, first and last."""
        return tuple(self.reasons.questions(Asker(state, seat, (), self._tables(state))))

    def why(
        self, state: S, seat: Seat | None, told: Sequence[ToldEvent], words: str
    ) -> tuple[Event, ...]:
        """Return steps with paragraphs, by what the seat may know; () for unknown words. ``told``:
        all the seat (None: everybody) was told."""
        return self.reasons.why(Asker(state, seat, told, self._tables(state)), words)

    def _tables(self, state: S) -> Any:
        """Return what WHY reads."""
        return self.book.tables

    def gathered(self, texts: Sequence[str]) -> Sequence[str]:
        """Join similar texts ("PAY 40 TO DISTRICTS 21-50: 1,200 in all")."""
        return tuple(texts)

    def scores(self, state: S) -> Mapping[Seat, int | float]:
        """Return public counts for the chart, if known."""
        return {}

    def slot_name(self, state: S, seat: Seat, order: Order) -> str:
        """Return the name in capitals, as CANCEL takes it."""
        return order.slot

    def foreseen(self, state: S, seat: Seat) -> bool:
        """Return whether stored orders fill all asked; False if nothing is."""
        return False

    def kept(self, state: S, seat: Seat) -> Sequence[str]:
        """Return the canonical texts of orders kept from earlier periods."""
        return ()

    def laid_open(self, state: S, seat: Seat, standing: Standing) -> Standing:
        """Return orders everybody may read after the game. ``state``: as they were given."""
        return {}

    def told_at_once(
        self, state: S, seat: Seat, before: Standing, standing: Standing
    ) -> tuple[Event, ...]:
        """Return the public events of a change that is told at once."""
        return ()

    def told_so_far(self, state: S, orders: Orders) -> tuple[Event, ...]:
        """Return public events of how it stands. orders: all seats' of the open period."""
        return ()

    def brief(self, state: S) -> tuple[str, ...]:
        """Return lines, from public facts."""
        return ()

    def adopted(self, state: S) -> Sequence[Amended]:
        return ()

    def changeable(self, state: S) -> Mapping[str, str]:
        """Return what an amendment may change now, with values."""
        return {}

    def amended(self, state: S, number: int, setting: str) -> S:
        """Return the position with ``setting`` carried out. Raise OptionError."""
        raise NotImplementedError

    def tables_at(self, state: S) -> Mapping[str, Any]:
        """Return the tables now."""
        return self.book.tables

    def register(self, state: S, seat: Seat, standing: Standing) -> Outcome[S]:
        """Register orders of a continuous phase; twice changes nothing."""
        raise NotImplementedError

    def seen(self, state: S, seat: Seat) -> S:
        """Return what the seat may know; its letters of a continuous phase are judged by it."""
        return state

    def ripe(self, state: S) -> tuple[str, ...]:
        """Return what could take effect, first one first; it is new if ripe again."""
        return ()

    def report(self, state: S) -> Json:
        """Return a continuous phase's public progress."""
        return None

    def days_pass(self, state: S, days: int) -> S:
        """Return the position after ``days`` of a continuous phase without effect."""
        return state

    def lapsed(self, state: S) -> bool:
        """Return whether a continuous phase ends for its length."""
        return False

    def dump(self, state: S) -> Json:
        """Return JSON of ``about.schema``; no field is called "schema"."""
        return codec.dump(state)

    def load(self, dumped: Json) -> S:
        """Read a position. Raise cattrs' error for another shape."""
        return codec.load(self.position, dumped)


def upgraded(ruleset: Ruleset[Any], dumped: Json, schema: int) -> Json:
    """Upgrade step by step. Raise OperatorError if newer, or a step lacks."""
    key, present = ruleset.about.key, ruleset.about.schema
    if schema > present:
        raise OperatorError(
            f"a position of {key} was written with schema {schema}, and this pbem knows {present}: "
            "install the version of pbem that wrote it, or a later one"
        )
    for number in range(schema, present):
        if number not in ruleset.upgrades:
            raise OperatorError(
                f"a position of {key} was written with schema {schema}, and no upgrade leads from "
                f"{number} to {present}: play the game on with the version that wrote it"
            )
        dumped = ruleset.upgrades[number](dumped)
    return dumped
