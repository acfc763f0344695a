"""What one test has made, every test of this run may copy, whichever worker runs it.

Results lie compressed in a folder that all workers share: a run keeps hundreds of them, more than a
worker's memory should hold.
"""

import copyreg
import fcntl
import os
import pickle
import zlib
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from pymap.backend.dict.mailbox import MailboxData, Message
from pymap.backend.mailbox import MailboxSetInterface
from pymap.mime import MessageContent

from tests.clumsy import ClumsyPostOffice

Boxes = MailboxSetInterface[MailboxData]
_FIRST = 100
"""The highest number of a folder that had no letter yet."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of a mailbox: its UIDVALIDITY, its highest number, its letters."""

    validity: int
    highest: int
    messages: tuple[Message, ...]

    @property
    def mark(self) -> Hashable:
        """By what it is known; until something came, all are alike."""
        if self.highest == _FIRST:
            return ()
        texts = (sha256(bytes(one._content or b"")).digest() for one in self.messages)
        return self.validity, self.highest, *texts


@dataclass(frozen=True, slots=True)
class Mailboxes:
    """All that a post office has: folders by mailbox and name, and the letters, with their times,
    of whoever has not logged in yet."""

    folders: Mapping[tuple[str, str], Folder]
    unopened: Mapping[str, tuple[tuple[bytes, datetime], ...]]

    @property
    def mark(self) -> Hashable:
        """By what it is known."""
        folders = tuple((where, one.mark) for where, one in self.folders.items())
        unopened = (
            (box, *((sha256(raw).digest(), when) for raw, when in letters))
            for box, letters in self.unopened.items()
        )
        return folders, *unopened


class KeptOffice(ClumsyPostOffice):
    """A post office whose mailboxes can be made as those of another were."""

    def mailboxes(self) -> Mailboxes:
        """What it has now."""
        return self._ask(self._mailboxes())

    def take_over(self, mailboxes: Mailboxes) -> None:
        """Have what another had; whoever had opened a mailbox has left it."""
        self._ask(self._take_over(mailboxes))

    async def _mailboxes(self) -> Mailboxes:
        found = {}
        for box in self._passwords:
            async with self._identity(box).new_session() as session:
                for name in await _names(session.mailbox_set):
                    data = await session.mailbox_set.get_mailbox(name)
                    messages = tuple(map(Message.copy, data._messages.values()))
                    found[box, name] = Folder(data._uid_validity, data._max_uid, messages)
        return Mailboxes(found, {box: tuple(letters) for box, letters in self._unopened.items()})

    async def _take_over(self, mailboxes: Mailboxes) -> None:
        self._unopened = {box: list(letters) for box, letters in mailboxes.unopened.items()}
        for (box, name), kept in mailboxes.folders.items():
            async with self._identity(box).new_session() as session:
                boxes = session.mailbox_set
                if name not in await _names(boxes):
                    await boxes.add_mailbox(name)
                data = await boxes.get_mailbox(name)
                data._uid_validity, data._max_uid = kept.validity, kept.highest
                data._messages = {one.uid: Message.copy(one) for one in kept.messages}
                data._mod_sequences.update(list(data._messages))


async def _names(boxes: Boxes) -> list[str]:
    return [entry.name for entry in (await boxes.list_mailboxes()).list()]


@dataclass(frozen=True, slots=True)
class State:
    """An installation between two passes."""

    database: bytes
    mailboxes: Mailboxes
    clock: datetime
    next_id: int

    @property
    def mark(self) -> Hashable:
        """By what it is known from every other."""
        return sha256(self.database).digest(), self.mailboxes.mark, self.clock, self.next_id


T = TypeVar("T")
_shared: list[Path] = []
_held: list[TemporaryDirectory[str]] = []
_off: list[bool] = []
_latest: dict[str, bytes] = {}
_MOST = 24 << 20
"""Bytes that the latest results take in a process."""


@contextmanager
def anew() -> Iterator[None]:
    """Whatever comes about meanwhile comes about, and is not kept: a test changes the program."""
    _off.append(True)
    try:
        yield
    finally:
        _off.pop()


def keeping() -> bool:
    """Whether what comes about is kept."""
    return not _off


def share(folder: Path) -> None:
    """Keep results in this folder from now on. All workers of a run name the same one."""
    folder.mkdir(exist_ok=True)
    _shared[:] = [folder]


def once(what: Hashable, make: Callable[[], T]) -> T:
    """Return what ``make`` makes, or a copy if this run has made it before.

    what: names the result, by the same repr in every worker. While one worker makes it, another
    that wants it waits. None is not kept.
    """
    name = sha256(repr(what).encode()).hexdigest()
    file = (_shared[0] if _shared else _own()) / name
    if (again := _latest.get(name)) is not None:
        found: T = pickle.loads(again)
        return found
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # free again if its holder dies
        if file.exists():
            data = zlib.decompress(file.read_bytes())
            _remember(name, data)
            found = pickle.loads(data)
            return found
        made = make()
        if made is not None:
            part = file.with_suffix(".part")
            part.write_bytes(zlib.compress(data := pickle.dumps(made), 1))
            os.replace(part, file)
            _remember(name, data)
        return made


def _remember(name: str, data: bytes) -> None:
    """Keep a result in this process too, among the latest few: the tests of a file begin alike."""
    _latest[name] = data
    while len(_latest) > 1 and sum(map(len, _latest.values())) > _MOST:
        del _latest[next(iter(_latest))]


def _letter(content: MessageContent) -> tuple[Callable[[bytes], MessageContent], tuple[bytes]]:
    """How a letter of a mailbox is pickled: what pymap has read of it points into its bytes."""
    return MessageContent.parse, (bytes(content),)


copyreg.pickle(MessageContent, _letter)  # type: ignore[arg-type]


@cache
def _own() -> Path:
    """The folder of a process that is no worker of a test run."""
    folder = TemporaryDirectory(prefix="pbem-kept-")
    _held.append(folder)
    return Path(folder.name)


def private(file: Path, data: bytes) -> None:
    """Write a file that is nobody else's to read, as a database is."""
    file.touch(0o600)
    file.write_bytes(data)
