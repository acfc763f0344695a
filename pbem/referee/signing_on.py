"""SIGNON and SIGNOFF: whoever comes to an open table, and leaves it before its game begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.orders.club_words import Signing
from pbem.post.work import Work
from pbem.referee.judged import Judged

KIND = "signon"
"""The kind of its codes (:mod:`pbem.post.codes`)."""


def signon(work: Work, judged: Judged, said: Signing) -> str:
    """SIGNON: what its writer is answered."""
    return f"No table {said.game} is open."


def signoff(work: Work, judged: Judged, game: str) -> str:
    """SIGNOFF, of a table or ("") of all that he has signed on to: what its writer is answered."""
    return f"You have not signed on to a table {game}." if game else "You have signed on to none."


def confirmed(work: Work, judged: Judged, told: Mapping[str, Any]) -> str:
    """The code of a SIGNON or SIGNOFF came back, with what was filed of it: what its writer is
    answered."""
    return "That code has no effect."
