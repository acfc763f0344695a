"""The writer's own words, without quotations, forwarded letters and signatures.

In doubt, cut. Marked lines go one by one; below an unmarked quotation's heading all goes.
"""

import re
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from pbem.letters.limits import Limits, OverLimit
from pbem.letters.reading import attribution

DIVIDER = "reply above this line"
"""In our mails. Nothing below is the writer's."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Text that does not count, and why."""

    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines of a letter as they came."""

    text: str
    reason: str = ""
    """"" if read."""
    file: str = ""


@dataclass(frozen=True, slots=True)
class Own:
    """A text gone through."""

    text: str
    """The writer's lines; a blank one for those dropped."""
    cut: tuple[Cut, ...]
    lines: tuple[str, ...] = ()
    fates: tuple[str, ...] = ()
    """Why each line was cut, or ""."""


_ANY_LABEL = re.compile(r"\s*+[*_]*+[^\W\d_][^:：<>@\d]{0,24}\s*+[:：]\s*+\S")
_NARROW, _BROAD, _FOLDED = 65, 140, 900
"""Programs break quoted lines between the first two widths, servers at the last."""
_END_OF_WORDS = frozenset('.!?:;…"»«”)]}|')

_OUTLOOK_RULE = "_" * 32

_SIGNATURE = re.compile(r"(?:--|—|―|–|__)[ \t\xa0]*\Z")
_GADGET = re.compile(attribution.GADGETS)
_SENT_FROM = re.compile(r"sent from (?:my\b.{2,80}|(?:a |the )?[\w .&'\u2019-]{2,40})\Z")
_SENT_FIRST = frozenset(one.partition(" ")[0] for one in (*attribution.SENT, "sent"))
_SENT_LAST = (*attribution.SENT_BEHIND, *(f"{one}." for one in attribution.SENT_BEHIND))
_UNMARKED = "quoted below a heading, not line by line"
_ROW = re.compile(r"\|\s*+([^|:：]{1,40}+)\|(.*)\|?+")
_ORNAMENTS = " >-_*=~‐:："
_BY = re.compile(rf" (?:{attribution.BY}) ")
_NO_LINE_ENDS = re.compile("[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
"""Line ends for some programs only, so none here."""
_INVISIBLE = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_LONGEST_PIECE = 20_000
_BLANK_LINES = re.compile(r"\n{3,}")
ENCRYPTED = "an encrypted letter"
_ARMOUR = re.compile(r"-----BEGIN PGP (SIGNATURE|PUBLIC KEY BLOCK|MESSAGE)-----\s*\Z")
_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_OPENPGP = "OpenPGP data"
_LONGEST_HEAD = 8


def gone_through(text: str, mine: Collection[str], limits: Limits) -> Own:
    """Find own words. mine: the writer's addresses. Raise OverLimit."""
    text = _NO_LINE_ENDS.sub(" ", text)
    if not text.isascii():
        text = _INVISIBLE.sub("", text).replace("\u2236", ":")  # which GNOME writes in times
    if _SIGNED in text:  # its lines that begin with a dash have one more
        text = text.replace("\n- ", "\n")
    lines = [_row(line) if line.startswith("|") else line for line in text.split("\n")]
    walk = _Walk(lines, mine, limits)
    walk.run()
    shown = _BLANK_LINES.sub("\n\n", "\n".join(walk.kept)).strip("\n")
    cuts = (
        Cut(reason, "\n".join(lines).strip("\n")[:_LONGEST_PIECE]) for reason, lines in walk.cut
    )
    return Own(shown, tuple(cuts), tuple(lines), tuple(walk.fates))


def pieces(
    own: Own, aside: Sequence[tuple[int, Piece]] = (), file: str | None = None
) -> Iterator[Piece]:
    """Yield pieces of one fate. aside: each with the line (from 0) below."""
    fates = list(own.fates)
    for at, line in enumerate(own.lines):
        if at and not line.strip():  # a blank line is of what stands above it
            fates[at] = fates[at - 1]
    waiting = deque(sorted(aside, key=lambda one: one[0]))
    places, begins = {at for at, _ in waiting}, 0
    for at in range(len(own.lines) + 1):
        last = at == len(own.lines)
        if begins < at and (last or at in places or fates[at] != fates[at - 1]):
            said = "\n".join(own.lines[begins:at]).strip("\n")
            if said.strip():
                yield Piece(said[:_LONGEST_PIECE], fates[begins], file or "")
            begins = at
        while waiting and (waiting[0][0] <= at or last):
            yield waiting.popleft()[1]


class _Walk:
    def __init__(self, lines: Sequence[str], mine: Collection[str], limits: Limits) -> None:
        self.lines, self.mine = lines, mine
        self.above = attribution.Attributions(lines)
        self.limits, self.characters, self.saying = limits, 0, 0
        self.kept: list[str] = []
        self.fates: list[str] = []
        self.cut: list[tuple[str, list[str]]] = []
        self.at = 0
        self.said = False
        self.quoted = -1
        self.typed = 0
        """Lines before this are the writer's own header."""

    def run(self) -> None:
        above = self.above
        while self.at < len(self.lines):
            line = self.lines[self.at]
            words = " ".join(line.lower().split())
            if not words:
                self.kept.append("")
                self.fates.append("")
                self.at += 1
            elif attribution.is_quoted(line):
                whole = _is_arrowed(line) and not above.are_marked(self.at + 1)
                if whole:
                    self._drop(_UNMARKED, len(self.lines) - self.at)
                else:
                    self._drop("quoted", 1)
            elif line.rstrip() == _SIGNED:
                head = self.lines[self.at : self.at + _LONGEST_HEAD]
                self._drop(_OPENPGP, next((n for n, one in enumerate(head) if not one.strip()), 1))
            elif reason := self._end(line, words):
                marked = self._answered(words) if reason == "forwarded" else 0
                self._drop("quoted" if marked else reason, marked or len(self.lines) - self.at)
            elif (width := above.width(self.at)) and above.are_marked(self.at + width):
                self._drop("quoted", width)
            elif width and above.is_sure(self.at, width):
                self._drop(_UNMARKED, len(self.lines) - self.at)
            elif above.introduces(self.at) or self._is_rest(line):
                self._drop("quoted", 1)
            elif _is_telephones(words):
                self._drop("signature", 1)
            else:
                self._keep(line.rstrip())

    def _keep(self, line: str) -> None:
        self.kept.append(line)
        self.fates.append("")
        self.said = True
        self.at += 1
        self.characters, self.saying = self.characters + len(line), self.saying + 1
        if self.characters > self.limits.order_characters:
            raise OverLimit(
                f"too many characters of text: at most {self.limits.order_characters} are read"
            )
        if self.saying > self.limits.lines:
            raise OverLimit(f"too many lines of text: at most {self.limits.lines} are read")

    def _is_rest(self, line: str) -> bool:
        """Return whether a program broke the quoted line above."""
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
        if reason == "forwarded":
            at = len(self.fates) - 1
            while at >= 0 and not self.fates[at] and not self.lines[at].strip(" -_*="):
                self.fates[at] = "forwarded"
                at -= 1
        dropped = self.lines[self.at : self.at + count]
        self.cut[-1][1].extend(dropped)
        self.fates.extend(reason for _ in dropped)
        if self.kept and self.kept[-1]:
            self.kept.append("")
        self.at += count
        self.quoted = self.at if reason == "quoted" else -1

    def _end(self, line: str, words: str) -> str:
        """Return why all from here is not the writer's, or ""."""
        if DIVIDER in words:
            return "below the referee's divider"
        if not words[0].isalnum():
            if _SIGNATURE.match(line):
                return "signature"
            if armour := _ARMOUR.match(line):
                return ENCRYPTED if armour[1] == "MESSAGE" else _OPENPGP
        if _is_original(words) or _is_forwarded(words):
            return "forwarded"
        if (":" in line or "：" in line) and self.at >= self.typed:
            if self._header_block():
                return "forwarded"
            return "forwarded" if self.at >= self.typed and self._unknown_block(self.at) else ""
        return "forwarded" if words == _OUTLOOK_RULE and self._unknown_block(self.at + 1) else ""

    def _header_block(self) -> bool:
        entries: list[attribution.Entry] = []
        at: int | None = self.at
        end, before = self.at, ""
        most, widest = self.at + attribution.MOST, attribution.WIDEST
        while at is not None and at < most and len(entries) < widest:
            line = self.lines[at]
            first, colon, rest = line.replace("：", ":").partition(":")
            if colon and (label := attribution.known_label(first[:200])):
                entries.append((label, rest))
            elif entries and (line.startswith((" ", "\t")) or attribution.is_full(before, line)):
                entries[-1] = (entries[-1][0], attribution.short(f"{entries[-1][1]} {line}"))
            else:
                break
            end, before = at + 1, line.rstrip()
            at = self.above.next_text(at + 1)
        if len(entries) == 1:
            entries = attribution.in_one_line(self.lines[self.at])
        if attribution.is_header(entries, self.mine, self.said):
            return True
        if len(entries) > 1:
            self.typed = end
        return False

    def _unknown_block(self, at: int) -> bool:
        """Return whether three lines "Label: something" begin an unlisted heading."""
        block = [attribution.short(line) for line in self.lines[at : at + 12] if line.strip()][:6]
        if at == self.at and not any(attribution.addressed(line) for line in block[:2]):
            return False
        if block and not _label(block[0]) and any(_label(x) in attribution.FROM for x in block[1:]):
            return False  # a line of the writer's right above a header of a known language
        length = next((n for n, line in enumerate(block) if not _ANY_LABEL.match(line)), len(block))
        return length > 2 and any(attribution.HAS_DATE.search(line) for line in block[:length])

    def _answered(self, words: str) -> int:
        """Return the lines of a heading of the marked quotation below, or 0. The writer must have
        said nothing above."""
        if self.said or not _is_original(words):
            return 0
        at = self.above.next_text(self.at + 1)
        for _ in range(8):
            line = self.lines[at] if at is not None else ""
            label = attribution.known_label(line.rstrip(" \t:："))
            if at is None or not (label or _ANY_LABEL.match(line[:200])):
                break
            at = self.above.next_text(at + 1)
        if at is not None and (width := self.above.width(at)):
            at = self.above.next_text(at + width)
        return at - self.at if at is not None and attribution.is_quoted(self.lines[at]) else 0


def _label(line: str) -> str:
    return attribution.known_label(line.replace("：", ":").partition(":")[0])


def _row(line: str) -> str:
    """Return a row ``| From | Eve |`` as a header line."""
    found = _ROW.match(line)
    if not found or not attribution.known_label(found[1]):
        return line
    return f"{found[1].strip()}: {found[2].strip(' |')}"


def _is_arrowed(line: str) -> bool:
    """Return whether it is ``>>> Eve 11/2/2026 10:00 AM >>>``."""
    line = line.strip()
    if not line.startswith(">>>") or line.startswith(">>>>"):
        return False
    words = attribution.short(line)
    dated = line.endswith(" >>>") and attribution.HAS_DATE.search(words)
    return bool(dated) or ", in message <" in words


def _is_original(words: str) -> bool:
    bare = words.strip(_ORNAMENTS)
    if bare in attribution.ORIGINAL or (bare == "original" and words.startswith("--")):
        return True
    return attribution.is_divider(words) and bare not in attribution.FORWARDED


def _is_forwarded(words: str) -> bool:
    bare = words.strip(_ORNAMENTS)
    if words.startswith(tuple("-_*=~")):
        bare = _BY.split(bare, maxsplit=1)[0]
    return bare in attribution.FORWARDED or bare.startswith("forwarded by ")


def _is_telephones(words: str) -> bool:
    begins = words.partition(" ")[0] in _SENT_FIRST or not words.isascii()
    if len(words) > 140 or not (begins or words.endswith(_SENT_LAST)):
        return False
    if _SENT_FROM.match(words):
        return True
    sent = words.startswith(attribution.SENT) or words.endswith(_SENT_LAST)
    return sent and bool(_GADGET.search(words))
