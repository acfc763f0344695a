"""Tell the registered sender of a letter over its limit of size or work. Only the header is
read."""

from __future__ import annotations

from pbem.letters import automatic
from pbem.letters.letter import outside
from pbem.periods import away
from pbem.post import people
from pbem.post.compose import LOOP_MARK, Draft
from pbem.post.work import Work
from pbem.referee.deciding import registry, senders
from pbem.store.people import players
from pbem.text import sentence

SIZE = "It is more than one letter may hold, so nothing of it was read. Send less in one letter."
WORK = (
    "It is more work than one letter may cost, so nothing of it was taken. The gamesmaster sees it."
    " Send less in one letter."
)
FAILED = (
    "The referee could not work with it, so nothing of it was taken. The gamesmaster has been told,"
    " and it waits for him: you need not send it again."
)


def tell(work: Work, letter_id: int, raw: bytes, said: str) -> None:
    """Answer a letter not read to its end. said: SIZE, WORK or FAILED."""
    seen = outside(raw, work.limits.of_reading())
    if seen is None or not seen.sender or seen.sender == work.mark.address.lower():
        return
    if automatic.why(seen) or LOOP_MARK.lower() in seen.fields:
        return
    to = players.address_of_record(work.conn, seen.sender)
    if not senders.registered(work, to) or senders.why_no_mail(work, to, senders.QUESTION):
        return
    subject = f"Re: {seen.subject[:100].strip() or 'your letter to the referee'}"
    played = registry.games_of(work.conn, seen.sender) if said != SIZE else ()
    is_away = away.waits(work, played[0]) if len(played) == 1 else ""
    text = f"A letter in your name came to the referee. {sentence(said)}{is_away}\n"
    draft = Draft(f"{senders.QUESTION}:{letter_id}:unread", senders.QUESTION, subject, text)
    people.put(work, to, draft.answering(seen), rich=False)
