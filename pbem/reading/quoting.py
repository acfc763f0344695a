"""What of a text is its writer's own: quotations, forwarded letters and signatures cut off, line by line.

The rule leans to the safe side. A quoted line is dropped by itself, so that a player who writes below or between
the quotation keeps the orders; where a quotation is not marked line by line (Outlook, some telephones), nothing
below its heading can be told from it, and all of it is cut. What was cut is kept with the reason, for the receipt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pbem.limits import Limits, OverLimit
from pbem.reading import phrases

DIVIDER = "reply above this line"
"""The words of the divider in our own mails; nothing below it is the writer's."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Text that does not count: why, and what it was (at most some thousand characters)."""

    reason: str
    text: str


def by_first_letter(words: str) -> str:
    """The same expression with the words that begin alike together, so that a letter is asked about once."""
    groups: dict[str, list[str]] = {}
    for word in words.split("|"):
        groups.setdefault(word[0], []).append(word[1:])
    return "|".join(f"{letter}(?:{'|'.join(rest)})" for letter, rest in groups.items())


_DATE = r"\d{1,4}\s?[-./年]\s?\d{1,2}|\d{4}|\d{1,2}[:.h]\d{2}|\d{1,2}\.?\s+[^\W\d]{3,}"
_HAS_DATE = re.compile(_DATE)
_CLEAR_DATE = re.compile(r"\d{4}|\d{1,2}[:.h]\d{2}|\d{1,2}[-./年]\s?\d{1,2}")
"""A year, a time, a date in figures: "7 for" is none of them."""
_HAS_ADDRESS = re.compile(r"[<\[(](?:[^<>@\[(]{0,80}\s)?[^\s<>@\[(]{1,64}@[^\s<>@]{1,120}\s*[>\])]")
_ADDRESS_LAST = re.compile(r"(?<![^\s<(])[^\s<>@]{1,64}+@[^\s<>@]{1,120}+\Z")
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
_WIDEST = 5
"""A heading has so many lines at most; see also _LONGEST, in characters."""
_LONGEST = 400
_WRAPPED = 50
"""A line that is broken because it is too long has at least so many characters with the next word."""

_ANY_LABEL = re.compile(r"\s*+[*_]*+[^\W\d_][^:：<>@\d]{0,24}\s*+[:：]\s*+\S")
_OUTLOOK_RULE = "_" * 32

_SIGNATURE = re.compile(r"(?:--|—|―|–|__)[ \t\xa0]*\Z")
_GADGET = re.compile(phrases.GADGETS)
_SENT_FROM = re.compile(r"sent from (?:my\b.{2,80}|(?:a |the )?[\w .&-]{2,40})\Z")
_SENT_FIRST = frozenset(one.partition(" ")[0] for one in (*phrases.SENT, "sent"))
_SENT_LAST = (*phrases.SENT_BEHIND, *(f"{one}." for one in phrases.SENT_BEHIND))
_HEADING_ENDS = (":", "：", "---")
_ORNAMENTS = " >-_*=~‐:："
_BY = re.compile(rf" (?:{phrases.BY}) ")
_INVISIBLE = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_BLANK_LINES = re.compile(r"\n{3,}")
_ARMOUR = re.compile(r"-----BEGIN PGP (?:SIGNATURE|PUBLIC KEY BLOCK|MESSAGE)-----\s*\Z")


def own(text: str, limit: int = 4_000, limits: Limits | None = None) -> tuple[str, tuple[Cut, ...]]:
    """The writer's own lines (a blank line where lines were dropped in between), and what was cut. Raises OverLimit as
    soon as the writer's own are more than are read."""
    walk = _Walk((text if text.isascii() else _INVISIBLE.sub("", text)).split("\n"), limits or Limits())
    walk.run()
    shown = _BLANK_LINES.sub("\n\n", "\n".join(walk.kept)).strip("\n")
    return shown, tuple(Cut(reason, "\n".join(lines).strip("\n")[:limit]) for reason, lines in walk.cut)


class _Walk:
    """One pass over the lines; ``at`` is the next."""

    def __init__(self, lines: Sequence[str], limits: Limits) -> None:
        self.lines = [line.rstrip("\r") for line in lines]
        self.limits, self.characters, self.saying = limits, 0, 0
        self.kept: list[str] = []
        self.cut: list[tuple[str, list[str]]] = []
        self.at = 0
        self.said = False

    def run(self) -> None:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            words = " ".join(line.lower().split())
            if not words:
                self.kept.append("")
                self.at += 1
            elif is_quoted(line):
                self._drop("quoted", 1)
            elif reason := self._end(line, words):
                marked = self._answered(words) if reason == "forwarded" else 0
                self._drop("quoted" if marked else reason, marked or len(self.lines) - self.at)
            elif width := self._attribution(self.at):
                after = self._next_text(self.at + width)
                if after is None or is_quoted(self.lines[after]):
                    self._drop("quoted", width)
                else:
                    self._drop("quoted below a heading, not line by line", len(self.lines) - self.at)
            elif words.endswith(_HEADING_ENDS) and self._introduces(line):
                self._drop("quoted", 1)
            elif _is_telephones(words):
                self._drop("signature", 1)
            else:
                self._keep(line.rstrip())

    def _keep(self, line: str) -> None:
        self.kept.append(line)
        self.said = True
        self.at += 1
        self.characters, self.saying = self.characters + len(line), self.saying + 1
        if self.characters > self.limits.order_characters:
            raise OverLimit(f"too many characters of text: at most {self.limits.order_characters} are read")
        if self.saying > self.limits.lines:
            raise OverLimit(f"too many lines of text: at most {self.limits.lines} are read")

    def _drop(self, reason: str, count: int) -> None:
        if not self.cut or self.cut[-1][0] != reason:
            self.cut.append((reason, []))
        while reason == "forwarded" and self.kept and not self.kept[-1].strip(" -_*="):
            self.kept.pop()
        self.cut[-1][1].extend(self.lines[self.at : self.at + count])
        if self.kept and self.kept[-1]:
            self.kept.append("")
        self.at += count

    def _end(self, line: str, words: str) -> str:
        """Why nothing from this line on is the writer's own, or ""; ``words`` are the line in small letters."""
        if DIVIDER in words:
            return "below the referee's divider"
        if not words[0].isalnum():
            if _SIGNATURE.match(line):
                return "signature"
            if _ARMOUR.match(line):
                return "OpenPGP data"
        if len(words) < 200 and (_is_original(words) or _is_forwarded(words)):
            return "forwarded"
        if ":" in line or "：" in line:
            return "forwarded" if self._header_block() or self._unknown_block(self.at) else ""
        return "forwarded" if words == _OUTLOOK_RULE and self._unknown_block(self.at + 1) else ""

    def _header_block(self) -> bool:
        """Whether a forwarded header begins here: a From line and another header line within the next four."""
        labels: list[str] = []
        at: int | None = self.at
        for _ in range(4):
            if at is None:
                break
            label = _label(self.lines[at])
            if label:
                labels.append(label)
            elif not labels or not _folded(self.lines[at]):
                break
            at = self._next_text(at + 1)
        known = set(labels)
        enough = len(known) > 2 or (len(known) == 2 and not known & phrases.TO)
        return enough and not known.isdisjoint(phrases.FROM)

    def _unknown_block(self, at: int) -> bool:
        """The same in a language without words here: three lines "Label: something", a date in them, and an address
        in the first two or Outlook's rule above."""
        block = [line[:200] for line in self.lines[at : at + 6]]
        if at == self.at and not any(_addressed(line) for line in block[:2]):
            return False
        length = next((n for n, line in enumerate(block) if not _ANY_LABEL.match(line)), len(block))
        return length > 2 and any(_HAS_DATE.search(line) for line in block[:length])

    def _answered(self, words: str) -> int:
        """How many lines are the heading of a letter answered to that is marked line by line below it; 0 for none.

        Only where the writer said nothing above: who writes above has nothing below, and then the marks are those
        of an older quotation within an unmarked one.
        """
        if self.said or not _is_original(words):
            return 0
        at = self._next_text(self.at + 1)
        for _ in range(8):
            if at is None or not _ANY_LABEL.match(self.lines[at][:200]):
                break
            at = self._next_text(at + 1)
        if at is not None and (width := self._attribution(at)):
            at = self._next_text(at + width)
        return at - self.at if at is not None and is_quoted(self.lines[at]) else 0

    def _introduces(self, line: str) -> bool:
        """Whether a line is the heading of the marked quotation right below, in a form not known otherwise."""
        if not _ends_heading(line) or len(line) >= _LONGEST:
            return False
        after = self._next_text(self.at + 1)
        if after is None or not is_quoted(self.lines[after]):
            return False
        return bool(_WROTE_WORD.search(line) or _addressed(line) or (_HAS_DATE.search(line) and _STARTS.match(line)))

    def _next_text(self, at: int) -> int | None:
        while at < len(self.lines):
            if self.lines[at].strip():
                return at
            at += 1
        return None

    def _attribution(self, start: int) -> int:
        """How many lines from there on are the heading of a quotation ("On Monday X wrote:"); 0 for none."""
        if not _could_begin(self.lines[start]):
            return 0
        span: list[str] = []
        for at in range(start, min(len(self.lines), start + 3 * _WIDEST)):
            line = self.lines[at].strip()
            if line:
                if (
                    len(span) == _WIDEST
                    or len(line) >= _LONGEST
                    or (span and is_quoted(line) and not _says_wrote(line))
                ):
                    return 0
                span.append(line)
                if _ends_heading(line) and _is_attribution(" ".join(span)):
                    return at - start + 1 if _is_one(span) else 0
            elif not span[-1].endswith(("<", ">", "@", ",")) and not self._angle_follows(at):
                return 0
        return 0

    def _angle_follows(self, at: int) -> bool:
        after = self._next_text(at)
        return after is not None and self.lines[after].lstrip().startswith(("<", "mailto:"))


_INITIALS = re.compile(r"[A-Z][A-Za-z]{0,2}>")


def is_quoted(line: str) -> bool:
    """Whether a line is marked as quoted: `>` (also `| `, `: `, `»` and, in one program, `AB>`) at its beginning."""
    bare = line.lstrip()
    if bare.startswith(("»", "›")):  # quotation marks about words, in German and in French, are no mark of a line
        return not ("«" in bare or "‹" in bare)
    return bare.startswith((">", "＞", "| ", ": ")) or bare == "|" or (">" in bare and bool(_INITIALS.match(bare)))


def _is_original(words: str) -> bool:
    """Whether words in small letters stand above the letter that is answered."""
    bare = words.strip(_ORNAMENTS)
    return bare in phrases.ORIGINAL or (bare == "original" and words.startswith("--"))


def _is_forwarded(words: str) -> bool:
    """Whether words in small letters stand above a letter that is sent on."""
    bare = words.strip(_ORNAMENTS)
    if words.startswith(tuple("-_*=~")):
        bare = _BY.split(bare, maxsplit=1)[0]
    return bare in phrases.FORWARDED or bare.startswith("forwarded by ")


def _label(line: str) -> str:
    """The label that makes a line one of a header ("From: ..."), in small letters; "" for none."""
    label, colon, _ = line[:200].replace("：", ":").partition(":")
    known = label.strip(" \t\xa0*_").lower() if colon else ""
    return known if known in phrases.FROM or known in phrases.OTHER else ""


def _is_telephones(words: str) -> bool:
    """Whether a telephone or a mail program wrote a line, in small letters, to say that it did."""
    begins = words.partition(" ")[0] in _SENT_FIRST or not words.isascii()
    if len(words) > 140 or not (begins or words.endswith(_SENT_LAST)):
        return False
    if _SENT_FROM.match(words):
        return True
    sent = words.startswith(phrases.SENT) or words.endswith(_SENT_LAST)
    return sent and bool(_GADGET.search(words))


def _ends_heading(line: str) -> bool:
    bare = line.rstrip()
    return bare.endswith(_HEADING_ENDS) and (bare[-1] != "-" or bool(_WROTE_DASHES.search(bare[-60:])))


def _addressed(text: str) -> bool:
    return "@" in text and bool(_HAS_ADDRESS.search(text))


def _could_begin(line: str) -> bool:
    if len(line) >= _LONGEST:
        return False
    return bool(_STARTS.match(line) or "<" in line or _addressed(line) or _ends_heading(line))


def _goes_on(before: str, line: str) -> bool:
    """Whether a line was broken off here, and not ended by its writer."""
    return bool(
        line.startswith(("<", "(", "[", "mailto:"))
        or before.endswith(("<", "@", ","))
        or len(before) + len(line.split(" ", 1)[0]) >= _WRAPPED
        or (before[-1].isdigit() and _BY_DAY.match(before))
        or _says_wrote(line)
    )


def _says_wrote(line: str) -> bool:
    """Whether a line is the end of a heading; a closing angle bracket may have slipped down to it."""
    return bool(_WROTE_WORD.match(line.lstrip("> ")))


def _is_one(span: Sequence[str]) -> bool:
    """Whether lines are a heading from the first on. Where one begins further below, what is above is the writer's."""
    dated = bool(_BY_DAY.match(span[0]) or _CLEAR_DATE.search(span[0]))
    broken = True
    for at in range(1, len(span)):
        rest, on = " ".join(span[at:]), _goes_on(span[at - 1], span[at])
        if _is_attribution(rest) and (not dated or not on or _BY_DAY.match(rest)):
            return False
        broken = broken and on
    return broken or _addressed(" ".join(span))


def _is_attribution(joined: str) -> bool:
    """Whether a text is a heading as mail programs write it: somebody wrote, and his address or when; or both."""
    if len(joined) >= _LONGEST:
        return False
    dated, starts = _HAS_DATE.search(joined), _STARTS.match(joined)
    if wrote := _WROTE_WORD.search(joined):
        return bool(_addressed(joined) or (dated and (starts or len(joined) - wrote.end() < 40)))
    bare = joined.rstrip(" :：")
    if starts and dated:
        return bool((_addressed(joined) and bare.endswith((">", ")", "]"))) or _ADDRESS_LAST.search(bare))
    return bool(_addressed(joined) and _DATE_LAST.search(bare))


def _folded(line: str) -> bool:
    return line.startswith((" ", "\t"))
