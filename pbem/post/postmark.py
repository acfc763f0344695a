"""What mails share, and secrets from the installation's key."""

import hashlib
import hmac
from base64 import b32decode, b32encode
from dataclasses import dataclass
from functools import lru_cache

from sqlalchemy import Connection

from pbem.budget import SECONDS
from pbem.house.config import Config
from pbem.store.journal import notes

_TAG, _NUMBER = 10, 5  # bytes of a press secret: 24 letters together


@dataclass(frozen=True, slots=True)
class Postmark:
    """What all mails of an installation share."""

    address: str
    name: str
    key: bytes
    """Secret."""
    gamesmaster: str
    """The installation's, in lower case."""
    generation: int = 0
    seconds: float = SECONDS

    @property
    def domain(self) -> str:
        return self.address.rpartition("@")[2]

    def plus(self, tag: str) -> str:
        local, _, domain = self.address.rpartition("@")
        return f"{local}+{tag}@{domain}"

    def token(self, game: str, seat: str, number: int) -> str:
        """Return a seat's reply token (128 bits)."""
        return _mac(self.key, f"token/{game}/{seat}/{number}")

    def standby_token(self, game: str, player_id: int) -> str:
        return self.token(game, f"standby {player_id}", 1)

    def link(self, said: str, token_no: int, link_no: int) -> str:
        """Return an 80-bit secret for links, void once token or links are renumbered."""
        return _mac(self.key, f"link/{said}/{token_no}/{link_no}")[:16]

    def press(self, number: int, said: str) -> str:
        """Return 80 bits for ``said`` and the encrypted number."""
        tag = _digest(self.key, f"press/{number}/{said}")[:_TAG]
        return _in_letters(tag + self._masked(tag, number.to_bytes(_NUMBER, "big")))

    def press_number(self, secret: str) -> int:
        both = b32decode(secret.upper())
        return int.from_bytes(self._masked(both[:_TAG], both[_TAG:]), "big")

    def _masked(self, tag: bytes, number: bytes) -> bytes:
        mask = _digest(self.key, f"press-mask/{tag.hex()}")
        return bytes(one ^ other for one, other in zip(number, mask[:_NUMBER], strict=True))

    def code(self, purpose: str) -> str:
        """Return an 80-bit code."""
        return _mac(self.key, f"code/{purpose}")[:16]


@lru_cache(maxsize=1024)  # the seats that write now: every mail to them has their token
def _mac(key: bytes, text: str) -> str:
    return _in_letters(_digest(key, text)[:16])


def _digest(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def _in_letters(secret: bytes) -> str:
    return b32encode(secret).decode().rstrip("=").lower()


def code_hash(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()


def postmark(conn: Connection, config: Config) -> Postmark:
    ours, generation = config.referee, int(notes.memo(conn, "generation").get("n", 0))
    key, seconds = notes.installation_key(conn), config.limits.letter_seconds
    owner = ours.gamesmaster.strip().lower()
    return Postmark(ours.address, ours.name, key, owner, generation, seconds)
