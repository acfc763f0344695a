"""Keeps track of database trouble."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import structlog

from pbem.games.frame.calendar import left
from pbem.post.clock import Reading
from pbem.text import counted

log = structlog.get_logger()
LONGEST = 60.0  # seconds between two tries


@dataclass(slots=True)
class Database:
    """A spell of trouble."""

    why: str | None = None
    """None if all is well."""
    tries: int = 0
    began: Reading | None = None

    def struck(self, why: str, now: Reading) -> float:
        """Note a failed try. Return the seconds until the next one."""
        first, self.why = not self.why, why
        if first:
            self.began, self.tries = now, 0
            log.error("database trouble", error=why)
        self.tries += 1
        return min(LONGEST, 2.0 ** min(self.tries - 1, 10))

    def report(self, now: Reading) -> str:
        began = f"from {self.began.wall:%Y-%m-%d %H:%M:%S} UTC " if self.began else ""
        tries = counted(self.tries, "try", "tries")
        return (
            f"The database did not do its part {began}for {left(self._lasted(now), exact=True)};"
            f" {tries} failed. Nothing is lost: what was not stored was"
            f" done again. At last it said:\n\n{self.why}\n"
        )

    def over(self, now: Reading) -> None:
        seconds = int(self._lasted(now).total_seconds())
        log.warning("database well again", seconds=seconds, tries=self.tries, error=self.why)
        self.why = None

    def _lasted(self, now: Reading) -> timedelta:
        return timedelta(seconds=round(now.steady - self.began.steady) if self.began else 0)
