"""Mails of ours, read again from the bytes in which they were frozen."""

from __future__ import annotations

from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parsedate_to_datetime

from pbem.post.compose import DIVIDER


class Frozen:
    """A mail of ours as it went out, in parts; each is read where it is asked for."""

    __slots__ = ("_mail",)

    def __init__(self, raw: bytes) -> None:
        mail = message_from_bytes(raw, policy=default)
        assert isinstance(mail, EmailMessage)
        self._mail = mail

    @property
    def dated(self) -> datetime:
        """When it was made, as it says."""
        return parsedate_to_datetime(str(self._mail["Date"]))

    @property
    def subject(self) -> str:
        """Its subject; "" of a mail whose bytes are purged."""
        return str(self._mail["Subject"] or "")

    @property
    def reply_to(self) -> str:
        """Where an answer to it goes, if not to our own address."""
        return str(self._mail["Reply-To"] or "")

    @property
    def text(self) -> str:
        """Its plain face, the divider on top."""
        return self._face("plain")

    @property
    def said(self) -> str:
        """What it says: its plain face without the divider."""
        return self.text.replace(DIVIDER, "").strip()

    @property
    def html(self) -> str:
        """Its HTML face, "" for none; it names the pictures by their Content-ID."""
        return self._face("html")

    @property
    def pictures(self) -> dict[str, bytes]:
        """The pictures of its HTML face as PNG, by Content-ID."""
        images = [part for part in self._mail.walk() if part.get_content_type() == "image/png"]
        return {str(part["Content-ID"]).strip("<>"): part.get_content() for part in images}

    def _face(self, kind: str) -> str:
        body = self._mail.get_body((kind,))
        return str(body.get_content()).replace("\r\n", "\n") if body is not None else ""
