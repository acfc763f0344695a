"""A server that refuses us for a while, whoever the mail is to: none is lost, none comes twice."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from sqlalchemy import Engine

from pbem.house import config
from pbem.house.config import Smtp
from pbem.post import blocked, outbox
from pbem.post.compose import Draft, compose
from pbem.post.postmark import Postmark
from pbem.post.smtp import Transport
from pbem.post.work import Installation
from pbem.store.engine import database
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Outgoing
from tests.servers import free_ports

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
MARK = Postmark("referee@game.example", "The Referee", b"k" * 32, "gm@game.example")
SPAMHAUS = "550 5.7.1 Service unavailable; client host blocked using zen.spamhaus.org"
BLOCKS = {
    "the sender is refused": ("MAIL", "550 5.7.1 Your account is suspended"),
    "the sender is refused without a code": ("MAIL", "550 Not you"),
    "the sender's address is refused": ("MAIL", "553 5.1.8 Sender address rejected"),
    "the greeting": ("EHLO", "550 5.7.1 Go away"),
    "a blocklist at RCPT": ("RCPT", SPAMHAUS),
    "every recipient alike": ("RCPT", "550 5.1.1 User unknown in virtual table"),
    "relaying at RCPT": ("RCPT", "554 5.7.1 Relay access denied"),
    "reputation at DATA": ("DATA", "554 5.7.1 Message rejected due to poor sender reputation"),
    "rate at DATA": ("DATA", "550 5.4.5 Daily user sending quota exceeded"),
    "words alone at DATA": ("DATA", "554 Message refused by local policy"),
}


class Server:
    """Takes mail, unless it is told what to refuse: a verb of SMTP, its reply, and for whom."""

    def __init__(self) -> None:
        self.refuses: dict[str, str] = {}
        self.only = ""
        self.taken: list[str] = []
        self.asked = 0

    def _answer(self, verb: str, to: str = "") -> str | None:
        return self.refuses.get(verb) if self.only in to else None

    async def handle_EHLO(
        self, server: Any, session: Any, envelope: Any, name: str, said: list[str]
    ) -> list[str]:
        session.host_name = name
        return [no] if (no := self._answer("EHLO")) else said

    async def handle_HELO(self, server: Any, session: Any, envelope: Any, name: str) -> str:
        session.host_name = name
        return self._answer("EHLO") or "250 well"

    async def handle_MAIL(
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        self.asked += 1
        if no := self._answer("MAIL"):
            return no
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if no := self._answer("RCPT", address):
            return no
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        (to,) = envelope.rcpt_tos
        if no := self._answer("DATA", to):
            return no
        self.taken.append(str(message_from_bytes(envelope.content)["Message-ID"]))
        return "250 Taken"


class World:
    """An outbox, a server, and a clock that goes on by a minute at each pass."""

    def __init__(self, engine: Engine, server: Server, port: int) -> None:
        self.engine, self.server, self.now = engine, server, NOW
        self.carrier = Transport(Smtp(host="127.0.0.1", port=port, security="none"))
        mine = {"address": MARK.address, "gamesmaster": "gm@game.example"}
        host = {"host": "127.0.0.1"}
        self.site = Installation(
            engine, MARK, config.parse({"referee": mine, "imap": host, "smtp": host})
        )
        self.put: list[str] = []

    def write(self, number: int, to: str = "u{n}@x.example", game: str = "g") -> None:
        with self.site.work(self.now) as work:
            for n in range(len(self.put), len(self.put) + number):
                draft = Draft(f"k{n}", "receipt", "s", "t\n")
                mail = compose(MARK, draft, to.format(n=n), self.now)._replace(game_id=game)
                outbox.put(work, mail)
                self.put.append(mail.message_id)

    def once(self, minutes: int = 1) -> outbox.Sending:
        sending = outbox.Sending(self.carrier, self.now)
        sending.flush(self.engine)
        self.now += minutes * MINUTE
        return sending

    def states(self) -> Counter[str]:
        with exclusive_transaction(self.engine) as conn:
            return Counter(
                {str(state): n for state, n in Outgoing.by(conn, Outgoing.state).items()}
            )

    def bounced(self) -> bool:
        with exclusive_transaction(self.engine) as conn:
            return bool(blocked.read(conn))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    engine = database.connect(f"sqlite:///{tmp_path / 'pbem.db'}")
    database.upgrade(engine)
    server = Server()
    (port,) = free_ports(1)
    running = Controller(server, hostname="127.0.0.1", port=port)
    running.start()
    world = World(engine, server, port)
    yield world
    world.carrier.close()
    running.stop()
    engine.dispose()


@pytest.mark.parametrize("what", BLOCKS)
def test_none_is_lost_and_none_comes_twice(world: World, what: str) -> None:
    verb, reply = BLOCKS[what]
    world.write(33)
    world.server.refuses = {verb: reply}
    for _ in range(3):
        sending = world.once()
        assert sending.blocked and reply.partition(" ")[2] in sending.blocked.reply
    assert world.states() == {"ready": 33}
    asked = world.server.asked
    assert asked <= 5, "three mails tell that we are refused; then one asks now and then"
    world.server.refuses = {}
    for _ in range(20):
        sending = world.once()
    assert not sending.blocked
    assert world.states() == {"sent": 33}
    assert Counter(world.server.taken) == dict.fromkeys(world.put, 1)


def test_a_long_block_is_asked_every_quarter_of_an_hour(world: World) -> None:
    world.write(33)
    world.server.refuses = {"MAIL": "550 5.7.1 blocked"}
    for _ in range(24 * 60):
        world.once()
    assert world.server.asked < 120
    assert world.states() == {"ready": 33}, "and no mail is given up meanwhile"
    world.server.refuses = {}
    for _ in range(16):
        world.once()
    assert world.states() == {"sent": 33}, "what was tried waits no longer than the others"


def test_a_single_mail_is_no_reason_to_give_up(world: World) -> None:
    world.write(1)
    world.server.refuses = {"DATA": "554 5.7.1 bad reputation"}
    assert world.once().blocked
    world.server.refuses = {}
    for _ in range(3):
        world.once()
    assert world.states() == {"sent": 1}


def test_a_refused_recipient_is_his_own_trouble(world: World) -> None:
    world.write(5)
    world.server.refuses, world.server.only = {"RCPT": "550 5.1.1 No such user"}, "u0@"
    sending = world.once()
    assert not sending.blocked and world.states() == {"refused": 1, "sent": 4}


def test_two_dead_addresses_are_no_block(world: World) -> None:
    world.write(1)
    world.write(4, "u1@x.example")
    world.server.refuses = {"RCPT": "550 5.1.1 No such user"}
    assert not world.once().blocked and world.states() == {"refused": 5}


def test_invented_addresses_of_strangers_are_no_block(world: World) -> None:
    """Or a few forged letters would hold everybody's mail."""
    world.server.refuses = {"RCPT": "550 5.1.1 User unknown in virtual table"}
    world.write(5, game="")
    assert world.once().blocked is None


def test_recipients_refused_in_different_ways_are_no_block(world: World) -> None:
    world.write(1)
    world.server.refuses = {"RCPT": "550 5.1.1 No such user"}
    world.once()
    world.write(1)
    world.server.refuses = {"RCPT": "550 5.2.1 Disabled"}
    world.once()
    world.write(1)
    world.server.refuses = {"RCPT": "552 5.2.2 Full"}
    assert not world.once().blocked and world.states() == {"refused": 3}


def test_a_mail_that_alone_is_refused_for_its_words_is_given_up_in_the_end(world: World) -> None:
    """And the others go on meanwhile: each waits a minute at the most."""
    world.server.refuses, world.server.only = {"DATA": "554 5.7.1 Spam message rejected"}, "u0@"
    world.write(1)
    for n in range(60):
        world.write(2)
        world.once()
        if n % 2:
            world.once()
    assert world.states() == {"sent": 120, "refused": 1}
    assert not world.bounced()


def test_a_mail_that_is_too_large_is_its_own_trouble(world: World) -> None:
    world.write(3)
    world.server.refuses = {"MAIL": "552 5.3.4 Message size exceeds fixed limit"}
    assert not world.once().blocked and world.states() == {"refused": 3}


def test_another_daemon_asks_no_sooner(world: World) -> None:
    """That we are refused is on file."""
    world.write(33)
    world.server.refuses = {"MAIL": "550 5.7.1 blocked"}
    world.once(0)
    asked = world.server.asked
    other = Transport(world.carrier.account)
    for _ in range(5):
        outbox.Sending(other, world.now).flush(world.engine)
    other.close()
    assert world.server.asked == asked
    assert world.states() == {"ready": 33}
