"""The gamesmaster's acts: each names game and period, is journalled, and is shown to those concerned.

Every act takes the period it is meant for and refuses another, so that a command that was typed before a deadline never
works after it.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from pbem import bulletin, closing, interregnum, period, publishing, render, setting_up, store
from pbem.adjudication import adjudicate as play_period
from pbem.adjudication import canonical, take
from pbem.errors import OperatorError
from pbem.mailing import Postmark
from pbem.period import CLOSING, OPEN, REVIEW, Move
from pbem.records import Address, Bulletin, OrderSet, Period
from pbem.store import Table


def guarded(conn: Connection, game_id: str, number: int | None, *statuses: str) -> Table:
    """The game at its current period; raises OperatorError if that is another than ``number``, or in another status."""
    at = store.table(conn, game_id)
    if at.game.status not in ("running", "held"):
        raise OperatorError(f"game {game_id} is {at.game.status}")
    if number is not None and number != at.period.number:
        raise OperatorError(f"game {game_id} is in period {at.period.number}, not {number}; nothing was done")
    if statuses and at.period.status not in statuses:
        raise OperatorError(
            f"period {at.period.number} of {game_id} is {at.period.status}; this needs {' or '.join(statuses)}"
        )
    return at


def extend(
    conn: Connection, mark: Postmark, game_id: str, number: int | None, days: int, why: str, now: datetime, *,
    kind: str = "extension",
) -> Table:  # fmt: skip
    """Move the deadline by whole days; everybody is told the sum."""
    at = guarded(conn, game_id, number, OPEN)
    old = publishing.deadline_of(at)
    if old is None:
        raise OperatorError(f"period {at.period.number} of {game_id} has no deadline to move")
    moved = period.moved(old, [Move(kind, days, why)], at.house, at.zone)
    store.set_period(
        conn, game_id, at.period.number, due=moved.due, moves=[move.json() for move in moved.moves],
        next_look=period.next_look(now, moved.due, at.period.phase, at.house, at.zone),
    )  # fmt: skip
    store.note(
        conn,
        game_id,
        now,
        "deadline",
        period=at.period.number,
        move=kind,
        days=days,
        why=why,
        due=moved.due.isoformat(),
    )
    at = store.table(conn, game_id)
    lines = "\n".join(moved.explained(at.house.hour, at.zone))
    text = f"The deadline of period {at.period.number} ({at.period.phase}) has been moved.\n\n{lines}\n"
    key = f"deadline:{game_id}:{at.period.number}:{len(moved.moves)}:{moved.due:%Y%m%d}"
    publishing.to_all(
        conn, mark, at, key, "deadline", f"[{game_id}] New deadline: {publishing.deadline_text(at)}", text, now
    )
    return at


def close(conn: Connection, mark: Postmark, game_id: str, number: int | None, now: datetime) -> Table:
    """Close the period now and adjudicate it."""
    at = guarded(conn, game_id, number, OPEN)
    if at.game.status == "held":
        raise OperatorError(f"game {game_id} is held ({at.game.held_because}); `pbem resume {game_id}` first")
    store.note(conn, game_id, now, "closed-by-hand", period=at.period.number)
    store.rule(conn, game_id, "house", "This period was closed by the gamesmaster before its deadline.", now)
    store.claim(conn, game_id, at.period.number, OPEN, CLOSING)
    closing.adjudicate(conn, mark, store.table(conn, game_id), now)
    return store.table(conn, game_id)


def hold(conn: Connection, mark: Postmark, game_id: str, why: str, now: datetime) -> None:
    """Stop the game's clock; orders are still taken."""
    at = guarded(conn, game_id, None)
    if at.game.status == "held":
        raise OperatorError(f"game {game_id} is held already: {at.game.held_because}")
    store.set_game(conn, game_id, status="held", held_because=why, held_at=now)
    store.note(conn, game_id, now, "hold", why=why)
    text = (
        f"The game is held: {why}\n\nOrders are still taken. You will be told when it goes on, with the new deadline.\n"
    )
    publishing.to_all(
        conn, mark, at, f"hold:{game_id}:{now:%Y%m%d%H%M%S}", "hold", f"[{game_id}] The game is held", text, now
    )


def resume(conn: Connection, mark: Postmark, game_id: str, now: datetime) -> Table:
    """Let the clock run on: the deadline moves by the whole days the game was held, at the least into the future."""
    at = store.table(conn, game_id)
    if at.game.status != "held":
        raise OperatorError(f"game {game_id} is {at.game.status}, not held")
    store.set_game(conn, game_id, status="running", held_because="", held_at=None)
    store.note(conn, game_id, now, "resume")
    if at.period.due is None or at.period.status != OPEN:
        return store.table(conn, game_id)
    began = at.game.held_at.astimezone(at.zone).date()
    today = now.astimezone(at.zone).date()
    days = (today - began).days
    if at.period.due <= now:
        day = period.day_of(at.period.due, at.house.hour, at.zone)
        days = max(days, (today - day).days + 1)
    if days:
        return extend(conn, mark, game_id, None, days, f"the game was held: {at.game.held_because}", now, kind="pause")
    return store.table(conn, game_id)


def preview(conn: Connection, game_id: str, now: datetime) -> tuple[str, list[str]]:
    """The bulletin as it would be if the period closed now, and the seats that still owe something; nothing is stored."""
    at = guarded(conn, game_id, None)
    if at.period.status == REVIEW:
        return waiting_bulletin(conn, at), []
    standing = store.all_standing(conn, at)
    outcome = play_period(at.ruleset, interregnum.position(conn, at, now), standing, at.dice())
    issue = render.issue(at.ruleset, outcome.state, at.seats, at.period.number, at.period.phase, outcome.events,
                         {"game": at.id, "house": ["PREVIEW: nothing of this is stored or sent."]})  # fmt: skip
    missing = [seat for seat in at.seats if at.ruleset.due(at.state, seat, standing.get(seat, {}))]
    return bulletin.bulletin(render.environment(), issue), missing


def waiting_bulletin(conn: Connection, at: Table) -> str:
    """The bulletin that waits for its release."""
    number = at.period.number - 1
    closed = conn.execute(
        select(Period.phase, Period.events).where(Period.game_id == at.id, Period.number == number)
    ).one()
    house_frame = publishing.frame(conn, at, number)
    return publishing.texts(at, number, closed.phase, store.events(closed.events), house_frame)[""]


def release(conn: Connection, mark: Postmark, game_id: str, number: int | None, now: datetime) -> None:
    """Publish the bulletin that waits in review; the next period begins now."""
    at = guarded(conn, game_id, None, REVIEW)
    if number is not None and number != at.period.number - 1:
        raise OperatorError(f"the bulletin that waits in {game_id} is number {at.period.number - 1}, not {number}")
    store.note(conn, game_id, now, "release", bulletin=at.period.number - 1)
    closing.release(conn, mark, at, now)


def order(conn: Connection, game_id: str, number: int | None, seat: str, text: str, now: datetime) -> Any:
    """Orders on a seat's behalf, checked as if the seat had sent them; the seat's next bulletin says so."""
    at = guarded(conn, game_id, number, OPEN)
    if seat not in at.seats:
        raise OperatorError(f"there is no seat {seat!r} in {game_id}; the seats are {', '.join(at.seats)}")
    taken = take(at.ruleset, at.state, seat, text, store.standing(conn, at, seat))
    store.save_orders(conn, at, seat, taken.standing, wait=False, letter_id=None, now=now)
    store.note(
        conn, game_id, now, "orders-on-behalf", period=at.period.number, seat=seat, orders=canonical(taken.standing)
    )
    store.rule(conn, game_id, "house", f"The gamesmaster entered orders for {seat} in this period.", now)
    return taken


def ruling(conn: Connection, game_id: str, text: str, now: datetime) -> None:
    """A ruling for the next bulletin."""
    guarded(conn, game_id, None)
    store.rule(conn, game_id, "ruling", text, now)
    store.note(conn, game_id, now, "ruling", text=text)


def replace(
    conn: Connection, mark: Postmark, game_id: str, seat: str, address: str, name: str, why: str, now: datetime
) -> None:
    """Another player takes the seat: new reply token, the start mail, the last bulletin and notice; all are told."""
    at = guarded(conn, game_id, None)
    if seat not in at.seats:
        raise OperatorError(f"there is no seat {seat!r} in {game_id}; the seats are {', '.join(at.seats)}")
    player_id = store.player(conn, address, name, now)
    number = at.holders[seat].token_no + 1
    store.set_seat(conn, game_id, seat, player_id=player_id, missed=0, asked_until=None)
    setting_up.set_token(conn, mark, game_id, seat, number)
    store.note(conn, game_id, now, "replaced", seat=seat, why=why)
    store.rule(conn, game_id, "house", f"{seat} has a new player: {name or 'a stand-by'} ({why}).", now)
    at = store.table(conn, game_id)
    publishing.start_mail(conn, mark, at, at.holders[seat], now)
    brief(conn, mark, at, seat, now)


def brief(conn: Connection, mark: Postmark, at: Table, seat: str, now: datetime) -> None:
    """Mail a seat the newest bulletin and its own newest notice again."""
    last = at.period.number - 1 if at.period.status != REVIEW else at.period.number - 2
    rows = conn.execute(
        select(Bulletin.seat, Bulletin.text, Bulletin.edition)
        .where(Bulletin.game_id == at.id, Bulletin.number == last, Bulletin.seat.in_(("", seat))).order_by(Bulletin.edition)
    ).all()  # fmt: skip
    if rows:
        made = {row.seat: row.text for row in rows}
        publishing.mail_issue(conn, mark, at, at.holders[seat], last, rows[-1].edition, made, now)


def rotate(conn: Connection, mark: Postmark, game_id: str, seat: str, now: datetime) -> None:
    """A new secret reply address for a seat; its next mail carries it."""
    at = guarded(conn, game_id, None)
    setting_up.set_token(conn, mark, game_id, seat, at.holders[seat].token_no + 1)
    store.note(conn, game_id, now, "token-rotated", seat=seat)


def change_address(conn: Connection, old: str, new: str, now: datetime) -> None:
    """A player's new address of record; the old one stays registered."""
    old, new = old.strip().lower(), new.strip().lower()
    row = conn.execute(select(Address.__table__).where(Address.address == old)).first()
    if row is None:
        raise OperatorError(f"nobody is registered under {old}")
    if conn.execute(select(Address.address).where(Address.address == new, Address.player_id != row.player_id)).first():
        raise OperatorError(f"{new} belongs to another player")
    conn.execute(update(Address).where(Address.player_id == row.player_id).values(of_record=False))
    if conn.execute(update(Address).where(Address.address == new).values(of_record=True)).rowcount == 0:
        conn.execute(insert(Address).values(
            address=new, player_id=row.player_id, of_record=True, soft_bounces=0, hard_bounces=0, last_bounce="", pgp_key=""
        ))  # fmt: skip
    for game_id in store.games_of(conn, row.player_id):
        store.note(conn, game_id, now, "address-changed", player=row.player_id)


def rewind(conn: Connection, mark: Postmark, game_id: str, number: int, why: str, now: datetime) -> Table:
    """Adjudicate a published period again, on the orders now on file for it. What came after is taken back; orders
    already sent for the period that follows are tried anew. A corrected bulletin and corrected notices say what changed."""
    at = store.table(conn, game_id)
    if not 1 <= number < at.period.number:
        raise OperatorError(
            f"game {game_id} is in period {at.period.number}; rewind to one of 1 to {at.period.number - 1}"
        )
    old = {row.seat: row.text for row in conn.execute(
        select(Bulletin.seat, Bulletin.text).where(Bulletin.game_id == game_id, Bulletin.number == number)
        .order_by(Bulletin.edition))}  # fmt: skip
    store.note(conn, game_id, now, "rewind", to=number, why=why)
    kept = {seat: store.last_set(conn, game_id, number + 1, seat) for seat in at.seats}
    conn.execute(delete(Period).where(Period.game_id == game_id, Period.number > number))
    conn.execute(delete(OrderSet).where(OrderSet.game_id == game_id, OrderSet.period > number))
    store.set_period(conn, game_id, number, status=CLOSING, closed=None)
    store.set_game(conn, game_id, period=number, status="running")
    store.rule(conn, game_id, "house", f"CORRECTED: period {number} was adjudicated again: {why}", now)
    closing.adjudicate(conn, mark, store.table(conn, game_id), now)
    at = store.table(conn, game_id)
    for seat, row in kept.items():
        if row and at.period.status == OPEN:
            taken = take(at.ruleset, at.state, seat, "\n".join(row.orders), {})
            store.save_orders(conn, at, seat, taken.standing, wait=row.wait, letter_id=row.letter_id, now=now)
    _tell_changes(conn, mark, at, number, old, now)
    return at


def _tell_changes(conn: Connection, mark: Postmark, at: Table, number: int, old: dict[str, str], now: datetime) -> None:
    rows = conn.execute(
        select(Bulletin.seat, Bulletin.text, Bulletin.edition)
        .where(Bulletin.game_id == at.id, Bulletin.number == number).order_by(Bulletin.edition)
    ).all()  # fmt: skip
    new, edition = {row.seat: row.text for row in rows}, max(row.edition for row in rows) if rows else 1
    for holder in at.holders.values():
        changes = [*_diff(old.get("", ""), new.get("", "")), *_diff(old.get(holder.seat, ""), new.get(holder.seat, ""))]
        if changes and holder.address:
            text = (
                f"What changed in bulletin {number} and your notice (- before, + now):\n\n" + "\n".join(changes) + "\n"
            )
            key = f"changes:{at.id}:{number}:{edition}:{holder.seat}"
            subject = f"[{at.id}] Bulletin {number} corrected: what changed"
            publishing.put_to_seat(conn, mark, at, holder, key, "changes", subject, text, now)


def _diff(old: str, new: str) -> Sequence[str]:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0)
    return [f"{line[0]} {line[1:]}" for line in lines if line[:1] in "+-" and line[:3] not in ("---", "+++")]
