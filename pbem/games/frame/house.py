"""The house rules that a game is played by."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from pbem.games.frame.length import NONE, Days, Elapsed, Length, moved_by, whole_minutes
from pbem.text import listed

ONE_WEEK = Days(7)
WEEK, MINUTE = ONE_WEEK.time, timedelta(minutes=1)

OWED, READY, ALL, NEVER = "owed", "ready", "all", "never"
EARLY = (OWED, READY, ALL, NEVER)
"""When a period closes early: nothing owed; all READY, orders for what may come too; all have said
READY, not in the first period nor the first half of any; or never."""

DEPUTIES = ("public", "none")
"""Announced without name, or none."""
SHOWN, HIDDEN = "shown", "hidden"
NAMES = (SHOWN, HIDDEN)
"""Shown always, or after the game."""
AT_ONCE = "at once"
"""Closes as soon as the condition is met."""

OFFERED = Days(3)
PRACTICE = "practice"


@dataclass(frozen=True, slots=True)
class House:
    """A game's house rules, from ``rules/house.toml`` and its options."""

    lengths: Mapping[str, Length]
    """By phase, "*" for others; 0 days for no deadline. All in one unit."""
    reminders: Mapping[str, tuple[Length, ...]]
    """Before the deadline, by phase."""
    hour: str = "24:00"
    """"24:00" ends the day; "" keeps the minute."""
    alone: Length = NONE
    """The length for one asked seat; 0 for the usual."""
    early_hour: str = ""
    """An hour of day, or minutes between; "" never; or :data:`AT_ONCE`, not with days."""
    early: str = OWED
    holidays: tuple[tuple[str, ...], ...] = ()
    """First and last day; a pause has a reason."""
    most_automatic: Length = ONE_WEEK
    """How far the daemon may move a deadline."""
    max_late: int | Elapsed = 6
    """How late a period still closes; a number is hours."""
    idle_after: int = 3
    """Missed moves in a row before the gamesmaster is told."""
    grace: Length = NONE
    """How long to wait, once a game, for a player who owes."""
    rules: Mapping[str, Any] = field(default_factory=dict)
    deputies: str = "public"
    """One of :data:`DEPUTIES`."""
    press: str = "all"
    """One of :data:`pbem.games.frame.press_rules.MODES`."""
    least_hours: int = 0
    """From bulletin to deadline, if in days."""
    pace: str = ""
    """The preset used, or ""."""
    names: str = SHOWN
    watch: bool = True
    next_hour: str = ""
    """The hour from the next period on; "" for the same."""

    def length(self, phase: str, asked: int) -> Length:
        """Return a period's length if ``asked`` seats are asked."""
        if self.alone and asked == 1:
            return self.alone
        return self.lengths.get(phase, self.lengths["*"])

    @property
    def elapsed(self) -> bool:
        """Whether in hours and minutes."""
        return isinstance(self.lengths.get("*"), Elapsed)

    @property
    def latest(self) -> timedelta:
        """How long after its deadline a period may close."""
        late = self.max_late
        return timedelta(hours=late) if isinstance(late, int) else late.time

    @property
    def practice(self) -> bool:
        """Whether one person plays against house bots."""
        return bool(self.rules.get(PRACTICE))

    @property
    def at_once(self) -> bool:
        return self.early_hour == AT_ONCE

    @property
    def early_when(self) -> str:
        """When an early end is considered, in words."""
        if self.at_once:
            return AT_ONCE
        return f"within {self.early_hour}" if self.elapsed else f"at {self.early_hour} of any day"

    def reminded(self, phase: str) -> str:
        """Return in words when reminders go out; "" for never."""
        figures = self.reminders.get(phase, ())
        if len(figures) > 1 and all(isinstance(one, Days) for one in figures):
            return f"{listed(one.n for one in figures)} days"
        return listed(figures)

    @property
    def least(self) -> timedelta:
        """The least time before a deadline."""
        return timedelta(hours=self.least_hours)

    @property
    def an_hour(self) -> timedelta:
        """The span of limits per hour; one period if shorter."""
        hour = timedelta(hours=1)
        return min(hour, self.lengths["*"].time) if self.elapsed else hour

    def rule(self, name: str, default: int) -> Length:
        """Return a length of the own rules, by default in days of a week."""
        if name in self.rules or not default or not self.elapsed:
            return moved_by(self.rules.get(name, default))
        return whole_minutes(self.share(timedelta(days=default), MINUTE))

    def share(self, usual: timedelta, least: timedelta) -> timedelta:
        """Return ``usual``, in hours and minutes scaled as a part of a week, at least ``least``."""
        return max(least, usual * (self.lengths["*"].time / WEEK)) if self.elapsed else usual

    @property
    def offered(self) -> Length:
        """How long a free seat is offered."""
        if "standby_days" in self.rules:
            return self.rule("standby_days", 0)
        if self.elapsed:
            return whole_minutes(self.share(OFFERED.time, 2 * MINUTE))
        return OFFERED
