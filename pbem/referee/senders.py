"""Mails to whoever wrote a letter, where nobody is known to be he: to an address that nobody is
registered under, or in answer to a letter that is of no seat.

Each address gets a few an hour at most, and all unregistered addresses together get so many and no
more: whoever writes with false senders reaches few strangers by us. What answers a code that was
mailed there counts for nothing: its writer has shown that the mailbox is his. Nothing of a letter
is quoted.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from pbem.post import masters, people
from pbem.post.compose import Draft
from pbem.post.work import Work
from pbem.referee.judged import Judged
from pbem.store import invitations, mail_counts, players

HOUR = timedelta(hours=1)
STRANGER, INVITED, QUESTION, ANSWER, CONFIRMED = (
    "stranger",
    "invited",
    "question",
    "anybody",
    "confirmed",
)
"""The kinds of these mails in the outbox: the first two go to unregistered addresses; the last
answer a code."""


def registered(work: Work, address: str) -> bool:
    """Whether an address is a player's or a gamesmaster's."""
    known = players.at_address(work.conn, address) is not None
    return known or masters.is_one(work.conn, work.mark, address)


def why_not(work: Work, judged: Judged, kind: str = ANSWER) -> str:
    """Why the writer of a letter cannot be answered now; "" where he can be."""
    sender, decision = judged.letter.sender, judged.decision
    if not sender or not decision.reply_allowed:
        return decision.no_reply or "it has no sender"
    return why_no_mail(work, players.address_of_record(work.conn, sender), kind)


def why_no_mail(work: Work, address: str, kind: str = ANSWER) -> str:
    """Why no mail of a kind may go to an address now; "" where one may."""
    limits, since, known = work.limits, work.now - HOUR, registered(work, address)
    if kind == CONFIRMED:
        return ""
    if known and kind == ANSWER:
        kinds, most = [ANSWER], limits.receipts_an_hour
    else:
        kinds, most = [STRANGER, INVITED, QUESTION], limits.stranger_mails_an_hour
    if _made_to(work, address, kinds, known=known) >= most:
        return f"{address} has had its mails of this hour ({most})"
    most = limits.unregistered_mails_an_hour
    if known or sum(mail_counts.made(work.conn, one, since) for one in (STRANGER, INVITED)) < most:
        return ""
    return (
        f"all addresses that nobody is registered under have had their mails of this hour ({most})"
    )


def _made_to(work: Work, address: str, kinds: Sequence[str], *, known: bool) -> int:
    """How many mails of some kinds went to an address within the hour. Where nobody is registered
    there it stands for its mailbox: what is behind a plus sign anybody can write."""
    since = work.now - HOUR
    if known:
        return mail_counts.made_to(work.conn, address, kinds, since)
    boxes = map(invitations.mailbox, mail_counts.recipients(work.conn, kinds, since))
    return list(boxes).count(invitations.mailbox(address))


class Answer(str):
    """A text that a word is answered with, and the ``subject`` under which it goes out."""

    subject: str

    def __new__(cls, text: str, subject: str) -> Answer:
        """``text`` under ``subject``."""
        made = super().__new__(cls, text)
        made.subject = subject
        return made


def joined(told: Sequence[str]) -> str:
    """The answers to the words of one letter as one, each once, under the subject of the first that
    has one."""
    texts = [one for one in dict.fromkeys(told) if one]
    subjects = [one.subject for one in texts if isinstance(one, Answer)]
    text = "\n\n".join(texts)
    return Answer(text, subjects[0]) if subjects else text


def tell(work: Work, judged: Judged, kind: str, text: str) -> None:
    """A mail to the sender of a letter, in its thread, where one may go; a player's goes to his
    address of record."""
    sender = judged.letter.sender
    if not sender or not text or why_not(work, judged, kind):
        return
    to = players.address_of_record(work.conn, sender)
    draft = Draft(
        f"{kind}:{judged.row.id}",
        kind if kind == CONFIRMED or registered(work, to) else STRANGER,
        text.subject if isinstance(text, Answer) else "Re: your letter to the referee",
        text,
        in_reply_to=judged.letter.message_id,
        automatic="auto-replied",
    )
    people.put(work, to, draft, rich=False)
