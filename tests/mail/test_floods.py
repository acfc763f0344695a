"""A letter full of presses or absences, and an hour full of them, mails no more than a table can
read."""

import pytest

from pbem.referee.game.relaying import MOST_PRESSES
from tests.installation import Installation, text_of

pytestmark = pytest.mark.game("coalition", limits={"letters_an_hour": 30})


def heard(at: Installation, seat: str) -> int:
    return sum("Press from" in str(mail["Subject"]) for mail in at.mails(seat))


def many(count: int) -> str:
    return "".join(f"PRESS TO ALL\nnumber {n}\nEND PRESS\n" for n in range(count))


def test_a_letter_mails_so_many_presses_at_most(at: Installation) -> None:
    at.send("A", f"{many(300)}SPECIAL AGR")
    assert [heard(at, seat) for seat in "ABCDE"] == [0, *[MOST_PRESSES] * 4]
    said = " ".join(at.newest("A").split())
    assert "280 of your presses, from line 61, 64, " in said and "were not relayed" in said
    assert at.standing("A") == ["SPECIAL AGR"]


def test_an_hour_has_a_measure_too(at: Installation) -> None:
    for _ in range(4):
        at.send("A", many(10))
    assert heard(at, "B") == 30
    at.send("C", many(1))
    assert heard(at, "B") == 31
    at.clock = at.clock.replace(hour=at.clock.hour + 1)
    at.send("A", many(1))
    assert heard(at, "B") == 32


def test_a_bulletin_announces_so_many_absences_of_a_seat(at: Installation) -> None:
    for _ in range(2):
        at.send(
            "A",
            "".join(
                f"ABSENT 2026-{month:02}-01 TO 2026-{month:02}-{day:02}\n" * 2
                for month in range(3, 13)
                for day in range(2, 28)
            ),
        )
    said = " ".join(at.newest("A").split())
    assert "says already that A is away" in said and "5 absences of a seat at most" in said
    at.send("B", "ABSENT 2026-03-01 TO 2026-03-05")
    at.to_deadline()
    bulletin = "\n".join(
        text_of(mail) for mail in at.mails("C") if "Bulletin 1" in str(mail["Subject"])
    )
    assert bulletin.count(" is away from") == 6 and "\nB (Player B) is away from" in bulletin
