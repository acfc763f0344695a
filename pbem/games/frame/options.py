"""What a gamesmaster chooses before a game."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pbem.errors import OperatorError, OptionError
from pbem.games.frame import length

_HOUR = re.compile(r"[0-9]{1,2}:00")
_SWITCH = {"on": "yes", "off": "no"}
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Option:
    """One choice."""

    name: str
    default: str | int
    about: str
    choices: tuple[str, ...] = ()
    """If empty, whole numbers from ``least`` to ``most``."""
    least: int = 0
    most: int = 99
    words: tuple[str, ...] = ()
    """Legal besides numbers, as AUTO."""
    many: bool = False
    """May be joined with +."""
    time: bool = False
    """Numbers are days; hours and minutes are legal."""
    text: int = 0
    """Characters of free words, if not 0; "" is legal."""
    says: tuple[str, ...] = ()
    """What choices, then words mean; not "on" and "off"."""

    @property
    def meanings(self) -> Mapping[str, str]:
        """By word; a number needs none."""
        known = (*self.choices, *self.words)
        switch = [_SWITCH.get(word.casefold(), "") for word in known]
        return dict(zip(known, self.says or switch, strict=True))

    @property
    def bounds(self) -> str:
        """Values besides words; "" for none."""
        if self.choices:
            return ""
        if self.text:
            return f"{self.text} characters at most"
        days = ", or a length such as 90 minutes or 36 hours" if self.time else ""
        return f"a whole number from {self.least} to {self.most}{days}"

    def in_words(self, value: object) -> str:
        return "; ".join(self.meanings.get(part) or part for part in str(value).split("+"))

    def read(self, given: object) -> str | int:
        """Return the value. Raise OptionError with legal ones."""
        if isinstance(given, bool):
            given = "on" if given else "off"
        word = str(given).strip()
        if self.text:
            return self._words(word)
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

    def _words(self, word: str) -> str:
        """Return free words in single blanks. Raise OptionError."""
        words = " ".join(word.split())
        if len(words) > self.text or not words.isprintable():
            raise OptionError(f"option {self.name}: {words[:80]!r} is not {self.bounds}")
        return words

    def _length(self, word: str) -> str | int:
        try:
            found = length.read(word)
        except OperatorError:
            return 0
        legal = isinstance(found, length.Elapsed) or self.least <= found.n <= self.most
        return found.plain if legal else 0


def switch(name: str, about: str, default: str = "OFF") -> Option:
    """Return an option that is on or off, in the case of its default."""
    return Option(name, default, about, ("on", "off") if default.islower() else ("ON", "OFF"))


def one_of(name: str, about: str, /, **choices: str) -> Option:
    """Return an option of words with what they mean; the first is the default."""
    return Option(name, next(iter(choices)), about, tuple(choices), says=tuple(choices.values()))


Options = Mapping[str, str | int]


def settle(options: Sequence[Option], given: Mapping[str, object]) -> dict[str, str | int]:
    """Return all values. Names match in any case. Raise OptionError."""
    known = {option.name.casefold(): option for option in options}
    for name in given:
        if name.casefold() not in known:
            listed = ", ".join(option.name for option in options)
            raise OptionError(f"there is no option {name!r}; this game has: {listed}")
    values = {name.casefold(): value for name, value in given.items()}
    return {o.name: o.read(values.get(o.name.casefold(), o.default)) for o in options}


def chosen(
    options: Sequence[Option], given: Mapping[str, object]
) -> Iterator[tuple[Option, object]]:
    """Yield options with their values, without those of time and names."""
    of_time = {option.name for option in timing(1)}
    for option in options:
        if option.name not in of_time and not option.text:
            yield option, given.get(option.name, option.default)


def unusual(options: Sequence[Option], given: Mapping[str, object]) -> list[str]:
    return [
        f"{one.about}: {one.in_words(value)} (usually {one.in_words(one.default)})"
        for one, value in chosen(options, given)
        if str(value) != str(one.default)
    ]


def timing(days: int) -> tuple[Option, ...]:
    """Return shared time options. ``days``: a usual period."""
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
        switch("EARLY", "whether a period closes early, as the house rule `early` has it", "ON"),
        Option(
            "EARLY_HOUR", 20, "hour of the day, in the game's zone, at which EARLY looks", most=24
        ),
    )
