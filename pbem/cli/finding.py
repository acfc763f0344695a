"""What the doctor found."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One check."""

    what: str
    well: bool
    mend: str = ""
    """To do if it is not well, or not meant so."""
    outside: bool = False
    """It is another server's fault."""
    warning: bool = False
    """It is well if it is meant so."""
