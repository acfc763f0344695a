"""A letter on which the verdict has been given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pbem.letters.letter import Letter
from pbem.letters.verdict import Decision


@dataclass(frozen=True, slots=True)
class Judged:
    """A letter: its row on file, what it says, and the verdict on it."""

    row: Any
    letter: Letter
    decision: Decision
