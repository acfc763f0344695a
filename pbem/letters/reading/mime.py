"""Find the parts that hold the writer's words: plain text before HTML, further texts, then attached
text files."""

import email
import re
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email import policy
from email.message import Message
from itertools import islice
from typing import Any

from pbem.letters.limits import Limits, OverLimit
from pbem.letters.reading import markup
from pbem.letters.reading.headers import Field, decode, known, words
from pbem.letters.reading.quoting import ENCRYPTED
from pbem.text import safe

_TELLING = ("content-type", "content-transfer-encoding", "content-disposition")
_UNREAD_TEXT = frozenset({
    "html", "calendar", "csv", "enriched", "richtext", "rtf", "rfc822-headers", "xml", "css",
    "javascript", "vcard", "x-vcard", "directory",
})  # fmt: skip
_SOFT_BREAK = re.compile(rb"=[ \t]+\r?\n")
"""With blanks that a server added (RFC 2045, 6.7)."""
_STRIKES = re.compile(r"<(?:s|strike|del)[\s>]|line-through", re.IGNORECASE)
_LEADING_QUOTES = re.compile(r"[> ]*>")


@dataclass
class Contents:
    """What the walk collects."""

    body: list[str] = field(default_factory=list)
    files: list[tuple[str, str]] = field(default_factory=list)
    """Of attached order files."""
    left_out: list[tuple[str, str, int]] = field(default_factory=list)
    """What and why, with the body's line (from 0) below it."""
    notes: list[str] = field(default_factory=list)
    styled: bool = False
    """What of its HTML was seen depends on a style sheet."""
    unread: list[str] = field(default_factory=list)

    @property
    def lines(self) -> int:
        return sum(text.count("\n") + 1 for text in self.body)


class Part(Message):
    """Reads parameters in known charsets only (RFC 2231)."""

    def get_param(
        self, param: str, failobj: Any = None, header: str = "content-type", unquote: bool = True
    ) -> Any:
        """Return the parameter. Raise LookupError for an odd boundary."""
        found = super().get_param(param, failobj, header, unquote)
        if not isinstance(found, tuple):
            return found
        charset = known(found[0] or "")
        if param == "boundary" and found[0] and not charset:
            raise LookupError(found[0])
        return (charset or None, *found[1:])


def parse(found: tuple[Field, ...], body: bytes) -> Message:
    """Return the parts by these fields only. Raise OverLimit."""
    kept: dict[str, str] = {}
    for one in found:
        if one.name not in _TELLING or one.odd:
            continue
        given = one.value[:4_000]
        if kept.setdefault(one.name, given) != given:
            raise OverLimit(f"two {one.name} fields that differ")
    head = {name: value.encode("utf-8", "replace") for name, value in kept.items()}
    alone = Part(policy=policy.compat32)
    for name, value in head.items():
        alone[name] = value.decode("ascii", "surrogateescape")  # as the parser has them
    if alone.get_content_maintype() not in ("multipart", "message"):  # nothing in it to look for
        alone.set_payload(body.decode("ascii", "surrogateescape"))
        return alone
    lines = b"".join(b"%s: %s\n" % (name.encode(), value) for name, value in head.items())
    try:
        return email.message_from_bytes(lines + b"\n" + body, Part, policy=policy.compat32)
    except (ValueError, LookupError) as error:  # a boundary in a charset that is none
        raise OverLimit("its parts cannot be told apart") from error


def contents(tree: Message, limits: Limits) -> Contents:
    """Return the words of the parts. Raise OverLimit."""
    gathered = Contents()
    for seen, part in enumerate(leaves(tree, limits), 1):
        if seen > limits.parts:
            raise OverLimit(f"too many parts: more than {limits.parts}")
        _gather(part, gathered, limits)
    if tree.is_multipart() and _STRIKES.search(beside := page(tree, limits)):
        with suppress(OverLimit):
            _cut_struck(gathered, markup.shown(beside))
    return gathered


def _cut_struck(gathered: Contents, beside: markup.SeenText) -> None:
    """Cut lines of plain text that the page beside it strikes out; no signed ones."""
    struck = {line.strip() for _, piece in beside.hidden for line in piece.split("\n")}
    struck -= {line.strip() for line in ("", *beside.text.split("\n"))}
    for at, text in enumerate(gathered.body):
        lines = [] if "-----BEGIN PGP" in text else text.split("\n")
        cut = [number for number, line in enumerate(lines) if line.strip() in struck]
        for number in cut:
            gathered.left_out.append(("hidden", lines[number], number))
            lines[number] = ""
        gathered.body[at] = "\n".join(lines) if cut else text


def leaves(tree: Message, limits: Limits) -> Iterator[Message]:
    """Yield the parts that count."""
    waiting = [(tree, 0)]
    while waiting:
        part, depth = waiting.pop()
        if depth > limits.depth:
            raise OverLimit(f"parts within parts, more than {limits.depth} deep")
        # of a text it would look up the charset
        children = part.get_payload() if part.is_multipart() else None
        if not isinstance(children, list) or part.get_content_maintype() != "multipart":
            yield part
            continue
        inner = [child for child in children if isinstance(child, Message)]
        kind = part.get_content_subtype()
        if kind == "alternative":
            inner = _best(inner)
        elif kind == "related":
            inner = _shown(part, inner)
        elif kind in ("signed", "encrypted"):
            inner = inner[:1]
        elif kind == "report":
            inner = [child for child in inner if child.get_content_maintype() != "message"]
        waiting.extend((child, depth + 1) for child in reversed(inner))


def page(tree: Message, limits: Limits) -> str:
    """Return the first HTML, or ""."""
    for part in islice(tree.walk(), limits.parts * 2):
        if kind_of(part) == "text/html" and _disposition(part) != "attachment":
            text = _decoded(part, _parameters(part), Contents())
            return text[: limits.html_characters]
    return ""


def _shown(related: Message, parts: list[Message]) -> list[Message]:
    start = _parameters(related).get("start", "")
    root = next(
        (part for part in parts if start and str(part.get("content-id", "")).strip() == start), None
    )
    root = root or next(iter(parts), None)
    return [part for part in parts if part is root or _disposition(part) == "attachment"]


def kind_of(part: Message) -> str:
    """Return the content type, also if misspelt."""
    kind = "".join(part.get_content_type().split()[:1]).strip("\"'")
    return "text/plain" if kind == "plain/text" else kind


def _is_plain(kind: str) -> bool:
    main, _, sub = kind.partition("/")
    return main == "text" and sub not in _UNREAD_TEXT and not sub.endswith("html")


def _best(alternatives: list[Message]) -> list[Message]:
    for part in alternatives:
        if kind_of(part) == "text/plain" and _says(part):
            return [part]
    for wanted in ("text/html", "multipart"):
        for part in alternatives:
            if wanted in (kind_of(part), part.get_content_maintype()):
                return [part]
    return alternatives[:1]


def _says(part: Message) -> bool:
    text = decode(_bytes(part), _parameters(part).get("charset", ""))[0]
    return any(
        not char.isspace() and unicodedata.category(char) not in ("Cf", "Cc") and char != "\ufffc"
        for char in text
    )


def _gather(part: Message, gathered: Contents, limits: Limits) -> None:
    given = _parameters(part)
    kind, name = kind_of(part), _filename(part, given)
    attached = _disposition(part) == "attachment" or bool(name)
    plain = _is_plain(kind)
    order_file = plain or (kind.startswith("application/") and name.lower().endswith(".txt"))
    if kind == "message/rfc822":
        gathered.left_out.append(("a forwarded letter", _inner(part, limits), gathered.lines))
    elif attached and order_file:
        gathered.files.append((name or "a text file", _plain(part, given, gathered, limits)))
    elif plain and not attached:
        gathered.body.append(_plain(part, given, gathered, limits))
    elif kind == "text/html" and not attached:
        page = _decoded(part, given, gathered)
        if len(page) > limits.html_characters:
            raise OverLimit(
                f"too many characters of HTML: {len(page)}, at most {limits.html_characters} are"
                " read"
            )
        shown, above = markup.shown(page), gathered.lines
        gathered.body.append(shown.text)
        gathered.styled = gathered.styled or shown.styled
        gathered.left_out.extend(("hidden", piece, above + line) for line, piece in shown.hidden)
    elif kind.startswith("multipart/"):
        gathered.notes.append("a part says it has parts and has none that can be told apart")
    elif attached or kind.startswith(("text/", "application/", "message/")):
        what = ENCRYPTED if kind == "application/pgp-encrypted" else name or safe(kind)[:60]
        gathered.unread.append(what)
        gathered.notes.append(f"{'attachment' if attached else 'part'} not read: {what}")
        if kind.startswith("text/"):
            text = _plain(part, given, gathered, limits)
            gathered.left_out.append((f"part of the type {safe(kind)[:60]}", text, gathered.lines))


def _inner(forwarded: Message, limits: Limits) -> str:
    inner = Contents()
    for part in islice(forwarded.walk(), limits.parts):
        if _is_plain(kind_of(part)) and not part.is_multipart():
            inner.body.append(_plain(part, _parameters(part), inner, limits))
    return "\n".join(inner.body)


def _plain(part: Message, given: Mapping[str, str], gathered: Contents, limits: Limits) -> str:
    text = _decoded(part, given, gathered)
    if len(text) > 4 * limits.order_characters or text.count("\n") > 8 * limits.lines:
        raise OverLimit(f"too much text: {len(text)} characters in {text.count(chr(10))} lines")
    if given.get("format", "").lower() == "flowed":
        text = unflow(text, given.get("delsp", "").lower() == "yes")
    return text


def _decoded(part: Message, given: Mapping[str, str], gathered: Contents) -> str:
    text, note = decode(_bytes(part), given.get("charset", ""))
    if note and note not in gathered.notes:
        gathered.notes.append(note)
    return text.replace("\r\n", "\n").replace("\r", " ").replace("\0", "")  # see headers.newlines


def _bytes(part: Message) -> bytes:
    try:
        payload = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError, TypeError):
        payload = None
    if not isinstance(payload, bytes):
        return b""
    quoted = str(part.get("content-transfer-encoding", "")).strip().lower() == "quoted-printable"
    return _SOFT_BREAK.sub(b"", payload) if quoted else payload


def _parameters(part: Message) -> dict[str, str]:
    try:
        given = part.get_params([])
    except (ValueError, LookupError, TypeError, AttributeError):
        return {}
    return {
        name.lower(): str(value[2] if isinstance(value, tuple) else value or "")
        for name, value in reversed(given)
    }


def _disposition(part: Message) -> str:
    return str(part.get("content-disposition", "")).partition(";")[0].strip().lower()


def _filename(part: Message, given: Mapping[str, str]) -> str:
    if "content-disposition" not in part and "name" not in given:
        return ""
    try:
        return words(part.get_filename() or "", 100)
    except (ValueError, LookupError, TypeError, AttributeError):
        return "?"


def unflow(text: str, delete_space: bool) -> str:
    """Join lines at soft breaks (RFC 3676)."""
    lines: list[list[str]] = []
    soft, depth_before = False, 0
    for line in text.split("\n"):
        marks = _LEADING_QUOTES.match(line) if line.startswith(">") else None
        quotes = marks.group().count(">") if marks else 0
        rest = (line[marks.end() :] if marks else line).removeprefix(" ")
        joins = soft and quotes == depth_before and rest != "-- "
        soft = rest.endswith(" ") and rest != "-- "
        shown = rest[:-1] if soft and delete_space else rest
        if joins:
            lines[-1].append(shown)
        else:
            lines.append([">" * quotes + " " * bool(quotes), shown])
        depth_before = quotes
    return "\n".join("".join(pieces) for pieces in lines)
