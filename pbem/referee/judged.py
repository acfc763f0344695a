"""A letter on which the verdict has been given, and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pbem.letters.letter import Letter
from pbem.letters.states import LetterState
from pbem.letters.verdict import Decision
from pbem.store.letter_rows import LetterRow


@dataclass(frozen=True, slots=True)
class Judged:
    """A letter: its row on file, what it says, and the verdict on it."""

    row: LetterRow
    letter: Letter
    decision: Decision


class Outcome(NamedTuple):
    """What becomes of a letter, and why; the ``period`` that it is for, and the number of its
    ``receipt``, where it has them."""

    state: LetterState
    reason: str
    period: int | None = None
    receipt: int | None = None
