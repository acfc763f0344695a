"""Reads our own mails again."""

from __future__ import annotations

from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parsedate_to_datetime

from pbem.post.compose import DIVIDER


class Frozen:
    """A sent mail, parsed on demand."""

    __slots__ = ("_mail",)

    def __init__(self, raw: bytes) -> None:
        mail = message_from_bytes(raw, policy=default)
        assert isinstance(mail, EmailMessage)
        self._mail = mail

    @property
    def dated(self) -> datetime:
        return parsedate_to_datetime(str(self._mail["Date"]))

    @property
    def subject(self) -> str:
        """ "" if purged."""
        return str(self._mail["Subject"] or "")

    @property
    def reply_to(self) -> str:
        """ "" for our own address."""
        return str(self._mail["Reply-To"] or "")

    @property
    def text(self) -> str:
        """Plain text with the divider."""
        return self._face("plain")

    @property
    def said(self) -> str:
        """Plain text without the divider."""
        return self.text.replace(DIVIDER, "").strip()

    @property
    def html(self) -> str:
        """ "" if it has none."""
        return self._face("html")

    @property
    def pictures(self) -> dict[str, bytes]:
        """PNGs by Content-ID."""
        images = [part for part in self._mail.walk() if part.get_content_type() == "image/png"]
        return {str(part["Content-ID"]).strip("<>"): part.get_content() for part in images}

    def _face(self, kind: str) -> str:
        body = self._mail.get_body((kind,))
        return str(body.get_content()).replace("\r\n", "\n") if body is not None else ""
