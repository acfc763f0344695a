"""What the daemon does besides: the gamesmaster's daily digest, the canary letter, purging old raw
letters."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from pbem.errors import OverBudget
from pbem.games.frame import calendar
from pbem.post import alarms, outbox
from pbem.post.compose import Postmark, compose
from pbem.referee import queue
from pbem.store import letters, mails, notes
from pbem.store.budget import Budget
from pbem.store.config import Config

CANARY = "canary"
_NO_ROOM = re.compile(r"[45]52 |[45][0-9]{2} [45]\.2\.2 ")
"""A reply that the recipient's mailbox is full (RFC 5321, 4.2.3; RFC 3463, 3.3)."""


def keep_up(conn: Connection, config: Config, mark: Postmark, now: datetime) -> None:
    """Everything that is due; called on each pass, does nothing on most."""
    outbox.set_right(conn, now)
    _digest(conn, config, mark, now)
    _canary(conn, config, mark, now)
    _purge(conn, config, now)


def _digest(conn: Connection, config: Config, mark: Postmark, now: datetime) -> None:
    """Once a day, after the digest hour: the queue, as `pbem queue` prints it."""
    zone = ZoneInfo(config.referee.zone)
    today = now.astimezone(zone).date()
    last = notes.memo(conn, "digest").get("day")
    if last == today.isoformat() or now < calendar.moment(today, config.daemon.digest_hour, zone):
        return
    notes.set_memo(conn, "digest", {"day": today.isoformat()})
    told = queue.queue(conn, now)
    if not told["games"] and not told["letters"]:
        return
    try:
        with Budget(mark.seconds * 10, "writing the digest"):
            text = queue.text(told)
    except OverBudget as over:
        text = f"{over}; see `pbem queue`."
    alarms.put(
        conn,
        mark,
        config.referee.gamesmaster,
        f"digest:{today}",
        "digest",
        f"[pbem] Digest of {today}",
        text,
        now,
    )


def _canary(conn: Connection, config: Config, mark: Postmark, now: datetime) -> None:
    """A letter to ourselves through both mail accounts; an alarm where one does not come back in
    time."""
    every = timedelta(minutes=config.daemon.canary_minutes)
    if not every:
        return
    last = mails.newest(conn, CANARY)
    if last and _NO_ROOM.match(last.reply):
        text = (
            f"The server that we send by does not take a letter to ourselves: {last.reply}\n"
            "The mailbox seems to be full, and players' letters come back to them: make room."
        )
        alarms.tell(
            conn, mark, config.referee.gamesmaster, "full", "the mailbox is full", text, now
        )
    if last and now - last.created < every:
        return
    if last and not letters.has_come(conn, last.message_id):
        text = (
            f"A letter that we sent to ourselves at {last.created:%Y-%m-%d %H:%M} UTC has not come"
            " back."
        )
        alarms.tell(conn, mark, config.referee.gamesmaster, CANARY, "the canary is late", text, now)
    key = f"{CANARY}:{now:%Y%m%d%H%M%S}"
    outbox.put(
        conn,
        compose(mark, key, CANARY, mark.address, "canary", "Nothing to read here.\n", now),
        now,
    )


def _purge(conn: Connection, config: Config, now: datetime) -> None:
    """Raw bytes of decided letters go after the retention, once their game is over (or was
    none)."""
    day = now.date().isoformat()
    if notes.memo(conn, "purge").get("day") == day:
        return
    notes.set_memo(conn, "purge", {"day": day})
    letters.purge(conn, now - timedelta(days=config.daemon.retention_days))
