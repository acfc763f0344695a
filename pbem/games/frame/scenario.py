"""Scenarios: typed, bounded fields in one wording. A part is a frozen dataclass of :func:`entry`.
:func:`read` returns typed values; :func:`reference` stands below each template. Kinds of scenario
values, with bounds and one wording for errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import Field, dataclass, field, fields, replace
from fractions import Fraction
from typing import Any, Generic, NoReturn, TypeVar, overload

from pbem.errors import ScenarioError
from pbem.orders.spelling import either, nearest

T = TypeVar("T")
U = TypeVar("U")
T_co = TypeVar("T_co", covariant=True)

MOST = 999_999_999
"""The largest number without a bound."""
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Names:
    """Names of a sort, and how to find one."""

    listed: tuple[str, ...]
    find: Callable[[str], str | None]


def exact(listed: Iterable[str]) -> Names:
    known = {name: name for name in listed}
    return Names(tuple(known), known.get)


def in_capitals(listed: Iterable[str]) -> Names:
    """Return names to match in any case."""
    known = {name.upper(): name for name in listed}
    return Names(tuple(known.values()), lambda word: known.get(word.upper()))


@dataclass(frozen=True, slots=True)
class At:
    """A scenario's key, and the game's names by sort ("party")."""

    key: str
    names: Mapping[str, Names]

    def __truediv__(self, name: object) -> At:
        plain = str(name).isprintable() and len(str(name)) <= _SHOWN
        named = str(name) if plain else shown(name)
        return At(f"{self.key}.{named}" if self.key else named, self.names)

    def nth(self, number: int) -> At:
        return At(f"{self.key}[{number}]", self.names)

    def wrong(self, given: object, wanted: str) -> NoReturn:
        """Raise ScenarioError with key, value and what is wanted."""
        wrong(self.key, f"{shown(given)}; {wanted} is wanted")


def wrong(key: str, why: str) -> NoReturn:
    """Raise ScenarioError with the key."""
    raise ScenarioError(f"scenario, {key}: {why}", [(key, why)])


class Faults:
    """Errors of several parts, reported together."""

    def __init__(self) -> None:
        self._first: ScenarioError | None = None
        self._found: list[tuple[str, str]] = []

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Read a part; go on if it fails."""
        try:
            yield
        except ScenarioError as error:
            self._first = self._first or error
            self._found += error.faults

    def raise_if_any(self) -> None:
        if self._first is not None:
            raise ScenarioError(str(self._first), self._found)


def shown(given: object) -> str:
    """Quote a value on one short line."""
    try:
        text = repr(given)
    except ValueError:  # Python spells out no number of more than 4,300 digits
        text = "a number without end"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


class Kind(Generic[T_co]):
    """A sort of value; ``about`` describes it."""

    about: str
    form: tuple[type, ...] = (str,)
    """Its types in TOML."""

    def fits(self, given: object) -> bool:
        """Return whether the value has this kind's TOML form."""
        return isinstance(given, self.form) and (not isinstance(given, bool) or bool in self.form)

    def read(self, at: At, given: Any) -> T_co:
        """Return the value. Raise ScenarioError if invalid."""
        value = self.made(at, given) if self.fits(given) else None
        if value is None:
            at.wrong(given, self.about)
        return value

    def made(self, at: At, given: Any) -> T_co | None:
        """Return what a value that fits means; None if it is out of bounds."""
        raise NotImplementedError


class Whole(Kind[int]):
    """A bounded whole number."""

    form = (int,)

    def __init__(self, least: int = 0, most: int = MOST) -> None:
        self.least, self.most = least, most
        self.about = f"a whole number from {least} to {most}"

    def made(self, at: At, given: Any) -> int | None:
        return int(given) if self.least <= given <= self.most else None


class Share(Kind[Fraction]):
    """A fraction, as number or text."""

    form = (int, float, Fraction, str)

    def __init__(self, least: int = 0, most: int = MOST) -> None:
        self.least, self.most = least, most
        self.about = f'a number or a fraction as "1000/3", from {least} to {most},'

    def made(self, at: At, given: Any) -> Fraction | None:
        if isinstance(given, str) and len(given) > _SHOWN:
            return None
        try:
            value = Fraction(str(given))
        except (ValueError, ZeroDivisionError):
            return None
        return value if self.least <= value <= self.most else None


class Flag(Kind[bool]):
    """True or false."""

    about = "true or false"
    form = (bool,)

    def made(self, at: At, given: bool) -> bool:
        return given


class Text(Kind[str]):
    """A text of limited length."""

    def __init__(self, most: int = 300, least: int = 1) -> None:
        self.least, self.most = least, most
        self.about = f"a text of {least} to {most} characters"

    def made(self, at: At, given: str) -> str | None:
        return given if self.least <= len(given) <= self.most else None


class Word(Kind[str]):
    """One of a few words, in any case unless ``exact``."""

    def __init__(self, *words: str, exact: bool = False) -> None:
        self.words = {word if exact else word.casefold(): word for word in words}
        self.exact = exact
        self.about = either(words)

    def made(self, at: At, given: str) -> str | None:
        return self.words.get(given if self.exact else given.casefold())


class Name(Kind[str]):
    """A name of a sort: "party", "card"."""

    def __init__(self, sort: str) -> None:
        self.sort = sort
        self.about = f"{'an' if sort[0] in 'aeio' else 'a'} {sort}"

    def read(self, at: At, given: Any) -> str:
        names = at.names[self.sort]
        found = names.find(given) if isinstance(given, str) else None
        if found is None:
            near = nearest(given, names.listed) if isinstance(given, str) else ""
            hint = f', perhaps "{near}",' if near else ""
            known = names.listed
            few = f"{', '.join(known[:8])}, ... {known[-1]}" if len(known) > 20 else either(known)
            at.wrong(given, f"{self.about} ({few}){hint}")
        return found


class Numbered(Kind[str]):
    """A number, as text or number."""

    form = (int, str)

    def __init__(self, sort: str) -> None:
        self.name = Name(sort)
        self.about = f"the number of {self.name.about}"

    def made(self, at: At, given: int | str) -> str | None:
        if not isinstance(given, str) and not 0 <= given <= MOST:
            return None
        return self.name.read(at, str(given))


class Listed(Kind[tuple[T, ...]]):
    """A list of a kind; ``once``: without repeats."""

    form = (list, tuple)

    def __init__(
        self, entry: Kind[T], *, least: int = 0, most: int = 1000, once: bool = False
    ) -> None:
        self.entry, self.least, self.most, self.once = entry, least, most, once
        count = f" of exactly {least} entries" if least == most else ""
        self.about = f"a list{count}{', none twice' if once else ''}, each {entry.about}"

    def made(self, at: At, given: Sequence[Any]) -> tuple[T, ...] | None:
        if not self.least <= len(given) <= self.most:
            return None
        entries, faults = list[T](), Faults()
        for n, one in enumerate(given, 1):
            with faults.apart():
                entries.append(self.entry.read(at.nth(n), one))
        faults.raise_if_any()
        return None if self.once and len(set(entries)) < len(entries) else tuple(entries)


class Pair(Kind[tuple[T, U]]):
    """A list of two."""

    form = (list, tuple)

    def __init__(self, first: Kind[T], second: Kind[U]) -> None:
        self.first, self.second = first, second
        self.about = f"a list of two, {first.about} and {second.about}"

    def made(self, at: At, given: Sequence[Any]) -> tuple[T, U] | None:
        if len(given) != 2:
            return None
        return self.first.read(at.nth(1), given[0]), self.second.read(at.nth(2), given[1])


class Table(Kind[dict[str, T]]):
    """A table of a kind, skipping JSON null."""

    form = (Mapping,)

    def __init__(self, key: Kind[str], entry: Kind[T]) -> None:
        self.key, self.entry = key, entry
        self.about = f"a table: {key.about} = {entry.about}"

    def made(self, at: At, given: Mapping[str, Any]) -> dict[str, T]:
        keys = {key: self.key.read(at / key, key) for key in given}
        if len(set(keys.values())) < len(keys):
            at.wrong(list(keys), "each key once")
        values, faults = dict[str, T](), Faults()
        for key, value in given.items():
            if value is not None:
                with faults.apart():
                    values[keys[key]] = self.entry.read(at / key, value)
        faults.raise_if_any()
        return values


class Nothing(Kind[None]):
    """Words for nothing, or an empty list."""

    def __init__(self, *words: str | list[object]) -> None:
        self.words = words
        self.about = either([f'"{word}"' for word in words if isinstance(word, str)])

    def fits(self, given: object) -> bool:
        return isinstance(given, str | list) and given in self.words

    def read(self, at: At, given: object) -> None:
        if not self.fits(given):
            at.wrong(given, self.about)


class Pattern(Kind[str]):
    """A text that matches."""

    def __init__(self, pattern: re.Pattern[str], about: str) -> None:
        self.pattern, self.about = pattern, about

    def made(self, at: At, given: str) -> str | None:
        return given if self.pattern.fullmatch(given) else None


class Either(Kind[T | U]):
    """One of two kinds of different form."""

    def __init__(self, one: Kind[T], other: Kind[U]) -> None:
        self.one, self.other = one, other
        self.about = f"{one.about}, or {other.about}"

    def fits(self, given: object) -> bool:
        return self.one.fits(given) or self.other.fits(given)

    def read(self, at: At, given: Any) -> T | U:
        if not self.fits(given):
            at.wrong(given, self.about)
        return (self.one if self.one.fits(given) else self.other).read(at, given)


class Made(Kind[U]):
    """A value that ``make`` converts; its None is invalid."""

    def __init__(
        self, kind: Kind[T], make: Callable[[At, T], U | None], about: str | None = None
    ) -> None:
        self.kind: Kind[Any] = kind
        self.make: Callable[[At, Any], U | None] = make
        self.about = about or kind.about

    def fits(self, given: object) -> bool:
        return self.kind.fits(given)

    def made(self, at: At, given: Any) -> U | None:
        return self.make(at, self.kind.read(at, given))


def or_nothing(name: Kind[str], *words: str) -> Kind[str]:
    """Return a name, or "" for a word for nothing."""
    return Made(Either(Nothing(*words), name), lambda _, found: found or "")


P = TypeVar("P")


class Part(Kind[P]):
    """A table with the fields of ``part``."""

    form = (Mapping,)

    def __init__(self, part: type[P]) -> None:
        self.part = part
        self.about = f"a table of {', '.join(_names(part))}"

    def made(self, at: At, given: Mapping[str, Any]) -> P:
        return read(self.part, given, at)


def of_each(parts: Mapping[str, P] | None, get: Callable[[P], T | None]) -> dict[str, T]:
    """Return ``get`` by part, without None."""
    found = {name: get(part) for name, part in (parts or {}).items()}
    return {name: value for name, value in found.items() if value is not None}


# --- fields ---------------------------------------------------------------------------------------


@overload
def entry(kind: Kind[T], about: str, start: str = ..., *, also: str = ...) -> T | None: ...
@overload
def entry(kind: Kind[T], about: str, start: str = ..., *, needed: bool) -> T: ...
@overload
def entry(kind: Kind[T], about: str, start: str = ..., *, default: T, also: str = ...) -> T: ...
def entry(
    kind: Kind[T],
    about: str,
    start: str | None = None,
    *,
    default: T | None = None,
    needed: bool = False,
    also: str | None = None,
) -> Any:
    """Declare a field. ``start``: the value if omitted, in words; ``default``: that value or None.
    ``also``: another name."""
    facts = {"kind": kind, "about": about, "start": start, "needed": needed, "also": also}
    return field(default=default, metadata=facts)


def _names(part: type[Any]) -> list[str]:
    return [one.name for one in fields(part)]


PARTS = ("public", "private", "phase", "candidates", "decks")
"""Of every scenario; unused ones must be empty."""


def read(part: type[P], given: Mapping[str, Any], at: At) -> P:
    """Read a part; JSON null counts as omitted. Raise ScenarioError with all unknown keys and wrong
    values."""
    known: dict[str, Field[Any]] = {}
    for one in fields(part):  # type: ignore[arg-type]
        known[one.name] = one
        if one.metadata["also"]:
            known[one.metadata["also"]] = one
    values: dict[str, Any] = {}
    faults = Faults()
    for name, value in given.items():
        with faults.apart():
            if name not in known:
                _stranger(part, name, value, at)
            elif value is not None:
                values[known[name].name] = known[name].metadata["kind"].read(at / name, value)
    for name, one in known.items():
        missing = one.name not in values and given.get(name) is None
        with faults.apart():
            if one.metadata["needed"] and missing:
                wrong((at / name).key, f"is missing; {one.metadata['kind'].about} is wanted")
    faults.raise_if_any()
    return part(**values)


def read_whole(part: type[P], scenario: Mapping[str, Any], names: Mapping[str, Names]) -> P:
    """Read a game's scenario; its phase may stand in either place."""
    made: Any = read(part, scenario, At("", names))
    whole: P = replace(made, public=replace(made.public, phase=made.phase or made.public.phase))
    return whole


def _stranger(part: type[Any], name: str, value: object, at: At) -> None:
    if name in getattr(part, "follows", ()) or (not at.key and name in PARTS and not value):
        return
    near = nearest(str(name), _names(part))
    hint = f"did you mean {near}? " if near else ""
    wrong((at / name).key, f"unknown key; {hint}there are {', '.join(sorted(_names(part)))}")


# --- the parts that every game has ----------------------------------------------------------------


def tables_and_rest(scenario: Any) -> tuple[Mapping[str, Any], dict[str, Any]]:
    """Split off the tables. Raise ScenarioError if a part is no table."""
    if not isinstance(scenario, Mapping):
        wrong("the whole", f"{shown(scenario)}; a table, or the name of a file, is wanted")
    rest = dict(scenario)
    for name in ("public", "private", "decks", "tables", "candidates", "options"):
        if not isinstance(rest.get(name, {}), Mapping):
            wrong(name, f"{shown(rest[name])}; a table is wanted, as [{name}]")
    for seat, own in rest.get("private", {}).items():
        if not isinstance(own, Mapping):
            (At("private", {}) / seat).wrong(own, "a table, as [private.SEAT],")
    return rest.pop("tables", {}), rest


# --- the reference --------------------------------------------------------------------------------


def reference(part: type[Any], within: str | None = None) -> Iterator[str]:
    """Yield a line per field: key, meaning, values, default."""
    for one in fields(part):
        kind: Kind[Any] = one.metadata["kind"]
        key = ".".join(filter(None, (within, one.name)))
        inner = list(_inner(key, kind))
        tables = "a list of tables" if isinstance(kind, Listed) else "a table"
        start = one.metadata["start"] or _plainly(one.default)
        said = f" Left out: {start}." if start else ""
        needed = " Has to be said." if one.metadata["needed"] else ""
        also = f" Also `{one.metadata['also']}`." if one.metadata["also"] else ""
        value = tables if inner else kind.about.rstrip(",")
        if value.startswith(("a ", "an ")):
            value = f"A{value[1:]}"
        yield f"`{key}`: {one.metadata['about']}. {value}.{said}{needed}{also}"
        for under, made in inner:
            yield from reference(made, under)


def _plainly(default: object) -> str:
    if not isinstance(default, bool | int | str):
        return ""
    return str(default).lower() if isinstance(default, bool) else str(default)


def _inner(key: str, kind: Kind[Any]) -> Iterator[tuple[str, type[Any]]]:
    match kind:
        case Part(part=part):
            yield key, part
        case Listed(entry=entry):
            yield from _inner(f"{key}[]", entry)
        case Table(key=Name(sort=sort) | Numbered(name=Name(sort=sort)), entry=entry):
            yield from _inner(f"{key}.{sort.upper()}", entry)
        case Table(entry=entry):
            yield from _inner(f"{key}.KEY", entry)
        case Either(one=one, other=other):
            yield from _inner(key, one)
            yield from _inner(key, other)
        case Made(kind=made_of):
            yield from _inner(key, made_of)
