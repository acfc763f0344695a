"""When two letters count as one: same writer, Message-ID and body; or same signed content
(marks)."""

import base64
import binascii
import hashlib
import re
from typing import NamedTuple

from pbem.letters.authentication import signatures
from pbem.letters.letter import Letter

_NO_BASE64 = re.compile(r"[^A-Za-z0-9+/]++")


class Likeness(NamedTuple):
    """Digests that copies of a letter share."""

    effect: str
    spaced: str
    """From when runs of blanks counted."""
    former: str
    """Without the writer, for old rows."""
    writer: str


def effect(letter: Letter) -> str:
    """Return the digest of writer, Message-ID and body, or of all bytes."""
    return _digest(letter, f"{letter.sender or ''}\n", letter.body_hash)


def likeness(letter: Letter) -> Likeness:
    writer, spaced = letter.sender or "", letter.spaced_hash
    both = _digest(letter, f"{writer}\n", spaced), _digest(letter, "", spaced)
    return Likeness(effect(letter), *both, writer[:254])


def marks(letter: Letter) -> frozenset[str]:
    """Return a mark per DKIM signature of the From domain."""
    found = ((_bytes(tags.get("bh", "")), _bytes(tags.get("b", ""))) for tags in signatures(letter))
    return frozenset(mark("dkim", letter.sender or "", *pair) for pair in found if pair[1])


def mark(kind: str, writer: str, *covered: str) -> str:
    seed = "\n".join((kind, writer, *covered))
    return hashlib.sha256(seed.encode("utf-8", "surrogateescape")).hexdigest()


def _bytes(said: str) -> str:
    kept = _NO_BASE64.sub("", said)
    try:
        return base64.b64decode(kept + "=" * (-len(kept) % 4)).hex()
    except binascii.Error:
        return kept


def _digest(letter: Letter, writer: str, body: str) -> str:
    seed = f"{writer}{letter.message_id}\n{body}" if letter.message_id else letter.raw_hash
    return hashlib.sha256(seed.encode("utf-8", "surrogateescape")).hexdigest()
