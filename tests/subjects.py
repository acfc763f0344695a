"""Subjects of the mails that somebody has got."""

import re
from email.message import EmailMessage

from tests.installation import GAMESMASTER, Installation

_HEADLINE = re.compile(r"^(\[\w+\] Bulletin \d+(?: \(corrected\))?): (?!the gamesmaster).*")


def issue(mail: EmailMessage) -> str:
    """A mail's subject; of a bulletin without its headline."""
    return _HEADLINE.sub(r"\1", str(mail["Subject"]))


def issues(at: Installation, who: str) -> list[str]:
    """The subjects of all mails that somebody has, bulletins without their headlines."""
    return [issue(mail) for mail in at.mails(who)]


def subjects(at: Installation, who: str = GAMESMASTER) -> list[str]:
    """The subjects of all that somebody has got."""
    return [str(mail["Subject"]) for mail in at.mails(who)]
