"""What an act of the gamesmaster's has done, as it is answered."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.periods.bulletin_acts import Preview
from pbem.periods.rewind_pages import Tried


@dataclass(frozen=True, slots=True)
class Done:
    """What the shell says of an act, "" for nothing, and what a mail says where that is not the
    same behind the act's word; of one that only looks also what it saw."""

    said: str
    mailed: str = ""
    seen: Preview | Tried | None = None
