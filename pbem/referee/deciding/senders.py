"""Answer senders who are unknown, or whose letter is of no seat.

Unregistered addresses have hourly limits in two shares, so that forgers keep no newcomer out. A
proven answer without room waits to be merged (:mod:`pbem.referee.words.door`); where too
many wait, the gamesmaster sees the letter. Answers to a code have no limit. Nothing is quoted.

Bound the bytes of letters without proof: the oldest lose theirs, not row and outcome. Letters
without effect are handled too: strangers', copies, delivery reports, those over a limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from pbem.errors import RefereeError
from pbem.games.frame.codec import Json
from pbem.house import templates
from pbem.letters import automatic, copies
from pbem.letters.authentication import Level, by_server
from pbem.letters.letter import outside
from pbem.letters.states import LetterState
from pbem.letters.verdict import Decision
from pbem.periods import away
from pbem.post import alarms, codes, masters, outbox, seats
from pbem.post.compose import LOOP_MARK, SEED, Draft
from pbem.post.work import Work
from pbem.referee.deciding import registry
from pbem.referee.deciding.judged import Judged
from pbem.referee.game import receipts
from pbem.store.games import games
from pbem.store.joining import open_tables
from pbem.store.journal import notes
from pbem.store.letters import letters, undecided
from pbem.store.mails import mails
from pbem.store.people import players
from pbem.store.schema.states import MailState
from pbem.store.schema.tables import Outgoing
from pbem.text import thousands

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
STRANGER, NEWCOMER, INVITED = "stranger", "newcomer", "invited"
"""To unregistered addresses; NEWCOMER to proven ones."""
QUESTION, ANSWER, CONFIRMED = "question", "anybody", "confirmed"
"""CONFIRMED answers a code."""
GAMESMASTER = "gamesmaster"
SIZE, WORK, FAILED = "size", "work", "failed"
"""Why a letter was not read to its end."""
MOST_MERGED = 20
"""That wait for one address; of proven letters twice as many."""
HOURS = 10
"""Of mails that may wait for proven newcomers."""


def registered(work: Work, address: str) -> bool:
    known = players.at_address(work.conn, address) is not None
    return known or masters.is_one(work.conn, work.mark, address)


def why_not(work: Work, judged: Judged, kind: str = ANSWER) -> str | None:
    """Return why the sender cannot be answered now, or None."""
    sender, decision = judged.letter.sender, judged.decision
    if not sender or not decision.reply_allowed:
        return decision.no_reply or "it has no sender"
    to, share = players.address_of_record(work.conn, sender), share_of(work, judged)
    if kind != CONFIRMED and told(work, judged) and not _answers_ours(work, judged):
        return f"{to} has had its one mail, and has said no yes and given no proof"
    full = why_no_mail(work, to, kind, share)
    return None if full is None or _can_wait(work, to, share) else full


def silent(work: Work, judged: Judged) -> LetterState:
    """Return the state of an unanswered letter; the queue shows a proven one."""
    decision = judged.decision
    if decision.reply_allowed and share_of(work, judged) == NEWCOMER and _most(work):
        return LetterState.UNANSWERED
    return LetterState.COMMAND if decision.proven else LetterState.UNKNOWN_SENDER


def told(work: Work, judged: Judged) -> bool:
    """Return whether an unproven stranger has had their one mail."""
    sender = judged.letter.sender or ""
    if share_of(work, judged) != STRANGER or registered(work, sender):
        return False
    proven = _made_to(work, sender, [NEWCOMER], codes.LIVES) and not failed(work, judged)
    return not proven and bool(_made_to(work, sender, [STRANGER], codes.LIVES))


def _answers_ours(work: Work, judged: Judged) -> bool:
    """Return whether a letter answers a mail to its sender that asked for no yes."""
    answered = judged.letter.in_reply_to
    ours = (Outgoing.scalar(work.conn, Outgoing.recipient, message_id=one) for one in answered)
    box = open_tables.mailbox(judged.letter.sender or "")
    asks = judged.decision.case.door or failed(work, judged)
    return not asks and box in [open_tables.mailbox(one) for one in ours if one]


def _can_wait(work: Work, to: str, share: str) -> bool:
    """Return whether an answer may wait to be merged."""
    known, proven = registered(work, to), share == NEWCOMER
    boxes = [open_tables.mailbox(one) for one in mails.merged_to(work.conn)]
    few = boxes.count(open_tables.mailbox(to)) < MOST_MERGED * (1 + proven)
    return few and (known or (proven and len(boxes) < HOURS * _most(work)))


def failed(work: Work, judged: Judged) -> bool:
    """Return whether our server says that a letter fails DMARC."""
    ours = frozenset({work.config.referee.authserv_id.lower()} - {""})
    return by_server(judged.letter, ours).failed


def share_of(work: Work, judged: Judged) -> str:
    """Return the share (also a kind) that pays for an unregistered sender."""
    proven = judged.decision.authentication is Level.PROVEN and not failed(work, judged)
    return NEWCOMER if proven else STRANGER


def room(work: Work, share: str) -> int:
    """Return a share's mails left this hour, without those that wait."""
    waiting = {open_tables.mailbox(one) for one in mails.merged_to(work.conn, (NEWCOMER,))}
    return left(work, share) - (len(waiting) if share == NEWCOMER else 0)


def left(work: Work, share: str) -> int:
    kinds = (NEWCOMER, INVITED) if share == NEWCOMER else (share,)
    made = mails.made(work.conn, work.now - HOUR, *kinds, alone=True)
    return _most(work) - made


def _most(work: Work) -> int:
    return work.limits.unregistered_mails_an_hour


def _no_room(work: Work, share: str) -> str:
    whose = "proven newcomers" if share == NEWCOMER else "unregistered addresses without proof"
    return f"all {whose} have had their mails of this hour ({_most(work)})"


def why_no_mail(work: Work, address: str, kind: str = ANSWER, share: str = STRANGER) -> str | None:
    """Return why address gets no mail now. share: pays for strangers."""
    if kind == CONFIRMED:
        return None
    if full := _address_full(work, address, kind, share):
        return full
    return None if registered(work, address) or room(work, share) > 0 else _no_room(work, share)


def _address_full(work: Work, address: str, kind: str, share: str) -> str | None:
    most = work.limits.stranger_mails_an_hour
    if not registered(work, address):
        had = _made_to(work, address, [share, INVITED], HOUR)
    elif kind == ANSWER:
        most = work.limits.receipts_an_hour
        had = mails.made(work.conn, work.now - HOUR, ANSWER, recipient=address)
    else:
        kinds = (NEWCOMER, STRANGER, INVITED, QUESTION, "unread")
        had = mails.made(work.conn, work.now - HOUR, *kinds, recipient=address)
    return None if had < most else f"{address} has had its mails of this hour ({most})"


def why_not_invited(work: Work, address: str | None) -> str | None:
    """Return why address (None: any) cannot be invited now. It reveals no registration."""
    most = work.limits.stranger_mails_an_hour
    if address and _made_to(work, address, [INVITED], HOUR) >= most:
        return f"{address} has had its mails of this hour ({most})"
    return None if room(work, NEWCOMER) > 0 else _no_room(work, NEWCOMER)


def _made_to(work: Work, address: str, kinds: Sequence[str], span: timedelta) -> int:
    box = open_tables.mailbox(address)
    return mails.made(work.conn, work.now - span, *kinds, box=box)


NONE: Mapping[str, bytes] = {}
said = partial(templates.said, "senders")


class Reply(str):
    """A text with its subject."""

    subject: str
    code: str | None
    """Confirmed by a yes."""
    seed: str | None
    """SHA-256 of the seed of its table."""
    pictures: Mapping[str, bytes]

    def __new__(
        cls,
        text: str,
        subject: str,
        code: str | None = None,
        seed: str | None = None,
        pictures: Mapping[str, bytes] = NONE,
    ) -> Reply:
        made = super().__new__(cls, text)
        made.subject, made.code, made.seed, made.pictures = subject, code, seed, pictures
        return made

    @classmethod
    def of(cls, file: str, what: str, *given: Any) -> Reply:
        """Return what a macro of ``_shared/FILE.txt.j2`` says: its subject, then the text."""
        subject, _, text = templates.said(file, what, *given).partition("\n")
        return cls(text.strip(), subject)


def joined(told: Sequence[str]) -> str:
    """Join answers, each once, under the first subject."""
    texts = [one for one in dict.fromkeys(told) if one]
    answers = [one for one in texts if isinstance(one, Reply)]
    text = "\n\n".join(texts)
    if not answers:
        return text
    code = next((one.code for one in answers if one.code), None)
    seed = next((one.seed for one in answers if one.seed), None)
    pictures = next((one.pictures for one in answers if one.pictures), NONE)
    return Reply(text, answers[0].subject, code, seed, pictures)


def tell(work: Work, judged: Judged, kind: str, text: str) -> None:
    """Answer in the letter's thread, if allowed. A player's answer goes to their address of
    record."""
    sender = judged.letter.sender
    if not sender or not text or why_not(work, judged, kind):
        return
    to = players.address_of_record(work.conn, sender)
    answer = text if isinstance(text, Reply) else Reply(text, "Re: your letter to the referee")
    share = share_of(work, judged)
    state = state_of(work, to, kind, share)
    draft = Draft(
        f"{kind}:{judged.row.id}",
        kind if kind == CONFIRMED or registered(work, to) else share,
        answer.subject,
        answer,
        reply_to=codes.reply_to(work, answer.code) if answer.code else None,
        in_reply_to=judged.letter.message_id,
        automatic="auto-replied",
        pictures=answer.pictures if state is MailState.READY else NONE,
        facts={SEED: answer.seed} if answer.seed else {},
    )
    rich = not players.wants_plain(work.conn, to)
    seats.put(work, to, draft, rich=rich, state=state)


def reply(
    work: Work, judged: Judged, subject: str, parts: Sequence[str], kind: str = GAMESMASTER
) -> None:
    """Answer a gamesmaster's letter, if allowed."""
    to = judged.letter.sender
    if to and judged.decision.reply_allowed:
        text = "\n\n".join(parts)
        draft = Draft(f"{kind}:{judged.row.id}", kind, subject, f"{text}\n")
        alarms.put(work, draft.answering(judged.letter), to)


def state_of(work: Work, to: str, kind: str, share: str = STRANGER) -> MailState:
    """Return MERGED if it has to wait. Ask :func:`why_not` first."""
    return MailState.MERGED if why_no_mail(work, to, kind, share) else MailState.READY


MEMO = "unproven"
SHOWN = timedelta(days=30)
"""How long the queue mentions it."""
_NEW = 50  # count again after so many new letters
_AT_ONCE = 500


def keep_within(work: Work) -> int:
    """Drop bytes beyond the bound. Return the number of letters."""
    conn, memo = work.conn, notes.memo(work.conn, MEMO)
    last = letters.last_id(conn)
    if memo and 0 <= last - memo.get("last", 0) < _NEW:
        return 0
    most = work.limits.unproven_bytes
    over = letters.unproven_bytes(conn) - most
    dropped = list(_dropped(work, over)) if over > 0 else []
    spent: Json = {**memo, "last": last}
    if dropped:
        spent |= {
            "reached": work.now.isoformat(),
            "letters": memo.get("letters", 0) + len(dropped),
            "bytes": memo.get("bytes", 0) + sum(dropped),
        }
    notes.set_memo(conn, MEMO, spent)
    return len(dropped)


def _dropped(work: Work, over: int) -> Iterator[int]:
    reason = (
        "letters that prove nothing came to more than"
        f" {thousands(work.limits.unproven_bytes)} bytes before its turn came"
    )
    for which in letters.ORDER:
        while over > 0 and (found := letters.oldest_unproven(work.conn, which, _AT_ONCE)):
            for letter_id, size in found:
                if over <= 0:
                    return
                letters.drop_bytes(work.conn, letter_id, reason)
                over -= size
                yield size


def last_reached(work: Work) -> dict[str, Any]:
    """Return when the bound was last reached and what was dropped; {} if not recently."""
    memo = notes.memo(work.conn, MEMO)
    since = (work.now - SHOWN).isoformat()
    return memo if memo.get("reached", "") > since else {}


NOT_TAKEN = (
    "Our mail server found that your letter to the referee fails your mail provider's check"
    " (DMARC), so nothing of it was taken. Forwarding can break that check: send it again from your"
    " own account. If that fails too, write to {gamesmaster}. You are told this once a week."
)


def again(work: Work, judged: Judged) -> int:
    """Send a repeated letter's first receipt, once a day. Return its number. Raise RefereeError if
    it is missing."""
    row, letter = judged.row, judged.letter
    first = undecided.first_copy(work.conn, copies.likeness(letter))
    first = first or letters.first_marked(work.conn, judged.decision.case.marks, row.id)
    if first is None:
        raise RefereeError(f"letter {row.id} is a copy of a letter that is not there")
    quiet = row.folder in work.config.processed or notes.memo(work.conn, notes.RESTORED)
    sent_twice = first.raw_hash != letter.raw_hash or (
        not quiet and letters.came_again(work.conn, row.id)
    )
    old = receipts.old_receipt(work.conn, first.id, judged.deputy) if sent_twice else None
    if old and judged.decision.reply_allowed and first.seat:
        game = games.game_at(work.conn, first.game_id)
        text = said("again", game.minute(old.dated), old.said)
        to = judged.writer(work, game) if judged.deputy else game.holders[first.seat]
        receipts.send_again(work, judged, game, to, text)
    return first.id


def bounced(work: Work, decision: Decision) -> None:
    """Count each failed address; for our mails, where they went."""
    bounce = decision.bounce
    if bounce is None:
        return
    ours = f"<{bounce.ident}@{work.mark.domain}>"
    recipient = bounce.ident and Outgoing.scalar(work.conn, Outgoing.recipient, message_id=ours)
    for failure in bounce.failures:
        outbox.note_returned(work.conn, recipient or failure.recipient, failure, work.now)


def unread(work: Work, letter_id: int, raw: bytes, reason: str) -> None:
    """Answer the registered sender of a letter not read to its end: of it only the header is.
    reason: SIZE, WORK or FAILED."""
    seen = outside(raw, work.limits.of_reading())
    if seen is None or not seen.sender or seen.sender == work.mark.address.lower():
        return
    if automatic.why(seen) or LOOP_MARK.lower() in seen.fields:
        return
    to = players.address_of_record(work.conn, seen.sender)
    if not registered(work, to) or why_no_mail(work, to, QUESTION):
        return
    subject = f"Re: {seen.subject[:100].strip() or 'your letter to the referee'}"
    played = registry.games_of(work.conn, seen.sender) if reason != SIZE else ()
    is_away = away.waits(work, played[0]) if len(played) == 1 else ""
    text = f"{said('unread', reason, is_away)}\n"
    draft = Draft(f"{QUESTION}:{letter_id}:unread", QUESTION, subject, text)
    seats.put(work, to, draft.answering(seen), rich=False)
