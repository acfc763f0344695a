"""Mail in: the only module that touches IMAPClient.

A `Mailbox` is one connection to one account. It reports what the server has and moves letters; it
remembers nothing between connections and decides nothing: the inbox keeps the cursor. Letters are
named by UID and read with PEEK, so that no flag of the server ever stands for our own bookkeeping.
Whatever fails is an OutsideError that names the account; the connection is then closed, and the
caller connects and selects anew (after FolderMissing and NotWritten it stays open).
"""

from __future__ import annotations

import selectors
import socket
import ssl
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Literal, Self

from imapclient import IMAPClient
from imapclient.exceptions import (
    CapabilityError,
    IMAPClientAbortError,
    IMAPClientError,
    LoginError,
    ProtocolError,
)

from pbem.errors import FolderMissing, NotWritten, OutsideError, login_refused
from pbem.post import clock

BATCH = 200  # letters a command: 0.03 ms a letter instead of 0.22
BATCH_BYTES = 16 * 1024 * 1024  # of letters held in memory at a time
WINDOW = 50_000  # UIDs a search: imaplib refuses a reply line of more than a million bytes
POLL = 5.0  # seconds between looks at a server without IDLE
DEAF = 5  # IDLEs in a row broken off without a word before the connection counts as dead
PASSING = (
    "[UNAVAILABLE]",
    "[INUSE]",
    "[LIMIT]",
    "[SERVERBUG]",
)  # a NO to a login that is not about us (RFC 5530)


@dataclass(frozen=True, slots=True)
class ImapAccount:
    """Where mail is fetched. `secret` gives the password, or the access token of the moment for
    xoauth2."""

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
    """A folder at the moment it was selected: UIDs are comparable only under one UIDVALIDITY."""

    name: str
    uidvalidity: int
    uidnext: int  # every letter that arrives from now on has at least this UID
    messages: int


@dataclass(frozen=True, slots=True)
class Fetched:
    """A letter: its UID, when the server received it (UTC, from INTERNALDATE), and its bytes."""

    uid: int
    received: datetime
    raw: bytes


class Mailbox:
    """One connection to an account, open between `with` and its end."""

    def __init__(self, account: ImapAccount) -> None:
        self.account = account
        self._client: IMAPClient | None = None
        self._folder: Folder | None = None
        self._seen: dict[
            tuple[str, int], int
        ] = {}  # the highest UID reported of each folder, by its UIDVALIDITY

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
        """Connects and logs in, dropping an earlier connection; LoginRefused if the server does not
        take the secret."""
        self._drop()
        with self._telling("connecting"):
            self._client = self._open()
            self._log_in(self._client)

    def renew(self) -> None:
        """Keeps a connection that still answers, else connects."""
        if self._client is not None:
            with suppress(OutsideError), self._telling("asking whether it is there") as client:
                client.noop()
                return
        self.connect()

    def close(self) -> None:
        """Takes leave of the server, as far as it still listens."""
        client, self._client, self._folder = self._client, None, None
        if client is not None:
            with suppress(OSError, IMAPClientError):
                client.logout()

    def select(self, folder: str) -> Folder:
        """Opens a folder for the methods below and tells its UIDVALIDITY and UIDNEXT as they are
        now; FolderMissing where the server has none of that name.

        Repeating it for the folder that is open costs the same however full that is: Dovecot takes
        0.3 s to open a maildir of 60,000 letters, and a fraction of a millisecond to tell its
        status.
        """
        with self._telling(f"opening folder {folder!r}") as client:
            name = self._own_name(client, folder)
            before = self._folder
            if before is None or before.name != folder:
                self._folder = None
                self._enter(client, folder, name)
            client.noop()  # some servers tell what was there before the command
            now = _status(client, folder, name)
            if (
                before is not None
                and before.name == folder
                and before.uidvalidity != now.uidvalidity
            ):
                client.select_folder(name)
                now = _status(client, folder, name)
            self._folder = now
            self._seen.setdefault((folder, now.uidvalidity), now.uidnext - 1)
            return now

    def _enter(self, client: IMAPClient, folder: str, name: str) -> None:
        try:
            client.select_folder(name)
        except IMAPClientError as error:
            if not _missing(client, name, str(error)):
                raise
            raise FolderMissing(f"{self.account}: there is no folder {folder!r}.") from error

    def folders(self) -> list[str]:
        """The folders that can be selected."""
        with self._telling("listing the folders") as client:
            return [
                name
                for flags, _, name in client.list_folders()
                if b"\\noselect" not in _lower(flags)
            ]

    def ensure(self, folder: str) -> None:
        """Creates a folder, and subscribes to it, unless it is there. `/` in the name is the
        server's own separator."""
        with self._writing(f"creating folder {folder!r}") as client:
            name = self._own_name(client, folder)
            if not client.folder_exists(name):
                client.create_folder(name)
                client.subscribe_folder(name)

    def uids(self, after: int) -> list[int]:
        """The UIDs above `after` in the selected folder, ascending; what it costs depends on their
        number only."""
        with self._telling("searching") as client:
            client.noop()  # some servers search what was there before the command
            assert self._folder is not None, "select a folder first"
            found: set[int] = set()
            first = after + 1
            while self._folder.uidnext - first > WINDOW:
                found.update(client.search(["UID", f"{first}:{first + WINDOW - 1}"]))
                first += WINDOW
            found.update(client.search(["UID", f"{first}:*"]))
            # `n:*` names the last letter even where it lies below n (RFC 3501, 6.4.8).
            uids = sorted(uid for uid in found if uid > after)
            self._seen[self._folder.name, self._folder.uidvalidity] = max(
                after, uids[-1] if uids else 0
            )
            return uids

    def sizes(self, uids: Iterable[int]) -> dict[int, int]:
        """The bytes of each letter; a UID that is gone is left out."""
        found: dict[int, int] = {}
        with self._telling("asking for sizes") as client:
            for batch in _batches(list(uids)):
                answer = client.fetch(batch, ["RFC822.SIZE"])
                found |= {
                    uid: int(told[b"RFC822.SIZE"])
                    for uid, told in answer.items()
                    if b"RFC822.SIZE" in told
                }
        return found

    def fetch(
        self, uids: Sequence[int], most: int | None = None, sizes: Mapping[int, int] | None = None
    ) -> Iterator[Fetched]:
        """The letters, in the order asked for, each cut after `most` bytes; a UID that is gone is
        left out. `sizes` as the server has told them, None: it is asked."""
        part = "BODY.PEEK[]" if most is None else f"BODY.PEEK[]<0.{most}>"
        name = b"BODY[]" if most is None else b"BODY[]<0>"
        for batch in self._portions(uids, most, sizes):
            with self._telling("fetching") as client:
                answer = client.fetch(batch, ["INTERNALDATE", part])
            for uid in batch:
                told = answer.get(uid, {})
                received, raw = told.get(b"INTERNALDATE"), told.get(name)
                if isinstance(received, datetime) and raw is not None:
                    yield Fetched(uid, received.astimezone(UTC), bytes(raw))

    def move(self, uids: Sequence[int], to: str) -> None:
        """Moves letters to another folder, which must be there; those already gone are no error."""
        with self._writing(f"moving letters to {to!r}") as client:
            name = self._own_name(client, to)
            for batch in _batches(uids):
                if client.has_capability("MOVE"):
                    client.move(batch, name)
                else:
                    self._copy_and_delete(client, batch, name)

    def append(self, folder: str, raw: bytes, when: datetime | None = None) -> None:
        """Puts a letter into a folder as received at `when` (aware; None: at the server's own
        time)."""
        with self._writing(f"appending to {folder!r}") as client:
            text = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
            client.append(self._own_name(client, folder), text, msg_time=when)

    def delete(self, uids: Sequence[int]) -> None:
        """Deletes letters from the selected folder."""
        with self._telling("deleting") as client:
            if uids:
                client.add_flags(uids, [b"\\Deleted"], silent=True)
                self._expunge(client, uids)

    def filled(self, folder: str) -> float | None:
        """How full the mailbox is, 1.0 at its limit (of bytes or letters); None where the server
        does not tell."""
        with self._telling("asking how full the mailbox is") as client:
            if not client.has_capability("QUOTA"):
                return None
            with suppress(CapabilityError):
                _, quotas = client.get_quota_root(self._own_name(client, folder))
                return max((one.usage / one.limit for one in quotas if one.limit), default=None)
        return None

    def idle(self, seconds: float) -> bool:
        """Waits until something new may be in the selected folder (True), at most `seconds`
        (False).

        New is what `uids` has not told yet; without an IDLE of the server the folder is looked at
        every five seconds. The caller re-issues it every few minutes and looks in any case: a
        notice may be lost between two commands.
        """
        until = time.monotonic() + seconds
        if self._new():
            return True
        with self._telling("waiting") as client:
            idles = client.has_capability("IDLE")
        if idles:
            return self._idle(until)
        while (left := until - time.monotonic()) > 0:
            clock.rest(min(left, POLL))
            if self._new():
                return True
        return False

    def _new(self) -> bool:
        """Whether the selected folder has what `uids` has not told yet."""
        told = (
            self._seen.get((self._folder.name, self._folder.uidvalidity), 0) if self._folder else 0
        )
        return bool(self.uids(told))

    def _idle(self, until: float) -> bool:
        deaf = 0
        while (left := until - time.monotonic()) > 0:
            with self._telling("waiting") as client:
                client.idle()
                spoken = _readable(client.socket(), left)
                # IMAPClient's own idle_check answers an empty list at once, forever, on a
                # connection that has died, and breaks on a line that arrives in two pieces. Ending
                # the IDLE reads what was said, to its end, and asks the server for a reply: death
                # is an error within the account's timeout.
                told: list[Any] = client.idle_done()[1]
            if any(b"EXISTS" in line or b"RECENT" in line for line in told):
                return True
            deaf = deaf + 1 if spoken and not told else 0
            if deaf >= DEAF:
                self._drop()
                raise OutsideError(
                    f"{self.account}: waiting: the server ends each IDLE at once. Connect anew."
                )
        return False

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
            client.normalise_times = False  # else INTERNALDATE comes as naive local time
            if account.security == "starttls":
                if not client.has_capability("STARTTLS"):
                    raise OutsideError(
                        f"{account}: the server offers no STARTTLS, and without it no password is"
                        ' sent. Set security = "tls" or ask the provider for the right port.'
                    )
                client.starttls(context)
            # IMAPClient writes a command in several small packets: with Nagle's algorithm each
            # takes 40 ms.
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
                # A second challenge holds the server's complaint; the empty answer lets it end with
                # NO.
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

    def _copy_and_delete(self, client: IMAPClient, uids: Sequence[int], to: str) -> None:
        """MOVE for servers without it; letters already marked as deleted were copied before."""
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
        ):  # a plain EXPUNGE would take others' deleted letters too
            client.expunge()

    def _own_name(self, client: IMAPClient, folder: str) -> str:
        """The folder's name with the server's separator in place of `/`."""
        if "/" not in folder:
            return folder
        listed = client.list_folders("", "")
        separator = listed[0][1] if listed else None
        return folder.replace(
            "/", separator.decode() if isinstance(separator, bytes) else separator or "/"
        )

    def _portions(
        self, uids: Sequence[int], most: int | None, known: Mapping[int, int] | None
    ) -> Iterator[list[int]]:
        """Batches whose letters fit into memory together."""
        for batch in _batches(uids):
            sizes = known if known is not None else self.sizes(batch) if len(batch) > 1 else {}
            portion: list[int] = []
            held = 0
            for uid in batch:
                size = min(sizes.get(uid, 0), most if most is not None else BATCH_BYTES)
                if portion and held + size > BATCH_BYTES:
                    yield portion
                    portion, held = [], 0
                portion.append(uid)
                held += size
            yield portion

    @contextmanager
    def _telling(self, doing: str) -> Iterator[IMAPClient]:
        """The client for one step; what fails in it is told as the account's failure, and the
        connection given up."""
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
            raise OutsideError(
                f"{self.account}: {doing}: {_words(error)}. Check host, port and folder, and"
                " whether the server is up."
            ) from error

    @contextmanager
    def _writing(self, doing: str) -> Iterator[IMAPClient]:
        """The client for a step that writes: the server's NO to it is NotWritten."""
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


def _status(client: IMAPClient, folder: str, name: str) -> Folder:
    told = client.folder_status(name, ["UIDVALIDITY", "UIDNEXT", "MESSAGES"])
    return Folder(folder, told[b"UIDVALIDITY"], told[b"UIDNEXT"], told[b"MESSAGES"])


def _missing(client: IMAPClient, name: str, said: str) -> bool:
    """Whether SELECT failed because there is no such folder: the server's NO says so (RFC 5530, 3),
    or gives no code, and the server lists no mailbox of that name. Any other code, or a folder that
    is listed, is a failure like others."""
    words = said.removeprefix("select failed: ")
    if words == said or (words.startswith("[") and not words.startswith("[NONEXISTENT]")):
        return False
    listed = client.list_folders("", name)
    return all(_lower(flags) & {b"\\noselect", b"\\nonexistent"} for flags, _, _ in listed)


def _batches(uids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (uids[start : start + BATCH] for start in range(0, len(uids), BATCH))


def _readable(connection: socket.socket, seconds: float) -> bool:
    """Whether the server says something within so many seconds."""
    if isinstance(connection, ssl.SSLSocket) and connection.pending():
        return True
    with selectors.DefaultSelector() as selector:
        selector.register(connection, selectors.EVENT_READ)
        return bool(selector.select(seconds))


def _words(error: Exception) -> str:
    return str(error).rstrip(".") or type(error).__name__


def _lower(flags: Iterable[bytes]) -> set[bytes]:
    return {flag.lower() for flag in flags}
