"""How sure it is that a letter comes from the address it names: the four levels.

``none`` (a registered address is all there is), ``dmarc`` (our own mail server found DMARC or an aligned DKIM
signature in order), ``token`` (it was sent to the seat's secret reply address), ``openpgp`` (signed with the
registered key). Each holds only together with the registered From; nothing here looks at Sender or Reply-To.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from authres import AuthenticationResultsHeader
from authres.core import AuthenticationResult

from pbem.letter import Letter

_LONGEST_FIELD = 8_000


class Level(IntEnum):
    """The levels in their order; ``str()`` is the word of the configuration and of the contract."""

    NONE = 0
    DMARC = 1
    TOKEN = 2
    OPENPGP = 3

    def __str__(self) -> str:
        return self.name.lower()

    @classmethod
    def named(cls, word: str) -> Level:
        """The level of a word in any case; raises KeyError for another word."""
        return cls[word.upper()]


@dataclass(frozen=True, slots=True)
class Finding:
    """A level and the words that say why."""

    level: Level
    why: str


def by_server(letter: Letter, ours: frozenset[str]) -> Finding:
    """What our own mail servers (their authserv-ids, in small letters) say about the From domain.

    All fields that carry one of our ids are one set, since a forger can add such a field but not remove the true
    one: every DMARC result in the set must be a pass; without any, every DKIM result that concerns the From domain
    must be, and none may say that the letter is unsigned. A field of ours that cannot be read is a failure.
    """
    if letter.sender is None:
        return Finding(Level.NONE, "no sender")
    domain = letter.sender.rpartition("@")[2]
    results: list[AuthenticationResult] = []
    for value in letter.fields.get("authentication-results", ()):
        try:
            if len(value) > _LONGEST_FIELD:
                raise ValueError
            header = AuthenticationResultsHeader.parse_value(value.rstrip(" \t;"))
        except Exception:  # the library raises what its input makes it raise
            if any(one in value.lower().partition(";")[0] for one in ours):
                return Finding(Level.NONE, "an Authentication-Results field with our server's name cannot be read")
            continue
        if str(header.authserv_id).lower() in ours:
            results.extend(one for one in header.results if isinstance(one, AuthenticationResult))
    if not results:
        return Finding(Level.NONE, "our mail server says nothing about it")
    return _judged(results, domain)


def _judged(results: list[AuthenticationResult], domain: str) -> Finding:
    dmarc = [one for one in results if _word(one.method) == "dmarc"]
    if dmarc:
        passed = all(_word(one.result) == "pass" and _from_is(one, domain) for one in dmarc)
        return Finding(Level.DMARC, f"DMARC pass for {domain}") if passed else Finding(Level.NONE, "DMARC did not pass")
    dkim = [one for one in results if _word(one.method) == "dkim"]
    mine = [one for one in dkim if any(aligned(signer, domain) for signer in _signers(one))]
    unsigned = any(_word(one.result) == "none" for one in dkim)
    if mine and not unsigned and all(_word(one.result) == "pass" for one in mine):
        return Finding(Level.DMARC, f"DKIM pass, aligned with {domain}")
    return Finding(Level.NONE, f"no DKIM pass that is aligned with {domain}")


def _from_is(result: AuthenticationResult, domain: str) -> bool:
    """DMARC is always about From; where the server wrote it down it must be the From we read."""
    named = [str(p.value).lower().rstrip(".") for p in result.properties if (p.type, p.name) == ("header", "from")]
    return all(one.rpartition("@")[2] == domain for one in named)


def _signers(result: AuthenticationResult) -> list[str]:
    """The signing domain: header.d, else that of header.i (Gmail writes only this one)."""
    given = {p.name: str(p.value).lower().rstrip(".") for p in result.properties if p.type == "header"}
    domain = given.get("d") or given.get("i", "").rpartition("@")[2]
    return [domain] if domain else []


def aligned(signer: str, domain: str) -> bool:
    """Relaxed alignment: the same domain, or one below the other; a bare top-level domain is nobody's."""
    if "." not in signer or "." not in domain:
        return False
    return signer == domain or signer.endswith(f".{domain}") or domain.endswith(f".{signer}")


def _word(value: object) -> str:
    return str(value or "").lower()


def token_hash(token: str) -> str:
    """What is stored of a seat's secret token: SHA-256 of its small letters, in hexadecimal."""
    return hashlib.sha256(token.strip().lower().encode("utf-8")).hexdigest()


def plus_parts(recipients: Iterable[str], ours: Iterable[str]) -> tuple[str, ...]:
    """The part after the plus sign of every recipient that is one of our addresses but for it."""
    own = set(ours)
    found = []
    for recipient in recipients:
        local, _, domain = recipient.rpartition("@")
        base, plus, part = local.partition("+")
        if plus and f"{base}@{domain}" in own:
            found.append(part)
    return tuple(found)


def has_token(parts: Iterable[str], stored: str) -> bool:
    """Whether one of the plus-parts is the token with this stored hash ("" fits none)."""
    return any(stored and hmac.compare_digest(token_hash(part), stored) for part in parts)
