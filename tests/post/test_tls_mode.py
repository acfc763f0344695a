"""A port that speaks otherwise than is configured is recognised, at real servers; what is wrong in
another way is not taken for it."""

import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import OutsideError
from pbem.house.config import Imap, Smtp
from pbem.post.imap import Mailbox
from pbem.post.smtp import Transport
from tests.installation import PASSWORD, REFEREE
from tests.servers import Certificate, dovecot, free_ports, postfix, self_signed, server_folder

PLAIN_FIRST = 'speaks plain text first: set security = "starttls".'
TLS_FIRST = 'speaks TLS from the start: set security = "tls".'


@dataclass(frozen=True, slots=True)
class Ports:
    """Of one installation: where each protocol is spoken, and how."""

    imap: int
    imaps: int
    smtp: int
    smtps: int
    certificate: Certificate


@pytest.fixture(scope="module")
def ports() -> Iterator[Ports]:
    with dovecot({REFEREE: PASSWORD}) as letters, postfix(letters) as mails:
        yield Ports(
            letters.imap_port,
            letters.imaps_port,
            mails.smtp_port,
            mails.smtps_port,
            letters.certificate,
        )


def refused(protocol: str, port: int, security: Any, ca_file: str) -> str:
    """What the error says; a server that says nothing is waited for a second."""
    way = {"security": security, "user": REFEREE, "timeout": 1.0, "ca_file": ca_file}
    way |= {"host": "localhost", "port": port, "password_command": f"echo {PASSWORD}"}
    with pytest.raises(OutsideError) as error:
        if protocol == "imap":
            Mailbox(Imap.model_validate(way)).connect()
        else:
            Transport(Smtp.model_validate(way)).connect()
    return str(error.value)


@pytest.mark.needs("dovecot", "postfix")
@pytest.mark.parametrize("protocol", ["imap", "smtp"])
def test_a_port_that_speaks_otherwise_is_named_with_the_setting(
    ports: Ports, protocol: str
) -> None:
    ca_file = str(ports.certificate.certificate)
    plain, tls = getattr(ports, protocol), getattr(ports, f"{protocol}s")
    assert f"port {plain} of localhost {PLAIN_FIRST}" in refused(protocol, plain, "tls", ca_file)
    for security in ("starttls", "none"):
        said = refused(protocol, tls, security, ca_file)
        assert f"port {tls} of localhost {TLS_FIRST}" in said, security


@pytest.mark.needs("dovecot", "postfix")
@pytest.mark.parametrize("protocol", ["imap", "smtp"])
def test_what_is_wrong_otherwise_is_told_as_that(ports: Ports, protocol: str) -> None:
    tls, plain = getattr(ports, f"{protocol}s"), getattr(ports, protocol)
    with server_folder("stranger") as folder:
        stranger = str(self_signed(folder).certificate)
        for port, security in ((tls, "tls"), (plain, "starttls")):
            said = refused(protocol, port, security, stranger)
            assert "certificate is not to be trusted" in said and "set security" not in said
    (nobody,) = free_ports(1)
    other = ports.smtp if protocol == "imap" else ports.imap
    for port in (nobody, other):
        said = refused(protocol, port, "tls", str(ports.certificate.certificate))
        assert "set security" not in said and "port" in said


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_server_that_says_nothing_is_not_judged(
    tmp_path: Path, security: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.post.tls_mode.PATIENCE", 0.2)
    ca_file = str(self_signed(tmp_path).certificate)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        for protocol in ("imap", "smtp"):
            said = refused(protocol, silent.getsockname()[1], security, ca_file)
            assert "set security" not in said
