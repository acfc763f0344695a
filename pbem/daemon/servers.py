"""The configured mail servers, and alarms about their failures."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from pbem.errors import FolderMissing, LoginRefused, NotWritten, OperatorError, SenderRefused
from pbem.house.config import Server
from pbem.post.blocked import Blocked
from pbem.post.imap import ImapAccount
from pbem.post.smtp import SmtpAccount
from pbem.post.tls_mode import Account
from pbem.text import in_utc, listed, sentence

NEARLY_FULL = 0.9
_Account = TypeVar("_Account", bound=Account)


class Alarm(NamedTuple):
    """A mail to the gamesmaster, at most once a day for each ``key``."""

    key: str
    subject: str
    text: str
    commands: tuple[str, ...] = ()


def not_written(processed: str, error: NotWritten) -> Alarm:
    """Return an alarm: the folder of processed letters takes nothing."""
    text = (
        f"{error}\nUntil then the letters stay where they are; the games go on, but nothing"
        " closes after a restart."
    )
    if error.full:
        return Alarm("full", "the mailbox is full", text)
    return Alarm("processed", f"{processed} cannot be written", text)


def nearly_full(account: str, processed: str, filled: float) -> Alarm:
    """filled: 1.0 if full."""
    text = (
        f"The mailbox {account} is {int(filled * 100)} % full. Where there is no room"
        " any more, players' letters come back to them. Make room:"
        f" {processed} is needed for a restore only."
    )
    return Alarm("full", "the mailbox is nearly full", text)


def no_folder(folder: str, error: FolderMissing) -> Alarm:
    text = (
        f"{error} It is passed over, and the games go on. `pbem doctor` names the folders"
        " there are."
    )
    return Alarm(f"folder:{folder}", f"there is no folder {folder}", text)


def unfetchable(letter_id: int, folder: str) -> Alarm:
    """Return an alarm: the server lists a letter but does not give it."""
    text = (
        f"The mail server lists letter {letter_id} in {folder} but does not give it. It is"
        " asked for during an hour, and no\nperiod closes meanwhile. Look at it with a mail"
        f" program; then `pbem retry {letter_id}`, or, if it is nothing,\n`pbem dismiss"
        f" {letter_id}`."
    )
    commands = (f"retry {letter_id}", f"dismiss {letter_id}")
    key, subject = f"unfetchable:{letter_id}", f"letter {letter_id} cannot be fetched"
    return Alarm(key, subject, text, commands)


_WRITTEN_LATER = (
    "Each pass tries again; letters, deadlines and mails go on meanwhile. The folder is the setting"
    " `folder` of [site] in the configuration."
)


def blocked(found: Blocked) -> SenderRefused:
    """Return an error for when mail goes out again."""
    return SenderRefused(
        f"Since {in_utc(found.since)} the server refuses our mail, no matter to whom:"
        f" {sentence(found.reply)} All mails wait, and none is lost. One asks again every quarter"
        " of an hour or sooner; when it is taken, all others follow. Ask your provider why: a"
        " blocked account or network, a bad reputation, or a limit. What was refused"
        " for good meanwhile, `pbem resend --all-refused` sends again."
    )


def failing(what: str, error: Exception, account: str = "") -> Alarm:
    """Return an alarm: a server ("imap", "smtp") or the pages ("site") failed.

    account: "" if there is only one.
    """
    if what == "site":
        return Alarm(what, "the games' pages cannot be written", f"{error}\n{_WRITTEN_LATER}")
    key, trouble = what, "does not answer"
    if isinstance(error, LoginRefused):
        key, trouble = f"{what}:login", "refuses our login"
    if isinstance(error, SenderRefused):
        key, trouble = f"{what}:blocked", "refused our mail"
    if isinstance(error, OperatorError):
        key, trouble = f"{what}:secret", "cannot be asked: its password is missing"
    return Alarm(f"{key}:{account}" if account else key, f"{what} {trouble}", str(error))


def unread(accounts: Sequence[str]) -> Alarm:
    """Return an alarm: nobody read these accounts; what is due waits."""
    which = listed(accounts)
    text = (
        f"Deadlines and reminders are due, and wait: another daemon reads {which}, and has not said"
        " for ten minutes that it has. Look at its log and at `/health` of its machine; if you stop"
        " it, another takes over by itself."
    )
    return Alarm("unread", "what is due waits", text)


def imap_account(server: Server) -> ImapAccount:
    return _account(ImapAccount, server)


def smtp_account(server: Server) -> SmtpAccount:
    return _account(SmtpAccount, server)


def _account(kind: type[_Account], server: Server) -> _Account:
    """Return the account for a configured server."""
    return kind(
        server.host,
        server.port,
        server.user or None,
        server.secret,
        server.security,
        server.auth,
        server.timeout,
        server.ca_file or None,
    )
