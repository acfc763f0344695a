"""How surely a letter comes from its From address.

- ``open``: the address is registered.
- ``proven``: our server found a DMARC pass or an aligned DKIM signature, or it was sent to the
  seat's secret address.
"""

import hashlib
import hmac
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import StrEnum

from authres import AuthenticationResultsHeader
from authres.core import AuthenticationResult

from pbem.letters.letter import Letter
from pbem.text import counted

_LONGEST_FIELD = 8_000
_OUTSIDE_COMMENTS = re.compile(r'"(?:[^"\\]|\\.)*"|\(|[^"()]+')
_WITHIN_COMMENTS = re.compile(r"\\.|[()]|[^()\\]+")
_NETWORK_ADDRESS = re.compile(r"\[[^\[\]\s;]*+\]|(?<==)[ \t]*+[0-9A-Fa-f]{0,4}+:[0-9A-Fa-f:.]++")
_QUOTED_ID = re.compile(r'(?<![ \t])[ \t]*+"([A-Za-z0-9.-]++)"')
_DMARC_FAILED = re.compile(
    r"(?<![a-z])dmarc\s*+(?:/\s*+[0-9]++\s*+)?=\s*+(?:\([^()]*+\)\s*+)*+fail(?![a-z])",
    re.IGNORECASE,
)
"""Also inside quotes and comments, which a forger can open."""
_DOMAIN = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+")


class Level(StrEnum):
    """What a letter proves, and what a game asks for."""

    OPEN = "open"
    PROVEN = "proven"


@dataclass(frozen=True, slots=True)
class Finding:
    """A level, and why."""

    level: Level
    why: str
    by_signature: bool = False
    failed: bool = False
    """DMARC failed: no secret address proves anything."""


def by_server(letter: Letter, ours: frozenset[str]) -> Finding:
    """Return what our mail servers say about the From domain.

    ours: their authserv-ids in small letters. A forger can add fields but not remove ours, so all
    must agree:

    - Each DMARC result must be a pass; SPF and DKIM, if any, must include an aligned pass.
    - Without DMARC, each DKIM result for the domain must be a pass.
    - An unreadable or empty field of ours is a failure, and so is a DMARC failure anywhere.
    """
    if letter.sender is None:
        return Finding(Level.OPEN, "no sender")
    domain, fault, failed = letter.sender.rpartition("@")[2], "", False
    results: list[AuthenticationResult] = []
    for value in letter.fields.get("authentication-results", ()):
        try:
            if len(value) > _LONGEST_FIELD:
                raise ValueError
            header = AuthenticationResultsHeader.parse_value(_readable(value).rstrip(" \t;"))
        except Exception:  # the library raises what its input makes it raise
            if any(one in value.lower().partition(";")[0] for one in ours):
                fault = "an Authentication-Results field with our server's name cannot be read"
                failed = failed or _DMARC_FAILED.search(value) is not None
            continue
        if str(header.authserv_id).lower() in ours:
            failed = failed or _DMARC_FAILED.search(value) is not None
            if not header.results:
                fault = fault or "our mail server has checked nothing"
            results.extend(one for one in header.results if isinstance(one, AuthenticationResult))
    failed = failed or any((_word(r.method), _word(r.result)) == ("dmarc", "fail") for r in results)
    if fault or failed:
        return Finding(Level.OPEN, fault or "DMARC did not pass", failed=failed)
    if not results:
        return Finding(Level.OPEN, "our mail server says nothing about it")
    return _judged(results, domain)


def sent_to_us(
    letter: Letter, finding: Finding, ours: Collection[str], received: datetime | None, days: int
) -> Finding:
    """Return the finding if the letter was written to us, and now; else level OPEN: a signed letter
    can be sent on. received: UTC; None accepts any Date. days: the most that Date may differ."""
    if finding.level is Level.OPEN:
        return finding
    why = _why_to_another(letter, ours, signed=finding.by_signature)
    if not why and received is not None:
        why = _why_old(_written(letter), received, days)
    return Finding(Level.OPEN, why) if why else finding


def _why_to_another(letter: Letter, ours: Collection[str], *, signed: bool) -> str:
    fields = (("to", letter.to), ("cc", letter.cc))
    named = [
        {name, "date"}
        for name, given in fields
        if any(one in ours or plus_parts((one,), ours) for one in given)
    ]
    if not named:
        return "To and Cc do not name the referee: it may have been written to somebody else"
    if not signed:
        return ""
    tags = list(signatures(letter))
    covered = [set(one.get("h", "").lower().split(":")) for one in tags]
    if not any(all(needed <= one for one in covered) for needed in named):
        return (
            "its signature does not cover To, Cc and Date: it may have been written to somebody"
            " else"
        )
    if any("l" in one for one in tags):
        return (
            "its signature covers only the beginning of the letter (l=): the rest may be another's"
        )
    return ""


def _why_old(written: datetime | None, received: datetime, days: int) -> str:
    if written is None:
        return "it has not one plain Date, so it may be an old letter sent again"
    if abs(written - received) <= timedelta(days=days):
        return ""
    most = counted(days, "day")
    return f"its Date is more than {most} from its receipt: it may be an old letter sent again"


def signatures(letter: Letter) -> Iterator[dict[str, str]]:
    """Yield the tags of the From domain's DKIM signatures."""
    domain = (letter.sender or "").rpartition("@")[2]
    for value in letter.fields.get("dkim-signature", ()):
        tags = {
            tag.strip().lower(): "".join(said.split())
            for tag, _, said in (one.partition("=") for one in value.split(";"))
        }
        if aligned(tags.get("d", "").lower().rstrip("."), domain):
            yield tags


def _written(letter: Letter) -> datetime | None:
    dates = letter.fields.get("date", ())
    try:
        found = parsedate_to_datetime(dates[0][:200]) if len(dates) == 1 else None
        return found.replace(tzinfo=found.tzinfo or UTC).astimezone(UTC) if found else None
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def _readable(value: str) -> str:
    """Return the field as the library can parse it. Raise ValueError."""
    kept: list[str] = []
    at = depth = 0
    while at < len(value):
        found = _WITHIN_COMMENTS.match(value, at) if depth else _OUTSIDE_COMMENTS.match(value, at)
        if found is None:
            raise ValueError(value)
        piece, at = found.group(), found.end()
        if piece == "(":
            depth += 1
            kept.append(" ")
        elif piece == ")":
            depth -= 1
        elif not depth and piece.startswith('"'):
            kept.append(piece.encode("ascii", "replace").decode("ascii"))
        elif not depth and not piece.isascii():
            raise ValueError(value)  # the library takes the Kelvin sign for a k
        elif not depth:
            kept.append(_NETWORK_ADDRESS.sub("network-address", piece))
    if depth:
        raise ValueError(value)
    return _QUOTED_ID.sub(r"\1", "".join(kept), count=1) if kept else ""


def _judged(results: list[AuthenticationResult], domain: str) -> Finding:
    dmarc = [one for one in results if _word(one.method) == "dmarc"]
    if dmarc:
        froms = {named for one in dmarc for named in _named(one, "header", "from")}
        if froms - {domain} or any(_word(one.result) != "pass" for one in dmarc):
            return Finding(Level.OPEN, "DMARC did not pass")
        found = [one for one in results if _word(one.method) in ("spf", "dkim")]
        if found and not any(_is_aligned_pass(one, domain) for one in found):
            why = f"a DMARC pass without an SPF or DKIM pass that is aligned with {domain}"
            return Finding(Level.OPEN, why)
        sent = any(_word(one.method) == "spf" and _is_aligned_pass(one, domain) for one in results)
        return Finding(Level.PROVEN, f"DMARC pass for {domain}", by_signature=not sent)
    dkim = [one for one in results if _word(one.method) == "dkim"]
    mine = [
        one
        for one in dkim
        if any(aligned(signer, domain) for signer in _named(one, "header", "d", "i"))
    ]
    unsigned = any(_word(one.result) == "none" for one in dkim)
    if mine and not unsigned and all(_is_aligned_pass(one, domain) for one in mine):
        return Finding(Level.PROVEN, f"DKIM pass, aligned with {domain}", by_signature=True)
    return Finding(Level.OPEN, f"no DKIM pass that is aligned with {domain}")


def _is_aligned_pass(result: AuthenticationResult, domain: str) -> bool:
    if _word(result.method) == "spf":
        domains = set(_named(result, "smtp", "mailfrom", "mfrom"))
    else:
        domains, agents = set(_named(result, "header", "d")), set(_named(result, "header", "i"))
        domains = domains or agents  # Gmail writes only header.i
        if any(not f".{agent}".endswith(f".{signer}") for agent in agents for signer in domains):
            return False
    return _word(result.result) == "pass" and len(domains) == 1 and aligned(min(domains), domain)


def _named(result: AuthenticationResult, kind: str, *names: str) -> list[str]:
    given = [
        str(one.value or "") for one in result.properties if one.type == kind and one.name in names
    ]
    return [one.lower().rstrip(".").rpartition("@")[2] for one in given]


def aligned(signer: str, domain: str) -> bool:
    """Return whether one domain is, or is below, the other, not a top-level one."""
    if not _DOMAIN.fullmatch(signer) or "." not in domain:
        return False
    return signer == domain or signer.endswith(f".{domain}") or domain.endswith(f".{signer}")


def _word(value: object) -> str:
    return str(value or "").lower()


def token_hash(token: str) -> str:
    """Return the hex SHA-256 of a token in small letters."""
    return hashlib.sha256(token.strip().lower().encode("utf-8")).hexdigest()


def plus_parts(recipients: Iterable[str], ours: Iterable[str]) -> tuple[str, ...]:
    own = set(ours)
    found = []
    for recipient in recipients:
        local, _, domain = recipient.rpartition("@")
        base, plus, part = local.partition("+")
        if plus and f"{base}@{domain}" in own:
            found.append(part)
    return tuple(found)


def has_token(parts: Iterable[str], stored: str) -> bool:
    """Return whether a part has this hash. "" matches none."""
    return any(stored and hmac.compare_digest(token_hash(part), stored) for part in parts)
