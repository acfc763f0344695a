"""Letters to the editor: the gamesmaster has them printed in the club's paper, or not."""

from __future__ import annotations

from pbem.errors import OperatorError
from pbem.pages import sheet
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat
from pbem.post.work import Work
from pbem.store.games import club, games
from pbem.store.games.club import EditorLetter
from pbem.store.journal import notes

KIND = "zine"


def release(work: Work, number: int) -> None:
    """Have the next issue print a letter, and tell its writer. Raise OperatorError."""
    one = _letter(work, number)
    if one.released:
        raise OperatorError(f"letter {number} is in the next issue already")
    club.put_letter(work.conn, one._replace(released=True))
    _note(work, one, "letter-printed")
    _tell(work, one, "is printed", "The next issue of the club's paper prints your letter.")


def reject(work: Work, number: int, why: str) -> None:
    """Forget a letter, and tell its writer why. Raise OperatorError."""
    one = _letter(work, number)
    club.drop_letter(work.conn, number)
    _note(work, one, "letter-rejected")
    said = "The gamesmaster does not print your letter in the club's paper."
    _tell(work, one, "is not printed", said + _because(why))


def _because(why: str) -> str:
    return f" He writes:\n\n{sheet.fenced(why.strip())}" if why.strip() else ""


def _letter(work: Work, number: int) -> EditorLetter:
    found = [one for one in club.editor_letters(work.conn) if one.number == number]
    if not found:
        raise OperatorError(f"there is no letter {number} to the paper")
    return found[0]


def _note(work: Work, one: EditorLetter, kind: str) -> None:
    """Note it without the seat: the letter may hide its writer."""
    if one.game_id:
        notes.note(work.conn, one.game_id, work.now, kind, number=one.number)


def _tell(work: Work, one: EditorLetter, what: str, text: str) -> None:
    at = games.begun(work.conn, one.game_id) if one.game_id else None
    if at is None or at.holders[one.seat].player_id != one.player_id:
        return
    text += f"\n\nYou had written:\n\n{sheet.fenced(one.text)}\n"
    key = f"{KIND}-letter:{one.number}:{what}"
    subject = f"[{at.id}] Your letter to the paper {what}"
    put_to_seat(work, at, at.holders[one.seat], Draft(key, KIND, subject, text))
