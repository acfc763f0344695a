"""Plain text within its columns: filters for templates."""

import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from itertools import zip_longest

WIDTH = 78
UNBROKEN = "\u00a0"


def wrap(text: str, indent: int = 0, width: int = WIDTH) -> str:
    """Fill each line to ``width`` columns. Lines that begin with a blank (tables) stay.

    A no-break space keeps words together, and is printed as a blank.
    """
    # most texts are one short line
    if len(text) + indent <= width and text.isprintable() and not text[:1].isspace():
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
    """Fill a line behind ``pad``, further lines behind ``hang``. Unusual blanks go to
    ``textwrap``."""
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
    """Return "S", "S and R", "S, R and L"; "" for none."""
    *most, final = ["", *map(str, items)]
    return f" {last} ".join(filter(None, (", ".join(most[1:]), final)))


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: "1 letter", "2 letters", "2 copies" (``many``)."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def sentence(words: str) -> str:
    """Add a full stop unless the words have an end."""
    return words if words.endswith((".", "?", "!")) else f"{words}."


def spans(numbers: Iterable[int]) -> str:
    """Return ordered numbers as "21-25, 31"."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def day_words(day: date, *, weekday: bool = False) -> str:
    """Return "9 March 2026", or with ``weekday`` "Monday 9 March 2026"."""
    return f"{day:%A} " * weekday + f"{day.day} {day:%B %Y}"


def moment_words(local: datetime, *, seconds: bool = False) -> str:
    """Return "Monday 9 March 2026, 18:30". Midnight is 24:00 of the day before, unless
    ``seconds``."""
    if not seconds and (local.hour, local.minute) == (0, 0):
        return f"{day_words(local.date() - timedelta(days=1), weekday=True)}, 24:00"
    return f"{day_words(local.date(), weekday=True)}, {local:{'%H:%M:%S' if seconds else '%H:%M'}}"


def in_utc(moment: datetime) -> str:
    """Return "Monday 9 March 2026, 18:30 UTC"."""
    return f"{moment_words(moment.astimezone(UTC))} UTC"


def thousands(amount: int) -> str:
    return f"{amount:,}"


def short(value: float) -> str:
    """Return a figure with at most one place, and commas."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


@lru_cache(maxsize=1024)
def figure(value: str | int | Fraction, places: int = 0) -> str:
    """Return an exact number ("1000/3") rounded half up, with commas."""
    exact = Fraction(value)
    scaled = abs(exact) * 10**places + Fraction(1, 2)
    units = scaled.numerator // scaled.denominator
    whole, rest = divmod(units, 10**places)
    sign = "-" if exact < 0 and units else ""
    return f"{sign}{whole:,}" + (f".{rest:0{places}d}" if places else "")


def columns(
    rows: Sequence[Sequence[object]], gap: int = 2, indent: int = 2, right: Sequence[int] = ()
) -> str:
    """Return aligned columns. right: columns set flush right, from 0."""
    texts = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, cells)) for cells in zip_longest(*texts, fillvalue="")]
    lines = []
    for row in texts:
        cells = [
            c.rjust(widths[i]) if i in right else c.ljust(widths[i]) for i, c in enumerate(row)
        ]
        lines.append((" " * indent + (" " * gap).join(cells)).rstrip())
    return "\n".join(lines)


def safe(text: str) -> str:
    """Make a player's words harmless: one line, no control or bidirectional characters."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept = "".join(
        char
        for char in text.replace("\n", " ")
        if unicodedata.category(char) not in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
    )
    return " ".join(kept.split())
