"""Do an act of a gamesmaster, by shell, mail or desk."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from sqlalchemy import Connection

from pbem.acts.act import LONG, Act, Argument, Kind, Who
from pbem.acts.acts import FAMILY, SEAT
from pbem.errors import OperatorError
from pbem.games.frame.length import Days, Length, leading
from pbem.orders.called import with_seat
from pbem.orders.spelling import is_number
from pbem.periods import guards
from pbem.post.work import Work
from pbem.referee.acts.values import READ
from pbem.referee.deciding import registry
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.joining import open_tables
from pbem.store.journal import notes
from pbem.store.people import players
from pbem.store.schema.tables import Letter, Outgoing
from pbem.text import listed


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does an act."""

    address: str | None = None
    """None for the shell: the installation's gamesmaster."""


@dataclass(frozen=True, slots=True)
class Done:
    """The answer to an act."""

    said: str
    mailed: str | None = None
    """None for said behind the act's word."""
    brief: tuple[str, ...] = ()
    """What the gamesmaster of a new game should know."""
    seen: Any = None
    """The bulletin of a preview, or what a rewind would change."""
    undone: str | None = None
    """What failed; the shell then exits with an error."""


def do(work: Work, act: Act, values: Mapping[str, Any], actor: Actor) -> Done:
    """Do it. Raise OperatorError if impossible or not theirs to do."""
    upon = may(work, act, values, actor)
    with notes.by(work.conn, actor.address or "the shell"):
        done: Done = function(act)(work, **values)
    for game_id in upon:
        games.set_game(work.conn, game_id, attended=work.now)
    return done


def function(act: Act) -> Callable[..., Done]:
    """Return what does the act: it is of the same name, in the module of the act's family."""
    name = act.name.replace("-", "_")
    of_family = vars(import_module(f"pbem.referee.acts.{FAMILY[act.name]}"))
    found: Callable[..., Done] = of_family.get(f"{name}_") or of_family[name]
    return found


def called(work: Work, game: str, seat: str) -> str:
    """Return a seat with its player's name, if that is public."""
    at = games.game_at(work.conn, game)
    return with_seat(at.player(seat) if seat in at.holders else None, seat)


def may(work: Work, act: Act, values: Mapping[str, Any], actor: Actor) -> tuple[str, ...]:
    """Return the games it touches. Raise OperatorError if it is not theirs to do.

    What touches no game is the installation's gamesmaster's.
    """
    owner = actor.address in (None, work.mark.gamesmaster)
    if act.who is Who.TABLE:
        if not owner and not open_tables.in_hand(work.conn, actor.address or "", values["table"]):
            raise OperatorError(f"you are not the gamesmaster of a table {values['table']}")
        return ()
    upon, certain = _upon(work, values)
    if not upon and not owner:
        raise OperatorError("that is for the gamesmaster of the whole installation")
    if values.get("letter") is not None and values.get("game"):  # it will count there
        upon = tuple(dict.fromkeys((*upon, values["game"])))
    who = None if owner and not certain else actor.address
    for game_id in upon:
        if act.who is Who.NAMED:
            guards.may_name(work.conn, work.mark, game_id, who)
        else:
            guards.may_act(work.conn, work.mark, game_id, who, again=act.reopens)
    return upon


def _upon(work: Work, values: Mapping[str, Any]) -> tuple[tuple[str, ...], bool]:
    """Return the games it touches, and whether that is certain: a letter may be of any of its
    writer's games."""
    if values.get("game") and values.get("letter") is None:
        return (values["game"],), True
    if values.get("letter") is not None:
        row = Letter.one(work.conn, id=values["letter"])
        if row is None or row.game_id:
            return ((row.game_id,) if row else ()), True
        return registry.games_of(work.conn, row.sender), False
    if values.get("mail") is not None:
        mail = Outgoing.one(work.conn, id=values["mail"])
        return ((mail.game_id,) if mail and mail.game_id else ()), True
    for name in ("old", "address"):
        player = players.at_address(work.conn, str(values.get(name) or "").strip().lower())
        if player is not None and player != players.at_address(work.conn, work.mark.gamesmaster):
            return tuple(games.running_of(work.conn, player)), True
    return (), True


def game_of(conn: Connection, values: Mapping[str, Any]) -> str:
    """Return the game that an act touches: named, or that of its letter or mail; or "". Raise
    OperatorError without such a letter or mail."""
    if values.get("letter") is not None:
        return letter(conn, values["letter"]).game_id
    if values.get("mail") is not None:
        row = Outgoing.one(conn, id=values["mail"])
        if row is None:
            raise OperatorError(f"there is no mail {values['mail']}; see `pbem queue`")
        return row.game_id
    return values.get("game") or ""


def letter(conn: Connection, letter_id: int) -> Letter:
    """Return a letter. Raise OperatorError if there is none."""
    row = Letter.one(conn, id=letter_id)
    if row is None:
        raise OperatorError(f"there is no letter {letter_id}; see `pbem queue`")
    return row


# --- an act's arguments in a mail, on its line or below -------------------------------------------


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
