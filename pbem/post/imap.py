"""Reads and moves letters in an IMAP account; only here is IMAPClient imported. Flags stay.

Failures raise OutsideError and close the connection, except FolderMissing and NotWritten.
"""

import selectors
import socket
import ssl
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

from imapclient import IMAPClient
from imapclient.exceptions import (
    CapabilityError,
    IMAPClientAbortError,
    IMAPClientError,
    LoginError,
    ProtocolError,
)

from pbem.errors import FolderMissing, NotWritten, OutsideError, login_refused
from pbem.house.config import Imap
from pbem.post import clock, tls_mode

BATCH = 200  # letters for each command: 0.03 ms a letter instead of 0.22
BATCH_BYTES = 16 * 1024 * 1024  # of letters held in memory
WINDOW = 50_000  # UIDs for each search: imaplib limits a reply line to a million bytes
POLL = 5.0  # seconds between looks at a server without IDLE
DEAF = 5  # empty IDLEs in a row before the connection counts as dead
PASSING = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]")  # no wrong login (RFC 5530)

Spaces = Sequence[tuple[str, str | None]]  # prefix and separator of each namespace, ours first
_FULL = "The mailbox is full, and letters to it may come back to their writers: make room."
_NOT_OURS = "It must be ours to write: look at the folder with a mail program."
GREETINGS = (b"* ",)  # how a server greets in plain text


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder. UIDs hold under one UIDVALIDITY."""

    name: str
    uidvalidity: int
    uidnext: int  # the lowest UID of a later letter
    messages: int


@dataclass(frozen=True, slots=True)
class Fetched:
    """A fetched letter."""

    uid: int
    received: datetime
    """UTC, from INTERNALDATE."""
    raw: bytes


class Mailbox:
    """A connection to an account, with one folder selected."""

    def __init__(self, account: Imap) -> None:
        self.account = account
        self._client: IMAPClient | None = None
        self._folder: Folder | None = None
        self._spaces: Spaces | None = None
        # the highest UID reported, by folder and UIDVALIDITY
        self._seen: dict[tuple[str, int], int] = {}

    def __enter__(self) -> Self:
        self.connect()
        return self

    def __exit__(self, *_: object) -> None:
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
            every = client.list_folders()
        return [name for flags, _, name in every if b"\\noselect" not in _lower(flags)]

    def filled(self, folder: str) -> float | None:
        """Return how full the mailbox is (1.0: full), or None."""
        with self._telling("asking how full the mailbox is") as client:
            if not client.has_capability("QUOTA"):
                return None
            with suppress(CapabilityError):
                _, quotas = client.get_quota_root(self._own_name(client, folder))
                return max((one.usage / one.limit for one in quotas if one.limit), default=None)
        return None

    def select(self, folder: str) -> Folder:
        """Select a folder, if needed, and return its status. Raise FolderMissing."""
        with self._telling(f"opening folder {folder!r}") as client:
            name = self._own_name(client, folder)
            before = self._folder if self._folder and self._folder.name == folder else None
            if before is None:
                self._folder = None
                self._enter(client, folder, name)
            client.noop()  # some servers answer as of before the command
            now = _status(client, folder, name)
            if before is not None and before.uidvalidity != now.uidvalidity:
                client.select_folder(name)
                now = _status(client, folder, name)
            self._folder = now
            self._seen.setdefault((folder, now.uidvalidity), now.uidnext - 1)
            return now

    def ensure(self, folder: str) -> None:
        """Create and subscribe a folder. `/` separates names."""
        with self._writing(f"creating folder {folder!r}") as client:
            name = self._own_name(client, folder)
            if not client.folder_exists(name):
                client.create_folder(name)
                client.subscribe_folder(name)

    def uids(self, after: int) -> list[int]:
        """Return UIDs above `after`, ascending."""
        with self._telling("searching") as client:
            client.noop()  # some servers search as of before the command
            assert self._folder is not None, "select a folder first"
            numbers: set[int] = set()
            first = after + 1
            while self._folder.uidnext - first > WINDOW:
                numbers.update(client.search(["UID", f"{first}:{first + WINDOW - 1}"]))
                first += WINDOW
            numbers.update(client.search(["UID", f"{first}:*"]))
            # `n:*` includes the last letter even if it is below n (RFC 3501, 6.4.8).
            uids = sorted(uid for uid in numbers if uid > after)
            place = self._folder.name, self._folder.uidvalidity
            self._seen[place] = max([after, *uids[-1:]])
            return uids

    def sizes(self, uids: Iterable[int]) -> dict[int, int]:
        """Return sizes in bytes, without lost UIDs."""
        octets: dict[int, int] = {}
        with self._telling("asking for sizes") as client:
            for batch in _batches(list(uids)):
                for uid, told in client.fetch(batch, ["RFC822.SIZE"]).items():
                    if b"RFC822.SIZE" in told:
                        octets[uid] = int(told[b"RFC822.SIZE"])
        return octets

    def fetch(
        self, uids: Sequence[int], most: int | None = None, sizes: Mapping[int, int] | None = None
    ) -> Iterator[Fetched]:
        """Yield letters in order, without lost UIDs. most: bytes of each. sizes: None asks the
        server."""
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
        """Ignore lost UIDs."""
        with self._writing(f"moving letters to {to!r}") as client:
            name = self._own_name(client, to)
            for batch in _batches(uids):
                if client.has_capability("MOVE"):
                    client.move(batch, name)
                else:
                    fresh = client.search(["UID", ",".join(map(str, batch)), "UNDELETED"])
                    if fresh:
                        client.copy(fresh, name)
                        client.add_flags(fresh, [b"\\Deleted"], silent=True)
                    self._expunge(client, batch)

    def append(self, folder: str, raw: bytes, when: datetime | None = None) -> None:
        """Put a letter into a folder. when: aware; None for now."""
        with self._writing(f"appending to {folder!r}") as client:
            text = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
            client.append(self._own_name(client, folder), text, msg_time=when)

    def delete(self, uids: Sequence[int]) -> None:
        with self._telling("deleting") as client:
            if uids:
                client.add_flags(uids, [b"\\Deleted"], silent=True)
                self._expunge(client, uids)

    def idle(self, seconds: float) -> bool:
        """Wait at most `seconds`; return whether there may be news. Notices can be lost. Without
        IDLE, poll every five seconds."""
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
        folder = self._folder
        seen = self._seen.get((folder.name, folder.uidvalidity), 0) if folder else 0
        return bool(self.uids(seen))

    def _idle(self, until: float) -> bool:
        deaf = 0
        while (left := until - time.monotonic()) > 0:
            with self._telling("waiting") as client:
                client.idle()
                spoken = _buffered(client) or _readable(client.socket(), left)
                # IMAPClient's idle_check returns an empty list forever on a dead connection, and
                # breaks on a line split over packets. DONE reads all that was sent and needs a
                # reply, so a dead connection times out.
                told: list[Any] = client.idle_done()[1]
            if any(b"EXISTS" in line or b"RECENT" in line for line in told):
                return True
            deaf = deaf + 1 if spoken and not told else 0
            if deaf >= DEAF:
                self._drop()
                raise OutsideError(
                    f"{self.account}: waiting: the server ends each IDLE at once. Connect again."
                )
        return False

    def _portions(
        self, uids: Sequence[int], most: int | None, known: Mapping[int, int] | None
    ) -> Iterator[list[int]]:
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

    def _open(self) -> IMAPClient:
        account = self.account
        context = tls_mode.context(account)
        tls = account.security == "tls"
        secured = {"ssl": tls, "ssl_context": context if tls else None}
        client = IMAPClient(account.host, account.port, timeout=account.timeout, **secured)
        try:
            client.normalise_times = False  # else INTERNALDATE is naive local time
            if account.security == "starttls":
                if not client.has_capability("STARTTLS"):
                    raise tls_mode.no_starttls(account)
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
            passing = any(code in str(error) for code in PASSING)
            if passing or isinstance(error.__context__, IMAPClientAbortError):
                said = f"{self.account}: logging in: {_words(error)}. It will be tried again."
                raise OutsideError(said) from error
            raise login_refused(self.account, _words(error), self.account.auth) from error

    def _enter(self, client: IMAPClient, folder: str, name: str) -> None:
        try:
            client.select_folder(name)
        except IMAPClientError as error:
            if not _missing(client, name, str(error)):
                raise
            raise FolderMissing(f"{self.account}: there is no folder {folder!r}.") from error

    def _expunge(self, client: IMAPClient, uids: Sequence[int]) -> None:
        if client.has_capability("UIDPLUS"):
            client.uid_expunge(uids)
        elif set(client.search(["DELETED"])) <= set(uids):
            client.expunge()  # it removes what others deleted too

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
            said = f"{self.account}: {doing}: {error}. {tls_mode.UNTRUSTED}"
            raise OutsideError(said) from error
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
                why = f"{self.account}: {doing}: {_words(error)}. {_FULL if full else _NOT_OURS}"
                raise NotWritten(why, full=full) from error

    def _drop(self) -> None:
        client, self._client, self._folder = self._client, None, None
        if client is not None:
            with suppress(OSError, IMAPClientError):
                client.shutdown()


def _status(client: IMAPClient, folder: str, name: str) -> Folder:
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


def _buffered(client: IMAPClient) -> bool:
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


def _batches(uids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (uids[start : start + BATCH] for start in range(0, len(uids), BATCH))


def _readable(connection: socket.socket, seconds: float) -> bool:
    if isinstance(connection, ssl.SSLSocket) and connection.pending():
        return True
    with selectors.DefaultSelector() as selector:
        selector.register(connection, selectors.EVENT_READ)
        return bool(selector.select(seconds))
