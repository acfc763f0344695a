"""A seat goes to another player."""

from __future__ import annotations

from pbem.games.frame import readiness
from pbem.games.frame.readiness import Said
from pbem.orders.order import staying
from pbem.periods import drawing, issue_mails, offers, own_page, start_mails
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat, set_token
from pbem.post.work import Work
from pbem.store.games import bulletins, games, order_sets, periods
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.people import standbys
from pbem.store.schema.states import NoteKind, PeriodState
from pbem.store.schema.tables import Privy, Standby


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
        dated, pngs = own_page.issue(work, after), drawing.Pngs(drawn)
        head = str(newest[""].frame.get("journal", ""))
        printed = issue_mails.Printed(last, edition, made, headline, dated, pngs, head)
        issue_mails.issue(work, after, [to or at.holders[seat]], printed)
