"""Builds frozen mails, one recipient each, marked as automatic (RFC 3834), in the transaction that
causes them.

``X-Pbem`` and ``List-Id``, to sort our mails by. They name a game only to its players and
observers, or if the subject does.

Reads our own mails again.
"""

from __future__ import annotations

import hashlib
import re
from binascii import b2a_base64, b2a_qp
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from email import message_from_bytes
from email.header import Header
from email.message import EmailMessage
from email.policy import default
from email.utils import format_datetime, formataddr, parsedate_to_datetime
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote

from pbem.errors import RefereeError
from pbem.letters.bounces import verp
from pbem.letters.letter import Letter
from pbem.post.postmark import Postmark
from pbem.store.mails.lanes import SHOWN_AS

FIELD = "X-Pbem"
_NAMED = re.compile(r"(?:Re: )?\[([a-z][a-z0-9-]{0,63})\]")
_OURS = "pbem"
"""In mails about the installation."""


def named(subject: str) -> str | None:
    """Return the game that a subject begins with, or None."""
    found = _NAMED.match(subject)
    return found[1] if found and found[1] != _OURS else None


def sorting(kind: str, game: str | None, period: int | None, domain: str) -> dict[str, str]:
    """Return both fields. game: None if the mail is of no game."""
    parts = [f"kind={SHOWN_AS[kind]}"]
    if game:
        parts.append(f"game={game}")
        if period is not None:
            parts.append(f"period={period}")
    listed = f"{game}.{domain}" if game else domain
    return {FIELD: "; ".join(parts), "List-Id": f"<{listed}>"}


LOOP_MARK = "X-Referee-Loop"
SEED, JOURNAL = "X-Pbem-Seed-SHA256", "X-Pbem-Journal"
"""Fields that bind: hashes of seed and journal."""
DIVIDER = "-------- reply above this line --------"
CRLF = "\r\n"
WIDTH = 78  # columns of a header line, before it is folded
LONGEST = 998  # bytes of a line (RFC 5322, 2.1.1)
_SINGLE = re.compile(
    rb"^(from|to|subject|message-id|auto-submitted|bcc):", re.IGNORECASE | re.MULTILINE
)
_UNSAFE = re.compile(r"[\x00-\x1f\x7f]+")
_CONTROLS = bytes({*range(32), 127} - {*b"\t\n\r"})


class Mail(NamedTuple):
    """An outgoing mail, frozen."""

    key: str
    """Unique: "receipt:12", "bulletin:g:3:S"."""
    kind: str
    recipient: str
    envelope_from: str
    message_id: str
    raw: bytes
    game_id: str = ""
    seat: str = ""
    pictures: Sequence[bytes] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A mail before it has a recipient."""

    key: str
    kind: str
    subject: str
    text: str
    html: str | None = None
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    """PNGs by Content-ID (``src="cid:chart"``)."""
    reply_to: str | None = None
    in_reply_to: str | None = None
    """Message-IDs with brackets."""
    references: Sequence[str] = ()
    automatic: str = "auto-generated"
    game_id: str | None = None
    seat: str | None = None
    period: int | None = None
    unsubscribe: str | None = None
    """Subject of a letter that ends such mails."""
    calendar: str | None = None
    attached: Mapping[str, str] = field(default_factory=dict)
    """By file name."""
    facts: Mapping[str, str] = field(default_factory=dict)
    again: str | None = None
    """For the player alone, with a link for AGAIN."""

    def answering(self, letter: Letter) -> Draft:
        return replace(
            self,
            in_reply_to=letter.message_id or None,
            references=letter.references,
            automatic="auto-replied",
        )


def clean(value: str) -> str:
    """Remove line ends and control characters."""
    return _UNSAFE.sub(" ", value).strip()


def _ident(mark: Postmark, key: str) -> str:
    generation = f"{mark.generation}/" if mark.generation else ""
    return hashlib.sha256(mark.key + f"{generation}{key}".encode()).hexdigest()[:24]


def message_id(mark: Postmark, key: str) -> str:
    return f"<{_ident(mark, key)}@{mark.domain}>"


def compose(mark: Postmark, draft: Draft, recipient: str, now: datetime) -> Mail:
    token = _ident(mark, draft.key)
    ours = message_id(mark, draft.key)
    fields = {
        "From": formataddr((clean(mark.name), mark.address)),
        "To": clean(recipient),
        "Subject": clean(draft.subject)[:200],
        "Date": format_datetime(now),
        "Message-ID": ours,
    }
    if draft.reply_to:
        fields["Reply-To"] = clean(draft.reply_to)
    if draft.in_reply_to:
        answered = _id(draft.in_reply_to)
        fields["In-Reply-To"] = answered
        fields["References"] = " ".join([*(_id(one) for one in draft.references[-10:]), answered])
    fields |= {
        "Auto-Submitted": draft.automatic,
        LOOP_MARK: mark.address,
        "X-Auto-Response-Suppress": "All",
    }
    fields |= {name: clean(value) for name, value in draft.facts.items() if value}
    game = draft.game_id if draft.period is not None else named(draft.subject)
    fields |= sorting(draft.kind, game, draft.period, mark.domain)
    if draft.unsubscribe:
        fields["List-Unsubscribe"] = (
            f"<mailto:{mark.address}?subject={quote(clean(draft.unsubscribe))}>"
        )
    head = b"".join(_field(name, value) for name, value in fields.items())
    parts = [head, b"MIME-Version: 1.0\r\n", *_body(draft, token, mark.domain)]
    _check(parts, draft.key)
    raw = b"".join(parts)
    return Mail(
        draft.key,
        draft.kind,
        recipient,
        verp(mark.address, token, mark.key),
        ours,
        raw,
        draft.game_id or "",
        draft.seat or "",
        tuple(part for part in parts if isinstance(part, _Picture)),
    )


class _Picture(bytes):
    """Base64 in clean lines."""


def _body(draft: Draft, token: str, domain: str) -> list[bytes]:
    texts = [_part("plain", draft.text)]
    if draft.html:
        html = _with_pictures(draft.html, draft.pictures, token, domain)
        texts = _several("alternative", [texts, html], token)
    files = [[_file(name, text)] for name, text in draft.attached.items()]
    if draft.calendar:
        files.append([_calendar(draft.calendar, draft.game_id or "")])
    return _several("mixed", [texts, *files], f"m{token}") if files else texts


def _with_pictures(
    html: str, pictures: Mapping[str, bytes], token: str, domain: str
) -> list[bytes]:
    shown = {name: f"{name}.{token}@{domain}" for name in pictures if _source(name) in html}
    if not shown:
        return [_part("html", html)]
    for name, ident in shown.items():
        html = html.replace(_source(name), _source(ident))
    images = [_image(name, ident, pictures[name]) for name, ident in shown.items()]
    parts = [[_part("html", html)], *images]
    return _several("related", parts, f"p{token}", '; type="text/html"')


def _source(name: str) -> str:
    return f'src="cid:{name}"'


def _image(name: str, ident: str, png: bytes) -> list[bytes]:
    head = (
        f"Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\nContent-ID: <{ident}>\r\n"
        f'Content-Disposition: inline; filename="{name}.png"\r\n\r\n'
    )
    return [head.encode(), _encoded(png)]


@lru_cache(maxsize=2)
def _encoded(png: bytes) -> _Picture:
    line = b2a_base64(png, newline=False)
    return _Picture(b"".join(line[at : at + 76] + b"\r\n" for at in range(0, len(line), 76)))


def _several(
    kind: str, parts: Sequence[Sequence[bytes]], boundary: str, more: str | None = None
) -> list[bytes]:
    line = f"--={boundary}".encode()
    head = f'Content-Type: multipart/{kind}; boundary="={boundary}"{more or ""}\r\n\r\n'
    body = (piece for part in parts for piece in (line + b"\r\n", *part, b"\r\n"))
    return [head.encode(), *body, line + b"--\r\n"]


def _file(name: str, text: str) -> bytes:
    kind = "html" if name.endswith(".html") else "plain"
    head, _, body = _part(kind, text).partition(f"{CRLF}{CRLF}".encode())
    shown = f'{CRLF}Content-Disposition: attachment; filename="{name}"{CRLF}{CRLF}'
    return head + shown.encode() + body


def _calendar(text: str, game_id: str) -> bytes:
    head = (
        f'Content-Type: text/calendar; method=PUBLISH; charset="utf-8";{CRLF}'
        f' name="{game_id}.ics"{CRLF}'
        f'Content-Disposition: attachment; filename="{game_id}.ics"{CRLF}'
        f"Content-Transfer-Encoding: quoted-printable{CRLF}{CRLF}"
    )
    lines = b2a_qp(b"\n".join(text.encode().splitlines()), istext=True).split(b"\n")
    return head.encode() + b"".join(line + b"\r\n" for line in lines)


def _field(name: str, value: str) -> bytes:
    line = f"{name}: {value}"
    if not line.isascii() or (len(line) > WIDTH and " " in value):
        line = f"{name}: {Header(value, header_name=name, maxlinelen=WIDTH).encode(linesep=CRLF)}"
    return f"{line}{CRLF}".encode()


@lru_cache(maxsize=4)
def _part(kind: str, text: str) -> bytes:
    lines = text.encode("utf-8", "replace").translate(None, _CONTROLS).splitlines()
    as_is = text.isascii() and max(map(len, lines), default=0) < LONGEST
    made = lines if as_is else map(_printable, lines)
    how = "7bit" if as_is else "quoted-printable"
    return (
        f'Content-Type: text/{kind}; charset="utf-8"{CRLF}Content-Transfer-Encoding:'
        f" {how}{CRLF}{CRLF}"
    ).encode() + b"\r\n".join([*made, b""])


@lru_cache(maxsize=512)
def _printable(line: bytes) -> bytes:
    return b2a_qp(line + b"\n", istext=True).removesuffix(b"\n").replace(b"\n", b"\r\n")


def _id(message_id: str) -> str:
    word = "".join(char for char in message_id if "!" <= char <= "~")
    return (
        word[:200] if word.startswith("<") and word.endswith(">") else f"<{word.strip('<>')[:190]}>"
    )


def _check(parts: Sequence[bytes], key: str) -> None:
    """Check invariant 9: single headers once, CRLF, no NUL."""
    raw = b"".join(part for part in parts if not isinstance(part, _Picture))
    names = Counter(name.lower() for name in _SINGLE.findall(raw.split(b"\r\n\r\n", 1)[0]))
    for name in (b"from", b"to", b"subject", b"message-id", b"auto-submitted"):
        if names[name] != 1:
            raise RefereeError(f"mail {key}: {name.decode()} is not there exactly once")
    if b"\x00" in raw or raw.count(b"\n") != raw.count(b"\r\n") or names[b"bcc"]:
        raise RefereeError(f"mail {key}: its bytes are not clean")


class Frozen:
    """A sent mail, parsed on demand."""

    __slots__ = ("_mail",)

    def __init__(self, raw: bytes) -> None:
        mail = message_from_bytes(raw, policy=default)
        assert isinstance(mail, EmailMessage)
        self._mail = mail

    @property
    def dated(self) -> datetime:
        return parsedate_to_datetime(str(self._mail["Date"]))

    @property
    def subject(self) -> str:
        """ "" if purged."""
        return str(self._mail["Subject"] or "")

    @property
    def reply_to(self) -> str:
        """ "" for our own address."""
        return str(self._mail["Reply-To"] or "")

    @property
    def text(self) -> str:
        """Plain text with the divider."""
        return self._face("plain")

    @property
    def said(self) -> str:
        """Plain text without the divider."""
        return self.text.replace(DIVIDER, "").strip()

    @property
    def html(self) -> str:
        """ "" if it has none."""
        return self._face("html")

    @property
    def pictures(self) -> dict[str, bytes]:
        """PNGs by Content-ID."""
        images = [part for part in self._mail.walk() if part.get_content_type() == "image/png"]
        return {str(part["Content-ID"]).strip("<>"): part.get_content() for part in images}

    def _face(self, kind: str) -> str:
        body = self._mail.get_body((kind,))
        return str(body.get_content()).replace("\r\n", "\n") if body is not None else ""
