"""The interface of a game to the referee: pure functions over frozen values.

A rule-set sees no clock, mail, database, file or global chance. It is made from a
:class:`Rulebook`. All that reaches a template is an :class:`Event`, with paragraph and audience, or
``view``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeGuard, TypeVar, runtime_checkable

from pbem.errors import OperatorError
from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Event, Seat
from pbem.games.frame.options import Option, Options
from pbem.orders.language import Language
from pbem.orders.order import NO_ORDERS, Checked, Order, Standing

BLANK = "..."
"""The placeholder in a form for the player's own word."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An order that a seat could send now: one line of its form."""

    kind: str
    """Macro of ``templates/<key>/form.txt.j2`` that writes the line: order with :data:`BLANK`, " #
    ", effect."""
    fills: tuple[tuple[str, ...], ...]
    """Words for each blank, likeliest first; perhaps not all."""
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToldEvent:
    """An event told in a period (0: the opening)."""

    period: int
    event: Event


class State(Protocol):
    """A game's state; it names at least its phase."""

    @property
    def phase(self) -> str:
        """The phase that the next orders are for."""
        ...


S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[S]):
    """The result of setup or an adjudication."""

    state: S
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """The end: winners (none: everybody loses) and each seat's ranking figure."""

    winners: tuple[Seat, ...]
    standing: Mapping[Seat, int | str]

    def json(self) -> Json:
        """Return the contract's form of ``result``."""
        return {"winners": list(self.winners), "standing": dict(self.standing)}


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One game's texts and data, as read by the shell."""

    key: str
    grammar: str
    """Lark grammar."""
    terminals: str
    """Shared Lark terminals."""
    tables: Mapping[str, Any]
    """``rules/<key>.toml``, or the copy in the game's record, with the scenario merged in."""
    paragraphs: Mapping[str, str]
    """{"9": text}, from ``rules/<key>.md``."""


@dataclass(frozen=True, slots=True)
class Awaited:
    """What house rule 8 waits for at a deadline."""

    slot: str
    """The slot that asks for it."""
    one: str
    """Name in house rules and letters, singular."""
    several: str
    """Name in the plural."""
    short: str
    """Short name."""


@dataclass(frozen=True, slots=True)
class About:
    """Facts about a game, known without playing it."""

    key: str
    title: str
    seats: tuple[tuple[Seat, ...], ...]
    """Legal sets of seats, the usual one first."""
    schema: int
    """Number of the state's JSON shape."""
    phases: tuple[str, ...]
    options: tuple[Option, ...]
    status: Literal["beta", "complete"]
    lot: bool = True
    """Whether seats are drawn by lot, not taken in joining order."""
    seat_tables: tuple[str, ...] = ()
    """Public scenario tables, besides ``order``, of seats; they tell how many play if nothing else
    does."""
    seat_rows: tuple[str, ...] = ()
    """Public scenario tables of rows that begin with a seat."""
    awaited: Awaited | None = None
    """What a period waits for; None for nothing."""
    plays_on: str = "PASS"
    """The order that tells a player who is asked plays on."""
    told_since: tuple[str, ...] = ()
    """Kinds of events that older records lack, which replay accepts. Add new kinds
    (`tests/test_told_since.py`)."""
    charter: bool = False
    """Whether each game has a charter page, ``templates/<key>/charter.txt.j2``."""
    veiled: bool = False
    """Whether the gamesmaster may publish press that does not name him."""

    def in_order(self, seats: Collection[Seat]) -> tuple[Seat, ...]:
        """Return the seats in the game's order."""
        named = next((one for one in self.seats if set(one) == set(seats)), None)
        return named or tuple(sorted(seats))


class Ruleset(Protocol[S]):
    """One game. Equal arguments give equal answers, whatever the order of mappings."""

    about: About
    book: Rulebook
    language: Language
    upgrades: Mapping[int, Callable[[Json], Json]]
    """{schema: function} to the next schema, applied by :func:`upgraded` to old positions."""

    def setup(
        self, seats: Sequence[Seat], options: Options, scenario: Json, dice: Dice
    ) -> Outcome[S]:
        """Start a game. Raise ScenarioError.

        seats: in joining order. options: settled. scenario: {} or as in the contract ("public",
        "private", "phase", "candidates", "decks").
        """
        ...

    def asked(self, state: S) -> Mapping[Seat, tuple[str, ...]]:
        """Return every seat that may act with the slots asked of it (() for none), not seats out of
        the game.

        Public: stored orders change nothing here.
        """
        ...

    def due(self, state: S, seat: Seat, standing: Standing) -> tuple[str, ...]:
        """Return the asked slots that the seat still owes."""
        ...

    def check(self, state: S, seat: Seat, standing: Standing, order: Order) -> Checked:
        """Check an order by what seat may know. Return the orders to file, one a slot, or a
        Problem."""
        ...

    def default(self, state: S, seat: Seat) -> tuple[Order, ...]:
        """Return a silent seat's orders: its standing ones, or the rule for missed moves."""
        ...

    def silence(self, state: S, seat: Seat, standing: Standing = NO_ORDERS) -> tuple[Event, ...]:
        """Say what sending no more than standing means now ("you abstain on bill 4"), in events for
        this seat.

        Leave out one with a slot once an order fills it.
        """
        ...

    def offers(self, state: S, seat: Seat) -> tuple[Offer, ...]:
        """Return at most forty orders the seat could send, asked ones first, by what it may
        know."""
        ...

    def advice(self, state: S, seat: Seat, standing: Standing) -> tuple[Event | str, ...]:
        """Return what follows from the orders: costs, balance, votes bought. Mark what depends on
        others.

        Events for this seat alone, by what it may know.
        """
        ...

    def questions(self, state: S, seat: Seat | None) -> tuple[str, ...]:
        """Return words that may follow WHY ("VOTE 4", "MONEY"). Of a span, first and last
        suffice."""
        ...

    def why(
        self, state: S, seat: Seat | None, told: Sequence[ToldEvent], words: str
    ) -> tuple[Event | str, ...]:
        """Explain what words name, step by step with paragraphs; () if nothing. Tell what seat may
        know.

        told: all events the seat (None: everybody) was told, in order.
        """
        ...

    def gathered(self, orders: Sequence[str]) -> Sequence[str]:
        """Join similar canonical texts for display ("PAY 40 TO DISTRICTS 21-50: 1,200 in all")."""
        ...

    def adjudicate(self, state: S, orders: Mapping[Seat, Standing], dice: Dice) -> Outcome[S]:
        """Adjudicate all seats at once. A seat not in orders sent nothing."""
        ...

    def view(self, state: S, seat: Seat | None) -> Json:
        """Return the public facts (None), or what this seat alone knows besides."""
        ...

    def scores(self, state: S) -> Mapping[Seat, int | float]:
        """Return each seat's public count (members, votes, points) for the chart, if known."""
        ...

    def result(self, state: S) -> Result | None:
        """Return the result, or None while the game runs."""
        ...

    def dump(self, state: S) -> Json:
        """Return the position as JSON of ``about.schema``. No field may be called "schema"."""
        ...

    def load(self, dumped: Json) -> S:
        """Read a dumped position of ``about.schema``. Raise cattrs' error for another shape."""
        ...


def upgraded(ruleset: Ruleset[Any], dumped: Json, schema: int) -> Json:
    """Upgrade a dumped state step by step. Raise OperatorError if it is newer or a step is
    missing."""
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


@runtime_checkable
class Continuous(Protocol):
    """A rule-set with phases in which letters work on receipt, without a deadline until something
    is ripe.

    The position is the opening one plus all letters in order of arrival; only letters are stored.
    """

    continuous: frozenset[str]

    def register(self, state: Any, seat: Seat, standing: Standing) -> Outcome[Any]:
        """Register a seat's orders. Twice changes nothing."""
        ...

    def seen(self, state: Any, seat: Seat) -> Any:
        """Return a registered position as the seat may know it, by which letters are judged and
        answered."""
        ...

    def ripe(self, state: Any) -> tuple[str, ...]:
        """Return what could take effect, first one first. A key changes when it ripens again."""
        ...

    def report(self, state: Any) -> Json:
        """Return the public progress."""
        ...

    def days_pass(self, state: Any, days: int) -> Any:
        """Return the position after ``days`` in which nothing took effect."""
        ...

    def lapsed(self, state: Any) -> bool:
        """Return whether the phase ends without a result, for its length."""
        ...


_CONTINUOUS: dict[type, bool] = {}


def is_continuous(ruleset: object) -> TypeGuard[Continuous]:
    """Return whether a rule-set is continuous. Cached: every letter asks."""
    kind = type(ruleset)
    if kind not in _CONTINUOUS:
        _CONTINUOUS[kind] = isinstance(ruleset, Continuous)
    return _CONTINUOUS[kind]


@runtime_checkable
class TellsAtOnce(Protocol):
    """A rule-set that tells some orders to all as they are taken."""

    def told_at_once(
        self, state: Any, seat: Seat, before: Standing, standing: Standing
    ) -> tuple[Event, ...]:
        """Return the public events of a change of standing orders."""
        ...

    def told_so_far(self, state: Any, orders: Mapping[Seat, Standing]) -> tuple[Event, ...]:
        """Return public events of how it stands now. orders: of all seats in the open period."""
        ...


@runtime_checkable
class NamesSlots(Protocol):
    """A rule-set whose rules may name a slot differently from the order on file."""

    def slot_name(self, state: Any, seat: Seat, order: Order) -> str:
        """Return the slot's name in the rules, in capitals, as CANCEL accepts it."""
        ...


@runtime_checkable
class Foresees(Protocol):
    """A rule-set with conditional orders (IF)."""

    def foreseen(self, state: Any, seat: Seat) -> bool:
        """Return whether stored orders fill all that is asked; False if nothing is."""
        ...


@runtime_checkable
class Briefs(Protocol):
    """A rule-set with a message for the gamesmaster about a new game."""

    def brief(self, state: Any) -> tuple[str, ...]:
        """Return lines about the opening position, from public facts."""
        ...


@runtime_checkable
class Keeps(Protocol):
    """A rule-set that keeps orders across periods: standing and conditional orders."""

    def kept(self, state: Any, seat: Seat) -> Sequence[str]:
        """Return a seat's kept orders, as canonical texts."""
        ...


@dataclass(frozen=True, slots=True)
class Amended:
    """An amendment that players adopted."""

    number: int
    text: str
    """In its proposer's words."""
    adopted: str
    """When, in words."""
    done: tuple[str, ...]
    """How it was carried out: "name=value", "by hand"; () if not yet."""


@runtime_checkable
class Amends(Protocol):
    """A rule-set that players may amend."""

    def adopted(self, state: Any) -> Sequence[Amended]:
        """Return the adopted ones."""
        ...

    def changeable(self, state: Any) -> Mapping[str, str]:
        """Return what may change in a running game, with its value."""
        ...

    def amended(self, state: Any, number: int, setting: str) -> Any:
        """Return the position once it is carried out by setting. Raise OptionError."""
        ...

    def tables_at(self, state: Any) -> Mapping[str, Any]:
        """Return the tables as they are now."""
        ...


def tables_at(ruleset: Ruleset[Any], state: Any) -> Mapping[str, Any]:
    """Return the tables of a position."""
    return ruleset.tables_at(state) if isinstance(ruleset, Amends) else ruleset.book.tables


@runtime_checkable
class LaysOpen(Protocol):
    """A rule-set that publishes orders in the last bulletin."""

    def laid_open(self, state: Any, seat: Seat, standing: Standing) -> Standing:
        """Return the orders of a closed period that everybody may read after the game. ``state``:
        the position in which they were given."""
        ...
