"""Delivery reports: which mail came back, from whom, and may we try again?

Read from the envelope address (VERP, signed), the machine-readable report (RFC 3464), then prose.
"""

import base64
import email
import hashlib
import hmac
import logging
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from email import policy
from email.message import Message

from flufl.bounce import all_failures

from pbem.letters.authentication import plus_parts
from pbem.letters.letter import Letter
from pbem.letters.reading.headers import address, newlines
from pbem.letters.reading.mime import Part
from pbem.text import safe

HARD, SOFT, NONE = "hard", "soft", "none"

_STATUS = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_NO_SUCH = re.compile(
    r"user ?unknown|unknown (?:user|recipient|address|local|account)|no such (?:user|mailbox|"
    r"recipient|address|person)|no such (?:account|domain)|(?:does ?n[o']t|not) (?:exist|be found)|"
    r"not found|not listed|no mailbox|mailbox (?:unavailable|not available)|(?:invalid|bad "
    r"destination) (?:recipient|mailbox|user|address)|recipient (?:address )?(?:rejected: "
    r"(?:undeliverable|user|no such|unknown)|not)|user (?:is )?(?:not|invalid)|not (?:a )?(?:valid|"
    r"known|our) (?:user|customer|mailbox|recipient)|host (?:or domain name )?(?:unknown|not "
    r"found)|unrouteable|no longer (?:with|in|valid|available|works)|is not a known user|can't "
    r"create|has been disabled permanently|invalid final delivery|does ?n[o']t have an?|domain "
    r"(?:not|unknown)|nosuchuser|name or service not known|no (?:mx|a record|such domain)|unknown "
    r"or illegal alias",
    re.IGNORECASE,
)
_OURS = re.compile(
    r"sender (?:address )?(?:rejected|verif|denied|unknown)|sender verify|verification failed|"
    r"(?:domain of )?sender (?:address|domain)|reverse (?:dns|hostname)|rdns|\bptr\b|helo "
    r"(?:command|name|host)|dns mx or a|certificate|whitelist|attachment (?:type|name)|"
    r"\b[45]\.1\.[78]\b|\b[45]\.7\.(?:20|23|25|26|27)\b",
    re.IGNORECASE,
)
_FOR_NOW = re.compile(
    r"quota|full|over ?limit|too (?:large|big|many)|blocked|block ?list|blacklist|spam|"
    r"reject(?:ed)? due|policy|greylist|timed? ?out|try again|temporar|expired|deferred|relay|"
    r"denied|suspend|disabled|inactive|reputation|refused|unauthenticated|dmarc|spf|dkim",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Failure:
    """A recipient not reached."""

    recipient: str
    severity: str
    """Hard: no such mailbox; else soft."""
    status: str = ""
    """RFC 3463."""
    diagnostic: str = ""


def refusal(recipient: str, reply: str) -> Failure | None:
    """Return a hard failure if a 5xx reply denies the mailbox, or None."""
    code = status_in(reply)
    if severity_of(code, reply) != HARD:
        return None
    return Failure(recipient, HARD, code, safe(" ".join(reply.split()))[:500])


def status_in(text: str) -> str:
    found = _STATUS.search(text)
    return ".".join(found.groups()) if found else ""


def severity_of(status: str, words: str) -> str:
    """Return HARD for no such mailbox, else SOFT."""
    if _OURS.search(words):
        return SOFT
    inner = status_in(words)
    for code in (inner, status):
        if code.startswith("4."):
            return SOFT
        if code in ("5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.4.4"):
            return SOFT if _FOR_NOW.search(words) and not _NO_SUCH.search(words) else HARD
    if status in ("5.1.7", "5.1.8"):
        return SOFT
    if status and not status.startswith(("5.0", "5.1")) and not _NO_SUCH.search(words):
        return SOFT
    return HARD if _NO_SUCH.search(words) and not _FOR_NOW.search(words) else SOFT


logging.getLogger("flufl.bounce").addHandler(logging.NullHandler())
logging.getLogger("flufl.bounce").propagate = False  # its parse failures do not matter


@dataclass(frozen=True, slots=True)
class Bounce:
    """A delivery report."""

    known_by: str
    """"verp", "report" or "words"."""
    ident: str = ""
    failures: tuple[Failure, ...] = ()
    """Empty if nothing is lost yet."""

    @property
    def severity(self) -> str:
        """The worst of its failures, or "none"."""
        found = {failure.severity for failure in self.failures}
        return HARD if HARD in found else SOFT if SOFT in found else NONE


def _mark(ident: str, key: bytes) -> str:
    digest = hmac.new(key, b"verp:" + ident.encode("ascii"), hashlib.sha256).digest()[:16]
    return base64.b32encode(digest).decode("ascii").rstrip("=").lower()


_IDENT = re.compile(r"[a-z0-9]{1,24}")


def verp(ours: str, ident: str, key: bytes) -> str:
    """Return ``referee+b-<ident>-<mark>@domain``. Raise ValueError unless ident is 1 to 24 small
    letters and digits."""
    if not _IDENT.fullmatch(ident):
        raise ValueError(f"not small letters and digits: {ident!r}")
    local, _, domain = ours.rpartition("@")
    return f"{local}+b-{ident}-{_mark(ident, key)}@{domain}"


def verp_ident(recipients: Iterable[str], ours: Iterable[str], key: bytes) -> str:
    """Return the ident of the returned mail, or ""."""
    for part in plus_parts(recipients, ours):
        kind, _, rest = part.partition("-")
        ident, _, mark = rest.partition("-")
        is_one = kind == "b" and ident.isascii() and ident.isalnum()
        if is_one and hmac.compare_digest(mark, _mark(ident, key)):
            return ident
    return ""


def read(letter: Letter, raw: bytes, ident: str | None = None) -> Bounce | None:
    """Return the delivery report, or None. ident: from :func:`verp_ident`."""
    if letter.refused:
        return Bounce("verp", ident) if ident else None
    try:
        tree = email.message_from_bytes(newlines(raw)[:_LOOKED_AT], Part, policy=policy.compat32)
    except (ValueError, LookupError):  # a boundary in a charset that is none
        return Bounce("verp", ident) if ident else None
    if _is_none(tree):
        return None
    blocks = tuple(_blocks(tree))
    reported: dict[str, Failure] = {}
    for failure in filter(None, (_block(block, tree) for block in blocks)):
        reported.setdefault(failure.recipient, failure)
    failures = tuple(reported.values())
    if blocks and not failures and any(_action(block) in _ARRIVED for block in blocks):
        return Bounce("verp" if ident else "report", ident or "")
    if ident:
        return Bounce("verp", ident, failures or tuple(_prose(tree)) or (Failure("", SOFT),))
    if blocks:
        return Bounce("report", "", failures)
    who = " ".join(str(tree.get(name, "")) for name in ("From", "Return-Path"))
    if not (_DAEMON.search(who) or _SUBJECT.search(str(tree.get("Subject", "")))):
        return None
    worded = tuple(_prose(tree))
    return Bounce("words", "", worded) if worded else None


def looks_like(letter: Letter) -> bool:
    """Return whether calling :func:`read` is worthwhile."""
    return (
        letter.kind in ("multipart/report", "message/delivery-status")
        or _DAEMON.search(f"{letter.sender or ''} {letter.first('return-path')}") is not None
        or letter.sender is None
    )


def from_server(letter: Letter) -> bool:
    return bool(_DAEMON.search(letter.sender or "")) and not letter.refused


_DAEMON = re.compile(
    r"(?:^|[\s<])(?:mailer[-_]?daemon|post_?master|mail-?daemon|bounces?)\b|<\s*>", re.IGNORECASE
)
_SUBJECT = re.compile(
    r"undeliver|not delivered|returned mail|returned to sender|delivery (?:status|failure|report|"
    r"has failed|problem)|mail delivery|failure notice|could not be delivered|non ?remis|"
    r"unzustellbar|mail system error|delivery notification|failed delivery|rejected",
    re.IGNORECASE,
)
_REPLY = re.compile(r"(?<![\d.-])([45]\d\d)(?=[ -](?:\d\.\d|\S))")
_COPY = re.compile(
    r"^[> \t]*--[^\n]{0,200}?(?:below this line|original message|unsent message|copy of (?:the|"
    r"your)|returned message|message header)|^(?:received|return-path|message-id): ",
    re.IGNORECASE | re.MULTILINE,
)
_LOOKED_AT = 300_000


def _walk(tree: Message, most: int = 300) -> Iterator[Message]:
    waiting = [tree]
    while waiting and most:
        part, most = waiting.pop(), most - 1
        yield part
        # get_payload looks up a text's charset
        children = part.get_payload() if part.is_multipart() else None
        if isinstance(children, list) and part.get_content_type() != "message/rfc822":
            waiting.extend(child for child in reversed(children) if isinstance(child, Message))


_FEEDBACK = re.compile(
    r"(?:^|[\s<])(?:complaints?|feedback-?loop|fbl|arf|abuse-?report|feedback-?report)@",
    re.IGNORECASE,
)
_COMPLAINT = re.compile(
    r"complaint about (?:a |your )?message|(?:e-?mail )?(?:abuse|feedback|spam) report|abuse"
    r" complaint"
)
_EVENT = re.compile(r"\\?\"(?:notification|event)Type\\?\" ?: ?\\?\"(\w+)")


def _is_none(tree: Message) -> bool:
    parts = list(_walk(tree))
    kinds = {part.get_content_type() for part in parts}
    others = ("message/feedback-report", "message/x-arf", "message/disposition-notification")
    if not kinds.isdisjoint(others):
        return True
    if not kinds.isdisjoint(_STATUS_PARTS):
        return False
    kind = str(tree.get_param("report-type", "")).lower()
    if kind in ("feedback-report", "disposition-notification"):
        return True
    if "feedback-type" in tree or _FEEDBACK.search(str(tree.get("From", ""))):
        return True
    event = _EVENT.search(_words(tree))
    told = event[1].lower() if event else ""
    complains = _COMPLAINT.match(str(tree.get("Subject", "")).strip().lower())
    return bool(complains) or told not in ("", "bounce", "reject")


_STATUS_PARTS = ("message/delivery-status", "message/global-delivery-status")


def _blocks(tree: Message) -> Iterator[Message]:
    for part in _walk(tree):
        if part.get_content_type() in _STATUS_PARTS:
            encoded = str(part.get("Content-Transfer-Encoding", "")).strip().lower() == "base64"
            known = part.get_content_type() == _STATUS_PARTS[0] and not encoded
            inner = part.get_payload() if known and part.is_multipart() else _decoded(part)
            yield from (one for one in inner if isinstance(one, Message))


def _decoded(part: Message) -> list[Message]:
    alone: Message = Message(policy=policy.compat32)
    alone["Content-Transfer-Encoding"] = str(part.get("Content-Transfer-Encoding", "7bit"))
    alone.set_payload(_as_text(part))
    payload = (alone if part.is_multipart() else part).get_payload(decode=True)
    plain = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
    blocks = _EMPTY_LINES.split(plain, maxsplit=300)
    return [email.message_from_string(block, policy=policy.compat32) for block in blocks if block]


def _as_text(part: Message) -> str:
    text = []
    for one in _walk(part):
        if one is not part:
            text.append("\n".join(f"{name}: {value}" for name, value in one.items()))
            payload = None if one.is_multipart() else one.get_payload(decode=True)
            text.append(payload.decode("utf-8", "replace") if isinstance(payload, bytes) else "")
    return "\n\n".join(text).lstrip()


_BETWEEN_WORDS = re.compile(r"[\s<>,;:\"'()\[\]]")
_EMPTY_LINES = re.compile(r"\n[ \t\r]*\n\s*")


_ARRIVED = ("delivered", "relayed", "expanded", "deliverable")
"""Postfix says "deliverable" for a probe."""


def _action(block: Message) -> str:
    return str(block.get("Action", "")).strip().lower()


def _block(block: Message, tree: Message) -> Failure | None:
    names = ("Final-Recipient", "Original-Recipient", "X-Actual-Recipient")
    named = next(filter(None, map(block.get, names)), None)
    action = _action(block)
    if not named or action in _ARRIVED:
        return None
    status = status_in(str(block.get("Status", "")))
    diagnostic = safe(str(block.get("Diagnostic-Code", "")))[:500]
    recipient = _recipient(str(named).rpartition(";")[2])
    original = _recipient(str(block.get("Original-Recipient", "")).rpartition(";")[2])
    if status.startswith("2.") and not diagnostic:
        return None
    late = action == "delayed" or status.startswith("4.")
    words = _words(tree) if status.endswith(".0.0") and not diagnostic else diagnostic
    severity = SOFT if late else severity_of(status, words)
    return Failure(recipient or original, severity, status, diagnostic)


def _recipient(text: str) -> str:
    return address(text.partition("(")[0].strip().strip("<>").strip())


def _prose(tree: Message) -> Iterator[Failure]:
    words = _words(tree)
    if not words.strip():
        return
    known: set[bytes] = set()
    with suppress(Exception):  # the library's
        known = set().union(*all_failures(tree))
    found = [address(one.decode("ascii", "replace").strip("<>")) for one in sorted(known)]
    tells = (_STATUS, _NO_SUCH, _FOR_NOW, _REPLY)
    if not any(found) and any(one.search(words) for one in tells):
        tokens = _BETWEEN_WORDS.split(words)
        named = [address(token.strip(".")) for token in tokens if token.count("@") == 1]
        found = [one for one in named if one and not _DAEMON.search(one)][:1] or [""]
    status, said = status_in(words), safe(words[-1_500:])[:500]
    for one in dict.fromkeys(found):
        yield Failure(one, severity_of(status, words), status, said)


def _words(tree: Message) -> str:
    for part in _walk(tree):
        if part.get_content_maintype() == "text":
            payload = part.get_payload(decode=True)
            text = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
            copy = _COPY.search(text, 0, 20_000)
            return text[: copy.start() if copy else 20_000]
    return ""
