"""What makes two letters one, and what does not: another writer, another outcome."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import update

from pbem.letters import letter as letters
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Letter
from tests.installation import REFEREE, SEATS, Installation, address
from tests.real import EmbeddedInstallation

PASS = {
    "Authentication_Results": (
        f"mx.game.example; dmarc=pass header.from={address('A').partition('@')[2]}"
    )
}


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[EmbeddedInstallation]:
    with EmbeddedInstallation(tmp_path, "coalition", seats=SEATS, trust="proven") as made:
        made.start()
        yield made


def deliver(at: Installation, sender: str, text: str = "SPECIAL AGR", **headers: str) -> bytes:
    raw = at.letter(sender, text, Message_ID="<same@mail.example>", **headers)
    at.office.deliver(REFEREE, raw, at.clock)
    at.once()
    return raw


def outcomes(at: Installation) -> list[str]:
    return [outcome for outcome, _ in at.outcomes()]


@pytest.mark.parametrize(
    "other", ["stranger@elsewhere.example", "B", "gm@game.example", "not an address"]
)
def test_a_letter_of_anothers_with_the_same_id_and_words_is_no_copy(
    at: EmbeddedInstallation, other: str
) -> None:
    deliver(at, other)
    deliver(at, "A")
    assert outcomes(at)[-1] == "orders" and at.standing("A") == ["SPECIAL AGR"]
    deliver(at, "A")
    assert outcomes(at)[-1] == "duplicate"


def test_anothers_copy_gets_no_receipt_that_is_not_his(at: EmbeddedInstallation) -> None:
    deliver(at, "A")
    mails = len(at.mails("A"))
    deliver(at, "B")
    deliver(at, "B")
    assert outcomes(at) == ["orders", "orders", "duplicate"] and len(at.mails("A")) == mails
    assert at.standing("B") == ["SPECIAL AGR"]


def as_before_the_upgrade(at: Installation) -> None:
    """Gives every letter the effect that it had when the writer was not in it."""
    with exclusive_transaction(at.daemon.engine) as conn:
        for row in conn.execute(Letter.__table__.select().where(Letter.effect.is_not(None))).all():
            known = letters.read(row.raw)
            former = hashlib.sha256(f"{known.message_id}\n{known.body_hash}".encode()).hexdigest()
            conn.execute(update(Letter).where(Letter.id == row.id).values(effect=former))


def test_a_rescan_after_the_upgrade_applies_nothing_twice(at: EmbeddedInstallation) -> None:
    raw = at.letter(
        "A", "PRESS TO B\nHello.\nEND PRESS\nSPECIAL AGR", Message_ID="<same@mail.example>"
    )
    at.office.deliver(REFEREE, raw, at.clock)
    at.once()
    at.send("A", "SPECIAL ENV")
    as_before_the_upgrade(at)
    heard = len(at.mails("B"))
    at.office.deliver(REFEREE, raw, at.clock)
    at.renumber()
    at.once()
    assert set(outcomes(at)) == {"orders", "duplicate"} and outcomes(at).count("orders") == 2
    assert at.standing("A") == ["SPECIAL ENV"] and len(at.mails("B")) == heard


def test_what_another_sent_before_the_upgrade_is_no_copy_either(at: EmbeddedInstallation) -> None:
    deliver(at, "stranger@elsewhere.example")
    as_before_the_upgrade(at)
    deliver(at, "A")
    assert outcomes(at) == ["unknown-sender", "orders"]


def test_a_forged_copy_that_came_first_keeps_nothing_from_the_proven_letter(
    strict: EmbeddedInstallation,
) -> None:
    deliver(strict, "A")
    assert outcomes(strict) == ["unverified"]
    deliver(strict, "A")
    assert outcomes(strict) == ["unverified", "duplicate"] and strict.standing("A") == []
    raw = deliver(strict, "A", **PASS)
    assert outcomes(strict) == ["duplicate", "duplicate", "orders"] and strict.standing("A") == [
        "SPECIAL AGR"
    ]
    strict.office.deliver(REFEREE, raw, strict.clock)
    strict.once()
    assert outcomes(strict)[-1] == "duplicate"


def test_the_code_for_a_copy_that_came_again_with_proof_is_void(
    strict: EmbeddedInstallation,
) -> None:
    deliver(strict, "A", "PRESS TO B\nHello.\nEND PRESS")
    code = next(
        word
        for line in strict.newest("A").split("\n")
        if "CONFIRM" in line
        for word in [line.split()[-1]]
    )
    deliver(strict, "A", "PRESS TO B\nHello.\nEND PRESS", **PASS)
    heard = len(strict.mails("B"))
    strict.send("A", f"CONFIRM {code}")
    strict.once()
    assert (
        outcomes(strict) == ["duplicate", "command", "command"] and len(strict.mails("B")) == heard
    )
