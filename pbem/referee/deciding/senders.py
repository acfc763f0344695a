"""Answer senders who are unknown, or whose letter is of no seat.

Unregistered addresses have hourly limits in three shares, so that forgers keep no newcomer out. An
answer without room is owed (:mod:`pbem.referee.game.late_answers`). Answers to a code have no
limit. Nothing is quoted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from pbem.letters.authentication import Level, by_server
from pbem.post import codes, masters, people
from pbem.post.compose import SEED, Draft
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.store.joining import invitations
from pbem.store.letters import owing
from pbem.store.mails import mail_counts, mails
from pbem.store.people import players
from pbem.store.schema.states import MailState

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
STRANGER, INVITED, QUESTION, ANSWER, CONFIRMED = (
    "stranger",
    "invited",
    "question",
    "anybody",
    "confirmed",
)
"""The first two go to unregistered addresses; CONFIRMED answers a code."""
NEWCOMER, FORGED = "newcomer", "forged"
"""Unregistered: vouched for by our server, and failing DMARC."""
SHARES = (NEWCOMER, STRANGER, FORGED)
"""Each has its own mails an hour."""
FORGED_AN_HOUR = 10
MERGING = (STRANGER, NEWCOMER, ANSWER)
"""Beyond the hourly limit these wait, and go out as one mail."""
MOST_MERGED = 20
"""For one address."""
_ALL = {
    STRANGER: "all unregistered addresses without proof",
    NEWCOMER: "all proven newcomers",
    INVITED: "all proven newcomers",
    FORGED: "all letters that fail DMARC",
}


def registered(work: Work, address: str) -> bool:
    known = players.at_address(work.conn, address) is not None
    return known or masters.is_one(work.conn, work.mark, address)


def why_not(work: Work, judged: Judged, kind: str = ANSWER) -> str | None:
    """Return why the sender cannot be answered now, or None."""
    sender, decision = judged.letter.sender, judged.decision
    if not sender or not decision.reply_allowed:
        return decision.no_reply or "it has no sender"
    to, share = players.address_of_record(work.conn, sender), share_of(work, judged)
    if kind == CONFIRMED:
        return ""
    if told(work, judged) and not _answers_ours(work, judged):
        return f"{to} has had its one mail, and has said no yes and given no proof"
    if (full := _address_full(work, to, kind, share)) and not _can_wait(work, to, share):
        return full
    return "" if registered(work, to) or room(work, share) > 0 else _no_room(work, share)


def told(work: Work, judged: Judged) -> bool:
    """Return whether an unproven stranger has had his one mail."""
    sender = judged.letter.sender or ""
    if share_of(work, judged) != STRANGER or registered(work, sender):
        return False
    kinds = (STRANGER, NEWCOMER)
    mailed = [bool(_made_to(work, sender, [kind], codes.LIVES)) for kind in kinds]
    return mailed == [True, False]


def _answers_ours(work: Work, judged: Judged) -> bool:
    """Return whether a letter answers a mail to its sender that asked for no yes."""
    ours = (mails.recipient(work.conn, one) for one in judged.letter.in_reply_to)
    box = invitations.mailbox(judged.letter.sender or "")
    return not judged.decision.door and box in [invitations.mailbox(one) for one in ours if one]


def _can_wait(work: Work, to: str, share: str) -> bool:
    if share == FORGED:
        return False
    boxes = [invitations.mailbox(one) for one in mails.merged_to(work.conn, MERGING)]
    return boxes.count(invitations.mailbox(to)) < MOST_MERGED


def share_of(work: Work, judged: Judged) -> str:
    """Return the share (also a kind) that pays for an unregistered sender."""
    ours = frozenset({work.config.referee.authserv_id.lower()} - {""})
    if by_server(judged.letter, ours).failed:
        return FORGED
    return NEWCOMER if judged.decision.authentication is Level.PROVEN else STRANGER


def owed(work: Work, judged: Judged) -> str | None:
    """Return the kind owed once there is room; None if there is, or he gets none."""
    sender = judged.letter.sender or ""
    share = share_of(work, judged)
    if not why_not(work, judged) or not judged.decision.reply_allowed:
        return None
    if not sender or registered(work, sender) or told(work, judged):
        return None
    if share == FORGED and _made_to(work, sender, [FORGED], DAY):
        return None  # told today
    most = 1 if share == FORGED else work.limits.stranger_mails_an_hour
    return share if owing.number(work.conn, sender) < most else None


def room(work: Work, share: str) -> int:
    """Return how many mails a share has left this hour."""
    kinds = (NEWCOMER, INVITED) if share in (NEWCOMER, INVITED) else (share,)
    made = sum(mail_counts.made(work.conn, one, work.now - HOUR) for one in kinds)
    return _most(work, share) - made


def _most(work: Work, share: str) -> int:
    return FORGED_AN_HOUR if share == FORGED else work.limits.unregistered_mails_an_hour


def _no_room(work: Work, share: str) -> str:
    return f"{_ALL[share]} have had their mails of this hour ({_most(work, share)})"


def why_no_mail(work: Work, address: str, kind: str = ANSWER, share: str = STRANGER) -> str | None:
    """Return why no mail may go to address now. share: pays for strangers."""
    if kind == CONFIRMED:
        return None
    if full := _address_full(work, address, kind, share):
        return full
    return None if registered(work, address) or room(work, share) > 0 else _no_room(work, share)


def _address_full(work: Work, address: str, kind: str, share: str) -> str | None:
    limits = work.limits
    if registered(work, address):
        answer = kind == ANSWER
        kinds = (ANSWER,) if answer else (NEWCOMER, STRANGER, INVITED, QUESTION)
        most = limits.receipts_an_hour if answer else limits.stranger_mails_an_hour
        had = mail_counts.made_to(work.conn, address, kinds, work.now - HOUR)
        return None if had < most else f"{address} has had its mails of this hour ({most})"
    if share == FORGED and _made_to(work, address, [FORGED], DAY):
        return f"{address} has been told today that its letters fail DMARC"
    if _made_to(work, address, [share, INVITED], HOUR) >= limits.stranger_mails_an_hour:
        return f"{address} has had its mails of this hour ({limits.stranger_mails_an_hour})"
    return None


def why_not_invited(work: Work, address: str | None) -> str | None:
    """Return why address (None: any) cannot be invited now, or None. It reveals no registration."""
    most = work.limits.stranger_mails_an_hour
    if address and _made_to(work, address, [INVITED], HOUR) >= most:
        return f"{address} has had its mails of this hour ({most})"
    return None if room(work, INVITED) > 0 else _no_room(work, INVITED)


def _made_to(work: Work, address: str, kinds: Sequence[str], span: timedelta) -> int:
    box = invitations.mailbox(address)
    return mail_counts.made_to_mailbox(work.conn, box, kinds, work.now - span)


NONE: Mapping[str, bytes] = {}


class Answer(str):
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
    ) -> Answer:
        made = super().__new__(cls, text)
        made.subject, made.code, made.seed, made.pictures = subject, code, seed, pictures
        return made


def joined(told: Sequence[str]) -> str:
    """Join answers, each once, under the first subject."""
    texts = [one for one in dict.fromkeys(told) if one]
    answers = [one for one in texts if isinstance(one, Answer)]
    text = "\n\n".join(texts)
    if not answers:
        return text
    code = next((one.code for one in answers if one.code), None)
    seed = next((one.seed for one in answers if one.seed), None)
    pictures = next((one.pictures for one in answers if one.pictures), NONE)
    return Answer(text, answers[0].subject, code, seed, pictures)


def tell(work: Work, judged: Judged, kind: str, text: str) -> None:
    """Answer in the letter's thread, if allowed. A player's answer goes to his address of
    record."""
    sender = judged.letter.sender
    if not sender or not text or why_not(work, judged, kind):
        return
    to = players.address_of_record(work.conn, sender)
    answer = text if isinstance(text, Answer) else Answer(text, "Re: your letter to the referee")
    share = share_of(work, judged)
    draft = Draft(
        f"{kind}:{judged.row.id}",
        kind if kind == CONFIRMED or registered(work, to) else share,
        answer.subject,
        answer,
        reply_to=codes.reply_to(work, answer.code) if answer.code else None,
        in_reply_to=judged.letter.message_id,
        automatic="auto-replied",
        pictures=answer.pictures,
        facts={SEED: answer.seed} if answer.seed else {},
    )
    rich = not players.wants_plain(work.conn, to)
    people.put(work, to, draft, rich=rich, state=state_of(work, to, kind, share))


def state_of(work: Work, to: str, kind: str, share: str = STRANGER) -> MailState:
    """Return MERGED if an address has had its mails this hour. Ask :func:`why_not` first."""
    if kind == CONFIRMED or not _address_full(work, to, kind, share):
        return MailState.READY
    kept = kind if registered(work, to) else share
    return MailState.MERGED if kept in MERGING else MailState.READY
