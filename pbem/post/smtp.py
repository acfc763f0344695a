"""Sends mail; only here is smtplib imported.

Before the final dot a lost mail is LATER, after it UNKNOWN (RFC 5321, 4.5.3.2.6; RFC 1047).
"""

import re
import smtplib
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Self

from pbem.errors import LoginRefused, OutsideError, PbemError, SenderRefused, login_refused
from pbem.house.config import Smtp
from pbem.post import tls_mode
from pbem.post.blocked import SmtpStep, is_ours

Reply = tuple[int, bytes]  # code and text


GREETINGS = (b"220", b"421", b"554")  # how a server greets (RFC 5321, 4.3.2)
_HEADER_END = re.compile(rb"\r?\n\r?\n")
LAST_DOT = 300.0
"""Seconds. RFC 5321 asks for ten minutes, but we have one thread."""
_YES = (250, 251, 354)


class Delivery(Enum):
    """What became of a mail."""

    SENT = "sent"  # the server took it
    REFUSED = "refused"  # refused for good, for this mail or recipient (5xx)
    LATER = "later"  # not taken now (4xx or no connection); may be sent again
    BLOCKED = "blocked"  # the server refuses us (5xx); may be sent again
    UNKNOWN = "unknown"  # connection lost between the final dot and the reply


@dataclass(frozen=True, slots=True)
class Sent:
    """A reply, or our own error."""

    outcome: Delivery
    reply: str
    of_recipient: bool = False
    of_mail: bool = True


class Transport:
    """A connection for many mails. `trouble`: the last failure."""

    def __init__(self, account: Smtp) -> None:
        self.account = account
        self.trouble: PbemError | None = None
        self._smtp: smtplib.SMTP | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        smtp, self._smtp = self._smtp, None
        if smtp is not None:
            try:
                smtp.quit()
            except (OSError, smtplib.SMTPException):
                smtp.close()

    def connect(self) -> None:
        """Connect unless connected. Raise OutsideError or LoginRefused."""
        if self._smtp is not None:
            return
        try:
            self._smtp = self._open()
        except PbemError as error:  # an OperatorError shows no secret
            self.trouble = error
            raise
        except (OSError, smtplib.SMTPException, UnicodeError) as error:
            said = f"cannot connect: {_words(error)}. {_mend(error)}"
            if not isinstance(error, ssl.SSLCertVerificationError):
                said = tls_mode.mend(self.account, GREETINGS) or said
            greeted = smtplib.SMTPConnectError, smtplib.SMTPHeloError
            for_good = isinstance(error, greeted) and 500 <= error.smtp_code < 600
            kind = SenderRefused if for_good else OutsideError
            self.trouble = kind(f"{self.account}: {said}")
            raise self.trouble from error
        self.trouble = None

    def send(self, envelope_from: str, to: str, raw: bytes) -> Sent:
        if not set("\r\n\0<> ").isdisjoint(envelope_from + to):
            return Sent(Delivery.REFUSED, f"not an address: {to!r} from {envelope_from!r}")
        kept = self._smtp is not None
        try:
            self.connect()
            try:
                return self._hand_in(envelope_from, to, raw)
            except smtplib.SMTPServerDisconnected:
                if not kept:
                    raise
            # the server closed our idle connection: nothing of this mail was sent
            self._drop()
            self.connect()
            return self._hand_in(envelope_from, to, raw)
        except (LoginRefused, SenderRefused) as error:
            return Sent(Delivery.BLOCKED, str(error), of_mail=False)
        except PbemError as error:
            return Sent(Delivery.LATER, str(error))
        except (OSError, smtplib.SMTPException) as error:
            self._drop()
            return Sent(Delivery.LATER, f"{self.account}: {_words(error)}")

    def _open(self) -> smtplib.SMTP:
        account = self.account
        # Without a name smtplib asks the resolver, which can take many seconds.
        name = host if "." in (host := socket.gethostname()) else "[127.0.0.1]"
        kind: Callable[..., smtplib.SMTP] = smtplib.SMTP
        if account.security == "tls":
            kind = partial(smtplib.SMTP_SSL, context=tls_mode.context(account))
        smtp = kind(account.host, account.port, local_hostname=name, timeout=account.timeout)
        try:
            if account.security == "starttls":
                smtp.ehlo()
                if not smtp.has_extn("starttls"):
                    raise tls_mode.no_starttls(account)
                smtp.starttls(context=tls_mode.context(account))
            smtp.ehlo_or_helo_if_needed()
            assert smtp.sock is not None
            smtp.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if account.user:
                self._log_in(smtp, account.user, account.secret())
        except BaseException:
            smtp.close()
            raise
        return smtp

    def _log_in(self, smtp: smtplib.SMTP, user: str, secret: str) -> None:
        try:
            if self.account.auth == "xoauth2":
                answers = iter((f"user={user}\1auth=Bearer {secret}\1\1",))
                # A second challenge is an error report; an empty answer lets the server give its
                # code.
                smtp.auth("XOAUTH2", lambda challenge=None: next(answers, ""))
            else:
                smtp.login(user, secret)
        except smtplib.SMTPAuthenticationError as error:
            if 400 <= error.smtp_code < 500:
                raise
            raise login_refused(self.account, _words(error), self.account.auth) from error

    def _hand_in(self, envelope_from: str, to: str, raw: bytes) -> Sent:
        """Raise if lost before the final dot."""
        smtp = self._smtp
        assert smtp is not None
        header = _HEADER_END.split(raw, maxsplit=1)[0]
        options = []
        if not (envelope_from.isascii() and to.isascii() and header.isascii()):
            if not smtp.has_extn("smtputf8"):
                why = f"{self.account} does not take addresses or headers beyond ASCII"
                return Sent(Delivery.REFUSED, why)
            options += ["SMTPUTF8"]
        if not raw.isascii() and smtp.has_extn("8bitmime"):
            options += ["BODY=8BITMIME"]
        plain = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").removesuffix(b"\n")
        lines = plain.replace(b"\n", b"\r\n") + b"\r\n"
        data = (b"." if lines.startswith(b".") else b"") + lines.replace(b"\n.", b"\n..")
        if smtp.has_extn("size"):
            options += [f"SIZE={len(data)}"]
        smtp.command_encoding = "utf-8" if "SMTPUTF8" in options else "ascii"
        sender = " ".join((f"MAIL FROM:<{envelope_from}>", *options))
        answers = self._ask(smtp, sender, f"RCPT TO:<{to}>", "DATA")
        refusal = _refusal(answers)
        if refusal is None:
            assert smtp.sock is not None
            smtp.sock.sendall(data)
            return self._last_dot(smtp)
        if refusal[0] == 421:  # the server closes the connection; this does not concern the mail
            raise smtplib.SMTPServerDisconnected(_reply_text(*refusal))
        if answers[-1][0] == 354:  # it waits for a mail that we must not send now
            self._drop()
        step = (SmtpStep.MAIL, SmtpStep.RCPT, SmtpStep.DATA)[answers.index(refusal)]
        return self._not_taken(*refusal, step)

    def _ask(self, smtp: smtplib.SMTP, *commands: str) -> list[Reply]:
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
            why = f"{self.account}: no reply after the data: {_words(error)}"
            return Sent(Delivery.UNKNOWN, why)
        if 200 <= code < 300:
            return Sent(Delivery.SENT, _reply_text(code, reply))
        return self._not_taken(code, reply, SmtpStep.DATA)

    def _not_taken(self, code: int, reply: bytes, step: SmtpStep) -> Sent:
        try:
            if code == 421 or self._smtp is None or self._smtp.rset()[0] != 250:
                self._drop()
        except (OSError, smtplib.SMTPException):
            self._drop()
        told = _reply_text(code, reply)
        if not 500 <= code < 600:
            return Sent(Delivery.LATER, told)
        if is_ours(step, told):
            return Sent(Delivery.BLOCKED, told)
        return Sent(Delivery.REFUSED, told, of_recipient=step is SmtpStep.RCPT)

    def _drop(self) -> None:
        smtp, self._smtp = self._smtp, None
        if smtp is not None:
            smtp.close()


def _refusal(answers: list[Reply]) -> Reply | None:
    return next((answer for answer in answers if answer[0] not in _YES), None)


def _reply_text(code: int, words: bytes) -> str:
    return f"{code} {words.decode('utf-8', 'replace')}"


def _words(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        text = error.smtp_error
        return _reply_text(error.smtp_code, text if isinstance(text, bytes) else str(text).encode())
    return str(error) or type(error).__name__


def _mend(error: Exception) -> str:
    match error:
        case ssl.SSLCertVerificationError():
            return tls_mode.UNTRUSTED
        case ssl.SSLError():
            return 'Check port and security ("tls" is usually 465, "starttls" 587).'
        case smtplib.SMTPNotSupportedError():
            return "The server offers no such login there: check port, security and auth."
        case UnicodeError():
            return "User name and secret must be plain ASCII."
        case _:
            return "Check host and port, and whether the server is up."
