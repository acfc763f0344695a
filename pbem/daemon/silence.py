"""Tells players of a gamesmaster silent for three weeks while something of theirs waits."""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.periods import handover
from pbem.periods.handover import Role
from pbem.post import alarms, masters
from pbem.post.compose import Draft
from pbem.post.masters import Masters
from pbem.post.seats import put_to_seat, to_all
from pbem.post.work import Work
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.people import gamesmasters
from pbem.store.schema.states import GameState, PeriodState
from pbem.store.schema.tables import Gamesmaster
from pbem.text import day_words

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
    told = memo.get("told", {})
    still = {}
    until = work.now - PATIENCE
    for game_id in gamesmasters.waiting_since(work.conn, until):
        hands = masters.of(work.conn, work.mark, game_id)
        heard = _heard(work, hands)
        if max(heard or datetime.fromisoformat(since), datetime.fromisoformat(since)) > until:
            continue
        if not hands.away and gamesmasters.away(work.conn, game_id):
            continue  # all know how long it waits
        still[game_id] = told.get(game_id) or today
        if game_id not in told:
            _tell(work, games.game_at(work.conn, game_id), hands, until)
    asked = dict(memo.get("asked", {}))
    for game_id in asked.keys() - still.keys():
        handover.void_asked(work.conn, game_id, asked.pop(game_id))
    for game_id in still.keys() - told.keys():
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


def _heard(work: Work, hands: Masters) -> datetime | None:
    row = Gamesmaster.one(work.conn, address=hands.acting) if hands.acting else None
    moments = [row.heard if row else None, games.game(work.conn, hands.game).attended]
    return max((one for one in moments if one), default=None)


def _tell(work: Work, at: GameAt, hands: Masters, until: datetime) -> None:
    """Tell all if the game stands still, else those who wait."""
    key, subject = f"silence:{at.id}:{work.now:%Y%m%d}", f"[{at.id}] The gamesmaster is silent"
    if what := _stands_still(at):
        to_all(work, at, Draft(key, "silence", subject, _words(work, at, hands, what)))
    own = {} if what else gamesmasters.seats_waiting(work.conn, at.id, until)
    for seat, since in own.items():
        waits = f"your letter of {day_words(since.astimezone(at.zone).date())}"
        draft = Draft(f"{key}:{seat}", "silence", subject, _words(work, at, hands, waits))
        put_to_seat(work, at, at.holders[seat], draft)
    notes.note(work.conn, at.id, work.now, "silence")
    _tell_owner(work, at, hands)


def _words(work: Work, at: GameAt, hands: Masters, what: str) -> str:
    owner = work.mark.gamesmaster
    begins = (
        "Nobody has heard from the gamesmaster of this game for three weeks, and something has"
        f" waited for him all the time: {what}."
        if hands.acting
        else (
            "Nobody does the acts of this game, since its gamesmaster plays in it and it has no"
            f" second one; and something has waited for three weeks: {what}."
        )
    )
    if successor := _successor(work, at.id):
        does = (
            f"Write to him: {hands.acting}. {successor}, the second gamesmaster, has been asked to"
            " take the game over, and may do it from now on; you are told if so."
        )
    elif hands.acting and hands.acting != owner:
        does = (
            f"Write to him: {hands.acting}. If he does not answer, write to {owner}, who runs this"
            " referee and can give the game to another gamesmaster; it is good to agree first on"
            " who that is to be."
        )
    elif hands.acting:
        does = (
            f"Write to him: {owner}. He runs this referee too, and nobody else can give the game to"
            " another gamesmaster."
        )
    else:
        does = (
            f"Write to {hands.gamesmaster}, who can ask somebody to be the second gamesmaster; it"
            " is good to agree first on who that is to be."
        )
    return f"{begins}\n\n{does}\n\nYou are told this once. Orders are taken as ever.\n"


def _tell_owner(work: Work, at: GameAt, hands: Masters) -> None:
    owner = work.mark.gamesmaster
    told = (
        f"Those players of {at.id} whom it concerns were told that nobody has heard from"
        f" {hands.acting or 'anybody'} for three weeks, while something waits in it."
        f" See `pbem queue {at.id}`; to give the game to somebody else:"
        f" `pbem master {at.id} ADDRESS --now`"
    )
    if owner != hands.acting and masters.plays(work.conn, at.id, owner):
        told = told.replace(f" See `pbem queue {at.id}`; to", " To")
    subject = f"game {at.id} waits for its gamesmaster"
    commands = (f"queue {at.id}",) if "pbem queue" in told else ()
    alarms.tell(work, f"silence:{at.id}", subject, told, commands=commands)


def _stands_still(at: GameAt) -> str:
    """Say what keeps the whole game waiting, as players may know it, or ""."""
    if at.game.status == GameState.HELD:
        return f"the game is held ({at.game.held_because})"
    if at.period.status == PeriodState.REVIEW:
        return "the bulletin of the last period is to be released"
    return ""
