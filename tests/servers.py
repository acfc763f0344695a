"""Real servers for the tests, each on loopback with a config of its own in a temporary folder.

`dovecot` (IMAP and LMTP) and `postfix` (SMTP, delivering to a Dovecot by LMTP) are context managers;
`postgresql.py` has the databases. Which of them a machine lacks, and what becomes of
the tests then, is told in `needs.py`; `wire.py` has the cable that fails.
"""

import base64
import grp
import hmac
import json
import os
import pwd
import shutil
import signal
import smtplib
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import count
from pathlib import Path

from imapclient import IMAPClient

from tests.needs import ROOT, program

# seconds for a server to come up, or for a letter to arrive: a guard against hanging, no measure
PATIENCE = 120.0
TOKEN_KEY = b"what Dovecot and the tests' access tokens share"

# --- mail -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Certificate:
    """A self-signed certificate for localhost and its key: nobody's authority vouches for it."""

    certificate: Path
    key: Path


def self_signed(folder: Path) -> Certificate:
    made = Certificate(folder / "cert.pem", folder / "key.pem")
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    command = (
        f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext {names}"
    )
    command += f" -keyout {made.key} -out {made.certificate}"
    subprocess.run(command.split(), check=True, capture_output=True)
    return made


@dataclass(frozen=True, slots=True)
class Dovecot:
    folder: Path
    passwords: Mapping[str, str]
    imap_port: int
    imaps_port: int
    lmtp_port: int
    auth_port: int
    certificate: Certificate

    def deliver(self, address: str, raw: bytes, when: datetime | None = None) -> None:
        """Appends a letter to the inbox, received at `when` (or now)."""
        with self._client(address) as client:
            client.append("INBOX", raw, msg_time=when or datetime.now(UTC))

    def hand_in(self, address: str, raw: bytes) -> None:
        """Delivers a letter by LMTP, stamped with the time of the machine."""
        with smtplib.LMTP("127.0.0.1", self.lmtp_port) as lmtp:
            lmtp.sendmail("sender@example.org", [address], raw)

    def messages(self, address: str, folder: str = "INBOX") -> list[bytes]:
        with self._client(address) as client:
            client.select_folder(folder, readonly=True)
            found = client.fetch(client.search(), ["BODY.PEEK[]"])
            return [bytes(found[uid][b"BODY[]"]) for uid in sorted(found)]

    def renumber(self, address: str, uidvalidity: int) -> None:
        """Gives the inbox another UIDVALIDITY, as after a restored backup."""
        command = [
            "doveadm",
            "-c",
            str(self.folder / "dovecot.conf"),
            "mailbox",
            "update",
            "-u",
            address,
        ]
        subprocess.run(
            [*command, "--uid-validity", str(uidvalidity), "INBOX"], check=True, capture_output=True
        )

    def token(self, address: str, lifetime: int = 3600) -> str:
        """An access token for XOAUTH2, good for so many seconds."""
        now = int(time.time())
        claims = {
            "sub": address,
            "email": address,
            "iat": min(now, now + lifetime) - 1,
            "exp": now + lifetime,
        }
        parts = [
            _base64(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims)
        ]
        signature = hmac.digest(TOKEN_KEY, ".".join(parts).encode(), "sha256")
        return ".".join([*parts, _base64(signature)])

    def _client(self, address: str) -> IMAPClient:
        client = IMAPClient("127.0.0.1", self.imap_port, ssl=False, timeout=PATIENCE)
        client.login(address, self.passwords[address])
        return client


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@contextmanager
def dovecot(
    mailboxes: Mapping[str, str],
    *,
    capability: str | None = None,
    settings: str = "",
    environment: Mapping[str, str] | None = None,
) -> Iterator[Dovecot]:
    """A Dovecot with these mailboxes (address -> password); `capability` is all it admits to be
    able to do; `environment` is what its own has besides."""
    with server_folder("dovecot") as folder:
        certificate = self_signed(folder)
        owner = pwd.getpwnam("nobody") if ROOT else pwd.getpwuid(os.geteuid())
        mail = folder / "mail"
        mail.mkdir()
        if ROOT:
            os.chown(mail, owner.pw_uid, owner.pw_gid)
        users = "".join(
            f"{address}:{{PLAIN}}{password}\n" for address, password in mailboxes.items()
        )
        (folder / "users").write_text(users)
        (folder / "keys/default/HS256").mkdir(parents=True)
        (folder / "keys/default/HS256/default").write_bytes(base64.b64encode(TOKEN_KEY))
        (folder / "oauth2.conf").write_text(
            "introspection_mode = local\nusername_attribute = email\n"
            f"local_validation_key_dict = fs:posix:prefix={folder}/keys/\n"
        )
        imap_port, imaps_port, lmtp_port, auth_port = free_ports(4)
        config = folder / "dovecot.conf"
        config.write_text(
            f"""
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
listen = 127.0.0.1
protocols = imap lmtp
ssl = yes
ssl_cert = <{certificate.certificate}
ssl_key = <{certificate.key}
disable_plaintext_auth = no
auth_failure_delay = 0
auth_mechanisms = plain login xoauth2
first_valid_uid = 1
mail_location = maildir:{mail}/%u
mail_fsync = never
recipient_delimiter = +
mailbox_idle_check_interval = 1s
{f"imap_capability = {capability}" if capability else ""}
namespace inbox {{
  inbox = yes
}}
passdb {{
  driver = passwd-file
  args = username_format=%u {folder}/users
}}
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {folder}/oauth2.conf
}}
userdb {{
  driver = static
  args = uid={owner.pw_uid} gid={owner.pw_gid} home={mail}/%u
}}
service imap-login {{
  inet_listener imap {{
    port = {imap_port}
  }}
  inet_listener imaps {{
    port = {imaps_port}
  }}
}}
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0  # else each wrong password makes the next login slower
  }}
}}
service auth {{
  inet_listener {{
    address = 127.0.0.1
    port = {auth_port}
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp_port}
  }}
}}
protocol imap {{
  mail_max_userip_connections = 100
}}
protocol lmtp {{
  postmaster_address = postmaster@example.org
}}
{"" if ROOT else _unprivileged(owner)}
{settings}
"""
        )
        log = folder / "out"
        with log.open("wb") as out:
            process = subprocess.Popen(
                [str(program("dovecot")), "-F", "-c", str(config)],
                stdout=out,
                stderr=out,
                env=os.environ | (environment or {}),
            )
        try:
            for port in (imap_port, lmtp_port):
                _await_port(port, process, log)
            yield Dovecot(
                folder, dict(mailboxes), imap_port, imaps_port, lmtp_port, auth_port, certificate
            )
        finally:
            end(process)


def _unprivileged(owner: pwd.struct_passwd) -> str:
    services = "".join(
        f"service {name} {{\n  chroot =\n}}\n" for name in ("anvil", "imap-login", "stats")
    )
    group = grp.getgrgid(owner.pw_gid).gr_name
    return (
        f"default_internal_user = {owner.pw_name}\ndefault_internal_group = {group}\n"
        f"default_login_user = {owner.pw_name}\n{services}"
    )


@dataclass(frozen=True, slots=True)
class Postfix:
    folder: Path
    smtp_port: int
    smtps_port: int  # with TLS from the start


@contextmanager
def postfix(dovecot: Dovecot) -> Iterator[Postfix]:
    """A Postfix that takes mail for the Dovecot's mailboxes (plus tags too) and delivers it there
    by LMTP."""
    with server_folder("postfix") as folder:
        config, queue, data = folder / "config", folder / "queue", folder / "data"
        for made in (config, queue, data):
            made.mkdir()
        account = pwd.getpwnam("postfix")
        os.chown(data, account.pw_uid, account.pw_gid)
        port, tls_port = free_ports(2)
        domains = sorted({address.rpartition("@")[2] for address in dovecot.passwords})
        (config / "mailboxes").write_text(
            "".join(f"{address} OK\n" for address in dovecot.passwords)
        )
        (config / "main.cf").write_text(
            f"""
compatibility_level = 3.6
queue_directory = {queue}
data_directory = {data}
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
myhostname = mail.example.org
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
alias_maps =
local_recipient_maps =
virtual_mailbox_domains = {" ".join(domains)}
virtual_mailbox_maps = texthash:{config}/mailboxes
virtual_transport = lmtp:inet:127.0.0.1:{dovecot.lmtp_port}
recipient_delimiter = +
smtpd_peername_lookup = no
smtpd_error_sleep_time = 0
smtpd_recipient_restrictions = permit_mynetworks, reject
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:{dovecot.auth_port}
smtpd_tls_security_level = may
smtpd_tls_cert_file = {dovecot.certificate.certificate}
smtpd_tls_key_file = {dovecot.certificate.key}
message_size_limit = 52428800
minimal_backoff_time = 1s
maximal_backoff_time = 2s
queue_run_delay = 1s
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
biff = no
"""
        )
        (config / "master.cf").write_text(
            f"""
127.0.0.1:{port} inet n - n - - smtpd
127.0.0.1:{tls_port} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""
        )
        log = folder / "out"
        command = [str(program("postfix")), "-c", str(config)]
        with log.open("wb") as out:
            subprocess.run([*command, "start"], check=True, stdout=out, stderr=out)
        try:
            _await_port(port, None, log)
            yield Postfix(folder, port, tls_port)
        finally:
            subprocess.run([*command, "stop"], check=False, capture_output=True)


# --- what they share ------------------------------------------------------------------------------


def free_ports(n: int) -> list[int]:
    """Ports on 127.0.0.1 that were free a moment ago, and are asked for by nobody else: they are
    below those that the system gives to whoever wants any, and each process tries others."""
    found: list[int] = []
    for port in _ports_of(os.getpid()):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            found.append(port)
        if len(found) == n:
            break
    return found


@cache
def _ports_of(process: int) -> Iterator[int]:
    """The ports that a process tries, one after another, from a place of its own."""
    first, last = 10_000, 32_000
    return (first + (process * 101 + n) % (last - first) for n in count())


@contextmanager
def server_folder(server: str) -> Iterator[Path]:
    """A temporary folder that the server's own user can enter (pytest's are closed to others),
    short for sockets."""
    folder = Path(tempfile.mkdtemp(prefix=f"pbem-{server}-", dir="/tmp"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _await_port(port: int, process: subprocess.Popen[bytes] | None, log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        with suppress(OSError), closing(socket.create_connection(("127.0.0.1", port), 1)):
            return
        if (process is not None and process.poll() is not None) or time.monotonic() > until:
            raise RuntimeError(f"no server on port {port}: {log.read_text()}")
        time.sleep(0.02)


def end(process: subprocess.Popen[bytes], how: signal.Signals = signal.SIGTERM) -> None:
    process.send_signal(how)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
