"""Mail in: the folders of an account and the letters in them.

A `Mailbox` is one connection to one account. It reports what the server has and moves letters; it
remembers nothing between connections and decides nothing: the inbox keeps the cursor. Letters are
named by UID and read with PEEK, so that no flag of the server ever stands for our own bookkeeping.
What fails is told as `connection` says.
"""

from __future__ import annotations

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
from pbem.post.connection import Connection, Folder, ImapAccount, status_of

BATCH = 200  # letters a command: 0.03 ms a letter instead of 0.22
BATCH_BYTES = 16 * 1024 * 1024  # of letters held in memory at a time
WINDOW = 50_000  # UIDs a search: imaplib refuses a reply line of more than a million bytes
POLL = 5.0  # seconds between looks at a server without IDLE
DEAF = 5  # IDLEs in a row broken off without a word before the connection counts as dead


@dataclass(frozen=True, slots=True)
class Fetched:
    """A letter: its UID, when the server received it (UTC, from INTERNALDATE), and its bytes."""

    uid: int
    received: datetime
    raw: bytes


class Mailbox(Connection):
    """A connection to an account, with a folder of it selected."""

    def __init__(self, account: ImapAccount) -> None:
        super().__init__(account)
        self._seen: dict[
            tuple[str, int], int
        ] = {}  # the highest UID reported of each folder, by its UIDVALIDITY

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


def _batches(uids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (uids[start : start + BATCH] for start in range(0, len(uids), BATCH))


def _readable(connection: socket.socket, seconds: float) -> bool:
    """Whether the server says something within so many seconds."""
    if isinstance(connection, ssl.SSLSocket) and connection.pending():
        return True
    with selectors.DefaultSelector() as selector:
        selector.register(connection, selectors.EVENT_READ)
        return bool(selector.select(seconds))
