"""Letters that are held: until they are confirmed, accepted or dismissed."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from pbem.errors import OperatorError
from pbem.games.frame.length import Days
from pbem.periods import deadline_acts, opening
from pbem.referee.acts import letter_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Letter
from tests.installation import SEATS, Installation, address, text_of
from tests.mail.proof import STRANGER, code, secret
from tests.real import EVERYWHERE

pytestmark = pytest.mark.game("coalition", trust="proven", strangers=(STRANGER,))


@EVERYWHERE
def test_a_confirmed_letter_counts(at: Installation) -> None:
    at.send("A", "SPECIAL AGR")
    assert at.standing("A") == []
    at.send("A", f"CONFIRM {code(at, 'A')}")
    assert at.standing("A") == ["SPECIAL AGR"]
    assert [outcome for outcome, _ in at.outcomes()] == ["orders", "command"]
    assert (
        "[+] SPECIAL AGR" in at.newest("A")
        and at.mails("A")[-1]["Subject"] == "Re: [g] 1 order taken"
    )
    at.send("A", f"CONFIRM {code(at, 'A')}")
    assert "was confirmed by its player, and has been taken" in at.newest("A")


def test_a_confirmation_that_comes_just_before_the_deadline_counts(at: Installation) -> None:
    at.send("A", "SPECIAL AGR")
    at.clock = at.table().period.due - timedelta(seconds=5)
    at.write("A", f"CONFIRM {code(at, 'A')}")
    at.clock += timedelta(seconds=5)
    assert at.once().closed == 1
    assert at.view("A")["specials"] == ["AGR"]


@EVERYWHERE
def test_after_the_deadline_a_confirmation_is_too_late(at: Installation) -> None:
    at.send("A", "SPECIAL AGR")
    word = code(at, "A")
    at.to_deadline()
    at.send("A", f"CONFIRM {word}")
    assert at.outcomes()[0] == ("late", "It was confirmed after period 1 had closed.")
    assert "confirmed after period 1 had closed" in " ".join(at.newest("A").split())
    assert at.view("A")["specials"] == [] and at.standing("A") == []


@EVERYWHERE
def test_a_held_letter_takes_the_place_of_its_receipt(at: Installation) -> None:
    at.write("A", 'SPECIAL AGR\nNAME "Old"')
    at.send("A", "SPECIAL ENV", To=secret(at, "A"))
    at.send("A", f"CONFIRM {code(at, 'A')}")
    assert sorted(at.standing("A")) == ['NAME "Old"', "SPECIAL ENV"]
    assert "what you sent after it still counts as sent after it" in " ".join(
        at.newest("A").split()
    )


def test_held_letters_confirmed_in_another_order_stand_as_they_came(at: Installation) -> None:
    words = []
    for name in ("One", "Two"):
        at.send("A", f'NAME "{name}"')
        words.append(code(at, "A"))
    at.write("A", "CANCEL NAME", To=secret(at, "A"))
    at.write("A", 'NAME "Three"', To=secret(at, "A"))
    for word in reversed(words):
        at.send("A", f"CONFIRM {word}")
    assert at.standing("A") == ['NAME "Three"']


def test_only_the_code_confirms(at: Installation) -> None:
    at.send("A", "SPECIAL AGR")
    word = code(at, "A")
    at.write("A", f"CONFIRM {'a' * len(word)}")
    at.send(STRANGER, f"CONFIRM {word}")
    assert at.standing("A") == []
    assert [outcome for outcome, _ in at.outcomes()] == ["unverified", "command", "command"]


def test_orders_below_a_confirm_are_answered(at: Installation) -> None:
    """CONFIRM is a letter of its own; who writes orders with it is told that they were not read."""
    at.send("A", "SPECIAL AGR")
    at.send("A", f"CONFIRM {code(at, 'A')}\nSPECIAL ENV", To=secret(at, "A"))
    assert at.standing("A") == ["SPECIAL AGR"]
    assert any(
        "Its other lines were not read" in " ".join(text_of(mail).split()) for mail in at.mails("A")
    )
    at.send("B", "SPECIAL AGR")
    count = len(at.mails("B"))
    at.send("B", f"CONFIRM {code(at, 'B')}\nRegards, B")
    assert len(at.mails("B")) == count + 1


@pytest.mark.game("coalition")
def test_a_late_letter_that_is_accepted_is_answered_again(at: Installation) -> None:
    at.send("A", "PERIOD 7\nSPECIAL AGR")
    assert at.outcomes()[0][0] == "late"
    at.act(letter_acts.accept, 1)
    at.once()
    assert at.standing("A") == ["SPECIAL AGR"]
    assert at.mails("A")[-1]["Subject"] == "Re: [g] 1 order taken"
    assert "SPECIAL AGR" in at.newest("A").partition("STAND")[2]


def test_a_letter_whose_bytes_were_purged_cannot_be_believed(at: Installation) -> None:
    at.send("A", "SPECIAL AGR")
    code = re.search(r"CONFIRM (\w+)", at.newest("A"))
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Letter).values(raw=None))
    with (
        exclusive_transaction(at.daemon.engine) as conn,
        pytest.raises(OperatorError, match="was purged"),
    ):
        letter_acts.accept(at.work(conn), 1)
    assert code
    at.send("A", f"CONFIRM {code[1]}")
    assert at.outcomes()[0][0] == "unverified"
    assert "nothing that waits for that code" in at.newest("A")
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Letter).values(outcome="failed"))
    with (
        exclusive_transaction(at.daemon.engine) as conn,
        pytest.raises(OperatorError, match="was purged"),
    ):
        letter_acts.retry(at.work(conn), 1)


def test_an_unproven_letter_for_a_game_that_has_not_begun(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, trust="proven") as at:
        players = [(seat, address(seat), "") for seat in SEATS]
        rest = ("Europe/Paris", "proven", "until_adjudicated", "auto", {}, {}, {}, "7")
        at.act(opening.new, opening.Plan("g", "coalition", players, *rest))
        at.send("A", "SPECIAL AGR")
        assert at.outcomes() == [("held", "the game has not begun")]
        assert "Game g has not begun yet" in at.newest("A")
        with (
            exclusive_transaction(at.daemon.engine) as conn,
            pytest.raises(OperatorError, match="`pbem start g` begins it"),
        ):
            deadline_acts.extend(at.work(conn), "g", None, Days(3), "why")
