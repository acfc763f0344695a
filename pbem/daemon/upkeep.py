"""Digests, the canary letter, and purging.

Tells players of a gamesmaster silent for three weeks while something of theirs waits.

Writes the games' pages after a pass. Errors stop nothing.
"""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

import structlog

from pbem.budget import Budget
from pbem.errors import DatabaseError, FolderBusy, OperatorError, OverBudget, PbemError
from pbem.games.frame import calendar
from pbem.periods import away, handover, own_page, practice, rematches
from pbem.periods.handover import Role
from pbem.periods.inquiries import lapse
from pbem.post import alarms, masters, outbox
from pbem.post.compose import Draft, compose
from pbem.post.masters import Masters
from pbem.post.postmark import code_hash
from pbem.post.seats import put_to_seat, to_all
from pbem.post.work import Installation, Work
from pbem.referee.deciding import senders
from pbem.referee.gamesmaster import queue
from pbem.referee.gamesmaster.queue import Face
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.letters import letters
from pbem.store.mails import mails
from pbem.store.people import gamesmasters
from pbem.store.schema.states import GameState, PeriodState
from pbem.store.schema.tables import Away, Gamesmaster, Handover, Inquiry, Letter, Rematch, Report
from pbem.text import day_words, in_utc
from pbem.website import folder, zine

PATIENCE = timedelta(weeks=3)
_MEMO = "silence"


def check_daily(work: Work) -> None:
    """Tell players, once a game."""
    today = work.now.date().isoformat()
    memo = notes.memo(work.conn, _MEMO)
    if memo.get("day") == today:
        return
    # before the first look nothing counts: older programs kept no record
    since = memo.get("since", work.now.isoformat())
    told_on = memo.get("told", {})
    still = {}
    until = work.now - PATIENCE
    for game_id in gamesmasters.waiting_since(work.conn, until):
        hands = masters.of(work.conn, work.mark, game_id)
        acting = Gamesmaster.one(work.conn, address=hands.acting) if hands.acting else None
        heard = [acting.heard if acting else None, games.game(work.conn, game_id).attended]
        if max(filter(None, (*heard, datetime.fromisoformat(since)))) > until:
            continue
        if not hands.away and Away.one(work.conn, game_id=game_id):
            continue  # all know how long it waits
        still[game_id] = told_on.get(game_id) or today
        if game_id not in told_on:
            _tell(work, games.game_at(work.conn, game_id), hands, until)
    asked = dict(memo.get("asked", {}))
    for game_id in asked.keys() - still.keys():
        request = Handover.one(work.conn, role=Role.MASTER, game_id=game_id)
        if request and request.unasked and request.successor == asked[game_id]:
            handover.void(work.conn, game_id, Role.MASTER)
        del asked[game_id]  # the gamesmaster is heard of again
    for game_id in still.keys() - told_on.keys():
        if successor := _successor(work, game_id):
            handover.ask(work, game_id, Role.MASTER, successor, now=True)
            asked[game_id] = successor
    memo = {"day": today, "since": since, "told": still, "asked": asked}
    notes.set_memo(work.conn, _MEMO, memo)


def _successor(work: Work, game_id: str) -> str:
    hands = masters.of(work.conn, work.mark, game_id)
    possible = hands.acting == hands.gamesmaster and hands.stands_in
    if not possible or handover.pending(work.conn, game_id, Role.MASTER):
        return ""
    return hands.stands_in or ""


def _tell(work: Work, game: GameAt, hands: Masters, until: datetime) -> None:
    """Tell all if the game stands still, else those who wait."""
    whom = {"owner": work.mark.gamesmaster, "successor": _successor(work, game.id)}
    draft = partial(own_page.draft, game, kind="silence", template="silence", hands=hands, **whom)
    key = f"silence:{game.id}:{work.now:%Y%m%d}"
    if what := _stands_still(game):
        to_all(work, game, draft(key=key, waits=what))
    own = {} if what else gamesmasters.seats_waiting(work.conn, game.id, until)
    for seat, since in own.items():
        waits = f"your letter of {day_words(since.astimezone(game.zone).date())}"
        put_to_seat(work, game, game.holders[seat], draft(key=f"{key}:{seat}", waits=waits))
    notes.note(work.conn, game.id, work.now, "silence")
    owner = work.mark.gamesmaster
    plays = owner != hands.acting and masters.plays(work.conn, game.id, owner)
    commands = () if plays else (f"queue {game.id}",)
    told = {"of": game.id, "acting": hands.acting}
    alarms.say(work, f"silence:{game.id}", "silence", commands=commands, **told)


def _stands_still(game: GameAt) -> str:
    """Say what keeps the whole game waiting, as players may know it, or ""."""
    if game.row.status == GameState.HELD:
        return f"the game is held ({game.row.held_because})"
    if game.period.status == PeriodState.REVIEW:
        return "the bulletin of the last period is to be released"
    return ""


CANARY = "canary"
UNANSWERED, _UNSETTLED = timedelta(days=30), timedelta(days=60)
"""Codes are deleted so long after they expire; questions and reports expire so long after they
came."""
_NO_ROOM = re.compile(r"[45]52 |[45][0-9]{2} [45]\.2\.2 ")
"""The recipient's mailbox is full (RFC 5321, 4.2.3; RFC 3463, 3.3)."""


def keep_up(work: Work) -> None:
    outbox.set_right(work)
    _digest(work)
    away.keep_up(work)
    lapse(work)
    zine.keep_up(work)
    check_daily(work)
    _canary(work)
    senders.keep_within(work)
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


def _digest_for(work: Work, address: str, today: date) -> None:
    waiting = queue.queue(work, page=1, who=address)
    alive = waiting["games"] and not today.weekday()  # on Mondays
    if not (alive or queue.anything(waiting)):
        return
    try:
        with Budget(work.mark.seconds * 10, "writing the digest"):
            text = queue.text(waiting, Face.MAIL)
    except OverBudget as over:
        text = f"{over}; see `pbem queue`."
    key = f"digest:{today}:{code_hash(address)[:16]}"
    alarms.put(work, Draft(key, "digest", f"[pbem] Digest of {day_words(today)}", text), address)


def _canary(work: Work) -> None:
    """Mail ourselves, with an alarm if the last canary is late."""
    every = timedelta(minutes=work.config.daemon.canary_minutes)
    if not every:
        return
    last = mails.newest(work.conn, CANARY)
    if last and _NO_ROOM.match(last.reply):
        alarms.say(work, "canary:full", CANARY, reply=last.reply, sent="")
    if last and work.now - last.created < every:
        return
    if last and not Letter.has(work.conn, message_id=last.message_id):
        alarms.say(work, CANARY, CANARY, reply="", sent=in_utc(last.created))
    key = f"{CANARY}:{work.now:%Y%m%d%H%M%S}"
    draft = Draft(key, CANARY, "canary", "Nothing to read here.\n")
    outbox.put(work, compose(work.mark, draft, work.mark.address, work.now))


def _purge(work: Work) -> None:
    """Delete old codes, and bytes of letters and mails of finished or no games.

    It needs two looks a day apart: a clock that is wrong for less deletes nothing.
    """
    mark = notes.memo(work.conn, "purge").get("at")
    last = datetime.fromisoformat(mark) if mark else None
    if last and timedelta(0) <= work.now - last < timedelta(days=1):
        return
    notes.set_memo(work.conn, "purge", {"at": work.now.isoformat()})
    if last is None or last > work.now:  # the first look, or the clock was ahead
        return
    until = last - timedelta(days=work.config.daemon.retention_days)
    old = last - UNANSWERED
    notes.forget_old(work.conn, old, "code:")
    Rematch.drop(work.conn, Rematch.said < old - rematches.LIVES)
    Inquiry.drop(work.conn, Inquiry.since < old - _UNSETTLED)
    Report.drop(work.conn, Report.since < old - _UNSETTLED)
    practice.forget(work, last - practice.KEPT)
    letters.purge(work.conn, until)
    mails.purge(work.conn, until)


log = structlog.get_logger()


def write(
    installation: Installation,
    now: datetime,
    crash: Callable[[str], None],
    ends: Callable[[], bool],
) -> Exception | None:
    """Write changed pages to the configured folder, until ``ends()``. Return an error, if any.

    If another program writes there, the next pass will.
    """
    if not installation.config.site.folder:
        return None
    try:
        folder.renew(installation, now, crash, ends)
    except DatabaseError:
        raise
    except FolderBusy as error:
        log.info("pages left for the next pass", why=str(error))
    except PbemError as error:
        return error
    except (Exception, OverBudget) as error:
        log.exception("pages not written")
        return OperatorError(f"{type(error).__name__}: {error}")
    return None
