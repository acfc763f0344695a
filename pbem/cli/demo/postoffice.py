"""A post office in this process, for `pbem demo` and tests: SMTP in (aiosmtpd), IMAP out (pymap, in
memory).

One daemon thread on 127.0.0.1. Log in with address and password. `user+tag@domain` goes to
`user@domain`; unknown recipients get 550. Not for real use: no TLS, no checks, no storage. Needs
the extra `demo`.
"""

import asyncio
import threading
from argparse import Namespace
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from concurrent.futures import Future
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Self, TypeVar

from aiosmtpd.smtp import SMTP, Envelope, Session
from proxyprotocol.reader import ProxyProtocolReader
from proxyprotocol.version import ProxyProtocolVersion
from pymap.backend.dict import Config, Identity, Login
from pymap.concurrent import Subsystem
from pymap.imap import IMAPServer
from pymap.parsing.message import AppendMessage
from pymap.user import UserMetadata
from pysasl import SASLAuth
from pysasl.creds.server import ServerCredentials
from pysasl.hashing import Cleartext

from pbem.store.joining import open_tables

LARGEST = 50 * 1024 * 1024  # bytes of one letter; the referee's own limits lie far below
Answer = TypeVar("Answer")

PATIENCE = 30.0  # seconds to wait for the loop's thread


class _Config(Config):
    """Cache the login methods: pymap would search all packages at every connection (30 ms)."""

    @cached_property
    def tls_auth(self) -> SASLAuth:
        return SASLAuth.defaults()


class _Login(Login):
    """A login that finds the mail that has come so far."""

    def __init__(self, config: Config, open_: Callable[[str], Awaitable[None]]) -> None:
        super().__init__(config)
        self.open = open_

    async def authenticate(self, credentials: ServerCredentials) -> Identity:
        """Raise InvalidAuth."""
        found = await super().authenticate(credentials)
        await self.open(found.name)
        return found


class Clerk:
    """Takes letters for the mailboxes there are."""

    def __init__(self, office: "PostOffice") -> None:
        self.office = office

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if open_tables.mailbox(address) not in self.office._passwords:
            return f"550 No mailbox {address} here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        return await self.office._take(envelope)


class PostOffice:
    """A post office, open inside `with`. `mailboxes` maps address to IMAP password. `now` gives the
    INTERNALDATE of arriving mail."""

    clerk = Clerk

    def __init__(self, mailboxes: Mapping[str, str]) -> None:
        self.now: Callable[[], datetime] = lambda: datetime.now(UTC)
        self.smtp_port = 0
        self.imap_port = 0
        self._passwords = {
            open_tables.mailbox(address): password for address, password in mailboxes.items()
        }
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="post office", daemon=True)
        self._ready: Future[None] = Future()
        self._closing = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._loop.set_task_factory(self._kept)  # type: ignore[arg-type]
        self._unopened: dict[str, list[tuple[bytes, datetime]]] = {
            mailbox: [] for mailbox in self._passwords
        }
        """Of users who have not logged in: parsing in pymap is slow."""

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.result(PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join(PATIENCE)

    def deliver(self, address: str, raw: bytes, when: datetime | None = None) -> None:
        """Put a letter into a mailbox. when: None for now."""
        self._ask(self._append(open_tables.mailbox(address), raw, when or self.now()))

    def messages(self, address: str, folder: str = "INBOX") -> list[bytes]:
        """Return a folder's letters by arrival."""
        return self._ask(self._read(open_tables.mailbox(address), folder))

    # What follows runs on the loop's thread.

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        except BaseException as error:
            if self._ready.done():
                raise
            self._ready.set_exception(error)
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        plain = Namespace(debug=False, proxy_protocol=None, passlib_cfg=None)
        self._config = _Config(
            plain,
            demo_data=False,
            demo_user="",
            demo_password="",
            host="127.0.0.1",
            port=0,
            tls_enabled=False,
            secure_auth=False,
            hash_context=Cleartext(),  # pymap's own takes 115 ms a login
            cpu_subsystem=Subsystem.for_asyncio(),
            invalid_user_sleep=0.0,
        )
        self._config.apply_context()
        self._login = _Login(self._config, self._open)
        for address, password in self._passwords.items():
            await self._identity(address).set(
                UserMetadata(self._config, address, password=password)
            )
        reader = ProxyProtocolReader(ProxyProtocolVersion.get(None))
        imap = await asyncio.start_server(
            reader.get_callback(IMAPServer(self._login, self._config)), host="127.0.0.1", port=0
        )
        smtp = await self._loop.create_server(self._counter, host="127.0.0.1", port=0)
        self.imap_port = imap.sockets[0].getsockname()[1]
        self.smtp_port = smtp.sockets[0].getsockname()[1]
        self._ready.set_result(None)
        await self._closing.wait()
        imap.close()
        smtp.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _kept(
        self, loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any], **more: Any
    ) -> asyncio.Task[Any]:
        """Hold a reference, or the garbage collector may take the task (CPython 3.13)."""
        task = asyncio.Task(work, loop=loop, **more)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _counter(self) -> SMTP:
        return SMTP(
            self.clerk(self),
            data_size_limit=LARGEST,
            enable_SMTPUTF8=True,
            hostname="localhost",
            loop=self._loop,
        )

    def _identity(self, mailbox: str) -> Identity:
        return Identity(mailbox, self._login, None, frozenset())

    def _ask(self, question: Coroutine[Any, Any, Answer]) -> Answer:
        return asyncio.run_coroutine_threadsafe(question, self._loop).result(PATIENCE)

    async def _append(self, mailbox: str, raw: bytes, when: datetime) -> None:
        if mailbox in self._unopened:
            self._unopened[mailbox].append((raw, when))
        else:
            await self._file(mailbox, raw, when)

    async def _open(self, mailbox: str) -> None:
        """File the letters that came before the first login."""
        while letters := self._unopened.get(mailbox):
            await self._file(mailbox, *letters.pop(0))
        self._unopened.pop(mailbox, None)

    async def _file(self, mailbox: str, raw: bytes, when: datetime) -> None:
        async with self._identity(mailbox).new_session() as session:
            await session.append_messages("INBOX", [AppendMessage(raw, when)])

    async def _read(self, mailbox: str, folder: str) -> list[bytes]:
        if mailbox in self._unopened and folder == "INBOX":
            return [raw for raw, _ in self._unopened[mailbox]]
        async with self._identity(mailbox).new_session() as session:
            box = await session.mailbox_set.get_mailbox(folder)
            return [
                bytes(message._content)
                async for message in box.messages()
                if message._content is not None
            ]

    async def _take(self, envelope: Envelope) -> str:
        """Deliver the letter. Return the reply."""
        raw = envelope.original_content or b""
        for mailbox in {open_tables.mailbox(address) for address in envelope.rcpt_tos}:
            await self._append(mailbox, raw, self.now())
        return "250 Delivered"
