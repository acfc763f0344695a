"""Marks of quotations, and attributions ("On Monday X wrote:")."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property, lru_cache

from pbem.letters.limits import OverLimit
from pbem.letters.reading import headings, phrases
from pbem.letters.reading.headings import ADDRESS, ADDRESS_LAST, short


def by_first_letter(words: str) -> str:
    """Return an equal, faster expression."""
    groups: dict[str, list[str]] = {}
    for word in words.split("|"):
        groups.setdefault(word[0], []).append(word[1:])
    return "|".join(f"{letter}(?:{'|'.join(rest)})" for letter, rest in groups.items())


_DATE = r"\d{1,4}\s?[-./年]\s?\d{1,2}|\d{4}|\d{1,2}[:.h]\d{2}|\d{1,2}\.?\s+[^\W\d]{3,}"
HAS_DATE = re.compile(_DATE)
_CLEAR_DATE = re.compile(r"\d{4}|\d{1,2}[:.h]\d{2}|\d{1,2}[-./年]\s?\d{1,2}")
"""A year, time or date in figures; not "7 for"."""
_DATE_LAST = re.compile(r"\[[\d :./-]{8,30}\]\Z")
_WROTE_WORD = re.compile(
    rf"(?=\w)(?:(?<!\w)(?:{by_first_letter(phrases.WROTE)})(?!\w)|{by_first_letter(phrases.WROTE_UNSPACED)})",
    re.IGNORECASE,
)
_WROTE_DASHES = re.compile(rf"(?<!\w)(?:{phrases.WROTE}):? ?-{{3,20}}\Z", re.IGNORECASE)
_STARTS = re.compile(
    rf"\s*+[-*_~\"'“]*+\s*+(?:(?:{phrases.BEGINS})\b[\s,.]|(?:{_DATE})|[^\W\d]+,?\s+(?:[^\W\d]+\s+)?\d{{1,2}}[\s,.])",
    re.IGNORECASE,
)
_BY_DAY = re.compile(rf"\s*+[-*_~]*+\s*+(?:{phrases.BEGINS})\b[\s,.].*(?:{_DATE})", re.IGNORECASE)
WIDEST = 5
"""Lines of a heading, unless all but its last are full."""
MOST = 60
"""Lines of such a heading."""
_EXAMINED = 200_000
"""Characters examined as headings."""
_WRAPPED = 50
_HEADING_ENDS = (":", "：", "፦", "։", "․", "---")
_INITIALS = re.compile(r"[A-Z][A-Za-z]{0,2}>")


def is_quoted(line: str) -> bool:
    """Return whether a quotation mark begins it: `>`, `| `, `: `, `»` or `AB>`."""
    bare = line.lstrip()
    if bare.startswith(
        ("»", "›")
    ):  # quotation marks about words, in German and in French, are no mark of a line
        return not ("«" in bare or "‹" in bare)
    return (
        bare.startswith((">", "＞", "| ", ": "))
        or bare == "|"
        or (">" in bare and bool(_INITIALS.match(bare)))
    )


def _ends_heading(line: str) -> bool:
    bare = line.rstrip()
    return bare.endswith(_HEADING_ENDS) and (
        bare[-1] != "-" or bool(_WROTE_DASHES.search(bare[-60:]))
    )


def addressed(text: str) -> bool:
    return "@" in text and bool(ADDRESS.search(text))


@lru_cache(maxsize=64)
def _hints(line: str) -> tuple[bool, bool, bool]:
    return headings.may_say_wrote(line), "@" in line, bool(HAS_DATE.search(line))


def _may_be(verb: bool, sign: bool, date: bool) -> bool:
    return (sign or date) and (verb or (sign and date))


def _joined(span: Sequence[str]) -> str:
    ends = span if len(span) <= 2 * WIDEST else [*span[:WIDEST], *span[-WIDEST:]]
    return short(" ".join(map(short, ends)))


def is_full(line: str, following: str) -> bool:
    """Return whether the next word had no room."""
    word = following.split(maxsplit=1)[:1]
    return bool(word) and len(line) + 1 + len(word[0]) > _WRAPPED


def _could_begin(line: str) -> bool:
    line = short(line)
    return bool(_STARTS.match(line) or "<" in line or addressed(line) or _ends_heading(line))


def _goes_on(before: str, line: str) -> bool:
    return bool(
        line.startswith(("<", "(", "[", "mailto:"))
        or before.endswith(("<", "@", ","))
        or len(before) + len(line.split(" ", 1)[0]) >= _WRAPPED
        or (before[-1].isdigit() and _BY_DAY.match(before))
        or _says_wrote(line)
    )


def _says_wrote(line: str) -> bool:
    return bool(_WROTE_WORD.match(line.lstrip("> ")))


def _is_attribution(joined: str) -> bool:
    dated, starts = HAS_DATE.search(joined), _STARTS.match(joined)
    if wrote := _WROTE_WORD.search(joined):
        return bool(addressed(joined) or (dated and (starts or len(joined) - wrote.end() < 40)))
    bare = joined.rstrip(" :：")
    if headings.is_moment_and_address(joined):
        return True
    if starts and dated:
        return bool(
            (addressed(joined) and bare.endswith((">", ")", "]"))) or ADDRESS_LAST.search(bare)
        )
    return bool(addressed(joined) and _DATE_LAST.search(bare))


class Attributions:
    """Attributions in a text, by first line."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.examined = 0

    def width(self, start: int) -> int:
        """Return the lines of the heading that begins here, or 0."""
        if not _could_begin(self.lines[start]):
            alone = start == 0 or not is_full(self.lines[start - 1], self.lines[start])
            return self._wide_attribution(start) if alone else 0
        span: list[str] = []
        verb = sign = date = False
        for at in range(start, min(len(self.lines), start + 3 * WIDEST)):
            line = self.lines[at].strip()
            if line:
                if len(span) == WIDEST:
                    return self._wide_attribution(start)
                if span and is_quoted(line) and not _says_wrote(line):
                    return 0
                span.append(line)
                verb, sign, date = map(
                    any, zip((verb, sign, date), _hints(short(line)), strict=True)
                )
                if not at - start and headings.is_stamped(short(line)):
                    return 1
                if _may_be(verb, sign, date) and _ends_heading(line) and self._reads_as_one(span):
                    return at - start + 1 if self._is_one(span) else 0
            elif not span[-1].endswith(("<", ">", "@", ",")) and not self._angle_follows(at):
                return 0
        return 0

    def is_sure(self, start: int, width: int) -> bool:
        """Return whether a program surely wrote it, not the writer."""
        if width == 1 and headings.is_stamped(short(self.lines[start])):
            return True
        # a line that ends with a colon may not be the last
        for end in (start + width, start + width + 1):
            span = [line.strip() for line in self.lines[start:end] if line.strip()]
            if _ends_heading(span[-1]) and headings.is_programs(_joined(span)):
                return True
        return False

    def introduces(self, at: int) -> bool:
        """Return whether a line heads the marked quotation below."""
        if not _ends_heading(self.lines[at]):
            return False
        line = short(self.lines[at])
        after = self.next_text(at + 1)
        if after is None or not is_quoted(self.lines[after]):
            return False
        return bool(
            (headings.may_say_wrote(line) and _WROTE_WORD.search(line))
            or addressed(line)
            or (HAS_DATE.search(line) and _STARTS.match(line))
        )

    def are_marked(self, at: int) -> bool:
        """Return whether a marked quotation or nothing follows."""
        after = self.next_text(at)
        return after is None or is_quoted(self.lines[after])

    def next_text(self, at: int) -> int | None:
        while at < len(self.lines):
            if self.lines[at].strip():
                return at
            at += 1
        return None

    def _wide_attribution(self, start: int) -> int:
        last = min(self._runs[start], start + MOST)
        for end in self._ends[bisect_left(self._ends, start + WIDEST) :][:3]:
            span = self.lines[start : end + 1] if end <= last else []
            if span and self._reads_as_one(span):
                shorter = (span[at:] for at in range(len(span) - WIDEST, len(span)))
                return (
                    0
                    if any(_BY_DAY.match(one[0]) and self._reads_as_one(one) for one in shorter)
                    else len(span)
                )
        return 0

    @cached_property
    def _ends(self) -> list[int]:
        return [at for at, line in enumerate(self.lines) if _ends_heading(line)]

    @cached_property
    def _runs(self) -> list[int]:
        found = list(range(len(self.lines)))
        for at in reversed(range(len(self.lines) - 1)):
            if is_full(self.lines[at], self.lines[at + 1]):
                found[at] = found[at + 1]
        return found

    def _reads_as_one(self, span: Sequence[str]) -> bool:
        joined = _joined([line.strip() for line in span])
        if not _may_be(*_hints(joined)):
            return False
        self.examined += len(joined)
        if self.examined > _EXAMINED:
            raise OverLimit("too many lines that may stand above quotations")
        return _is_attribution(joined)

    def _is_one(self, span: Sequence[str]) -> bool:
        dated = bool(_BY_DAY.match(short(span[0])) or _CLEAR_DATE.search(short(span[0])))
        broken = True
        for at in range(1, len(span)):
            on = _goes_on(span[at - 1], span[at])
            if self._reads_as_one(span[at:]) and (
                not dated or not on or _BY_DAY.match(short(span[at]))
            ):
                return False
            broken = broken and on
        return broken or addressed(_joined(span))

    def _angle_follows(self, at: int) -> bool:
        after = self.next_text(at)
        return after is not None and self.lines[after].lstrip().startswith(("<", "mailto:"))
