"""Play from files: ``DIR/01/S.txt`` has S's first orders."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem.errors import OperatorError
from pbem.games.frame.adjudication import Taken, play_period, take
from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Event, Seat
from pbem.games.frame.options import settle
from pbem.games.frame.ruleset import Ruleset
from pbem.games.frame.scenario import At, Listed, Name, exact, tables_and_rest
from pbem.house import shelf
from pbem.orders.mailwords import peel

GAME_ID = "play"
_NUMBER = re.compile(r"[0-9]{1,9}")
_SEED = re.compile(r"-?[0-9]{1,100}")


@dataclass(frozen=True, slots=True)
class Setup:
    """From ``game.toml`` and the command line."""

    key: str
    seed: int = 0
    seats: tuple[Seat, ...] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    scenario: Mapping[str, Any] = field(default_factory=dict)
    files: frozenset[str] = frozenset()
    """Order files, which may tell the seats."""


@dataclass(frozen=True, slots=True)
class Period:
    """A period adjudicated."""

    number: int
    phase: str
    taken: Mapping[Seat, Taken]
    events: tuple[Event, ...]
    state: Any


@dataclass(frozen=True, slots=True)
class Game:
    """A game at the table."""

    ruleset: Ruleset[Any]
    seed: int
    seats: tuple[Seat, ...]
    opening: tuple[Event, ...]
    start: Any
    periods: tuple[Period, ...]

    @property
    def state(self) -> Any:
        return self.periods[-1].state if self.periods else self.start

    def json(self) -> Json:
        result = self.ruleset.result(self.state)
        return {
            "ruleset": self.ruleset.about.key,
            "seed": self.seed,
            "opening": {
                "events": [e.json() for e in self.opening],
                "views": views(self, self.start),
            },
            "periods": [self._period(period) for period in self.periods],
            "result": result.json() if result else None,
        }

    def _period(self, period: Period) -> Json:
        problems = {
            seat: [p.json() for p in taken.problems] for seat, taken in period.taken.items()
        }
        return {
            "number": period.number,
            "phase": period.phase,
            "events": [event.json() for event in period.events],
            "problems": {seat: listed for seat, listed in problems.items() if listed},
            "orders": {s: [str(o) for o in t.standing.values()] for s, t in period.taken.items()},
            "views": views(self, period.state),
        }


def views(game: Game, state: Any) -> Json:
    seen: dict[str, Json] = {"public": game.ruleset.view(state, None)}
    return seen | {seat: game.ruleset.view(state, seat) for seat in game.seats}


def load_setup(
    key: str,
    folder: Path | None,
    *,
    scenario: Path | None = None,
    seed: int | None = None,
    options: Mapping[str, str] | None = None,
) -> Setup:
    """Read ``folder/game.toml``; the command line wins. Raise OperatorError."""
    given = read_toml(folder / "game.toml") if folder and (folder / "game.toml").exists() else {}
    unknown = set(given) - {"seats", "options", "seed", "scenario"}
    if unknown:
        raise OperatorError(
            f"{folder}/game.toml: unknown key {sorted(unknown)[0]!r}; use seats, options, seed,"
            " scenario"
        )
    told = given.get("scenario", {})
    if isinstance(told, str):
        told = read_toml((folder or Path()) / told)
    if scenario is not None:
        told = read_toml(scenario)
    if not _SEED.fullmatch(str(given.get("seed", 0))):
        raise OperatorError(f"{folder}/game.toml: seed is a whole number, not {given['seed']!r}")
    chosen = given.get("options", {})
    if not isinstance(chosen, Mapping):
        raise OperatorError(
            f"{folder}/game.toml, options: a table is wanted, as {{PERIOD = 7}}, not {chosen!r}"
        )
    both = [*chosen.items(), *(options or {}).items()]
    return Setup(
        key,
        int(given.get("seed", 0)) if seed is None else seed,
        seat_keys(given["seats"], f"{folder}/game.toml") if "seats" in given else None,
        {name.casefold(): value for name, value in both},
        told,
        frozenset(file.stem for file in folder.glob("[0-9]*/*.txt")) if folder else frozenset(),
    )


def seat_keys(listed: Any, where: str) -> tuple[Seat, ...]:
    if not isinstance(listed, list | tuple) or not all(isinstance(seat, str) for seat in listed):
        raise OperatorError(
            f'{where}, seats: a list of seat keys is wanted, as ["P1", "P2"], not {listed!r}'
        )
    return tuple(listed)


def seat_of(word: str, seats: Sequence[Seat]) -> Seat | None:
    return next((seat for seat in seats if seat.casefold() == word.casefold()), None)


def read_toml(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise OperatorError(f"{path}: {error}") from error
    return toml(text, str(path))


def toml(text: str, where: str) -> dict[str, Any]:
    """Parse TOML. Raise OperatorError with ``where`` and line."""
    try:
        return tomllib.loads(text)
    except ValueError as error:  # also for integers over 4,300 digits
        raise OperatorError(f"{where}: {error}") from error
    except RecursionError:
        raise OperatorError(f"{where}: too many brackets within each other") from None


def begin(setup: Setup) -> Game:
    changes, scenario = tables_and_rest(setup.scenario)
    tables = shelf.with_changes(setup.key, changes) if changes else None
    ruleset = shelf.open_ruleset(setup.key, tables)
    seats = seating(ruleset, setup.seats, scenario, setup.files)
    options = settle(ruleset.about.options, {**scenario.pop("options", {}), **setup.options})
    outcome = ruleset.setup(seats, options, scenario, Dice(str(setup.seed), GAME_ID))
    return Game(ruleset, setup.seed, seats, outcome.events, outcome.state, ())


def seating(
    ruleset: Ruleset[Any],
    seats: tuple[Seat, ...] | None,
    scenario: dict[str, Any],
    files: frozenset[str] = frozenset(),
) -> tuple[Seat, ...]:
    """Return seats as they join: given, by the scenario, or the smallest table."""
    known = exact(dict.fromkeys(seat for table in ruleset.about.seats for seat in table))
    told = Listed(Name("seat")).read(At("seats", {"seat": known}), scenario.pop("seats", []))
    listed = seats or told or _named(ruleset, scenario, files)
    if not any(sorted(listed) == sorted(legal) for legal in ruleset.about.seats):
        raise OperatorError(
            f"seats {', '.join(listed)}: {ruleset.about.key} is played by {sizes(ruleset)} players,"
            f" e.g. {', '.join(ruleset.about.seats[0])}"
        )
    return tuple(listed)


def sizes(ruleset: Ruleset[Any]) -> str:
    """Return "5", "5 to 15"."""
    counts = sorted({len(legal) for legal in ruleset.about.seats})
    return f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else str(counts[0])


def _named(
    ruleset: Ruleset[Any], scenario: Mapping[str, Any], files: frozenset[str]
) -> tuple[Seat, ...]:
    public = scenario.get("public", {})
    order = public.get("order")
    for table in ruleset.about.seats:
        if isinstance(order, list) and sorted(map(str, order)) == sorted(table):
            return table
    tables = [public.get(key) for key in ("order", *ruleset.about.seat_tables)]
    listed = [table for table in tables if isinstance(table, list | dict)]
    for key in ruleset.about.seat_rows:
        lists = public[key].values() if isinstance(public.get(key), dict) else ()
        rows = [row for rows in lists if isinstance(rows, list) for row in rows]
        listed.append([row[0] for row in rows if isinstance(row, list) and row])
    known = {seat for table in ruleset.about.seats for seat in table}
    named = (files & known) | {
        str(seat) for seats in (scenario.get("private", {}), *listed) for seat in seats
    }
    return next(
        (table for table in ruleset.about.seats if named <= set(table)), ruleset.about.seats[0]
    )


def step(game: Game, texts: Mapping[Seat, str]) -> Game:
    """Play a period; no text is a missed move."""
    ruleset, state = game.ruleset, game.state
    taken = {
        seat: take(ruleset, state, seat, peel(texts[seat]).text, {})
        for seat in game.seats
        if seat in texts
    }
    dice = Dice(str(game.seed), GAME_ID)
    outcome = play_period(ruleset, state, {seat: t.standing for seat, t in taken.items()}, dice)
    number = len(game.periods) + 1
    period = Period(number, state.phase, taken, outcome.events, outcome.state)
    return Game(ruleset, game.seed, game.seats, game.opening, game.start, (*game.periods, period))


def played(setup: Setup, folder: Path) -> Iterator[Game]:
    """Yield the game after its opening and each period."""
    game = begin(setup)
    yield game
    for texts in periods(folder, game.seats):
        if game.ruleset.result(game.state) is not None:
            return
        game = step(game, texts)
        yield game


def periods(folder: Path, seats: tuple[Seat, ...]) -> list[dict[Seat, str]]:
    """Return texts; {} for a missing number."""
    if not folder.is_dir():
        raise OperatorError(
            f"{folder} is not a folder of order files; make {folder}/01/{seats[0]}.txt"
        )
    numbered = {
        int(p.name): p for p in folder.iterdir() if p.is_dir() and _NUMBER.fullmatch(p.name)
    }
    return [
        _texts(numbered[n], seats) if n in numbered else {}
        for n in range(1, max(numbered, default=0) + 1)
    ]


def _texts(folder: Path, seats: tuple[Seat, ...]) -> dict[Seat, str]:
    texts = {}
    for file in sorted(folder.glob("*.txt")):
        seat = seat_of(file.stem, seats)
        if seat is None:
            raise OperatorError(
                f"{file}: there is no seat {file.stem!r}; the seats are {', '.join(seats)}"
            )
        texts[seat] = file.read_bytes().decode("utf-8", errors="replace")
    return texts
