"""Press as its readers get it, and their answers to it."""

import re
from email.message import EmailMessage

from tests.installation import GAMESMASTER, Installation, text_of
from tests.masters import reply_to

PROVEN = "mx.game.example; dmarc=pass header.from=legit.example"


def press_to(at: Installation, who: str) -> list[EmailMessage]:
    """The mails of press that somebody has got."""
    return [mail for mail in at.mails(who) if "Press from" in str(mail["Subject"])]


def words(at: Installation, who: str) -> str:
    """The text of the newest of them, on one line and without the names behind parties."""
    return re.sub(r" \(Player \w+\)", "", " ".join(text_of(press_to(at, who)[-1]).split()))


def write(at: Installation, sender: str, to: str, text: str, end: str = "END PRESS") -> None:
    """A letter with a press alone, and a pass."""
    at.send(sender, f"PRESS TO {to}\n{text}\n{end}")


def answer(at: Installation, who: str, text: str, *, of: int = -1, **headers: str) -> bytes:
    """Somebody answers the newest press that he has got, and the referee makes a pass."""
    to = str(press_to(at, who)[of]["Reply-To"])
    raw = at.write(who, text, **{"To": to, "Subject": "Re: press", **headers})
    at.once()
    return raw


def of_gamesmaster(at: Installation, to: str, text: str) -> None:
    """The gamesmaster writes a press, in answer to a mail of ours that he has got."""
    at.send(GAMESMASTER, "HELP")
    own = reply_to(at, GAMESMASTER)
    at.send(GAMESMASTER, f"GAME g\nPRESS TO {to}\n{text}\nEND PRESS", To=own)
    if code := re.search(r"CONFIRM \S+", at.newest(GAMESMASTER)):  # none if it cannot be done
        at.send(GAMESMASTER, code[0])
