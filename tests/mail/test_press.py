"""Press by mail: what goes out, what is held, and what the receipt shows of either."""

import json
from pathlib import Path

import pytest
from sqlalchemy import func, select

from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Press
from tests.installation import Installation, proven, text_of
from tests.shell import Shell


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
