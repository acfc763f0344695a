"""Finds a wrong TLS mode after a failure."""

import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress
from typing import Literal, Protocol

PATIENCE = 3.0  # seconds


class Account(Protocol):
    """An IMAP or SMTP account."""

    @property
    def host(self) -> str: ...

    @property
    def port(self) -> int: ...

    @property
    def security(self) -> Literal["tls", "starttls", "none"]: ...


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
