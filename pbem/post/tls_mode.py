"""The TLS of mail servers; finds a wrong mode after a failure."""

import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress

from pbem.errors import OutsideError
from pbem.house.config import Server

PATIENCE = 3.0  # seconds


UNTRUSTED = (
    "The server's certificate is not to be trusted: check host and ca_file; it is never skipped."
)


def no_starttls(account: Server) -> OutsideError:
    return OutsideError(
        f"{account}: the server offers no STARTTLS, and without it nothing is sent."
        ' Set security = "tls" or ask the provider for the right port.'
    )


def context(account: Server) -> ssl.SSLContext | None:
    """Reading the system's certificates takes 40 ms."""
    if account.security == "none":
        return None
    return ssl.create_default_context(cafile=account.ca_file or None)


def mend(account: Server, greetings: Sequence[bytes]) -> str | None:
    """Return how to correct the configuration, or None. greetings: in plain text."""
    if account.security == "tls":
        if _greeted(account).startswith(tuple(greetings)):
            return _said(account, "plain text first", "starttls")
    elif _shakes_hands(account):
        return _said(account, "TLS from the start", "tls")
    return None


def _said(account: Server, how: str, security: str) -> str:
    return f'port {account.port} of {account.host} speaks {how}: set security = "{security}".'


def _greeted(account: Server) -> bytes:
    with suppress(OSError), _open(account) as connection:
        return connection.recv(64)
    return b""


def _shakes_hands(account: Server) -> bool:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with (
        suppress(OSError),  # includes ssl.SSLError
        _open(account) as connection,
        context.wrap_socket(connection, server_hostname=account.host),
    ):
        return True
    return False


def _open(account: Server) -> socket.socket:
    connection = socket.create_connection((account.host, account.port), PATIENCE)
    connection.settimeout(PATIENCE)
    return connection
