"""Which game an act of the gamesmaster's is upon: the one that it names, or that of the letter or
mail that it names by its number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.store.letters import waiting
from pbem.store.letters.letter_rows import LetterStateRow
from pbem.store.mails import mails


def game_of(conn: Connection, values: Mapping[str, Any]) -> str:
    """The game that an act with these arguments is upon, "" where it is upon none (a letter that
    names no game, a player's address, the whole installation). Raises OperatorError where there is
    no such letter or mail."""
    if values.get("letter") is not None:
        return letter(conn, values["letter"]).game_id
    if values.get("mail") is not None:
        return _game_of_mail(conn, values["mail"])
    return values.get("game") or ""


def letter(conn: Connection, letter_id: int) -> LetterStateRow:
    """How it stands with a letter; raises OperatorError where there is none."""
    row = waiting.state_of(conn, letter_id)
    if row is None:
        raise OperatorError(f"there is no letter {letter_id}; QUEUE shows those that wait")
    return row


def _game_of_mail(conn: Connection, mail_id: int) -> str:
    row = mails.state_of(conn, mail_id)
    if row is None:
        raise OperatorError(f"there is no mail {mail_id}; QUEUE shows those that wait")
    return row.game_id
