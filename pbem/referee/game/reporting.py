"""REPORT, in answer to a press: the gamesmaster gets it and learns its writer.

Nobody else is told.
"""

from __future__ import annotations

from pbem.games.frame.events import Seat
from pbem.orders.press_lines import reported
from pbem.periods import away
from pbem.post import alarms, masters
from pbem.post.work import Work
from pbem.referee.game import press_mails
from pbem.store.games import press
from pbem.store.games.games import GameAt
from pbem.store.games.press import Report
from pbem.store.journal import notes
from pbem.store.schema.tables import Press
from pbem.text import listed

KIND = "press-reported"


def asked(words: str) -> bool:
    return reported(words) is not None


def report(work: Work, at: GameAt, seat: Seat, of: Press, words: str) -> str:
    """Tell the gamesmaster of a press. Return the answer: of hidden press, nothing that shows
    whether a player wrote it."""
    if of.author == press.GAMESMASTER and not press_mails.face(of).veiled:
        return "It was not reported: the gamesmaster wrote it himself."
    if not masters.of(work.conn, work.mark, at.id).acting:
        return (
            "It was not reported: the game has nobody now who does the acts of a gamesmaster. MUTE"
            " and a seat behind it stops what that seat signs."
        )
    before = [data for _, data in notes.moments(work.conn, at.id, KIND)]
    if any((one["press"], one["seat"]) == (of.id, seat) for one in before):
        return "You have reported it already. The gamesmaster has it."
    notes.note(work.conn, at.id, work.now, KIND, press=of.id, seat=seat)
    subject = f"{at.id}: {seat} reports a press"
    text, author = _text(at, seat, of, words), f"{at.id} {of.author}"
    commands = (f"warn {author}", f"suspend {author} DAYS")
    own = of.author == press.GAMESMASTER
    key = f"reported:{of.id}:{seat}"
    if not own:
        press.report(work.conn, Report(at.id, seat, of.id, of.author, of.text, work.now))
    alarms.tell(work, key, subject, text, at.id, commands=() if own else commands)
    remarks = reported(words)
    said = f"\n\nWhat you say of it went with it:\n\n{_quoted(remarks)}" if remarks else ""
    return (
        "The gamesmaster has been sent that press, and told who wrote it. Nobody else is told that"
        f" you reported it, and nothing went to its writer.{away.waits(work, at.id)}{said}"
    )


def _text(at: GameAt, seat: Seat, of: Press, words: str) -> str:
    hidden = press_mails.face(of).veiled
    signed = f", signed as {press_mails.byline(of)}" if hidden else ""
    remarks = reported(words)
    own = of.author == press.GAMESMASTER
    author = "the gamesmaster" if own else of.author
    said = [
        f"{seat} reports this press of {author} to {listed(of.audience or ['ALL'])}{signed}:",
        _quoted(of.text),
        *([f"{seat} says of it:", _quoted(remarks)] if remarks else []),
    ]
    if own:
        return "\n\n".join([*said, f"{seat} is told no more than of a player's press."])
    said += [
        f"Only you are told that {of.author} wrote it and that {seat} reported it."
        if hidden
        else f"Only you are told that {seat} reported it.",
        f"To warn {of.author}, with your words: `pbem warn {at.id} {of.author}`. After a warning,"
        f" `pbem suspend {at.id} {of.author} DAYS` stops its press for some days. Only that player"
        " is told of either.",
    ]
    return "\n\n".join(said)


def _quoted(text: str) -> str:
    return "\n".join(f"| {line}".rstrip() for line in text.strip("\n").split("\n"))
