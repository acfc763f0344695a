"""What a receipt says of the letter itself: what was not read, or came too late."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from pbem.games.frame.adjudication import Answer
from pbem.games.frame.events import Seat
from pbem.house import shelf
from pbem.letters.verdict import Decision
from pbem.orders.asking import READING
from pbem.orders.characters import first_word
from pbem.orders.mailwords import Peeled
from pbem.orders.refusal import shorten
from pbem.orders.writing import behind_number
from pbem.periods import grace, own_page
from pbem.post import alarms
from pbem.post.work import Work
from pbem.referee.game import relaying, saying_yes
from pbem.referee.words import questions
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.text import safe

_SHOWN = 30
"""Characters of an unread line."""
_MOST_NUMBERED = 3


def lost(decision: Decision, at: GameAt, *, missed: bool) -> str:
    """Return what of a late letter was not taken, and what to do. missed: the deadline."""
    peeled = decision.peeled
    names = dict.fromkeys(c.name for c in peeled.commands if c.name not in READING)
    acting = ", ".join(names)
    if peeled.empty and not peeled.press:
        return f" It was too late for\u00a0{acting}." if acting else ""
    text = f" Its orders were not taken{f', nor {acting}' if acting else ''}."
    if missed:
        if grace.waits(at):
            text += " The period waits, but not for you."
        return f"{text} If you mean them for the next period, send them again when it has begun."
    number = at.period.number
    return (
        f"{text} If you mean them for period {number}, send them again with the line PERIOD"
        f" {number} on top."
    )


def nothing_read(peeled: Peeled, at: GameAt, answers: Sequence[Answer]) -> bool:
    understood = any(answer.orders or answer.cancelled for answer in answers)
    return not (understood or peeled.commands or peeled.press or questions.asked(peeled, at))


def alerts(
    work: Work, yes: saying_yes.Said, at: GameAt, answers: Sequence[Answer], *, blank: bool
) -> list[str]:
    """Return what was not read, and where the letter was. blank: nothing of it was read."""
    row, letter, decision = yes.judged.row, yes.judged.letter, yes.judged.decision
    unreadable = letter.unreadable
    said, peeled, seat = (
        [unreadable] if unreadable else list(letter.notes),
        decision.peeled,
        decision.seat,
    )
    half = own_page.unfinished(work.conn, at, seat, peeled.text)
    said.extend(f'Not filled in to the end, so not read: "{safe(line)}".' for line in half)
    unread = blank and not half and not yes.notes and not unreadable
    if unread and all(answer.quiet for answer in answers):
        more = questions.others(peeled, at, answers) or answers
        lines = [safe(one.line.text) for one in more]
        named = f'"{shorten(lines[0], _SHOWN)}"' if len(lines) == 1 else "your letter"
        first = saying_yes.small_talk(yes.judged, at) or f"I found no order in {named}."
        said.append(f"{first} HELP brings what you can send.")
        who = questions.meant_for(peeled, at)
        if who in {name for bot in at.bots for name in (bot, at.player(bot))}:
            said.append(f"Is it for {who}? {relaying.read_by_nobody([who])}.")
        elif who:
            said.append(
                f"Is it for {who}? Nobody but the referee has read it. To send it, put the"
                f" line\u00a0PRESS\u00a0TO\u00a0{who} above it and\u00a0END\u00a0PRESS below."
            )
    taken = {first_word(str(order)) for answer in answers for order in answer.orders}
    behind = filter(None, map(behind_number, peeled.text.split("\n")))
    again = (line for line in behind if first_word(line) not in taken)
    numbered = filter(at.ruleset.language.reads, again)
    said.extend(
        f'A line that begins with a number in brackets is not read; send "{safe(rest)}" without'
        " the number."
        for rest in islice(numbered, _MOST_NUMBERED)
    )
    said.extend(() if yes.judged.deputy else _elsewhere(work, at, seat, answers))
    if row.folder in work.config.junk:
        said.append("Your letter had been sorted into the junk folder; it was taken all the same.")
        text = f"Letter {row.id} of {letter.sender} was found in {row.folder} and taken."
        subject = "a player's letter in Junk"
        alarms.tell(work, f"junk:{row.id}", subject, text, at.id)
    return said


def _elsewhere(work: Work, at: GameAt, seat: Seat, answers: Sequence[Answer]) -> Iterator[str]:
    """Name lines that are orders in another game of the player's."""
    unread = [one.line.text for one in answers if not (one.orders or one.cancelled)]
    player_id = at.holders[seat].player_id
    if not unread or player_id is None:
        return
    for other in games.running_of(work.conn, player_id):
        ruleset = games.game(work.conn, other).ruleset
        about, language = shelf.open_ruleset(ruleset).about, shelf.open_ruleset(ruleset).language
        for line in unread:
            if ruleset != at.ruleset.about.key and language.reads(line):
                yield (
                    f'"{safe(line)}" is an order in {about.title}. To send it to your game {other},'
                    f" put the line\u00a0GAME\u00a0{other} on top of a letter of its own."
                )
