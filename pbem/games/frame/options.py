"""The choices that a gamesmaster makes before a game starts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.errors import OperatorError, OptionError
from pbem.games.frame import length

_HOUR = re.compile(r"[0-9]{1,2}:00")
_SWITCH = {"on": "yes", "off": "no"}
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Option:
    """A choice the gamesmaster makes before the start. ``choices`` lists the legal words; empty:
    any whole number from ``least`` to ``most`` (``words`` are then legal besides numbers, as AUTO
    or OFF). ``time``: those numbers are days, and a length in hours or minutes is legal too.
    ``says``: what each of the choices, then of the words, means; on and off need none."""

    name: str
    default: str | int
    about: str
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 99
    words: tuple[str, ...] = ()
    many: bool = False  # several choices joined with +
    time: bool = False
    says: tuple[str, ...] = ()

    @property
    def meanings(self) -> Mapping[str, str]:
        """What each of its words means; of a number its name says that."""
        known = (*self.choices, *self.words)
        switch = [_SWITCH.get(word.casefold(), "") for word in known]
        return dict(zip(known, self.says or switch, strict=True))

    @property
    def bounds(self) -> str:
        """What values it takes besides its words, in words; "" for none."""
        if self.choices:
            return ""
        days = ", or a length such as 90 minutes or 36 hours" if self.time else ""
        return f"a whole number from {self.least} to {self.most}{days}"

    def read(self, given: object) -> str | int:
        """The value meant by ``given``; raises OptionError naming the legal values."""
        if isinstance(given, bool):
            given = "on" if given else "off"
        word = str(given).strip()
        if not self.choices and _HOUR.fullmatch(word):
            word = word[:-3]  # an hour as clocks show it
        parts = word.split("+") if self.many else [word]
        legal = {choice.casefold(): choice for choice in (*self.choices, *self.words)}
        if parts and all(part.casefold() in legal for part in parts):
            return "+".join(legal[part.casefold()] for part in parts)
        if not self.choices and _WHOLE.fullmatch(word) and self.least <= int(word) <= self.most:
            return int(word)
        if self.time and (elapsed := self._length(word)):
            return elapsed
        numbers = f"a whole number from {self.least} to {self.most}"
        lengths = ["a length such as 90 minutes or 36 hours"] * self.time
        wanted = list(legal.values()) if self.choices else [numbers, *self.words, *lengths]
        raise OptionError(f"option {self.name}: {word!r} is none of: {', '.join(wanted)}")

    def _length(self, word: str) -> str | int:
        """A length as it is stored; 0 where the word is none, or no legal one."""
        try:
            found = length.read(word)
        except OperatorError:
            return 0
        legal = isinstance(found, length.Elapsed) or self.least <= found.n <= self.most
        return found.plain if legal else 0


Options = Mapping[str, str | int]


def settle(options: Sequence[Option], given: Mapping[str, object]) -> dict[str, str | int]:
    """Every option with its value; names in any case. Raises OptionError for an unknown name or
    value."""
    known = {option.name.casefold(): option for option in options}
    for name in given:
        if name.casefold() not in known:
            listed = ", ".join(option.name for option in options)
            raise OptionError(f"there is no option {name!r}; this game has: {listed}")
    values = {name.casefold(): value for name, value in given.items()}
    return {o.name: o.read(values.get(o.name.casefold(), o.default)) for o in options}


def timing(days: int) -> tuple[Option, ...]:
    """The options about time that several games share, with the usual days of a period."""
    return (
        Option("PERIOD", days, "days of a period", least=1, most=366, time=True),
        Option(
            "PERIOD_ONE",
            2,
            "days of a period in which the rules ask one player alone",
            least=1,
            most=366,
            time=True,
        ),
        Option(
            "EARLY",
            "ON",
            "whether a period closes early, as the house rule `early` has it",
            ("ON", "OFF"),
        ),
        Option(
            "EARLY_HOUR", 20, "hour of the day, in the game's zone, at which EARLY looks", most=24
        ),
    )
