"""Two installations that differ only in what others send: a player cannot tell them apart by any
mail he gets."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.referee.acts import letter_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Letter
from tests.grace import seen
from tests.installation import REFEREE, SEATS, Installation, proven, text_of
from tests.twins import database_of_a_twin

STRANGER = "someone@else.example"


@pytest.fixture
def twins(tmp_path: Path) -> Iterator[tuple[Installation, Installation]]:
    """The same game twice, with one installation's key, so that equal tokens are equal."""
    with ExitStack() as stack:
        made = []
        for name in ("quiet", "noisy"):
            one = Installation(
                tmp_path / name,
                "coalition",
                seats=SEATS,
                trust="proven",
                strangers=(STRANGER,),
                url=database_of_a_twin(tmp_path / name),
                limits={"receipts_an_hour": 4},
                late="deadline",
            )
            made.append(stack.enter_context(one))
            one.start()
        yield made[0], made[1]


def test_a_player_gets_the_same_mails_whatever_the_others_send(
    twins: tuple[Installation, Installation],
) -> None:
    """Ten rounds of every kind of letter he can write, while in one of the two everybody else is
    busy."""
    own: tuple[Callable[[Installation], object], ...] = (
        lambda at: proven(
            at, "A", 'NAME "Harbour"\nSPECIAL AGR, ENV\nNAEM x', Message_ID="<a1@legit.example>"
        ),
        lambda at: proven(
            at,
            "A",
            "STATUS\nORDERS\nHELP\nHISTORY\nHISTORY 0\nWHY",
            Message_ID="<a2@legit.example>",
        ),
        lambda at: at.write("A", "SPECIAL JUS", Message_ID="<a3@legit.example>"),  # asked about
        lambda at: proven(at, "A", "PERIOD 7\nPASS", Message_ID="<a4@legit.example>"),
        lambda at: proven(at, "A", "GAME nosuch\nPASS", Message_ID="<a5@legit.example>"),
        lambda at: proven(at, "A", "CHECK\nSPECIAL DEF", Message_ID="<a6@legit.example>"),
        lambda at: at.write("A", "", Subject="unsubscribe", Message_ID="<a7@legit.example>"),
        lambda at: [
            proven(at, "A", f'NAME "N{n}"', Message_ID=f"<b{n}@legit.example>") for n in range(6)
        ],
        lambda at: at.post(
            b"X-Again: 1\r\n" + at.letter("A", 'NAME "N0"', Message_ID="<b0@legit.example>")
        ),
        lambda at: proven(at, "A", "STATUS", Message_ID="<a8@legit.example>"),
    )
    for n, letter in enumerate(own):
        for at in twins:
            if at is twins[1]:
                noise(at, n)
            letter(at)
            if at is twins[1]:
                noise(at, n + 50)
            at.once(minutes=20)
    for at in twins:
        at.later(days=1)
        at.to_deadline()
        proven(at, "A", "PERIOD 1\nPASS", Message_ID="<late@legit.example>")
        at.once()
    ids = [len(at.outcomes()) for at in twins]
    assert ids[1] > ids[0] + 60
    quiet, noisy = (seen(at, "A") for at in twins)
    assert len(quiet) > 15 and len(quiet) == len(noisy)
    for mail, twin in zip(quiet, noisy, strict=True):
        assert mail.decode().splitlines() == twin.decode().splitlines()


def noise(at: Installation, n: int) -> None:
    """The others write, ask, talk among themselves, fail and are asked; strangers and servers write
    too."""
    proven(at, "B", f"STANDING AYE\nCANCEL STANDING\nREADY\nNAEM {n}")
    proven(at, "C", f"PRESS TO B, D\nWords of {n}.\nEND PRESS\nSTATUS")
    raw = proven(at, "D", f"CHECK\nSPECIAL AGR\nWHY {n}")
    at.post(b"X-Again: 1\r\n" + raw)
    at.write("E", f"SPECIAL ENV\nPASS {n}")  # without proof
    at.write(STRANGER, f"VOTE AYE {n}")
    at.write(REFEREE, f"ignored {n}")


def test_receipts_count_the_letters_of_their_seat(twins: tuple[Installation, Installation]) -> None:
    at = twins[1]
    for n in range(3):
        noise(at, n)
        proven(at, "A", f'NAME "N{n}"')
        at.once(minutes=61)
    receipts = [text_of(mail) for mail in at.mails("A") if str(mail["Subject"]).startswith("Re:")]
    assert [re.findall(r"Receipt (\d+) of", text) for text in receipts] == [["1"], ["2"], ["3"]]


def test_a_receipt_keeps_its_number(twins: tuple[Installation, Installation]) -> None:
    """A letter that was late and is accepted is answered twice under one number; one sent twice
    gets its old one."""
    at = twins[0]
    raw = proven(at, "A", "SPECIAL AGR", Message_ID="<first@legit.example>")
    proven(at, "A", "PERIOD 7\nSPECIAL ENV")
    proven(at, "A", "STATUS")
    at.once(minutes=61)
    with exclusive_transaction(at.daemon.engine) as conn:
        late = conn.execute(select(Letter.id).where(Letter.outcome == "late")).scalar_one()
        letter_acts.accept(at.work(conn), late)
    at.once(minutes=61)
    at.post(b"X-Again: 1\r\n" + raw)
    proven(at, "A", "STATUS")
    at.once()
    texts = [text_of(mail) for mail in at.mails("A") if str(mail["Subject"]).startswith("Re:")]
    assert [re.findall(r"Receipt (\d+) of", text) for text in texts] == [
        ["1"],
        ["2"],
        ["3"],
        ["2"],
        ["1"],
        ["4"],
    ]
