"""What people look at of a letter besides its text: the header fields that matter, and its page as
the sender's program made it. Neither says anything to the referee."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.letters.limits import Limits, OverLimit, first_look
from pbem.letters.reading import headers, mime

NAMES = (
    "From",
    "Reply-To",
    "To",
    "Cc",
    "Date",
    "Subject",
    "Message-ID",
    "In-Reply-To",
    "Auto-Submitted",
    "Precedence",
    "Authentication-Results",
)
"""The fields that bear on what becomes of a letter, in the order in which they are shown."""
_MOST = 12
"""So many fields of one name are shown."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One header field for people: its value decoded and harmless, on one line; what is ``odd``
    about how it is written, "" for nothing."""

    name: str
    value: str
    odd: str = ""


def fields(raw: bytes, limits: Limits | None = None) -> Sequence[Shown]:
    """The header fields that matter, of each name all that there are."""
    head, _ = headers.split(headers.newlines(raw))
    found = headers.fields(head[: (limits or Limits()).header_bytes])
    return [
        Shown(name, headers.words(one.value), one.odd)
        for name in NAMES
        for one in [one for one in found if one.name == name.lower()][:_MOST]
    ]


def page(raw: bytes, limits: Limits | None = None) -> str:
    """The letter's HTML as it came; "" where it has none, or is over a limit."""
    limits = limits or Limits()
    head, body = headers.split(headers.newlines(raw))
    if first_look(head, body, limits).refused:
        return ""
    try:
        return mime.page(mime.parse(headers.fields(head), body), limits)
    except (OverLimit, RecursionError):
        return ""
