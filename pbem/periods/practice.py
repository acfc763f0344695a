"""Practice games: one person against house bots, a period as soon as they are READY.

The next pass begins what a row asks for. It counts in no record or list, ends after two silent
weeks, and is forgotten a month later.
"""

from datetime import datetime, timedelta

from sqlalchemy import Connection

from pbem.bots import bots
from pbem.games.frame.dice import Dice
from pbem.games.frame.house import PRACTICE
from pbem.house import shelf
from pbem.periods import opening
from pbem.post import alarms
from pbem.post.compose import Draft
from pbem.post.seats import to_all
from pbem.post.work import Work
from pbem.store.games import games, periods
from pbem.store.games.games import GameAt
from pbem.store.joining import practices
from pbem.store.journal import notes
from pbem.store.people import players
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Game, Practice
from pbem.store.schema.tables import Seat as SeatRecord

SILENT = timedelta(days=14)
KEPT = timedelta(days=30)
HOUR, LATER = timedelta(hours=1), timedelta(minutes=5)
"""Until it is looked at again if there were too many."""
_SEVERAL = 4  # seats of a table, or the least number above
A_WEEK, MOST_A_WEEK = timedelta(days=7), 5
"""For one person."""
_FIXED = {"lengths": {"*": "720 hours"}, "reminders": {"*": []}, "pace": ""}
"""Only READY closes such a period."""
_RULES = {PRACTICE: 1, "ask_after_missed": 0, "late_list_days": 0, "report_days": "720 hours"}
_HOUSE = {
    "early": "ready",
    "early_hour": "at once",
    "idle_after": 0,
    "watch": False,
    "press": "none",
    "deputies": "none",
    "grace": 0,
    "alone": 0,
}


def why_not(work: Work, player_id: int) -> str:
    """Return why they cannot begin one now, or ""."""
    person = practices.person(work.conn, player_id)
    if running := practices.running_of(work.conn, person):
        title = shelf.open_ruleset(running.ruleset).about.title
        return (
            f"You have a practice game already: {running.game_id} ({title}). Answer its newest mail"
            " to go on. To end it, write\u00a0PRACTICE\u00a0END."
        )
    lately = (Practice.player_id.in_(person), Practice.asked > work.now - A_WEEK)
    if Practice.how_many(work.conn, *lately) >= MOST_A_WEEK:
        return f"You have begun {MOST_A_WEEK} practice games in a week. Try again in a few days."
    domains, most = practices.domains(work.conn), work.limits.practice_games
    own = {one.rpartition("@")[2] for one in players.addresses(work.conn, player_id)}
    if len(domains) >= most or any(domains.count(one) >= _share(most) for one in own):
        return "There is no room for another practice game just now. Try again in a few days."
    return ""


def _share(most: int) -> int:
    """Return what one mail domain has of the games, and one person of an hour's periods."""
    return most - most // 4


def waits(work: Work, game: GameAt) -> bool:
    """Let a practice period wait if the hour's share, or their own part of it, is used up."""
    since, most = work.now - HOUR, work.limits.practice_periods_an_hour
    own = practices.closed_since(work.conn, since, game.id)
    if practices.closed_since(work.conn, since) < most and own < _share(most):
        return False
    periods.set_period(work.conn, game.id, game.period.number, next_look=work.now + LATER)
    return True


def asked(conn: Connection, now: datetime) -> list[tuple[str]]:
    waiting = Practice.many(conn, order=Practice.asked, ended=None, begun=None)
    return [(one.game_id,) for one in waiting]


def failed(work: Work, game_id: str, error: BaseException) -> None:
    """Drop the wish and tell the gamesmaster."""
    Practice.change(work.conn, {"game_id": game_id}, ended=work.now)
    text = f"{game_id} could not begin: {type(error).__name__}: {error}"
    alarms.tell(work, f"practice:{game_id}", f"{game_id} failed", text)


def begin(work: Work, game_id: str) -> None:
    practice = Practice.one(work.conn, game_id=game_id)
    if practice is None or not practices.begun(work.conn, game_id, work.now):
        return  # another daemon did it
    ruleset = shelf.open_ruleset(practice.ruleset)
    tables = sorted(ruleset.about.seats, key=len)
    table = next((one for one in tables if len(one) >= _SEVERAL), tables[-1])
    given = [(seat, "", "") for seat in table]
    plan = opening.Plan(
        practice.game_id,
        practice.ruleset,
        given,
        work.config.referee.zone,
        "open",
        options=bots.short(practice.ruleset),
        house=_HOUSE,
        pace="evening",
    )
    made = opening.settled(work, plan)
    rules = {**made.game.house.get("rules", {}), **_RULES}
    game = made.game._replace(house={**made.game.house, **_FIXED, "rules": rules})
    Game.add(work.conn, game)
    mine = Dice(game.seed, game.id).stream("person").choice(made.seated)
    for place, seat in enumerate(made.seated):
        who = practice.player_id if seat == mine else None
        SeatRecord.add(work.conn, game_id=game.id, seat=seat, place=place, player_id=who)
    what = {"ruleset": game.ruleset, "options": game.options, "seats": list(made.seated)}
    notes.note(work.conn, game.id, work.now, "new", **what)
    opening.start(work, game.id)


def left(conn: Connection, now: datetime) -> list[tuple[str, str]]:
    """Return games of people who are silent, and why they end."""
    why = "nobody has written for two weeks"
    return [(game_id, why) for game_id in practices.left(conn, now - SILENT)]


def end(work: Work, game_id: str, why: str) -> None:
    row = games.game(work.conn, game_id)
    if row.status not in (GameState.RUNNING, GameState.HELD):
        return
    game = games.game_at(work.conn, game_id)
    notes.note(work.conn, game_id, work.now, "ended", why=why, seed=row.seed)
    periods.end(work.conn, game_id, row.period)
    games.set_state(work.conn, game_id, GameState.OVER)
    Practice.change(work.conn, {"game_id": game_id}, ended=work.now)
    again = f"For another, write\u00a0PRACTICE\u00a0{row.ruleset}."
    text = f"Your practice game is over: {why}. {again}\n"
    to_all(work, game, Draft(f"ended:{game_id}", "ended", f"[{game_id}] It is over", text))


def forget(work: Work, until: datetime) -> None:
    """Forget those ended before, and people known only from them."""
    for game_id in Practice.values(work.conn, Practice.game_id, Practice.ended < until):
        games.forget_practice(work.conn, game_id)


def stop(work: Work, player_id: int) -> str:
    running = practices.running_of(work.conn, practices.person(work.conn, player_id))
    if running is None:
        return "You have no practice game, so there is nothing to end."
    if running.begun is None:
        Practice.change(work.conn, {"game_id": running.game_id}, ended=work.now)
    else:
        end(work, running.game_id, "you have ended it")
    return f"{running.game_id} is over."
