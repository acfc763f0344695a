"""Reading a scenario: the names and shapes of the views, each part checked and named where it is
wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pbem.errors import ScenarioError
from pbem.games.frame.codec import Json
from pbem.games.frame.treasury import Accounts, Entry, opened, pay
from pbem.games.politics_1935.orders import MOST, Item
from pbem.games.politics_1935.reading import items
from pbem.games.politics_1935.state import FUND, Choices, Gone, Lot, Pin
from pbem.games.politics_1935.tables import Atlas

T = TypeVar("T")
PUBLIC = (
    "order",
    "alive",
    "out",
    "votes_out",
    "round",
    "turn",
    "last_seat",
    "throws",
    "pins",
    "fund",
    "cash",
    "played",
    "inflation",
    "lots",
    "spoke",
    "counts",
    "counts_round",
    "shuffles",
    "last_count",
    "phase",
)
FOLLOWING = (
    "board_closed",
    "pinless",
    "leaders",
    "electoral_votes",
    "next_throws",
    "pack",
    "hand_sizes",
    "map",
    "places",
)
"""Keys of the public view that follow from the others: allowed in a scenario, and passed over."""
PRIVATE = ("hand", "throw", "shown", "standing", "cash", "played", "spoke", "total", "cards")


@dataclass(frozen=True, slots=True)
class Words:
    """What a scenario says, with the game's own start for the rest; None: to be drawn. ``placed``:
    all cards named."""

    order: tuple[str, ...] | None
    out: tuple[Gone, ...]
    round: int
    turn: str | None
    last_seat: str | None
    throws: Mapping[str, tuple[int, ...]]
    pins: Mapping[str, tuple[Pin, ...]]
    accounts: Accounts
    pack: tuple[str, ...] | None
    hands: Mapping[str, tuple[str, ...]]
    played: Mapping[str, tuple[str, ...]]
    shown: Mapping[str, str]
    lots: tuple[Lot, ...]
    spoke: frozenset[str]
    lists: Mapping[str, tuple[Item, ...]]
    counts: int
    counts_round: int
    shuffles: int
    last_count: Mapping[str, int] | None

    @property
    def placed(self) -> frozenset[str]:
        """Every card that lies somewhere."""
        return frozenset(_cards(self))


def _cards(words: Words) -> list[str]:
    lots = [lot.card for lot in words.lots]
    held = [card for row in (*words.hands.values(), *words.played.values()) for card in row]
    return [*(words.pack or ()), *held, *words.shown.values(), *lots]


def read(scenario: Json, atlas: Atlas, seats: Sequence[str], choices: Choices) -> Words:
    """The words of a scenario; raises ScenarioError naming the key that is wrong."""
    told = _Told(scenario, atlas, seats)
    mode = "TURN" if choices.turns else "ROUND"
    phase = str(scenario.get("phase", told.public.get("phase", mode))).upper()
    _must(phase == mode, "phase", f"this game's phase is {mode} (option MODE)")
    public = told.public
    words = Words(
        order=told.order(),
        out=_out(public, seats),
        round=_number("public.round", public.get("round", 1), 1),
        turn=told.one_seat("turn"),
        last_seat=told.one_seat("last_seat"),
        throws={**told.by_seat("throws", _dice), **told.own("throw", _dice)},
        pins=_pins(_mapping("public.pins", public.get("pins", {})), atlas, told.seat),
        accounts=_accounts(
            atlas,
            seats,
            None if public.get("fund") is None else _number("public.fund", public["fund"]),
            {**told.by_seat("cash", _number), **told.own("cash", _number)},
            choices.fund,
        ),
        pack=told.cards("decks.pack", told.decks["pack"]) if "pack" in told.decks else None,
        hands=told.own("hand", told.cards),
        played=told.played(),
        shown=told.own("shown", told.card),
        lots=tuple(
            _lot(row, told.card, told.seat)
            for row in _listed("public.lots", public.get("lots", []))
        ),
        spoke=_spoke(public.get("spoke", {}), told.seat)
        | {s for s, row in told.private.items() if row.get("spoke")},
        lists=told.own("standing", lambda key, given: _items(key, given, atlas)),
        counts=_number("public.counts", public.get("counts", 0)),
        counts_round=_number("public.counts_round", public.get("counts_round", 0)),
        shuffles=_number("public.shuffles", public.get("shuffles", 0)),
        last_count=None
        if public.get("last_count") is None
        else told.by_seat("last_count", _number),
    )
    _agree(words, choices)
    return words


class _Told:
    """A scenario's parts, their keys known to be good, and how its words become seats and cards."""

    def __init__(self, scenario: Json, atlas: Atlas, seats: Sequence[str]) -> None:
        self.atlas, self.seats = atlas, seats
        self.public: dict[str, Any] = dict(scenario.get("public", {}))
        self.private, self.decks = scenario.get("private", {}), scenario.get("decks", {})
        if "throw" in self.public:
            throws = {
                **self.public.get("throws", {}),
                **_mapping("public.throw", self.public.pop("throw")),
            }
            self.public["throws"] = throws
        _known("", scenario, ("public", "private", "phase", "candidates", "decks"))
        _known("public.", self.public, (*PUBLIC, *FOLLOWING))
        _known("private.", self.private, seats)
        _known("decks.", self.decks, ("pack",))
        for seat, section in self.private.items():
            _known(f"private.{seat}.", section, PRIVATE)

    def seat(self, key: str, given: object) -> str:
        """A seat of this game."""
        _must(given in self.seats, key, f"{given!r} is not one of {', '.join(self.seats)}")
        return str(given)

    def one_seat(self, key: str) -> str | None:
        """The seat that a public key names, if any."""
        return (
            None if self.public.get(key) is None else self.seat(f"public.{key}", self.public[key])
        )

    def by_seat(self, key: str, value: Callable[[str, Any], T]) -> dict[str, T]:
        """A public table by seat, without its nulls."""
        where, rows = f"public.{key}", _mapping(f"public.{key}", self.public.get(key) or {})
        return {
            self.seat(where, s): value(f"{where}.{s}", given)
            for s, given in rows.items()
            if given is not None
        }

    def own(self, key: str, value: Callable[[str, Any], T]) -> dict[str, T]:
        """What the private parts say under a key, by seat."""
        rows = {seat: row[key] for seat, row in self.private.items() if row.get(key) is not None}
        return {seat: value(f"private.{seat}.{key}", given) for seat, given in rows.items()}

    def card(self, key: str, given: object) -> str:
        """A speech card."""
        _must(str(given).upper() in self.atlas.cards, key, f"{given!r} is not a card (S01 to S28)")
        return str(given).upper()

    def cards(self, key: str, given: Any) -> tuple[str, ...]:
        """A list of speech cards."""
        return tuple(self.card(key, one) for one in _listed(key, given))

    def order(self) -> tuple[str, ...] | None:
        """The table order; None where it is left to the dice."""
        order = self.public.get("order")
        if order is None:
            return None
        named = sorted(_listed("public.order", order)) == sorted(self.seats)
        _must(named, "public.order", f"name each of {list(self.seats)} once")
        return tuple(order)

    def played(self) -> dict[str, tuple[str, ...]]:
        """The cards each seat has spoken; who spoke for inflation has that one too."""
        played = {**self.by_seat("played", self.cards), **self.own("played", self.cards)}
        speaker = self.public.get("inflation")
        if speaker and self.atlas.inflation not in played.get(
            self.seat("public.inflation", speaker), ()
        ):
            played[speaker] = (*played.get(speaker, ()), self.atlas.inflation)
        return played


def _agree(words: Words, choices: Choices) -> None:
    """Raises ScenarioError where what is said cannot be together."""
    shown = next(iter(words.shown), "")
    _must(
        not (shown and choices.fund), f"private.{shown}.shown", "cards are shown with FUND=OFF only"
    )
    gone = {one.seat for one in words.out}
    _must(words.turn not in gone, "public.turn", f"{words.turn} is out")
    _must(
        words.turn is None or choices.turns,
        "public.turn",
        "nobody alone has the dice with MODE=ROUND",
    )
    for state, row in words.pins.items():
        _must(
            not gone & {pin.seat for pin in row},
            f"public.pins.{state}",
            "a seat that is out has no pins",
        )
    twice = sorted({c for c in _cards(words) if _cards(words).count(c) > 1})
    _must(not twice, "decks, hand, played, shown, lots", f"{', '.join(twice)} lies in two places")


def _must(truth: bool, key: str, why: str) -> None:
    if not truth:
        raise ScenarioError(f"scenario, {key}: {why}")


def _known(where: str, given: Any, names: Iterable[str]) -> None:
    for key in _mapping(where.rstrip(".") or "the file", given):
        _must(key in names, f"{where}{key}", f"unknown; there are: {', '.join(names)}")


def _mapping(key: str, given: Any) -> Mapping[str, Any]:
    _must(isinstance(given, Mapping), key, "a table is wanted")
    return given  # type: ignore[no-any-return]


def _listed(key: str, given: Any) -> Sequence[Any]:
    _must(isinstance(given, Sequence) and not isinstance(given, str), key, "a list is wanted")
    return given  # type: ignore[no-any-return]


def _number(key: str, given: Any, least: int = 0) -> int:
    _must(
        isinstance(given, int) and not isinstance(given, bool) and given >= least,
        key,
        f"a number from {least} up",
    )
    return int(given)


def _dice(key: str, given: Any) -> tuple[int, ...]:
    fits = len(_listed(key, given)) == 3 and all(isinstance(n, int) and 1 <= n <= 6 for n in given)
    _must(fits, key, "three dice, as [6, 5, 4]")
    return tuple(given)


def _out(public: Mapping[str, Any], seats: Sequence[str]) -> tuple[Gone, ...]:
    """Those out: ``out`` lists the seats of each elimination in order; ``alive`` alone makes one of
    all the others, ``votes_out`` alone of those it names."""
    votes = _mapping("public.votes_out", public.get("votes_out") or {})
    alive = public.get("alive")
    waves: list[Sequence[Any]] = [
        [wave] if isinstance(wave, str) else _listed("public.out", wave)
        for wave in _listed("public.out", public.get("out", []))
    ]
    if alive is not None:
        for seat in _listed("public.alive", alive):
            _must(seat in seats, "public.alive", f"{seat!r} is not one of {', '.join(seats)}")
        waves += [[s for s in seats if s not in alive and not any(s in wave for wave in waves)]]
    elif not waves:
        waves = [list(votes)]
    gone = tuple(
        Gone(seat, _number(f"public.votes_out.{seat}", votes.get(seat, 0)), number)
        for number, wave in enumerate((wave for wave in waves if wave), 1)
        for seat in wave
    )
    named = [one.seat for one in gone]
    _must(
        set(named) <= set(seats) and len(set(named)) == len(named),
        "public.out",
        "each seat once, seats of this game",
    )
    return gone


def _pins(
    rows: Mapping[str, Any], atlas: Atlas, seat_of: Callable[[str, object], str]
) -> dict[str, tuple[Pin, ...]]:
    """[[seat, level], ...] of each state in order of arrival."""
    pins: dict[str, tuple[Pin, ...]] = {}
    for code, row in rows.items():
        key = f"public.pins.{code}"
        _must(code in atlas.states, key, f'"{code}" is not one of the 48 states')
        for one in _listed(key, row):
            _must(len(_listed(key, one)) == 2, key, 'a pin is ["P1", 3]')
            seat, level = seat_of(key, one[0]), _number(key, one[1], 1)
            most = atlas.states[code].capital
            _must(level <= most, key, f"level {level} is beyond the capital ({most})")
            _must(all(pin.seat != seat for pin in pins.get(code, ())), key, f"{seat} has two pins")
            pins[code] = (*pins.get(code, ()), Pin(seat, level))
    return pins


def _lot(
    row: Any, card: Callable[[str, object], str], seat_of: Callable[[str, object], str]
) -> Lot:
    """A lot: {card, thrower} or [card, thrower]."""
    key = "public.lots"
    pair = (
        (row.get("card"), row.get("thrower"))
        if isinstance(row, Mapping)
        else tuple(_listed(key, row))
    )
    _must(len(pair) == 2, key, 'a lot is { card = "S12", thrower = "P2" }')
    return Lot(card(key, pair[0]), seat_of(key, pair[1]))


def _spoke(given: Any, seat_of: Callable[[str, object], str]) -> frozenset[str]:
    """{seat: true or false}, or a list of those who spoke."""
    named = (
        [seat for seat, yes in given.items() if yes]
        if isinstance(given, Mapping)
        else _listed("public.spoke", given)
    )
    return frozenset(seat_of("public.spoke", seat) for seat in named)


def _items(key: str, given: Any, atlas: Atlas) -> tuple[Item, ...]:
    """A list on file: [["NV", 2], ...] or the words of the order, "NV 2, AZ" or ["NV 2", "AZ"]."""
    if isinstance(given, list) and all(isinstance(one, str) for one in given):
        given = ", ".join(given)
    if isinstance(given, str):
        read = tuple(items(given.replace(",", " ").split(), atlas.named()))
        read = () if given.strip().upper() in ("", "NONE") else read
    else:
        read = tuple(
            Item(*one) if len(_listed(key, one)) == 2 else Item("?") for one in _listed(key, given)
        )
    for item in read:
        fits = (
            item.state in atlas.states and isinstance(item.count, int) and 1 <= item.count <= MOST
        )
        _must(fits, key, f"{item} is not one to eight counties of a state")
    return read


def _accounts(
    atlas: Atlas, seats: Sequence[str], fund: int | None, cash: Mapping[str, int], used: bool
) -> Accounts:
    """The campaign funds after the entry, with what a scenario says over them; all 0 where FUND=OFF
    (2.3, 6.1)."""
    if not used:
        return opened({**dict.fromkeys(seats, 0), FUND: 0})
    entries = [Entry(0, seat, FUND, atlas.entry, "entry") for seat in seats]
    paid = pay(opened(dict.fromkeys(seats, atlas.campaign_fund)), entries)
    if fund is None and not cash:
        return paid
    balances = {seat: cash.get(seat, paid.balance(seat)) for seat in seats}
    return opened({**balances, FUND: paid.balance(FUND) if fund is None else fund})
