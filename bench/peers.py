"""What the mail bench measures against, and with: a sink for receipts, GNU Mailman 3 core, and the
bare floor."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import smtplib
import socket
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from email import message_from_bytes, policy
from hashlib import sha256
from pathlib import Path

from imapclient import IMAPClient
from lark import Lark

from pbem.house import shelf
from pbem.orders.language import Language

RUNNERS = ("lmtp", "command", "virgin", "out")
OTHERS = (
    "archive",
    "bounces",
    "digest",
    "in",
    "nntp",
    "pipeline",
    "rest",
    "retry",
    "shunt",
    "task",
)
LIST = "players@lists.example.org"
_MOST = 1 << 24
"""Bytes of a mail that the sink takes."""

# --- where receipts go ----------------------------------------------------------------------------


class Sink:
    """An SMTP server in a process of its own that takes every mail and only counts."""

    def __init__(self) -> None:
        self._taken = multiprocessing.Value("q", 0)
        self._last = multiprocessing.Value("d", 0.0)
        listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(listening.getsockname()[1])
        self._process = multiprocessing.get_context("fork").Process(
            target=self._serve, args=(listening,), daemon=True
        )
        self._process.start()
        listening.close()

    def close(self) -> None:
        self._process.terminate()
        self._process.join()

    def count(self) -> int:
        return int(self._taken.value)

    def wait_for(self, count: int, seconds: float = 120.0) -> float:
        """When (time.perf_counter) the ``count``-th mail had come."""
        until = time.perf_counter() + seconds
        while self.count() < count:
            if time.perf_counter() > until:
                raise TimeoutError(f"{self.count()} of {count} mails after {seconds:g} s")
            time.sleep(0.002)
        return float(self._last.value)

    def _serve(self, listening: socket.socket) -> None:
        async def main() -> None:
            server = await asyncio.start_server(self._dialogue, sock=listening, limit=_MOST)
            await server.serve_forever()

        with suppress(KeyboardInterrupt):
            asyncio.run(main())

    async def _dialogue(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        writer.write(b"220 sink\r\n")
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while line := await reader.readline():
                word = line[:4].upper()
                if word == b"DATA":
                    writer.write(b"354 go on\r\n")
                    await reader.readuntil(b"\r\n.\r\n")
                    with self._taken.get_lock():
                        self._taken.value += 1
                        self._last.value = time.perf_counter()
                writer.write(
                    b"250-sink\r\n250-PIPELINING\r\n250 8BITMIME\r\n"
                    if word == b"EHLO"
                    else b"250 ok\r\n"
                )
                if word == b"QUIT":
                    break
        writer.close()


# --- GNU Mailman 3 core ---------------------------------------------------------------------------


class Mailman:
    """A private GNU Mailman with one list, its mail commands answered to the sink."""

    def __init__(self, program: Path, folder: Path, lmtp_port: int, sink: Sink) -> None:
        self.program, self.folder, self.lmtp_port, self.sink = program, folder, lmtp_port, sink

    @contextmanager
    def running(self) -> Iterator[None]:
        """The runners that a mail command needs, each looking into its queue every 0.1 s."""
        on = "".join(f"[runner.{name}]\nsleep_time: 0.1s\n" for name in RUNNERS)
        off = "".join(f"[runner.{name}]\nstart: no\n" for name in OTHERS)
        (self.folder / "mailman.cfg").write_text(
            "[mailman]\nlayout: here\nsite_owner: postmaster@example.org\n[paths.here]\nvar_dir:"
            f" {self.folder}/var\n[mta]\nincoming: mailman.mta.null.NullMTA\nsmtp_host:"
            f" 127.0.0.1\nsmtp_port: {self.sink.port}\nlmtp_host: 127.0.0.1\nlmtp_port:"
            f" {self.lmtp_port}\n{on}{off}"
        )
        self._do("create", "--domain", LIST)
        self._do("start", "--force")
        try:
            self._await_lmtp()
            yield
        finally:
            master = int((self.folder / "var" / "master.pid").read_text())
            self._do("stop")
            with suppress(ProcessLookupError):
                while True:  # it leaves when its runners have
                    os.kill(master, 0)
                    time.sleep(0.05)

    def _do(self, *words: str) -> None:
        command = [
            str(self.program),
            "--run-as-root",
            "-C",
            str(self.folder / "mailman.cfg"),
            *words,
        ]
        with (self.folder / "out").open(
            "a+"
        ) as out:  # a pipe would stay open as long as the runners live
            done = subprocess.run(command, stdout=out, stderr=out, check=False, cwd=self.folder)
            if done.returncode:
                out.seek(0)
                raise RuntimeError(f"{' '.join(command)}: {out.read()}")

    def _await_lmtp(self) -> None:
        for _ in range(600):
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.lmtp_port), 1):
                return
            time.sleep(0.05)
        raise RuntimeError("Mailman's LMTP runner does not come up")

    def answer(self, word: str, first: int, count: int) -> float:
        """Seconds from the first of ``count`` letters with a mail command, by LMTP, to the last
        answer in the sink."""
        before = self.sink.count()
        name, _, domain = LIST.partition("@")
        begin = time.perf_counter()
        with smtplib.LMTP("127.0.0.1", self.lmtp_port) as lmtp:
            for n in range(first, first + count):
                raw = (
                    f"From: p{n}@example.net\nTo: {name}-request@{domain}\nSubject:"
                    f" {word}\nMessage-ID: <m{n}@example.net>\nDate: Mon, 2 Mar 2026 09:00:00"
                    f" +0000\n\n{word}\nend\n"
                )
                lmtp.sendmail(f"p{n}@example.net", [f"{name}-request@{domain}"], raw)
        return self.sink.wait_for(before + count, 300) - begin


@contextmanager
def mailman(program: Path, lmtp_port: int, sink: Sink) -> Iterator[Mailman]:
    """A Mailman at work in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="pbem-mailman-") as folder:
        one = Mailman(program, Path(folder), lmtp_port, sink)
        with one.running():
            yield one


# --- the bare floor -------------------------------------------------------------------------------

_TABLES = (
    (
        "CREATE TABLE letter (id INTEGER PRIMARY KEY, uid INTEGER UNIQUE, raw BLOB, hash TEXT"
        " UNIQUE, outcome TEXT)"
    ),
    "CREATE TABLE orders (letter INTEGER, text TEXT)",
    "CREATE TABLE journal (n INTEGER PRIMARY KEY, data TEXT, hash TEXT)",
    (
        "CREATE TABLE outgoing (id INTEGER PRIMARY KEY, key TEXT UNIQUE, recipient TEXT, raw BLOB,"
        " state TEXT)"
    ),
)


def floor(
    client: IMAPClient, database: Path, sink_port: int, key: str, commits_a_letter: float
) -> int:
    """Everything in an inbox answered with the least that could be called an answer; the number of
    commits made.

    Batched fetch, compat32, Lark, plain sqlite3 (WAL, synchronous=FULL), the receipt as bytes, SMTP
    on an open connection, batched MOVE. No trust, no duplicates, no game. Each letter has as many
    FULL commits as given; where that is no whole number, some have one more.
    """
    database.unlink(missing_ok=True)
    db = sqlite3.connect(database, isolation_level=None)
    for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", *_TABLES):
        db.execute(statement)
    language, commits = shelf.open_ruleset(key).language, 0
    lark = language.lark
    smtp = smtplib.SMTP("127.0.0.1", sink_port, local_hostname="[127.0.0.1]")
    client.select_folder("INBOX")
    uids = client.search()
    for start in range(0, len(uids), 200):
        batch = uids[start : start + 200]
        answer = client.fetch(batch, ["INTERNALDATE", "BODY.PEEK[]"])
        db.execute("BEGIN IMMEDIATE")
        rows = [
            (uid, answer[uid][b"BODY[]"], sha256(answer[uid][b"BODY[]"]).hexdigest())
            for uid in batch
        ]
        db.executemany(
            "INSERT INTO letter (uid, raw, hash, outcome) VALUES (?, ?, ?, 'stored')", rows
        )
        db.execute("COMMIT")
        commits += 1
    rows = db.execute("SELECT id, raw FROM letter ORDER BY id").fetchall()
    for n, (letter_id, raw) in enumerate(rows, 1):
        its = max(1, round(commits_a_letter * n) - commits)
        commits += _floor_letter(db, smtp, language, lark, letter_id, raw, its)
    for start in range(0, len(uids), 200):
        client.move(uids[start : start + 200], "Processed")
    smtp.quit()
    db.close()
    return commits


def _floor_letter(  # noqa: PLR0913  what one letter needs at the least
    db: sqlite3.Connection,
    smtp: smtplib.SMTP,
    language: Language,
    lark: Lark,
    letter_id: int,
    raw: bytes,
    commits: int,
) -> int:
    message = message_from_bytes(raw, policy=policy.compat32)
    body = message.get_payload(decode=True)
    assert isinstance(body, bytes)
    text = body.decode().partition("\r\n-- \r\n")[0]
    orders = [str(lark.parse(line.text)) for line in language.split(text)]
    sender = str(message["From"])
    receipt = _receipt(sender, str(message["Message-ID"]), letter_id, orders)
    db.execute("BEGIN IMMEDIATE")
    db.executemany("INSERT INTO orders VALUES (?, ?)", [(letter_id, order) for order in orders])
    data = json.dumps(orders)
    db.execute(
        "INSERT INTO journal (data, hash) VALUES (?, ?)", (data, sha256(data.encode()).hexdigest())
    )
    db.execute("UPDATE letter SET outcome = 'orders' WHERE id = ?", (letter_id,))
    db.execute("UPDATE outgoing SET state = 'sent' WHERE id = ?", (letter_id - 1,))
    db.execute(
        "INSERT INTO outgoing VALUES (?, ?, ?, ?, 'leased')",
        (letter_id, f"r{letter_id}", sender, receipt),
    )
    db.execute("COMMIT")
    smtp.sendmail("referee@example.org", [sender], receipt)
    for state in ("sent", "done", "moved")[: commits - 1]:
        db.execute("BEGIN IMMEDIATE")
        db.execute("UPDATE outgoing SET state = ? WHERE id = ?", (state, letter_id))
        db.execute("COMMIT")
    return commits


def _receipt(to: str, answers: str, number: int, orders: Sequence[str]) -> bytes:
    lines = "".join(f"  [{n}] {order}\r\n" for n, order in enumerate(orders, 1))
    return (
        f"From: referee@example.org\r\nTo: {to}\r\nSubject: Re: orders\r\nMessage-ID:"
        f" <{number}@example.org>\r\nIn-Reply-To: {answers}\r\nAuto-Submitted:"
        f" auto-replied\r\n\r\nYour orders:\r\n{lines}"
    ).encode()
