"""A player's record: moves due and missed, seats given up, games finished.

Who misses moves is asked whether they play on (house rule 7).
"""

from collections.abc import Mapping, Sequence

from pbem.games.frame import calendar, house_rules
from pbem.games.frame.events import Seat
from pbem.orders.order import Standing, staying
from pbem.periods import own_page
from pbem.post import alarms
from pbem.post.seats import put_to_seat
from pbem.post.work import Work
from pbem.store.games import games
from pbem.store.games.game_rows import Holder, Tally
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.people import player_records
from pbem.store.schema.states import RecordKind
from pbem.store.schema.tables import FreeSeat, PlayerRecord
from pbem.text import counted


def count_period(work: Work, game: GameAt, standing: Mapping[Seat, Standing]) -> None:
    """Count what was owed and sent. Drop older counts of this and later periods."""
    player_records.take_back(work.conn, game.id, game.period.number)
    rows = []
    for seat in game.ruleset.asked(game.state):
        if seat in game.bots:
            continue
        holder, sent, missed = game.holders[seat], standing.get(seat, {}), 0
        if house_rules.wanted(game.ruleset, game.state, seat):
            silent = house_rules.missed(game.ruleset, game.state, seat, sent)
            rows.append((holder, RecordKind.MISSED if silent else RecordKind.MADE))
            missed = holder.missed + 1 if silent else 0
            if missed != holder.missed:
                games.set_seat(work.conn, game.id, seat, missed=missed)
            if house_rules.asks(missed, game.house):
                ask_to_go_on(work, game, seat, missed)
        if staying(sent) != sent:
            rows.append((holder, RecordKind.LEFT))
        idle = max(game.period.number - holder.heard, missed)
        if house_rules.is_idle(idle, game.house.idle_after):
            key, owing = f"idle:{game.id}:{seat}:{idle}:{game.period.number}", idle == missed
            alarms.say(work, key, "idle", game.id, one=holder, owing=owing, periods=idle)
    add(work, game, rows)


def ask_to_go_on(work: Work, game: GameAt, seat: Seat, missed: int) -> None:
    """Ask, unless it is asked already or free."""
    if game.holders[seat].asked_until or FreeSeat.has(work.conn, game_id=game.id, seat=seat):
        return
    until = calendar.by_when(work.now, game.house.rule("reply_days", 7), game.house, game.zone)
    games.set_seat(work.conn, game.id, seat, asked_until=until)
    notes.note(work.conn, game.id, work.now, "asked", seat=seat, until=until.isoformat())
    key = f"asked:{game.id}:{game.term}:{seat}"
    known = {"missed": missed, "until": game.minute(until)}
    draft = own_page.draft(game, key, "asked", "seat", what="asked", seat=seat, **known)
    put_to_seat(work, game, game.holders[seat], draft)


def count_finished(work: Work, game: GameAt) -> None:
    given_up = PlayerRecord.many(work.conn, game_id=game.id, kind=RecordKind.LEFT)
    left = {(row.seat, row.player_id) for row in given_up}
    finished = [
        (holder, RecordKind.FINISHED)
        for holder in game.holders.values()
        if (holder.seat, holder.player_id) not in left and not holder.bot
    ]
    add(work, game, finished)


def add(work: Work, game: GameAt, kinds: Sequence[tuple[Holder, RecordKind]]) -> None:
    if game.practice:
        return
    number = game.period.number
    for who, kind in kinds:
        if who.player_id is not None:
            player_records.add(work.conn, game.id, number, who.seat, who.player_id, kind)


def tally_in_words(tally: Tally) -> str:
    return (
        f"{counted(tally.due, 'move')} due, {tally.missed} missed;"
        f" {counted(tally.given_up, 'seat')} given up; {counted(tally.finished, 'game')} finished"
    )
