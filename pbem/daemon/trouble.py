"""The database does not do its part: said once, tried again ever more seldom, and told when it is
over."""

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
    """One spell of trouble after another; ``why`` is what the last try met, "" while all is
    well."""

    why: str = ""
    tries: int = 0
    began: Reading | None = None

    def struck(self, why: str, now: Reading) -> float:
        """A try failed: logged where it is the first of its spell; the seconds until the next
        one."""
        first, self.why = not self.why, why
        if first:
            self.began, self.tries = now, 0
            log.error("database trouble", error=why)
        self.tries += 1
        return min(LONGEST, 2.0 ** min(self.tries - 1, 10))

    def told(self, now: Reading) -> str:
        """The spell in words for the gamesmaster."""
        began = f"from {self.began.wall:%Y-%m-%d %H:%M:%S} UTC " if self.began else ""
        tries = counted(self.tries, "try", "tries")
        return (
            f"The database did not do its part {began}for {left(self._lasted(now), exact=True)};"
            f" {tries} failed. Nothing is lost: what was not stored was"
            f" done again. At last it said:\n\n{self.why}\n"
        )

    def over(self, now: Reading) -> None:
        """A try went through, and the gamesmaster is told."""
        seconds = int(self._lasted(now).total_seconds())
        log.warning("database well again", seconds=seconds, tries=self.tries, error=self.why)
        self.why = ""

    def _lasted(self, now: Reading) -> timedelta:
        return timedelta(seconds=round(now.steady - self.began.steady) if self.began else 0)
