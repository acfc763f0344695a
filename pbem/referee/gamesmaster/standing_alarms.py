"""Alarms that still stand: mailed within a day, not seen, and about what is not over.

What waits as a thing of its own (:mod:`pbem.referee.gamesmaster.waits`) stands in no alarm too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.games.frame.codec import Json
from pbem.games.frame.house_rules import SKEW
from pbem.orders.spelling import is_number
from pbem.post import clock
from pbem.post.work import Work
from pbem.store.games import games
from pbem.store.journal import notes
from pbem.store.mails import mails
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Outgoing
from pbem.text import counted

LATELY = timedelta(days=1)
"""How long an alarm stands that nobody has seen."""
_SEEN = "desk-seen:"
"""Prefix of a memo: the last mail that a gamesmaster has seen, and single ones after it."""
_PREFIX = "alarm:"
_TOGETHER = timedelta(minutes=10)
"""Games are held for a clock that long about its alarm."""


def standing(work: Work, to: str) -> list[Outgoing]:
    """Return a gamesmaster's alarms, newest first."""
    rows = mails.alarms_since(work.conn, to, work.now - LATELY)
    memo = notes.memo(work.conn, f"{_SEEN}{to}")
    last, single = memo.get("mail", 0), set(memo.get("single", ()))
    unseen = [row for row in rows if row.id > last and row.id not in single]
    now = _Now(work.conn)
    return [row for row in unseen if not _is_over(now, row)]


def see_all(work: Work, to: str, last: int | None = None) -> int:
    """Mark alarms as seen, up to ``last`` or all. Return how many."""
    rows = [row for row in standing(work, to) if last is None or row.id <= last]
    if rows:
        memo = notes.memo(work.conn, f"{_SEEN}{to}")
        until = max(rows[0].id, memo.get("mail", 0))
        single = [one for one in memo.get("single", ()) if one > until]
        notes.set_memo(work.conn, f"{_SEEN}{to}", {"mail": until, "single": single})
    return len(rows)


def see(work: Work, to: str, mail: int) -> None:
    """Raise OperatorError if the alarm does not stand."""
    rows = standing(work, to)
    if mail not in {row.id for row in rows}:
        raise OperatorError(f"there is no alarm {mail} to you that stands; see `pbem queue`")
    memo = notes.memo(work.conn, f"{_SEEN}{to}")
    recent = {row.id for row in mails.alarms_since(work.conn, to, work.now - LATELY)}
    single = sorted({*memo.get("single", ()), mail} & recent)
    notes.set_memo(work.conn, f"{_SEEN}{to}", {"mail": memo.get("mail", 0), "single": single})


def seen(work: Work, to: str, number: str) -> str:
    """Mark one or all as seen. Return the answer. Raise OperatorError."""
    if not number:
        return f"seen: {counted(see_all(work, to), 'alarm')}"
    if not is_number(number):
        raise OperatorError("give the number of an alarm, or none for all")
    see(work, to, int(number))
    return f"seen: alarm {int(number)}"


@dataclass(frozen=True)
class _Now:
    """What the alarms told of, as it is now."""

    conn: Connection

    @cached_property
    def held_at(self) -> Sequence[datetime]:
        """When the games that are held were."""
        rows = [games.game(self.conn, one) for one in games.in_state(self.conn, GameState.HELD)]
        return [row.held_at for row in rows if row.held_at]

    @cached_property
    def last_pass(self) -> Json:
        """The last pass: when, and its trouble."""
        return notes.memo(self.conn, "last_pass")

    def later(self, row: Outgoing) -> bool:
        """Return whether a pass came after an alarm."""
        return bool(self.last_pass) and self.last_pass["at"] > row.created.isoformat()


_Over = Callable[[_Now, Outgoing, Sequence[str]], bool]


def about(row: Outgoing) -> str:
    """Return what it is about, in a word."""
    return _parts(row)[0]


def _parts(row: Outgoing) -> list[str]:
    return row.key.removeprefix(_PREFIX).split(":")[:-1] or [""]


def _is_over(now: _Now, row: Outgoing) -> bool:
    what, *rest = _parts(row)
    return what in _OVER and _OVER[what](now, row, rest)


def _works(begins: str) -> _Over:
    """Return whether a later pass had no such trouble."""
    return lambda now, row, rest: (
        now.later(row)
        and not any(one.startswith(begins) for one in now.last_pass.get("trouble", ()))
    )


def _all_go_on(now: _Now, row: Outgoing, _: Sequence[str]) -> bool:
    """Return whether the clock is right again, and no game is held for it."""
    held = any(abs(one - row.created) < _TOGETHER for one in now.held_at)
    return not held and not clock.in_doubt(now.conn)


def _agrees(now: _Now, row: Outgoing, _: Sequence[str]) -> bool:
    """Return whether a later letter came at one time by both clocks."""
    timed = mails.timed(now.conn, row.created)
    return any(abs(received - seen) <= SKEW for received, seen in timed)


def _is_not_raised(now: _Now, row: Outgoing, _: Sequence[str]) -> bool:
    """Return whether a later pass had no such alarm."""
    return now.later(row) and ":".join(_parts(row)) not in now.last_pass.get("alarms", ())


_THINGS = (
    *("letter", "unfetchable", "held", "failed", "review", "quit", "nobody", "passed-over"),
    *("protest", "question", "amended", "zine"),
)
"""What these tell of waits as a thing."""
_OVER: Mapping[str, _Over] = {
    **dict.fromkeys(_THINGS, lambda now, row, rest: True),
    "table": lambda now, row, rest: "newcomer" in rest,  # another such thing
    **dict.fromkeys(("jump", "clocks"), _all_go_on),
    "clock": _agrees,
    "canary": lambda now, row, _: mails.canary_came(now.conn, row.created),
    **dict.fromkeys(("full", "folder"), _is_not_raised),
    **dict.fromkeys(("imap", "processed"), _works("imap:")),
    "smtp": _works("smtp:"),
    "site": _works("site:"),
    "unread": _works("what is due waits"),
}
"""First word of a key -> whether it is over."""
