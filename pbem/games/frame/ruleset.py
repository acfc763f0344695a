"""What a game is to the referee: pure functions over frozen values.

A rule-set never sees a clock, mail, a database, files or global chance. It is made from a
:class:`Rulebook` (its grammar, its tables, its numbered paragraphs: all text and data that the
shell has read) and answers the questions below about a frozen ``state``. Whatever it wants to tell
anybody is an :class:`Event` with the paragraph that made it happen and the audience that may know
it, or part of ``view``, the only way from a state to a template.
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
from pbem.orders.order import Checked, Order, Standing

BLANK = "..."
"""What stands in a form where the player puts his own word."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An order that a seat could send now: a line of its form.

    ``kind`` names a macro of ``templates/<key>/form.txt.j2``, which gives the line: the order with
    a :data:`BLANK` where the player chooses, " # " and its effect. ``fills`` has for each blank
    words that can be put there, the likeliest first; not all of them where they are too many.
    """

    kind: str
    fills: tuple[tuple[str, ...], ...]
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """What was told in a period of a game (0: its opening), to a seat or to everybody."""

    period: int
    event: Event


class State(Protocol):
    """Every game's state is a frozen dataclass that at least names its phase."""

    @property
    def phase(self) -> str:
        """The phase the game waits in: what the next orders are for."""
        ...


S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[S]):
    """What setup or an adjudication came to."""

    state: S
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """The end: winners (none: everybody loses) and the figure each seat is ranked by."""

    winners: tuple[Seat, ...]
    standing: Mapping[Seat, int | str]

    def json(self) -> Json:
        """The contract's form of ``result``."""
        return {"winners": list(self.winners), "standing": dict(self.standing)}


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The texts and data of one game, as read by the shell: ``grammar`` (Lark), ``terminals`` (the
    shared Lark terminals), ``tables`` (``rules/<key>.toml``, or the copy in the game's own record,
    scenario merged in) and ``paragraphs`` ({"9": text}, from ``rules/<key>.md``)."""

    key: str
    grammar: str
    terminals: str
    tables: Mapping[str, Any]
    paragraphs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Awaited:
    """What a period waits for by house rule 8 when its deadline has come: the ``slot`` that asks
    for it, and what house rules and letters call it (``one``, ``several``, and ``short`` where the
    words are few)."""

    slot: str
    one: str
    several: str
    short: str


@dataclass(frozen=True, slots=True)
class About:
    """What can be said of a game without playing it.

    ``seats``: the legal sets of seat keys, the usual one first (one entry where the number is
    fixed). ``schema``: number of the state's JSON shape. ``lot``: whether players draw lots for the
    seats; else they take them in joining order. ``seat_tables``: the tables of a scenario's public
    part, besides ``order``, whose keys or entries are seats; ``seat_rows``: those of rows that
    begin with a seat. They tell how many play where nothing else does. ``awaited``: what a period
    waits for; None where none waits. ``plays_on``: the order by which somebody who is asked says
    that he plays on. ``told_since``: the kinds of events that earlier versions passed over in
    silence; a replay does not miss them in the record of a period that has none. A new kind
    is added there (`tests/test_told_since.py`). ``veiled``:
    whether its gamesmaster may publish press that does not say that it is his.
    """

    key: str
    title: str
    seats: tuple[tuple[Seat, ...], ...]
    schema: int
    phases: tuple[str, ...]
    options: tuple[Option, ...]
    status: Literal["beta", "complete"]
    lot: bool = True
    seat_tables: tuple[str, ...] = ()
    seat_rows: tuple[str, ...] = ()
    awaited: Awaited | None = None
    plays_on: str = "PASS"
    told_since: tuple[str, ...] = ()
    veiled: bool = False

    def in_order(self, seats: Collection[Seat]) -> tuple[Seat, ...]:
        """Seats as the game names them, in whatever order players took them."""
        named = next((one for one in self.seats if set(one) == set(seats)), None)
        return named or tuple(sorted(seats))


class Ruleset(Protocol[S]):
    """One game. Same arguments, same answer; nothing depends on the order of a mapping's keys.

    ``upgrades``: {schema: function} that gives a dumped state of that schema in the shape of the
    next one; the store applies them (:func:`upgraded`) to positions that an older version of the
    program wrote.
    """

    about: About
    book: Rulebook
    language: Language
    upgrades: Mapping[int, Callable[[Json], Json]]

    def setup(
        self, seats: Sequence[Seat], options: Options, scenario: Json, dice: Dice
    ) -> Outcome[S]:
        """The start: ``seats`` in joining order, ``options`` settled, ``scenario`` {} or as the
        contract says ("public", "private", "phase", "candidates", "decks"); raises
        ScenarioError."""
        ...

    def asked(self, state: S) -> Mapping[Seat, tuple[str, ...]]:
        """Every seat that may act in this phase, with the slots that the rules ask of it, () for
        none; seats out of the game are missing. Public: whatever is on file already, by order,
        standing order or list, changes nothing."""
        ...

    def due(self, state: S, seat: Seat, standing: Standing) -> tuple[str, ...]:
        """Those of the slots asked that this seat still owes, given the orders that stand for it;
        () if none."""
        ...

    def check(self, state: S, seat: Seat, standing: Standing, order: Order) -> Checked:
        """May ``order`` be added to what stands? Judged from what that seat may know and nothing
        else. Gives the orders to put on file (usually just the one; several where it fills several
        slots) or a Problem."""
        ...

    def default(self, state: S, seat: Seat) -> tuple[Order, ...]:
        """What happens if the seat sends nothing: its standing orders, or the rule for a missed
        move."""
        ...

    def silence(self, state: S, seat: Seat) -> tuple[Event, ...]:
        """The same as players are told it: what it means for this seat if it sends nothing in this
        period ("you abstain on bill 4"), each event for this seat alone, told by the macro of its
        kind. From what the seat may know."""
        ...

    def offers(self, state: S, seat: Seat) -> tuple[Offer, ...]:
        """The orders that this seat could send now, what is asked of it first; at most forty. From
        what the seat may know."""
        ...

    def advice(self, state: S, seat: Seat, standing: Standing) -> tuple[Event | str, ...]:
        """What is known already to follow from the orders that stand: costs, fees, the balance,
        votes bought, what would happen; and what hangs on others, as such. Events for this seat
        alone; from what the seat may know."""
        ...

    def questions(self, state: S, seat: Seat | None) -> tuple[str, ...]:
        """What WHY can be asked of now, as words behind it ("VOTE 4", "DISTRICT 21", "MONEY"); of
        a span of numbers the first and the last are enough. None: by anybody."""
        ...

    def why(
        self, state: S, seat: Seat | None, told: Sequence[Told], words: str
    ) -> tuple[Event | str, ...]:
        """How what ``words`` name came about: the steps, each an event with its paragraph; () where
        nothing is called so. ``told`` is all that the seat (None: everybody) has been told in the
        game, in its order; nothing else may be told that the seat may not know."""
        ...

    def gathered(self, orders: Sequence[str]) -> Sequence[str]:
        """Orders as a page lists them, from their canonical texts: those that are alike in one
        line ("PAY 40 TO DISTRICTS 21-50: 1,200 in all")."""
        ...

    def adjudicate(self, state: S, orders: Mapping[Seat, Standing], dice: Dice) -> Outcome[S]:
        """All seats at once; a seat that is missing from ``orders`` sent nothing."""
        ...

    def view(self, state: S, seat: Seat | None) -> Json:
        """The public facts (None), or what this seat alone knows besides them."""
        ...

    def scores(self, state: S) -> Mapping[Seat, int | float]:
        """What the game counts, for a chart of its course: each seat's members, votes or points as
        everybody may know them now; a seat is missing where there is nothing to know."""
        ...

    def result(self, state: S) -> Result | None:
        """None while the game runs."""
        ...

    def dump(self, state: S) -> Json:
        """The position as plain JSON, in the shape that ``about.schema`` numbers; no field is
        called "schema"."""
        ...

    def load(self, dumped: Json) -> S:
        """The position that was dumped in the shape of ``about.schema``; raises cattrs' error for
        another shape."""
        ...


def upgraded(ruleset: Ruleset[Any], dumped: Json, schema: int) -> Json:
    """A dumped state of an older ``schema`` in the rule-set's present shape, one upgrade after
    another.

    Raises OperatorError where the state is of a later schema, or where an upgrade is missing on the
    way.
    """
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
    """A rule-set with phases in which letters work on receipt: no deadline runs until something is
    ripe.

    The position of such a period is the one it opened with, and every letter since registered upon
    it in the order of arrival; so nothing but letters is ever stored.
    """

    continuous: frozenset[str]

    def register(self, state: Any, seat: Seat, standing: Standing) -> Outcome[Any]:
        """The position after a seat's standing orders have been taken into it; doing so twice
        changes nothing."""
        ...

    def seen(self, state: Any, seat: Seat) -> Any:
        """A registered position as far as the seat may know it: what its next letter is judged by,
        and its receipts and notices are made of."""
        ...

    def ripe(self, state: Any) -> tuple[str, ...]:
        """What could take effect now, first first; a key changes when it ripens anew."""
        ...

    def report(self, state: Any) -> Json:
        """What everybody may know of the progress."""
        ...

    def days_pass(self, state: Any, days: int) -> Any:
        """The position after so many days in which nothing took effect."""
        ...

    def lapsed(self, state: Any) -> bool:
        """Whether the phase has lasted so long that it ends without a result."""
        ...


_CONTINUOUS: dict[type, bool] = {}


def is_continuous(ruleset: object) -> TypeGuard[Continuous]:
    """Whether a rule-set is one of these; each class is looked at once, for every letter asks."""
    kind = type(ruleset)
    if kind not in _CONTINUOUS:
        _CONTINUOUS[kind] = isinstance(ruleset, Continuous)
    return _CONTINUOUS[kind]


@runtime_checkable
class NamesSlots(Protocol):
    """A rule-set whose rules call a slot otherwise than the order on file does, by where it stands
    in the position."""

    def slot_name(self, state: Any, seat: Seat, order: Order) -> str:
        """The slot's name in the rules, in capitals, as CANCEL may give it."""
        ...


@runtime_checkable
class Foresees(Protocol):
    """A rule-set with orders for what may come (IF)."""

    def foreseen(self, state: Any, seat: Seat) -> bool:
        """Whether those on file fill all that the period asks of a seat; no where it asks
        nothing."""
        ...


@runtime_checkable
class Briefs(Protocol):
    """A rule-set with something to say to the gamesmaster about the game he has just made."""

    def brief(self, state: Any) -> tuple[str, ...]:
        """Lines about the opening position, from public facts."""
        ...


@runtime_checkable
class Keeps(Protocol):
    """A rule-set in which orders of earlier periods are still on file: standing orders, orders for
    what may come."""

    def kept(self, state: Any, seat: Seat) -> Sequence[str]:
        """Those of a seat, as canonical texts."""
        ...


@runtime_checkable
class LaysOpen(Protocol):
    """A rule-set whose orders are laid open in the last bulletin."""

    def laid_open(self, state: Any, seat: Seat, standing: Standing) -> Standing:
        """Of the orders that stood for a seat when a period closed those that everybody may read
        once the game is over; ``state`` is the position in which they were given."""
        ...
