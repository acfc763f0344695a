"""The links of a mail, as its reader's mail program takes them up."""

from dataclasses import dataclass
from email.message import EmailMessage
from urllib.parse import parse_qs, unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser

from tests.installation import Installation

READY = "write this order"
"""The label of a link to an order that the welcome has ready."""


@dataclass(frozen=True)
class Opened:
    """The letter that a link opens."""

    label: str
    to: str
    subject: str
    body: str

    @property
    def part(self) -> str:
        """The plus part of its address."""
        return self.to.partition("+")[2].partition("@")[0]

    def send(self, at: Installation, sender: str, *blanks: str, **headers: str) -> bytes:
        """Fill in its blanks and send it."""
        body = self.body
        for words in blanks:
            body = body.replace("...", words, 1)
        return at.write(sender, body, **{"To": self.to, "Subject": self.subject, **headers})


def html_of(mail: EmailMessage) -> str:
    """Its HTML; "" where it has none."""
    body = mail.get_body(("html",))
    return str(body.get_content()) if body else ""


def links(mail: EmailMessage) -> list[Opened]:
    """All its links, from top to bottom."""
    found = []
    for node in LexborHTMLParser(html_of(mail)).css("a[href]"):
        where = urlsplit(node.attributes["href"] or "")
        assert where.scheme == "mailto", where
        asked = parse_qs(where.query, strict_parsing=True)
        found.append(
            Opened(node.text(), unquote(where.path), asked["subject"][0], asked["body"][0])
        )
    return found


def newest(at: Installation, seat: str) -> list[Opened]:
    """The links of the newest mail of a seat that has any."""
    return next(found for mail in reversed(at.mails(seat)) if (found := links(mail)))


def link(at: Installation, seat: str, begins: str) -> Opened:
    """The newest of a seat's links whose letter begins so."""
    return next(
        one
        for mail in reversed(at.mails(seat))
        for one in links(mail)
        if one.body.startswith(begins) and one.label != READY
    )


def outcome(at: Installation) -> str:
    """What became of the newest letter, after a pass."""
    at.once()
    return at.outcomes()[-1][0]
