"""A letter on which the verdict has been given."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.letters.letter import Letter
from pbem.letters.verdict import Decision
from pbem.store.letter_rows import LetterRow


@dataclass(frozen=True, slots=True)
class Judged:
    """A letter: its row on file, what it says, and the verdict on it."""

    row: LetterRow
    letter: Letter
    decision: Decision
