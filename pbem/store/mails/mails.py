"""Statements on outgoing mails and their states."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any, Concatenate, TypeVar

import sqlalchemy as sa
import structlog
from sqlalchemy import ColumnElement, Connection, and_, bindparam, delete, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert  # SQLite has the same syntax

from pbem.errors import RefereeError
from pbem.games.frame.events import Seat
from pbem.store.engine.among import Among
from pbem.store.engine.hot import Hot
from pbem.store.joining import open_tables
from pbem.store.letters.letters import BacklogRow
from pbem.store.mails.lanes import LANES, LATER
from pbem.store.schema.states import MAIL, NEW_MAIL, GameState, MailState, before
from pbem.store.schema.table_base import many, one
from pbem.store.schema.tables import Game, Letter, Outgoing, Picture

M = TypeVar("M", Outgoing, Outgoing | None)
set_state: Callable[Concatenate[Connection, int, MailState, ...], None] = Outgoing.set_state
_COLUMNS = [column for column in Outgoing.__table__.c if column.name not in ("id", "sent")]
_KEYED = select(Outgoing.id).where(Outgoing.key == bindparam("key"))
_RECENT = Hot(
    select(Outgoing.id)
    .where(
        Outgoing.game_id == bindparam("game_id"),
        Outgoing.seat == bindparam("seat"),
        Outgoing.kind + "" == bindparam("kind"),  # its own index has all seats' mails of the hour
        Outgoing.created > bindparam("since"),
        Outgoing.state != MailState.MERGED,
    )
    .limit(bindparam("most"))
)
# the key is looked up first: a refused row uses up an id
_NEWS = (
    insert(Outgoing)
    .from_select(
        _COLUMNS,
        select(*(bindparam(one.name, type_=one.type) for one in _COLUMNS)).where(~_KEYED.exists()),
    )
    .on_conflict_do_nothing(index_elements=["key"])
)
_NEW = Hot(_NEWS.returning(Outgoing.id))
_ONE = select(Outgoing.id).limit(1).with_for_update(skip_locked=True)
_IN_DOUBT = _ONE.where(
    (Outgoing.state == MailState.LEASED) | (Outgoing.state == MailState.UNKNOWN),
    ~Outgoing.resent,
    Outgoing.next_try <= bindparam("now"),
).order_by(Outgoing.id)


def _next_of(lane: int) -> Iterator[ColumnElement[int]]:
    here = _ONE.where(Outgoing.state == MailState.READY, Outgoing.line == lane)
    first = here.order_by(Outgoing.game_id, Outgoing.id)
    yield first.where(Outgoing.game_id > bindparam(f"after{lane}")).scalar_subquery()
    yield first.scalar_subquery()


def _leased(one: ColumnElement[int], again: Any) -> Hot:
    return Hot(
        update(Outgoing)
        .where(Outgoing.id == one)
        .values(state=MailState.LEASED, next_try=bindparam("until"), resent=again)
        .returning(Outgoing.__table__)
    )


_LEASE = _leased(func.coalesce(*(one for lane in LANES for one in _next_of(lane))), Outgoing.resent)
_LEASE_IN_DOUBT = _leased(_IN_DOUBT.scalar_subquery(), sa.true())
_PUT_OFF = and_(Outgoing.state == MailState.READY, Outgoing.line >= LATER)
_COME = Hot(
    update(Outgoing)
    .where(_PUT_OFF, Outgoing.next_try <= bindparam("now"))
    .values(line=Outgoing.line - LATER)
)
_NEWEST = Outgoing.id.desc()


# --- new mails ------------------------------------------------------------------------------------


def put(conn: Connection, mail: Mapping[str, Any], state: MailState) -> bool:
    """Insert a mail. Return False if its key is there. mail: columns, and ``pictures``: pieces of
    ``raw``."""
    return _NEW.first(conn, _filed(conn, mail, state)) is not None


def put_all(conn: Connection, several: Sequence[Mapping[str, Any]], state: MailState) -> None:
    """Insert mails whose keys are not there."""
    if several:
        conn.execute(_NEWS, [_filed(conn, mail, state) for mail in several])


def put_within(conn: Connection, mail: Mapping[str, Any], since: datetime, most: int) -> bool:
    """Insert a mail, to be merged after ``most`` of its kind ``since`` then. Return False if its
    key is there."""
    of = {name: mail[name] for name in ("game_id", "seat", "kind")}
    had = len(_RECENT.all(conn, of | {"since": since, "most": most}))
    return put(conn, mail, MailState.READY if had < most else MailState.MERGED)


def _filed(conn: Connection, mail: Mapping[str, Any], state: MailState) -> dict[str, Any]:
    if state not in NEW_MAIL:
        raise RefereeError(f"no mail is put into the outbox as {state}")
    columns = {**mail, "state": state}
    shown, game_id = columns.pop("pictures", ()), columns["game_id"]
    if shown and game_id:
        columns["raw"] = apart(conn, game_id, columns["raw"], shown)
    return columns


# --- states ---------------------------------------------------------------------------------------


def lease(conn: Connection, until: datetime, served: Mapping[int, str]) -> Outgoing | None:
    """Lease a mail until then, or None: of the first lane, of the game after the one ``served``."""
    after = {f"after{lane}": served.get(lane, "") for lane in LANES}
    return _shown(conn, one(conn, Outgoing, _LEASE, **after, until=until))


def come_again(conn: Connection, now: datetime) -> None:
    """Return mails to their lanes for another try."""
    _COME.count(conn, {"now": now})


def try_again(conn: Connection, now: datetime) -> None:
    conn.execute(update(Outgoing).where(_PUT_OFF).values(next_try=now))
    come_again(conn, now)


def lease_in_doubt(conn: Connection, now: datetime, until: datetime) -> Outgoing | None:
    """Lease a mail that may have gone out."""
    return _shown(conn, one(conn, Outgoing, _LEASE_IN_DOUBT, now=now, until=until))


def answered(conn: Connection, mail_id: int, after: MailState, **values: Any) -> bool:
    """File a server's answer. Return False if the lease is lost or a restore holds the mail."""
    if after is MailState.SENT:
        return Outgoing.try_state(conn, mail_id, after, **values)
    if after is MailState.READY:
        values["line"] = Outgoing.line + LATER
    leased = update(Outgoing).where(Outgoing.id == mail_id, Outgoing.state == MailState.LEASED)
    return conn.execute(leased.values(state=after, **values)).rowcount == 1


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
    leased = (Outgoing.state == MailState.LEASED) | (Outgoing.state == MailState.UNKNOWN)
    for again in (_PUT_OFF, leased):
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
    games = sorted(filter(None, set(conn.execute(gone).scalars())))
    if games:
        conn.execute(_UNSHOWN, [{"game": one} for one in games])


# --- looking --------------------------------------------------------------------------------------


def newest(conn: Connection, kind: str) -> Outgoing | None:
    """Return the mail of a kind that was made last."""
    return next(iter(Outgoing.many(conn, kind=kind, order=_NEWEST, most=1)), None)


def refused(conn: Connection, since: datetime) -> Sequence[int]:
    """Return the mails that were to be tried again since then, and still have their bytes."""
    lately = (Outgoing.state == MailState.REFUSED, Outgoing.next_try >= since, ~PURGED)
    return Outgoing.values(conn, Outgoing.id, *lately, order=Outgoing.id)


def last_id(conn: Connection) -> int:
    return Outgoing.scalar(conn, func.max(Outgoing.id)) or 0


def after(conn: Connection, number: int) -> list[Outgoing]:
    """Return newer mails, oldest first."""
    return [_shown(conn, row) for row in Outgoing.many(conn, Outgoing.id > number)]


def _shown(conn: Connection, mail: M) -> M:
    return mail and mail._replace(raw=with_pictures(conn, mail.raw))


def set_states(conn: Connection, ids: Sequence[int], after: MailState) -> None:
    """Raise RefereeError if it may not follow."""
    may = Outgoing.state.in_(before(MAIL, after))
    done = conn.execute(update(Outgoing).where(Outgoing.id.in_(ids), may).values(state=after))
    if done.rowcount != len(ids):
        raise RefereeError(f"of mails {list(ids)} only {done.rowcount} can become {after}")


def raw(conn: Connection, keys: Sequence[str]) -> bytes | None:
    """Return the newest mail's bytes, or None."""
    kept = Outgoing.scalar(conn, Outgoing.raw, Outgoing.key.in_(keys), ~PURGED, order=_NEWEST)
    return None if kept is None else with_pictures(conn, kept)


def first_of(
    conn: Connection, game_id: str, seat: Seat, kind: str, recipient: str, *, last: bool = False
) -> str | None:
    """Return the Message-ID of a seat's first mail of a kind, or the last."""
    of = {"game_id": game_id, "seat": seat, "kind": kind, "recipient": recipient}
    return Outgoing.scalar(conn, Outgoing.message_id, order=_NEWEST if last else Outgoing.id, **of)


def firsts(conn: Connection, game_id: str, kind: str) -> dict[tuple[Seat, str], str]:
    """Return such Message-IDs by seat ("": none) and recipient."""
    own = select(func.min(Outgoing.id)).where(Outgoing.game_id == game_id, Outgoing.kind == kind)
    firsts = own.group_by(Outgoing.seat, Outgoing.recipient)
    rows = Outgoing.many(conn, Outgoing.id.in_(firsts), light=True)
    return {(row.seat, row.recipient): row.message_id for row in rows}


def last_sent(conn: Connection, message_ids: Sequence[str]) -> datetime | None:
    return Outgoing.scalar(conn, func.max(Outgoing.sent), Outgoing.message_id.in_(message_ids))


def of_game(conn: Connection, game_id: str, message_ids: Sequence[str]) -> Sequence[Outgoing]:
    """Return those that are a game's, newest first, without their bytes."""
    order, ours = Outgoing.created.desc(), Outgoing.message_id.in_(message_ids)
    return Outgoing.many(conn, ours, game_id=game_id, order=order, light=True)


def merged_to(conn: Connection, kinds: Sequence[str] = ()) -> Sequence[str]:
    """Return a recipient for each mail of no game that waits to be merged."""
    where = [Outgoing.state == MailState.MERGED]
    where += [Outgoing.kind.in_(kinds)] if kinds else []
    return Outgoing.values(conn, Outgoing.recipient, *where, game_id="")


def merged(conn: Connection) -> list[Outgoing]:
    """Return mails to be merged, oldest first."""
    return [_shown(conn, row) for row in Outgoing.many(conn, state=MailState.MERGED)]


# --- counts ---------------------------------------------------------------------------------------


def waiting(conn: Connection, without: Collection[str] = ()) -> dict[MailState, BacklogRow]:
    """Return unsent mails by state, ``without`` some games."""
    states = (
        MailState.READY,
        MailState.LEASED,
        MailState.UNKNOWN,
        MailState.HELD,
        MailState.REFUSED,
    )
    found = (
        select(Outgoing.state, func.count(Outgoing.id), func.min(Outgoing.created))
        .where(Outgoing.state.in_(states), Outgoing.game_id.not_in(without))
        .group_by(Outgoing.state)
    )
    return {state: BacklogRow(number, oldest) for state, number, oldest in conn.execute(found)}


_IN_DOUBT_STILL = Outgoing.state.in_((MailState.UNKNOWN, MailState.LEASED)) & Outgoing.resent
_STUCK = (Outgoing.state == MailState.REFUSED) & ~PURGED | _IN_DOUBT_STILL


def stuck_number(conn: Connection, among: Among) -> int:
    return Outgoing.how_many(conn, _STUCK, among.post(Outgoing.game_id, Outgoing.recipient))


def stuck(conn: Connection, among: Among, most: int, first: int = 0) -> Sequence[Outgoing]:
    """Return mails that only a person can send again, newest first: refused, or in doubt twice."""
    seen = (_STUCK, among.post(Outgoing.game_id, Outgoing.recipient))
    found = select(Outgoing.__table__).where(*seen).order_by(_NEWEST)
    return many(conn, Outgoing, found.limit(most).offset(first))


def bytes_to(conn: Connection, address: str, kinds: tuple[str, ...], since: datetime) -> int:
    rows = _bytes_of(kinds).all(conn, {"address": address, "since": since})
    return rows[0][0] or 0


@cache
def _bytes_of(kinds: tuple[str, ...]) -> Hot:
    where = (Outgoing.recipient == bindparam("address"), Outgoing.created > bindparam("since"))
    of_kind = or_(*(Outgoing.kind == kind for kind in kinds))  # a list cannot be compiled once
    return Hot(select(func.sum(func.length(Outgoing.raw))).where(*where, of_kind))


def made(
    conn: Connection, since: datetime, *kinds: str, alone: bool = False, box: str = "", **of: Any
) -> int:
    """Return how many mails of these kinds were made. alone: without merged ones. box: to a
    mailbox, whatever follows a plus sign in it."""
    where = [Outgoing.kind.in_(kinds), Outgoing.created > since]
    where += [Outgoing.state.not_in((MailState.MERGED, MailState.LISTED))] if alone else []
    where += [open_tables.is_of(Outgoing.__table__.c.recipient, box)] if box else []
    return Outgoing.how_many(conn, *where, **of)


# --- as they went out -----------------------------------------------------------------------------


def sent_of_issue(conn: Connection, game_id: str, kind: str, number: int) -> Sequence[Outgoing]:
    """Return the newest first, notices too, without their bytes."""
    where = (*_keyed(game_id, kind, f"{kind}:{game_id}:{number}:"), Outgoing.seat != "")
    return Outgoing.many(conn, *where, order=_NEWEST, light=True)


def sent_edition(conn: Connection, game_id: str, number: int, edition: int) -> Iterator[bytes]:
    where = _keyed(game_id, "bulletin", f"bulletin:{game_id}:{number}:{edition}:")
    for mail_id in Outgoing.values(conn, Outgoing.id, *where, ~PURGED):
        for kept in Outgoing.values(conn, Outgoing.raw, id=mail_id):
            yield with_pictures(conn, kept)


def _keyed(game_id: str, kind: str, prefix: str) -> tuple[ColumnElement[bool], ...]:
    begins = Outgoing.key.startswith(prefix, autoescape=True)
    return Outgoing.game_id == game_id, Outgoing.kind == kind, begins


def whole(conn: Connection, mail_id: int) -> Outgoing | None:
    return _shown(conn, Outgoing.one(conn, id=mail_id))


# --- alarms to gamesmasters -----------------------------------------------------------------------


_MOST_ALARMS = 1_000  # the most looked at

_MOST_TIMED = 100


def alarms_since(conn: Connection, address: str, moment: datetime) -> Sequence[Outgoing]:
    """Return the alarms mailed to an address since then, newest first."""
    lately = (Outgoing.recipient == address, Outgoing.created > moment)
    return Outgoing.many(conn, *lately, kind="alarm", order=_NEWEST, most=_MOST_ALARMS)


def timed(conn: Connection, moment: datetime) -> Sequence[tuple[datetime, datetime]]:
    """Return when letters seen since then were received, and seen; newest first."""
    order, lately = Letter.id.desc(), Letter.seen > moment
    rows = Letter.many(conn, lately, order=order, most=_MOST_TIMED, light=True)
    return [(row.received, row.seen) for row in rows]


def canary_came(conn: Connection, moment: datetime) -> bool:
    """Return whether a letter to ourselves, sent since then, has come."""
    sent = select(Outgoing.message_id)
    sent = sent.where(Outgoing.kind == "canary", Outgoing.created >= moment)
    return Letter.has(conn, Letter.message_id.in_(sent))


# --- a picture is stored once for each game; mails have its hash ----------------------------------


log = structlog.get_logger()
_MARK = re.compile(rb"\0([0-9a-f]{64})\0")  # no other byte of a mail is NUL
_UNSHOWN = delete(Picture).where(
    Picture.game_id == bindparam("game"),
    ~select(Outgoing.id).where(Outgoing.game_id == bindparam("game"), Outgoing.raw != b"").exists(),
)


def apart(conn: Connection, game_id: str, raw: bytes, pictures: Sequence[bytes]) -> bytes:
    """Store a mail's pictures. Return it with marks."""
    for picture in pictures:
        hashed = _hash(picture)
        Picture.try_add(conn, hash=hashed, game_id=game_id, content=picture)
        raw = raw.replace(picture, b"\0" + hashed.encode() + b"\0", 1)
    return raw


def with_pictures(conn: Connection, raw: bytes) -> bytes:
    """Return a mail's bytes. A lost picture is logged."""

    def found(mark: re.Match[bytes]) -> bytes:
        content = Picture.scalar(conn, Picture.content, hash=mark[1].decode())
        if content is None:
            log.error("a picture of a mail is not on file", hash=mark[1].decode())
        return content or b""

    return _MARK.sub(found, raw) if b"\0" in raw else raw


@lru_cache(maxsize=2)
def _hash(picture: bytes) -> str:
    return sha256(picture).hexdigest()
