"""An act is tried, and all that it did is taken back but what it says; or it is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pbem.desk.asked import Asked
from pbem.orders.act import Act
from pbem.post import clock
from pbem.post.frozen import Frozen
from pbem.post.work import Work
from pbem.referee.doing import Actor, may
from pbem.referee.doing import do as carry_out
from pbem.store import games, mails
from pbem.store.database import taken_back

SHOWN = frozenset({"deadline", "pause", "hold", "resume", "press"})
"""The kinds of mails that hold nothing secret, so that they are shown before they go out."""


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail that would go out: to whom, and its text where that is no secret."""

    to: Sequence[str]
    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class Would:
    """What an act would do: what it says of itself, and the mails that would go out."""

    said: str
    mails: Sequence[Mail]


def would(asked: Asked, act: Act, values: Mapping[str, Any]) -> Would:
    """What the act would do; raises OperatorError where it would be refused, as all are while the
    clock is in doubt. Of one whose words are
    secret nothing is said before it is done; one that has a trial of its own is tried by that, and
    the look goes on file."""
    clock.must_be_sure(asked.work.conn)
    if act.tried:
        return Would(_done(asked, act, {**values, act.tried: False}), ())
    if act.asks:
        may(asked.work, act, values, Actor(asked.who))
        return Would("", ())
    conn = asked.work.conn
    top = mails.last_id(conn)
    with taken_back(conn):
        said = _done(asked, act, values)
        made = [] if act.blind else _mails(asked.work, top)
    return Would("" if act.blind else said, made)


def do(asked: Asked, act: Act, values: Mapping[str, Any]) -> str:
    """It is done; what is said of it. Raises OperatorError where it cannot be, and has done nothing
    then."""
    clock.must_be_sure(asked.work.conn)
    with asked.work.conn.begin_nested():
        return _done(asked, act, {**values, act.tried: True} if act.tried else values)


def _done(asked: Asked, act: Act, values: Mapping[str, Any]) -> str:
    return carry_out(asked.work, act, values, Actor(asked.who)).said


def seen(work: Work, values: Mapping[str, Any]) -> str:
    """The game of an act as whoever acts has seen it: its clock, its period and who plays; "" where
    the act is upon none."""
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


def _mails(work: Work, top: int) -> list[Mail]:
    """The mails made since then, those that are alike as one."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in mails.after(work.conn, top):
        mail = Frozen(row.raw)
        text = mail.text.strip() if row.kind in SHOWN else ""
        found.setdefault((mail.subject, text), []).append(row.seat or row.recipient)
    return [Mail(to, subject, text) for (subject, text), to in found.items()]
