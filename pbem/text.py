"""Plain text that keeps within its columns: the filters the templates use."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import lru_cache

WIDTH = 78
UNBROKEN = "\u00a0"


def wrap(text: str, indent: int = 0, width: int = WIDTH) -> str:
    """Each line filled to ``width`` columns; a line that begins with a blank is set as it is (a
    table). Words with a blank between them that does not break stay together; it is set as a
    blank."""
    if (
        len(text) + indent <= width and text.isprintable() and not text[:1].isspace()
    ):  # most are one short line
        return (" " * indent + text).rstrip()
    pad, out = " " * indent, []
    for line in text.strip("\n").split("\n"):
        if line.startswith(" ") or not line.strip():
            out.append((pad + line).rstrip())
        elif len(pad) + len(line) <= width and "\t" not in line:
            out.append(f"{pad}{line}".rstrip())
        else:
            hang = pad + ("  " if line.startswith(("* ", "- ")) else "")
            out.append(_filled(line, width, pad, hang))
    return "\n".join(out).replace(UNBROKEN, " ")


def _filled(line: str, width: int, pad: str, hang: str) -> str:
    """A line filled behind ``pad``, its further lines behind ``hang``: as ``textwrap`` does, by
    which what is not plain words with one blank between them is filled."""
    words = line.split(" ")
    plain = all(map(str.strip, words)) and "\t" not in line
    if not plain or max(map(len, words)) + max(len(pad), len(hang)) > width:
        return textwrap.fill(
            line,
            width,
            initial_indent=pad,
            subsequent_indent=hang,
            break_on_hyphens=False,
            expand_tabs=False,
        )
    made, now = [], pad + words[0]
    for word in words[1:]:
        if len(now) + 1 + len(word) <= width:
            now = f"{now} {word}"
        else:
            made.append(now)
            now = hang + word
    return "\n".join([*made, now])


def listed(items: Iterable[object], last: str = "and") -> str:
    """ "S", "S and R", "S, R and L"; nothing for none."""
    words = [str(item) for item in items]
    return (
        words[0]
        if len(words) == 1
        else f"{', '.join(words[:-1])} {last} {words[-1]}"
        if words
        else ""
    )


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: "1 letter", "2 letters", "1 copy", "2 copies" (``many``)."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def sentence(words: str) -> str:
    """Words with the full stop that ends them, unless they have an end already."""
    return words if words.endswith((".", "?", "!")) else f"{words}."


def spans(numbers: Iterable[int]) -> str:
    """Numbers in order as "21-25, 31"."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def day_words(day: date, *, weekday: bool = False) -> str:
    """A day: "9 March 2026", or with its ``weekday`` "Monday 9 March 2026"."""
    return f"{day:%A} " * weekday + f"{day.day} {day:%B %Y}"


def moment_words(local: datetime, *, seconds: bool = False) -> str:
    """A moment by a zone's clock: "Monday 9 March 2026, 18:30". Midnight is 24:00 of the day that
    ends with it, as deadlines are told, but where ``seconds`` say when something came."""
    if not seconds and (local.hour, local.minute) == (0, 0):
        return f"{day_words(local.date() - timedelta(days=1), weekday=True)}, 24:00"
    return f"{day_words(local.date(), weekday=True)}, {local:{'%H:%M:%S' if seconds else '%H:%M'}}"


def thousands(amount: int) -> str:
    """A whole number with a comma for thousands: 12,500."""
    return f"{amount:,}"


def short(value: float) -> str:
    """A figure whole, or with one place, with commas for thousands."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


@lru_cache(maxsize=1024)
def figure(value: str | int | Fraction, places: int = 0) -> str:
    """An exact number (perhaps "1000/3") rounded half up for printing, with commas for
    thousands."""
    exact = Fraction(value)
    scaled = abs(exact) * 10**places + Fraction(1, 2)
    units = scaled.numerator // scaled.denominator
    whole, rest = divmod(units, 10**places)
    sign = "-" if exact < 0 and units else ""
    return f"{sign}{whole:,}" + (f".{rest:0{places}d}" if places else "")


def columns(
    rows: Sequence[Sequence[object]], gap: int = 2, indent: int = 2, right: Sequence[int] = ()
) -> str:
    """Rows as aligned columns; ``right`` lists the columns (from 0) that are set flush right."""
    texts = [[str(cell) for cell in row] for row in rows]
    breadth = max((len(row) for row in texts), default=0)
    widths = [
        max((len(row[i]) for row in texts if i < len(row)), default=0) for i in range(breadth)
    ]
    lines = []
    for row in texts:
        cells = [
            c.rjust(widths[i]) if i in right else c.ljust(widths[i]) for i, c in enumerate(row)
        ]
        lines.append((" " * indent + (" " * gap).join(cells)).rstrip())
    return "\n".join(lines)


def safe(text: str) -> str:
    """A player's own words made harmless: control and bidirectional characters gone, one line,
    blanks folded."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept = "".join(
        char
        for char in text.replace("\n", " ")
        if unicodedata.category(char) not in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
    )
    return " ".join(kept.split())
