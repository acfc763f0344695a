"""What all our mails share, and the secrets that are made from the installation's key: nothing of
them is stored but hashes."""

from __future__ import annotations

import hashlib
import hmac
from base64 import b32decode, b32encode
from dataclasses import dataclass
from functools import lru_cache

from sqlalchemy import Connection

from pbem.budget import SECONDS
from pbem.house.config import Config
from pbem.store.journal import notes

_TAG, _NUMBER = 10, 5  # bytes of the secret of a press: 24 letters together


@dataclass(frozen=True, slots=True)
class Postmark:
    """What all our mails share: our address and name, the installation's secret key, its
    gamesmaster's address in small letters ("" where nobody is to be told), how often the
    database came back from a backup, so that no Message-ID is used twice, and how many ``seconds``
    of processor time the words of one mail may cost."""

    address: str
    name: str
    key: bytes
    gamesmaster: str = ""
    generation: int = 0
    seconds: float = SECONDS

    @property
    def domain(self) -> str:
        """The part behind the @."""
        return self.address.rpartition("@")[2]

    def plus(self, tag: str) -> str:
        """Our address with a plus part."""
        local, _, domain = self.address.rpartition("@")
        return f"{local}+{tag}@{domain}"

    def token(self, game: str, seat: str, number: int) -> str:
        """The secret reply token of a seat: 128 bits, made from the key, so that it is stored
        nowhere."""
        return _mac(self.key, f"token/{game}/{seat}/{number}")

    def standby_token(self, game: str, player_id: int) -> str:
        """The same of a player who stands by."""
        return self.token(game, f"standby {player_id}", 1)

    def link(self, said: str, token_no: int, link_no: int) -> str:
        """The secret of the links that say this (:class:`pbem.letters.links.Link`), while the
        seat's reply token and its links have these numbers: 80 bits."""
        return _mac(self.key, f"link/{said}/{token_no}/{link_no}")[:16]

    def press(self, number: int, said: str) -> str:
        """The secret of the address of a press with this number: 80 bits for what is ``said`` of
        it, and the number behind them, hidden by them: whoever has two such addresses does not
        learn how much press went out in between."""
        tag = _digest(self.key, f"press/{number}/{said}")[:_TAG]
        return _in_letters(tag + self._masked(tag, number.to_bytes(_NUMBER, "big")))

    def press_number(self, secret: str) -> int:
        """The number that such a secret hides, if it is one of ours."""
        both = b32decode(secret.upper())
        return int.from_bytes(self._masked(both[:_TAG], both[_TAG:]), "big")

    def _masked(self, tag: bytes, number: bytes) -> bytes:
        mask = _digest(self.key, f"press-mask/{tag.hex()}")
        return bytes(one ^ other for one, other in zip(number, mask[:_NUMBER], strict=True))

    def code(self, purpose: str) -> str:
        """A short code that proves control of a mailbox: 80 bits."""
        return _mac(self.key, f"code/{purpose}")[:16]


@lru_cache(maxsize=1024)  # the seats that write now, whose tokens stand in every mail to them
def _mac(key: bytes, text: str) -> str:
    return _in_letters(_digest(key, text)[:16])


def _digest(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def _in_letters(secret: bytes) -> str:
    return b32encode(secret).decode().rstrip("=").lower()


def code_hash(code: str) -> str:
    """What is stored of a code that somebody is to send back: SHA-256 in hexadecimal."""
    return hashlib.sha256(code.encode()).hexdigest()


def postmark(conn: Connection, config: Config) -> Postmark:
    """What this installation's mails share."""
    ours, generation = config.referee, int(notes.memo(conn, "generation").get("n", 0))
    key, seconds = notes.installation_key(conn), config.limits.letter_seconds
    owner = ours.gamesmaster.strip().lower()
    return Postmark(ours.address, ours.name, key, owner, generation, seconds)
