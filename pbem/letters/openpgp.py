"""OpenPGP signatures, by Sequoia (extra ``openpgp``)."""

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
    """A good signature."""

    made: datetime
    covers: str
    """The digest of what it covers."""


Verify = Callable[[Signed, str], Good | None]
"""``verify(signed, key)``: a good signature by that ASCII-armoured key."""
_BLOCK = "\n-----BEGIN PGP SIGNATURE-----"


@cache
def available() -> bool:
    return find_spec("pysequoia") is not None


def fingerprint(key: str) -> str:
    """Return an ASCII-armoured key's fingerprint. Raise OperatorError."""
    if not available():
        raise OperatorError('OpenPGP needs its library: pip install "pbem[openpgp]"')
    if "PRIVATE KEY BLOCK" in key:
        raise OperatorError("this is a secret key; keep it, and export the public one")
    import pysequoia  # noqa: PLC0415  an optional extra

    try:
        cert = pysequoia.Cert.from_bytes(key.encode("utf-8"))
    except Exception as error:  # the library may raise anything
        said = str(error).partition("\n")[0]  # some messages include a stack
        raise OperatorError(f"this is no OpenPGP public key: {said}") from error
    return str(cert.fingerprint)


def verify(signed: Signed, key: str) -> Good | None:
    """Return the first signature if good and by ``key``, else None. Raise ImportError without the
    extra."""
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
    except Exception:  # hostile bytes may raise anything
        return None


def _parts(signed: Signed) -> tuple[bytes, bytes]:
    data = base64.b64decode(signed.data)
    if signed.signature:
        return data, base64.b64decode(signed.signature)
    _, mark, block = data.decode("utf-8").partition(_BLOCK)
    lines = (line.rstrip(" \t\r") for line in signed.said.split("\n"))
    return "\r\n".join(lines).encode("utf-8"), (mark + block).strip().encode("utf-8")


def _alike(data: bytes) -> bytes:
    return b"\n".join(map(bytes.rstrip, data.split(b"\n"))).strip(b"\n")
