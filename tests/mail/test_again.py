"""The same bytes a second time: sent again they get their old receipt, read again they say
nothing."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from pbem.referee.acts import letter_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Cursor, Letter
from tests.installation import REFEREE, Installation, text_of
from tests.real import EmbeddedInstallation


def receipts(at: Installation) -> list[str]:
    return [text_of(mail) for mail in at.mails("A") if str(mail["Subject"]).startswith("Re:")]


def answered(at: Installation, text: str) -> bytes:
    """A letter that was decided, answered and moved: its bytes as the server had them."""
    at.office.deliver(REFEREE, at.letter("A", text), at.clock)
    at.once()
    (raw,) = at.office.messages(REFEREE, "Processed")
    return raw


def raw_hashes(at: Installation) -> int:
    with exclusive_transaction(at.daemon.engine) as conn:
        return len(conn.execute(select(Letter.raw_hash).distinct()).all())


def test_an_identical_letter_that_arrives_again_gets_its_old_receipt(
    at: EmbeddedInstallation,
) -> None:
    raw = answered(at, "SPECIAL AGR")
    at.send("A", "SPECIAL ENV")
    for n in range(2):
        at.office.deliver(REFEREE, raw, at.clock)
        at.once()
        assert len(receipts(at)) == 3, f"copy {n + 1}: one answer a day"
        assert "had come before" in receipts(at)[-1] and "SPECIAL AGR" in receipts(at)[-1]
    assert at.standing("A") == ["SPECIAL ENV"]
    assert [outcome for outcome, _ in at.outcomes()] == [
        "orders",
        "orders",
        "duplicate",
        "duplicate",
    ]
    assert raw_hashes(at) == 2


def unmoved(at: EmbeddedInstallation, text: str) -> bytes:
    """A letter that was decided and answered, and still lies in the inbox: the daemon fell before
    it moved it."""
    raw = at.letter("A", text)
    at.office.deliver(REFEREE, raw, at.clock)

    def crash(point: str) -> None:
        if point == "letter.committed":
            raise KeyboardInterrupt

    daemon, at.daemon = at.daemon, at.new_daemon(crash)
    with pytest.raises(KeyboardInterrupt):
        at.once()
    at.daemon.close()
    at.daemon = daemon
    return raw


def test_a_rescan_says_nothing(at: EmbeddedInstallation) -> None:
    raw = unmoved(at, "SPECIAL AGR")
    at.renumber()
    at.clock += timedelta(minutes=15)  # the dead daemon had taken the receipt to send
    at.once()
    at.once()
    assert [outcome for outcome, _ in at.outcomes()] == ["orders", "duplicate"]
    assert len(receipts(at)) == 1 and at.standing("A") == ["SPECIAL AGR"]
    at.office.deliver(REFEREE, raw, at.clock)  # and now it comes again by itself
    at.once()
    assert len(receipts(at)) == 2 and "had come before" in receipts(at)[-1]


def test_a_mailbox_that_came_back_under_its_old_numbering_says_nothing(
    at: EmbeddedInstallation,
) -> None:
    """Its UIDs are given out a second time."""
    raw = answered(at, "SPECIAL AGR")
    at.office.deliver(REFEREE, raw, at.clock)
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Cursor).values(uid=10_000))
    at.once()
    assert at.outcomes()[-1][0] == "duplicate" and len(receipts(at)) == 1
    assert raw_hashes(at) == 1


def test_a_restore_says_nothing(at: EmbeddedInstallation) -> None:
    raw = answered(at, "SPECIAL AGR")
    at.office.deliver(REFEREE, raw, at.clock)
    at.act(letter_acts.restore)
    at.once()
    at.act(letter_acts.restore, release_outbox=True)
    at.once()
    assert [outcome for outcome, _ in at.outcomes()] == ["orders", "duplicate"] and len(
        receipts(at)
    ) == 1
