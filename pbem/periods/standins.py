"""Stand-bys, and seats for them (house rules 6, 7, 8)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.games.frame import calendar, house_rules
from pbem.games.frame.adjudication import owed
from pbem.games.frame.events import Seat
from pbem.games.frame.house_rules import AtDeadline
from pbem.periods import deadline_acts, offers, persons, publishing, standing_by
from pbem.periods.guards import not_over
from pbem.periods.persons import meant
from pbem.post import alarms
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat
from pbem.post.work import Work
from pbem.store.games import games, order_sets
from pbem.store.games.game_rows import SeatKey, StandbyRow
from pbem.store.games.games import GameAt
from pbem.store.joining import offers as free_seats
from pbem.store.journal import notes
from pbem.store.people import players, standbys
from pbem.store.schema.states import Freed
from pbem.store.schema.tables import Standby

STILL_OPEN, LEAST_STILL_OPEN = timedelta(hours=1), timedelta(minutes=1)
"""After the last awaited list; less with hours or minutes."""


def enlist(work: Work, game_id: str, address: str, name: str, *, anyway: bool = False) -> None:
    """Add a stand-by player behind the others, told when the game begins."""
    at = not_over(work.conn, game_id)
    player_id = persons.registered(work, address, name)
    doubts = persons.called(work, player_id) + persons.to_stand_by(work, game_id, player_id)
    doubted = meant(doubts, anyway)
    Standby.add(work.conn, game_id=game_id, player_id=player_id)
    notes.note(work.conn, game_id, work.now, "standby", player=player_id, **doubted)
    if at is not None:
        standing_by.enlisted(work, at, standbys.of_game(work.conn, game_id)[-1])


def quits(work: Work, at: GameAt, who: StandbyRow) -> None:
    offers.declined(work, at, who.player_id)
    Standby.drop(work.conn, game_id=at.id, player_id=who.player_id, invited_for="")
    notes.note(work.conn, at.id, work.now, "standby-quit", player=who.player_id)
    left = standbys.waiting(work.conn, at.id)
    rest = (
        f"Players who can still be called on: {left}."
        if left
        else f"Nobody else can be called on: `pbem standby {at.id} ADDRESS`"
    )
    text = f"{who.name} stands by for game {at.id} no longer, as he has asked. {rest}"
    subject = f"{who.name} stands by for {at.id} no longer"
    commands = () if left else (f"standby {at.id} ADDRESS",)
    key = f"standby-quit:{at.id}:{who.id}"
    alarms.tell(work, key, subject, text, at.id, commands=commands)


def withdraw(work: Work, game_id: str, address: str, why: str) -> None:
    """Raise OperatorError if he does not stand by."""
    at = not_over(work.conn, game_id)
    player_id = players.at_address(work.conn, address)
    who = standbys.of_player(work.conn, game_id, player_id) if player_id is not None else None
    if who is None:
        raise OperatorError(f"{address} does not stand by for {game_id}")
    if at is not None:
        offers.declined(work, at, who.player_id)
        standing_by.withdrawn(work, at, who, why)
    Standby.drop(work.conn, game_id=game_id, player_id=who.player_id, invited_for="")
    notes.note(work.conn, game_id, work.now, "standby-withdrawn", player=who.player_id, why=why)


def carry_out(work: Work, at: GameAt, what: AtDeadline) -> None:
    """Carry out house rule 8."""
    deadline_acts.extend(work, at.id, at.period.number, what.by, what.why, kind=what.kind)
    at = games.game_at(work.conn, at.id)
    for seat in what.replace:  # for as long as the period waits
        offers.free(work, at, seat, Freed.LIST)
        offers.advance(work, at.id, seat)
    awaited = at.ruleset.about.awaited
    wanted = awaited.one if awaited else ""
    for seat in what.remind:
        text = (
            f"The deadline has passed without your {wanted} ({seat}). The period waits"
            f" for it until {publishing.deadline_text(at)}.\n\n"
            f"{house_rules.late_list(at.house, awaited, 'your')}\n"
        )
        key = f"second-letter:{at.id}:{at.term}:{seat}"
        subject = f"[{at.id}] Your {wanted} is missing"
        put_to_seat(work, at, at.holders[seat], Draft(key, "reminder", subject, text))


def silent(work: Work, game_id: str, seat: str) -> None:
    """Offer a seat without answer (house rule 7)."""
    at = games.game_at(work.conn, game_id)
    until = at.holders[seat].asked_until
    if until is not None and until <= work.now:  # else another daemon has seen to it meanwhile
        games.set_seat(work.conn, game_id, seat, asked_until=None)
        offers.free(work, at, seat, Freed.SILENT)


def leaving(conn: Connection) -> list[SeatKey]:
    """Return seats to relieve, not yet offered."""
    free = set(free_seats.running(conn))
    return [one for one in games.quitting(conn) if one not in free]


def relieved(work: Work, game_id: str, seat: str) -> None:
    """Offer a seat to relieve (house rule 6)."""
    at = games.game_at(work.conn, game_id)
    if at.holders[seat].quits is not None:  # else another daemon has seen to it meanwhile
        offers.free(work, at, seat, Freed.QUIT)


def _people(at: GameAt) -> list[Seat]:
    return [seat for seat in at.seats if seat not in at.bots]


def decide(work: Work, at: GameAt) -> AtDeadline:
    standing = order_sets.all_standing(work.conn, at)
    still = owed(at.ruleset, at.state, _people(at), standing)
    moves, awaited = calendar.moves(at.period.moves), at.ruleset.about.awaited
    missing = house_rules.missing_lists(still, awaited)
    others = sum(offers.reach(work, at, *missing)) if house_rules.waits(moves) else 0
    what = house_rules.at_deadline(still, awaited, moves, at.house, others)
    by = calendar.automatic(moves, what.by, at.house)
    return replace(what, by=by) if by else AtDeadline()


def closes_at(conn: Connection, at: GameAt) -> datetime | None:
    """Return when a period closes after its lists; else None."""
    due = at.period.due
    if due is None or not house_rules.waits(calendar.moves(at.period.moves)):
        return None
    standing = order_sets.all_standing(conn, at)
    still = owed(at.ruleset, at.state, _people(at), standing)
    if house_rules.missing_lists(still, at.ruleset.about.awaited):
        return None
    last = order_sets.last_at(conn, at.id, at.period.number) or at.period.opened
    return min(due, last + at.house.share(STILL_OPEN, LEAST_STILL_OPEN))
