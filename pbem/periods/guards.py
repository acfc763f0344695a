"""What acts check first. An act names its period, so a late command never hits the next one.

Record looks at secrets. If the gamesmaster plays, the next bulletin counts them.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.games.frame.events import Seat
from pbem.post import masters
from pbem.post.masters import Masters
from pbem.post.postmark import Postmark
from pbem.post.work import Work
from pbem.store.games import games, press
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.journal.notes import LookKind
from pbem.store.schema.states import GameState, PeriodState
from pbem.store.schema.tables import Look
from pbem.text import counted


def guarded(conn: Connection, game_id: str, number: int | None, *statuses: PeriodState) -> GameAt:
    """Return the game. Raise OperatorError unless it is in ``number`` and ``statuses``."""
    game = games.game_at(conn, game_id)
    if game.row.status == GameState.OVER:
        raise OperatorError(
            f"game {game_id} is over: nothing is done in it any more, unless `pbem rewind"
            f" {game_id} N` takes it back to its period N"
        )
    in_period(game, number)
    if statuses and game.period.status not in statuses:
        raise OperatorError(
            _NOT_NOW[game.period.status].format(at=game, last=game.period.number - 1)
        )
    return game


def in_period(game: GameAt, number: int | None) -> None:
    if number is not None and number != game.period.number:
        raise OperatorError(
            f"game {game.id} is in period {game.period.number}, not {number}; nothing was done"
        )


_NOT_NOW = {
    PeriodState.REVIEW: (
        "bulletin {last} of game {at.id} waits for its release, and period {at.period.number} is"
        " not open before that: `pbem release {at.id}`"
    ),
    PeriodState.OPEN: (
        "no bulletin of game {at.id} waits for its release; period {at.period.number} is open"
    ),
    PeriodState.CLOSING: (
        "period {at.period.number} of game {at.id} is being closed; look again after the daemon's"
        " next pass"
    ),
    PeriodState.CLOSED: "period {at.period.number} of game {at.id} is closed",
}


def not_over(conn: Connection, game_id: str) -> GameAt | None:
    """Return the game; None before its start. Raise OperatorError after its end."""
    waits = games.game(conn, game_id).status == GameState.WAITING
    return None if waits else guarded(conn, game_id, None)


def known(game: GameAt, seat: str) -> None:
    known_among(game.id, game.seats, seat)


def known_among(game_id: str, seats: Collection[str], seat: str) -> None:
    if seat not in seats:
        raise OperatorError(
            f"there is no seat {seat!r} in {game_id}; the seats are {', '.join(seats)}"
        )


def may_act(
    conn: Connection,
    mark: Postmark,
    game_id: str,
    address: str | None = None,
    *,
    again: bool = False,
) -> None:
    """Raise OperatorError unless they run the game and may see its secrets. address:
    theirs; None for the shell. ``again``: an ended game resumes; former players play."""
    hands = masters.of(conn, mark, game_id, again=again)
    seat = masters.plays(conn, game_id, address or mark.gamesmaster, again=again)
    if seat and not masters.plays(conn, game_id, address or mark.gamesmaster):
        raise OperatorError(
            f"you played {seat} in {game_id}, which is over; only"
            f" {hands.acting or 'a second gamesmaster, whom it did not have,'} may take it back"
        )
    if seat:
        raise OperatorError(f"you play {seat} in {game_id}: {_whose(hands)}")
    if address and address != hands.acting and not (hands.away and address == hands.gamesmaster):
        raise OperatorError(
            f"you are the second gamesmaster of {game_id}: its acts are its gamesmaster's, as long"
            " as they play no seat of it"
            if address == hands.second
            else f"you are not the gamesmaster of {game_id}"
        )


def _whose(hands: Masters) -> str:
    if hands.acting:
        return (
            f"until it is over its acts, letters and mails are for {hands.acting}, who does"
            " everything by mail"
        )
    return (
        "until it is over it runs without acts, and nobody looks at its letters and mails, for it"
        f" has no second gamesmaster. Its gamesmaster may ask somebody to be it: `pbem master"
        f" {hands.game} ADDRESS --second`"
    )


def may_name(conn: Connection, mark: Postmark, game_id: str, who: str | None = None) -> None:
    """Raise OperatorError unless ``who`` may name a gamesmaster, even if playing."""
    hands = masters.of(conn, mark, game_id)
    if who and who != hands.gamesmaster:
        raise OperatorError(f"you are not the gamesmaster of {game_id}")


def suspended(work: Work, game: GameAt, seat: Seat) -> str:
    """Return why a seat's press does not go out now, or ""."""
    until = press.warned(work.conn, game.id, game.holders[seat]).until
    if until is None or until <= work.now:
        return ""
    ends = game.minute(until)
    return f"the gamesmaster has suspended your press until {ends}"


_WORDS: Mapping[LookKind, tuple[str, str]] = {
    LookKind.PREVIEW: ("preview", "previews"),
    LookKind.DRY_RUN: ("dry run of a rewind", "dry runs of a rewind"),
    LookKind.ORDER: ("entry of orders for a seat", "entries of orders for a seat"),
    LookKind.ACCEPT: ("letter accepted", "letters accepted"),
    LookKind.LETTER: ("letter opened", "letters opened"),
    LookKind.PRESS: ("letter with private press opened", "letters with private press opened"),
    LookKind.EXPORT: ("export of all its files", "exports of all its files"),
    LookKind.MAIL: ("private mail to a seat opened", "private mails to seats opened"),
}


def period_of(game: GameAt) -> int:
    return game.period.number - (game.period.status == PeriodState.REVIEW)


def looked(work: Work, game: GameAt, kind: LookKind, **of: Any) -> str:
    """Record a look. Return what to say; "" after the game. ``of``: the letter, mail or seat."""
    if game.row.status not in (GameState.RUNNING, GameState.HELD):
        return ""
    number, one = period_of(game), _WORDS[kind][0]
    told = masters.of(work.conn, work.mark, game.id).seat is not None
    if told:
        Look.add(work.conn, game_id=game.id, period=number, kind=kind, at=work.now)
    notes.note(work.conn, game.id, work.now, "look", period=number, at=kind, **of)
    counts = f", and bulletin {number} of {game.id} counts it" if told else ""
    return f"this look is in the journal{counts}: 1 {one}"


def line(conn: Connection, game_id: str, number: int, *, last: bool) -> str:
    """Return what a bulletin says of looks (:func:`notes.looks`), or ""."""
    seen = Counter((one.period, one.kind) for one in notes.looks(conn, game_id, number, last=last))
    told = []
    for period in sorted({of for of, _ in seen}, key=lambda of: (of != number, of)):
        when = "in this period" if period == number else f"in period {period}"
        looks = (
            counted(seen[period, kind], *_WORDS[kind]) for kind in _WORDS if seen[period, kind]
        )
        told.append(f"{when}: {', '.join(looks)}")
    return f"The gamesmaster has looked {'; '.join(told)}." if told else ""
