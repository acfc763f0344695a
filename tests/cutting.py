"""A line to a PostgreSQL server that is watched: a process is killed before its nth message goes out."""

import os
import select
import signal
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self


@dataclass
class Line:
    """Stands between programs and the PostgreSQL server at a port of this machine. Before message ``nth`` to
    the server the process ``victim`` is killed, and that message never arrives."""

    server: int
    nth: int = 0
    victim: int = 0
    sent: int = 0
    cut: bool = False
    port: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __enter__(self) -> Self:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                threading.Thread(target=self._carry, args=(near,), daemon=True).start()

    def _carry(self, near: socket.socket) -> None:
        rest = b""
        with near, socket.create_connection(("127.0.0.1", self.server)) as far, suppress(OSError):
            while True:
                for one in select.select([near, far], [], [])[0]:
                    if not (data := one.recv(1 << 16)):
                        return
                    if one is far:
                        near.sendall(data)
                        continue
                    rest += data
                    while message := _first(rest):
                        if not self._passes():
                            return
                        far.sendall(message)
                        rest = rest[len(message) :]

    def _passes(self) -> bool:
        with self._lock:
            if self.cut:
                return False
            self.sent += 1
            if self.sent == self.nth:
                self.cut = True
                os.kill(self.victim, signal.SIGKILL)
            return not self.cut


def _first(data: bytes) -> bytes:
    """The first message to a PostgreSQL server, if it is there whole: a letter and a length, or, at
    the start, a length alone. How messages are cut into packets changes from time to time."""
    at = 1 if data[:1] > b"\0" else 0
    if len(data) < at + 4:
        return b""
    length = at + int.from_bytes(data[at : at + 4], "big")
    return data[:length] if len(data) >= length else b""
