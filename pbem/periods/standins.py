"""Stand-by players: called on, invited and briefed where house rules 6, 7 and 8 say so."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from pbem.games.frame import calendar, house_rules
from pbem.games.frame.adjudication import owed
from pbem.games.frame.house_rules import AtDeadline
from pbem.periods import (
    deadline_acts,
    own_page,
    persons,
    publishing,
    record,
    seat_acts,
    standing_by,
)
from pbem.periods.asking import answer, reply_date
from pbem.periods.guards import not_over
from pbem.periods.persons import meant
from pbem.post import alarms
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat
from pbem.post.work import Work
from pbem.store import games, notes, order_sets, players, seats, standbys
from pbem.store.game_rows import SeatKey, StandbyRow
from pbem.store.games import Table
from pbem.text import listed


def enlist(work: Work, game_id: str, address: str, name: str, *, anyway: bool = False) -> None:
    """One more stand-by player, behind the others; he is told, when the game begins where it has
    not."""
    at = not_over(work.conn, game_id)
    player_id = players.player(work.conn, address, name, work.now)
    doubted = meant(persons.to_stand_by(work, game_id, player_id), anyway)
    standbys.new(work.conn, game_id, player_id)
    notes.note(work.conn, game_id, work.now, "standby", player=player_id, **doubted)
    if at is not None:
        standing_by.enlisted(work, at, standbys.of_game(work.conn, game_id)[-1])


def quits(work: Work, at: Table, who: StandbyRow) -> None:
    """Somebody stands by no longer, as he asked; the gamesmaster is told."""
    standbys.leave(work.conn, at.id, who.player_id)
    notes.note(work.conn, at.id, work.now, "standby-quit", player=who.player_id)
    left = standbys.waiting(work.conn, at.id)
    rest = (
        f"Players who can still be called on: {left}."
        if left
        else f"Nobody else can be called on: pbem standby {at.id} ADDRESS"
    )
    text = f"{who.name} stands by for game {at.id} no longer, as he has asked. {rest}"
    subject = f"{who.name} stands by for {at.id} no longer"
    alarms.tell(work, f"standby-quit:{at.id}:{who.id}", subject, text, at.id)


def carry_out(work: Work, at: Table, what: AtDeadline) -> None:
    """House rule 8 at a deadline: second letters, replacements, and the new deadline that all are
    told."""
    for seat in what.replace:
        call_on(work, at, seat, what.why)
    deadline_acts.extend(work, at.id, at.period.number, what.by, what.why, kind=what.kind)
    at = games.table(work.conn, at.id)
    awaited = at.ruleset.about.awaited
    wanted = awaited.one if awaited else ""
    for seat in what.remind:
        text = (
            f"The deadline has passed and there is no {wanted} of yours ({seat}). By house rule 8"
            f" the period waits for it until {publishing.deadline_text(at)}; then a stand-by player"
            " takes your seat."
        )
        text += "\n"
        key = f"second-letter:{at.id}:{at.term}:{seat}"
        subject = f"[{at.id}] Your {wanted} is missing"
        put_to_seat(work, at, at.holders[seat], Draft(key, "reminder", subject, text))


def call_on(work: Work, at: Table, seat: str, why: str) -> bool:
    """The next stand-by player takes the seat: he is invited and briefed, and has some time to
    write. False: nobody stands by; the seat keeps its player and the gamesmaster is told."""
    _tell_passed_over(work, at, seat)
    called = standbys.first_waiting(work.conn, at.id)
    if called is None:
        text = (
            f"{seat} in game {at.id} should be replaced ({why}), but nobody stands by: pbem standby"
            f" {at.id} ADDRESS"
        )
        subject = f"nobody stands by in {at.id}"
        public = "A seat should have another player, but nobody stands by."
        alarms.tell(work, f"standby:{at.id}:{seat}", subject, text, at.id, public)
        return False
    until = reply_date(at, work.now)
    standbys.invite(work.conn, called.id, seat, until)
    record.count_given_up(work, at, seat)
    seat_acts.take_over(work, at, seat, called.player_id, why)
    games.set_seat(work.conn, at.id, seat, asked_until=until)
    at = games.table(work.conn, at.id)
    text = _invitation(at, seat, why, until)
    subject = f"[{at.id}] You are called on to play {seat}"
    key = f"invitation:{at.id}:{seat}:{called.id}"
    put_to_seat(work, at, at.holders[seat], Draft(key, "invitation", subject, text))
    return True


def _invitation(at: Table, seat: str, why: str, until: datetime) -> str:
    """What somebody reads who is called on: the seat, until when he has to write what, and where
    the game is."""
    deadline = publishing.deadline_text(at)
    called = own_page.called(at)
    when = f"whose deadline is {deadline}" if deadline else "which has no deadline"
    return (
        f"You stood by for game {at.id}, {at.ruleset.about.title}: {seat} is yours now ({why})."
        " What the game is, its tables, the newest bulletin and the seat's own notice, with a form"
        " of what it can send, come in mails of their own. To read the rules, write\u00a0RULES on a"
        f" line of its own.\n\nWrite by {own_page.moment_text(at, until)}: orders, or the one"
        f" word {answer(at)}; else the next player who stands by is asked.\n\nThe game is in period"
        f" {at.period.number} ({called}), {when}.\n\nAnswer this or any other mail of the"
        " game: the answer goes to your seat's own secret address. If you cannot play after all,"
        " the word\u00a0QUIT asks for the next player at once."
    )


def _tell_passed_over(work: Work, at: Table, seat: str) -> None:
    """The gamesmaster is told of those who stand by and hold a seat: nobody is given a second one
    by himself."""
    names = [
        f"{one.name} ({listed(seats.of_player(work.conn, at.id, one.player_id))})"
        for one in standbys.passed_over(work.conn, at.id)
    ]
    if names:
        text = (
            f"{seat} in game {at.id} needs a new player. Passed over, for they play in it"
            f" meanwhile: {', '.join(names)}. To give one of them {seat} as well: pbem replace"
            f" {at.id} {seat} ADDRESS --anyway"
        )
        subject = f"{at.id}: stand-by players who play are passed over"
        alarms.tell(work, f"passed-over:{at.id}:{seat}", subject, text, at.id)


def silent(work: Work, game_id: str, seat: str) -> None:
    """Whoever was asked and has not written by the date is replaced."""
    at = games.table(work.conn, game_id)
    until = at.holders[seat].asked_until
    if until is not None and until <= work.now:  # else another daemon has seen to it meanwhile
        games.set_seat(work.conn, game_id, seat, asked_until=None)
        call_on(work, at, seat, "house rule 7: no answer")


def leaving(conn: Connection) -> list[SeatKey]:
    """The seats whose players have asked to be relieved, where somebody stands by."""
    return [one for one in seats.quitting(conn) if standbys.waiting(conn, one.game_id)]


def relieved(work: Work, game_id: str, seat: str) -> None:
    """House rule 6: whoever has asked to be relieved is replaced as soon as somebody stands by."""
    at = games.table(work.conn, game_id)
    if at.holders[seat].quits is None:
        return  # another daemon has seen to it meanwhile
    if standbys.waiting(work.conn, game_id):
        call_on(work, at, seat, "house rule 6: the player has asked to be relieved")


def decide(conn: Connection, at: Table) -> AtDeadline:
    """What the deadline of a period that has come leads to."""
    standing = order_sets.all_standing(conn, at)
    still = owed(at.ruleset, at.state, at.seats, standing)
    moves, awaited = calendar.moves(at.period.moves), at.ruleset.about.awaited
    what = house_rules.at_deadline(still, awaited, moves, at.house, standbys.waiting(conn, at.id))
    by = calendar.automatic(moves, what.by, at.house)
    return replace(what, by=by) if by else AtDeadline()


def lists_are_in(conn: Connection, at: Table) -> bool:
    """Whether a period that waits for lists only need wait no longer."""
    if not house_rules.waits(calendar.moves(at.period.moves)):
        return False
    standing = order_sets.all_standing(conn, at)
    still = owed(at.ruleset, at.state, at.seats, standing)
    return not house_rules.missing_lists(still, at.ruleset.about.awaited)
