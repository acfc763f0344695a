"""The letters that the links of a mail open: each begins as it would be written by hand."""

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
    """Whither letters that answer a mail go, and under which subject."""

    address: str
    subject: str

    def line(self, text: str) -> str:
        """Return a letter of one line, as the mail prints it; a long one takes several."""
        return self._letter(list(broken(text)))

    def form(self, form: Form) -> str:
        """Return a letter with the whole form in it."""
        return self._letter(list(_of(form)))

    def trial(self, form: Form | None) -> str:
        """Return a letter with the form in it, if the mail has one, of which nothing is taken."""
        return self._letter(["CHECK", *(_of(form) if form else ())])

    def _letter(self, lines: Sequence[str]) -> str:
        """Return the mailto address (RFC 6068) of a letter. Its last line is empty, so that text
        added below by the mail program starts on its own line."""
        body = _LINE.join(map(_quoted, [*lines, ""]))
        return f"mailto:{self.address}?subject={_quoted(self.subject)}&body={body}"


@lru_cache(maxsize=1024)
def _quoted(line: str) -> str:
    """A line as an address has it; the same ones come in many mails."""
    return quote(line, safe="")


def _of(form: Form) -> Iterator[str]:
    for order, _ in form.lines:
        yield from broken(order)
