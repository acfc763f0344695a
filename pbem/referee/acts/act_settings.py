"""Read an act's settings in a mail, on its line or below."""

from __future__ import annotations

from typing import Any

from pbem.acts.act import Act, Argument, Kind
from pbem.errors import OperatorError
from pbem.referee.acts.act_values import READ
from pbem.text import listed


def values_of(wanted: Act, said: str) -> dict[str, Any]:
    """Return the act's arguments: its own words, then NAME value pairs. Raise OperatorError."""
    values: dict[str, Any] = {
        one.name: [] if one.many else None for one in wanted.arguments if one.option
    }
    words = said.split()
    for argument in (one for one in wanted.arguments if not one.option):
        if not words:
            raise OperatorError(f"write it as: {wanted.shown}")
        values[argument.name] = _read(argument, words.pop(0))
    for name, value in _pairs(wanted, words):
        argument = wanted.below[name]
        read = _read(argument, value)
        if argument.many:
            values[argument.name].append(read)
        else:
            values[argument.name] = read
    return values


def _pairs(wanted: Act, words: list[str]) -> list[tuple[str, str]]:
    """Return (name, value), written PLAYERS 5, players=5 or --players 5."""
    found, left = [], list(words)
    while left:
        written = left.pop(0)
        name, _, value = written.lstrip("-").rstrip(":").partition("=")
        if name.upper() not in wanted.below:
            raise OperatorError(
                f"{written!r} is no setting of {wanted.word}; there are {listed(wanted.below)}"
            )
        if wanted.below[name.upper()].kind is Kind.FLAG:
            found.append((name.upper(), name.upper()))
            continue
        if not value and not left:
            raise OperatorError(f"{name.upper()} has nothing behind it")
        found.append((name.upper(), value or left.pop(0)))
    return found


def _read(argument: Argument, word: str) -> Any:
    return True if argument.kind is Kind.FLAG else READ.get(argument.kind, str)(word)
