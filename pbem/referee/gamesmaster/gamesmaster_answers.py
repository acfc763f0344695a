"""Answer a gamesmaster's letter, a part for each command, within limits.

A part without room becomes one line. Codes are never left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.house.config import Limits
from pbem.post import alarms, outbox
from pbem.post.compose import Draft
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.game import sizes
from pbem.referee.game.receipts import HOUR
from pbem.store.mails import mails
from pbem.text import thousands

KIND = "gamesmaster"
_WITH_CODE = ("DESK",)
"""Answered with the link to the desk."""
_TOO_LONG = (
    "The answers to your letter come to more than one mail holds ({most} bytes), so the rest of"
    " them is cut. Ask for less at a time."
)
_HOUR_IS_FULL = (
    "Your letter was read as always. The answers to you of this hour have come to {most} bytes, the"
    " most, so this one is short. In an hour, the word QUEUE shows what stands."
)


@dataclass(frozen=True, slots=True)
class Said:
    """A part of an answer."""

    text: str
    brief: str | None = None
    """For want of room. None: always use the text."""
    whole: bool = False
    """Never cut it: what matters is at the end."""
    refused: bool = False

    @property
    def least(self) -> str:
        return self.text if self.brief is None else self.brief


def done(name: str, text: str, limits: Limits) -> Said:
    if name in _WITH_CODE or len(text) <= limits.quoted_characters:
        return Said(text)
    return Said(text, f"Done: {name}. Its answer is left out.")


def refused(text: str, limits: Limits) -> Said:
    return Said(text, sizes.in_short(text, limits), refused=True)


def within(parts: Sequence[Said], most: int) -> str:
    """Join the parts within most bytes; shorten those beyond."""
    texts = [one.text for one in parts]
    fit = sizes.within(texts, most)
    if all(one.brief is None for one in parts[fit:]):
        return "\n\n".join(texts)
    shown, cut = texts[:fit], list(parts[fit:])
    if head := _head(cut[0], most - sum(map(sizes.size, shown))):
        shown.append(head)
        cut = cut[1:]
    notice = _TOO_LONG.format(most=thousands(most))
    return "\n\n".join((*shown, notice, *(one.least for one in cut)))


def _head(part: Said, most: int) -> str:
    if part.whole or part.brief is None:
        return ""
    lines = [f"{line}\n" for line in part.text.split("\n")]
    return "".join(lines[: sizes.within(lines, most)]).rstrip()


def reply(
    work: Work, judged: Judged, subject: str, parts: Sequence[Said], kind: str = KIND
) -> None:
    """Answer a gamesmaster's letter if allowed; briefly beyond the bytes of an hour."""
    to, limits = judged.letter.sender, work.limits
    if not to or not judged.decision.reply_allowed:
        return
    text = within(parts, limits.answers_bytes)
    draft = Draft(f"{kind}:{judged.row.id}", kind, subject, f"{text}\n").answering(judged.letter)
    mail = alarms.made(work, draft, to)
    sent = mails.bytes_to(work.conn, to, sizes.COUNTED, work.now - HOUR)
    if kind in sizes.COUNTED and sent + len(mail.raw) > limits.address_bytes_an_hour:
        full = _HOUR_IS_FULL.format(most=thousands(limits.address_bytes_an_hour))
        least = "\n\n".join((full, *(one.least for one in parts)))
        mail = alarms.made(work, replace(draft, text=f"{least}\n"), to)
    outbox.put(work, mail)
