"""Answer a gamesmaster's letter, a part for each command, within limits.

A part without room becomes one line. Codes are never left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.acts.act import Act
from pbem.acts.acts import BY_MAIL, FAMILIES
from pbem.house.config import Limits
from pbem.post import alarms, outbox
from pbem.post.compose import Draft
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.game import sizes
from pbem.referee.game.receipts import HOUR
from pbem.store.mails import mails
from pbem.text import listed, thousands

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


# --- HELP -----------------------------------------------------------------------------------------


_COLUMN = 34
_BELOW = (
    "shows first what it would change. Below it, without an empty line between, stands what is to"
    " be put right in that period: a line\u00a0ACCEPT 17 for a letter that was held or late and"
    " counts after all, a line\u00a0DROP 12 for a letter that counts no longer, a line\u00a0ORDER"
    " and a seat, and below that orders for it."
)


_SETTINGS = (
    "has settings behind it, or on lines below it without an empty one between, each by its name:"
)


def _settings(act: Act) -> str:
    below = enumerate(act.below.items(), 1)
    lines = [f"  {f'[{n}]':<6}{name:<12} {one.help}" for n, (name, one) in below]
    return "\n".join((f"The command {act.word} {_SETTINGS}", "", *lines))


def _entry(number: int, act: Act) -> str:
    """Return a word's syntax and meaning. No word begins a line: quoted, it would be a command."""
    mark = f"[{number}]{'' if act.code else '*'}"
    head = f"  {mark:<6}{act.shown}"
    between = " " if len(head) < _COLUMN else f"\n{'':{_COLUMN}}"
    return f"{head:<{_COLUMN - 1}}{between}{act.title}"


def _help() -> str:
    numbers = {word: number for number, word in enumerate(BY_MAIL, 1)}
    timeless = sorted(act.word for act in BY_MAIL.values() if act.timeless)
    parts = [
        "Your commands, each on a line of its own below the lines GAME\u00a0key and PERIOD\u00a0n."
        " Those on letters, mails, addresses and open tables need neither, nor"
        f" does\u00a0RESUME\u00a0ALL; no PERIOD is needed by\u00a0{listed(timeless)}.",
        *(
            "\n".join((title.upper(), *(_entry(numbers[one.word], one) for one in by_mail)))
            for title, acts in FAMILIES.values()
            if (by_mail := [one for one in acts if one.by_mail])
        ),
        "Those with a star are done at once, all others once you send back the code that they are"
        " answered with.",
        *(
            _settings(act) if act.settings else f"The command {act.word} {_BELOW}"
            for act in BY_MAIL.values()
            if act.goes_on
        ),
    ]
    return "\n\n".join(parts)


HELP = _help()
