"""House rules: common ones, the game's, a pace preset, the gamesmaster's choices.

Texts for the door: the phrases of its reader, and each game in few words.

How long games last, as people or house bots have played them.
"""

import math
import statistics
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import timedelta
from functools import lru_cache
from typing import Any

from pbem.budget import paused
from pbem.errors import OperatorError
from pbem.games import GAMES
from pbem.games.frame import calendar, codec, pace
from pbem.games.frame.calendar import clock_time
from pbem.games.frame.house import ALL, AT_ONCE, DEPUTIES, EARLY, MINUTE, NAMES, NEVER, OWED, House
from pbem.games.frame.house_rules import silence_has_rules
from pbem.games.frame.length import LONGEST, NONE, Days, Elapsed, Length, read
from pbem.games.frame.options import settle
from pbem.games.frame.pace import Change
from pbem.games.frame.press_rules import MODES
from pbem.house import lookup, resources, shelf
from pbem.orders.door.phrases import Phrases, made
from pbem.orders.spelling import is_count

_DAY = 1440
_RULES = ("rules", "house.toml")
OF_TIME = {"PERIOD": "lengths", "PERIOD_ONE": "alone"}
"""Presets have figures for them."""


@dataclass(frozen=True, slots=True)
class PaceNotes:
    """A game's pace, as told to players."""

    name: str
    words: str
    changes: tuple[Change, ...]
    """From the usual house rules."""
    shorter: bool


@dataclass(frozen=True, slots=True)
class Preset:
    """A pace for one game."""

    name: str
    words: str
    figures: Mapping[str, Any]
    """In the keys of ``rules/house.toml``."""

    @property
    def whole(self) -> Length:
        return read(self.figures["lengths"]["*"])


def paces() -> tuple[str, ...]:
    return tuple(resources.toml(*_RULES)["pace"])


def preset(key: str, name: str) -> Preset:
    """Return a preset for a game. Raise OperatorError for an unknown name."""
    found = resources.toml(*_RULES)["pace"].get(name)
    if found is None:
        raise OperatorError(f"there is no pace {name!r}; there are: {', '.join(paces())}")
    figures = {one: value for one, value in found.items() if one != "words" and one not in GAMES}
    return Preset(name, found["words"], shelf.merged(figures, found.get(key, {})))


def settled(
    key: str, given: Mapping[str, object], at_pace: str | None = None
) -> dict[str, str | int]:
    """Return each option's value: ``given``, else the pace's or the usual one."""
    options = shelf.open_ruleset(key).about.options
    figures = preset(key, at_pace).figures if at_pace else {}
    timed = {
        option.name: figure["*"] if isinstance(figure, Mapping) else figure
        for option in options
        if (figure := figures.get(OF_TIME.get(option.name, ""))) is not None
    }
    return settle(options, {**timed, **given})


def usual(key: str) -> House:
    """Return a game's house rules without choices."""
    return house_rules(key, settled(key, {}), {})


_SWITCH = {"yes": True, "no": False, "true": True, "false": False}


def pace_notes(key: str, house: House) -> PaceNotes | None:
    if house.pace not in paces():
        return None
    before = usual(key)
    changes = tuple(pace.changes(before, house))
    shorter = house.lengths["*"].time < before.lengths["*"].time
    return PaceNotes(house.pace, preset(key, house.pace).words, changes, shorter)


def read_pairs(written: Mapping[str, str]) -> dict[str, object]:
    return {name: int(one) if is_count(one) else one for name, one in written.items()}


def pairs(given: Sequence[str]) -> Mapping[str, str]:
    """Read NAME=VALUE. Raise OperatorError."""
    found = dict(one.partition("=")[::2] for one in given)
    if wrong := [one for one in given if "=" not in one]:
        raise OperatorError(f"{wrong[0]!r}: write NAME=VALUE")
    return found


def changes(settings: Mapping[str, Any]) -> dict[str, object]:
    """Return the house rules among a new game's settings: pairs, and some by their own name."""
    own = {name: said.lower() for name in _OWN_NAME if (said := settings.get(name))}
    return read_pairs(pairs(settings["house"])) | own


_OWN_NAME = ("names", "press", "grace", "deputies")


def house_rules(
    key: str, options: Mapping[str, Any], changes: Mapping[str, Any], at_pace: str | None = None
) -> House:
    """Return a new game's house rules. Later ones count: ``rules/house.toml``, the game's table,
    the pace, ``options`` (:func:`settled` at that pace), ``changes``. Raise OperatorError for wrong
    ones."""
    if isinstance(changes.get("lengths"), str | int):  # for all phases without their own
        try:
            changes = {**changes, "lengths": {"*": read(changes["lengths"]).plain}}
        except OperatorError as error:
            raise OperatorError(f"house rules of {key}: lengths: {error}") from error
    known = [one.name for one in fields(House) if one.name not in ("pace", "next_hour")]
    if unknown := sorted(set(changes) - set(known)):
        raise OperatorError(
            f"there is no house rule {', '.join(unknown)}; there are {', '.join(known)}"
        )
    _check_numbers(key, changes)
    merged, whole = _figures(key, at_pace)
    if "PERIOD" in options:
        hour = f"{options.get('EARLY_HOUR', 20)}:00"
        merged["lengths"] = {"*": options["PERIOD"]}
        merged["alone"] = options.get("PERIOD_ONE", 0)
        merged["early_hour"] = AT_ONCE if merged["early_hour"] == AT_ONCE else hour
        merged["early"] = merged["early"] if options.get("EARLY", "ON") == "ON" else NEVER
    merged = shelf.merged(
        merged, {name: _SWITCH.get(str(one), one) for name, one in changes.items()}
    )
    if not isinstance(merged["watch"], bool):
        raise OperatorError(f"house rules of {key}: watch={merged['watch']} is neither yes nor no")
    try:
        house = codec.load(House, merged)
    except Exception as error:
        given = ", ".join(f"{name}={value}" for name, value in changes.items())
        raise OperatorError(
            f"house rules of {key}: {given} is not of the kind of rules/house.toml"
        ) from error
    house = as_given = replace(house, grace=_grace(key, house))
    if house.elapsed:
        house = pace.in_proportion(house, whole)
        house = house if house.early != ALL or "early" in changes else replace(house, early=OWED)
    for fault in _faults(house, as_given, changes):
        raise OperatorError(f"house rules of {key}: {fault}")
    return house


def _faults(house: House, given: House, changes: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with house rules. given: before hours and minutes took their share."""
    for name, hour in {"hour": given.hour, "early_hour": given.early_hour or "24:00"}.items():
        if not (house.elapsed and hour == AT_ONCE):
            try:
                clock_time(hour)
            except OperatorError as error:
                yield f"{name}: {error}"
    yield from _wrong_times(house)
    for name, chosen, known_words in (
        ("early", house.early, EARLY),
        ("deputies", house.deputies, DEPUTIES),
        ("names", house.names, NAMES),
        ("press", house.press, MODES),
    ):
        if chosen not in known_words:
            yield f"{name}={chosen} is none of {', '.join(known_words)}"
    if changes.get("early", NEVER) != NEVER and not house.early_hour:
        at_once = ", or early_hour='at once'" * house.elapsed
        yield f"early={house.early} needs early_hour=20:00{at_once}"
    numbers = {
        "alone": house.alone.n,
        "most_automatic": house.most_automatic.n,
        "max_late": house.latest // MINUTE,
        "idle_after": house.idle_after,
        "grace": house.grace.n,
        "least_hours": house.least_hours,
    }
    if negative := [name for name, number in numbers.items() if number < 0]:
        yield f"{', '.join(negative)} cannot be negative"
    if house.most_automatic.time < house.grace.time:
        yield (
            f"grace is {house.grace}, and the referee moves a deadline by {house.most_automatic} at"
            f" most (most_automatic): give less, or --house most_automatic='{house.grace}'"
        )


def _figures(key: str, name: str | None) -> tuple[dict[str, Any], Days]:
    """Return figures at a pace (None: usual), and the days that days are a share of."""
    file = resources.toml(*_RULES)
    figures = shelf.merged(file["house"], file.get(key, {}))
    whole = Days(figures["lengths"]["*"])
    if not name:
        return figures, whole
    chosen = preset(key, name)
    if isinstance(chosen.whole, Days):
        period = next(
            (one for one in shelf.open_ruleset(key).about.options if one.name == "PERIOD"), None
        )
        days = period.default if period and isinstance(period.default, int) else whole.n
        figures, whole = pace.in_days(figures, days, chosen.whole.n), chosen.whole
    return {**shelf.merged(figures, chosen.figures), "pace": name}, whole


def _grace(key: str, house: House) -> Length:
    """Return grace in the unit of the periods; 24 hours are a day. Raise OperatorError."""
    grace = house.grace
    if not grace:
        return NONE
    if silence_has_rules(house):
        raise OperatorError(
            f"{key} has house rules 7 and 8 for silent players and late lists, and no grace besides"
        )
    if isinstance(grace, Days) and house.elapsed:
        return Elapsed(grace.n * _DAY)
    if isinstance(grace, Elapsed) and not house.elapsed:
        if grace.n % _DAY:
            raise OperatorError(
                f"house rules of {key}: grace is {grace}; the deadlines of this game move by whole"
                " days, as 24 hours or 2 days"
            )
        return Days(grace.n // _DAY)
    return grace


def _wrong_times(house: House) -> Iterator[str]:
    figures = {
        **{f"lengths of {phase}": one for phase, one in house.lengths.items()},
        **{f"reminders of {phase}": one for phase, all_ in house.reminders.items() for one in all_},
        **{name: own for name, own in house.rules.items() if name.endswith("_days")},
        "alone": house.alone,
        "most_automatic": house.most_automatic,
    }
    for name, written in figures.items():
        try:
            figure = written if isinstance(written, Length) else read(written)
        except OperatorError as error:
            yield f"{name}: {error}"
            return
        in_hours = isinstance(figure, Elapsed)
        # reminders may be hours before a deadline in days
        may = in_hours and name.startswith("reminders")
        if figure and in_hours != house.elapsed and not may:
            yield (
                f"{name} is {figure}; a game counts all its periods in days, or all in hours and"
                " minutes"
            )
        if figure.n < 0 and name not in ("alone", "most_automatic"):
            yield f"{name} cannot be negative"
        if name.startswith("lengths") and figure.time > timedelta(days=LONGEST):
            yield f"{name} are {figure}, more than a year"
    for holiday in house.holidays:
        try:
            calendar.span(*holiday[:2])
        except (TypeError, OperatorError):
            yield (
                f"holidays: {' '.join(holiday)!r} is no first and last day, like 2026-12-24 and"
                " 2026-12-26"
            )


def _check_numbers(key: str, changes: Mapping[str, Any]) -> None:
    """Raise OperatorError for a figure with a unit of its own."""
    for name in ("alone", "most_automatic", "max_late"):
        if not is_count(str(changes.get(name, 0)).removeprefix("-")):
            raise OperatorError(
                f"house rules of {key}: {name}={changes[name]} is no number of"
                f" {'hours' if name == 'max_late' else 'days'}; periods in hours or minutes take"
                " their share of it"
            )


@lru_cache
@paused
def phrases() -> Phrases:
    return made(resources.toml("grammar", "door.toml"), lookup.how_asked())


def about(key: str) -> str:
    """Return a game in two sentences, or ""."""
    return str(resources.toml("rules", "door.toml").get(key, {}).get("words", ""))


def speed(key: str, house: House) -> str:
    """Return how fast a game goes, in few words."""
    told = pace_notes(key, house) if house.pace else None
    usual = house.lengths["*"]
    lasts = f"A period lasts {usual}" if usual else "Its periods have no deadline"
    return f'{lasts}, at the pace "{told.name}"' if told else lasts


ENOUGH = 20
"""From so many games of people on, theirs are told instead of the bots'."""
ALONE = "alone"
"""The kind of period in which one player is asked."""
_MINUTES = timedelta(days=1)
_UNITS = (
    (timedelta(days=75), timedelta(days=30), "month"),
    (timedelta(days=14), timedelta(days=7), "week"),
    (timedelta(days=2), _MINUTES, "day"),
    (timedelta(minutes=100), timedelta(hours=1), "hour"),
    (timedelta(0), timedelta(minutes=10), "ten minutes"),
)
"""(from this median on, a unit, its name)."""


def kind(own: Mapping[str, Length], phase: str, asked: int) -> str:
    """own: which phases have a length of their own."""
    if asked == 1:
        return ALONE
    return phase if phase in own else "*"


@lru_cache
@paused
def of_bots() -> Mapping[str, Mapping[str, Any]]:
    """Return each rule-set's games of bots, a {kind: periods} each, and what shortens them."""
    data = tomllib.loads(resources.text("rules", "lengths.toml"))
    for said in data.values():
        said["games"] = [dict(zip(said["kinds"], game, strict=True)) for game in said["games"]]
    return defaultdict(lambda: {"games": (), "ends": "", "each": 1}, data)


def by_bots(key: str, house: House, options: Mapping[str, Any] | None = None) -> list[timedelta]:
    """Return how long the bots' games would take at a pace; nothing without deadlines."""
    if not house.lengths["*"]:
        return []
    return [
        sum((number * _one(house, kind) for kind, number in game.items()), timedelta())
        * min(1.0, most(key, options or {}) / sum(game.values()))
        for game in of_bots()[key]["games"]
    ]


def most(key: str, options: Mapping[str, Any]) -> float:
    """Return how many periods a game has at most by its options."""
    said = of_bots()[key]
    number = str(options.get(said["ends"], ""))
    return int(number) * float(said["each"]) if is_count(number) else math.inf


def _one(house: House, kind: str) -> timedelta:
    """Return a period's length. One without a deadline counts as long as between two reports."""
    length = house.length("*", 1) if kind == ALONE else house.length(kind, 2)
    return (length or house.rule("report_days", 7) or Days(7)).time


def words(
    key: str,
    house: House,
    people: Sequence[timedelta] = (),
    options: Mapping[str, Any] | None = None,
) -> str:
    """Return "about 8 weeks (7-9, with bots)", or "" if nobody knows.

    people: how long games of people have taken at this pace. options: some shorten a game.
    """
    bots = sorted(by_bots(key, house, options))
    enough = len(people) >= ENOUGH and bots == sorted(by_bots(key, house))
    found = sorted(people) if enough else bots
    if len(found) < 2:
        return ""
    quarters = statistics.quantiles([one.total_seconds() for one in found], method="inclusive")
    low, middle, high = (timedelta(seconds=one) for one in quarters)
    unit, name = next((unit, name) for least, unit, name in _UNITS if middle >= least)
    first, about, last = (max(1, round(one / unit)) for one in (low, middle, high))
    if name == "ten minutes":
        first, about, last, name = 10 * first, 10 * about, 10 * last, "minute"
    said = [f"{first}-{last}"] if first < last else []
    said += [] if enough else ["with bots"]
    return f"about {about} {name}{'s' * (about != 1)}" + (f" ({', '.join(said)})" if said else "")
