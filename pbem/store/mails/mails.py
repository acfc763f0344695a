"""Statements on outgoing mails and their states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Unpack

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    case,
    func,
    select,
    true,
    update,
)
from sqlalchemy.dialects.postgresql import Insert, insert  # SQLite has the same syntax

from pbem.errors import RefereeError
from pbem.games.frame.events import Seat
from pbem.store.engine.hot import Hot
from pbem.store.letters.letter_rows import (
    MadeRow,
    MailColumns,
    MailRow,
    MailStateRow,
    MergedRow,
    NewRow,
    SentRow,
)
from pbem.store.mails import mail_pictures
from pbem.store.mails.lanes import ANSWERS, BULLETINS, LATER, LINES
from pbem.store.schema.states import MAIL, NEW_MAIL, GameState, MailState, before, may_follow
from pbem.store.schema.table_base import columns
from pbem.store.schema.tables import Game, Outgoing

_COLUMNS = [column for column in Outgoing.__table__.c if column.name not in ("id", "sent")]
_KEYED = select(Outgoing.id).where(Outgoing.key == bindparam("key"))
_RECENT = (
    select(Outgoing.id)
    .where(
        Outgoing.game_id == bindparam("game_id"),
        Outgoing.seat == bindparam("seat"),
        Outgoing.kind == bindparam("kind"),
        Outgoing.created > bindparam("since"),
        Outgoing.state != MailState.MERGED,
    )
    .limit(bindparam("most"))
    .subquery()
)
_STATE: Any = Outgoing.state.type
_WITHIN = case(
    (
        select(func.count()).select_from(_RECENT).scalar_subquery() < bindparam("most"),
        bindparam("ready", MailState.READY, _STATE),
    ),
    else_=bindparam("merged", MailState.MERGED, _STATE),
)


def _new(state: ColumnElement[MailState]) -> Insert:
    """Insert a mail unless its key is there. The key is looked up first: a refused row uses up an
    id."""
    values = (bindparam(column.name, type_=column.type) for column in _COLUMNS)
    chosen = select(*(state if value.key == "state" else value for value in values))
    return (
        insert(Outgoing)
        .from_select(_COLUMNS, chosen.where(~_KEYED.exists()))
        .on_conflict_do_nothing(index_elements=["key"])
    )


_NEWS = _new(bindparam("state", type_=_STATE))
_NEW, _NEW_WITHIN = (Hot(one.returning(Outgoing.id)) for one in (_NEWS, _new(_WITHIN)))
_ONE = select(Outgoing.id).limit(1).with_for_update(skip_locked=True)
_IN_DOUBT = _ONE.where(
    (Outgoing.state == MailState.LEASED) | (Outgoing.state == MailState.UNKNOWN),
    ~Outgoing.resent,
    Outgoing.next_try <= bindparam("now"),
).order_by(Outgoing.id)
_CARRIED = columns(MailRow, Outgoing)


def _next_of(line: int) -> Iterator[ColumnElement[int]]:
    here = _ONE.where(Outgoing.state == MailState.READY, Outgoing.line == line)
    first = here.order_by(Outgoing.game_id, Outgoing.id)
    yield first.where(Outgoing.game_id > bindparam(f"after{line}")).scalar_subquery()
    yield first.scalar_subquery()


def _leased(one: ColumnElement[int], again: Any) -> Hot:
    return Hot(
        update(Outgoing)
        .where(Outgoing.id == one)
        .values(state=MailState.LEASED, next_try=bindparam("until"), resent=again)
        .returning(*_CARRIED)
    )


_LEASE = {
    last: _leased(
        func.coalesce(*(one for line in LINES[: last + 1] for one in _next_of(line))),
        Outgoing.resent,
    )
    for last in (ANSWERS, BULLETINS)
}
_LEASE_IN_DOUBT = _leased(_IN_DOUBT.scalar_subquery(), true())
_PUT_OFF = and_(Outgoing.state == MailState.READY, Outgoing.line >= LATER)
_COME = (
    update(Outgoing)
    .where(_PUT_OFF, Outgoing.next_try <= bindparam("now"))
    .values(line=Outgoing.line - LATER)
)
_NEXT = {
    after: update(Outgoing)
    .where(Outgoing.id == bindparam("mail"), may_follow(Outgoing.state, MAIL, after))
    .values(state=after)
    for after in MailState
    if before(MAIL, after)
}
_LATER = _NEXT[MailState.READY].values(line=Outgoing.line + LATER)
_ANSWERED = {
    after: Hot(statement.where(Outgoing.state == MailState.LEASED))
    for after, statement in {**_NEXT, MailState.READY: _LATER}.items()
    if after in (MailState.READY, MailState.REFUSED, MailState.UNKNOWN)
} | {MailState.SENT: Hot(_NEXT[MailState.SENT])}

_IDS = Outgoing.message_id.in_(bindparam("ids", expanding=True))
_LAST_SENT = select(func.max(Outgoing.sent)).where(_IDS)
_OF_GAME = (
    select(Outgoing.kind, Outgoing.created)
    .where(_IDS, Outgoing.game_id == bindparam("game"))
    .order_by(Outgoing.created.desc())
)


# --- new mails ------------------------------------------------------------------------------------


def put(conn: Connection, mail: Mapping[str, Any], state: MailState) -> bool:
    """Insert a mail. Return False if its key is there. mail: columns, and ``pictures``: pieces of
    ``raw``."""
    if state not in NEW_MAIL:
        raise RefereeError(f"no mail is put into the outbox as {state}")
    return _NEW.first(conn, {**_kept(conn, mail), "state": state}) is not None


def put_all(conn: Connection, several: Sequence[Mapping[str, Any]], state: MailState) -> None:
    """Insert mails whose keys are not there."""
    if state not in NEW_MAIL:
        raise RefereeError(f"no mail is put into the outbox as {state}")
    if several:
        conn.execute(_NEWS, [{**_kept(conn, mail), "state": state} for mail in several])


def put_within(conn: Connection, mail: Mapping[str, Any], since: datetime, most: int) -> bool:
    """Insert a mail, to be merged after ``most`` of its kind ``since`` then. Return False if its
    key is there."""
    given = {**_kept(conn, mail), "since": since, "most": most}
    return _NEW_WITHIN.first(conn, given) is not None


def _kept(conn: Connection, mail: Mapping[str, Any]) -> dict[str, Any]:
    columns = dict(mail)
    shown, game_id = columns.pop("pictures", ()), columns["game_id"]
    if shown and game_id:
        columns["raw"] = mail_pictures.apart(conn, game_id, columns["raw"], shown)
    return columns


# --- states ---------------------------------------------------------------------------------------


def lease(
    conn: Connection, until: datetime, served: Mapping[int, str], last: int = BULLETINS
) -> MailRow | None:
    """Lease a mail until then, or None: from the first lane up to ``last``, of the game after the
    one ``served``."""
    after = {f"after{line}": served.get(line, "") for line in LINES[: last + 1]}
    row = _LEASE[last].first(conn, {**after, "until": until})
    return _carried(conn, row)


def come_again(conn: Connection, now: datetime) -> None:
    """Return mails to their lanes for another try."""
    conn.execute(_COME, {"now": now})


def try_again(conn: Connection, now: datetime) -> None:
    conn.execute(update(Outgoing).where(_PUT_OFF).values(next_try=now))
    come_again(conn, now)


def lease_in_doubt(conn: Connection, now: datetime, until: datetime) -> MailRow | None:
    """Lease a mail that may have gone out."""
    row = _LEASE_IN_DOUBT.first(conn, {"now": now, "until": until})
    return _carried(conn, row)


def _carried(conn: Connection, row: tuple[Any, ...] | None) -> MailRow | None:
    if row is None:
        return None
    mail = MailRow._make(row)
    return mail._replace(raw=mail_pictures.whole(conn, mail.raw))


def answered(
    conn: Connection, mail_id: int, after: MailState, **values: Unpack[MailColumns]
) -> bool:
    """File a server's answer. Return False if the lease is lost or a restore holds the mail."""
    return _ANSWERED[after].count(conn, {"mail": mail_id, **values}) == 1


def set_state(
    conn: Connection, mail_id: int, after: MailState, **values: Unpack[MailColumns]
) -> None:
    """Set a mail's state and columns. Raise RefereeError if it may not follow."""
    if after not in _NEXT:
        raise RefereeError(f"no mail becomes {after}")
    if conn.execute(_NEXT[after], {"mail": mail_id, **values}).rowcount != 1:
        found = state_of(conn, mail_id)
        what = found.state if found else "not there"
        raise RefereeError(f"mail {mail_id} is {what}, and cannot become {after}")


def hold_waiting(conn: Connection) -> int:
    """Return how many."""
    waiting = Outgoing.state.in_(before(MAIL, MailState.HELD))
    return conn.execute(update(Outgoing).where(waiting).values(state=MailState.HELD)).rowcount


def release_held(conn: Connection, now: datetime) -> int:
    """Return how many."""
    values = {"state": MailState.READY, "next_try": now, "resent": False}
    held = Outgoing.state == MailState.HELD
    return conn.execute(update(Outgoing).where(held).values(**values)).rowcount


def set_right(conn: Connection, now: datetime, latest: datetime) -> None:
    """Let mails try now whose next try is after ``latest``."""
    in_doubt = Outgoing.state.in_((MailState.LEASED, MailState.UNKNOWN))
    for again in (_PUT_OFF, in_doubt):
        wrong = update(Outgoing).where(again, Outgoing.next_try > latest)
        conn.execute(wrong.values(next_try=now))


def end_leases(conn: Connection, now: datetime) -> None:
    """Put leased mails in doubt: their senders died."""
    leased = update(Outgoing).where(Outgoing.state == MailState.LEASED, Outgoing.next_try > now)
    conn.execute(leased.values(next_try=now))


_OVER_WITH = (MailState.SENT, MailState.LISTED, MailState.REFUSED)
PURGED = func.length(Outgoing.raw) == 0


def purge(conn: Connection, until: datetime) -> None:
    """Delete bytes of mails made before then, of finished or no games, unless unsent."""
    running = select(Game.id).where(Game.status != GameState.OVER)
    old = (
        Outgoing.created < until,
        Outgoing.state.in_(_OVER_WITH),
        Outgoing.game_id.not_in(running),
        ~PURGED,
    )
    gone = update(Outgoing).where(*old).values(raw=b"").returning(Outgoing.game_id)
    mail_pictures.purge(conn, set(conn.execute(gone).scalars()))


# --- looking --------------------------------------------------------------------------------------


def state_of(conn: Connection, mail_id: int) -> MailStateRow | None:
    found = select(*columns(MailStateRow, Outgoing, purged=PURGED))
    row = conn.execute(found.where(Outgoing.id == mail_id)).first()
    return MailStateRow._make(row) if row else None


def refused(conn: Connection, since: datetime) -> Sequence[int]:
    where = (Outgoing.state == MailState.REFUSED, Outgoing.next_try >= since, ~PURGED)
    return conn.execute(select(Outgoing.id).where(*where).order_by(Outgoing.id)).scalars().all()


def last_id(conn: Connection) -> int:
    return conn.execute(select(func.max(Outgoing.id))).scalar() or 0


def after(conn: Connection, number: int) -> Sequence[NewRow]:
    """Return newer mails, oldest first."""
    found = select(*columns(NewRow, Outgoing)).where(Outgoing.id > number).order_by(Outgoing.id)
    rows = [NewRow._make(row) for row in conn.execute(found)]
    return [row._replace(raw=mail_pictures.whole(conn, row.raw)) for row in rows]


def by_state(conn: Connection) -> dict[MailState, int]:
    counted = conn.execute(select(Outgoing.state, func.count()).group_by(Outgoing.state))
    return {state: number for state, number in counted}  # noqa: C416  rows are no pairs to mypy


def newest(conn: Connection, kind: str) -> SentRow | None:
    found = (
        select(Outgoing.created, Outgoing.message_id, Outgoing.reply)
        .where(Outgoing.kind == kind)
        .order_by(Outgoing.id.desc())
        .limit(1)
    )
    row = conn.execute(found).first()
    return SentRow._make(row) if row else None


def set_states(conn: Connection, ids: Sequence[int], after: MailState) -> None:
    """Raise RefereeError if it may not follow."""
    may = Outgoing.state.in_(before(MAIL, after))
    done = conn.execute(update(Outgoing).where(Outgoing.id.in_(ids), may).values(state=after))
    if done.rowcount != len(ids):
        raise RefereeError(f"of mails {list(ids)} only {done.rowcount} can become {after}")


def is_there(conn: Connection, key: str) -> bool:
    return conn.execute(_KEYED, {"key": key}).first() is not None


def raw(conn: Connection, keys: Sequence[str]) -> bytes | None:
    """Return the newest mail's bytes, or None."""
    found = select(Outgoing.raw).where(Outgoing.key.in_(keys), ~PURGED)
    kept = conn.execute(found.order_by(Outgoing.id.desc()).limit(1)).scalar()
    return None if kept is None else mail_pictures.whole(conn, kept)


def first_of(conn: Connection, game_id: str, seat: Seat, kind: str, recipient: str) -> str | None:
    """Return the Message-ID of a seat's first mail of a kind."""
    where = (*_to(game_id, seat, recipient), Outgoing.kind == kind)
    found = select(Outgoing.message_id).where(*where).order_by(Outgoing.id).limit(1)
    return conn.execute(found).scalar()


_FIRSTS = (
    select(Outgoing.seat, Outgoing.recipient, func.min(Outgoing.id).label("id"))
    .where(Outgoing.game_id == bindparam("game"), Outgoing.kind == bindparam("kind"))
    .group_by(Outgoing.seat, Outgoing.recipient)
    .subquery()
)
_FIRST_IDS = Hot(
    select(_FIRSTS.c.seat, _FIRSTS.c.recipient, Outgoing.message_id).join_from(
        _FIRSTS, Outgoing, Outgoing.id == _FIRSTS.c.id
    )
)


def firsts(conn: Connection, game_id: str, kind: str) -> dict[tuple[Seat, str], str]:
    """Return such Message-IDs by seat ("": none) and recipient."""
    rows = _FIRST_IDS.all(conn, {"game": game_id, "kind": kind})
    return {(seat, recipient): message_id for seat, recipient, message_id in rows}


def last_of(conn: Connection, game_id: str, seat: Seat, kind: str, recipient: str) -> str | None:
    where = (*_to(game_id, seat, recipient), Outgoing.kind == kind)
    found = select(Outgoing.message_id).where(*where).order_by(Outgoing.id.desc()).limit(1)
    return conn.execute(found).scalar()


def _to(game_id: str, seat: Seat, recipient: str) -> tuple[ColumnElement[bool], ...]:
    return (
        Outgoing.game_id == game_id,
        Outgoing.seat == seat,
        Outgoing.recipient == recipient,
    )


def recipient(conn: Connection, message_id: str) -> str | None:
    found = select(Outgoing.recipient).where(Outgoing.message_id == message_id)
    return conn.execute(found).scalar()


def game_of(conn: Connection, message_id: str) -> str | None:
    found = select(Outgoing.game_id).where(Outgoing.message_id == message_id)
    return conn.execute(found).scalar() or None


def last_sent(conn: Connection, message_ids: Sequence[str]) -> datetime | None:
    return conn.execute(_LAST_SENT, {"ids": message_ids}).scalar()


def of_game(conn: Connection, game_id: str, message_ids: Sequence[str]) -> Sequence[MadeRow]:
    """Return those that are a game's, newest first."""
    found = conn.execute(_OF_GAME, {"game": game_id, "ids": message_ids})
    return [MadeRow._make(row) for row in found]


def merged_to(conn: Connection, kinds: Sequence[str] = ()) -> Sequence[str]:
    """Return a recipient for each mail of no game that waits to be merged."""
    where = [Outgoing.state == MailState.MERGED, Outgoing.game_id == ""]
    where += [Outgoing.kind.in_(kinds)] if kinds else []
    return conn.execute(select(Outgoing.recipient).where(*where)).scalars().all()


def merged(conn: Connection) -> Sequence[MergedRow]:
    """Return mails to be merged, oldest first."""
    found = select(*columns(MergedRow, Outgoing)).where(Outgoing.state == MailState.MERGED)
    rows = [MergedRow._make(row) for row in conn.execute(found.order_by(Outgoing.id))]
    return [row._replace(raw=mail_pictures.whole(conn, row.raw)) for row in rows]
