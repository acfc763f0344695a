"""The gamesmaster's acts upon letters and the post: accept, dismiss, retry, restore after a
backup."""

from __future__ import annotations

from typing import NoReturn

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.letters.states import LetterState
from pbem.periods import looking
from pbem.post.work import Work
from pbem.referee import trust
from pbem.referee.queue import ACCEPTABLE, unacceptable
from pbem.referee.trust import ACCEPTED
from pbem.store import cursors, games, letters, mails, notes, players, waiting
from pbem.store.letter_rows import LetterStateRow
from pbem.store.looks import LookKind
from pbem.store.states import GameState, MailState, NoteKind

BACKUP = "the database came back from a backup"
DECIDED = (
    LetterState.ORDERS,
    LetterState.COMMAND,
    LetterState.DUPLICATE,
    LetterState.BOUNCE,
    LetterState.IGNORED,
    LetterState.DISMISSED,
)


def _letter(conn: Connection, letter_id: int) -> LetterStateRow:
    row = waiting.state_of(conn, letter_id)
    if row is None:
        raise OperatorError(f"there is no letter {letter_id}; see `pbem queue`")
    return row


def _refuse(row: LetterStateRow, otherwise: str) -> NoReturn:
    """Say what has been done with a letter, else why an act upon it cannot be."""
    raise OperatorError(f"letter {row.id} {trust.done_already(row) or otherwise}")


def _readable(row: LetterStateRow) -> None:
    if row.purged:
        raise OperatorError(
            f"letter {row.id} was purged after the retention; its sender has to write again"
        )


def accept(work: Work, letter_id: int) -> None:
    """A held or late letter is believed and counts for the period that is open; the next pass
    decides it."""
    row = _letter(work.conn, letter_id)
    if row.outcome not in ACCEPTABLE:
        _refuse(row, f"is {row.outcome}; only an unverified, held or late one can be accepted")
    _readable(row)
    if why := unacceptable(row.seat, row.game_id, row.status):
        raise OperatorError(
            f"letter {letter_id} {why}; `pbem dismiss {letter_id}` takes it out of the queue"
        )
    trust.release(work.conn, letter_id, ACCEPTED)
    if row.game_id:
        notes.note(work.conn, row.game_id, work.now, "letter-accepted", letter=letter_id)
        looking.looked(work, games.table(work.conn, row.game_id), LookKind.ACCEPT)
        notes.rule(
            work.conn,
            row.game_id,
            NoteKind.ORDERS,
            "The gamesmaster accepted a held letter in this period.",
            work.now,
        )


def dismiss(work: Work, letter_id: int) -> None:
    """Close a letter without effect; one that had its effect, or had none to have, stays what it
    is."""
    row = _letter(work.conn, letter_id)
    put_back = row.outcome == LetterState.STORED and row.decided
    if row.outcome in DECIDED or put_back:
        _refuse(row, f"is {row.outcome}; only one that waits can be dismissed, see `pbem queue`")
    letters.set_state(work.conn, letter_id, LetterState.DISMISSED, decided=work.now)
    if row.game_id:
        notes.note(work.conn, row.game_id, work.now, "letter-dismissed", letter=letter_id)


def retry(work: Work, letter_id: int) -> None:
    """Decide a failed letter again, by itself; fetch an unfetchable one again."""
    row = _letter(work.conn, letter_id)
    if row.outcome == LetterState.FAILED:
        _readable(row)
        letters.set_state(work.conn, letter_id, LetterState.STORED, effect=None, attempts=1)
    elif row.outcome == LetterState.UNFETCHABLE and row.attempts:
        letters.fetch_again(work.conn, letter_id)
    else:
        _refuse(row, f"is {row.outcome}; only a failed or unfetchable one can be tried again")
    if row.game_id:
        notes.note(work.conn, row.game_id, work.now, "letter-retried", letter=letter_id)


def restore(work: Work) -> int:
    """After a backup came back: all games and the outbox are held, and every folder, that of the
    processed letters too, is read again from its beginning by content; no mail goes out until
    :func:`release_outbox`. The number of mails held."""
    cursors.forget(work.conn)
    ends = notes.last_entry(work.conn)
    for game in games.not_over(work.conn):
        went_on = game.restored_to is None or game.restored_until is not None
        if went_on:  # else what the last restore found is true still
            games.set_game(work.conn, game.id, restored_to=ends, restored_until=None)
        if game.status == GameState.WAITING:
            continue
        known = game.status == GameState.RUNNING or game.held_because.startswith(BACKUP)
        why = BACKUP if known else f"{BACKUP}; held before: {game.held_because}"
        games.hold(work.conn, game.id, why, game.held_at or work.now)
        notes.note(work.conn, game.id, work.now, "restored", to=ends.isoformat() if ends else None)
    former = notes.memo(work.conn, "generation")
    generations = [*former.get("former", ()), former.get("n", 0)]
    notes.set_memo(
        work.conn, "generation", {"n": int(work.now.timestamp()), "former": generations[-5:]}
    )
    folders = sorted(work.config.processed)
    notes.set_memo(work.conn, notes.RESTORED, {"folders": folders, "since": work.now.isoformat()})
    notes.set_memo(work.conn, notes.UNREAD, {"folders": folders})
    return mails.hold_waiting(work.conn)


def resend(work: Work, mail_id: int) -> str:
    """Send a refused mail, or one that perhaps went out, once more, to its player's address of
    record as that is now; who gets it."""
    row = mails.state_of(work.conn, mail_id)
    abandoned = (
        row is not None and row.state == MailState.LEASED and row.next_try <= work.now
    )  # its sender died, twice
    if row is None or not (abandoned or row.state in (MailState.REFUSED, MailState.UNKNOWN)):
        raise OperatorError(
            f"mail {mail_id} is {row.state if row else 'not there'}; only a refused or unknown one"
            " is resent"
        )
    if row.purged:
        raise OperatorError(f"mail {mail_id} was purged after the retention; nothing is left of it")
    to = players.address_of_record(work.conn, row.recipient)
    mails.set_state(
        work.conn, mail_id, MailState.READY, next_try=work.now, resent=False, recipient=to
    )
    if row.game_id:
        notes.note(work.conn, row.game_id, work.now, "mail-resent", mail=mail_id)
    return to


def release_outbox(work: Work) -> int:
    """What was held after a restore may go out; the number of mails."""
    notes.set_memo(work.conn, notes.RESTORED, {})
    return mails.release_held(work.conn, work.now)
