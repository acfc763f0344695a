"""A cable between a client and a server that a test can cut, freeze, or tear at a certain word."""

from __future__ import annotations

import select
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress


class Wire:
    """A cable on 127.0.0.1:`port` to a server's port, one that can fail."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._frozen = threading.Event()
        self._tear: bytes | None = None
        self._silently = False
        self._closed = self._away = False
        self._then: tuple[bytes, Callable[[], object]] | None = None
        self._together = False
        self.asked = b""  # all that clients sent
        self.answered = 0  # how many bytes the server sent

    def __enter__(self) -> Wire:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed = True
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
        self._listener.close()
        self.cut()

    def cut(self) -> None:
        """Ends every connection at once."""
        pairs, self._pairs = self._pairs, []
        for pair in pairs:
            for end in pair:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def leave(self) -> None:
        """Cuts, and carries no new connection until it is to `come_back`."""
        self._away = True
        self.cut()

    def come_back(self) -> None:
        self._away = False

    def freeze(self) -> None:
        """Carries nothing any more, though all connections seem open."""
        self._frozen.set()

    def tear_after(self, words: bytes, *, silently: bool = False) -> None:
        """When the client has sent these words and the server has answered, swallows the answer and
        cuts. Once.

        `silently` leaves the connection open, with nothing carried any more.
        """
        self._silently = silently
        self._tear = words

    def when(self, words: bytes, then: Callable[[], object], *, together: bool = False) -> None:
        """When a client has sent these words and the server begins to answer, does this. Once.

        `together` carries the answer and what the server says next in one piece.
        """
        self._then, self._together = (words, then), together

    def _accept(self) -> None:
        while not self._closed:
            try:
                near, _ = self._listener.accept()
                if self._away:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                return
            for end in (near, far):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._pairs.append((near, far))
            threading.Thread(target=self._carry, args=(near, far), daemon=True).start()

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        said = b""
        with near, far, suppress(OSError):
            while True:
                readable, _, _ = select.select([near, far], [], [])
                while self._frozen.is_set():
                    time.sleep(0.05)
                    if self._closed:
                        return
                for end in readable:
                    data = end.recv(65536)
                    if not data:
                        return
                    if end is far and self._tear is not None and said.endswith(self._tear):
                        self._tear = None
                        if not self._silently:
                            return
                        self._frozen.set()
                        break
                    if end is near:
                        said = (said + data)[-256:]
                        self.asked += data
                    else:
                        self.answered += len(data)
                    then = self._next(said) if end is far else None
                    if then and self._together:
                        then.start()
                        data += far.recv(65536)
                    (far if end is near else near).sendall(data)
                    if then and not self._together:
                        then.start()

    def _next(self, said: bytes) -> threading.Thread | None:
        """What is to be done now, once."""
        if self._then is None or not said.endswith(self._then[0]):
            return None
        (_, then), self._then = self._then, None
        return threading.Thread(target=then, daemon=True)
