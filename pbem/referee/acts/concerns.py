"""Which game an act touches: named, or that of its letter or mail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.store.letters import waiting
from pbem.store.letters.letter_rows import LetterStateRow
from pbem.store.mails import mails


def game_of(conn: Connection, values: Mapping[str, Any]) -> str:
    """Return the game, or "". Raise OperatorError without such a letter or mail."""
    if values.get("letter") is not None:
        return letter(conn, values["letter"]).game_id
    if values.get("mail") is not None:
        return _game_of_mail(conn, values["mail"])
    return values.get("game") or ""


def letter(conn: Connection, letter_id: int) -> LetterStateRow:
    """Return a letter's state. Raise OperatorError if there is none."""
    row = waiting.state_of(conn, letter_id)
    if row is None:
        raise OperatorError(f"there is no letter {letter_id}; QUEUE shows those that wait")
    return row


def _game_of_mail(conn: Connection, mail_id: int) -> str:
    row = mails.state_of(conn, mail_id)
    if row is None:
        raise OperatorError(f"there is no mail {mail_id}; QUEUE shows those that wait")
    return row.game_id
