"""Tell of open tables, and tell those who wait.

They hear of newcomers in at most one mail a day, and of a table's closing a week before.

AGAIN: after a game the same people play another, at a table that opens when two want it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

import structlog
from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.games.frame import codec
from pbem.games.frame.events import Seat
from pbem.games.frame.options import timing
from pbem.house import houses, shelf
from pbem.orders.spelling import is_number
from pbem.pages import sheet
from pbem.pages.html import Links
from pbem.periods import issue_mails
from pbem.periods import open_tables as tables
from pbem.periods.open_tables import Facts
from pbem.periods.opening import Plan
from pbem.post import alarms
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat
from pbem.post.work import Installation, Scan, Work
from pbem.store.engine.database import shared_transaction
from pbem.store.games import games, positions
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.joining import open_tables
from pbem.store.joining.open_tables import HERE, ApplicantRow, Rematch
from pbem.store.journal import notes
from pbem.store.people import players
from pbem.store.schema.states import ApplicantState
from pbem.store.schema.tables import OpenTable
from pbem.text import counted, day_words, listed, safe

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
    if table.bots == 1:
        yield "A house bot may play one empty seat. "
    elif table.bots:
        yield f"House bots may play {table.bots} empty seats. "
    if table.approve:
        yield "Its gamesmaster takes the players. "


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


log = structlog.get_logger()
LIVES = timedelta(days=14)
ENOUGH = 2
"""Players who open a table."""
KIND = "rematch"
_LONGEST_ID, _COUNTED = 36, 2


def say(work: Work, at: GameAt, seat: Seat, received: datetime) -> list[str]:
    """Note that a player would play again. Return the answer. His letter is proven."""
    if at.practice:
        return [f"For another practice game, write\u00a0PRACTICE\u00a0{at.game.ruleset}."]
    holder, last = at.holders[seat], _last_day(work, at)
    before = open_tables.rematch(work.conn, at.id)
    table = OpenTable.one(work.conn, id=before.table) if before.table else None
    if received.astimezone(at.zone).date() > last and not (table and table.is_open):
        said_until = f"AGAIN was for the time until {day_words(last)}."
        return [f"{said_until} The word\u00a0GAMES tells what is open."]
    if holder.player_id is None:
        return ["You hold no seat of the game any more, so AGAIN was not taken."]
    his = players.addresses(work.conn, holder.player_id)
    reviews = at.game.publish == "review" and at.game.gamesmaster in his
    if at.game.second in his or reviews:
        return ["You are a gamesmaster of the next game too, so you cannot play in it."]
    if table and table.is_open:
        return [_comes(work, at, table, holder)]
    if table and games.exists(work.conn, table.id):
        text = f"You have played again already: {table.id} has begun."
        if holder.player_id in before.said:
            return [text]
        return [
            f"{table.id}, the next game, has begun. To get on its waiting list, write"
            f"\u00a0SIGNON\u00a0{table.id}."
        ]
    said = {} if table else dict(before.said)  # a table that has closed counts no more
    twice = holder.player_id in said
    said.setdefault(holder.player_id, work.now)
    open_tables.put_rematch(work.conn, Rematch(at.id, said), work.now + LIVES)
    if len(said) >= ENOUGH:
        return [_opens(work, at, said, holder)]
    first = "You have said so already" if twice else "You would play again"
    return [
        f"{first}: {len(said)} of {_number(at)}. A table opens as soon as one more says so. You"
        " are then signed on to it, and mailed."
    ]


def offer(work: Work, at: GameAt) -> list[str]:
    """Ask for AGAIN as long as it is taken."""
    last = _last_day(work, at)
    if at.practice or work.now.astimezone(at.zone).date() > last:
        return []
    return [issue_mails.AGAIN.format(when=f"by {day_words(last)}")]


def _last_day(work: Work, at: GameAt) -> date:
    kinds = ("over", "ended")
    found = [when for kind in kinds for when, _ in notes.moments(work.conn, at.id, kind)]
    return (max(found, default=work.now) + LIVES).astimezone(at.zone).date()


def _number(at: GameAt) -> int:
    return len({one.player_id for one in at.holders.values() if one.player_id is not None})


# --- the table ------------------------------------------------------------------------------------


def _opens(work: Work, at: GameAt, said: dict[int, datetime], last: Holder) -> str:
    until, wanted = work.now + LIVES, _wanted(work, at)
    try:
        tables.open_(work, wanted)
    except OperatorError as error:
        log.warning("no table", game=at.id, error=str(error))
        text = f"{len(said)} players of {at.id} would play again, but no table opens: {error}"
        alarms.tell(work, f"{KIND}:{at.id}", f"no table after {at.id}", text, at.id)
        return "The table could not be opened. The gamesmaster is told, and writes to you."
    table_id = wanted.plan.id
    open_tables.put_rematch(work.conn, Rematch(at.id, said, table_id), until)
    notes.note(work.conn, at.id, work.now, "again", table=table_id)
    table = tables.joinable(work, table_id)
    here = {one.player_id: one for one in at.holders.values() if one.player_id in said}
    come = {who: _signs_on(work, table, here[who], said[who]) for who in said if who in here}
    begins(work, table, [one.id for one in come.values()])
    for who, one in come.items():
        if who != last.player_id:
            text = (
                f"You wanted to play again after {at.id}, and somebody else does too."
                f" {_place(work, table, one.id)} The others are asked.\n"
            )
            tables.tell(work, table, one, KIND, "You play again", text)
    _ask_others(work, at, table, [here[who] for who in come], until)
    text = f"{table_id} is open, because {len(come)} players of {at.id} would play again."
    tables.tell_gamesmaster(work, table, KIND, f"the table {table_id} is open", text)
    number = come[last.player_id or 0].id
    return f"That makes {len(come)} of {_number(at)}. {_place(work, table, number)}"


def _wanted(work: Work, at: GameAt) -> tables.Wanted:
    row, key = games.game(work.conn, at.id), at.game.ruleset
    usual = codec.plain(shelf.rulebook(key).tables)
    changed = {
        name: one
        for name, one in positions.tables(work.conn, at.id).items()
        if usual.get(name) != one
    }
    names = {one.name for one in at.ruleset.about.options}
    former = OpenTable.one(work.conn, id=at.id)
    plan = Plan(
        _free_id(work, at.id),
        key,
        (),
        row.zone,
        row.trust,
        row.late,
        row.publish,
        {name: value for name, value in row.options.items() if name in names},
        {**row.scenario, **({"tables": changed} if changed else {})},
        gamesmaster=row.gamesmaster or None,
        second=row.second or None,
        pace=at.house.pace if at.house.pace in houses.paces() else None,
    )
    own_days = tuple(one for one in at.house.holidays if len(one) == _COUNTED)
    asks: dict[str, Any] = {}
    if former:
        names_ = ("approve", "reliability", "bots")
        asks = {name: getattr(former, name) for name in names_}
    return tables.Wanted(plan, len(at.seats), house=replace(at.house, holidays=own_days), **asks)


def _free_id(work: Work, game_id: str) -> str:
    """Return a free id, as autumn-2."""
    name, _, number = game_id.rpartition("-")
    counted = bool(name) and is_number(number) and len(number) <= _COUNTED
    base, n = (name, int(number) + 1) if counted else (game_id, 2)
    while True:
        found = f"{base[:_LONGEST_ID]}-{n}"
        if not (games.exists(work.conn, found) or OpenTable.one(work.conn, id=found)):
            return found
        n += 1


def _signs_on(work: Work, table: OpenTable, holder: Holder, came: datetime) -> ApplicantRow:
    found = open_tables.of_address(work.conn, table.id, holder.address, holder.player_id)
    one = open_tables.ask(
        work.conn,
        ApplicantState.SIGNED,
        game_id=table.id,
        address=found.address if found else holder.address,
        name=players.name(work.conn, holder.player_id or 0),
        player_id=holder.player_id,
        place=open_tables.next_place(work.conn, table.id),
        wishes=[],
        through="",
        came=came,
        until=None,
        code_hash="",
    )
    notes.note(work.conn, table.id, work.now, "table-joined", applicant=one.id)
    OpenTable.change(work.conn, {"id": table.id}, next_look=work.now)
    return one


def _comes(work: Work, at: GameAt, table: OpenTable, holder: Holder) -> str:
    found = open_tables.of_address(work.conn, table.id, holder.address, holder.player_id)
    if found and found.state in HERE:
        return f"You have said so already. {_place(work, table, found.id)}"
    one = _signs_on(work, table, holder, work.now)
    came(work, table)
    return f"You play again. {_place(work, table, one.id)}"


def _place(work: Work, table: OpenTable, number: int) -> str:
    known, place = tables.facts(work, table), tables.place_of(work, table, number)
    if not place:
        return f"You have signed on to {table.id}, and its gamesmaster decides."
    seat = (
        f"You have a seat in {table.id}: {known.joined} of {table.places} players are there."
        if place <= table.places
        else f"{table.id} is full: you are number {place - table.places} on its waiting list."
    )
    return f"{seat} It begins when it is full. To leave, write\u00a0SIGNOFF\u00a0{table.id}."


# --- what is mailed -------------------------------------------------------------------------------


def _ask_others(
    work: Work, at: GameAt, table: OpenTable, come: list[Holder], until: datetime
) -> None:
    known = tables.facts(work, table)
    who = listed(at.player(one.seat, over=True) for one in come)
    who = f"{len(come)} of you" if known.hidden else who
    text = (
        f"The game {at.id} ({known.title}) is over, and {who} would play again. The table"
        f" {table.id} is open: the same rules and pace, and a new draw of the seats."
        f" {known.joined} of {known.places} players are there.\n\nWould you like to play too?"
        " Answer this mail with"
        f" the one word\u00a0AGAIN by {day_words(until.astimezone(at.zone).date())}. If not, do"
        " nothing."
    )
    subject = f"[{at.id}] {who} would play again: you too?"
    told = {one.player_id for one in come}
    for holder in at.holders.values():
        if holder.player_id is not None and holder.player_id not in told:
            told.add(holder.player_id)
            key = f"{KIND}:{at.id}:{table.id}:{holder.seat}"
            put_to_seat(work, at, holder, Draft(key, "rematch", subject, text, again=""))
