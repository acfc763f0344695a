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
    where = f"port {account.port} of {account.host} speaks"
    at = account.host, account.port
    with suppress(OSError), socket.create_connection(at, PATIENCE) as connection:
        if account.security == "tls":
            if connection.recv(64).startswith(tuple(greetings)):
                return f'{where} plain text first: set security = "starttls".'
            return None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with context.wrap_socket(connection, server_hostname=account.host):
            return f'{where} TLS from the start: set security = "tls".'
    return None
