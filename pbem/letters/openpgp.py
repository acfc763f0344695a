"""OpenPGP signatures, by Sequoia (the optional extra ``openpgp``): is this letter signed with that
key?"""

from __future__ import annotations

import base64
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec

from pbem.errors import OperatorError
from pbem.letters.letter import Signed

Verify = Callable[[Signed, str], bool]
"""``verify(signed, key)``: whether the signature is good and by that key (ASCII-armoured public
key)."""


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


def verify(signed: Signed, key: str) -> bool:
    """Whether what is signed carries a good signature by ``key``; False for anything that cannot be
    read.

    Raises ImportError where the extra is missing: a game that asks for this level must not start
    without it.
    """
    import pysequoia  # noqa: PLC0415  an optional extra

    try:
        cert = pysequoia.Cert.from_bytes(key.encode("utf-8"))
        data = base64.b64decode(signed.data)

        def store(_ids: list[str]) -> list[pysequoia.Cert]:
            return [cert]

        if signed.signature:
            detached = pysequoia.Sig.from_bytes(base64.b64decode(signed.signature))
            result = pysequoia.verify(bytes=data, store=store, signature=detached)
        else:
            result = pysequoia.verify(bytes=data, store=store)
            if _lines((result.bytes or b"").decode("utf-8")) != _lines(signed.said):
                return False
        return any(one.certificate == cert.fingerprint for one in result.valid_sigs)
    except Exception:  # whatever the library says of hostile bytes, they are not a good signature
        return False


def _lines(text: str) -> list[str]:
    """A text as a cleartext signature sees it: blanks at line ends do not count (RFC 9580, 7.2)."""
    return [line.rstrip(" \t\r") for line in text.rstrip("\r\n").split("\n")]
