"""What makes two letters one.

Without a signature it is the same writer, Message-ID and body. Anybody who has a signed letter can
send it again with another Message-ID on top and blanks that the signature does not see, so a signed
letter is also known by what its signature covers: its marks. A mark is on file once a letter that
it proved has counted.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import NamedTuple

from pbem.letters.authentication import signatures
from pbem.letters.letter import Letter

_NO_BASE64 = re.compile(r"[^A-Za-z0-9+/]++")


class Likeness(NamedTuple):
    """By what the copies of a letter are found.

    Three rows may stand for one letter: its ``effect``; the ``spaced`` one, from when runs of
    blanks counted; and the ``former`` one, from when the writer was not in it, so that those rows
    are told apart by their ``writer``.
    """

    effect: str
    spaced: str
    former: str
    writer: str


def effect(letter: Letter) -> str:
    """Return the digest of writer, Message-ID and body; without a Message-ID of the whole bytes."""
    return _digest(letter, f"{letter.sender or ''}\n", letter.body_hash)


def likeness(letter: Letter) -> Likeness:
    """Return by what the copies of a letter are found."""
    return Likeness(
        effect(letter),
        _digest(letter, f"{letter.sender or ''}\n", letter.spaced_hash),
        _digest(letter, "", letter.spaced_hash),
        (letter.sender or "")[:254],
    )


def marks(letter: Letter) -> frozenset[str]:
    """Return a mark for each DKIM signature of the From domain: the letter's writer, and what the
    signature says of the body (``bh=``) and of body and header together (``b=``)."""
    found = ((_bytes(tags.get("bh", "")), _bytes(tags.get("b", ""))) for tags in signatures(letter))
    return frozenset(mark("dkim", letter.sender or "", *pair) for pair in found if pair[1])


def mark(kind: str, writer: str, *covered: str) -> str:
    """Return the mark of a letter that proves itself: by a ``kind`` of signature, of what it
    covers."""
    seed = "\n".join((kind, writer, *covered))
    return hashlib.sha256(seed.encode("utf-8", "surrogateescape")).hexdigest()


def _bytes(said: str) -> str:
    """What base64 means, in hexadecimal, however it is folded or filled up."""
    kept = _NO_BASE64.sub("", said)
    try:
        return base64.b64decode(kept + "=" * (-len(kept) % 4)).hex()
    except binascii.Error:
        return kept


def _digest(letter: Letter, writer: str, body: str) -> str:
    seed = f"{writer}{letter.message_id}\n{body}" if letter.message_id else letter.raw_hash
    return hashlib.sha256(seed.encode("utf-8", "surrogateescape")).hexdigest()
