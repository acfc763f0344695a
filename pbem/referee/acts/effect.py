"""What an act of the gamesmaster has done."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.periods.bulletin_acts import Preview
from pbem.periods.rewind_pages import Tried


@dataclass(frozen=True, slots=True)
class Done:
    """The answer to an act."""

    said: str
    mailed: str | None = None
    """None for said behind the act's word."""
    brief: tuple[str, ...] = ()
    """What the gamesmaster of a new game should know."""
    seen: Preview | Tried | None = None
    undone: str | None = None
    """What failed; the shell then exits with an error."""
