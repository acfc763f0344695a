"""A small SMTP server on loopback that answers as it is told to."""

from __future__ import annotations

import select
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

CUT = ""  # for a reply: the connection is closed instead
WELL = {
    "MAIL": "250 OK",
    "RCPT": "250 OK",
    "DATA": "354 Go on",
    ".": "250 Taken",
    "RSET": "250 OK",
    "QUIT": "221 Bye",
}

Script = Mapping[str, str | Sequence[str]]


class Lines:
    """What a client says, line by line."""

    def __init__(self, near: socket.socket) -> None:
        self._near, self._read = near, b""

    def next(self) -> bytes:
        """The next line with its end; what is left, or nothing, where the client has gone."""
        while b"\n" not in self._read and (data := self._near.recv(65536)):
            self._read += data
        line, end, self._read = self._read.partition(b"\n")
        return line + end

    def more(self, seconds: float) -> bool:
        """Whether something else is there, or comes within so many seconds."""
        return bool(self._read) or bool(select.select([self._near], [], [], seconds)[0])


class Scripted:
    """A server on 127.0.0.1:`port`. A script gives the reply to each verb, or the replies to its
    first, second... use in one connection (the last one stays); what it leaves out goes WELL. After
    a 421 the server closes (RFC 5321, 3.8).

    The first connection follows `scripts[0]`, the next one `scripts[1]`, and so on; the last script
    stays. `slow` says how many seconds the reply to a verb takes.
    """

    def __init__(
        self, *scripts: Script, pipelining: bool = True, slow: Mapping[str, float] | None = None
    ) -> None:
        self._scripts, self._pipelining, self._slow = scripts or ({},), pipelining, slow or {}
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._serving: list[threading.Thread] = []
        self.connections = 0
        self.heard: list[str] = []  # the verbs of all connections
        self.together = 0  # MAIL commands that came with the next command right behind them
        self.data: list[bytes] = []  # what came behind each 354, whole or not
        self.taken: list[bytes] = []  # what was said to be taken

    def __enter__(self) -> Scripted:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
        self._listener.close()

    def wait(self) -> None:
        """Until all that was said in connections that are over has been heard."""
        for thread in self._serving:
            thread.join(60.0)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                script = self._scripts[min(self.connections, len(self._scripts) - 1)]
                self.connections += 1
                self._serving.append(
                    threading.Thread(target=self._serve, args=(near, script), daemon=True)
                )
                self._serving[-1].start()

    def _serve(self, near: socket.socket, script: Script) -> None:
        used: dict[str, int] = {}
        with near, suppress(OSError):
            lines = Lines(near)
            near.sendall(b"220 scripted\r\n")
            while line := lines.next():
                verb = line.split()[0].decode().upper()
                if verb == "EHLO":
                    near.sendall(
                        b"250-scripted\r\n"
                        + b"250-PIPELINING\r\n" * self._pipelining
                        + b"250 SIZE\r\n"
                    )
                    continue
                self.heard.append(verb)
                if verb == "MAIL":
                    self.together += lines.more(0.02)
                if not self._answer(near, script, used, verb):
                    return
                if verb == "DATA" and self._said(script, used, verb).startswith("354"):
                    whole = self._body(lines).endswith(b"\r\n.\r\n")
                    if not whole or not self._answer(near, script, used, "."):
                        return

    def _body(self, lines: Lines) -> bytes:
        raw = b"\r\n"  # an empty mail ends at once with a line of its own
        self.data.append(raw)
        while line := lines.next():
            raw += line
            self.data[-1] = raw
            if line == b".\r\n":
                break
        return raw

    def _answer(self, near: socket.socket, script: Script, used: dict[str, int], verb: str) -> bool:
        """Whether the connection goes on."""
        used[verb] = used.get(verb, 0) + 1
        time.sleep(self._slow.get(verb, 0))
        said = self._said(script, used, verb)
        if verb == "." and said.startswith("250"):
            self.taken.append(self.data[-1])
        if said != CUT:
            near.sendall(said.encode() + b"\r\n")
        return said != CUT and not said.startswith(("421", "221"))

    def _said(self, script: Script, used: Mapping[str, int], verb: str) -> str:
        replies = script.get(verb, WELL.get(verb, "500 What?"))
        return replies if isinstance(replies, str) else replies[min(used[verb], len(replies)) - 1]
