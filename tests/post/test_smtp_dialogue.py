"""The dialogue for one mail against a server that answers as told: what each reply means, sent
together or one by one."""

import tomllib
from pathlib import Path

import pytest

from pbem.house.config import Smtp
from pbem.post import outbox, smtp
from pbem.post.smtp import Delivery, Sent, Transport
from tests.post.scripted import Script, Scripted

LETTER = b"Subject: Bulletin 1\r\n\r\nThe House met.\r\n"
REFUSED, LATER, SENT, UNKNOWN = Delivery.REFUSED, Delivery.LATER, Delivery.SENT, Delivery.UNKNOWN
TABLE = Path(__file__).with_name("dialogue.toml").read_text(encoding="utf-8")
CASES: dict[str, tuple[Script, Delivery, str]] = {
    name: (script, Delivery[becomes], said)
    for name, (script, becomes, said) in tomllib.loads(TABLE).items()
}
ANEW = ("lost before", "421 to the")
"""What tells that a connection was over before this mail: on one that had been kept the mail goes
by a new one."""


@pytest.fixture(params=[True, False], ids=["together", "one by one"])
def pipelining(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def transport(server: Scripted, timeout: float = 60.0) -> Transport:
    return Transport(Smtp(host="127.0.0.1", port=server.port, security="none", timeout=timeout))


def send(carrier: Transport) -> Sent:
    return carrier.send("referee@game.example", "a@legit.example", LETTER)


def bodies(raws: list[bytes]) -> list[bytes]:
    return [raw.removeprefix(b"\r\n").removesuffix(b".\r\n") for raw in raws]


@pytest.mark.parametrize("name", CASES)
def test_on_a_new_connection(name: str, pipelining: bool) -> None:
    script, outcome, words = CASES[name]
    with Scripted(script, {}, pipelining=pipelining) as server, transport(server) as carrier:
        sent = send(carrier)
        assert (sent.outcome, words in sent.reply) == (outcome, True), sent
        assert server.together == pipelining and server.connections == 1
        carrier.close()
        server.wait()
        assert bodies(server.taken) == [LETTER] * (outcome is SENT)
        went_out = outcome is SENT or "after the data" in name
        assert [body for body in bodies(server.data) if body] == [LETTER] * went_out
        assert send(carrier).outcome is SENT, "the next mail goes"


@pytest.mark.parametrize("name", CASES)
def test_on_a_connection_that_was_kept(name: str, pipelining: bool) -> None:
    script, outcome, words = CASES[name]
    second = {
        verb: ("354 Go on" if verb == "DATA" else "250 OK", said)
        for verb, said in script.items()
        if verb != "RSET"
    }
    second |= {"RSET": script["RSET"]} if "RSET" in script else {}
    with Scripted(second, {}, pipelining=pipelining) as server, transport(server) as carrier:
        assert send(carrier).outcome is SENT
        sent = send(carrier)
        if name.startswith(ANEW):
            assert sent.outcome is SENT and server.connections == 2
        else:
            assert (sent.outcome, words in sent.reply) == (outcome, True), sent
        assert bodies(server.taken) == [LETTER] * (1 + (sent.outcome is SENT))


def test_a_refusal_of_the_recipient_is_told_from_others(pipelining: bool) -> None:
    for name, (script, outcome, _) in CASES.items():
        with Scripted(script, pipelining=pipelining) as server, transport(server) as carrier:
            his = outcome is REFUSED and "RCPT" in script and "MAIL" not in script
            assert send(carrier).of_recipient == his, name


def test_after_a_no_the_dialogue_is_reset_or_given_up(pipelining: bool) -> None:
    with (
        Scripted({"RCPT": ("550 Nobody", "250 OK")}, {}, pipelining=pipelining) as server,
        transport(server) as carrier,
    ):
        assert [send(carrier).outcome, send(carrier).outcome] == [REFUSED, SENT]
        # Sent together DATA was answered with 354: nothing but the end of the connection takes that
        # back.
        assert (
            server.connections == (2 if pipelining else 1)
            and ("RSET" in server.heard) is not pipelining
        )
    well = {"RCPT": ("550 Nobody", "250 OK"), "DATA": ("554 No valid recipients", "354 Go on")}
    with Scripted(well, pipelining=True) as server, transport(server) as carrier:
        assert [send(carrier).outcome, send(carrier).outcome] == [REFUSED, SENT]
        assert server.connections == 1 and "RSET" in server.heard


def test_the_reply_to_the_final_dot_has_a_patience_of_its_own() -> None:
    """A server that looks for spam before it answers; giving up would send the mail twice (RFC
    1047)."""
    with Scripted(slow={".": 1.5}) as server, transport(server, timeout=1.0) as carrier:
        assert send(carrier).outcome is SENT
        assert carrier._smtp and carrier._smtp.sock and carrier._smtp.sock.gettimeout() == 1.0
        assert send(carrier).outcome is SENT and server.connections == 1
    with Scripted(slow={"RCPT": 1.2}) as server, transport(server, timeout=0.6) as carrier:
        assert send(carrier).outcome is LATER


def test_that_patience_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.post.smtp.LAST_DOT", 1.1)
    with Scripted(slow={".": 1.8}) as server, transport(server, timeout=1.0) as carrier:
        assert send(carrier).outcome is UNKNOWN
    with Scripted(slow={".": 1.3}) as server, transport(server, timeout=60.0) as carrier:
        assert send(carrier).outcome is SENT, "it is never less than for any other step"


def test_a_lease_outlives_that_patience() -> None:
    """Mails are leased in the first half of a lease; another daemon must not take one for lost
    meanwhile."""
    assert outbox.LEASE.total_seconds() / 2 >= smtp.LAST_DOT
