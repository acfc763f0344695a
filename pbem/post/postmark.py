"""What all our mails share, and the secrets that are made from the installation's key: nothing of
them is stored but hashes."""

from __future__ import annotations

import hashlib
import hmac
from base64 import b32encode
from dataclasses import dataclass
from functools import lru_cache

from sqlalchemy import Connection

from pbem.store import notes
from pbem.store.budget import SECONDS
from pbem.store.config import Config


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

    def code(self, purpose: str) -> str:
        """A short code that proves control of a mailbox: 80 bits."""
        return _mac(self.key, f"code/{purpose}")[:16]


@lru_cache(maxsize=1024)  # the seats that write now, whose tokens stand in every mail to them
def _mac(key: bytes, text: str) -> str:
    digest = hmac.new(key, text.encode(), hashlib.sha256).digest()[:16]
    return b32encode(digest).decode().rstrip("=").lower()


def code_hash(code: str) -> str:
    """What is stored of a code that somebody is to send back: SHA-256 in hexadecimal."""
    return hashlib.sha256(code.encode()).hexdigest()


def postmark(conn: Connection, config: Config) -> Postmark:
    """What this installation's mails share."""
    ours, generation = config.referee, int(notes.memo(conn, "generation").get("n", 0))
    key, seconds = notes.installation_key(conn), config.limits.letter_seconds
    owner = ours.gamesmaster.strip().lower()
    return Postmark(ours.address, ours.name, key, owner, generation, seconds)
