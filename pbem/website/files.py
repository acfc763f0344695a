"""The folder of a site: each file is written whole under another name and then put in its place,
and one that would stay the same is left alone."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from pbem.errors import OperatorError


@dataclass(frozen=True, slots=True)
class Folder:
    """Where the site is written; ``address``: where it will be read, "" for anywhere."""

    path: Path
    address: str = ""

    def put(self, name: str, content: str | bytes) -> None:
        """A file of the site; raises OperatorError where it cannot be written."""
        file, raw = self.path / name, content.encode() if isinstance(content, str) else content
        try:
            if file.is_file() and file.read_bytes() == raw:
                return
            file.parent.mkdir(parents=True, exist_ok=True)
            made = file.with_name(f".{file.name}.new")
            made.write_bytes(raw)
            os.replace(made, file)
        except OSError as error:
            raise OperatorError(f"{file} cannot be written: {error.strerror}") from error

    def has(self, name: str) -> bool:
        """Whether there is such a file already."""
        return (self.path / name).is_file()

    def text(self, name: str) -> str:
        """What is in a file of the site; "" where there is none that can be read."""
        try:
            return (self.path / name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return ""

    def remove(self, name: str) -> None:
        """A file of the site is there no more; raises OperatorError where it cannot be removed."""
        try:
            (self.path / name).unlink(missing_ok=True)
        except OSError as error:
            raise OperatorError(f"{self.path / name}: {error.strerror}") from error

    def drop(self, name: str) -> None:
        """A folder of the site is there no more."""
        shutil.rmtree(self.path / name, ignore_errors=True)

    def keep(self, name: str, files: Collection[str]) -> None:
        """Of what is in a folder of the site these files alone stay."""
        try:
            for file in (self.path / name).iterdir():
                if file.name not in files:
                    file.unlink()
        except OSError as error:
            raise OperatorError(f"{self.path / name}: {error.strerror}") from error
