"""Is the configured TLS mode the one that the port has? Asked after a connection failed, since what
libraries say of it is of no help: "wrong version number" where the server speaks plain text first,
and half a minute of silence where it waits for our TLS."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress
from typing import Literal, Protocol

PATIENCE = 3.0  # seconds for the server's answer


class Account(Protocol):
    """What is asked of an account, of IMAP or SMTP."""

    @property
    def host(self) -> str:
        """The server's name."""

    @property
    def port(self) -> int:
        """Where it listens."""

    @property
    def security(self) -> Literal["tls", "starttls", "none"]:
        """How it is configured."""


def mend(account: Account, greetings: Sequence[bytes]) -> str:
    """What to set where the port speaks otherwise than is configured, "" where that is not so.
    ``greetings``: how a server of this protocol begins, in plain text."""
    if account.security == "tls":
        if _greeted(account).startswith(tuple(greetings)):
            return _said(account, "plain text first", "starttls")
    elif _shakes_hands(account):
        return _said(account, "TLS from the start", "tls")
    return ""


def _said(account: Account, how: str, security: str) -> str:
    return f'port {account.port} of {account.host} speaks {how}: set security = "{security}".'


def _greeted(account: Account) -> bytes:
    """What the server says by itself, b"" where it waits for us, or is not there."""
    with suppress(OSError), _open(account) as connection:
        return connection.recv(64)
    return b""


def _shakes_hands(account: Account) -> bool:
    """Whether it begins with TLS. No certificate is looked at: nothing is said over it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with (
        suppress(OSError),  # ssl.SSLError is one
        _open(account) as connection,
        context.wrap_socket(connection, server_hostname=account.host),
    ):
        return True
    return False


def _open(account: Account) -> socket.socket:
    connection = socket.create_connection((account.host, account.port), PATIENCE)
    connection.settimeout(PATIENCE)
    return connection
