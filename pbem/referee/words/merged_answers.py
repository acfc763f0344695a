"""Merge many answers of an hour to somebody without a seat into one mail."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.pages import sheet
from pbem.post import people
from pbem.post.compose import Draft
from pbem.post.frozen import Frozen
from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.store.joining import open_tables
from pbem.store.letters.letter_rows import MergedRow
from pbem.store.mails import mails
from pbem.store.people import players
from pbem.store.schema.states import MailState
from pbem.text import counted


def merge(work: Work) -> int:
    """Send what has waited for an hour while there is room, one mail a mailbox. Return their
    number."""
    groups: dict[str, list[MergedRow]] = {}
    for row in mails.merged(work.conn):
        if not row.game_id:
            groups.setdefault(open_tables.mailbox(row.recipient), []).append(row)
    ripe = [group for group in groups.values() if work.now - group[0].created >= senders.HOUR]
    new = [group for group in ripe if group[0].kind == senders.NEWCOMER]
    late = new[max(0, senders.left(work, senders.NEWCOMER)) :] if new else []
    ripe = [group for group in ripe if group not in late]
    for group in ripe:
        _send(work, group)
        mails.set_states(work.conn, [row.id for row in group], MailState.LISTED)
    return len(ripe)


def _send(work: Work, group: Sequence[MergedRow]) -> None:
    to, old = group[0].recipient, [Frozen(row.raw) for row in group]
    many = f"are the {len(group)} answers" if group[1:] else "is the answer"
    first = (
        f"More letters came within an hour than are answered one by one. Here {many} that waited."
    )
    parts = [f"{sheet.heading(one.subject)}\n\n{_unbroken(one.said)}" for one in old]
    reply_to = next((one.reply_to for one in reversed(old) if one.reply_to), None)
    subject = old[0].subject if len(old) == 1 else f"{counted(len(old), 'answer')} in one"
    key = f"merged:{group[0].id}-{group[-1].id}"
    draft = Draft(key, group[0].kind, subject, "\n\n".join([first, *parts]), reply_to=reply_to)
    people.put(work, to, draft, rich=not players.wants_plain(work.conn, to))


def _unbroken(text: str) -> str:
    """Join lines broken at the margin; keep what is indented or a list."""
    made = list[str]()
    for line in text.split("\n"):
        goes_on = made and made[-1] and line[:1].isalnum() and not made[-1].startswith(" ")
        if goes_on:
            made[-1] = f"{made[-1]} {line}"
        else:
            made.append(line)
    return "\n".join(made)
