"""Press as a game wants it: under which name, how much of it, and who may write it; and nothing in
two presses that says that one player wrote both."""

import json
import re
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path

import pytest
from sqlalchemy import func, select

from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Outgoing, Press
from tests.installation import GAMESMASTER, SEATS, Installation, address, proven, text_of, told
from tests.mail.proof import Place
from tests.parsed import attached
from tests.pressing import of_gamesmaster, press_to, words, write
from tests.shell import Shell

pytestmark = pytest.mark.game("coalition")


def on_file(at: Installation) -> list[Press]:
    with exclusive_transaction(at.daemon.engine) as conn:
        return Press.many(conn, game_id="g", period=1)


# --- without a name -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        'PRESS TO B AS "The Old Fox"',
        "press to B as the old fox",
        "PRESS TO B, C AS O'Neill: Trust nobody.",
        "PRESS TO B AS The Old Fox ANONYMOUSLY",
        "PRESS TO B ANONYMOUS AS Reynard",
        "PRESS TO ALL AS Player B",
        "PRESS TO ZINE AS The Old Fox",
    ],
)
def test_players_have_no_pen_names(at: Installation, line: str) -> None:
    at.send("A", f"{line}\nSPECIAL AGR\nEND PRESS")
    assert on_file(at) == [] and press_to(at, "B") == [] and at.standing("A") == []
    assert "it was not relayed: players have no pen-names here" in told(at, "A")


def test_words_with_and_without_a_name_in_one_letter_are_warned_of(at: Installation) -> None:
    at.send("A", "PRESS TO B\nIt is I.\nEND PRESS\nPRESS TO C ANONYMOUS\nTrust nobody.")
    assert "send such words in two letters" in told(at, "A")


def test_a_hidden_writer_does_not_send_his_own_address(at: Installation) -> None:
    write(at, "A", "ALL ANONYMOUS", f"Trust nobody.\nBob, {address('A').upper()}")
    assert press_to(at, "B") == [] and "it holds your own address" in told(at, "A")
    write(at, "A", "ALL", f"Write to {address('A')}.")
    assert address("A") in words(at, "B"), "he may give it away under his own name"
    own = at.mails("A")[0]["Reply-To"]
    write(at, "A", "B", f"Look: {own}")
    assert len(press_to(at, "B")) == 1 and "which is yours alone" in told(at, "A")


# --- what two presses have in common --------------------------------------------------------------


ADDRESS = re.compile(rb"\+press\.[a-z2-7]{24}@")


def bytes_of(folder: Path, place: Place, writers: str, to: str) -> list[tuple[bytes, str]]:
    """The mails that C gets of two presses by these writers, each as it is but for the secret of
    its address, with the sender of its envelope."""
    folder.mkdir()
    with place(folder, "coalition", seats=SEATS) as at:
        at.start()
        for number, writer in enumerate(writers):
            write(at, writer, to.format(number), f"Words {number}.")
        with exclusive_transaction(at.daemon.engine) as conn:
            where = (Outgoing.kind == "press", Outgoing.seat == "C")
            asked = select(Outgoing.raw, Outgoing.envelope_from).where(*where)
            found = conn.execute(asked.order_by(Outgoing.id)).all()
        assert len(found) == 2
        return [(ADDRESS.sub(b"+press.secret@", row.raw), row.envelope_from) for row in found]


@pytest.mark.parametrize("to", ["ALL ANONYMOUS", "C, D ANONYMOUS"])
def test_nothing_in_two_presses_says_that_one_player_wrote_both(
    tmp_path: Path, place: Place, to: str
) -> None:
    by = {
        writers: bytes_of(tmp_path / writers, place, writers, to)
        for writers in ("AA", "AB", "BA", "BB")
    }
    assert by["AA"] == by["AB"] == by["BA"] == by["BB"], "not a byte is its writer's"


SECRET = ("Message-ID", "Reply-To", "Content-Type")
"""The fields of a press's header that have a secret in them."""


def test_the_headers_of_two_presses_differ_by_their_secrets_and_the_time_only(
    at: Installation,
) -> None:
    for writer in "AAB":
        write(at, writer, "ALL ANONYMOUS", f"I am not {writer}.")
    raws = [message_from_bytes(mail.as_bytes()) for mail in press_to(at, "C")]
    assert len(raws) == 3
    for raw in raws:
        assert raw["In-Reply-To"] is None and raw["References"] is None
        assert not {"a@", "b@"} & {word[:2] for word in raw.as_string().split()}
    first, *others = ([item for item in raw.items() if item[0] != "Date"] for raw in raws)
    for other in others:
        assert [item for item in first if item[0] not in SECRET] == [
            item for item in other if item[0] not in SECRET
        ]
        for name in SECRET:
            assert dict(first)[name] != dict(other)[name]


def test_the_addresses_count_nothing(at: Installation) -> None:
    """Of two that follow each other no part is alike: nobody counts the press of others by them."""
    for _ in range(3):
        write(at, "A", "ALL ANONYMOUS", "Trust nobody.")
    parts = [str(mail["Reply-To"]).partition("+press.")[2][:24] for mail in press_to(at, "C")]
    assert len({part[-8:] for part in parts}) == len({part[:8] for part in parts}) == 3


# --- what a game has ------------------------------------------------------------------------------


@pytest.fixture
def mode() -> str:
    return "open"


@pytest.fixture
def club(tmp_path: Path, place: Place, mode: str) -> Iterator[Installation]:
    with place(tmp_path, "coalition", seats=SEATS, house={"press": mode}) as at:
        at.start()
        yield at


@pytest.mark.parametrize("mode", ["open"])
def test_open_press_goes_to_all_and_says_whose_it_is(club: Installation) -> None:
    for to in ("B", "ALL ANONYMOUS"):
        write(club, "A", to, "Trust nobody.")
        assert press_to(club, "B") == []
        assert "press goes to ALL, and under its writer's own seat" in told(club, "A")
    write(club, "A", "ALL", "Trust me.")
    assert "Press from A to ALL: | Trust me." in words(club, "B")
    assert "An answer to this" not in words(club, "B")
    assert "Press goes to ALL, and says whose it is" in attached(club.mails("A")[0])


@pytest.mark.parametrize("mode", ["none"])
def test_a_game_without_press(club: Installation) -> None:
    write(club, "A", "ALL", "Trust nobody.")
    assert press_to(club, "B") == [] and "played without press" in told(club, "A")
    club.send("A", "SPECIAL AGR\nPRESS TO ALL\nTrust nobody.\nEND PRESS")
    assert club.standing("A") == ["SPECIAL AGR"], "its orders count"
    of_gamesmaster(club, "ALL", "Send your orders.")
    assert "Press from the gamesmaster to ALL: | Send your orders." in words(club, "B")
    assert "This game is played without press" in attached(club.mails("A")[0])
    assert "PRESS TO" not in text_of(club.mails("A")[0]), "nobody is asked to write any"


@pytest.mark.parametrize(
    ("text", "has"), [("word\n" * 401, "401 lines"), ("long " * 5000, "24,999 characters")]
)
def test_a_press_has_a_length(at: Installation, text: str, has: str) -> None:
    write(at, "A", "B", text.strip())
    assert press_to(at, "B") == []
    assert has in told(at, "A") and "400 lines and 20,000 characters at most" in told(at, "A")


# --- the gamesmaster's ----------------------------------------------------------------------------


def test_coalitions_gamesmaster_may_publish_what_names_nobody(at: Installation) -> None:
    """Its rule 3."""
    of_gamesmaster(at, "ALL ANONYMOUS", "B is lying.")
    write(at, "A", "ALL ANONYMOUS", "B is lying.")
    his, players = press_to(at, "C")
    assert his["Subject"] == players["Subject"]
    assert text_of(his) == text_of(players), "nobody can tell his from a player's"
    assert his.keys() == players.keys() and his["X-Pbem"] == players["X-Pbem"]
    of_gamesmaster(at, "B, C AS The Herald", "The king is ill.")
    assert 'Press from "The Herald" (a pen-name) to B, C:' in words(at, "C")
    of_gamesmaster(at, "ALL AS Player A", "I resign.")
    assert "nothing was relayed: Player A is taken already" in told(at, GAMESMASTER)
    at.to_deadline()
    assert "gamesmaster:\n    | B is lying" not in "".join(map(text_of, at.mails("C")))


@pytest.mark.parametrize("veil", ["ANONYMOUS", "AS The Herald"])
def test_another_games_says_whose_it_is(tmp_path: Path, place: Place, veil: str) -> None:
    with place(tmp_path, "parlement-1966") as at:
        at.start()
        of_gamesmaster(at, f"ALL {veil}", "S is lying.")
        assert "it is the gamesmaster's, and cannot be" in told(at, GAMESMASTER)
        assert press_to(at, "L") == []


# --- press by mail --------------------------------------------------------------------------------


def received(at: Installation, seat: str) -> list[str]:
    return [text_of(mail) for mail in at.mails(seat) if "Press from" in str(mail["Subject"])]


def test_orders_below_a_press_without_its_end_go_to_nobody(at: Installation) -> None:
    at.send("A", 'NAME "Harbour"\nPRESS TO B\nDear B, trust me.\nSPECIAL AGR, ENV\nSTANDING AYE')
    assert received(at, "B") == [] and at.standing("A") == ['NAME "Harbour"']
    said = " ".join(at.newest("A").split())
    assert "PRESS TO B was held: it has no line END PRESS" in said
    assert (
        "| SPECIAL AGR, ENV | STANDING AYE" in said
        and "Send it again" in said
        and "Dear B" not in said
    )
    with exclusive_transaction(at.daemon.engine) as conn:
        assert conn.execute(select(func.count(Press.id))).scalar_one() == 0
    at.send("A", "PRESS TO B\nDear B, trust me.\nEND PRESS\nSPECIAL AGR, ENV\nSTANDING AYE")
    assert len(received(at, "B")) == 1 and len(at.standing("A")) == 3
    at.to_deadline()
    assert not any("trust me" in text_of(mail) for mail in at.mails("C"))


def test_the_receipt_of_a_held_press_asks_for_nothing_when_quoted(at: Installation) -> None:
    at.send(
        "A",
        "PRESS TO ALL\nWe agree.\nSTANDING AYE\nHELP\nPRESS TO B\nso do we\nEND PRESS\nSPECIAL AGR",
    )
    assert (
        received(at, "C") == []
        and len(received(at, "B")) == 1
        and at.standing("A") == ["SPECIAL AGR"]
    )
    assert "THE ORDER GUIDE" not in at.newest("A")
    at.send("A", f"CANCEL SPECIAL\n\n{at.newest('A')}")
    assert at.standing("A") == [] and len(received(at, "B")) == 1 and received(at, "C") == []


@pytest.mark.parametrize("anonymous", ["", " ANONYMOUS"])
def test_the_receipt_shows_the_press_as_it_went_out(at: Installation, anonymous: str) -> None:
    proven(at, "A", "RECEIPTS ALL")
    at.send(
        "A",
        f"PRESS TO B, C{anonymous}\nVote\u202e with me.\n\nVOTE AYE\nEND\n\x1b[1mbold\x1b[0m"
        f" {'long ' * 30}\nEND PRESS\nSPECIAL AGR",
    )
    (gone,) = received(at, "B")
    words = gone.split("--------\n")[-1].strip()
    assert "| VOTE AYE" in words and words.startswith(
        f"Press from {'an anonymous player' if anonymous else 'A (Player A)'}"
        " to B (Player B), C (Player C):"
    )
    assert " ".join(words.split()) in " ".join(
        at.newest("A").split()
    ) and "YOUR PRESS TO B, C AS IT WENT OUT" in at.newest("A")


def test_check_says_what_would_become_of_it(at: Installation) -> None:
    at.send("A", "CHECK\nPRESS TO B\nHello.\nPRESS TO C\nHello\nSTANDING AYE")
    said = " ".join(at.newest("A").split())
    assert "PRESS TO B: it can be relayed as it is." in said and "PRESS TO C was held" in said
    assert received(at, "B") == received(at, "C") == []


def test_pbem_letter_says_what_becomes_of_it(begun: Shell, tmp_path: Path) -> None:
    file = tmp_path / "press.eml"
    file.write_bytes(begun.at.letter("A", "PRESS TO B\nHello.\nSTANDING AYE\nPRESS TO C\nHello"))
    said = begun("letter", str(file))
    assert (
        "press to B: held, since without END PRESS these lines may be orders: STANDING AYE" in said
    )
    assert "press to C: relayed" in said
    assert json.loads(begun("letter", str(file), "--json"))["orders"] == []
