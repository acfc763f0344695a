"""Acts on letters and the post, and on a database that came back from a backup."""

from datetime import datetime
from typing import NoReturn
from zoneinfo import ZoneInfo

from pbem.budget import Budget
from pbem.errors import OperatorError
from pbem.games.frame.events import Seat
from pbem.letters import verdict
from pbem.letters.states import LetterState
from pbem.periods import guards
from pbem.periods.claims import meant
from pbem.periods.guards import guarded, in_period, known
from pbem.post import outbox
from pbem.post.work import Work
from pbem.referee.acts import doing
from pbem.referee.acts.doing import Done
from pbem.referee.deciding import handling, sandbox, trust
from pbem.referee.deciding.trust import ACCEPTED, DIRECTED
from pbem.referee.game import arrivals
from pbem.referee.gamesmaster.waits import ACCEPTABLE, unacceptable
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.journal.notes import LookKind
from pbem.store.letters import letters
from pbem.store.mails import mails
from pbem.store.people import gamesmasters, players
from pbem.store.schema.states import GameState, MailState, NoteKind, PeriodState
from pbem.store.schema.tables import Journal, Letter, Outgoing
from pbem.text import counted, listed

BACKUP = "the database came back from a backup"
_COUNT = ("only-reading", "commands", "orders")
"""Rules by which a letter counts as its player's."""
DECIDED = (
    LetterState.ORDERS,
    LetterState.COMMAND,
    LetterState.DUPLICATE,
    LetterState.BOUNCE,
    LetterState.IGNORED,
    LetterState.DISMISSED,
)


def _refuse(row: Letter, otherwise: str) -> NoReturn:
    """Raise OperatorError: what was already done with the letter, or otherwise."""
    raise OperatorError(f"letter {row.id} {trust.done_already(row) or otherwise}")


def _readable(row: Letter) -> None:
    if row.raw is None:
        raise OperatorError(
            f"letter {row.id} was purged after the retention; its sender has to write again"
        )


def accept(  # noqa: PLR0913  the act's arguments
    work: Work,
    letter: int | None,
    game: str | None = None,
    before: datetime | None = None,
    seat: Seat | None = None,
    period: int | None = None,
    anyway: bool = False,
) -> Done:
    """Accept a held or late letter for the open period; the next pass decides it. Without one:
    accept a game's after a restore."""
    if letter is None:
        return _accept_all(work, game or "", before, period)
    row = doing.letter(work.conn, letter)
    if row.outcome not in ACCEPTABLE:
        _refuse(row, f"is {row.outcome}; only an unverified, held or late one can be accepted")
    _readable(row)
    game_row = gamesmasters.hands(work.conn, row.game_id)
    why = unacceptable(row.seat, row.game_id, game_row.status if game_row else None)
    strange = not why and (
        row.game_id and row.sender and players.at_address(work.conn, row.sender) is None
    )
    if seat or period is not None or row.authentication == DIRECTED or strange:
        return _direct(work, row, game or None, seat or None, period, anyway=anyway)
    if why:
        raise OperatorError(
            f"letter {letter} {why}; `pbem dismiss {letter}` takes it out of the queue"
            + (f", `pbem accept {letter} --seat SEAT` says for which it is" * (not row.seat))
        )
    trust.release(work.conn, letter, ACCEPTED)
    if row.game_id:
        notes.note(work.conn, row.game_id, work.now, "letter-accepted", letter=letter)
        _tell(work, row, row.game_id, "The gamesmaster accepted a held letter in this period.")
    return Done(f"The next pass takes letter {letter}.")


def _accept_all(work: Work, game: str, before: datetime | None, period: int | None) -> Done:
    until = before.replace(tzinfo=games.game_at(work.conn, game).zone) if before else None
    done = arrivals.accept(work, game, until, period)
    letters = "letters" if len(done.taken) > 1 else "letter"
    lines = [
        f"The next pass takes {letters} {listed(done.taken)} of {game}."
        if done.taken
        else f"No letter of {game} is plainly for its open period."
    ]
    if done.left:
        lines.append(f"Still held: {', '.join(map(str, done.left))}; see `pbem queue {game}`.")
    return Done("\n".join([*lines, *done.closed]))


def _tell(work: Work, row: Letter, game_id: str, said: str) -> None:
    at = games.game_at(work.conn, game_id)
    guards.looked(work, at, LookKind.ACCEPT, letter=row.id)
    notes.rule(work.conn, game_id, NoteKind.ORDERS, said, work.now)


def _direct(
    work: Work,
    row: Letter,
    game: str | None,
    named_seat: Seat | None,
    period: int | None,
    *,
    anyway: bool,
) -> Done:
    """Take it for what is named; for the rest for what it says."""
    target = _said_for(work, row, game or row.game_id, named_seat or row.seat, period)
    number = target.period.number
    seat = next(
        (one for one in target.seats if named_seat and one.upper() == named_seat.upper()),
        named_seat or row.seat,
    )
    known(target, seat)
    other = (row.game_id, row.seat) != (target.id, seat)
    doubts = meant(_doubts(work, row, target, seat), anyway)
    columns = {"game_id": target.id, "seat": seat, "period": number}
    if other:  # its number was another seat's
        columns["receipt"] = None
    trust.release(work.conn, row.id, DIRECTED, **columns)
    of = {"of": f"{row.seat or '?'} in {row.game_id or '?'}"} if other else {}
    journal = {"letter": row.id, "seat": seat, "period": number, **of, **doubts}
    notes.note(work.conn, target.id, work.now, "letter-accepted", **journal)
    which = f"for {seat} a letter that did not say so itself" if other else "a held letter"
    _tell(work, row, target.id, f"The gamesmaster accepted {which} in this period.")
    return Done(
        f"The next pass takes letter {row.id} for {seat} in game {target.id}, period {number}."
    )


def _said_for(
    work: Work, row: Letter, game_id: str | None, seat: Seat | None, number: int | None
) -> GameAt:
    """Return its game at its open period. Raise OperatorError if another period is named."""
    if not game_id:
        raise OperatorError(
            f"letter {row.id} does not say for which game it is: `pbem accept {row.id} --game GAME"
            " --seat SEAT` says it"
        )
    if not seat:
        raise OperatorError(f"letter {row.id} {unacceptable('', '', None)}")
    game = guarded(work.conn, game_id, None, PeriodState.OPEN)
    if number is not None and number < game.period.number:
        raise OperatorError(
            f"period {number} of game {game_id} is closed; the open one is {game.period.number}. A"
            f" letter that was meant for a closed period counts in it by `pbem rewind {game_id}"
            f" {number} --accept {row.id}`"
        )
    in_period(game, number)
    return game


def _doubts(work: Work, row: Letter, game: GameAt, seat: Seat) -> list[str]:
    """Return why it is hardly meant for a seat. Raise OperatorError if it could not count."""
    if row.raw is None:
        raise OperatorError(f"letter {row.id} is not there any more")
    budget = Budget(work.limits.letter_seconds, f"the work on letter {row.id}")
    letter = sandbox.read_guarded(row.raw, work.limits.of_reading(), budget)
    said = {"game_id": game.id, "seat": seat, "period": game.period.number}
    with budget:
        as_said = row._replace(authentication=DIRECTED, **said)
        case = handling.case_of(work, letter, row.raw, as_said, False)
        decision = verdict.decide(case)
    if decision.seat != seat or decision.rule not in _COUNT:
        raise OperatorError(
            f"letter {row.id} cannot count for {seat} in {game.id}: {decision.reason}"
        )
    plays = {one.seat for one in case.facts.registrations if one.address == letter.sender}
    others = sorted(plays.intersection(game.holders) - {seat})
    if decision.directed is None or decision.directed.own or not others:
        return []
    return [
        f"letter {row.id} is from the player of {listed(others)} in {game.id}, and not from that of"
        f" {seat}, who would read its orders in their receipt"
    ]


def dismiss(work: Work, letter: int) -> Done:
    row = doing.letter(work.conn, letter)
    put_back = row.outcome == LetterState.STORED and row.decided
    if row.outcome in DECIDED or put_back:
        _refuse(row, f"is {row.outcome}; only one that waits can be dismissed, see `pbem queue`")
    letters.set_state(work.conn, letter, LetterState.DISMISSED, decided=work.now)
    if row.game_id:
        notes.note(work.conn, row.game_id, work.now, "letter-dismissed", letter=letter)
    return Done(f"Letter {letter} is dismissed; it has no effect.")


def retry(work: Work, letter: int) -> Done:
    """Decide a failed letter again, alone; fetch an unfetchable one again."""
    row = doing.letter(work.conn, letter)
    if row.outcome == LetterState.FAILED:
        _readable(row)
        letters.set_state(work.conn, letter, LetterState.STORED, effect=None, attempts=1)
    elif row.outcome == LetterState.UNFETCHABLE and row.attempts:
        Letter.change(work.conn, {"id": letter}, attempts=0)
    else:
        _refuse(row, f"is {row.outcome}; only a failed or unfetchable letter can be retried")
    if row.game_id:
        notes.note(work.conn, row.game_id, work.now, "letter-retried", letter=letter)
    return Done(f"The next pass tries letter {letter} again.")


def restore(work: Work, release_outbox: bool = False) -> Done:
    """Hold games and mails after a backup came back, and read every folder again by content.
    Nothing goes out until ``release_outbox``."""
    if release_outbox:
        notes.set_memo(work.conn, notes.RESTORED, {})
        freed = counted(mails.release_held(work.conn, work.now), "mail")
        return Done(f"{freed} may go out. Now let the games go on: `pbem resume --all`.")
    letters.forget_folders(work.conn)
    ends = Journal.scalar(work.conn, Journal.at, order=Journal.at.desc())
    for game in games.not_over(work.conn):
        went_on = game.restored_to is None or game.restored_until is not None
        if went_on:  # else the last restore's finding still holds
            games.set_game(work.conn, game.id, restored_to=ends, restored_until=None)
        if game.status == GameState.WAITING:
            continue
        known = game.status == GameState.RUNNING or game.held_because.startswith(BACKUP)
        why = BACKUP if known else f"{BACKUP}; held before: {game.held_because}"
        games.hold(work.conn, game.id, why, game.held_at or work.now)
        notes.note(work.conn, game.id, work.now, "restored", to=ends.isoformat() if ends else None)
    former = notes.memo(work.conn, "generation")
    generations = [*former.get("former", ()), former.get("n", 0)]
    made = {"n": int(work.now.timestamp()), "former": generations[-5:]}
    notes.set_memo(work.conn, "generation", made)
    folders = sorted(work.config.processed)
    notes.set_memo(work.conn, notes.RESTORED, {"folders": folders, "since": work.now.isoformat()})
    notes.set_memo(work.conn, notes.UNREAD, {"folders": folders})
    notes.forget_memos(work.conn, notes.SITE)  # its pages may be newer than the backup
    held = counted(mails.hold_waiting(work.conn), "mail")
    return Done(
        f"{held} and all games are held. The next pass reads every folder again by content, the"
        " processed one too.\nThen look at `pbem queue`, and accept what counts, game by game:"
        " `pbem accept --game GAME`.\nAfter that let the mails go out: `pbem restore"
        " --release-outbox`; and the games go on: `pbem resume --all`."
    )


def resend(work: Work, mail: int | None, all_refused: datetime | None = None) -> Done:
    if mail is not None:
        return Done(f"The next pass sends mail {mail} again, to {_resend(work, mail)}.")
    if all_refused is None:
        raise OperatorError("say which mail, or since when")
    since = all_refused.replace(tzinfo=ZoneInfo(work.config.referee.zone))
    found = mails.refused(work.conn, since + outbox.LEASE)
    for one in found:
        _resend(work, one)
    return Done(f"The next pass sends {counted(len(found), 'mail')} again.")


def _resend(work: Work, mail_id: int) -> str:
    """Send a refused or uncertain mail again to the address of record. Return that."""
    row = Outgoing.one(work.conn, id=mail_id)
    abandoned = (
        row is not None and row.state == MailState.LEASED and row.next_try <= work.now
    )  # its sender died, twice
    if row is None or not (abandoned or row.state in (MailState.REFUSED, MailState.UNKNOWN)):
        raise OperatorError(
            f"mail {mail_id} is {row.state if row else 'not there'}; only a refused or unknown one"
            " is resent"
        )
    if not row.raw:
        raise OperatorError(f"mail {mail_id} was purged after the retention; nothing is left of it")
    to = players.address_of_record(work.conn, row.recipient)
    mails.set_state(
        work.conn, mail_id, MailState.READY, next_try=work.now, resent=False, recipient=to
    )
    if row.game_id:
        notes.note(work.conn, row.game_id, work.now, "mail-resent", mail=mail_id)
    return to
