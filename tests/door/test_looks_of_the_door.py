"""Every mail of the door has HTML, asks in few words, and shows a bar only before words to pass on.

Run with ``-s``, it prints the words of each.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

from tests.installation import text_of
from tests.mail.test_open_tables import ANN, BEN, CLEO, DAN, FAY, FORGER, GUS, Club

MOST_WORDS = 200
"""So many has a mail that asks for something."""
LONG = ("How ", "The rules of ", "[autumn] Bulletin")
"""What is read at leisure: guides, rules and bulletins."""
NO_LIMIT = {"unregistered_mails_an_hour": 1_000, "stranger_mails_an_hour": 1_000}
WORDS = ("GAMES", "GAMES autumn", "HELP", "RULES", "TABLES", "STATUS", "CONFIRM abcd2345abcd2345")
SAID = ("Who are you?", "The cat is fine.", "I would like to join quincunx", "I'd like to watch")


def answers(at: Club, who: str, *said: str) -> Iterator[EmailMessage]:
    """What somebody is sent for each of these letters."""
    for text in said:
        before = len(at.mails(who))
        at.say(who, text)
        yield from at.mails(who)[before:]


def yes(at: Club, who: str, text: str = "yes") -> str:
    asked = next(one for one in reversed(at.mails(who)) if one["Reply-To"])
    return at.say(who, text, To=str(asked["Reply-To"]))


def test_each_mail_of_the_door(tmp_path: Path) -> None:
    with Club(tmp_path, key="legislation", limits=NO_LIMIT) as at:
        mails = [*answers(at, FORGER, "GAMES", "Hello there")]
        at.open(places=3, closes="2026-04-20")
        mails += answers(at, FORGER, *WORDS, *SAID)
        at.say(ANN, "I'd like to join, please")
        yes(at, ANN, "How long does it take?")
        yes(at, ANN, "hmm")
        yes(at, ANN)
        mails += at.mails(ANN)
        mails += answers(at, ANN, *WORDS, *SAID, "I'd like to join")
        passed = "mx.game.example; dmarc=pass header.from=gus.example"
        at.say(GUS, "I'd like to join", Authentication_Results=passed)
        yes(at, GUS, "No, who is this?")
        at.say(CLEO, "I'd like to watch autumn")
        yes(at, CLEO)
        at.join(BEN)
        mails += [*at.mails(GUS), *at.mails(CLEO), *answers(at, ANN, "SIGNOFF")]
        had = len(at.mails(ANN))
        at.join(DAN)
        at.clock += timedelta(hours=1)
        yes(at, ANN, "good morning")
        yes(at, ANN)
        at.say(FAY, "SIGNON autumn AS Fay")
        at.confirm(FAY)
        at.confirm(BEN)
        mails += [*at.mails(ANN)[had : had + 3], *at.mails(FAY), *answers(at, GUS, *WORDS)]
    for mail in mails:
        text, subject = text_of(mail), str(mail["Subject"])
        print(f"{len(text.split()):5} {subject}")
        assert mail.get_body(("html",)), subject
        assert subject.startswith(LONG) or len(text.split()) <= MOST_WORDS, text
        own = re.sub(r"(?m)^    \|.*$", "", text)  # words to pass on
        assert not re.search(r"(?m)^[ *]*\|", own), text
    board = [
        mail for mail in mails if any(one.get_content_maintype() == "image" for one in mail.walk())
    ]
    assert [str(one["To"]) for one in board] == [GUS], (
        "once, to the one whose provider vouches for him"
    )
