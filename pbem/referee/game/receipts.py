"""Send receipts, and the few other mails that a letter may cause.

The subject of a receipt.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from sqlalchemy import Connection

from pbem.games.frame.adjudication import Answer, canonical
from pbem.games.frame.readiness import Said
from pbem.house import templates
from pbem.letters.letter import Letter
from pbem.orders.order import Standing
from pbem.periods import away, drawing, formation, own_page
from pbem.post import outbox
from pbem.post.compose import Draft, Frozen
from pbem.post.seats import named, readers, to_seat
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.game import sizes
from pbem.referee.game.receipt_text import (
    GONE,
    NEW,
    Receipt,
    asks_only,
    faced,
    marked,
    receipt_text,
    received_at,
)
from pbem.referee.words import questions
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.letters.undecided import LetterRow
from pbem.store.mails import mails
from pbem.store.people.players import PLAIN
from pbem.store.schema.tables import Outgoing
from pbem.text import counted, thousands


def result(
    answers: Sequence[Answer], marks: Sequence[str], *, ready: bool, trial: bool
) -> str | None:
    """Return "2 orders taken, 1 not", or None without orders. marks: of the lines listed. ready:
    whether it says READY, and that stands."""
    read = [one for one in answers if not one.quiet]
    good, gone = marks.count(NEW), marks.count(GONE)
    refused = [one for one in read if any(not p.warning for p in one.problems)]
    asked = len({one.line.number for one in refused if one.asked})
    bad = len({one.line.number for one in refused if not one.asked})
    parts = []
    if good:
        parts.append(f"{counted(good, 'order')} {'good' if trial else 'taken'}")
    if gone:
        parts.append(f"{gone if good else counted(gone, 'order')} {'' if trial else 'taken '}back")
    if bad:
        lines = counted(bad, "line")
        parts.append(f"{bad} not" if parts else f"{lines} {'not good' if trial else 'not taken'}")
    if asked:
        parts.append(f"{asked if parts else counted(asked, 'order')} asked about")
    if not parts and any(one.orders or one.cancelled for one in read):
        parts.append("your orders are as they were")
    if parts:
        return f"{'tried: ' if trial else ''}{', '.join(parts)}"
    return "READY taken" if ready and not trial else None


HOUR, DAY = timedelta(hours=1), timedelta(days=1)
CHALLENGE, AGAIN = "challenge", "again"
_ANSWERS = (
    CHALLENGE,
    AGAIN,
    "review",
    "question",
    "anybody",
    "invited",
    "stranger",
    "newcomer",
    "confirmed",
    "unread",
    "gamesmaster",
    "proof",
    "standby-answer",
)


def send_receipts(
    work: Work, judged: Judged, game: GameAt, number: int, standing: Standing, receipt: Receipt
) -> None:
    """Send the receipt to player and deputy; mere answers to the writer."""
    both = readers(work, game, game.holders[judged.decision.seat])
    if judged.deputy and not any(one.deputy for one in both):  # her time may be over by now
        both.append(judged.writer(work, game))
    wrote = _wrote(judged, named(game, judged.decision.seat)) if len(both) > 1 else None
    if wrote and asks_only(judged, game, receipt.answers) and not receipt.notes:
        both = [one for one in both if bool(one.deputy) == bool(judged.deputy)]
    listed = questions.others(judged.decision.peeled, game, receipt.answers)
    change = receipt.before is not None and marked(game, receipt.before, receipt.tried or {})
    marks = [one.mark for one in change or ()]
    for reader in both:
        text = receipt_text(work, judged, game, number, standing, receipt, reader, wrote)
        ready = judged.decision.peeled.asks("READY") and receipt.said is Said.READY
        done = result(listed, marks, ready=ready, trial=receipt.trial)
        send_receipt(work, judged, game, reader, text, done)


def _wrote(judged: Judged, player: str) -> str:
    return f"the deputy ({judged.letter.sender})" if judged.deputy else player


def send_receipt(
    work: Work, judged: Judged, game: GameAt, holder: Holder, text: str, done: str | None = None
) -> None:
    """Send one threaded reply. done: the subject, if not the letter's.

    Beyond the hourly limit it waits to be merged; a deputy's is dropped. Beyond the byte limit it
    has one line.
    """
    if not holder.address:
        return
    since, most = work.now - game.house.an_hour, work.limits.receipts_an_hour
    asked = holder.calendar and judged.decision.peeled.asks("CALENDAR")
    dated = own_page.of(work, game) if asked else ""
    sent = mails.bytes_to(work.conn, holder.address, sizes.COUNTED, work.now - HOUR)
    shown = judged.decision.peeled.asks("BOARD") and holder.face != PLAIN
    board = drawing.board_now(work.conn, game, formation.of_now(work.conn, game)) if shown else {}
    for key in receipt_keys(judged.row.id):
        subject = f"Re: [{game.id}] {done}" if done else _reply_subject(judged.letter, game.id)
        draft = Draft(key, "receipt", subject, text, calendar=dated)
        draft = replace(draft.answering(judged.letter), pictures=board)
        mail = to_seat(work, game, faced(work, holder, text), draft)
        if sent + len(mail.raw) > work.limits.address_bytes_an_hour:
            full = sizes.HOUR_IS_FULL.format(most=thousands(work.limits.address_bytes_an_hour))
            mail = to_seat(
                work, game, holder, replace(draft, text=full, calendar=None, pictures={})
            )
        if holder.deputy:
            had = mails.made(work.conn, since, "receipt", recipient=holder.address)
            if had >= most or outbox.put(work, mail):
                return
        elif outbox.put_within(work, mail, since, most):
            return


def send_again(work: Work, judged: Judged, game: GameAt, holder: Holder, text: str) -> None:
    """Send a repeated letter's receipt, once a day to a seat: anyone could resend it."""
    since = work.now - DAY
    if not holder.address or mails.made(work.conn, since, AGAIN, game_id=game.id, seat=holder.seat):
        return
    letter = judged.letter
    draft = Draft(f"{AGAIN}:{judged.row.id}", AGAIN, _reply_subject(letter, game.id), text)
    outbox.put(work, to_seat(work, game, holder, draft.answering(letter)))


def told_of_review(work: Work, game: GameAt, holder: Holder, row: LetterRow) -> bool:
    """Return whether the writer knows that it waits, or cannot be told."""
    if not holder.address or Outgoing.has(work.conn, key=f"review:{row.id}"):
        return True
    since = work.now - game.house.an_hour
    recent = mails.made(work.conn, since, "review", game_id=game.id, seat=holder.seat)
    return recent >= work.limits.receipts_an_hour


def tell_of_review(
    work: Work, judged: Judged, before: GameAt, stood: Standing, receipt: Receipt
) -> None:
    """Say that a letter waits for the review. before: the game in the reviewed period."""
    row, letter, decision = judged.row, judged.letter, judged.decision
    holder, peeled = judged.writer(work, before), decision.peeled
    text = (
        templates.environment()
        .get_template("_shared/review.txt.j2")
        .render(
            at=before,
            holder=holder,
            sections=receipt.answered,
            orders=canonical(stood) if peeled.asks("ORDERS") else None,
            meant=decision.press is None and (not peeled.empty or bool(peeled.press)),
            named=decision.period == before.period.number + 1,
            received=received_at(before, row.received),
            away=away.waits(work, before.id),
        )
    )
    draft = Draft(f"review:{row.id}", "review", _reply_subject(letter, before.id), text)
    outbox.put(work, to_seat(work, before, holder, draft.answering(letter)))


def receipt_keys(letter_id: int) -> tuple[str, ...]:
    """Return the keys of a letter's receipts: first, once accepted, repeated."""
    return f"receipt:{letter_id}", f"receipt:{letter_id}:accepted", f"receipt:{letter_id}:again"


def answer_keys(letter_id: int) -> tuple[str, ...]:
    """Return the keys of mails that may have answered a letter."""
    words = [*(f"leaving:{word}" for word in ("QUIT", "RESIGN")), *_ANSWERS]
    return (*receipt_keys(letter_id), *(f"{word}:{letter_id}" for word in words))


def _reply_subject(letter: Letter, game_id: str) -> str:
    subject = letter.subject.strip() or f"[{game_id}] your orders"
    return subject if subject.lower().startswith("re:") else f"Re: {subject}"


def old_receipt(conn: Connection, letter_id: int, deputy: int = 0) -> Frozen | None:
    """Return the last receipt of an earlier letter, or None.

    deputy: his copy; 0 for the player's.
    """
    keys = receipt_keys(letter_id)
    raw = mails.raw(conn, [f"{key}:d{deputy}" for key in keys] if deputy else keys)
    return Frozen(raw) if raw is not None else None
