"""Read an act's arguments in a mail, on its line or below."""

import re
from typing import Any

from pbem.acts.act import LONG, Act, Argument, Kind
from pbem.acts.acts import SEAT
from pbem.errors import OperatorError
from pbem.games.frame.length import Days, Length, leading
from pbem.orders.spelling import is_number
from pbem.periods import guards
from pbem.referee.acts.values import READ
from pbem.store.games.games import GameAt
from pbem.store.people import players
from pbem.text import listed

_OPTION = re.compile(r"--[a-z][a-z-]{0,30}")
_WHOLE = re.compile(r"[0-9]{1,18}")
LONGEST = 20_000
"""Characters below a command: a ruling, orders, press."""
_DAYS = re.compile(r"[+-]?[0-9]{1,9}")
_WORD = re.compile(r"\s*(\S*)[ \t]*\n?")
_REST = re.compile(r"([^\n]*+)\n?")


def no_options(wanted: Act, said: str) -> None:
    """Raise OperatorError for an option of the shell."""
    found = _OPTION.search(said.partition("\n")[0])
    if found and found[0] in {one.option for one in wanted.arguments}:
        raise OperatorError(
            f'by mail there is no "{found[0]}", and nothing was done; write it as: {wanted.shown}'
        )


def values_of(
    wanted: Act, game: GameAt | None, text: str, game_id: str | None = None
) -> dict[str, Any]:
    """Return the arguments from the act's line. Raise OperatorError.

    game_id: a game that has not begun.
    """
    if wanted.settings:
        return _settings(wanted, text)
    return _in_line(wanted, game, text, game_id)


def _in_line(wanted: Act, game: GameAt | None, text: str, game_id: str | None) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if wanted.goes_on:
        text, _, below = text.partition("\n")
        values |= _below(wanted, game, below)
    given, text = flags(wanted, text)
    for argument in (one for one in wanted.arguments if not one.many):
        if argument.kind is Kind.FLAG:
            word, _, rest = text.partition(" ")
            stands = argument.placed and word.upper() == argument.flag
            values[argument.name], text = stands or argument.name in given, rest if stands else text
        elif argument.kind is Kind.GAME and not argument.option:
            values[argument.name] = game.id if game else game_id or None
        elif argument.kind is Kind.PERIOD:
            values[argument.name] = game.period.number if game else None
        elif not argument.in_line or (argument.kind is Kind.NAME and values.get("none")):
            values[argument.name] = None
        elif argument.kind in (Kind.WHY, Kind.NAME):
            unsaid = argument.kind is Kind.WHY and argument.required
            values[argument.name], text = text or ("by the gamesmaster" if unsaid else None), ""
        elif argument.kind in LONG:
            values[argument.name], text = _text(wanted, text), ""
        elif game and argument.kind is Kind.LENGTH:
            values[argument.name], text = _length(game, wanted.word, text)
        else:
            found = (_REST if argument.kind is Kind.READERS and "\n" in text else _WORD).match(text)
            word, rest = (found[1], text[found.end() :]) if found else ("", "")
            if argument.kind is Kind.NUMBER and not argument.required and not is_number(word):
                word, rest = "", text  # left out
            values[argument.name], text = _value(game, argument, word), rest
    if wanted.misused(values):
        raise OperatorError(f"write it as: {wanted.shown}")
    return values


def _below(wanted: Act, game: GameAt | None, text: str) -> dict[str, list[Any]]:
    """Return repeatable options on the lines below. Raise OperatorError."""
    words = wanted.below
    lists: dict[str, list[Any]] = {one.name: [] for one in words.values()}
    orders: list[Any] | None = None  # those the next line may continue
    for line in filter(None, map(str.strip, text.split("\n"))):
        word, _, rest = line.partition(" ")
        argument = words.get(word.upper())
        if argument and argument.kind is Kind.ORDERS and rest.strip():
            seat, _, order = rest.strip().partition(" ")
            orders = [_value(game, SEAT, seat), order]
            lists[argument.name].append(orders)
        elif argument and _WHOLE.fullmatch(rest.rstrip(" .")):
            lists[argument.name].append(_value(game, argument, rest.rstrip(" .")))
            orders = None
        elif line.upper().split() == ["END", "ORDER"]:
            orders = None
        elif orders:
            orders[1] = f"{orders[1]}\n{line}"
        else:
            raise OperatorError(
                f"{line!r} stands below {wanted.word}, where lines begin with {listed(words, 'or')}"
            )
    return {
        name: [tuple(one) if isinstance(one, list) else one for one in values]
        for name, values in lists.items()
    }


def flags(wanted: Act, text: str) -> tuple[set[str], str]:
    """Return the flag that ends a line, and the rest."""
    rest, _, last = text.rpartition(" ")
    for argument in wanted.arguments:
        if argument.kind is Kind.FLAG and argument.placed and last.upper() == argument.flag:
            return {argument.name}, rest
    return set(), text


def _text(wanted: Act, text: str) -> str:
    """Return what follows a command, on its line or below. Raise OperatorError."""
    if not text.strip():
        raise OperatorError(
            f"nothing stands below it; {wanted.shown}, then the lines, then the line"
            f" END {wanted.word}"
        )
    if len(text) > LONGEST:
        raise OperatorError(f"what stands below it is longer than {LONGEST} characters")
    return text


def _value(game: GameAt | None, argument: Argument, word: str) -> Any:
    """Return what one word means. Raise OperatorError."""
    if not word and not argument.required:
        return None
    if game and argument.kind is Kind.SEAT:
        seat = next((one for one in game.seats if one.upper() == word.upper()), word)
        guards.known(game, seat)
        return seat
    if argument.kind is Kind.ADDRESS:
        return players.mail_address(word)
    return READ.get(argument.kind, str)(word)


def _length(game: GameAt, word: str, text: str) -> tuple[Length, str]:
    """Return by how much a deadline moves, and the rest. Raise OperatorError."""
    elapsed = leading(text)
    if game.house.elapsed and elapsed is None:
        raise OperatorError(f"write {word} 30 minutes reason; {text!r} has no hours or minutes")
    if elapsed is not None:
        return elapsed  # refused later if periods are days
    days, _, rest = text.partition(" ")
    if not _DAYS.fullmatch(days):
        raise OperatorError(f"write {word} 3 reason; {text!r} begins with no number of days")
    return Days(int(days)), rest


def _settings(wanted: Act, said: str) -> dict[str, Any]:
    """Return the act's arguments: its own words, then NAME value pairs. Raise OperatorError."""
    values: dict[str, Any] = {
        one.name: [] if one.many else None for one in wanted.arguments if one.option
    }
    words = said.split()
    for argument in (one for one in wanted.arguments if not one.option):
        if not words:
            raise OperatorError(f"write it as: {wanted.shown}")
        values[argument.name] = _setting(argument, words.pop(0))
    for name, value in _pairs(wanted, words):
        argument = wanted.below[name]
        read = _setting(argument, value)
        if argument.many:
            values[argument.name].append(read)
        else:
            values[argument.name] = read
    return values


def _pairs(wanted: Act, words: list[str]) -> list[tuple[str, str]]:
    """Return (name, value), written PLAYERS 5, players=5 or --players 5."""
    pairs, left = [], list(words)
    while left:
        written = left.pop(0)
        name, _, value = written.lstrip("-").rstrip(":").partition("=")
        if name.upper() not in wanted.below:
            raise OperatorError(
                f"{written!r} is no setting of {wanted.word}; there are {listed(wanted.below)}"
            )
        if wanted.below[name.upper()].kind is Kind.FLAG:
            pairs.append((name.upper(), name.upper()))
            continue
        if not value and not left:
            raise OperatorError(f"{name.upper()} has nothing behind it")
        pairs.append((name.upper(), value or left.pop(0)))
    return pairs


def _setting(argument: Argument, word: str) -> Any:
    return True if argument.kind is Kind.FLAG else READ.get(argument.kind, str)(word)
