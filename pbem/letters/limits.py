"""How much of a letter is read. A linear first look finds what would slow the ``email`` package."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest letter read, in bytes, texts in characters."""

    size: int = 4_000_000
    header_bytes: int = 120_000
    field_bytes: int = 20_000
    fields: int = 600
    encoded_words: int = 400
    comment_depth: int = 20
    depth: int = 20
    parts: int = 100
    content_field_bytes: int = 4_000
    raw_lines: int = 100_000
    delimiters: int = 2_000
    html_characters: int = 1_000_000
    order_characters: int = 200_000
    lines: int = 5_000


class OverLimit(ValueError):
    """The text tells the gamesmaster which limit."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What the first look found."""

    refused: str = ""
    heavy: bool = False
    """Unusual enough for a child process."""


_CONTENT = re.compile(
    rb"^content-[a-z-]{1,30}:[^\n]*(?:\n[ \t][^\n]*)*", re.IGNORECASE | re.MULTILINE
)
NEXT_FIELD = re.compile(rb"\n(?![ \t])")
_PARENTHESIS = re.compile(rb"[()]")
_HEAVY = 4
_HEAVY_HTML = 40_000


def first_look(head: bytes, body: bytes, limits: Limits) -> Measured:
    """Measure a letter with plain newlines."""
    each = NEXT_FIELD.split(head)
    longest = max(len(field) - field.count(b"\n") for field in each)
    content = max((len(found.group()) for found in _CONTENT.finditer(body)), default=0)
    lowered = body.lower()
    measures = (
        ("bytes", len(head) + len(body), limits.size),
        ("bytes of header", len(head), limits.header_bytes),
        ("bytes in one header field", longest, limits.field_bytes),
        ("header fields", len(each), limits.fields),
        ("encoded-words in the header", head.count(b"=?"), limits.encoded_words),
        ("nested comments in the header", max(map(_depth, each)), limits.comment_depth),
        ("bytes in the content field of a part", content, limits.content_field_bytes),
        ("boundaries", lowered.count(b"boundary") + head.lower().count(b"boundary"), limits.parts),
        ("parts", lowered.count(b"\ncontent-type:"), limits.parts),
        ("lines", body.count(b"\n"), limits.raw_lines),
        ("lines that begin with --", body.count(b"\n--"), limits.delimiters),
        ("letters within the letter", lowered.count(b"message/"), limits.parts),
    )
    for what, found, most in measures:
        if found > most:
            return Measured(f"too many {what}: {found}, at most {most} are read")
    heavy = any(found * _HEAVY > most for _, found, most in measures[4:])
    html = len(body) > _HEAVY_HTML and b"html" in lowered + head.lower()
    return Measured(heavy=heavy or html or len(head) + len(body) > limits.size // 4)


def _depth(field: bytes) -> int:
    depth = deepest = 0
    for found in _PARENTHESIS.findall(field):
        depth = depth + 1 if found == b"(" else max(0, depth - 1)
        deepest = max(deepest, depth)
    return deepest
