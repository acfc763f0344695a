"""What of a text is its writer's own: quotations, forwarded letters and signatures cut off, line by
line.

The rule leans to the safe side. A quoted line is dropped by itself, so that a player who writes
below or between the quotation keeps the orders; where a quotation is not marked line by line
(Outlook, some telephones), nothing below its heading can be told from it, and all of it is cut.
What was cut is kept with the reason, for the receipt.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pbem.letters.limits import Limits, OverLimit
from pbem.letters.reading import headings, phrases
from pbem.letters.reading.headings import ADDRESS, ADDRESS_LAST, known_label, short

DIVIDER = "reply above this line"
"""The words of the divider in our own mails; nothing below it is the writer's."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Text that does not count: why, and what it was (at most some thousand characters)."""

    reason: str
    text: str


def by_first_letter(words: str) -> str:
    """The same expression with the words that begin alike together, so that a letter is asked about
    once."""
    groups: dict[str, list[str]] = {}
    for word in words.split("|"):
        groups.setdefault(word[0], []).append(word[1:])
    return "|".join(f"{letter}(?:{'|'.join(rest)})" for letter, rest in groups.items())


_DATE = r"\d{1,4}\s?[-./年]\s?\d{1,2}|\d{4}|\d{1,2}[:.h]\d{2}|\d{1,2}\.?\s+[^\W\d]{3,}"
_HAS_DATE = re.compile(_DATE)
_CLEAR_DATE = re.compile(r"\d{4}|\d{1,2}[:.h]\d{2}|\d{1,2}[-./年]\s?\d{1,2}")
"""A year, a time, a date in figures: "7 for" is none of them."""
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
"""A heading has so many lines at most, or else all its lines but the last are full."""
_MOST = 60
"""So many then; names have no bound."""
_EXAMINED = 200_000
"""So many characters of what may be headings are looked at. Nobody quotes so much."""
_WRAPPED = 50
"""A line that is broken because it is too long has at least so many characters with the next
word."""

_ANY_LABEL = re.compile(r"\s*+[*_]*+[^\W\d_][^:：<>@\d]{0,24}\s*+[:：]\s*+\S")
_NARROW, _BROAD, _FOLDED = 65, 140, 900
"""Programs that break quoted lines without marking the rest make them at least so long and at most
so long; mail servers break those of a thousand characters."""
_END_OF_WORDS = frozenset('.!?:;…"»«”)]}|')

_OUTLOOK_RULE = "_" * 32

_SIGNATURE = re.compile(r"(?:--|—|―|–|__)[ \t\xa0]*\Z")
_GADGET = re.compile(phrases.GADGETS)
_SENT_FROM = re.compile(r"sent from (?:my\b.{2,80}|(?:a |the )?[\w .&-]{2,40})\Z")
_SENT_FIRST = frozenset(one.partition(" ")[0] for one in (*phrases.SENT, "sent"))
_SENT_LAST = (*phrases.SENT_BEHIND, *(f"{one}." for one in phrases.SENT_BEHIND))
_HEADING_ENDS = (":", "：", "፦", "։", "․", "---")
_UNMARKED = "quoted below a heading, not line by line"
_ROW = re.compile(r"\|\s*+([^|:：]{1,40}+)\|(.*)\|?+")
_ORNAMENTS = " >-_*=~‐:："
_BY = re.compile(rf" (?:{phrases.BY}) ")
_NO_LINE_ENDS = re.compile("[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
"""What some programs take for the end of a line. Only a newline is one, so that whoever looks at
the text sees the same lines: nothing breaks out of a quotation by any of these."""
_INVISIBLE = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_BLANK_LINES = re.compile(r"\n{3,}")
_ARMOUR = re.compile(r"-----BEGIN PGP (?:SIGNATURE|PUBLIC KEY BLOCK|MESSAGE)-----\s*\Z")


def own(
    text: str, limit: int = 4_000, mine: Collection[str] = (), limits: Limits | None = None
) -> tuple[str, tuple[Cut, ...]]:
    """The writer's own lines (a blank line where lines were dropped in between), and what was cut;
    ``mine`` are his addresses. Raises OverLimit as soon as the writer's own are more than are
    read."""
    text = _NO_LINE_ENDS.sub(" ", text)
    text = (
        text if text.isascii() else _INVISIBLE.sub("", text).replace("\u2236", ":")
    )  # which GNOME writes in times
    lines = [_row(line) if line.startswith("|") else line for line in text.split("\n")]
    walk = _Walk(lines, mine, limits or Limits())
    walk.run()
    shown = _BLANK_LINES.sub("\n\n", "\n".join(walk.kept)).strip("\n")
    return shown, tuple(
        Cut(reason, "\n".join(lines).strip("\n")[:limit]) for reason, lines in walk.cut
    )


class _Walk:
    """One pass over the lines; ``at`` is the next."""

    def __init__(self, lines: Sequence[str], mine: Collection[str], limits: Limits) -> None:
        self.lines, self.mine = lines, mine
        self.limits, self.characters, self.saying = limits, 0, 0
        self.kept: list[str] = []
        self.cut: list[tuple[str, list[str]]] = []
        self.at = 0
        self.said = False
        self.examined = 0
        self.quoted = -1
        """The line behind the latest one that was dropped because it was quoted."""
        self.typed = 0
        """The lines before this one are a header that the writer has put on top of his own
        letter."""

    def run(self) -> None:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            words = " ".join(line.lower().split())
            if not words:
                self.kept.append("")
                self.at += 1
            elif is_quoted(line):
                whole = _is_arrowed(line) and not self._quotes(self.at + 1)
                self._drop(
                    _UNMARKED if whole else "quoted", len(self.lines) - self.at if whole else 1
                )
            elif reason := self._end(line, words):
                marked = self._answered(words) if reason == "forwarded" else 0
                self._drop("quoted" if marked else reason, marked or len(self.lines) - self.at)
            elif (width := self._attribution(self.at)) and self._quotes(self.at + width):
                self._drop("quoted", width)
            elif width and self._is_sure(width):
                self._drop(_UNMARKED, len(self.lines) - self.at)
            elif (words.endswith(_HEADING_ENDS) and self._introduces(line)) or self._is_rest(line):
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
            raise OverLimit(
                f"too many characters of text: at most {self.limits.order_characters} are read"
            )
        if self.saying > self.limits.lines:
            raise OverLimit(f"too many lines of text: at most {self.limits.lines} are read")

    def _quotes(self, at: int) -> bool:
        """Whether nothing or a quotation that is marked line by line follows."""
        after = self._next_text(at)
        return after is None or is_quoted(self.lines[after])

    def _is_sure(self, width: int) -> bool:
        """Whether these lines are the heading that a program writes. In doubt they are the writer's
        own sentence."""
        if width == 1 and headings.is_stamped(short(self.lines[self.at])):
            return True
        for end in (
            self.at + width,
            self.at + width + 1,
        ):  # a line that ends with a colon may not be the last
            span = [line.strip() for line in self.lines[self.at : end] if line.strip()]
            if _ends_heading(span[-1]) and headings.is_programs(_joined(span)):
                return True
        return False

    def _is_rest(self, line: str) -> bool:
        """Whether a line is the rest of the quoted one right above, which a program broke without
        marking the rest: that one is full, and its last word ends nothing."""
        before = self.lines[self.at - 1].rstrip() if self.at else ""
        if not before or before[-1] in _END_OF_WORDS or self.quoted != self.at:
            return False
        full = len(before) + 1 + len(line.split(maxsplit=1)[0])
        as_broken = full > _NARROW and (len(before) <= _BROAD or len(before) > _FOLDED)
        return as_broken and "   " not in before.lstrip("> \t")

    def _drop(self, reason: str, count: int) -> None:
        if not self.cut or self.cut[-1][0] != reason:
            self.cut.append((reason, []))
        while reason == "forwarded" and self.kept and not self.kept[-1].strip(" -_*="):
            self.kept.pop()
        self.cut[-1][1].extend(self.lines[self.at : self.at + count])
        if self.kept and self.kept[-1]:
            self.kept.append("")
        self.at += count
        self.quoted = self.at if reason == "quoted" else -1

    def _end(self, line: str, words: str) -> str:
        """Why nothing from this line on is the writer's own, or ""; ``words`` are the line in small
        letters."""
        if DIVIDER in words:
            return "below the referee's divider"
        if not words[0].isalnum():
            if _SIGNATURE.match(line):
                return "signature"
            if _ARMOUR.match(line):
                return "OpenPGP data"
        if _is_original(words) or _is_forwarded(words):
            return "forwarded"
        if (":" in line or "：" in line) and self.at >= self.typed:
            return (
                "forwarded"
                if self._header_block() or (self.at >= self.typed and self._unknown_block(self.at))
                else ""
            )
        return "forwarded" if words == _OUTLOOK_RULE and self._unknown_block(self.at + 1) else ""

    def _header_block(self) -> bool:
        """Whether a forwarded header begins here: a From line and another header line within the
        next, or in one line."""
        entries: list[headings.Entry] = []
        at: int | None = self.at
        end, before = self.at, ""
        while at is not None and at - self.at < _MOST and len(entries) < _WIDEST:
            line = self.lines[at]
            if (
                label := known_label(line[:200].replace("：", ":").partition(":")[0])
                if ":" in line or "：" in line
                else ""
            ):
                entries.append((label, line.replace("：", ":").partition(":")[2]))
            elif entries and (_folded(line) or _is_full(before, line)):
                entries[-1] = (entries[-1][0], short(f"{entries[-1][1]} {line}"))
            else:
                break
            end, before = at + 1, line.rstrip()
            at = self._next_text(at + 1)
        if len(entries) == 1:
            entries = headings.in_one_line(self.lines[self.at])
        if headings.is_header(entries, self.mine, self.said):
            return True
        if len(entries) > 1:
            self.typed = end
        return False

    def _unknown_block(self, at: int) -> bool:
        """The same in a language without words here: three lines "Label: something", a date in
        them, and an address in the first two or Outlook's rule above."""
        block = [short(line) for line in self.lines[at : at + 12] if line.strip()][:6]
        if at == self.at and not any(_addressed(line) for line in block[:2]):
            return False
        length = next((n for n, line in enumerate(block) if not _ANY_LABEL.match(line)), len(block))
        return length > 2 and any(_HAS_DATE.search(line) for line in block[:length])

    def _answered(self, words: str) -> int:
        """How many lines are the heading of a letter answered to that is marked line by line below
        it; 0 for none.

        Only where the writer said nothing above: who writes above has nothing below, and then the
        marks are those of an older quotation within an unmarked one.
        """
        if self.said or not _is_original(words):
            return 0
        at = self._next_text(self.at + 1)
        for _ in range(8):
            if at is None or not (
                _ANY_LABEL.match(self.lines[at][:200])
                or known_label(self.lines[at].rstrip(" \t:："))
            ):
                break
            at = self._next_text(at + 1)
        if at is not None and (width := self._attribution(at)):
            at = self._next_text(at + width)
        return at - self.at if at is not None and is_quoted(self.lines[at]) else 0

    def _introduces(self, line: str) -> bool:
        """Whether a line is the heading of the marked quotation right below, in a form not known
        otherwise."""
        if not _ends_heading(line):
            return False
        line = short(line)
        after = self._next_text(self.at + 1)
        if after is None or not is_quoted(self.lines[after]):
            return False
        return bool(
            (headings.may_say_wrote(line) and _WROTE_WORD.search(line))
            or _addressed(line)
            or (_HAS_DATE.search(line) and _STARTS.match(line))
        )

    def _next_text(self, at: int) -> int | None:
        while at < len(self.lines):
            if self.lines[at].strip():
                return at
            at += 1
        return None

    def _attribution(self, start: int) -> int:
        """How many lines from there on are the heading of a quotation ("On Monday X wrote:"); 0 for
        none."""
        if not _could_begin(self.lines[start]):
            alone = start == 0 or not _is_full(self.lines[start - 1], self.lines[start])
            return self._wide_attribution(start) if alone else 0
        span: list[str] = []
        verb = sign = date = False
        for at in range(start, min(len(self.lines), start + 3 * _WIDEST)):
            line = self.lines[at].strip()
            if line:
                if len(span) == _WIDEST:
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

    def _wide_attribution(self, start: int) -> int:
        """The same for a heading of many lines, which a program broke: all but the last are
        full."""
        last = min(self._runs[start], start + _MOST)
        for end in self._ends[bisect_left(self._ends, start + _WIDEST) :][:3]:
            span = self.lines[start : end + 1] if end <= last else []
            if span and self._reads_as_one(span):
                shorter = (span[at:] for at in range(len(span) - _WIDEST, len(span)))
                return (
                    0
                    if any(_BY_DAY.match(one[0]) and self._reads_as_one(one) for one in shorter)
                    else len(span)
                )
        return 0

    @cached_property
    def _ends(self) -> list[int]:
        """The lines that may be the last of a heading."""
        return [at for at, line in enumerate(self.lines) if _ends_heading(line)]

    @cached_property
    def _runs(self) -> list[int]:
        """For each line the last one up to which all lines are full."""
        found = list(range(len(self.lines)))
        for at in reversed(range(len(self.lines) - 1)):
            if _is_full(self.lines[at], self.lines[at + 1]):
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
        """Whether lines are a heading from the first on. Where one begins further below, what is
        above is the writer's."""
        dated = bool(_BY_DAY.match(short(span[0])) or _CLEAR_DATE.search(short(span[0])))
        broken = True
        for at in range(1, len(span)):
            on = _goes_on(span[at - 1], span[at])
            if self._reads_as_one(span[at:]) and (
                not dated or not on or _BY_DAY.match(short(span[at]))
            ):
                return False
            broken = broken and on
        return broken or _addressed(_joined(span))

    def _angle_follows(self, at: int) -> bool:
        after = self._next_text(at)
        return after is not None and self.lines[after].lstrip().startswith(("<", "mailto:"))


_INITIALS = re.compile(r"[A-Z][A-Za-z]{0,2}>")


def _row(line: str) -> str:
    """A row of a header that is a table (``| From | Eve |``) as a line of it; any other line as it
    is."""
    found = _ROW.match(line)
    return (
        f"{found[1].strip()}: {found[2].strip(' |')}" if found and known_label(found[1]) else line
    )


def _is_arrowed(line: str) -> bool:
    """Whether a line with the marks of a quotation is the heading of one without: ``>>> Eve
    11/2/2026 10:00 AM >>>``."""
    line = line.strip()
    if not line.startswith(">>>") or line.startswith(">>>>"):
        return False
    return bool(
        (line.endswith(" >>>") and _HAS_DATE.search(short(line))) or ", in message <" in short(line)
    )


def is_quoted(line: str) -> bool:
    """Whether a line is marked as quoted: `>` (also `| `, `: `, `»` and, in one program, `AB>`) at
    its beginning."""
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


def _is_original(words: str) -> bool:
    """Whether words in small letters stand above the letter that is answered."""
    bare = words.strip(_ORNAMENTS)
    if bare in phrases.ORIGINAL or (bare == "original" and words.startswith("--")):
        return True
    return headings.is_divider(words) and bare not in phrases.FORWARDED


def _is_forwarded(words: str) -> bool:
    """Whether words in small letters stand above a letter that is sent on."""
    bare = words.strip(_ORNAMENTS)
    if words.startswith(tuple("-_*=~")):
        bare = _BY.split(bare, maxsplit=1)[0]
    return bare in phrases.FORWARDED or bare.startswith("forwarded by ")


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
    return bare.endswith(_HEADING_ENDS) and (
        bare[-1] != "-" or bool(_WROTE_DASHES.search(bare[-60:]))
    )


def _addressed(text: str) -> bool:
    return "@" in text and bool(ADDRESS.search(text))


@lru_cache(maxsize=64)
def _hints(line: str) -> tuple[bool, bool, bool]:
    """Whether there may be in a line what headings are made of: the verb, an address, a date."""
    return headings.may_say_wrote(line), "@" in line, bool(_HAS_DATE.search(line))


def _may_be(verb: bool, sign: bool, date: bool) -> bool:
    return (sign or date) and (verb or (sign and date))


def _joined(span: Sequence[str]) -> str:
    """Lines as one, without the middle of very many or very long ones."""
    ends = span if len(span) <= 2 * _WIDEST else [*span[:_WIDEST], *span[-_WIDEST:]]
    return short(" ".join(map(short, ends)))


def _is_full(line: str, following: str) -> bool:
    """Whether a line is broken because the next word had no room in it."""
    word = following.split(maxsplit=1)[:1]
    return bool(word) and len(line) + 1 + len(word[0]) > _WRAPPED


def _could_begin(line: str) -> bool:
    line = short(line)
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
    """Whether a line is the end of a heading; a closing angle bracket may have slipped down to
    it."""
    return bool(_WROTE_WORD.match(line.lstrip("> ")))


def _is_attribution(joined: str) -> bool:
    """Whether a text is a heading as mail programs write it: somebody wrote, and his address or
    when; or both."""
    dated, starts = _HAS_DATE.search(joined), _STARTS.match(joined)
    if wrote := _WROTE_WORD.search(joined):
        return bool(_addressed(joined) or (dated and (starts or len(joined) - wrote.end() < 40)))
    bare = joined.rstrip(" :：")
    if headings.is_moment_and_address(joined):
        return True
    if starts and dated:
        return bool(
            (_addressed(joined) and bare.endswith((">", ")", "]"))) or ADDRESS_LAST.search(bare)
        )
    return bool(_addressed(joined) and _DATE_LAST.search(bare))


def _folded(line: str) -> bool:
    return line.startswith((" ", "\t"))
