"""What the doctor found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One check."""

    what: str
    """What was looked at."""
    well: bool
    mend: str = ""
    """What to do if it is not well, or if it is not meant so."""
    outside: bool = False
    """It is another server's fault."""
    warning: bool = False
    """It is well if it is meant so, and the mend is told."""
