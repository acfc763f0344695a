"""Acts done, or tried and rolled back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pbem.acts.act import Act
from pbem.desk.asked import Asked
from pbem.orders.called import with_seat
from pbem.post import clock
from pbem.post.frozen import Frozen
from pbem.post.work import Work
from pbem.referee.acts.doing import Actor, may
from pbem.referee.acts.doing import do as carry_out
from pbem.referee.deciding import foreseen
from pbem.referee.deciding.foreseen import Foreseen
from pbem.referee.gamesmaster import explaining
from pbem.store.engine.database import taken_back
from pbem.store.games import games
from pbem.store.letters.letter_rows import NewRow
from pbem.store.mails import mails
from pbem.store.people import players

SHOWN = frozenset(
    {
        *("deadline", "pause", "hold", "resume", "press", "event", "silence"),
        *("answer", "handover", "protest", "standby", "warned"),
    }
)
"""Mails without secrets but a code, shown in a trial."""
_HOLDS = {
    "start": "the seat's welcome, with its secrets and its reply address",
    "notice": "what the seat alone is told",
    "bulletin": "the bulletin, which you may look over by Preview: the next one counts such a look",
    "offer": "the offer of the seat, with a code",
    "changes": "what changes for the seat alone",
}
_ELSE = "what only its reader may know"
_CODE = re.compile(r"CONFIRM\s+([^\s]++)")
_DOTS = "(the code)"


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail of a trial."""

    to: Sequence[str]
    subject: str
    text: str
    """"" if secret."""
    holds: str
    """What is in it instead."""


@dataclass(frozen=True, slots=True)
class Would:
    """What an act would say, and its mails."""

    said: str
    mails: Sequence[Mail]
    stands: Foreseen | None = None
    """The orders that would stand, of a letter that is accepted."""
    look: str = ""
    """What to say of the look that this was."""


def would(asked: Asked, act: Act, values: Mapping[str, Any], *, opens: bool = True) -> Would:
    """Try the act. Raise OperatorError if it would be refused, or the clock is in doubt. Show
    nothing of a secret act. An accepted letter is decided too, if he ``opens`` it: a look."""
    clock.must_be_sure(asked.work.conn)
    if act.tried:
        return Would(_done(asked, act, {**values, act.tried: False}), ())
    if act.asks:
        may(asked.work, act, values, Actor(asked.who))
        return Would("", ())
    conn, letter = asked.work.conn, values.get("letter") if act.name == "accept" else None
    top, stands, look = mails.last_id(conn), None, ""
    with taken_back(conn):
        said = _done(asked, act, values)
        if letter is not None and opens:
            stands = foreseen.foreseen(asked.work, letter)
        made = [] if act.blind else _mails(asked, top, whole=stands is not None)
    if letter is not None and opens:
        look = explaining.explain(asked.work, None, letter, who=asked.who).look
    return Would("" if act.blind else said, made, stands, look)


def do(asked: Asked, act: Act, values: Mapping[str, Any]) -> str:
    """Do the act and return its words. Raise OperatorError, with nothing changed."""
    clock.must_be_sure(asked.work.conn)
    with asked.work.conn.begin_nested():
        return _done(asked, act, {**values, act.tried: True} if act.tried else values)


def _done(asked: Asked, act: Act, values: Mapping[str, Any]) -> str:
    return carry_out(asked.work, act, values, Actor(asked.who)).said


def seen(work: Work, values: Mapping[str, Any]) -> str:
    """Return a digest of the game's clock, period and players, or ""."""
    game = values.get("game")
    if not game or not games.exists(work.conn, game):
        return ""
    row = games.game(work.conn, game)
    facts: list[Any] = [row.status, row.held_because, row.period, row.edition]
    at = games.begun(work.conn, game)
    if at is not None:
        facts += [at.period.status, at.period.due, at.period.moves]
        facts += [(seat, who.player_id, who.address) for seat, who in at.holders.items()]
    return sha256(repr(facts).encode()).hexdigest()


def _mails(asked: Asked, top: int, *, whole: bool) -> list[Mail]:
    """Return the mails made after ``top``. ``whole``: those that answer a letter, too."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for row in mails.after(asked.work.conn, top):
        mail = Frozen(row.raw)
        text = _masked(mail.said) if row.kind in SHOWN or (whole and row.kind not in _HOLDS) else ""
        holds = "" if text else _HOLDS.get(row.kind, _ELSE)
        found.setdefault((mail.subject, text, holds), []).append(_reader(asked, row))
    return [Mail(to, *what) for what, to in found.items()]


def _masked(text: str) -> str:
    for code in {found[1] for found in _CODE.finditer(text)}:
        text = text.replace(code, _DOTS)
    return text


def _reader(asked: Asked, row: NewRow) -> str:
    if not row.seat:
        name = players.name_at(asked.work.conn, row.recipient)
        return with_seat(name, row.recipient)
    known = row.game_id and asked.sight.looks_into(row.game_id)
    holder = games.holders(asked.work.conn, row.game_id).get(row.seat) if known else None
    return with_seat(holder.name if holder else None, row.seat)
