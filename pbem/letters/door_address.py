"""The address of a mail that asks somebody something. Its code counts only from the address
mailed."""

from __future__ import annotations

import re
from collections.abc import Iterable

_BEGINS = "yes."
"""No game's name has a full stop."""
_PART = re.compile(r"yes\.([a-z2-7]{16})")


def part_of(code: str) -> str:
    """Return the plus part for a code."""
    return f"{_BEGINS}{code}"


def code_in(parts: Iterable[str]) -> str:
    """Return the first code in plus parts, or ""."""
    return next((found[1] for part in parts if (found := _PART.fullmatch(part))), "")
