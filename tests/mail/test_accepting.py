"""A letter is accepted for another seat, or for the period that is open, on the gamesmaster's
word."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.acts.acts import BY_NAME
from pbem.errors import Doubtful, OperatorError
from pbem.referee.acts.doing import Actor, do
from pbem.referee.gamesmaster import explaining
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Journal, Letter, Ruling
from tests.installation import GAMESMASTER, SEATS, Installation, address, desk
from tests.masters import reply_to

ACCEPT = BY_NAME["accept"]


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Installation]:
    with Installation(tmp_path, "coalition", seats=SEATS) as at:
        at.start()
        with exclusive_transaction(at.daemon.engine) as conn:
            player = "(SELECT player_id FROM seat WHERE seat = 'B')"
            conn.exec_driver_sql(f"UPDATE seat SET player_id = {player} WHERE seat = 'C'")
        yield at  # B plays C too


def accept(at: Installation, letter: int, who: str = "", **given: object) -> str:
    values = {one.name: None for one in ACCEPT.arguments} | {"letter": letter, **given}
    with desk(at) as work:
        return do(work, ACCEPT, values, Actor(who)).said


def row(at: Installation, number: int) -> tuple[str, str, str, int]:
    with exclusive_transaction(at.daemon.engine) as conn:
        found = select(Letter.outcome, Letter.game_id, Letter.seat, Letter.period)
        return tuple(conn.execute(found.where(Letter.id == number)).one())  # type: ignore[return-value]


def rulings(at: Installation) -> list[str]:
    with exclusive_transaction(at.daemon.engine) as conn:
        return list(conn.execute(select(Ruling.text).where(Ruling.game_id == "g")).scalars())


def journal(at: Installation) -> dict[str, object]:
    with exclusive_transaction(at.daemon.engine) as conn:
        found = select(Journal.data).where(Journal.kind == "letter-accepted")
        return dict(conn.execute(found.order_by(Journal.n.desc())).scalars().first() or {})


def held(at: Installation, text: str = "SPECIAL AGR", who: str = "B") -> None:
    """A letter of which nobody can tell for which seat it is."""
    at.send(who, text)
    assert row(at, 1)[0] == "held"


def test_a_letter_that_says_no_seat_counts_for_the_one_that_is_said(at: Installation) -> None:
    held(at)
    with pytest.raises(OperatorError, match="`pbem accept 1 --seat SEAT` says for which it is"):
        accept(at, 1)
    assert accept(at, 1, seat="c").endswith("takes letter 1 for C in game g, period 1.")
    at.once()
    assert row(at, 1) == ("orders", "g", "C", 1)
    assert at.standing("C") == ["SPECIAL AGR"] and at.standing("B") == []
    said = " ".join(at.newest("B").split())
    assert "The gamesmaster accepted this letter for C and for period 1" in said
    assert rulings(at) == [
        "The gamesmaster accepted for C a letter that did not say so itself in this period."
    ]
    by = {"by": "the shell"}
    assert journal(at) == {"letter": 1, "seat": "C", "period": 1, "of": "? in g", **by}


def test_it_is_explained_as_it_was_decided(at: Installation) -> None:
    held(at)
    accept(at, 1, seat="C")
    at.once()
    told = at.act(explaining.explain, None, 1)
    assert (told.json["verdict"], told.json["seat"], told.json["period"]) == ("orders", "C", 1)
    assert "accepted by the gamesmaster, for the seat and the period that they said" in told.text


def test_a_letter_of_another_period_counts_for_the_open_one(at: Installation) -> None:
    at.send("A", "PERIOD 7\nSPECIAL AGR")
    assert row(at, 1)[0] == "late"
    accept(at, 1, period=1)
    at.once()
    assert row(at, 1) == ("orders", "g", "A", 1) and at.standing("A") == ["SPECIAL AGR"]
    assert rulings(at) == ["The gamesmaster accepted a held letter in this period."]


def test_it_never_counts_for_a_later_period_than_was_said(at: Installation) -> None:
    at.send("A", "PERIOD 7\nSPECIAL AGR")
    accept(at, 1, period=1)
    at.act(do, BY_NAME["close"], {"game": "g", "period": 1, "unread": True}, Actor())
    at.once()
    assert row(at, 1)[0] == "late" and at.standing("A") == []
    assert "It was accepted for period 1, which is closed; the open period is 2." in " ".join(
        at.newest("A").split()
    )
    accept(at, 1)
    at.once()
    assert row(at, 1) == ("orders", "g", "A", 2)
    assert "accepted this letter for A and for period 2" in " ".join(at.newest("A").split())


def test_of_a_closed_period_the_refusal_names_the_rewind(at: Installation) -> None:
    at.send("A", "PERIOD 7\nSPECIAL AGR")
    at.to_deadline()
    with pytest.raises(OperatorError, match="`pbem rewind g 1 --accept 1`"):
        accept(at, 1, period=1)
    with pytest.raises(OperatorError, match="game g is in period 2, not 3"):
        accept(at, 1, period=3)
    assert row(at, 1)[0] == "late" and rulings(at) == []


def test_what_cannot_be_is_refused(at: Installation) -> None:
    held(at)
    with pytest.raises(OperatorError, match="there is no seat 'Z' in g"):
        accept(at, 1, seat="Z")
    with pytest.raises(OperatorError, match="does not say for which seat"):
        accept(at, 1, period=1)
    at.act(do, BY_NAME["end"], {"game": "g", "why": None}, Actor())
    with pytest.raises(OperatorError, match="game g is over"):
        accept(at, 1, seat="B")
    assert row(at, 1)[0] == "held" and journal(at) == {}


def test_another_players_letter_is_hardly_meant(at: Installation) -> None:
    at.send("A", "PERIOD 7\nSPECIAL AGR\nQUIT\nABSENT 2026-03-09 TO 2026-03-12")
    assert row(at, 1)[:3] == ("late", "g", "A")
    before = len(at.mails("A"))
    with pytest.raises(Doubtful, match="is from the player of A in g, and not from that of B"):
        accept(at, 1, seat="B")
    accept(at, 1, seat="B", anyway=True)
    at.once()
    assert row(at, 1) == ("orders", "g", "B", 1)
    assert at.standing("B") == ["SPECIAL AGR"] and at.standing("A") == []
    said = " ".join(at.newest("B").split())
    assert "Only the player can say QUIT and ABSENT" in said and "from this letter" in said
    assert address("A") not in said and len(at.mails("A")) == before
    assert at.table().holders["B"].quits is None
    assert "anyway" in journal(at) and journal(at)["of"] == "A in g"


def test_an_answer_to_no_game_names_what_is_missing(at: Installation) -> None:
    at.send("B", "GAME nosuch\nSPECIAL AGR")
    assert row(at, 1)[1] == ""
    with pytest.raises(OperatorError, match="does not say for which game"):
        accept(at, 1, seat="B")
    accept(at, 1, game="g", seat="B")
    at.once()
    assert row(at, 1) == ("orders", "g", "B", 1) and at.standing("B") == ["SPECIAL AGR"]


def test_what_has_no_orders_to_count_is_not_accepted_for_a_seat(at: Installation) -> None:
    at.send("B", "SPECIAL AGR", To=f"{at.table().row.id}@nowhere.example")
    at.send("B", "GAMES\nSPECIAL AGR")
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.exec_driver_sql("UPDATE letter SET outcome = 'held', game_id = 'g' WHERE id = 2")
    raw = at.letter("B", "GAMES")
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(Letter.__table__.update().where(Letter.id == 2).values(raw=raw))
    with pytest.raises(OperatorError, match="letter 2 cannot count for B in g: GAMES: anybody"):
        accept(at, 2, seat="B")


def by_mail(at: Installation, line: str) -> str:
    to = reply_to(at, GAMESMASTER)
    at.send(GAMESMASTER, line, To=to)
    if found := re.search(r"CONFIRM (\S+)", at.newest(GAMESMASTER)):
        at.send(GAMESMASTER, f"CONFIRM {found[1]}", To=to)
    return " ".join(at.newest(GAMESMASTER).split())


def test_by_mail_a_doubt_needs_its_word(at: Installation) -> None:
    at.send("A", "PERIOD 7\nSPECIAL AGR")
    assert "is from the player of A" in by_mail(at, "ACCEPT 1 SEAT D")
    assert "takes letter 1 for D" in by_mail(at, "ACCEPT 1 SEAT D ANYWAY")
