"""AGAIN: after a game the same people play another, at a table that opens when two want it."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

import structlog

from pbem.errors import OperatorError
from pbem.games.frame import codec
from pbem.games.frame.events import Seat
from pbem.house import houses, shelf
from pbem.orders.spelling import is_number
from pbem.periods import issue_mails, own_page
from pbem.periods import open_tables as tables
from pbem.periods.opening import Plan
from pbem.post import alarms
from pbem.post.seats import put_to_seat
from pbem.post.work import Work
from pbem.store.games import games, positions
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.joining import open_tables
from pbem.store.joining.open_tables import HERE, ApplicantRow
from pbem.store.journal import notes
from pbem.store.people import players
from pbem.store.schema.tables import OpenTable, Rematch
from pbem.text import day_words, listed

log = structlog.get_logger()
LIVES = timedelta(days=14)
ENOUGH = 2
"""Players who open a table."""
KIND = "rematch"
_LONGEST_ID, _COUNTED = 36, 2


def say(work: Work, game: GameAt, seat: Seat, received: datetime) -> list[str]:
    """Note that a player would play again. Return the answer. Their letter is proven."""
    if game.practice:
        return [f"For another practice game, write\u00a0PRACTICE\u00a0{game.row.ruleset}."]
    holder, last = game.holders[seat], _last_day(work, game)
    before = Rematch.many(work.conn, game_id=game.id)
    opened = next((row.table_id for row in before if row.table_id), "")
    table = OpenTable.one(work.conn, id=opened) if opened else None
    if received.astimezone(game.zone).date() > last and not (table and table.is_open):
        said_until = f"AGAIN was for the time until {day_words(last)}."
        return [f"{said_until} The word\u00a0GAMES tells what is open."]
    if holder.player_id is None:
        return ["You hold no seat of the game any more, so AGAIN was not taken."]
    addresses = players.addresses(work.conn, holder.player_id)
    reviews = game.row.publish == "review" and game.row.gamesmaster in addresses
    if game.row.second in addresses or reviews:
        return ["You are a gamesmaster of the next game too, so you cannot play in it."]
    if table and table.is_open:
        return [_comes(work, game, table, holder)]
    if table and games.exists(work.conn, table.id):
        text = f"You have played again already: {table.id} has begun."
        if any(row.player_id == holder.player_id for row in before):
            return [text]
        return [
            f"{table.id}, the next game, has begun. To get on its waiting list, write"
            f"\u00a0SIGNON\u00a0{table.id}."
        ]
    if table:  # it has closed, and counts no more
        Rematch.drop(work.conn, game_id=game.id)
    twice = not Rematch.try_add(
        work.conn, game_id=game.id, player_id=holder.player_id, said=work.now
    )
    willing = {row.player_id: row.said for row in Rematch.many(work.conn, game_id=game.id)}
    if len(willing) >= ENOUGH:
        return [_opens(work, game, willing, holder)]
    first = "You have said so already" if twice else "You would play again"
    return [
        f"{first}: {len(willing)} of {_number(game)}. A table opens as soon as one more says so."
        " You are then signed on to it, and mailed."
    ]


def offer(work: Work, game: GameAt) -> list[str]:
    """Ask for AGAIN as long as it is taken."""
    last = _last_day(work, game)
    if game.practice or work.now.astimezone(game.zone).date() > last:
        return []
    return [issue_mails.AGAIN.format(when=f"by {day_words(last)}")]


def _last_day(work: Work, game: GameAt) -> date:
    kinds = ("over", "ended")
    found = [when for kind in kinds for when, _ in notes.moments(work.conn, game.id, kind)]
    return (max(found, default=work.now) + LIVES).astimezone(game.zone).date()


def _number(game: GameAt) -> int:
    return len({one.player_id for one in game.holders.values() if one.player_id is not None})


def _opens(work: Work, game: GameAt, willing: dict[int, datetime], last: Holder) -> str:
    until, wanted = work.now + LIVES, _wanted(work, game)
    try:
        tables.open_(work, wanted)
    except OperatorError as error:
        log.warning("no table", game=game.id, error=str(error))
        text = f"{len(willing)} players of {game.id} would play again, but no table opens: {error}"
        alarms.tell(work, f"{KIND}:{game.id}", f"no table after {game.id}", text, game.id)
        return "The table could not be opened. The gamesmaster is told, and writes to you."
    table_id = wanted.plan.id
    Rematch.change(work.conn, {"game_id": game.id}, table_id=table_id)
    notes.note(work.conn, game.id, work.now, "again", table=table_id)
    table = tables.joinable(work, table_id)
    here = {one.player_id: one for one in game.holders.values() if one.player_id in willing}
    come = {who: _signs_on(work, table, here[who], willing[who]) for who in willing if who in here}
    tables.told_of(work, table, [one.id for one in come.values()])
    for who, applicant in come.items():
        if who != last.player_id:
            text = (
                f"You wanted to play again after {game.id}, and somebody else does too."
                f" {_place(work, table, applicant.id)} The others are asked.\n"
            )
            tables.tell(work, table, applicant, KIND, "You play again", text)
    _ask_others(work, game, table, [here[who] for who in come], until)
    text = f"{table_id} is open, because {len(come)} players of {game.id} would play again."
    tables.tell_gamesmaster(work, table, KIND, f"the table {table_id} is open", text)
    number = come[last.player_id or 0].id
    return f"That makes {len(come)} of {_number(game)}. {_place(work, table, number)}"


def _wanted(work: Work, game: GameAt) -> tables.Wanted:
    row, key = games.game(work.conn, game.id), game.row.ruleset
    usual = codec.plain(shelf.rulebook(key).tables)
    changed = {
        name: one
        for name, one in positions.tables(work.conn, game.id).items()
        if usual.get(name) != one
    }
    names = {one.name for one in game.ruleset.about.options}
    former = OpenTable.one(work.conn, id=game.id)
    plan = Plan(
        _free_id(work, game.id),
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
        pace=game.house.pace if game.house.pace in houses.paces() else None,
    )
    own_days = tuple(one for one in game.house.holidays if len(one) == _COUNTED)
    asks: dict[str, Any] = {}
    if former:
        names_ = ("approve", "reliability", "bots")
        asks = {name: getattr(former, name) for name in names_}
    return tables.Wanted(
        plan, len(game.seats), house=replace(game.house, holidays=own_days), **asks
    )


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
    person: dict[str, Any] = {
        "address": found.address if found else holder.address,
        "name": players.name(work.conn, holder.player_id or 0),
        "player_id": holder.player_id,
        "wishes": [],
        "through": "",
    }
    return tables.signs_on(work, table, came, known=True, **person)


def _comes(work: Work, game: GameAt, table: OpenTable, holder: Holder) -> str:
    found = open_tables.of_address(work.conn, table.id, holder.address, holder.player_id)
    if found and found.state in HERE:
        return f"You have said so already. {_place(work, table, found.id)}"
    one = _signs_on(work, table, holder, work.now)
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


def _ask_others(
    work: Work, game: GameAt, table: OpenTable, come: list[Holder], until: datetime
) -> None:
    known = tables.facts(work, table)
    names = listed(game.player(one.seat, over=True) for one in come)
    names = f"{len(come)} of you" if known.hidden else names
    last = day_words(until.astimezone(game.zone).date())
    told = {one.player_id for one in come}
    for holder in game.holders.values():
        if holder.player_id is not None and holder.player_id not in told:
            told.add(holder.player_id)
            key = f"{KIND}:{game.id}:{table.id}:{holder.seat}"
            draft = own_page.draft(game, key, KIND, "again", names=names, table=known, last=last)
            put_to_seat(work, game, holder, replace(draft, again=""))
