"""Our own letters: from text to frozen bytes, one recipient each.

Every header value is stripped of CR, LF and NUL; everything says that it was made by a machine (RFC 3834) and carries our
loop mark. The Message-ID and the bytes are made once, in the transaction that caused the mail, and never again.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from base64 import b32encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr

from pbem.bounces import verp
from pbem.errors import RefereeError

LOOP_MARK = "X-Referee-Loop"
DIVIDER = "-------- reply above this line --------"
_POLICY = SMTP.clone(max_line_length=78, utf8=False)
_UNSAFE = re.compile(r"[\r\n\x00]+")


@dataclass(frozen=True, slots=True)
class Mail:
    """One outgoing mail, frozen. ``key`` says what it is and makes it unique ("receipt:12", "bulletin:g:3:S")."""

    key: str
    kind: str
    recipient: str
    envelope_from: str
    message_id: str
    raw: bytes
    game_id: str = ""
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Postmark:
    """What all our mails share: our address and name, the installation's secret key, the gamesmaster's address ("" where
    nobody is to be told), and how often the database came back from a backup, so that no Message-ID is used twice."""

    address: str
    name: str
    key: bytes
    gamesmaster: str = ""
    generation: int = 0

    @property
    def domain(self) -> str:
        """The part behind the @."""
        return self.address.rpartition("@")[2]

    def plus(self, tag: str) -> str:
        """Our address with a plus part."""
        local, _, domain = self.address.rpartition("@")
        return f"{local}+{tag}@{domain}"

    def token(self, game: str, seat: str, number: int) -> str:
        """The secret reply token of a seat: 128 bits, made from the key, so that it is stored nowhere."""
        return self._mac(f"token/{game}/{seat}/{number}")

    def code(self, purpose: str) -> str:
        """A short code that proves control of a mailbox: 80 bits."""
        return self._mac(f"code/{purpose}")[:16]

    def _mac(self, text: str) -> str:
        digest = hmac.new(self.key, text.encode(), hashlib.sha256).digest()[:16]
        return b32encode(digest).decode().rstrip("=").lower()


def clean(value: str) -> str:
    """A header value that cannot become another header."""
    return _UNSAFE.sub(" ", value).strip()


def compose(
    mark: Postmark, key: str, kind: str, to: str, subject: str, body: str, now: datetime, *,
    envelope_from: str = "", reply_to: str = "", in_reply_to: str = "", references: Sequence[str] = (), game_id: str = "",
    seat: str = "", list_id: str = "", html: str = "", automatic: str = "auto-generated",
) -> Mail:  # fmt: skip
    """A mail of ours. ``body`` is plain text; ``html`` an alternative; ``references`` Message-IDs with their brackets."""
    token = hashlib.sha256(
        mark.key + (f"{mark.generation}/" if mark.generation else "").encode() + key.encode()
    ).hexdigest()[:24]
    message_id = f"<{token}@{mark.domain}>"
    message = EmailMessage(_POLICY)
    message["From"] = formataddr((clean(mark.name), mark.address))
    message["To"] = clean(to)
    message["Subject"] = clean(subject)[:200]
    message["Date"] = format_datetime(now)
    message["Message-ID"] = message_id
    if reply_to:
        message["Reply-To"] = clean(reply_to)
    if in_reply_to:
        message["In-Reply-To"] = _id(in_reply_to)
        message["References"] = " ".join([*(_id(one) for one in references[-10:]), _id(in_reply_to)])
    message["Auto-Submitted"] = automatic
    message[LOOP_MARK] = mark.address
    message["X-Auto-Response-Suppress"] = "All"
    if list_id:
        message["List-Id"] = clean(list_id)
        message["List-Unsubscribe"] = f"<mailto:{mark.address}?subject=unsubscribe>"
    message.set_content(body, cte="7bit" if body.isascii() else "quoted-printable")
    if html:
        message.add_alternative(html, subtype="html")
    raw = message.as_bytes()
    _check(raw, key)
    return Mail(key, kind, to, envelope_from or verp(mark.address, token, mark.key), message_id, raw, game_id, seat)


def _id(message_id: str) -> str:
    """A foreign Message-ID made fit for our header: one word, printable, of a sane length."""
    word = "".join(char for char in message_id if "!" <= char <= "~")
    return word[:200] if word.startswith("<") and word.endswith(">") else f"<{word.strip('<>')[:190]}>"


def _check(raw: bytes, key: str) -> None:
    """The final bytes: one of each header that must be single, CRLF lines, no NUL (invariant 9)."""
    head = raw.split(b"\r\n\r\n", 1)[0].lower()
    for name in (b"from", b"to", b"subject", b"message-id", b"auto-submitted"):
        if len(re.findall(rb"(?m)^" + name + rb":", head)) != 1:
            raise RefereeError(f"mail {key}: {name.decode()} is not there exactly once")
    if b"\x00" in raw or b"\n" in raw.replace(b"\r\n", b"") or b"\nbcc:" in head:
        raise RefereeError(f"mail {key}: its bytes are not clean")
