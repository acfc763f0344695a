"""Mail out: the only module that touches smtplib.

A mail has one recipient and one of five outcomes. The line between LATER and UNKNOWN is the final
dot: as long as it has not been sent, the server cannot have taken the mail, and sending it again
doubles nothing; once it has been sent and no reply came, nobody knows (RFC 5321, 4.5.3.2.6 and RFC
1047), and the outbox decides.
"""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Literal, Self

from pbem.errors import LoginRefused, OutsideError, PbemError, SenderRefused, login_refused
from pbem.post import tls_mode
from pbem.post.blocked import Step, is_ours

Security = Literal["tls", "starttls", "none"]
Auth = Literal["password", "xoauth2"]
Reply = tuple[int, bytes]  # a code and the words with it


@dataclass(frozen=True, slots=True)
class SmtpAccount:
    """Where mail is handed in. `secret` gives the password, or the access token of the moment for
    xoauth2."""

    host: str
    port: int
    user: str | None = None
    secret: Callable[[], str] | None = None
    security: Security = "tls"
    auth: Auth = "password"
    timeout: float = 30.0  # seconds, for each step of the dialogue but the last, which has LAST_DOT
    ca_file: str | None = None  # the certificate authority to believe instead of the system's

    def __str__(self) -> str:
        return f"SMTP account {f'{self.user} at ' if self.user else ''}{self.host}:{self.port}"


GREETINGS = (b"220", b"421", b"554")  # how a server begins to speak (RFC 5321, 4.3.2)
_HEADER_END = re.compile(rb"\r?\n\r?\n")
LAST_DOT = 300.0
"""Seconds to wait for the reply to the final dot. RFC 5321, 4.5.3.2.6 asks for ten minutes: a
server may be looking for spam, and whoever gives up before it answers sends the mail twice. But the
daemon is one thread, and its deadlines wait meanwhile (which changes no outcome: the time at which
a letter came decides about it). Five minutes are what Postfix grants its own filters
(milter_content_timeout), and half a lease of the outbox, so that no other daemon takes the mail for
lost."""
_YES = (250, 251, 354)


class Outcome(Enum):
    """What became of a mail."""

    SENT = "sent"  # the server took it
    REFUSED = "refused"  # the server will never take this mail for this recipient (5xx)
    LATER = "later"  # not taken now (4xx, or no connection); may be sent again as it is
    BLOCKED = "blocked"  # the server refuses us (5xx), whoever it is to; may be sent again
    UNKNOWN = "unknown"  # the connection was lost between the final dot and the reply


@dataclass(frozen=True, slots=True)
class Sent:
    """An outcome and the words it came with: the server's reply, or what failed on our side.
    ``of_recipient``: it was the recipient that was refused for good, not the sender or the mail.
    ``of_mail``: the refusal came to this mail, not to us at the greeting or the login."""

    outcome: Outcome
    reply: str
    of_recipient: bool = False
    of_mail: bool = True


class Transport:
    """One connection for many mails, made when it is first needed and again when it was lost.

    `send` never raises for what befalls a mail or the connection. `trouble` holds the error of the
    last attempt to connect, so that a refused login can be told from a server that is away;
    `connect` raises it.
    """

    def __init__(self, account: SmtpAccount) -> None:
        self.account = account
        self.trouble: PbemError | None = None
        self._smtp: smtplib.SMTP | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Takes leave of the server, as far as it still listens."""
        smtp, self._smtp = self._smtp, None
        if smtp is not None:
            try:
                smtp.quit()
            except (OSError, smtplib.SMTPException):
                smtp.close()

    def connect(self) -> None:
        """Connects and logs in, unless that is done; OutsideError (LoginRefused) names the account
        and the mend."""
        if self._smtp is not None:
            return
        try:
            self._smtp = self._open()
        except PbemError as error:  # an OperatorError: there is no secret to show
            self.trouble = error
            raise
        except (OSError, smtplib.SMTPException, UnicodeError) as error:
            said = f"cannot connect: {_words(error)}. {_mend(error)}"
            if not isinstance(error, ssl.SSLCertVerificationError):
                said = tls_mode.mend(self.account, GREETINGS) or said
            kind = SenderRefused if _for_good(error) else OutsideError
            self.trouble = kind(f"{self.account}: {said}")
            raise self.trouble from error
        self.trouble = None

    def send(self, envelope_from: str, to: str, raw: bytes) -> Sent:
        """Sends the mail `raw` to one recipient; `envelope_from` "" is the null return path."""
        if any(
            character in address for address in (envelope_from, to) for character in "\r\n\0<> "
        ):
            return Sent(Outcome.REFUSED, f"not an address: {to!r} from {envelope_from!r}")
        kept = self._smtp is not None
        try:
            self.connect()
            try:
                return self._hand_in(envelope_from, to, raw)
            except smtplib.SMTPServerDisconnected:
                if not kept:
                    raise
            # the server had closed the connection we kept: nothing of this mail was sent
            self._drop()
            self.connect()
            return self._hand_in(envelope_from, to, raw)
        except (LoginRefused, SenderRefused) as error:
            return Sent(Outcome.BLOCKED, str(error), of_mail=False)
        except PbemError as error:
            return Sent(Outcome.LATER, str(error))
        except (OSError, smtplib.SMTPException) as error:
            self._drop()
            return Sent(Outcome.LATER, f"{self.account}: {_words(error)}")

    def _open(self) -> smtplib.SMTP:
        account = self.account
        # Without a name of our own smtplib asks the resolver for one, which can take many seconds.
        name = host if "." in (host := socket.gethostname()) else "[127.0.0.1]"
        # Reading the system's certificates takes 40 ms.
        context = (
            ssl.create_default_context(cafile=account.ca_file)
            if account.security != "none"
            else None
        )
        smtp: smtplib.SMTP
        if account.security == "tls":
            smtp = smtplib.SMTP_SSL(
                account.host,
                account.port,
                local_hostname=name,
                timeout=account.timeout,
                context=context,
            )
        else:
            smtp = smtplib.SMTP(
                account.host, account.port, local_hostname=name, timeout=account.timeout
            )
        try:
            if account.security == "starttls":
                smtp.ehlo()
                if not smtp.has_extn("starttls"):
                    raise OutsideError(
                        f"{account}: the server offers no STARTTLS, and without it nothing is sent."
                        ' Set security = "tls" or ask the provider for the right port.'
                    )
                smtp.starttls(context=context)
            smtp.ehlo_or_helo_if_needed()
            assert smtp.sock is not None
            smtp.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if account.user is not None and account.secret is not None:
                self._log_in(smtp, account.user, account.secret())
        except BaseException:
            smtp.close()
            raise
        return smtp

    def _log_in(self, smtp: smtplib.SMTP, user: str, secret: str) -> None:
        try:
            if self.account.auth == "xoauth2":
                answers = iter((f"user={user}\1auth=Bearer {secret}\1\1",))
                # A second challenge holds the server's complaint; the empty answer lets it say so
                # with a code.
                smtp.auth("XOAUTH2", lambda challenge=None: next(answers, ""))
            else:
                smtp.login(user, secret)
        except smtplib.SMTPAuthenticationError as error:
            if 400 <= error.smtp_code < 500:
                raise
            raise login_refused(self.account, _words(error), self.account.auth) from error

    def _hand_in(self, envelope_from: str, to: str, raw: bytes) -> Sent:
        """The dialogue for one mail. A connection lost before the final dot raises; after it, that
        is UNKNOWN."""
        smtp = self._smtp
        assert smtp is not None
        header = _HEADER_END.split(raw, maxsplit=1)[0]
        options = []
        if not (envelope_from.isascii() and to.isascii() and header.isascii()):
            if not smtp.has_extn("smtputf8"):
                return Sent(
                    Outcome.REFUSED,
                    f"{self.account} does not take addresses or headers beyond ASCII",
                )
            options += ["SMTPUTF8"]
        if not raw.isascii() and smtp.has_extn("8bitmime"):
            options += ["BODY=8BITMIME"]
        data = _dotted(raw)
        if smtp.has_extn("size"):
            options += [f"SIZE={len(data)}"]
        smtp.command_encoding = "utf-8" if "SMTPUTF8" in options else "ascii"
        answers = self._ask(
            smtp, " ".join((f"MAIL FROM:<{envelope_from}>", *options)), f"RCPT TO:<{to}>", "DATA"
        )
        refusal = _refusal(answers)
        if refusal is None:
            assert smtp.sock is not None
            smtp.sock.sendall(data)
            return self._last_dot(smtp)
        if (
            refusal[0] == 421
            # the server closes the connection, perhaps since long ago: this says nothing of the
            # mail
        ):
            raise smtplib.SMTPServerDisconnected(_told(*refusal))
        if answers[-1][0] == 354:  # it waits for a mail that must not be sent now
            self._drop()
        step = (Step.MAIL, Step.RCPT, Step.DATA)[answers.index(refusal)]
        return self._not_taken(*refusal, step)

    def _ask(self, smtp: smtplib.SMTP, *commands: str) -> list[Reply]:
        """The replies to commands: all sent at once where the server takes that (RFC 2920), else up
        to the first no. A no stands, whatever becomes of the connection behind it."""
        together = smtp.has_extn("pipelining")
        if together:
            smtp.send("".join(f"{command}\r\n" for command in commands))
        answers: list[Reply] = []
        for command in commands:
            try:
                answers.append(smtp.getreply() if together else smtp.docmd(command))
            except smtplib.SMTPServerDisconnected:
                if _refusal(answers) is None:
                    raise
                break
            if answers[-1][0] == 421 or (_refusal(answers) and not together):
                break
        return answers

    def _last_dot(self, smtp: smtplib.SMTP) -> Sent:
        assert smtp.sock is not None
        try:
            smtp.sock.settimeout(max(LAST_DOT, self.account.timeout))
            smtp.sock.sendall(b".\r\n")
            code, reply = smtp.getreply()
            smtp.sock.settimeout(self.account.timeout)
        except (OSError, smtplib.SMTPException) as error:
            self._drop()
            return Sent(
                Outcome.UNKNOWN, f"{self.account}: no reply after the data: {_words(error)}"
            )
        if 200 <= code < 300:
            return Sent(Outcome.SENT, _told(code, reply))
        return self._not_taken(code, reply, Step.DATA)

    def _not_taken(self, code: int, reply: bytes, step: Step) -> Sent:
        """What a reply other than yes means; the dialogue is reset, or the connection given up."""
        try:
            if code == 421 or self._smtp is None or self._smtp.rset()[0] != 250:
                self._drop()
        except (OSError, smtplib.SMTPException):
            self._drop()
        told = _told(code, reply)
        if not 500 <= code < 600:
            return Sent(Outcome.LATER, told)
        if is_ours(step, told):
            return Sent(Outcome.BLOCKED, told)
        return Sent(Outcome.REFUSED, told, of_recipient=step is Step.RCPT)

    def _drop(self) -> None:
        smtp, self._smtp = self._smtp, None
        if smtp is not None:
            smtp.close()


def _refusal(answers: list[Reply]) -> Reply | None:
    """The first reply that is no yes."""
    return next((answer for answer in answers if answer[0] not in _YES), None)


def _told(code: int, words: bytes) -> str:
    return f"{code} {words.decode('utf-8', 'replace')}"


def _dotted(raw: bytes) -> bytes:
    """The mail as DATA carries it: every line ends in CRLF, a leading dot is doubled (RFC 5321,
    4.5.2)."""
    lines = (
        raw.replace(b"\r\n", b"\n")
        .replace(b"\r", b"\n")
        .removesuffix(b"\n")
        .replace(b"\n", b"\r\n")
        + b"\r\n"
    )
    return (b"." if lines.startswith(b".") else b"") + lines.replace(b"\n.", b"\n..")


def _words(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        text = error.smtp_error
        return _told(error.smtp_code, text if isinstance(text, bytes) else str(text).encode())
    return str(error) or type(error).__name__


def _for_good(error: Exception) -> bool:
    """Whether a server that speaks SMTP has refused us: its greeting, or its answer to our name, is
    a 5xx."""
    return (
        isinstance(error, (smtplib.SMTPConnectError, smtplib.SMTPHeloError))
        and 500 <= error.smtp_code < 600
    )


def _mend(error: Exception) -> str:
    match error:
        case ssl.SSLCertVerificationError():
            return (
                "The server's certificate is not to be trusted: check host and ca_file; it is never"
                " skipped."
            )
        case ssl.SSLError():
            return 'Check port and security ("tls" is usually 465, "starttls" 587).'
        case smtplib.SMTPNotSupportedError():
            return "The server offers no such login there: check port, security and auth."
        case UnicodeError():
            return "User name and secret must be plain ASCII."
        case _:
            return "Check host and port, and whether the server is up."
