"""The folder of a site: one writer at a time. Files are replaced whole, unchanged ones left
alone."""

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
"""A writer locks it. It stays; the lock ends with the program."""
_LOOK_AGAIN = 0.1  # seconds


@dataclass(frozen=True, slots=True)
class Folder:
    """The site's files, locked by their writer."""

    path: Path
    address: str | None = None

    def put(self, name: str, content: str | bytes) -> None:
        """Write a file. Raise OperatorError."""
        file, raw = self.path / name, content.encode() if isinstance(content, str) else content
        made = file.with_name(f".{file.name}.{secrets.token_hex(4)}.new")
        try:
            if file.is_file() and file.read_bytes() == raw:
                return
            file.parent.mkdir(parents=True, exist_ok=True)
            with made.open("xb") as new:  # mode by the umask
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
        """Make changes in a folder survive a power cut."""
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
        return (self.path / name).is_file()

    def text(self, name: str) -> str:
        """Return a file's text; "" if unreadable."""
        try:
            return (self.path / name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return ""

    def remove(self, name: str) -> None:
        """Remove a file. Raise OperatorError."""
        file = self.path / name
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise _trouble(file, "cannot be removed", error) from error

    def drop(self, name: str) -> bool:
        """Remove a folder. Return whether it was there. Raise OperatorError."""
        folder = self.path / name
        if not os.path.lexists(folder):
            return False
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise _trouble(folder, "cannot be removed", error) from error
        return True

    def keep(self, name: str, files: Collection[str]) -> None:
        """Remove all other files of a folder. Folders in it are not ours."""
        folder = self.path / name
        try:
            for file in folder.iterdir():
                if file.name not in files and (file.is_symlink() or not file.is_dir()):
                    file.unlink()
        except OSError as error:
            raise _trouble(folder, "cannot be tidied", error) from error


@dataclass(frozen=True, slots=True)
class SiteFolder:
    """Where a site is to be, and its address."""

    path: Path
    address: str | None = None

    @contextmanager
    def writing(self, patience: float = 0.0) -> Iterator[Folder]:
        """Lock the folder, then read what you write. Raise FolderBusy if another writes for longer
        than patience (seconds)."""
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
        file, until = self.path / _LOCK, time.monotonic() + patience
        while True:
            try:
                self.path.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise _trouble(self.path, "cannot be made", error) from error
            try:
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
    """Open or make the lock's file, perhaps another account's."""
    try:
        return os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
    except PermissionError:
        return os.open(file, os.O_RDONLY)


def _trouble(path: Path, what: str, error: OSError) -> OperatorError:
    return OperatorError(f"{path} {what}: {error.strerror or error}")
