"""An open table fills: it calls its players, tells who wait, then begins or closes.

First come, first seated; no answer to the call, no place. When all are sure, the game is made as
settled at opening. Who wait hear of newcomers in at most one mail a day, and of the table's closing
a week before.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection

from pbem.games.frame.events import Seat
from pbem.periods import house_bots, issue_mails, listing, opening
from pbem.periods import open_tables as tables
from pbem.post import alarms, codes
from pbem.post.postmark import code_hash
from pbem.post.work import Work
from pbem.store.joining import open_tables
from pbem.store.joining.open_tables import HERE, ApplicantRow
from pbem.store.journal import notes
from pbem.store.schema.states import ApplicantState, TableState
from pbem.store.schema.tables import Applicant, OpenTable
from pbem.text import counted, listed, safe

AGAIN = timedelta(hours=1)
DAY, WEEK = timedelta(days=1), timedelta(days=7)
MOST_OTHERS = 2
"""Tables offered when one closes."""
_NEWS = "waiting-room:"
"""A table's memo: who is known to the others, when they were last told, whether of its closing."""


def due(conn: Connection, now: datetime) -> list[tuple[str]]:
    """Return due tables; none while a restore is checked. Letters must be decided."""
    restored = notes.memo(conn, notes.RESTORED)
    return [] if restored else [(game_id,) for game_id in open_tables.due(conn, now)]


def failed(work: Work, game_id: str, error: BaseException) -> None:
    table = open_tables.joinable(work.conn, game_id)
    if table is None:
        return
    OpenTable.change(work.conn, {"id": game_id}, next_look=work.now + AGAIN)
    text = f"The open table {game_id} could not go on: {type(error).__name__}: {error}"
    text += "\nIt is tried again every hour."
    tables.tell_gamesmaster(work, table, "failed", f"the table {game_id} cannot go on", text)


_SIGNED, _SURE = ApplicantState.SIGNED, ApplicantState.SURE


def look(work: Work, game_id: str) -> None:
    """Drop the silent, call the seated, tell who wait; begin or close in time."""
    table = open_tables.joinable(work.conn, game_id)
    if table is None:
        return
    for applicant in open_tables.applicants(work.conn, game_id):
        if applicant.until and applicant.until <= work.now:
            _has_not_answered(work, table, applicant)
    seated, queue = tables.seats_of(table, open_tables.applicants(work.conn, game_id))
    full = _is_full(work, table, seated)
    table = _set_called(work, table, full=full)
    if not full and table.closes and table.closes <= work.now:
        close(work, table, "it did not fill in time")
        return
    for applicant in seated if full else ():
        if applicant.state == _SIGNED:
            _call(work, table, applicant)
    news = None if full else _tell_news(work, table, [*seated, *queue])
    if begins_now(work, table):
        _begin(work, table)
        return
    untils = [one.until for one in open_tables.applicants(work.conn, game_id)]
    date = tables.date_of(table) if table.bots else None
    moments = [*untils, news, table.starts, date, None if full else table.closes]
    later = min((one for one in moments if one and one > work.now), default=None)
    OpenTable.change(work.conn, {"id": game_id}, next_look=later)


def _is_full(work: Work, table: OpenTable, seated: Sequence[ApplicantRow]) -> bool:
    """Return whether all places are taken, from its date on by house bots too."""
    date = tables.date_of(table)
    bots = table.bots if date and date <= work.now else 0
    return table.places - len(seated) <= bots


def _set_called(work: Work, table: OpenTable, *, full: bool) -> OpenTable:
    after, called = (TableState.CALLED, work.now) if full else (TableState.JOINING, None)
    if after == table.state:
        return table
    OpenTable.try_state(work.conn, table.id, after, called=called)
    notes.note(work.conn, table.id, work.now, f"table-{after}")
    return table._replace(state=after, called=called)


def _has_not_answered(work: Work, table: OpenTable, applicant: ApplicantRow) -> None:
    if not open_tables.try_applicant(work.conn, applicant.id, ApplicantState.GONE, until=None):
        return
    if applicant.state == ApplicantState.ASKED:
        tables.forget_code(work, applicant)
    else:  # a late code is answered
        notes.note(work.conn, table.id, work.now, "table-silent", applicant=applicant.id)
        text = tables.said("silent", tables.facts(work, table), applicant.name)
        tables.tell(work, table, applicant, "silent", "Your place is free for another", text)


def _call(work: Work, table: OpenTable, applicant: ApplicantRow) -> None:
    """Ask whether he is there, unless he has just come."""
    if _is_sure(work, table, applicant):
        open_tables.try_applicant(work.conn, applicant.id, _SURE, until=None)
        notes.note(work.conn, table.id, work.now, "table-sure", applicant=applicant.id)
        return
    until = work.now + tables.span(table)
    if not open_tables.try_applicant(work.conn, applicant.id, ApplicantState.CALLED, until=until):
        return
    code = tables.new_code(work, applicant, tables.HERE_I_AM, until + codes.LIVES)
    Applicant.change(work.conn, {"id": applicant.id}, code_hash=code_hash(code))
    notes.note(work.conn, table.id, work.now, "table-called", applicant=applicant.id)
    until_words, letter = tables.moment(table, until), tables.yes_letter(work, table, code)
    text = tables.said(
        "called", tables.facts(work, table), applicant.name, code, until_words, letter
    )
    tables.tell(work, table, applicant, "called", "All players are there: are you?", text, code)


def close(work: Work, table: OpenTable, why: str) -> int:
    """Return how many are told."""
    if not OpenTable.try_state(work.conn, table.id, TableState.CLOSED, next_look=None):
        return 0
    notes.forget_memos(work.conn, f"{_NEWS}{table.id}")
    notes.note(work.conn, table.id, work.now, "table-closed", why=why)
    there, known = open_tables.applicants(work.conn, table.id), tables.facts(work, table)
    for one in there:
        open_tables.try_applicant(work.conn, one.id, ApplicantState.GONE, until=None)
        if one.state in HERE:
            text = tables.said("closed", known, one.name, why)
            tables.tell(work, table, one, "closed", "The table is closed", text)
    issue_mails.free(work, table.id, known.title, "will not be played")
    told = sum(one.state in HERE for one in there)
    signed = f"{counted(told, 'player')} had signed on, and {'is' if told == 1 else 'all are'} told"
    text = f"The table {table.id} is closed: {why}. {signed if told else 'Nobody had signed on'}."
    tables.tell_gamesmaster(work, table, "closed", f"the table {table.id} is closed", text)
    return told


def _begin(work: Work, table: OpenTable) -> None:
    """Make and start the game."""
    game_id, there = table.id, open_tables.applicants(work.conn, table.id)
    sure, waiting = tables.seats_of(table, there)
    bots = table.places - len(sure)
    OpenTable.try_state(work.conn, game_id, TableState.BEGUN, next_look=None)
    notes.forget_memos(work.conn, f"{_NEWS}{game_id}")
    known = tables.facts(work, table)
    game = tables.game_of(table, work.now)
    given = [
        (seat, one.mail, one.name) for seat, one in zip(_wished(table, sure), sure, strict=True)
    ]
    given += [("", "", "")] * bots
    opening.file(work, opening.drawn(game, given), given)
    opening.start(work, game_id)
    house_bots.free(work, game_id)
    for number, applicant in enumerate(waiting, 1):
        text = tables.said("begun", known, applicant.name, number)
        tables.tell(work, table, applicant, "waits", "The game has begun without you", text)
    for applicant in there:
        if applicant.state in HERE and applicant.place is None:  # not approved
            open_tables.try_applicant(work.conn, applicant.id, ApplicantState.GONE, until=None)
            text = tables.said("begun", known, applicant.name, 0)
            tables.tell(work, table, applicant, "late", "The game has begun without you", text)
    names, queue = listed(one.name for one in sure), len(waiting)
    wait = f"{queue or 'Nobody'} wait{'s' if queue < 2 else ''} for a seat"
    names += f" and {counted(bots, 'house bot')}" if bots else ""
    text = f"The game {game_id} has begun by itself, with {names}. {wait}."
    public = f"The game {game_id} has begun by itself. {wait}." if known.hidden else text
    subject = f"{game_id} has begun"
    alarms.tell(work, f"begun:{game_id}", subject, text, game_id, public)


def begins_now(work: Work, table: OpenTable) -> bool:
    """Return whether the next look begins the game."""
    seated, _ = tables.seats_of(table, open_tables.applicants(work.conn, table.id))
    sure = all(_is_sure(work, table, one) for one in seated)
    in_time = table.starts is None or table.starts <= work.now
    return in_time and sure and _is_full(work, table, seated)


def _is_sure(work: Work, table: OpenTable, one: ApplicantRow) -> bool:
    fresh = one.state == _SIGNED and one.came > work.now - tables.span(table)
    return fresh or one.state == _SURE


def _wished(table: OpenTable, players: Sequence[ApplicantRow]) -> list[Seat]:
    """Return the best wishes still free; "" by lot."""
    found: list[Seat] = []
    for one in players:
        free = [seat for seat in one.wishes if table.plan["choice"] and seat not in found]
        found.append(free[0] if free else "")
    return found


# --- what is told to those who wait ---------------------------------------------------------------


def told_of(work: Work, table: OpenTable, here: Sequence[int]) -> None:
    """Note that these know of each other."""
    told = {"known": list(here), "told": work.now.isoformat()}
    notes.set_memo(work.conn, f"{_NEWS}{table.id}", told)


def _tell_news(work: Work, table: OpenTable, here: Sequence[ApplicantRow]) -> datetime | None:
    """Tell of newcomers and of the closing. Return when to do it next."""
    memo = notes.memo(work.conn, f"{_NEWS}{table.id}")
    last, known = memo.get("told"), memo.get("known", ())
    new = [one for one in here if one.id not in known]
    again = datetime.fromisoformat(last) + DAY if last else work.now
    warns = None if memo.get("warned") else table.closes and table.closes - WEEK
    if warns and table.opened < warns <= work.now:
        _warn(work, table, here)
        memo, last = {**memo, "warned": True}, work.now.isoformat()
    elif new and again > work.now:
        return min(filter(None, (again, warns)))
    elif _tell_of(work, table, here, new):
        last = work.now.isoformat()
    news = {**memo, "known": [one.id for one in here], "told": last}
    notes.set_memo(work.conn, f"{_NEWS}{table.id}", news)
    return warns


def _tell_of(
    work: Work, table: OpenTable, here: Sequence[ApplicantRow], new: Sequence[ApplicantRow]
) -> bool:
    """Tell all who has come. Return whether anybody was told."""
    known = tables.facts(work, table)
    news = [(one, [other for other in new if other.id != one.id]) for one in here]
    for applicant, others in news:
        if others:
            names = [safe(other.name) for other in others]
            text = tables.said("news", known, names, listing.pass_on(work, known))
            who = "A player has" if known.hidden and len(others) == 1 else f"{listed(names)} has"
            if len(others) > 1:
                who = f"{len(others)} players have"
            tables.tell(work, table, applicant, "news", f"{who} come", text)
    return any(others for _, others in news)


def _warn(work: Work, table: OpenTable, here: Sequence[ApplicantRow]) -> None:
    known = tables.facts(work, table)
    others = [
        one
        for one in open_tables.listed(work.conn)
        if one.id != table.id and tables.facts(work, one).joined < one.places
    ]
    told = list(listing.offered(work, others[:MOST_OTHERS]))
    for one in here:
        text = tables.said("closing", known, one.name, told, listing.pass_on(work, known))
        tables.tell(work, table, one, "closing", "The table closes in a week", text)
