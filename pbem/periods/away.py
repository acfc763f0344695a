"""AWAY of a gamesmaster: their second acts meanwhile; without one, players are told what waits."""

from datetime import date

from pbem.errors import OperatorError
from pbem.games.frame import calendar
from pbem.house import templates
from pbem.orders import dates
from pbem.periods.guards import guarded
from pbem.post import alarms, masters
from pbem.post.compose import Draft
from pbem.post.masters import Masters
from pbem.post.seats import to_all
from pbem.post.work import Work
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.states import GameState, NoteKind
from pbem.store.schema.tables import Away
from pbem.text import day_words

END = "END"
LONGEST = 120  # days


def go(work: Work, game_id: str, written: str) -> str:
    """Note an absence, or END: they are back. Return what all are told. Raise OperatorError."""
    game = guarded(work.conn, game_id, None)
    hands = masters.of(work.conn, work.mark, game_id)
    if hands.seat:
        raise OperatorError(
            f"you play {hands.seat} in {game_id}: its acts are"
            f" {hands.acting or 'nobody'}'s as long as it runs"
        )
    if written.strip().upper() == END:
        return _back(work, game, hands)
    first, last = _days(work, game, written)
    today = _today(work, game)
    away = Away(game_id, first, last, begun=first <= today)
    Away.put(work.conn, away)
    told = {"first": first.isoformat(), "last": last.isoformat()}
    notes.note(work.conn, game_id, work.now, "master-away", **told)
    known = {"gamesmaster": hands.gamesmaster, "stands_in": hands.stands_in, "span": _span(away)}
    subject, text = templates.mail("away", what="announced", at=game, **known)
    said = text.strip()
    _tell_all(work, game, f"away:{first}:{last}", subject, said)
    _tell_one(work, away, "away", hands.stands_in, hands.gamesmaster)
    return said


def _days(work: Work, game: GameAt, written: str) -> tuple[date, date]:
    today = _today(work, game)
    try:
        named = dates.days(written, today)
    except dates.Unclear as error:
        raise OperatorError(f"{error}, as in 1 July TO 20 July") from error
    first, last = calendar.span(*(day.isoformat() for day in named))
    if last < today:
        raise OperatorError(f"{day_words(last)} is past")
    if (last - today).days > LONGEST:
        raise OperatorError(
            f"{LONGEST} days ahead at most; see `pbem master` to give the game away"
        )
    return first, last


def _today(work: Work, game: GameAt) -> date:
    return work.now.astimezone(game.zone).date()


def _span(one: Away) -> str:
    return f"from {day_words(one.first)} to {day_words(one.last)}"


def _back(work: Work, game: GameAt, hands: Masters) -> str:
    if Away.one(work.conn, game_id=game.id) is None:
        raise OperatorError(f"you are not away in {game.id}")
    Away.drop(work.conn, game_id=game.id)
    notes.note(work.conn, game.id, work.now, "master-back")
    said = f"The gamesmaster of this game, {hands.gamesmaster}, is there again."
    _tell_all(work, game, "back", "The gamesmaster is back", said)
    return said


def _tell_all(work: Work, game: GameAt, what: str, subject: str, text: str) -> None:
    notes.rule(work.conn, game.id, NoteKind.HOUSE, text, work.now)
    key = f"master:{game.id}:{what}:{work.now:%Y%m%d%H%M%S%f}"
    to_all(work, game, Draft(key, "handover", f"[{game.id}] {subject}", f"{text}\n"))


def _tell_one(work: Work, away: Away, what: str, to: str | None, gamesmaster: str = "") -> None:
    known = {"what": what, "game": away.game_id, "span": _span(away), "gamesmaster": gamesmaster}
    subject, text = templates.mail("away", **known)
    key = f"master-{what}:{away.game_id}:{away.first}:{away.last}:{work.now:%Y%m%d%H%M%S%f}"
    alarms.put(work, Draft(key, "handover", f"[{away.game_id}] {subject}", text), to)


def keep_up(work: Work) -> None:
    for away in Away.many(work.conn):
        game = games.game_at(work.conn, away.game_id)
        today = _today(work, game)
        if game.row.status == GameState.OVER or today > away.last:
            Away.drop(work.conn, game_id=game.id)
            hands = masters.of(work.conn, work.mark, game.id)
            if game.row.status != GameState.OVER and not hands.seat:
                notes.note(work.conn, game.id, work.now, "master-back")
                _tell_one(work, away, "back", hands.gamesmaster)
        elif not away.begun and today >= away.first:
            Away.put(work.conn, away._replace(begun=True))


def waits(work: Work, game_id: str) -> str:
    """Return what a writer who waits for them is told, or ""."""
    away = Away.one(work.conn, game_id=game_id)
    if not away or not away.begun or masters.of(work.conn, work.mark, game_id).stands_in:
        return ""
    return f" The gamesmaster is away until {day_words(away.last)}, and looks at it then."
