"""Reads and moves letters in an IMAP account. Flags stay. Failures: see `connection`."""

import selectors
import socket
import ssl
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pbem.errors import OutsideError
from pbem.post import clock
from pbem.post.connection import Connection, Folder, ImapAccount, buffered, status_of

BATCH = 200  # letters for each command: 0.03 ms a letter instead of 0.22
BATCH_BYTES = 16 * 1024 * 1024  # of letters held in memory
WINDOW = 50_000  # UIDs for each search: imaplib limits a reply line to a million bytes
POLL = 5.0  # seconds between looks at a server without IDLE
DEAF = 5  # empty IDLEs in a row before the connection counts as dead


@dataclass(frozen=True, slots=True)
class Fetched:
    """A fetched letter."""

    uid: int
    received: datetime
    """UTC, from INTERNALDATE."""
    raw: bytes


class Mailbox(Connection):
    """A connection with one folder selected."""

    def __init__(self, account: ImapAccount) -> None:
        super().__init__(account)
        self._seen: dict[
            tuple[str, int], int
        ] = {}  # the highest UID reported, by folder and UIDVALIDITY

    def select(self, folder: str) -> Folder:
        """Select a folder, if needed, and return its status. Raise FolderMissing."""
        with self._telling(f"opening folder {folder!r}") as client:
            name = self._own_name(client, folder)
            before = self._folder
            if before is None or before.name != folder:
                self._folder = None
                self._enter(client, folder, name)
            client.noop()  # some servers answer as of before the command
            now = status_of(client, folder, name)
            if (
                before is not None
                and before.name == folder
                and before.uidvalidity != now.uidvalidity
            ):
                client.select_folder(name)
                now = status_of(client, folder, name)
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
            found: set[int] = set()
            first = after + 1
            while self._folder.uidnext - first > WINDOW:
                found.update(client.search(["UID", f"{first}:{first + WINDOW - 1}"]))
                first += WINDOW
            found.update(client.search(["UID", f"{first}:*"]))
            # `n:*` includes the last letter even if it is below n (RFC 3501, 6.4.8).
            uids = sorted(uid for uid in found if uid > after)
            self._seen[self._folder.name, self._folder.uidvalidity] = max(
                after, uids[-1] if uids else 0
            )
            return uids

    def sizes(self, uids: Iterable[int]) -> dict[int, int]:
        """Return sizes in bytes, without lost UIDs."""
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
                    self._copy_and_delete(client, batch, name)

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
        told = (
            self._seen.get((self._folder.name, self._folder.uidvalidity), 0) if self._folder else 0
        )
        return bool(self.uids(told))

    def _idle(self, until: float) -> bool:
        deaf = 0
        while (left := until - time.monotonic()) > 0:
            with self._telling("waiting") as client:
                client.idle()
                spoken = buffered(client) or _readable(client.socket(), left)
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


def _batches(uids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (uids[start : start + BATCH] for start in range(0, len(uids), BATCH))


def _readable(connection: socket.socket, seconds: float) -> bool:
    if isinstance(connection, ssl.SSLSocket) and connection.pending():
        return True
    with selectors.DefaultSelector() as selector:
        selector.register(connection, selectors.EVENT_READ)
        return bool(selector.select(seconds))
