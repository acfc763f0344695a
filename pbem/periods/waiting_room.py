"""Tell of open tables, and tell those who wait.

They hear of newcomers in at most one mail a day, and of a table's closing a week before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection

from pbem.games.frame.options import timing
from pbem.house import shelf
from pbem.pages import sheet
from pbem.pages.html import Links
from pbem.periods import open_tables as tables
from pbem.periods.open_tables import Facts
from pbem.post.work import Installation, Scan, Work
from pbem.store.engine.database import shared_transaction
from pbem.store.joining import open_tables
from pbem.store.joining.open_tables import ApplicantRow
from pbem.store.journal import notes
from pbem.store.schema.tables import OpenTable
from pbem.text import counted, listed, safe

DAY, WEEK = timedelta(days=1), timedelta(days=7)
MOST_WORDS = 60
"""Of a table in a list."""
_FOR_DIFFERENCES = 5
"""For what differs."""
MOST_OTHERS = 2
"""Offered when one closes."""
_MEMO = "waiting-room:"


# --- how a table is told --------------------------------------------------------------------------


def entry(known: Facts, table: OpenTable) -> str:
    """Return a table in :data:`MOST_WORDS`; names and differences may be left out."""
    head = f"{known.id}: {known.title}. {known.words}".strip()
    lasts = f", a game {known.lasts}" if known.lasts else ""
    asks, starts = "".join(_asks(table)), _starts(known, table)
    room = MOST_WORDS - len(f"{head} {known.pace}{lasts}. {asks}{starts}".split())
    there = _there(known, max(room - _FOR_DIFFERENCES * bool(differences(table)), 0))
    differs = _differing(table, room - len(there.split()))
    return f"{head} {known.pace}{lasts}. {there} {asks}{starts}{differs}"


def link(work: Work, table: OpenTable) -> str:
    said = f"I would like to join {table.id}"
    return sheet.answer_line(said, Links(work.mark.address, "A seat, please").line(said))


def offered(work: Work, listed_: Sequence[OpenTable]) -> Iterator[str]:
    for table in listed_:
        yield entry(tables.facts(work, table), table)
        yield link(work, table)


def _there(known: Facts, room: int) -> str:
    if not known.joined:
        return f"None of {known.places} players is there yet."
    many = f"{known.joined} of {known.places} {'is' if known.joined == 1 else 'are'} there"
    for names in range(len(known.names), 0, -1):
        more = len(known.names) - names
        said = listed([*known.names[:names], *([f"{more} more"] if more else [])])
        if len(f"{many} {said}".split()) <= room:
            return f"{many}: {said}."
    return f"{many}."


def _starts(known: Facts, table: OpenTable) -> str:
    starts = f" on {known.starts.partition(',')[0]}" if known.starts else ""
    if known.joined >= known.places:
        first = f"It is full and starts{starts or ' soon'}; you would be on the waiting list"
    else:
        first = f"It starts{starts}, if full" if starts else "It starts when full"
    closes = known.closes.partition(",")[0].partition(" ")[2]
    open_until = f"; open until {closes}" if closes and not known.starts else ""
    return f"{first}{open_until}."


def _asks(table: OpenTable) -> Iterator[str]:
    if table.reliability:
        yield f"For players who make {table.reliability} % of their moves. "
    if table.bots:
        yield f"{_bots(table)} "
    if table.approve:
        yield "Its gamesmaster takes the players. "


def _bots(table: OpenTable) -> str:
    return (
        "A house bot may play one empty seat."
        if table.bots == 1
        else f"House bots may play {table.bots} empty seats."
    )


def differences(table: OpenTable) -> list[str]:
    """Return how a table differs from the usual, without times."""
    about = shelf.open_ruleset(table.ruleset, table.plan["game"]["tables"]).about
    of_time = {one.name for one in timing(1)}
    given = table.plan["game"]["options"]
    changed = ((one, given.get(one.name, one.default)) for one in about.options)
    return [
        f"{one.about}: {value}"
        for one, value in changed
        if value != one.default and one.name not in of_time
    ]


def _differing(table: OpenTable, room: int) -> str:
    found = differences(table)
    for many in range(len(found), -1, -1):
        more = len(found) - many
        left = f"{counted(more, 'other rule')} than usual" if more else ""
        said = "; ".join(filter(None, [*found[:many], left]))
        if said and (len(said.split()) + 1 <= room or not many):
            return f" Otherwise: {said}."
    return ""


# --- what is told to those who wait ---------------------------------------------------------------


def came(work: Work, table: OpenTable) -> None:
    told = notes.memo(work.conn, _key(table.id))
    last = told.get("told")
    when = max(work.now, datetime.fromisoformat(last) + DAY) if last else work.now
    if other := told.get("until"):
        when = min(when, datetime.fromisoformat(other))
    notes.set_memo(work.conn, _key(table.id), {**told, "until": when.isoformat()})


def begins(work: Work, table: OpenTable, here: Sequence[int]) -> None:
    warns = _warns(table)
    until = warns.isoformat() if warns else ""
    told = {"known": list(here), "told": work.now.isoformat(), "until": until}
    notes.set_memo(work.conn, _key(table.id), told)


def waiting(conn: Connection, now: datetime) -> list[str]:
    """Return tables with something to tell; none while a restore is checked."""
    if notes.memo(conn, notes.RESTORED):
        return []
    return [
        key.removeprefix(_MEMO)
        for key, told in notes.memos(conn, _MEMO).items()
        if told.get("until") and datetime.fromisoformat(told["until"]) <= now
    ]


def due(installation: Installation, scan: Scan) -> None:
    with shared_transaction(installation.engine) as conn:
        found = waiting(conn, scan.now)
    for game_id in found:
        if scan.stopping():
            break
        with installation.shared_work(scan.now, game_id) as work:
            if game_id in waiting(work.conn, work.now):  # and no other daemon has told it
                _tell(work, game_id)


def _tell(work: Work, game_id: str) -> None:
    table = open_tables.joinable(work.conn, game_id)
    if table is None:
        notes.forget_memos(work.conn, _key(game_id))
        return
    told = notes.memo(work.conn, _key(game_id))
    seated, queue = tables.seats_of(table, open_tables.applicants(work.conn, game_id))
    here = [*seated, *queue]
    known, last = set(told.get("known", ())), told.get("told")
    new = [one for one in here if one.id not in known]
    warns = None if told.get("warned") else _warns(table)
    if len(seated) == table.places:
        new, warns = [], None  # they are called, and then mailed their seats
    if warns and warns <= work.now:
        _warn(work, table, here)
        told, last = {**told, "warned": True}, work.now.isoformat()
    elif new and _tell_of(work, table, here, new):
        last = work.now.isoformat()
    later = [warns] if warns and warns > work.now else []
    until = {"until": later[0].isoformat()} if later else {"until": ""}
    kept = {**told, **until, "known": [one.id for one in here], "told": last}
    notes.set_memo(work.conn, _key(game_id), kept)


def _key(game_id: str) -> str:
    return f"{_MEMO}{game_id}"


def _warns(table: OpenTable) -> datetime | None:
    """Return when to warn: a week before it closes, if open then."""
    when = table.closes - WEEK if table.closes else None
    return when if when and when > table.opened else None


def _tell_of(
    work: Work, table: OpenTable, here: Sequence[ApplicantRow], new: Sequence[ApplicantRow]
) -> bool:
    """Tell all who has come. Return whether anybody was told."""
    known = tables.facts(work, table)
    found = [(one, [other for other in new if other.id != one.id]) for one in here]
    for one, others in found:
        if others:
            names = [safe(other.name) for other in others]
            text = tables.said("news", known, names, pass_on(work, known))
            who = "A player has" if known.hidden and len(others) == 1 else f"{listed(names)} has"
            if len(others) > 1:
                who = f"{len(others)} players have"
            tables.tell(work, table, one, "news", f"{who} come", text)
    return any(others for _, others in found)


def _warn(work: Work, table: OpenTable, here: Sequence[ApplicantRow]) -> None:
    known = tables.facts(work, table)
    others = [
        one
        for one in open_tables.listed(work.conn)
        if one.id != table.id and tables.facts(work, one).joined < one.places
    ]
    told = list(offered(work, others[:MOST_OTHERS]))
    for one in here:
        text = tables.said("closing", known, one.name, told, pass_on(work, known))
        tables.tell(work, table, one, "closing", "The table closes in a week", text)


def pass_on(work: Work, known: Facts) -> str:
    return sheet.fenced(tables.said("friend", known, work.mark.address))
