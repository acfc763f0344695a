"""The folder of a site. One writer at a time. Each file is written whole under another name and
then moved into place. An unchanged file is left alone."""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from pbem.errors import FolderBusy, OperatorError

_LOCK = ".writing"
"""A writer holds the lock of this file. The file stays; the lock ends with the program."""
_LOOK_AGAIN = 0.1  # seconds


@dataclass(frozen=True, slots=True)
class Folder:
    """The site's files, in the hands of the one who writes them; ``address``: where they will be
    read, "" for anywhere."""

    path: Path
    address: str = ""

    def put(self, name: str, content: str | bytes) -> None:
        """Write a file of the site. Raise OperatorError if it cannot be written."""
        file, raw = self.path / name, content.encode() if isinstance(content, str) else content
        made = file.with_name(f".{file.name}.{secrets.token_hex(4)}.new")
        try:
            if file.is_file() and file.read_bytes() == raw:
                return
            file.parent.mkdir(parents=True, exist_ok=True)
            with made.open("xb") as new:  # readable by whom the umask lets
                new.write(raw)
                new.flush()
                os.fsync(new.fileno())
            os.replace(made, file)
        except OSError as error:
            raise _trouble(file, "cannot be written", error) from error
        finally:
            with suppress(OSError):
                made.unlink(missing_ok=True)

    def settle(self, name: str) -> None:
        """What was written to a folder of the site, and taken from it, outlasts a pulled plug."""
        for folder in (self.path / name, self.path):
            try:
                handle = os.open(folder, os.O_RDONLY)
                try:
                    os.fsync(handle)
                finally:
                    os.close(handle)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise _trouble(folder, "cannot be written", error) from error

    def has(self, name: str) -> bool:
        """Return whether there is such a file already."""
        return (self.path / name).is_file()

    def text(self, name: str) -> str:
        """Return what is in a file of the site; "" if there is none that can be read."""
        try:
            return (self.path / name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return ""

    def remove(self, name: str) -> None:
        """Remove a file of the site. Raise OperatorError if it cannot be removed."""
        file = self.path / name
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise _trouble(file, "cannot be removed", error) from error

    def drop(self, name: str) -> bool:
        """Remove a folder of the site. Return whether it was there. Raise OperatorError if it
        cannot be removed."""
        folder = self.path / name
        if not os.path.lexists(folder):
            return False
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise _trouble(folder, "cannot be removed", error) from error
        return True

    def keep(self, name: str, files: Collection[str]) -> None:
        """Of the files in a folder of the site these alone stay; folders in it are not ours."""
        folder = self.path / name
        try:
            for file in folder.iterdir():
                if file.name not in files and (file.is_symlink() or not file.is_dir()):
                    file.unlink()
        except OSError as error:
            raise _trouble(folder, "cannot be tidied", error) from error


@dataclass(frozen=True, slots=True)
class SiteFolder:
    """Where a site is to be, and the address at which it will be read."""

    path: Path
    address: str = ""

    @contextmanager
    def writing(self, patience: float = 0.0) -> Iterator[Folder]:
        """Lock the folder for one writer. Read whatever will be written inside, so that it is no
        older than what is there. Raise FolderBusy if another still writes after the given
        seconds."""
        handle = self._locked(patience)
        try:
            for unfinished in self.path.glob(".*.new"):
                with suppress(OSError):
                    unfinished.unlink()
            yield Folder(self.path, self.address)
        finally:
            fcntl.flock(handle, fcntl.LOCK_UN)
            os.close(handle)

    def _locked(self, patience: float) -> int:
        """Open and lock the lock's file. Return its descriptor."""
        file, until = self.path / _LOCK, time.monotonic() + patience
        while True:
            try:
                self.path.mkdir(parents=True, exist_ok=True)
                handle = _opened(file)
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    if os.path.samestat(os.fstat(handle), os.stat(file)):
                        return handle
                except BaseException:
                    os.close(handle)
                    raise
                os.close(handle)
            except (BlockingIOError, FileNotFoundError) as error:
                if time.monotonic() >= until:
                    raise FolderBusy(
                        f"{self.path}: another program writes to it, the daemon or `pbem site`."
                        " Wait for it, then try again."
                    ) from error
            except OSError as error:
                raise _trouble(self.path, "cannot be written", error) from error
            time.sleep(_LOOK_AGAIN)


def _opened(file: Path) -> int:
    """Open the lock's file, or make it. A file of another account will do. Return its
    descriptor."""
    try:
        return os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
    except PermissionError:
        return os.open(file, os.O_RDONLY)


def _trouble(path: Path, what: str, error: OSError) -> OperatorError:
    return OperatorError(f"{path} {what}: {error.strerror or error}")
