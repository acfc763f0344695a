"""OpenPGP signatures, by Sequoia (the optional extra ``openpgp``): is this letter signed with that
key?"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.util import find_spec

from pbem.errors import OperatorError
from pbem.letters.letter import Signed


@dataclass(frozen=True, slots=True)
class Good:
    """A good signature: when it was ``made`` by its own word, and the digest of what it covers."""

    made: datetime
    covers: str


Verify = Callable[[Signed, str], Good | None]
"""``verify(signed, key)``: the signature if it is good and by that key (ASCII-armoured public
key), else None."""
_BLOCK = "\n-----BEGIN PGP SIGNATURE-----"


@cache
def available() -> bool:
    """Whether the extra is installed."""
    return find_spec("pysequoia") is not None


def fingerprint(key: str) -> str:
    """The fingerprint of an ASCII-armoured public key; raises OperatorError where it is none that
    can be used."""
    if not available():
        raise OperatorError('OpenPGP needs its library: pip install "pbem[openpgp]"')
    if "PRIVATE KEY BLOCK" in key:
        raise OperatorError("this is a secret key; keep it, and export the public one")
    import pysequoia  # noqa: PLC0415  an optional extra

    try:
        cert = pysequoia.Cert.from_bytes(key.encode("utf-8"))
    except Exception as error:  # the library raises what the bytes make it raise
        said = str(error).partition("\n")[0]  # some of its words come with a stack
        raise OperatorError(f"this is no OpenPGP public key: {said}") from error
    return str(cert.fingerprint)


def verify(signed: Signed, key: str) -> Good | None:
    """Return the signature of what is signed, if it is good and by ``key``; None for anything that
    cannot be read.

    Only the first signature is looked at, so that no second one can lend it its time. Raises
    ImportError where the extra is missing: a game that asks for this level must not start without
    it.
    """
    import pysequoia  # noqa: PLC0415  an optional extra

    try:
        cert = pysequoia.Cert.from_bytes(key.encode("utf-8"))
        data, signature = _parts(signed)
        found = pysequoia.Sig.from_bytes(signature)
        result = pysequoia.verify(bytes=data, store=lambda _ids: [cert], signature=found)
        made = found.created
        if made is None or not any(
            one.certificate == cert.fingerprint for one in result.valid_sigs
        ):
            return None
        seed = f"{cert.fingerprint}\n{made.timestamp():.0f}\n".encode() + _alike(data)
        return Good(made.astimezone(UTC), hashlib.sha256(seed).hexdigest())
    except Exception:  # whatever the library says of hostile bytes, they are not a good signature
        return None


def _parts(signed: Signed) -> tuple[bytes, bytes]:
    """The signed bytes, and the signature. Of a clearsigned text they are the lines that were read,
    without the blanks at their ends (RFC 9580, 7.2)."""
    data = base64.b64decode(signed.data)
    if signed.signature:
        return data, base64.b64decode(signed.signature)
    _, mark, block = data.decode("utf-8").partition(_BLOCK)
    lines = (line.rstrip(" \t\r") for line in signed.said.split("\n"))
    return "\r\n".join(lines).encode("utf-8"), (mark + block).strip().encode("utf-8")


def _alike(data: bytes) -> bytes:
    """Signed bytes, however their lines end: a signature upon text does not see that."""
    return b"\n".join(map(bytes.rstrip, data.split(b"\n"))).strip(b"\n")
