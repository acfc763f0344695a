"""What an act of the gamesmaster's has done, as it is answered."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.periods.bulletin_acts import Preview
from pbem.periods.rewind_pages import Tried


@dataclass(frozen=True, slots=True)
class Done:
    """What the shell says of an act, "" for nothing, and what a mail says where that is not the
    same behind the act's word. ``undone``: what it could not do, though it did the rest; the shell
    ends with an error then. ``brief``: of a game that it has made, what its gamesmaster should
    know; ``seen``: what an act that only looks saw."""

    said: str
    mailed: str = ""
    brief: tuple[str, ...] = ()
    seen: Preview | Tried | None = None
    undone: str = ""
