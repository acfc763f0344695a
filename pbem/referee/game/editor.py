"""Press to ZINE: a letter to the club's paper, which the gamesmaster releases."""

from __future__ import annotations

from pbem.games.frame import press_rules
from pbem.orders.mailwords import Press as Words
from pbem.periods import away, guards
from pbem.post import alarms
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.game import press_mails, receipt_text
from pbem.store.games import club
from pbem.store.games.club import EditorLetter
from pbem.store.games.games import GameAt

MOST = 30
"""Letters that wait at a time."""


def is_to(words: Words) -> bool:
    """Return whether a press is a letter to the paper."""
    return words.to == ("ZINE",)


def take(work: Work, judged: Judged, at: GameAt, words: Words, *, trial: bool) -> str:
    """File a letter to the paper, unless on trial. Return what its writer is told."""
    seat, veiled = judged.decision.seat, words.anonymous
    if lines := press_rules.not_words(at.ruleset.language, words):
        return receipt_text.held_press("PRESS TO ZINE", lines)
    why = (
        ("" if work.config.club.zine else "this club has no paper")
        or guards.suspended(work, at, seat)
        or press_rules.too_long(words.text)
        or press_mails.shows(work, at.holders[seat].address, words.text, veiled=veiled)
    )
    waiting = club.editor_letters(work.conn)
    if why or len(waiting) >= MOST:
        return f"Your letter to the paper was not taken: {why or 'too many wait'}."
    if trial:
        return "Your letter to the paper can go to the gamesmaster as it is."
    signed = ("" if veiled else at.player(seat)) or "A player"
    number, player = club.next_letter(work.conn), at.holders[seat].player_id or 0
    text = press_mails.harmless(words.text)
    of = at.id, seat, player, work.now
    club.put_letter(work.conn, EditorLetter(number, signed, text, False, *of))
    quoted = "\n".join(f"| {line}" for line in text.split("\n"))
    commands = f"print-letter {number}", f"reject-letter {number}"
    told = (
        f"{signed} writes to the club's paper:\n\n{quoted}\n\nTo have it printed: `pbem"
        f" {commands[0]}`. If not: `pbem {commands[1]}`, with --why and your reason, if you like."
        " Its writer is told."
    )
    subject = "a letter to the club's paper"
    own = at.game.gamesmaster in ("", work.mark.gamesmaster)  # the paper is not another's
    is_away = away.waits(work, at.id) if own else ""
    alarms.tell(work, f"zine:{number}", subject, told, commands=commands)
    return (
        "Your letter to the paper waits for the gamesmaster: he says whether it is printed, and you"
        f" are told.{is_away}"
    )
