"""Acts on a seat, each journalled."""

from __future__ import annotations

from pbem.budget import Budget
from pbem.errors import OperatorError
from pbem.games.frame import readiness
from pbem.games.frame.adjudication import Taken, canonical, take
from pbem.games.frame.readiness import Said
from pbem.orders.order import staying
from pbem.periods import (
    dates,
    drawing,
    issue_mails,
    offers,
    persons,
    record,
    secret_looks,
    start_mails,
)
from pbem.periods.guards import guarded, known, known_among, not_over
from pbem.periods.persons import meant
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat, set_token
from pbem.post.work import Work
from pbem.store.games import bulletins, exports, games, order_sets, periods
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.journal.notes import LookKind
from pbem.store.people import standbys
from pbem.store.schema.states import NoteKind, PeriodState
from pbem.store.schema.tables import FreeSeat, Observer, Privy, Standby


def order(work: Work, game_id: str, number: int | None, seat: str, text: str) -> Taken:
    """Enter orders, checked as its own; the next bulletin says so."""
    at = guarded(work.conn, game_id, number, PeriodState.OPEN)
    known(at, seat)
    last = order_sets.last_set(work.conn, at.id, at.period.number, seat)
    with Budget(work.mark.seconds, f"the gamesmaster's orders for {seat}"):
        taken = take(at.ruleset, at.state, seat, text, order_sets.orders_of(at, last), at.named)
    said = readiness.after_orders(readiness.of(last))
    order_sets.save_orders(
        work.conn, at, seat, taken.standing, last, said=said, letter_id=None, now=work.now
    )
    notes.note(
        work.conn,
        game_id,
        work.now,
        "orders-on-behalf",
        period=at.period.number,
        seat=seat,
        orders=canonical(taken.standing),
    )
    secret_looks.looked(work, at, LookKind.ORDER, seat=seat)
    notes.rule(
        work.conn,
        game_id,
        NoteKind.ORDERS,
        f"The gamesmaster entered orders for {seat} in this period.",
        work.now,
    )
    if at.awaits:
        periods.set_period(work.conn, at.id, at.period.number, next_look=work.now)
    return taken


def replace(  # noqa: PLR0913  what the act takes
    work: Work,
    game_id: str,
    seat: str,
    address: str,
    name: str,
    why: str,
    *,
    anyway: bool = False,
) -> None:
    """Give a seat away (:func:`take_over`); before the start in silence. ``anyway``: despite
    doubts."""
    begun = not_over(work.conn, game_id)
    holders = games.holders(work.conn, game_id)
    known_among(game_id, holders, seat)
    player_id = persons.registered(work, address, name)
    if holders[seat].player_id == player_id:
        raise OperatorError(
            f"{holders[seat].name} plays {seat} in {game_id} already; a new secret reply address:"
            f" `pbem rotate {game_id} {seat}`, a new address of record: `pbem address`"
        )
    doubts = persons.called(work, player_id) + persons.to_take(work, game_id, player_id, seat)
    doubted = meant(doubts, anyway)
    if begun is not None:
        free = FreeSeat.one(work.conn, game_id=game_id, seat=seat)
        if free or holders[seat].quits or holders[seat].asked_until:
            record.count_given_up(work, begun, seat)
        take_over(work, begun, seat, player_id, why, **doubted)
        return
    games.set_seat(work.conn, game_id, seat, player_id=player_id)
    Standby.drop(work.conn, game_id=game_id, player_id=player_id, invited_for="")
    Observer.drop(work.conn, game_id=game_id, player_id=player_id)
    notes.note(work.conn, game_id, work.now, "replaced", seat=seat, why=why, **doubted)
    if (former := holders[seat].player_id) is not None:
        exports.forget_players(work.conn, [former])


def take_over(
    work: Work, at: GameAt, seat: str, player_id: int, why: str, **doubted: list[str]
) -> None:
    """Give a seat a new token, start mail and last bulletin; tell all. The former player knows its
    secrets.

    ``doubted``: for the journal.
    """
    game_id = at.id
    if (former := at.holders[seat].player_id) is not None:
        Privy.try_add(work.conn, game_id=game_id, seat=seat, player_id=former)
    offers.taken(work, at, seat, player_id)
    text = (
        f"You no longer play in game {game_id} as {seat} ({why}).\n\nThank you for having played.\n"
    )
    key = f"replaced:{game_id}:{seat}:{at.holders[seat].token_no}"
    subject = f"[{game_id}] Your seat has a new player"
    put_to_seat(work, at, at.holders[seat], Draft(key, "replaced", subject, text))
    games.set_seat(
        work.conn,
        game_id,
        seat,
        player_id=player_id,
        missed=0,
        asked_until=None,
        heard=at.period.number,
        quits=None,
        bot="",
    )
    games.void_ballots(work.conn, game_id, seat)
    set_token(work, game_id, seat, at.holders[seat].token_no + 1)
    if standing := standbys.of_player(work.conn, game_id, player_id):
        Standby.change(work.conn, {"id": standing.id}, invited_for=seat, reply_by=None)
    notes.note(work.conn, game_id, work.now, "replaced", seat=seat, why=why, **doubted)
    at = games.game_at(work.conn, game_id)
    name = at.player(seat)
    said = f"The seat\u00a0{seat} has a new player{f': {name}' if name else ''} ({why})."
    notes.rule(work.conn, game_id, NoteKind.HOUSE, said, work.now)
    _hand_over(work, at, seat)
    start_mails.send(work, at, at.holders[seat])
    brief(work, at, seat)


def _hand_over(work: Work, at: GameAt, seat: str) -> None:
    """Keep orders, not RESIGN, READY, WAIT."""
    last = order_sets.last_set(work.conn, at.id, at.period.number, seat)
    stood = order_sets.orders_of(at, last)
    if staying(stood) != stood or readiness.of(last) is not Said.NOTHING:
        order_sets.save_orders(
            work.conn,
            at,
            seat,
            staying(stood),
            last,
            said=Said.NOTHING,
            letter_id=None,
            now=work.now,
        )


def brief(work: Work, at: GameAt, seat: str, to: Holder | None = None) -> None:
    last = at.period.number - 1 if at.period.status != PeriodState.REVIEW else at.period.number - 2
    newest = bulletins.of_period(work.conn, at.id, last)
    if newest:
        edition = max(row.edition for row in newest.values())
        made = {of: row.text for of, row in newest.items()}
        headline = str(newest[""].frame.get("headline", ""))
        after = games.game_at(work.conn, at.id, min(last + 1, at.game.period))
        closed, before = (
            periods.closed(work.conn, at.id, last),
            bulletins.scores(work.conn, at.id, last),
        )
        drawn = drawing.svgs(after, last, closed, before)
        dated, pngs = dates.issue(work, after), drawing.Pngs(drawn)
        head = str(newest[""].frame.get("journal", ""))
        printed = issue_mails.Printed(last, edition, made, headline, dated, pngs, head)
        issue_mails.issue(work, after, [to or at.holders[seat]], printed)


def rotate(work: Work, game_id: str, seat: str) -> None:
    at = guarded(work.conn, game_id, None)
    known(at, seat)
    set_token(work, game_id, seat, at.holders[seat].token_no + 1)
    notes.note(work.conn, game_id, work.now, "token-rotated", seat=seat)
