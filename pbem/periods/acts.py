"""The gamesmaster's acts: each names game and period, is journalled, and is shown to those
concerned.

Every act takes the period it is meant for and refuses another, so that a command that was typed
before a deadline never works after it.
"""

from __future__ import annotations

from dataclasses import replace as changed
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from pbem.errors import OperatorError
from pbem.games.frame import calendar, codec, readiness
from pbem.games.frame.adjudication import adjudicate as play_period
from pbem.games.frame.adjudication import canonical, take
from pbem.games.frame.calendar import Deadline, Move
from pbem.games.frame.length import LONGEST, Elapsed, Length
from pbem.games.frame.readiness import Said
from pbem.letters import openpgp
from pbem.orders.order import staying
from pbem.pages import bulletin
from pbem.periods import closing, formation, opening, publishing
from pbem.post.compose import Postmark
from pbem.store import games, notes, order_sets, periods, players, templates
from pbem.store.budget import Budget
from pbem.store.games import Table
from pbem.store.records import Address, Bulletin, OrderSet, Period
from pbem.store.records import Seat as SeatRecord
from pbem.store.states import GameState, NoteKind, PeriodState


def guarded(conn: Connection, game_id: str, number: int | None, *statuses: str) -> Table:
    """The game at its current period; raises OperatorError if that is another than ``number``, or
    in another status."""
    at = games.table(conn, game_id)
    if at.game.status not in (GameState.RUNNING, GameState.HELD):
        raise OperatorError(f"game {game_id} is {at.game.status}")
    if number is not None and number != at.period.number:
        raise OperatorError(
            f"game {game_id} is in period {at.period.number}, not {number}; nothing was done"
        )
    if statuses and at.period.status not in statuses:
        raise OperatorError(
            f"period {at.period.number} of {game_id} is {at.period.status}; this needs"
            f" {' or '.join(statuses)}"
        )
    return at


def known(at: Table, seat: str) -> None:
    """Raises OperatorError where the game has no such seat."""
    if seat not in at.seats:
        raise OperatorError(
            f"there is no seat {seat!r} in {at.id}; the seats are {', '.join(at.seats)}"
        )


def extend(
    conn: Connection,
    mark: Postmark,
    game_id: str,
    number: int | None,
    by: Length,
    why: str,
    now: datetime,
    *,
    kind: str = "extension",
) -> Table:
    """Move the deadline by whole days, or by the minutes of a game that counts them; everybody is
    told the sum."""
    at = guarded(conn, game_id, number, PeriodState.OPEN)
    old = publishing.deadline_of(at)
    if old is None:
        raise OperatorError(f"period {at.period.number} of {game_id} has no deadline to move")
    if not by:
        raise OperatorError(f"{by} move no deadline")
    if isinstance(by, Elapsed) != at.house.elapsed:
        wanted = "hours or minutes, as 30 minutes" if at.house.elapsed else "whole days, as 3"
        raise OperatorError(f"the deadlines of {game_id} move by {wanted}, not by {by}")
    if kind == "extension" and abs(by.time) > timedelta(days=LONGEST):
        raise OperatorError(
            f"{by} are more than a year; to stop the clock for longer: `pbem hold {game_id}`"
        )
    moved = calendar.moved(old, [Move(kind, by, why)], at.house, at.zone)
    if moved.due <= now:
        raise OperatorError(
            f"that deadline ({moved.due:%Y-%m-%d %H:%M} UTC) has passed; to close now: `pbem close`"
        )
    return _new_deadline(conn, mark, at, moved, f"{by.signed}, {kind}: {why}", now)


def pause(
    conn: Connection,
    mark: Postmark,
    game_id: str,
    number: int | None,
    first: str,
    last: str,
    why: str,
    now: datetime,
) -> Table:
    """No deadline of this game falls from ``first`` to ``last`` (YYYY-MM-DD): a holiday in its own
    house rules, which moves the current deadline where it lies between them."""
    days = calendar.span(first, last)
    at = guarded(conn, game_id, number)
    if at.house.elapsed:
        raise OperatorError(
            f"the periods of {game_id} are counted in hours and minutes, on any day; to stop its"
            f" clock: `pbem hold {game_id}`"
        )
    house = changed(
        at.house, holidays=(*at.house.holidays, (days[0].isoformat(), days[1].isoformat()))
    )
    games.set_game(conn, game_id, house=codec.dump(house))
    said = f"no deadline falls from {days[0]:%d %B %Y} to {days[1]:%d %B %Y} ({why})"
    notes.note(conn, game_id, now, "pause", first=first, last=last, why=why)
    at = games.table(conn, game_id)
    old = publishing.deadline_of(at)
    moved = calendar.moved(old, (), at.house, at.zone) if old else None
    if moved is not None and at.period.status == PeriodState.OPEN and moved.due != at.period.due:
        return _new_deadline(conn, mark, at, moved, said, now)
    notes.rule(conn, game_id, NoteKind.HOUSE, f"A pause: {said}.", now)
    key = f"pause:{game_id}:{first}:{last}:{now:%Y%m%d%H%M%S}"
    publishing.to_all(
        conn, mark, at, key, "pause", f"[{game_id}] A pause", f"A pause: {said}.\n", now
    )
    return at


def _new_deadline(
    conn: Connection, mark: Postmark, at: Table, moved: Deadline, why: str, now: datetime
) -> Table:
    """The deadline's row, the journal, the next bulletin and everybody: the sum."""
    periods.set_period(
        conn,
        at.id,
        at.period.number,
        due=moved.due,
        moves=[move.json() for move in moved.moves],
        next_look=calendar.next_look(now, moved.due, at.period.phase, at.house, at.zone),
    )
    notes.note(
        conn, at.id, now, "deadline", period=at.period.number, why=why, due=moved.due.isoformat()
    )
    notes.rule(
        conn,
        at.id,
        NoteKind.CLOCK,
        f"The deadline of period {at.period.number} was moved: {why}.",
        now,
    )
    at = games.table(conn, at.id)
    lines = "\n".join(moved.explained(at.house.hour, at.zone))
    text = (
        f"The deadline of period {at.period.number} ({at.period.phase}) has been"
        f" moved.\n\n{lines}\n"
    )
    key = f"deadline:{at.id}:{at.period.number}:{len(moved.moves)}:{moved.due:%Y%m%d}"
    subject = f"[{at.id}] New deadline: {publishing.deadline_text(at)}"
    publishing.to_all(conn, mark, at, key, "deadline", subject, text, now)
    return at


def close(
    conn: Connection, mark: Postmark, game_id: str, number: int | None, now: datetime
) -> Table:
    """Close the period now and adjudicate it."""
    at = guarded(conn, game_id, number, PeriodState.OPEN)
    if at.game.status == GameState.HELD:
        raise OperatorError(
            f"game {game_id} is held ({at.game.held_because}); `pbem resume {game_id}` first"
        )
    notes.note(conn, game_id, now, "closed-by-hand", period=at.period.number)
    notes.rule(
        conn,
        game_id,
        NoteKind.CLOCK,
        "This period was closed by the gamesmaster before its deadline.",
        now,
    )
    periods.set_state(conn, game_id, at.period.number, PeriodState.CLOSING)
    closing.adjudicate(conn, mark, games.table(conn, game_id), now)
    return games.table(conn, game_id)


def hold(conn: Connection, mark: Postmark, game_id: str, why: str, now: datetime) -> None:
    """Stop the game's clock; orders are still taken."""
    at = guarded(conn, game_id, None)
    if at.game.status == GameState.HELD:
        raise OperatorError(f"game {game_id} is held already: {at.game.held_because}")
    games.hold(conn, game_id, why, now)
    notes.note(conn, game_id, now, "hold", why=why)
    notes.rule(
        conn,
        game_id,
        NoteKind.HOUSE,
        f"The game was held on {now.astimezone(at.zone):%d %B %Y}: {why}.",
        now,
    )
    text = (
        f"The game is held: {why}\n\nOrders are still taken. You will be told when it goes on, with"
        " the new deadline.\n"
    )
    publishing.to_all(
        conn,
        mark,
        at,
        f"hold:{game_id}:{now:%Y%m%d%H%M%S}",
        "hold",
        f"[{game_id}] The game is held",
        text,
        now,
    )


def resume(conn: Connection, mark: Postmark, game_id: str, now: datetime) -> Table:
    """Let the clock run on: the deadline moves by the whole days (or minutes) the game was held, at
    the least into the future."""
    at = games.table(conn, game_id)
    if at.game.status != GameState.HELD:
        raise OperatorError(f"game {game_id} is {at.game.status}, not held")
    games.goes_on(conn, game_id, now)
    if at.game.restored_to is not None and at.game.restored_until is None:
        _tell_restored(conn, mark, at, at.game.restored_to, now)
    notes.note(conn, game_id, now, "resume")
    notes.rule(
        conn,
        game_id,
        NoteKind.HOUSE,
        f"The game went on on {now.astimezone(at.zone):%d %B %Y}.",
        now,
    )
    if at.period.due is None or at.period.status != PeriodState.OPEN:
        return _goes_on(conn, mark, game_id, now)
    held_at = at.game.held_at or now
    by = calendar.after_hold(at.period.due, held_at, now, at.house, at.zone)
    if by:
        return extend(
            conn,
            mark,
            game_id,
            None,
            by,
            f"the game was held: {at.game.held_because}",
            now,
            kind="pause",
        )
    return _goes_on(conn, mark, game_id, now)


def _tell_restored(
    conn: Connection, mark: Postmark, at: Table, to: datetime, now: datetime
) -> None:
    """Everybody reads to which period a backup brought the game back: he may know later ones."""
    until = f"{to.astimezone(at.zone):%A %d %B %Y, %H:%M} {at.game.zone}"
    text = (
        "The referee's database was lost and came back from a backup, which knows the game until"
        f" {until}. It is in period {at.period.number} ({at.period.phase}) again; bulletins after"
        f" number {at.period.number - 1} do not count.\n\nLetters that came after the backup were"
        " found in the mailbox. Whoever wrote one is told what became of it; a letter of which it"
        " is not plain that it is for this period is held. From now on letters count as always.\n"
    )
    key, subject = (
        f"restored:{at.id}:{now:%Y%m%d%H%M%S}",
        f"[{at.id}] The game came back from a backup",
    )
    publishing.to_all(conn, mark, at, key, "restored", subject, text, now)


def _goes_on(conn: Connection, mark: Postmark, game_id: str, now: datetime) -> Table:
    """A game resumed with the deadline it had: everybody was promised to be told."""
    at = games.table(conn, game_id)
    deadline = publishing.deadline_text(at)
    text = (
        "The game goes on."
        f" {f'The deadline stays: {deadline}' if deadline else 'This period has no deadline'}.\n"
    )
    key = f"resume:{game_id}:{now:%Y%m%d%H%M%S}"
    publishing.to_all(conn, mark, at, key, "resume", f"[{game_id}] The game goes on", text, now)
    return at


def fair(conn: Connection, mark: Postmark, game_id: str) -> None:
    """A gamesmaster who plays looks at nothing his seat may not see; raises OperatorError where he
    would."""
    theirs = select(SeatRecord.seat).join(Address, Address.player_id == SeatRecord.player_id)
    where = (SeatRecord.game_id == game_id, Address.address == mark.gamesmaster.lower())
    seat = conn.execute(theirs.where(*where)).scalar()
    if seat is not None and games.game(conn, game_id).status != GameState.OVER:
        raise OperatorError(
            f"you play {seat} in {game_id}: no preview and no look at others' orders until it is"
            " over"
        )


def preview(conn: Connection, mark: Postmark, game_id: str, now: datetime) -> tuple[str, list[str]]:
    """The bulletin as it would be if the period closed now, and the seats that still owe something;
    nothing of it is stored, but that it was looked at is in the journal and the next bulletin."""
    at = guarded(conn, game_id, None)
    fair(conn, mark, game_id)
    if not any("a preview of period" in note.text for note in notes.unprinted(conn, game_id)):
        notes.rule(
            conn,
            game_id,
            NoteKind.HOUSE,
            f"The gamesmaster has seen a preview of period {at.period.number}.",
            now,
        )
    notes.note(conn, game_id, now, "preview", period=at.period.number)
    budget = Budget(mark.seconds * closing.ADJUDICATION, f"the preview of game {game_id}")
    if at.period.status == PeriodState.REVIEW:
        with budget:
            return waiting_bulletin(conn, at), []
    standing = order_sets.all_standing(conn, at)
    position = formation.position(conn, at, now)
    missing = [seat for seat in at.seats if at.ruleset.due(at.state, seat, standing.get(seat, {}))]
    with budget:
        outcome = play_period(at.ruleset, position, standing, at.dice())
        issue = templates.issue(
            at.ruleset,
            outcome.state,
            at.seats,
            at.period.number,
            at.period.phase,
            outcome.events,
            {"game": at.id, "house": ["PREVIEW: nothing of this is stored or sent."]},
        )
        return bulletin.bulletin(templates.environment(), issue), missing


def waiting_bulletin(conn: Connection, at: Table) -> str:
    """The bulletin that waits for its release."""
    number = at.period.number - 1
    closed = conn.execute(
        select(Period.phase, Period.events).where(Period.game_id == at.id, Period.number == number)
    ).one()
    house_frame = publishing.frame(conn, at, number)
    return publishing.texts(at, number, closed.phase, periods.events(closed.events), house_frame)[
        ""
    ]


def release(
    conn: Connection, mark: Postmark, game_id: str, number: int | None, now: datetime
) -> None:
    """Publish the bulletin that waits in review; the next period begins now."""
    at = guarded(conn, game_id, None, PeriodState.REVIEW)
    if number is not None and number != at.period.number - 1:
        raise OperatorError(
            f"the bulletin that waits in {game_id} is number {at.period.number - 1}, not {number}"
        )
    notes.note(conn, game_id, now, "release", bulletin=at.period.number - 1)
    closing.release(conn, mark, at, now)


def order(
    conn: Connection, game_id: str, number: int | None, seat: str, text: str, now: datetime
) -> Any:
    """Orders on a seat's behalf, checked as if the seat had sent them; the seat's next bulletin
    says so."""
    at = guarded(conn, game_id, number, PeriodState.OPEN)
    known(at, seat)
    last = order_sets.last_set(conn, at.id, at.period.number, seat)
    taken = take(at.ruleset, at.state, seat, text, order_sets.orders_of(at, last))
    said = readiness.after_orders(readiness.of(last))
    order_sets.save_orders(conn, at, seat, taken.standing, last, said=said, letter_id=None, now=now)
    notes.note(
        conn,
        game_id,
        now,
        "orders-on-behalf",
        period=at.period.number,
        seat=seat,
        orders=canonical(taken.standing),
    )
    notes.rule(
        conn,
        game_id,
        NoteKind.ORDERS,
        f"The gamesmaster entered orders for {seat} in this period.",
        now,
    )
    return taken


def ruling(conn: Connection, game_id: str, text: str, now: datetime) -> None:
    """A ruling for the next bulletin."""
    guarded(conn, game_id, None)
    if not text.strip():
        raise OperatorError("a ruling without a word; write what the next bulletin is to say")
    notes.rule(conn, game_id, NoteKind.RULING, text, now)
    notes.note(conn, game_id, now, "ruling", text=text)


def replace(
    conn: Connection,
    mark: Postmark,
    game_id: str,
    seat: str,
    address: str,
    name: str,
    why: str,
    now: datetime,
) -> None:
    """Another player takes the seat: new reply token, the start mail, the last bulletin and notice;
    all are told."""
    at = guarded(conn, game_id, None)
    known(at, seat)
    player_id = players.player(conn, address, name, now)
    text = f"You no longer hold {seat} in game {game_id}: {why}.\n\nThank you for having played.\n"
    key, subject = (
        f"replaced:{game_id}:{seat}:{at.holders[seat].token_no}",
        f"[{game_id}] {seat} has a new player",
    )
    publishing.put_to_seat(conn, mark, at, at.holders[seat], key, "replaced", subject, text, now)
    number = at.holders[seat].token_no + 1
    fresh = {"missed": 0, "asked_until": None, "heard": at.period.number, "quits": None}
    games.set_seat(conn, game_id, seat, player_id=player_id, **fresh)
    opening.set_token(conn, mark, game_id, seat, number)
    notes.note(conn, game_id, now, "replaced", seat=seat, why=why)
    notes.rule(
        conn,
        game_id,
        NoteKind.HOUSE,
        f"{seat} has a new player: {name or 'a stand-by'} ({why}).",
        now,
    )
    at = games.table(conn, game_id)
    _hand_over(conn, at, seat, now)
    publishing.start_mail(conn, mark, at, at.holders[seat], now)
    brief(conn, mark, at, seat, now)


def _hand_over(conn: Connection, at: Table, seat: str, now: datetime) -> None:
    """What stands for the seat is its new player's to change, but for what only its writer could
    mean: RESIGN, READY, WAIT."""
    last = order_sets.last_set(conn, at.id, at.period.number, seat)
    stood = order_sets.orders_of(at, last)
    if staying(stood) != stood or readiness.of(last) is not Said.NOTHING:
        order_sets.save_orders(
            conn, at, seat, staying(stood), last, said=Said.NOTHING, letter_id=None, now=now
        )


def brief(conn: Connection, mark: Postmark, at: Table, seat: str, now: datetime) -> None:
    """Mail a seat the newest bulletin and its own newest notice again."""
    last = at.period.number - 1 if at.period.status != PeriodState.REVIEW else at.period.number - 2
    rows = conn.execute(
        select(Bulletin.seat, Bulletin.text, Bulletin.edition)
        .where(Bulletin.game_id == at.id, Bulletin.number == last, Bulletin.seat.in_(("", seat)))
        .order_by(Bulletin.edition)
    ).all()
    if rows:
        made = {row.seat: row.text for row in rows}
        publishing.mail_issue(conn, mark, at, at.holders[seat], last, rows[-1].edition, made, now)


def rotate(conn: Connection, mark: Postmark, game_id: str, seat: str, now: datetime) -> None:
    """A new secret reply address for a seat; its next mail carries it."""
    at = guarded(conn, game_id, None)
    known(at, seat)
    opening.set_token(conn, mark, game_id, seat, at.holders[seat].token_no + 1)
    notes.note(conn, game_id, now, "token-rotated", seat=seat)


def change_address(conn: Connection, old: str, new: str, now: datetime) -> None:
    """A player's new address of record; the old one stays registered. What once came back from the
    new one is forgotten."""
    old, new = old.strip().lower(), players.mail_address(new)
    row = conn.execute(select(Address.__table__).where(Address.address == old)).first()
    if row is None:
        raise OperatorError(f"nobody is registered under {old}")
    if conn.execute(
        select(Address.address).where(Address.address == new, Address.player_id != row.player_id)
    ).first():
        raise OperatorError(f"{new} belongs to another player")
    conn.execute(update(Address).where(Address.player_id == row.player_id).values(of_record=False))
    if players.works(conn, new):
        conn.execute(update(Address).where(Address.address == new).values(of_record=True))
    else:
        conn.execute(
            insert(Address).values(
                address=new,
                player_id=row.player_id,
                of_record=True,
                soft_bounces=0,
                hard_bounces=0,
                last_bounce="",
                pgp_key="",
            )
        )
    for game_id in games.games_of(conn, row.player_id):
        notes.note(conn, game_id, now, "address-changed", player=row.player_id)


def address_works(conn: Connection, address: str, now: datetime) -> None:
    """Mail to an address arrives again: what came back from it is forgotten."""
    address = address.strip().lower()
    if not players.works(conn, address):
        raise OperatorError(f"nobody is registered under {address}")
    player_id = conn.execute(
        select(Address.player_id).where(Address.address == address)
    ).scalar_one()
    for game_id in games.games_of(conn, player_id):
        notes.note(conn, game_id, now, "address-works", player=player_id)


def register_key(conn: Connection, address: str, key: str, now: datetime) -> str:
    """A player's OpenPGP public key; its fingerprint. Raises OperatorError where it is none."""
    fingerprint = openpgp.fingerprint(key)
    player = select(Address.player_id).where(Address.address == address.strip().lower())
    player_id = conn.execute(player).scalar()
    if player_id is None:
        raise OperatorError(f"nobody is registered under {address}")
    conn.execute(update(Address).where(Address.player_id == player_id).values(pgp_key=key))
    for game_id in games.games_of(conn, player_id):
        notes.note(conn, game_id, now, "key-registered", player=player_id, fingerprint=fingerprint)
    return fingerprint


def rewind(
    conn: Connection, mark: Postmark, game_id: str, number: int, why: str, now: datetime
) -> Table:
    """Adjudicate a published period again, on the orders now on file for it. What came after is
    taken back; orders already sent for the period that follows are tried anew; rulings and notes
    stand. A corrected bulletin and corrected notices say what changed."""
    at = games.table(conn, game_id)
    if not 1 <= number < at.period.number:
        raise OperatorError(
            f"game {game_id} is in period {at.period.number}; rewind to one of 1 to"
            f" {at.period.number - 1}"
        )
    notes.note(conn, game_id, now, "rewind", to=number, why=why)
    notes.take_back_notes(
        conn, game_id, number, at.period.number - (at.period.status == PeriodState.REVIEW)
    )
    kept = {seat: order_sets.last_set(conn, game_id, number + 1, seat) for seat in at.seats}
    conn.execute(delete(Period).where(Period.game_id == game_id, Period.number > number))
    conn.execute(delete(OrderSet).where(OrderSet.game_id == game_id, OrderSet.period > number))
    periods.set_state(conn, game_id, number, PeriodState.CLOSING)
    games.set_game(conn, game_id, period=number)
    games.goes_on(conn, game_id, now)
    _count_missed_before(conn, at, number)
    notes.rule(
        conn,
        game_id,
        NoteKind.HOUSE,
        f"CORRECTED: period {number} was adjudicated again: {why}",
        now,
    )
    closing.adjudicate(conn, mark, games.table(conn, game_id), now)
    at = games.table(conn, game_id)
    for seat, row in kept.items():
        if (
            row
            and at.period.status in (PeriodState.OPEN, PeriodState.REVIEW)
            and at.ruleset.result(at.state) is None
        ):
            taken = take(at.ruleset, at.state, seat, "\n".join(row.orders), {})
            said = readiness.after_orders(readiness.of(row))  # the position may be another now
            order_sets.save_orders(
                conn, at, seat, taken.standing, None, said=said, letter_id=row.letter_id, now=now
            )
    return at


def _count_missed_before(conn: Connection, at: Table, number: int) -> None:
    """Moves missed in a row as they were counted before period ``number``, which is about to be
    counted again."""
    for seat, holder in at.holders.items():
        missed = 0
        for earlier in (games.table(conn, at.id, n) for n in range(number - 1, 0, -1)):
            if earlier.ruleset.due(earlier.state, seat, {}):
                if order_sets.standing(conn, earlier, seat):
                    break
                missed += 1
        games.set_seat(conn, at.id, seat, missed=min(missed, holder.missed))
