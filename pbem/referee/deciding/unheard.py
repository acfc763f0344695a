"""Handle letters without effect: strangers', copies, delivery reports."""

from __future__ import annotations

from pbem.errors import RefereeError
from pbem.letters import copies
from pbem.letters.verdict import Decision
from pbem.post import alarms, delivery
from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.referee.deciding.judged import Judged
from pbem.referee.game import receipts
from pbem.store.games import games
from pbem.store.journal import notes
from pbem.store.letters import letters, undecided
from pbem.store.mails import mails

NOT_TAKEN = (
    "Our mail server found that your letter to the referee fails your mail provider's check"
    " (DMARC), so nothing of it was taken. Forwarding can break that check: send it again from your"
    " own account. If that fails too, write to {gamesmaster}. You are told this once a week."
)


def waits(work: Work, judged: Judged) -> None:
    """Tell an unknown user of a seat's secret address that the letter waits."""
    text = (
        f"I do not know the address {judged.letter.sender}, so your letter does not count yet. It"
        " waits until the player whose address you used, or the gamesmaster"
        f" ({work.mark.gamesmaster}), says that it is his. If you are that player, a mail with a"
        " code is on its way to your own address: send the code back from there."
    )
    answer = senders.Answer(text, "Your letter waits: is it yours?")
    senders.tell(work, judged, "stranger", answer)


def forged(work: Work, judged: Judged) -> None:
    """Tell the sender only that his letter fails DMARC."""
    text = NOT_TAKEN.format(gamesmaster=work.mark.gamesmaster)
    answer = senders.Answer(text, "Your letter was not taken")
    senders.tell(work, judged, senders.QUESTION, answer)


def unwritable(work: Work, letter: int) -> None:
    """Tell the gamesmaster, once a day, of somebody whose address takes no mail of ours."""
    text = (
        f"Letter {letter} comes from an address with letters that are not ASCII, as ö. The referee"
        " cannot write there, and nothing of the letter was taken. Tell its writer to write from"
        " another address."
    )
    alarms.tell(work, "unwritable", "a letter that cannot be answered", text)


def again(work: Work, judged: Judged) -> int:
    """Send a repeated letter's first receipt, once a day. Return its number. Raise RefereeError if
    it is missing."""
    row, letter = judged.row, judged.letter
    first = undecided.first_copy(work.conn, copies.likeness(letter))
    first = first or letters.first_marked(work.conn, judged.decision.marks, row.id)
    if first is None:
        raise RefereeError(f"letter {row.id} is a copy of a letter that is not there")
    quiet = row.folder in work.config.processed or notes.memo(work.conn, notes.RESTORED)
    sent_twice = first.raw_hash != letter.raw_hash or (
        not quiet and letters.came_again(work.conn, row.id)
    )
    old = receipts.old_receipt(work.conn, first.id, judged.deputy) if sent_twice else ""
    if old and judged.decision.reply_allowed and first.seat:
        at = games.game_at(work.conn, first.game_id)
        text = f"This letter had come before; nothing was done twice. Its receipt was:\n\n{old}"
        to = judged.writer(work, at) if judged.deputy else at.holders[first.seat]
        receipts.send_again(work, judged, at, to, text)
    return first.id


def bounced(work: Work, decision: Decision) -> None:
    """Count each failed address; for our mails, where they went."""
    bounce = decision.bounce
    if bounce is None:
        return
    ours = f"<{bounce.ident}@{work.mark.domain}>"
    recipient = mails.recipient(work.conn, ours) if bounce.ident else None
    for failure in bounce.failures:
        delivery.count(work.conn, recipient or failure.recipient, failure, work.now)
