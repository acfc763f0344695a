"""Accounts on mail servers; finds a wrong TLS mode after a failure."""

import socket
import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar, Literal

Security = Literal["tls", "starttls", "none"]
Auth = Literal["password", "xoauth2"]
PATIENCE = 3.0  # seconds


@dataclass(frozen=True, slots=True)
class Account:
    """An account on a mail server. Without a user there is no login."""

    host: str
    port: int
    user: str | None = None
    secret: Callable[[], str] | None = None
    security: Security = "tls"
    auth: Auth = "password"
    timeout: float = 30.0  # seconds, for connecting and for every reply
    ca_file: str | None = None  # the certificate authority to believe instead of the system's
    protocol: ClassVar[str]

    def __str__(self) -> str:
        who = f"{self.user} at " if self.user else ""
        return f"{self.protocol} account {who}{self.host}:{self.port}"

    @property
    def context(self) -> ssl.SSLContext | None:
        """Reading the system's certificates takes 40 ms."""
        return ssl.create_default_context(cafile=self.ca_file) if self.security != "none" else None


def mend(account: Account, greetings: Sequence[bytes]) -> str | None:
    """Return how to correct the configuration, or None. greetings: in plain text."""
    if account.security == "tls":
        if _greeted(account).startswith(tuple(greetings)):
            return _said(account, "plain text first", "starttls")
    elif _shakes_hands(account):
        return _said(account, "TLS from the start", "tls")
    return None


def _said(account: Account, how: str, security: str) -> str:
    return f'port {account.port} of {account.host} speaks {how}: set security = "{security}".'


def _greeted(account: Account) -> bytes:
    with suppress(OSError), _open(account) as connection:
        return connection.recv(64)
    return b""


def _shakes_hands(account: Account) -> bool:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with (
        suppress(OSError),  # includes ssl.SSLError
        _open(account) as connection,
        context.wrap_socket(connection, server_hostname=account.host),
    ):
        return True
    return False


def _open(account: Account) -> socket.socket:
    connection = socket.create_connection((account.host, account.port), PATIENCE)
    connection.settimeout(PATIENCE)
    return connection
