"""The gamesmaster's questions, which change nothing."""

from __future__ import annotations

from pbem.acts.act import Act, Argument, Kind, Notified
from pbem.acts.needs import Needs

QUEUE = Act(
    "queue",
    "What waits and the command that releases it, outbox, games with who is in and missing.",
    (Argument("game", Kind.WORD, required=False),),
    (),
    Notified.NOBODY,
    Needs.LEVEL,
    by_mail=True,
    example="",
    short="what waits, and the games; or QUEUE key",
    heard=r"(?: +[A-Za-z0-9][\w.-]{0,63})?",
)

DESK = Act(
    "desk",
    "The way in to the desk in a browser.",
    (),
    (),
    Notified.NOBODY,
    Needs.LEVEL,
    by_mail=True,
    example="",
    short="mails you the way in to your desk",
)
"""The link works once, for ten minutes."""

SEEN = Act(
    "seen",
    "Alarm MAIL has been seen, and waits no more; without MAIL: all alarms.",
    (Argument("mail", Kind.NUMBER, required=False),),
    (),
    Notified.NOBODY,
    Needs.LEVEL,
    by_mail=True,
    example="12",
    short="takes alarm 12 off what waits; alone: all",
    heard=r"(?: +[0-9]{1,19})?",
)
"""Changes only what its gamesmaster is shown."""
