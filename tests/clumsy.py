"""A post office that fails when it is told to."""

import asyncio
import socket
from collections.abc import Mapping
from contextlib import suppress

from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.cli.demo.postoffice import Clerk, PostOffice


class _ClumsyClerk(Clerk):
    office: "ClumsyPostOffice"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        reply = await super().handle_DATA(server, session, envelope)
        if self.office.drops and reply.startswith("250"):
            self.office.drops -= 1
            transport = server.transport
            assert isinstance(transport, asyncio.Transport)
            # a forked process may hold the connection, so closing alone says nothing
            with suppress(OSError):
                transport.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
            transport.abort()
        return reply


class ClumsyPostOffice(PostOffice):
    clerk = _ClumsyClerk

    def __init__(self, mailboxes: Mapping[str, str]) -> None:
        super().__init__(mailboxes)
        self.rejections: list[int] = []
        self.drops = 0

    def reject_next(self, code: int, n: int = 1) -> None:
        """Refuse the next `n` letters with this code after their data."""
        self.rejections.extend([code] * n)

    def drop_after_data(self, n: int = 1) -> None:
        """Deliver the next `n` letters, but close the connection without a reply."""
        self.drops += n

    async def _take(self, envelope: Envelope) -> str:
        if self.rejections:
            return f"{self.rejections.pop(0)} Refused, as asked for"
        return await super()._take(envelope)
