"""Digests, the canary letter, and purging."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from pbem.budget import Budget
from pbem.daemon import silence
from pbem.errors import OverBudget
from pbem.games.frame import calendar
from pbem.periods import away, practice, protests
from pbem.post import alarms, masters, outbox
from pbem.post.compose import Draft, compose
from pbem.post.postmark import code_hash
from pbem.post.work import Work
from pbem.referee.deciding import unproven
from pbem.referee.gamesmaster import queue
from pbem.referee.gamesmaster.queue import Face
from pbem.store.games import inquiries, press
from pbem.store.joining import open_tables
from pbem.store.journal import notes
from pbem.store.letters import letters
from pbem.store.mails import mails
from pbem.website import zine

CANARY = "canary"
A_DAY = timedelta(days=1)
"""Between the two looks of a purge."""
UNANSWERED = timedelta(days=30)
"""Codes are deleted so long after they expire."""
_NO_ROOM = re.compile(r"[45]52 |[45][0-9]{2} [45]\.2\.2 ")
"""The recipient's mailbox is full (RFC 5321, 4.2.3; RFC 3463, 3.3)."""


def keep_up(work: Work) -> None:
    outbox.set_right(work)
    _digest(work)
    away.keep_up(work)
    protests.lapse(work)
    zine.keep_up(work)
    silence.check_daily(work)
    _canary(work)
    unproven.keep_within(work)
    _purge(work)


def _digest(work: Work) -> None:
    zone = ZoneInfo(work.config.referee.zone)
    today = work.now.astimezone(zone).date()
    last = notes.memo(work.conn, "digest").get("day")
    hour = calendar.moment(today, work.config.daemon.digest_hour, zone)
    if last == today.isoformat() or work.now < hour:
        return
    notes.set_memo(work.conn, "digest", {"day": today.isoformat()})
    for who in masters.everybody(work.conn, work.mark):
        _digest_for(work, who, today)


def _digest_for(work: Work, who: str, today: date) -> None:
    told = queue.queue(work, page=1, who=who)
    alive = told["games"] and not today.weekday()  # on Mondays
    if not (alive or queue.anything(told)):
        return
    try:
        with Budget(work.mark.seconds * 10, "writing the digest"):
            text = queue.text(told, Face.MAIL)
    except OverBudget as over:
        text = f"{over}; see `pbem queue`."
    key = f"digest:{today}:{code_hash(who)[:16]}"
    alarms.put(work, Draft(key, "digest", f"[pbem] Digest of {today}", text), who)


def _canary(work: Work) -> None:
    """Mail ourselves, with an alarm if the last canary is late."""
    every = timedelta(minutes=work.config.daemon.canary_minutes)
    if not every:
        return
    last = mails.newest(work.conn, CANARY)
    if last and _NO_ROOM.match(last.reply):
        text = (
            f"The server that we send by does not take a letter to ourselves: {last.reply}\n"
            "The mailbox seems to be full, and players' letters come back to them: make room."
        )
        alarms.tell(work, "canary:full", "the mailbox is full", text)
    if last and work.now - last.created < every:
        return
    if last and not letters.has_come(work.conn, last.message_id):
        text = (
            f"A letter that we sent to ourselves at {last.created:%Y-%m-%d %H:%M} UTC has not come"
            " back."
        )
        alarms.tell(work, CANARY, "the canary is late", text)
    key = f"{CANARY}:{work.now:%Y%m%d%H%M%S}"
    draft = Draft(key, CANARY, "canary", "Nothing to read here.\n")
    outbox.put(work, compose(work.mark, draft, work.mark.address, work.now))


def _purge(work: Work) -> None:
    """Delete old codes, and bytes of letters and mails of finished or no games.

    It needs two looks a day apart: a clock that is wrong for less deletes nothing.
    """
    mark = notes.memo(work.conn, "purge").get("at")
    last = datetime.fromisoformat(mark) if mark else None
    if last and timedelta(0) <= work.now - last < A_DAY:
        return
    notes.set_memo(work.conn, "purge", {"at": work.now.isoformat()})
    if last is None or last > work.now:  # the first look, or the clock was ahead
        return
    until = last - timedelta(days=work.config.daemon.retention_days)
    notes.forget_old(
        work.conn, last - UNANSWERED, "code:", open_tables.AGAIN, inquiries.PREFIX, press.PREFIX
    )
    practice.forget(work, last - practice.KEPT)
    letters.purge(work.conn, until)
    mails.purge(work.conn, until)
