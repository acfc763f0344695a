"""Scenarios: typed, bounded fields in one wording.

A part is a frozen dataclass of :func:`scenario_field`. :func:`read` returns typed values;
:func:`reference` stands below each template.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, field, fields
from typing import Any, TypeVar, overload

from pbem.games.frame.kinds import (
    At,
    Either,
    Faults,
    Kind,
    Listed,
    Made,
    Name,
    Numbered,
    Table,
    shown,
    wrong,
)
from pbem.orders.spelling import nearest

T = TypeVar("T")
P = TypeVar("P")


class Part(Kind[P]):
    """A table with the fields of ``made``."""

    def __init__(self, made: type[P]) -> None:
        self.made = made
        self.about = f"a table of {', '.join(_names(made))}"

    def fits(self, given: object) -> bool:
        return isinstance(given, Mapping)

    def read(self, at: At, given: Any) -> P:
        if not isinstance(given, Mapping):
            at.wrong(given, self.about)
        return read(self.made, given, at)


def of_each(parts: Mapping[str, P] | None, get: Callable[[P], T | None]) -> dict[str, T]:
    """Return ``get`` by part, without None."""
    found = {name: get(part) for name, part in (parts or {}).items()}
    return {name: value for name, value in found.items() if value is not None}


# --- fields ---------------------------------------------------------------------------------------


@overload
def scenario_field(kind: Kind[T], about: str, start: str = ..., *, also: str = ...) -> T | None: ...
@overload
def scenario_field(kind: Kind[T], about: str, start: str = ..., *, needed: bool) -> T: ...
@overload
def scenario_field(
    kind: Kind[T], about: str, start: str = ..., *, default: T, also: str = ...
) -> T: ...
def scenario_field(
    kind: Kind[T],
    about: str,
    start: str | None = None,
    *,
    default: T | None = None,
    needed: bool = False,
    also: str | None = None,
) -> Any:
    """Declare a field.

    ``start``: the value if omitted, in words; ``default``: that value or None. ``also``: another
    name.
    """
    facts = {"kind": kind, "about": about, "start": start, "needed": needed, "also": also}
    return field(default=default, metadata=facts)


def _names(part: type[Any]) -> list[str]:
    return [one.name for one in fields(part)]


PARTS = ("public", "private", "phase", "candidates", "decks")
"""Of every scenario; unused ones must be empty."""


def read(part: type[P], given: Mapping[str, Any], at: At) -> P:
    """Read a part; JSON null counts as omitted.

    Raise ScenarioError with all unknown keys and wrong values.
    """
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
        about = (
            ("a list of tables" if isinstance(kind, Listed) else "a table") if inner else kind.about
        )
        start = one.metadata["start"] or _plainly(one.default)
        said = f" Left out: {start}." if start else ""
        needed = " Has to be said." if one.metadata["needed"] else ""
        also = f" Also `{one.metadata['also']}`." if one.metadata["also"] else ""
        value = about.rstrip(",")
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
        case Part(made=made):
            yield key, made
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
