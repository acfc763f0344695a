"""Find an account's servers by trying: the first that takes the login is it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from pbem.cli.providers import IMAP, LOOPBACK, Auth, Endpoint
from pbem.errors import LoginRefused, OutsideError
from pbem.post.connection import ImapAccount
from pbem.post.imap import Mailbox
from pbem.post.smtp import SmtpAccount, Transport

PATIENCE = 10.0
"""Seconds for each step."""
_JUNK = ("junk", "spam", "junk email", "junk e-mail", "junk mail", "bulk mail", "[gmail]/spam")


@dataclass(frozen=True, slots=True)
class Login:
    """How an account is entered."""

    user: str
    """Empty: without a login (SMTP on this machine)."""
    secret: Callable[[], str]
    auth: Auth = "password"
    ca_file: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A server that took the login."""

    at: Endpoint
    user: str


def find(kind: str, tried: Sequence[Endpoint], login: Login, say: Callable[[str], None]) -> Found:
    """Return the first server that takes the login, also by the part before the @.

    Raise LoginRefused if one is there and takes neither, OutsideError if none is there.
    """
    troubles: list[str] = []
    for at in tried:
        for user in _users(kind, at, login):
            try:
                _enter(kind, at, user, login)
            except LoginRefused as error:
                refused = error
                say(f"     {at}: there, and it refuses the login of {user}")
                continue
            except OutsideError as error:
                say(f"     {at}: no")
                troubles.append(str(error))
                break
            say(f"ok   {at}")
            return Found(at, user)
        else:
            raise refused
    raise OutsideError(
        f"no {kind.upper()} server was found; tell where it is with --{kind} HOST:PORT."
        f" {troubles[-1] if troubles else ''}"
    )


def _users(kind: str, at: Endpoint, login: Login) -> list[str]:
    if kind != IMAP and at.host in LOOPBACK and at.security == "none":
        return [""]  # a mail server on this machine takes mail from it
    local = login.user.rpartition("@")[0]
    return [login.user, local] if local and login.auth == "password" else [login.user]


def _enter(kind: str, at: Endpoint, user: str, login: Login) -> None:
    ca_file = login.ca_file or None
    if kind == IMAP:
        account = ImapAccount(
            at.host, at.port, user, login.secret, at.security, login.auth, PATIENCE, ca_file
        )
        with Mailbox(account):
            return
    with Transport(
        SmtpAccount(
            at.host,
            at.port,
            user or None,
            login.secret if user else None,
            at.security,
            login.auth,
            PATIENCE,
            ca_file,
        )
    ) as carrier:
        carrier.connect()


def junk_folders(account: ImapAccount, processed: str) -> list[str]:
    """Return the mailbox's folders of junk; make the one for decided letters."""
    with Mailbox(account) as mailbox:
        junk = [one for one in mailbox.folders() if one.removeprefix("INBOX.").lower() in _JUNK]
        with suppress(OutsideError):  # the doctor tells of it
            mailbox.ensure(processed)
    return junk
