"""Mail providers that `pbem init` knows; others' servers are found by trying."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from pbem.errors import LoginRefused, OperatorError, OutsideError
from pbem.orders.spelling import is_number
from pbem.post.imap import ImapAccount, Mailbox
from pbem.post.smtp import SmtpAccount, Transport
from pbem.post.tls_mode import Auth, Security

LOOPBACK = ("127.0.0.1", "localhost", "::1")
IMAP, SMTP = "imap", "smtp"
_USUAL: dict[tuple[str, int], Security] = {
    (IMAP, 993): "tls",
    (IMAP, 143): "starttls",
    (SMTP, 465): "tls",
    (SMTP, 587): "starttls",
    (SMTP, 25): "starttls",
}
_TRIED: Sequence[tuple[str, tuple[int, ...]]] = ((IMAP, (993, 143)), (SMTP, (465, 587)))


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a server listens, and how the connection is secured."""

    host: str
    port: int
    security: Security

    def __str__(self) -> str:
        return f"{self.host}:{self.port} ({self.security})"


@dataclass(frozen=True, slots=True)
class Provider:
    """A preset."""

    key: str
    title: str
    domains: tuple[str, ...] = ()
    imap: tuple[Endpoint, ...] = ()
    """Empty: search."""
    smtp: tuple[Endpoint, ...] = ()
    auth: Auth = "password"
    authserv: str = ""
    """Its constant authserv-id."""
    advice: str = ""
    """What its owner does first, at the provider's."""


PROVIDERS: Sequence[Provider] = (
    Provider(
        "gmail",
        "Gmail",
        ("gmail.com", "googlemail.com"),
        (Endpoint("imap.gmail.com", 993, "tls"),),
        (Endpoint("smtp.gmail.com", 465, "tls"),),
        authserv="mx.google.com",
        advice=(
            "Gmail takes no account password from programs. Switch on 2-Step Verification, then"
            " make an app password at https://myaccount.google.com/apppasswords and give it here."
        ),
    ),
    Provider(
        "outlook",
        "Outlook and Microsoft 365",
        ("outlook.com", "hotmail.com", "live.com", "msn.com"),
        (Endpoint("outlook.office365.com", 993, "tls"),),
        (
            Endpoint("smtp-mail.outlook.com", 587, "starttls"),
            Endpoint("smtp.office365.com", 587, "starttls"),
        ),
        "xoauth2",
        advice=(
            "Outlook takes no password from programs, only access tokens (OAuth2). Once:\n"
            "1. At https://entra.microsoft.com, App registrations, New registration: any name, and"
            " as account types those of your address (personal, your organization's, or both).\n"
            "2. Authentication: add the platform Mobile and desktop applications with the redirect"
            " http://localhost, and allow public client flows.\n"
            "3. API permissions, Office 365 Exchange Online or Microsoft Graph, delegated:"
            " IMAP.AccessAsUser.All, SMTP.Send and offline_access.\n"
            "4. Give the Application (client) ID to a program that keeps tokens fresh, as `oama`"
            " or `mutt_oauth2.py`, and sign in with it once.\n"
            "5. The command with which it prints an access token is asked for here. In Microsoft"
            " 365 the administrator must also allow Authenticated SMTP for the mailbox."
        ),
    ),
    Provider(
        "fastmail",
        "Fastmail",
        ("fastmail.com", "fastmail.fm", "sent.com", "messagingengine.com"),
        (Endpoint("imap.fastmail.com", 993, "tls"),),
        (Endpoint("smtp.fastmail.com", 465, "tls"),),
        advice=(
            "Fastmail takes app passwords only: Settings, Privacy & Security, Manage app passwords;"
            " its access must include Mail (IMAP and SMTP)."
        ),
    ),
    Provider(
        "mailbox.org",
        "mailbox.org",
        ("mailbox.org",),
        (Endpoint("imap.mailbox.org", 993, "tls"),),
        (Endpoint("smtp.mailbox.org", 465, "tls"),),
        advice=(
            "With two-factor login mailbox.org wants an application password: Settings, Security,"
            " Application passwords, for Mail."
        ),
    ),
    Provider(
        "own",
        "a mail server on this machine (Dovecot, Postfix)",
        imap=(
            Endpoint("localhost", 993, "tls"),
            Endpoint("127.0.0.1", 143, "none"),
        ),
        smtp=(
            Endpoint("127.0.0.1", 25, "none"),
            Endpoint("127.0.0.1", 587, "none"),
        ),
        advice=(
            "Mail to the address with a plus must reach the mailbox: recipient_delimiter = + in"
            " Postfix and in Dovecot."
        ),
    ),
    Provider("other", "any other: the servers are looked for"),
)
BY_KEY = {one.key: one for one in PROVIDERS}


def of(address: str) -> Provider:
    domain = address.rpartition("@")[2].lower()
    return next((one for one in PROVIDERS if domain in one.domains), BY_KEY["other"])


def candidates(kind: str, provider: Provider, address: str, given: str) -> list[Endpoint]:
    """Return where to try, best first. ``given``: a HOST or HOST:PORT, or "" for a search."""
    if given:
        return list(_given(kind, given))
    known = provider.imap if kind == IMAP else provider.smtp
    if known:
        return list(known)
    domain = address.rpartition("@")[2]
    names = (f"{kind}.{domain}", f"mail.{domain}", domain)
    return [
        Endpoint(name, port, _USUAL[kind, port]) for port in dict(_TRIED)[kind] for name in names
    ]


def _given(kind: str, given: str) -> Iterator[Endpoint]:
    host, colon, port = given.rpartition(":")
    if not colon or port.endswith("]"):
        host, ports = given, dict(_TRIED)[kind]
    elif is_number(port) and 0 < int(port) < 65_536:
        ports = (int(port),)
    else:
        raise OperatorError(f"--{kind} {given}: write HOST or HOST:PORT")
    host = host.strip("[]")
    for one in ports:
        usual = _USUAL.get((kind, one))
        tried: tuple[Security, ...] = (usual,) if usual else ("tls", "starttls")
        for security in tried:
            yield Endpoint(host, one, security)
        if host in LOOPBACK:
            yield Endpoint(host, one, "none")


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
    """Return the first server that takes the login, also by the part before the @. Raise
    LoginRefused if one is there and takes neither, OutsideError if none is there."""
    troubles: list[str] = []
    for endpoint in tried:
        for user in _users(kind, endpoint, login):
            try:
                _enter(kind, endpoint, user, login)
            except LoginRefused as error:
                refused = error
                say(f"     {endpoint}: there, and it refuses the login of {user}")
                continue
            except OutsideError as error:
                say(f"     {endpoint}: no")
                troubles.append(str(error))
                break
            say(f"ok   {endpoint}")
            return Found(endpoint, user)
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
    ca_file, secret = login.ca_file or None, login.secret if user else None
    way = (at.host, at.port, user or None, secret, at.security, login.auth, PATIENCE, ca_file)
    if kind == IMAP:
        with Mailbox(ImapAccount(*way)):
            return
    with Transport(SmtpAccount(*way)) as carrier:
        carrier.connect()


def junk_folders(account: ImapAccount, processed: str) -> list[str]:
    """Return the mailbox's folders of junk; make the one for decided letters."""
    with Mailbox(account) as mailbox:
        junk = [one for one in mailbox.folders() if one.removeprefix("INBOX.").lower() in _JUNK]
        with suppress(OutsideError):  # the doctor tells of it
            mailbox.ensure(processed)
    return junk
