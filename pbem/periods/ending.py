"""Agreed ends and statements, void if the game resumes."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Connection

from pbem.games.frame import agreement
from pbem.games.frame.events import Seat
from pbem.pages import sheet
from pbem.periods import claims, own_page, publishing, record
from pbem.post import alarms, masters
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat, to_all
from pbem.post.work import Work
from pbem.store.games import games, periods
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.states import GameState, NoteKind, PeriodState
from pbem.store.schema.tables import Ballot, Game, Practice, Rematch, Statement


def playing(game: GameAt) -> tuple[Seat, ...]:
    asked = game.ruleset.asked(game.state)
    return tuple(seat for seat in game.seats if seat in asked)


def conclude(work: Work, game: GameAt) -> bool:
    """End the game if all playing agree; else nobody learns of it."""
    rescanning = game.row.restored_to is not None and game.row.restored_until is None
    if game.row.status not in (GameState.RUNNING, GameState.HELD) or rescanning:
        return False
    if game.period.status == PeriodState.REVIEW:
        return False
    inside = playing(game)
    seated = [
        seat
        for seat in inside
        if game.holders[seat].player_id is not None and seat not in game.bots
    ]
    shared = agreement.reached(_shared(work.conn, game), seated, inside)
    if not shared:
        return False
    notes.note(
        work.conn, game.id, work.now, "agreed", period=game.period.number, seats=list(shared)
    )
    periods.end(work.conn, game.id, game.period.number, closed=work.now)
    games.set_game(work.conn, game.id, agreed=list(shared))
    over(work, game)
    publishing.publish(work, games.game_at(work.conn, game.id), game.period.number)
    return True


def ballot_of(conn: Connection, game_id: str, seat: Seat) -> str:
    """Return the ballot in words, or "", for its player."""
    row = Ballot.one(conn, game_id=game_id, seat=seat)
    return agreement.end_in_words(row.shared) if row and row.shared else ""


def ended(game: GameAt) -> str:
    return agreement.end_in_words(game.row.agreed) if game.row.agreed else ""


def _shared(conn: Connection, game: GameAt) -> Mapping[Seat, list[Seat]]:
    return {row.seat: row.shared for row in Ballot.many(conn, game_id=game.id)}


def over(work: Work, game: GameAt) -> None:
    """End: reveal the seed, count it, ask for statements, free stand-bys."""
    if game.practice:
        Practice.change(work.conn, {"game_id": game.id}, ended=work.now)
    else:
        until = publishing.statements_until(work.now, game.row.zone)
        games.set_game(work.conn, game.id, statements_until=until)
    games.set_state(work.conn, game.id, GameState.OVER)
    notes.note(work.conn, game.id, work.now, "over", seed=game.row.seed)
    record.count_finished(work, game)
    claims.over(work, game)


def taken_up(work: Work, game: GameAt) -> None:
    """Void agreement and ballots of a resumed game; tell their players alone."""
    if game.row.agreed:
        text = "The agreement that had ended the game is void."
        notes.rule(work.conn, game.id, NoteKind.HOUSE, text, work.now)
    games.set_game(work.conn, game.id, agreed=None, statements_until=None)
    standing = {seat: shared for seat, shared in _shared(work.conn, game).items() if shared}
    Ballot.drop(work.conn, game_id=game.id)
    Rematch.drop(work.conn, game_id=game.id)
    for seat, shared in standing.items():
        key = f"ballot:{game.id}:{seat}:{work.now:%Y%m%d%H%M%S%f}"
        known = {"what": "ballot", "end": agreement.end_in_words(shared)}
        draft = own_page.draft(game, key, "ballot", "seat", **known)
        put_to_seat(work, game, game.holders[seat], draft)


def due(conn: Connection, now: datetime) -> list[tuple[str]]:
    ended = Game.values(conn, Game.id, Game.statements_until <= now, order=Game.statements_until)
    return [(game_id,) for game_id in ended]


def tell_statements(work: Work, game_id: str) -> None:
    game = games.game_at(work.conn, game_id)
    until = game.row.statements_until
    if until is None or until > work.now:
        return  # another daemon did it
    games.set_game(work.conn, game_id, statements_until=None)
    statements = {row.seat: row for row in Statement.many(work.conn, game_id=game_id)}
    quoted = [
        f"{seat} ({game.player(seat)})\n\n{sheet.fenced(statements[seat].text)}"
        for seat, holder in game.holders.items()
        if seat in statements and statements[seat].player_id == holder.player_id
    ]
    if not quoted:
        return
    notes.note(work.conn, game_id, work.now, "statements", seats=list(statements))
    head = (
        f"What the players of game {game.id}, {game.ruleset.about.title}, say now that it is over."
    )
    text = "\n\n".join([head, *quoted]) + "\n"
    key = f"statements:{game.id}:{until:%Y%m%d%H%M%S%f}"
    subject = f"[{game.id}] The players' statements"
    to_all(work, game, Draft(key, "statements", subject, text))
    to = masters.of(work.conn, work.mark, game.id).contact
    alarms.put(work, Draft(f"{key}:copy", "copy", f"{subject}: your copy", text), to)


def statements_failed(work: Work, game_id: str, error: BaseException) -> None:
    text = (
        f"The statements of the players of {game_id}, which is over, could not be mailed:"
        f" {type(error).__name__}; the log has the rest. It is tried again at each pass."
    )
    alarms.tell(work, f"statements:{game_id}", f"statements of {game_id}", text)
