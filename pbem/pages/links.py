"""Links that begin a letter to the referee."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote

from pbem.pages.plain import broken
from pbem.pages.sheet import Form

_LINE = "%0D%0A"


@dataclass(frozen=True, slots=True)
class Links:
    """Links of one mail."""

    address: str
    subject: str

    def line(self, text: str) -> str:
        """Return a letter with one line, broken as the mail prints it."""
        return self._letter(list(broken(text)))

    def trial(self, form: Form | None) -> str:
        return self._letter(["CHECK", *(_of(form) if form else ())])

    def _letter(self, lines: Sequence[str]) -> str:
        """Return the mailto address (RFC 6068). The last line is empty, for text that programs add
        below."""
        body = _LINE.join(map(_quoted, [*lines, ""]))
        return f"mailto:{self.address}?subject={_quoted(self.subject)}&body={body}"


@lru_cache(maxsize=1024)
def _quoted(line: str) -> str:
    """Cached: many mails share lines."""
    return quote(line, safe="")


def _of(form: Form) -> Iterator[str]:
    for order, *_ in form.lines:
        yield from broken(order)
