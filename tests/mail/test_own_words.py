"""Whatever goes out can be quoted bare: no line of a mail of ours is an order or a word for the
referee, and all keep within 78 columns. Programs can sort it by its header."""

import re
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from functools import cached_property

import pytest
from sqlalchemy import select

from pbem.daemon.loop import Daemon
from pbem.games import GAMES
from pbem.games.frame.dice import Dice
from pbem.orders.language import Language
from pbem.orders.mailwords import peel
from pbem.orders.order import CANCEL
from pbem.periods import claims, record, rewinding
from pbem.periods.rewinding import Rewind
from pbem.post.compose import DIVIDER
from pbem.referee.acts import word_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.mails.lanes import SHOWN_AS
from pbem.store.schema.tables import Outgoing
from tests.bots import nonsense
from tests.installation import GAMESMASTER, REFEREE, Installation, address, text_of
from tests.masters import reply_to

pytestmark = pytest.mark.slow
STRANGER, STANDBY, NEW = "someone@else.example", "standby@else.example", "new@else.example"
SPECIAL = (
    "MOVE ALONG, PLEASE; AND DO NOT FORGET TO BRING THE MINUTES OF THE LAST MEETING OF THE WHOLE"
    " COMMITTEE"
)
LONG = "The committee " + "of the whole house " * 8 + "sits."
EVERYWHERE = {
    "start", "bulletin", "receipt", "receipts", "challenge", "challenges", "proof", "gamesmaster", "alarm", "digest",
    "question", "stranger", "reminder", "replaced", "warned", "deadline", "hold", "resume", "changes", "press",
    "asked", "leaving", "standby",
}  # fmt: skip
SOMEWHERE = {
    "coalition": {"notice"},
    "parlement-1966": {"offer"},
    "parlement-1968": {"event", "report"},
}
"""The kinds of mail that are looked at in every game, and those that only some games send."""
NOWHERE = {"parlement-1968": {"deadline", "reminder"}}  # a Government is formed without a deadline
SORTED = re.compile(r"kind=([a-z]+)(?:; game=([a-z0-9-]+)(?:; period=([0-9]+))?)?")
UNBROKEN = re.compile(r"\S{40,}|\S+@\S+|https?://\S+")
"""Addresses, URLs, codes and hashes: what nobody breaks."""


class Life:
    """An installation in which everything is written that is answered in some way."""

    def __init__(self, at: Installation) -> None:
        self.at, self.seats = at, at.seats
        self.bot = nonsense(at.key)

    @cached_property
    def mails(self) -> list[tuple[EmailMessage, str]]:
        """All that came to anybody, each with its text."""
        found = (mail for box in self.at.boxes if box != REFEREE for mail in self.at.mails(box))
        return [(mail, text_of(mail).replace(DIVIDER, "")) for mail in found]

    def lead(self) -> None:
        at, (one, two) = self.at, self.seats[:2]
        at.start()
        at.write(one, "HELP\nSTATUS\nORDERS\nHISTORY\nHISTORY 77\nWHY\nWHY S 21")
        at.write(
            one,
            f"CHECK\nPASS\n{SPECIAL}\nCANCEL ALL\nCANCEL NOTHING AT ALL\nVOTE YES ON 4 VOTE NO ON"
            " 5\nRESIGN FROM EVERYTHING",
        )
        at.write(
            one,
            f"PRESS TO ALL\nVOTE YES ON 4\nPASS\nHELP\n{LONG}\nEND PRESS\nPRESS TO {two}"
            " ANONYMOUS\nPASS\nEND PRESS",
        )
        at.write(
            two, "ABSENT 2026-03-05 TO 2026-03-09\nWAIT\nPASS\n> PASS\n> VOTE YES ON 4\n-- \nPASS"
        )
        self.quits(two)
        at.write(two, "PERIOD 7\nPASS")
        at.write(two, "GAME nosuch\nPASS")
        at.write(STRANGER, "PASS")
        self.commands("HOLD because of the long illness of the gamesmaster")
        self.commands("RESUME")
        self.commands(
            f"QUEUE\nHELP\nWARN {self.seats[1]} {LONG}\nPREVIEW\nREPLACE {self.seats[-1]} {NEW}\nREPLACE nobody {NEW}\nEXTEND 2"
            f" {'for a good reason ' * 3}\nRULE {LONG}"
        )
        self.commands(
            f"ORDER {one}\nPASS\n{SPECIAL}\nHELP ME\nEND ORDER\nPRESS TO ALL\nPASS\nHELP\n{LONG}\nEND"
            f" PRESS\nPRESS TO {two}\nPASS\nACCEPT\nRELEASE\nROTATE {two}\nADDRESS {NEW} WORKS\n"
            f"STANDBY {STANDBY} {LONG[:60]}\nDISMISS 1\nRETRY 1\nRESEND 1"
        )
        self.commands("CLOSE")
        at.write(GAMESMASTER, "CLOSE", Authentication_Results="")
        for _ in range(3):
            at.write(two, "STATUS\nHELP")
        at.once()
        with exclusive_transaction(at.daemon.engine) as conn:
            claims.enlist(at.work(conn), "g", STANDBY, "Stella")
            record.ask_to_go_on(at.work(conn), games.game_at(conn, "g"), one, 2)
        for turn in range(6):
            self.turn(silent=one if turn < 4 else "")
        self.corrected()
        self.challenged()
        at.later(days=1)

    def quits(self, seat: str) -> None:
        """Whoever asks to be relieved, and thinks better of it; and says READY, and thinks better
        of that."""
        at = self.at
        at.send(seat, "READY\nQUIT\nRESIGN")
        for code in [
            c for mail in at.mails(seat) for c in re.findall(r"(?m)^ +CONFIRM (\S+)", text_of(mail))
        ]:
            at.write(seat, f"CONFIRM {code}")
        at.once()
        at.send(seat, "CANCEL RESIGN\nCANCEL QUIT\nCANCEL READY\nWAIT")

    def commands(self, text: str) -> None:
        """The gamesmaster's, and each that needs a code confirmed."""
        at = self.at
        head = f"GAME g\nPERIOD {at.table().period.number}\n"
        secret = reply_to(at, GAMESMASTER)
        at.send(GAMESMASTER, head + text, To=secret)
        for code in re.findall(r"CONFIRM (\S+)", at.newest(GAMESMASTER)):
            at.send(GAMESMASTER, f"CONFIRM {code}")

    def turn(self, silent: str) -> None:
        """A period as the bots play it, with what else is said in it."""
        at = self.at
        table = at.table()
        if table.row.status != "running":
            return
        for seat in self.seats:
            text = self.bot.letter(
                at.view(),
                at.view(seat),
                seat,
                Dice("5", "g").stream(f"{seat}{table.period.number}"),
            )
            if text and seat != silent and "RESIGN" not in text:
                lines = [
                    *text.replace("AYE", "NAY").splitlines(),
                    "HELP",
                    "STATUS",
                    "HISTORY",
                    SPECIAL,
                ]
                at.write(at_home(at, seat), "\n".join(lines), Subject="[g] orders")
        at.once()
        due = at.table().period.due
        if due is None:
            at.later(days=8)
            return
        at.clock = max(at.clock, due - timedelta(hours=20))
        at.once()
        at.clock = max(at.clock, due)
        at.once(minutes=70)

    def corrected(self) -> None:
        at = self.at
        number = at.table().period.number
        with exclusive_transaction(at.daemon.engine) as conn:
            word_acts.rule(at.work(conn), "g", "It was counted wrongly.")
            rewinding.done(at.work(conn), Rewind("g", number - 1, "a letter had been misread"))
        at.once()

    def challenged(self) -> None:
        """A second game that asks for proof."""
        at, seat = self.at, self.seats[1]
        at.trust = "proven"
        at.start("h")
        at.write(seat, "PASS", Subject="orders")  # for which game?
        for n in range(6):
            at.write(seat, f"{SPECIAL}\nPASS\nHELP {n}", Subject="[h] " + "VOTE YES ON 4 PASS " * 6)
        at.write(seat, "CONFIRM", Subject="[h] mine")
        at.write(seat, "CONFIRM abcdefgh", Subject="[h] mine")
        at.write(seat, "", Subject="unsubscribe")
        at.once(minutes=61)
        at.once(minutes=61)


def at_home(at: Installation, seat: str) -> str:
    """Where the seat's mail goes by now."""
    return next(
        (holder.address for name, holder in at.table().holders.items() if name == seat), ""
    ) or address(seat)


@pytest.fixture(params=list(GAMES), scope="module")
def life(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Life]:
    folder, key = tmp_path_factory.mktemp("words"), request.param
    with Installation(
        folder, key, limits={"receipts_an_hour": 3}, strangers=(STRANGER, STANDBY, NEW)
    ) as at:
        made = Life(at)
        made.lead()
        yield made


def kinds(daemon: Daemon) -> set[str]:
    with exclusive_transaction(daemon.engine) as conn:
        return set(conn.execute(select(Outgoing.kind).distinct()).scalars())


def test_every_kind_of_mail_is_there(life: Life) -> None:
    wanted = EVERYWHERE | SOMEWHERE.get(life.at.key, set())
    missing = wanted - kinds(life.at.daemon) - NOWHERE.get(life.at.key, set())
    assert not missing


def test_no_line_of_our_mails_is_an_order_or_a_word_for_the_referee(life: Life) -> None:
    language, pieces = life.at.table().ruleset.language, dict[tuple[str, bool], str]()
    for mail, text in life.mails:
        for piece in (text, *text.splitlines()):
            pieces.setdefault((piece, str(mail["To"]) == GAMESMASTER), str(mail["Subject"]))
    found = {
        f"{subject}: {heard} in {piece[:200]}"
        for (piece, gamesmaster), subject in pieces.items()
        for heard in hears(language, piece, gamesmaster)
    }
    assert not found, "\n".join(sorted(found))


def hears(language: Language, text: str, gamesmaster: bool) -> list[str]:
    """What a letter with this text would ask for. A code to be confirmed must stand on a line of
    its own."""
    peeled = peel(text, gamesmaster)
    heard = [f"{one.name} {one.argument}" for one in peeled.commands if one.name != "CONFIRM"]
    heard += [f"PRESS {one.to}" for one in peeled.press]
    heard += [f"GAME {peeled.game}"] * bool(peeled.game) + [f"PERIOD {peeled.period}"] * (
        peeled.period is not None
    )
    heard += ["END"] * bool(peeled.ended) + ["CONFIRM"] * bool(
        re.fullmatch(r"\W*CONFIRM\W*", text, re.IGNORECASE)
    )
    lines = language.split(peeled.text, (CANCEL,))
    return heard + [
        one.text for one in lines if one.text.upper().startswith(CANCEL) or language.reads(one.text)
    ]


def test_every_line_of_our_mails_keeps_within_its_columns(life: Life) -> None:
    wide = {
        (str(mail["Subject"]), line)
        for mail, text in life.mails
        for line in text.splitlines()
        if len(line) > 78 and not UNBROKEN.search(line)
    }
    assert not wide, "\n".join(sorted(f"{subject}: {line}" for subject, line in wide))
    texts = "\n".join(text for _, text in life.mails)
    assert not re.search(r"\d\d:\d\d:\d\d\.\d", texts) and not re.search(r"\d-\d\dT\d\d:", texts)


def test_every_mail_can_be_sorted_and_the_header_says_no_more_than_its_reader_knows(
    life: Life,
) -> None:
    """Kind, game and period: a game is told to its players, else only if the subject has it."""
    with exclusive_transaction(life.at.daemon.engine) as conn:
        rows = conn.execute(select(Outgoing.message_id, Outgoing.kind)).all()
    kind_of = {row.message_id: row.kind for row in rows}
    for mail, _ in life.mails:
        found = SORTED.fullmatch(str(mail["X-Pbem"]))
        assert found, mail["X-Pbem"]
        kind, game, period = found.groups()
        subject = " ".join(str(mail["Subject"]).split())
        assert kind == SHOWN_AS[kind_of[str(mail["Message-ID"])]]
        assert mail["List-Id"] == (f"<{game}.game.example>" if game else "<game.example>")
        assert not game or f"[{game}]" in subject or mail["Reply-To"], subject
        assert period is None or int(period) <= 40
        if kind == "door":
            assert not game or f"[{game}]" in subject
