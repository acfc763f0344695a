"""An IMAP connection; only here is IMAPClient imported.

Failures raise OutsideError and close it, except FolderMissing and NotWritten.
"""

import socket
import ssl
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Literal, Self

from imapclient import IMAPClient
from imapclient.exceptions import (
    CapabilityError,
    IMAPClientAbortError,
    IMAPClientError,
    LoginError,
    ProtocolError,
)

from pbem.errors import FolderMissing, NotWritten, OutsideError, login_refused
from pbem.post import tls_mode

PASSING = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]")  # no wrong login (RFC 5530)

Spaces = Sequence[tuple[str, str | None]]  # prefix and separator of each namespace, ours first
GREETINGS = (b"* ",)  # how a server greets in plain text


@dataclass(frozen=True, slots=True)
class ImapAccount:
    """An account to fetch mail from."""

    host: str
    port: int
    user: str
    secret: Callable[[], str]
    security: Literal["tls", "starttls", "none"] = "tls"
    auth: Literal["password", "xoauth2"] = "password"
    timeout: float = 30.0  # seconds, for connecting and for every reply
    ca_file: str | None = None  # the certificate authority to believe instead of the system's

    def __str__(self) -> str:
        return f"IMAP account {self.user} at {self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder. UIDs hold under one UIDVALIDITY."""

    name: str
    uidvalidity: int
    uidnext: int  # the lowest UID of a later letter
    messages: int


class Connection:
    """A connection to an account."""

    def __init__(self, account: ImapAccount) -> None:
        self.account = account
        self._client: IMAPClient | None = None
        self._folder: Folder | None = None
        self._spaces: Spaces | None = None

    def __enter__(self) -> Self:
        self.connect()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def connect(self) -> None:
        """Connect and log in again. Raise LoginRefused."""
        self._drop()
        with self._telling("connecting"):
            self._client = self._open()
            self._log_in(self._client)

    def renew(self) -> None:
        """Connect, unless the connection answers."""
        if self._client is not None:
            with suppress(OutsideError), self._telling("asking whether it is there") as client:
                client.noop()
                return
        self.connect()

    def close(self) -> None:
        client, self._client, self._folder = self._client, None, None
        if client is not None:
            with suppress(OSError, IMAPClientError):
                client.logout()

    def folders(self) -> list[str]:
        with self._telling("listing the folders") as client:
            return [
                name
                for flags, _, name in client.list_folders()
                if b"\\noselect" not in _lower(flags)
            ]

    def filled(self, folder: str) -> float | None:
        """Return how full the mailbox is (1.0: full), or None."""
        with self._telling("asking how full the mailbox is") as client:
            if not client.has_capability("QUOTA"):
                return None
            with suppress(CapabilityError):
                _, quotas = client.get_quota_root(self._own_name(client, folder))
                return max((one.usage / one.limit for one in quotas if one.limit), default=None)
        return None

    def _open(self) -> IMAPClient:
        account = self.account
        # Reading the system's certificates takes 40 ms.
        context = (
            ssl.create_default_context(cafile=account.ca_file)
            if account.security != "none"
            else None
        )
        tls = account.security == "tls"
        client = IMAPClient(
            account.host,
            account.port,
            ssl=tls,
            ssl_context=context if tls else None,
            timeout=account.timeout,
        )
        try:
            client.normalise_times = False  # else INTERNALDATE is naive local time
            if account.security == "starttls":
                if not client.has_capability("STARTTLS"):
                    raise OutsideError(
                        f"{account}: the server offers no STARTTLS, and without it no password is"
                        ' sent. Set security = "tls" or ask the provider for the right port.'
                    )
                client.starttls(context)
            # IMAPClient sends small packets; Nagle's algorithm would delay each by 40 ms.
            client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except BaseException:
            with suppress(OSError, IMAPClientError):
                client.shutdown()
            raise
        return client

    def _log_in(self, client: IMAPClient) -> None:
        user, secret = self.account.user, self.account.secret()
        try:
            if self.account.auth == "xoauth2":
                answers = iter((f"user={user}\1auth=Bearer {secret}\1\1",))
                # A second challenge is an error report; an empty answer lets the server say NO.
                client.sasl_login("XOAUTH2", lambda challenge: next(answers, b""))
            elif client.has_capability("AUTH=PLAIN"):
                client.plain_login(user, secret)
            else:
                client.login(user, secret)
        except LoginError as error:
            if isinstance(error.__context__, IMAPClientAbortError) or any(
                code in str(error) for code in PASSING
            ):
                raise OutsideError(
                    f"{self.account}: logging in: {_words(error)}. It will be tried again."
                ) from error
            raise login_refused(self.account, _words(error), self.account.auth) from error

    def _enter(self, client: IMAPClient, folder: str, name: str) -> None:
        try:
            client.select_folder(name)
        except IMAPClientError as error:
            if not _missing(client, name, str(error)):
                raise
            raise FolderMissing(f"{self.account}: there is no folder {folder!r}.") from error

    def _copy_and_delete(self, client: IMAPClient, uids: Sequence[int], to: str) -> None:
        fresh = client.search(["UID", ",".join(map(str, uids)), "UNDELETED"])
        if fresh:
            client.copy(fresh, to)
            client.add_flags(fresh, [b"\\Deleted"], silent=True)
        self._expunge(client, uids)

    def _expunge(self, client: IMAPClient, uids: Sequence[int]) -> None:
        if client.has_capability("UIDPLUS"):
            client.uid_expunge(uids)
        elif set(client.search(["DELETED"])) <= set(
            uids
        ):  # a plain EXPUNGE would also remove letters that others deleted
            client.expunge()

    def _own_name(self, client: IMAPClient, folder: str) -> str:
        """Return the server's name of a folder: `/` separates, and a prefix that it wants (as
        `INBOX.`) is added."""
        if folder.upper() == "INBOX":
            return folder
        if self._spaces is None:
            self._spaces = _spaces(client)
        (prefix, separator), *_ = self._spaces
        name = folder.replace("/", separator or "/")
        known = tuple(one.casefold() for one, _ in self._spaces)
        return name if name.casefold().startswith(known) else f"{prefix}{name}"

    @contextmanager
    def _telling(self, doing: str) -> Iterator[IMAPClient]:
        client = self._client
        if client is None and doing != "connecting":
            raise OutsideError(f"{self.account}: {doing}: not connected.")
        try:
            yield client
        except (FolderMissing, NotWritten):
            raise
        except OutsideError:
            self._drop()
            raise
        except ssl.SSLCertVerificationError as error:
            self._drop()
            raise OutsideError(
                f"{self.account}: {doing}: {error}. The server's certificate is not to be trusted: "
                "check host and ca_file; it is never skipped."
            ) from error
        except (OSError, IMAPClientError, UnicodeError, ValueError, KeyError) as error:
            self._drop()
            if doing == "connecting" and (mend := tls_mode.mend(self.account, GREETINGS)):
                raise OutsideError(f"{self.account}: {mend}") from error
            raise OutsideError(
                f"{self.account}: {doing}: {_words(error)}. Check host, port and folder, and"
                " whether the server is up."
            ) from error

    @contextmanager
    def _writing(self, doing: str) -> Iterator[IMAPClient]:
        with self._telling(doing) as client:
            try:
                yield client
            except (IMAPClientAbortError, ProtocolError):
                raise
            except IMAPClientError as error:
                full = "quota" in str(error).lower()
                mend = (
                    "The mailbox is full, and letters to it may come back to their writers: make"
                    " room."
                    if full
                    else "It must be ours to write: look at the folder with a mail program."
                )
                raise NotWritten(
                    f"{self.account}: {doing}: {_words(error)}. {mend}", full=full
                ) from error

    def _drop(self) -> None:
        client, self._client, self._folder = self._client, None, None
        if client is not None:
            with suppress(OSError, IMAPClientError):
                client.shutdown()


def status_of(client: IMAPClient, folder: str, name: str) -> Folder:
    """name: the server's spelling."""
    told = client.folder_status(name, ["UIDVALIDITY", "UIDNEXT", "MESSAGES"])
    return Folder(folder, told[b"UIDVALIDITY"], told[b"UIDNEXT"], told[b"MESSAGES"])


def _missing(client: IMAPClient, name: str, said: str) -> bool:
    words = said.removeprefix("select failed: ")
    if words == said or (words.startswith("[") and not words.startswith("[NONEXISTENT]")):
        return False
    listed = client.list_folders("", name)
    return all(_lower(flags) & {b"\\noselect", b"\\nonexistent"} for flags, _, _ in listed)


def _spaces(client: IMAPClient) -> Spaces:
    if not client.has_capability("NAMESPACE"):
        listed = client.list_folders("", "")
        return [("", listed[0][1].decode() if listed and listed[0][1] else None)]
    own, *others = client.namespace()
    return [*(own or [("", None)]), *(one for other in others for one in other or ())]


def _words(error: Exception) -> str:
    return str(error).rstrip(".") or type(error).__name__


def _lower(flags: Iterable[bytes]) -> set[bytes]:
    return {flag.lower() for flag in flags}


def buffered(client: IMAPClient) -> bool:
    """Return whether a notice came in one packet with the answer to IDLE. The client has read both
    then, and the socket stays silent."""
    connection = client.socket()
    patience = connection.gettimeout()
    connection.settimeout(0)
    try:
        return bool(client._imap.file.peek(1))
    except ssl.SSLWantReadError:
        return False
    finally:
        connection.settimeout(patience)
