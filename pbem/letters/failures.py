"""How bad a delivery failure is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pbem.text import safe

HARD, SOFT, NONE = "hard", "soft", "none"

_STATUS = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_NO_SUCH = re.compile(
    r"user ?unknown|unknown (?:user|recipient|address|local|account)|no such"
    r" (?:user|mailbox|recipient|address|person)"
    r"|no such (?:account|domain)|(?:does ?n[o']t|not) (?:exist|be found)|not found|not listed|no"
    r" mailbox"
    r"|mailbox (?:unavailable|not available)|(?:invalid|bad destination)"
    r" (?:recipient|mailbox|user|address)"
    r"|recipient (?:address )?(?:rejected: (?:undeliverable|user|no such|unknown)|not)|user (?:is"
    r" )?(?:not|invalid)"
    r"|not (?:a )?(?:valid|known|our) (?:user|customer|mailbox|recipient)"
    r"|host (?:or domain name )?(?:unknown|not found)"
    r"|unrouteable|no longer (?:with|in|valid|available|works)|is not a known user|can't create"
    r"|has been disabled permanently|invalid final delivery|does ?n[o']t have an?|domain"
    r" (?:not|unknown)|nosuchuser"
    r"|name or service not known|no (?:mx|a record|such domain)|unknown or illegal alias",
    re.IGNORECASE,
)
_OURS = re.compile(
    r"sender (?:address )?(?:rejected|verif|denied|unknown)|sender verify|verification failed"
    r"|(?:domain of )?sender (?:address|domain)|reverse (?:dns|hostname)|rdns|\bptr\b|helo"
    r" (?:command|name|host)"
    r"|dns mx or a|certificate|whitelist|attachment"
    r" (?:type|name)|\b[45]\.1\.[78]\b|\b[45]\.7\.(?:20|23|25|26|27)\b",
    re.IGNORECASE,
)
_FOR_NOW = re.compile(
    r"quota|full|over ?limit|too (?:large|big|many)|blocked|block"
    r" ?list|blacklist|spam|reject(?:ed)? due|policy"
    r"|greylist|timed? ?out|try"
    r" again|temporar|expired|deferred|relay|denied|suspend|disabled|inactive|reputation"
    r"|refused|unauthenticated|dmarc|spf|dkim",
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
    if status in ("5.1.7", "5.1.8") or (
        status and not status.startswith(("5.0", "5.1")) and not _NO_SUCH.search(words)
    ):
        return SOFT
    return HARD if _NO_SUCH.search(words) and not _FOR_NOW.search(words) else SOFT


def says_why(words: str) -> bool:
    return bool(_STATUS.search(words) or _NO_SUCH.search(words) or _FOR_NOW.search(words))
