"""Refuse IF on an order that cannot wait."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from pbem.orders.characters import first_word
from pbem.orders.order import Problem
from pbem.orders.spelling import either
from pbem.orders.splitter import LogicalLine

_IF = re.compile(r"\s(?:IF|UNLESS)(?=\s|\Z)", re.IGNORECASE)
_LONGEST = 1000


class Words(Protocol):
    """What a language knows of its order words."""

    @property
    def words(self) -> frozenset[str]: ...

    def fits(self, text: str) -> bool:
        """Return whether it is an order or begins one."""


@dataclass(frozen=True, slots=True)
class Ifs:
    """Orders of a game that may have IF."""

    words: Collection[str] = ()
    rule: str = ""
    instead: str = ""
    """To use in its place."""
    reads: str = ""

    def refused(self, language: Words, line: LogicalLine) -> Problem | None:
        """Return the problem, or None. An IF in quotes is no condition."""
        found = _IF.search(line.text[:_LONGEST])
        if not found or (first := first_word(line.text)) in self.words:
            return None
        before = line.text[: found.start()]
        if first not in language.words or before.count('"') % 2 or not language.fits(before):
            return None
        only = f"only {either(sorted(self.words))} can" if self.words else "no order here can"
        notes = (self.instead,) if self.instead else ()
        return Problem(
            "E_IF", f"{first} cannot have IF: {only}.", self.rule, notes, line=line.number
        )


NONE_MAY = Ifs()
