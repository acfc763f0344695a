"""What people see besides the text, and the referee ignores."""

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
_MOST = 12


@dataclass(frozen=True, slots=True)
class Shown:
    """One header field for people."""

    name: str
    value: str
    """Decoded, harmless, on one line."""
    odd: str = ""


def fields(raw: bytes, limits: Limits | None = None) -> Sequence[Shown]:
    head, _ = headers.split(headers.newlines(raw))
    found = headers.fields(head[: (limits or Limits()).header_bytes])
    return [
        Shown(name, headers.words(one.value), one.odd)
        for name in NAMES
        for one in [one for one in found if one.name == name.lower()][:_MOST]
    ]


def page(raw: bytes, limits: Limits | None = None) -> str:
    """Return the HTML; "" if none or over limit."""
    limits = limits or Limits()
    head, body = headers.split(headers.newlines(raw))
    if first_look(head, body, limits).refused:
        return ""
    try:
        return mime.page(mime.parse(headers.fields(head), body), limits)
    except (OverLimit, RecursionError):
        return ""
