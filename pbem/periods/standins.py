"""Stand-by players: called on, invited and briefed where house rules 6, 7 and 8 say so."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from pbem.games.frame import calendar, house_rules
from pbem.games.frame.house_rules import AtDeadline
from pbem.periods import acts, publishing
from pbem.periods.asking import answer, reply_date
from pbem.post import alarms
from pbem.post.compose import Postmark
from pbem.store import games, notes, order_sets, players
from pbem.store.games import Table
from pbem.store.records import Address, Game, Player, Standby
from pbem.store.records import Seat as SeatRecord
from pbem.store.states import GameState
from pbem.text import wrap


def waiting(conn: Connection, game_id: str) -> int:
    """How many stand-by players of a game have not been called on yet."""
    return games.count(conn, Standby.id, Standby.game_id == game_id, Standby.invited_for == "")


def enlist(conn: Connection, game_id: str, address: str, name: str, now: datetime) -> None:
    """One more stand-by player, behind the others."""
    games.game(conn, game_id)
    player_id = players.player(conn, address, name, now)
    conn.execute(
        insert(Standby).values(game_id=game_id, player_id=player_id, invited_for="", reply_by=None)
    )
    notes.note(conn, game_id, now, "standby", player=player_id)


def carry_out(
    conn: Connection, mark: Postmark, gamesmaster: str, at: Table, what: AtDeadline, now: datetime
) -> None:
    """House rule 8 at a deadline: second letters, replacements, and the new deadline that all are
    told."""
    for seat in what.replace:
        call_on(conn, mark, gamesmaster, at, seat, what.why, now)
    acts.extend(conn, mark, at.id, at.period.number, what.by, what.why, now, kind=what.kind)
    at = games.table(conn, at.id)
    awaited = at.ruleset.about.awaited
    wanted = awaited.one if awaited else ""
    for seat in what.remind:
        text = (
            f"The deadline has passed and there is no {wanted} of yours ({seat}). By"
            f" house rule 8 the period\nwaits for it until {publishing.deadline_text(at)};\nthen a"
            " stand-by player takes your seat.\n"
        )
        key = f"second-letter:{at.id}:{at.period.number}:{seat}"
        subject = f"[{at.id}] Your {wanted} is missing"
        publishing.put_to_seat(
            conn, mark, at, at.holders[seat], key, "reminder", subject, text, now
        )


def call_on(
    conn: Connection,
    mark: Postmark,
    gamesmaster: str,
    at: Table,
    seat: str,
    why: str,
    now: datetime,
) -> bool:
    """The next stand-by player takes the seat: he is invited and briefed, and has some time to
    write. False: nobody stands by; the seat keeps its player and the gamesmaster is told."""
    row = conn.execute(
        select(Standby.id, Address.address, Player.name)
        .join(Player, Player.id == Standby.player_id)
        .join(Address, (Address.player_id == Player.id) & Address.of_record)
        .where(Standby.game_id == at.id, Standby.invited_for == "")
        .order_by(Standby.id)
    ).first()
    if row is None:
        text = (
            f"{seat} in game {at.id} should be replaced ({why}), but nobody stands by: pbem standby"
            f" {at.id} ADDRESS"
        )
        alarms.tell(
            conn,
            mark,
            gamesmaster,
            f"standby:{at.id}:{seat}",
            f"no stand-by for {seat} in {at.id}",
            text,
            now,
        )
        return False
    until = reply_date(at, now)
    conn.execute(
        update(Standby).where(Standby.id == row.id).values(invited_for=seat, reply_by=until)
    )
    acts.replace(conn, mark, at.id, seat, row.address, row.name, why, now)
    games.set_seat(conn, at.id, seat, asked_until=until)
    at = games.table(conn, at.id)
    text = wrap(
        f"You stood by for game {at.id}, {at.ruleset.about.title}: {seat} is yours now ({why}). The"
        " rules, the newest bulletin and the seat's own notice come in mails of their"
        f" own.\n\nWrite by {until:%Y-%m-%d %H:%M} UTC: orders, or the one word {answer(at)}; else"
        " the next player who stands by is asked."
    )
    subject = f"[{at.id}] You are called on to play {seat}"
    key = f"invitation:{at.id}:{seat}:{row.id}"
    publishing.put_to_seat(conn, mark, at, at.holders[seat], key, "invitation", subject, text, now)
    return True


def silent(
    conn: Connection, mark: Postmark, gamesmaster: str, game_id: str, seat: str, now: datetime
) -> None:
    """Whoever was asked and has not written by the date is replaced."""
    at = games.table(conn, game_id)
    until = at.holders[seat].asked_until
    if until is not None and until <= now:  # else another daemon has seen to it meanwhile
        games.set_seat(conn, game_id, seat, asked_until=None)
        call_on(conn, mark, gamesmaster, at, seat, "house rule 7: no answer", now)


def overdue(conn: Connection, now: datetime) -> list[tuple[str, str]]:
    """Games and seats of players who were asked and have not written by the date."""
    rows = conn.execute(
        select(SeatRecord.game_id, SeatRecord.seat, Game.status)
        .join(Game, Game.id == SeatRecord.game_id)
        .where(SeatRecord.asked_until <= now)
    ).all()
    return sorted(
        (row.game_id, row.seat) for row in rows if row.status == GameState.RUNNING
    )  # else SQLite goes through all games


def leaving(conn: Connection) -> list[tuple[str, str]]:
    """Games and seats of players who have asked to be relieved, where somebody stands by."""
    rows = conn.execute(
        select(SeatRecord.game_id, SeatRecord.seat, Game.status)
        .join(Game, Game.id == SeatRecord.game_id)
        .where(SeatRecord.quits.is_not(None))
        .order_by(SeatRecord.quits)
    ).all()
    return [
        (row.game_id, row.seat)
        for row in rows
        if row.status == GameState.RUNNING and waiting(conn, row.game_id)
    ]


def relieved(
    conn: Connection, mark: Postmark, gamesmaster: str, game_id: str, seat: str, now: datetime
) -> None:
    """House rule 6: whoever has asked to be relieved is replaced as soon as somebody stands by."""
    at = games.table(conn, game_id)
    if at.holders[seat].quits is not None and waiting(conn, game_id):  # else it was done meanwhile
        call_on(
            conn,
            mark,
            gamesmaster,
            at,
            seat,
            "house rule 6: the player has asked to be relieved",
            now,
        )


def decide(conn: Connection, at: Table) -> AtDeadline:
    """What the deadline of a period that has come leads to."""
    standing = order_sets.all_standing(conn, at)
    owed = {seat: at.ruleset.due(at.state, seat, standing.get(seat, {})) for seat in at.seats}
    moves, awaited = calendar.moves(at.period.moves), at.ruleset.about.awaited
    what = house_rules.at_deadline(owed, awaited, moves, at.house, waiting(conn, at.id))
    by = calendar.automatic(moves, what.by, at.house)
    return replace(what, by=by) if by else AtDeadline()


def lists_are_in(conn: Connection, at: Table) -> bool:
    """Whether a period that waits for lists only need wait no longer."""
    if not house_rules.waits(calendar.moves(at.period.moves)):
        return False
    standing = order_sets.all_standing(conn, at)
    owed = {seat: at.ruleset.due(at.state, seat, standing.get(seat, {})) for seat in at.seats}
    return not house_rules.missing_lists(owed, at.ruleset.about.awaited)
