"""Acts on seats and players, each journalled."""

from pbem.budget import Budget
from pbem.errors import OperatorError
from pbem.games.frame import readiness
from pbem.games.frame.adjudication import canonical, take
from pbem.periods import away as absence
from pbem.periods import claims, guards, handover, persons
from pbem.periods.guards import guarded, known, known_among, not_over
from pbem.periods.handover import Role
from pbem.post import masters
from pbem.post.seats import set_token
from pbem.post.work import Work
from pbem.referee.acts.doing import Done, called
from pbem.store.games import games, order_sets, periods
from pbem.store.joining import claimants
from pbem.store.journal import notes
from pbem.store.journal.notes import LookKind
from pbem.store.people.players import mail_address
from pbem.store.schema.states import NoteKind, PeriodState
from pbem.text import counted, listed, wrap


def order(work: Work, game: str, period: int | None, seat: str, file: str) -> Done:
    """Enter orders, checked as its own; the next bulletin says so."""
    game_now = guarded(work.conn, game, period, PeriodState.OPEN)
    known(game_now, seat)
    last = order_sets.last_set(work.conn, game_now.id, game_now.period.number, seat)
    with Budget(work.mark.seconds, f"the gamesmaster's orders for {seat}"):
        taken = take(
            game_now.ruleset,
            game_now.state,
            seat,
            file,
            order_sets.orders_of(game_now, last),
            game_now.named,
        )
    ready = readiness.after_orders(readiness.of(last))
    order_sets.save_orders(
        work.conn, game_now, seat, taken.standing, last, said=ready, letter_id=None, now=work.now
    )
    notes.note(
        work.conn,
        game,
        work.now,
        "orders-on-behalf",
        period=game_now.period.number,
        seat=seat,
        orders=canonical(taken.standing),
    )
    guards.looked(work, game_now, LookKind.ORDER, seat=seat)
    notes.rule(
        work.conn,
        game,
        NoteKind.ORDERS,
        f"The gamesmaster entered orders for {seat} in this period.",
        work.now,
    )
    if game_now.awaits:
        periods.set_period(work.conn, game_now.id, game_now.period.number, next_look=work.now)
    lines = []
    for answer in taken.answers:
        lines += [f"Line {answer.line.number}: {order}" for order in answer.orders]
        lines += [f"Line {one.line}: {one.message}" for one in answer.problems]
    read = "\n".join(wrap(line, 4, 74) for line in lines) or "    nothing"
    head = f"Entered for {seat} in game {game}; line 1 is the first below ORDER:"
    entered = f"Entered for {called(work, game, seat)} in {game}; line 1 is its first order."
    return Done("\n".join((entered, *(lines or ["Nothing was understood."]))), f"{head}\n\n{read}")


def replace(  # noqa: PLR0913  what the act takes
    work: Work, game: str, seat: str, address: str, name: str | None, why: str, anyway: bool = False
) -> Done:
    """Give a seat away (:func:`claims.take`); before the start in silence. ``anyway``:
    despite doubts."""
    not_over(work.conn, game)
    holders = games.holders(work.conn, game)
    known_among(game, holders, seat)
    player_id = persons.registered(work, address, name or "")
    if holders[seat].player_id == player_id:
        raise OperatorError(
            f"{holders[seat].name} plays {seat} in {game} already; a new secret reply address:"
            f" `pbem rotate {game} {seat}`, a new address of record: `pbem address`"
        )
    doubts = persons.called(work, player_id) + claims.doubts(work, game, player_id, seat)
    claims.take(work, game, seat, player_id, why, **claims.meant(doubts, anyway))
    said = f"{seat} in {game} is now {address}."
    return Done("\n".join((said, *persons.alike(work, game, address))))


def standby(  # noqa: PLR0913  the act's arguments
    work: Work,
    game: str,
    address: str,
    name: str | None,
    anyway: bool,
    none: bool = False,
    why: str | None = None,
) -> Done:
    if none:
        claims.withdraw(work, game, mail_address(address), why or "")
        return Done(f"The player at {address} stands by for {game} no longer, and is told so.")
    claims.enlist(work, game, address, name or "", anyway=anyway)
    waiting = claimants.can_be_called(work.conn, game)
    said = f"{counted(waiting, 'player stands', 'players stand')} by for {game}."
    return Done("\n".join((said, *persons.alike(work, game, address))))


def address(work: Work, old: str, new: str | None, works: bool, also: bool = False) -> Done:
    if new is None:
        persons.address_works(work, old)
        return Done(f"What came back from {old} is forgotten.")
    persons.change_address(work, old, new, also=also)
    if also:
        return Done(f"Letters from {new} count as those of {old}; mail still goes to {old}.")
    return Done(f"Mail for {old} now goes to {new}.")


def rotate(work: Work, game: str | None, seat: str | None, gamesmaster: bool = False) -> Done:
    if game is None or seat is None:
        masters.rotate(work.conn, work.mark, work.mark.gamesmaster)
    else:
        at = guarded(work.conn, game, None)
        known(at, seat)
        set_token(work, game, seat, at.holders[seat].token_no + 1)
        notes.note(work.conn, game, work.now, "token-rotated", seat=seat)
    whose = f"{seat}'s" if seat else "Your"
    return Done(f"{whose} old reply address is void; the next mail carries the new one.")


def master(work: Work, game: str, address: str, second: bool, now: bool) -> Done:
    role = Role.SECOND if second else Role.MASTER
    asked = handover.ask(work, game, role, mail_address(address), now=now)
    return Done(f"A code was mailed to {listed(asked)}; it is so once all are back, within a week.")


def away(work: Work, game: str, days: str) -> Done:
    return Done(absence.go(work, game, days))
