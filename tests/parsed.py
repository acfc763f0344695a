"""Mails that were parsed before: a test looks at the same ones again and again."""

from copy import copy
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import lru_cache


def parsed(raw: bytes) -> EmailMessage:
    """Return the mail of these bytes. Whoever takes a header from it takes it from his copy."""
    return copy(_parsed(raw))


@lru_cache(maxsize=128)
def _parsed(raw: bytes) -> EmailMessage:
    return message_from_bytes(raw, policy=policy.default)


def attached(mail: EmailMessage, name: str = "tables.txt") -> str:
    """The text of an attachment, on one line."""
    found = [one for one in mail.iter_attachments() if one.get_filename() == name]
    return " ".join(str(found[0].get_content()).split())  # type: ignore[attr-defined]
