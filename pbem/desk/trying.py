"""Acts done, or tried and rolled back."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pbem.acts.act import Act
from pbem.desk.asked import Asked
from pbem.letters.states import LetterState
from pbem.orders.called import with_seat
from pbem.post import clock
from pbem.post.compose import Frozen
from pbem.post.work import Work
from pbem.referee.acts.doing import Actor, may
from pbem.referee.acts.doing import do as carry_out
from pbem.referee.deciding.handling import Foreseen, foreseen
from pbem.referee.game import restoring
from pbem.referee.gamesmaster import explaining
from pbem.store.engine.database import taken_back
from pbem.store.games import games
from pbem.store.mails import mails
from pbem.store.people import players
from pbem.store.schema.tables import Letter, Outgoing

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
    "ended": "that the game is ended, why, and its seed",
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
class Opened:
    """A letter that is accepted or stays held, and the orders in it."""

    letter: int
    orders: Sequence[str]
    stands: Foreseen | None
    """What would stand. None if it stays held, or cannot be decided."""


@dataclass(frozen=True, slots=True)
class Would:
    """What an act would say, and its mails."""

    said: str
    mails: Sequence[Mail]
    letters: Sequence[Opened] = ()
    """Those that it opens."""
    look: str = ""
    """What to say of the look that this was."""


def would(asked: Asked, act: Act, values: Mapping[str, Any], *, opens: bool = True) -> Would:
    """Try the act. Raise OperatorError if it would be refused, or the clock is in doubt. Show
    nothing of a secret act. Accepted letters are decided too, if ``opens``: a look."""
    clock.must_be_sure(asked.work.conn)
    if act.tried:
        return Would(_done(asked, act, {**values, act.tried: False}), ())
    if act.asks:
        may(asked.work, act, values, Actor(asked.who))
        return Would("", ())
    blind = bool(act.blind and values[act.blind])
    conn, which = asked.work.conn, _opened(asked, values) if act.name == "accept" and opens else ()
    top, stands = mails.last_id(conn), dict[int, Foreseen | None]()
    with taken_back(conn):
        said = _done(asked, act, values)
        for letter in which:
            row = Letter.one(conn, id=letter)
            if row and row.outcome == LetterState.STORED:
                stands[letter] = foreseen(asked.work, letter)
        made = [] if blind else _mails(asked, top, whole=bool(stands))
    told = {one: explaining.explain(asked.work, None, one, viewer=asked.who) for one in which}
    letters = [Opened(one, found.orders, stands.get(one)) for one, found in told.items()]
    looks = [found.look for found in told.values() if found.look]
    look = f"{len(looks)} letters are opened, and that is in the journal"
    return Would("" if blind else said, made, letters, look if looks[1:] else "".join(looks))


def _opened(asked: Asked, values: Mapping[str, Any]) -> Sequence[int]:
    """Return the letters that accepting opens: one, or all that a restore holds of a game."""
    if values["letter"] is not None:
        return (values["letter"],)
    game = values["game"]
    if not (game and asked.sight.looks_into(game)):
        return ()
    row = games.game_at(asked.work.conn, game).row
    return [one.id for one in restoring.held(asked.work.conn, row)]


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


def _reader(asked: Asked, row: Outgoing) -> str:
    if not row.seat:
        name = players.name_at(asked.work.conn, row.recipient)
        return with_seat(name, row.recipient)
    known = row.game_id and asked.sight.looks_into(row.game_id)
    holder = games.holders(asked.work.conn, row.game_id).get(row.seat) if known else None
    return with_seat(holder.name if holder else None, row.seat)
