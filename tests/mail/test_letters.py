"""One letter after another, through SMTP and IMAP: what players are answered, what counts, what makes two letters
one, and how each is found again."""

import hashlib
import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from pbem.letters import letter as letters
from pbem.referee.acts import letter_acts
from pbem.referee.gamesmaster import queue
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Cursor, Letter
from tests.faults.test_intake import outcomes
from tests.installation import GAMESMASTER, REFEREE, SEATS, Installation, address, text_of
from tests.real import EmbeddedInstallation
from tests.shell import Shell

pytestmark = pytest.mark.game("coalition", strangers=("someone@else.example",))


def test_a_letter_is_answered_with_a_threaded_receipt(at: Installation) -> None:
    at.send(
        "A",
        'NAME "Harbour"\nSPECIAL AGR, ENV\nNAEM x',
        Message_ID="<one@legit.example>",
        Subject="my move",
    )
    receipt = at.mails("A")[-1]
    text = text_of(receipt)
    assert receipt["In-Reply-To"] == "<one@legit.example>"
    assert receipt["Subject"] == "Re: [g] 2 orders taken, 1 not"
    assert receipt["Auto-Submitted"] == "auto-replied"
    assert '[+] NAME "Harbour"' in text
    assert "SPECIAL AGR, ENV" in text
    assert 'NOT TAKEN: I cannot read "NAEM x".' in text and "did you mean NAME?" in text
    assert "Monday 9 March 2026, 24:00 Europe/Paris; 7 days" in " ".join(text.split())
    assert "7 days 13 hours left" in " ".join(text.split())
    assert at.standing("A") == ['NAME "Harbour"', "SPECIAL AGR, ENV"]


def test_the_latest_order_for_a_slot_stands_and_cancel_takes_it_back(at: Installation) -> None:
    at.send("A", "SPECIAL AGR; STANDING AYE")
    at.send("A", "SPECIAL ENV, JUS\nCANCEL STANDING")
    assert at.standing("A") == ["SPECIAL ENV, JUS"]
    text = at.newest("A")
    assert "[-] STANDING AYE - taken back" in text
    assert "[+] SPECIAL ENV, JUS - was: SPECIAL AGR" in text


def test_bad_mail_is_set_aside_and_the_next_letter_goes_on(at: Installation) -> None:
    at.write("A", "")
    at.post(
        b"From: a@legit.example\r\nMessage-ID: <charset@x>\r\nContent-Type: text/plain;"
        b" charset=klingon\r\n\r\nSPECIAL AGR\r\n"
    )
    at.post(at.letter("B", "SPECIAL ENV\n" + "x" * 2_000_000))
    at.send("C", "SPECIAL JUS")
    assert [outcome for outcome, _ in at.outcomes()] == [
        "command",
        "orders",
        "quarantine",
        "orders",
    ]
    assert at.standing("A") == ["SPECIAL AGR"]
    assert at.standing("B") == []
    assert at.standing("C") == ["SPECIAL JUS"]


def test_a_page_that_may_hide_words_is_held_and_plain_text_asked_for(at: Installation) -> None:
    page = "<style>p { color: #fff }</style><div>SPECIAL AGR</div><p>STANDING AYE</p>"
    at.post(at.letter("A", page).replace(b"text/plain", b"text/html"))
    at.once()
    assert at.outcomes()[-1][0] == "held" and at.standing("A") == []
    assert "Send it again as plain text." in " ".join(at.newest("A").split())
    at.send("A", "SPECIAL AGR")
    assert at.standing("A") == ["SPECIAL AGR"]


@pytest.mark.parametrize(
    "mark", [{"Precedence": "bulk"}, {"Auto_Submitted": "auto-generated"}, {"RT_Ticket": "x #4"}]
)
def test_a_players_orders_are_heard_and_answered_however_they_are_marked(
    at: Installation, mark: dict[str, str]
) -> None:
    before = len(at.mails("A"))
    at.send("A", "SPECIAL AGR", **mark)
    assert (at.outcomes()[-1][0], at.standing("A"), len(at.mails("A"))) == (
        "orders",
        ["SPECIAL AGR"],
        before + 1,
    )


def test_what_only_its_subject_marks_as_an_absence_note_has_an_answer_or_a_row_in_the_queue(
    at: Installation,
) -> None:
    before = len(at.mails("A"))
    at.write("A", "SPECIAL AGR", Subject="Out of office until 3 Dec - my orders")
    at.send("A", "SPEZIAL: AGR", Subject="Out of office until 3 Dec - my orders")
    assert [outcome for outcome, _ in at.outcomes()] == ["orders", "held"]
    assert (at.standing("A"), len(at.mails("A"))) == (["SPECIAL AGR"], before + 1)
    with exclusive_transaction(at.daemon.engine) as conn:
        (row,) = queue.queue(at.work(conn))["letters"]
        letter_acts.accept(at.work(conn), row["id"])
    at.once()
    assert "I cannot read" in at.newest("A") or "no order in your letter" in at.newest("A")


def test_many_letters_within_an_hour_get_one_merged_receipt(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, limits={"receipts_an_hour": 2}) as at:
        at.start()
        for n in range(5):
            at.write("A", f'NAME "Name {n}{n}"')
        at.once()
        receipts = [mail for mail in at.mails("A") if mail["Subject"].startswith("Re:")]
        assert len(receipts) == 2
        at.once(minutes=61)
        at.send("A", 'NAME "Newest"')
        merged = at.mails("A")[-1]
        assert merged["Subject"] == "[g] 3 receipts"
        text = text_of(merged)
        assert "Name 22" in text and "Name 44" in text and "said last" in text
        parts, _, now = text.partition("WHAT STANDS NOW, Monday 2 March 2026, ")
        assert parts.count("WHAT STANDS FOR") == 3
        assert now.count('#1 NAME "Newest"') == now.count("WHAT STANDS FOR") == 1


@pytest.mark.parametrize(
    "text", ["", "unsubscribe", "This message was automatically generated by Gmail."]
)
def test_a_player_who_unsubscribes_is_told_how_a_seat_is_left(at: Installation, text: str) -> None:
    at.to_deadline()
    bulletin = next(mail for mail in at.mails("A") if mail["List-Unsubscribe"])
    assert bulletin["List-Unsubscribe"] == f"<mailto:{REFEREE}?subject=unsubscribe>"
    at.write("A", text, Subject="unsubscribe")
    at.send("someone@else.example", text, Subject="unsubscribe")
    assert [outcome for outcome, _ in at.outcomes()] == ["command", "command"]
    told = " ".join(at.newest("A").split())
    assert (
        f"ask the gamesmaster, who finds another player: {GAMESMASTER}" in told and "RESIGN" in told
    )
    alarms = [
        mail
        for mail in at.mails(GAMESMASTER)
        if mail["Subject"] == "[pbem] a player may want to leave"
    ]
    assert len(alarms) == 1 and "a@legit.example, who holds A in g" in text_of(alarms[0])
    at.send("A", 'NAME "Rose"', Subject="unsubscribe")
    assert at.standing("A") == ['NAME "Rose"']


def test_decided_letters_are_moved(at: Installation) -> None:
    at.send("A", "SPECIAL AGR")
    mailbox = at.daemon.readers[0].mailbox
    assert mailbox.select("INBOX").messages == 0
    assert mailbox.select("Processed").messages == 1


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


def test_a_letter_is_found_by_its_receipt(begun: Shell) -> None:
    begun.at.write("B", "STATUS")
    begun.at.write("A", "SPECIAL AGR")
    begun("once")
    assert "Receipt 1 of game g" in begun.at.newest("A")
    told = json.loads(begun("letter", "--receipt", "g/a/1", "--json"))
    assert told["sender"] == "a@legit.example" and (
        told["stored"]["id"],
        told["stored"]["receipt"],
    ) == (2, 1)
    assert "there is no receipt 2" in begun.fails("letter", "--receipt", "g/A/2")
    assert "write GAME/SEAT/NUMBER" in begun.fails("letter", "--receipt", "g-A-1")
    begun.fails("letter", "--receipt", "g/A/1", "--id", "2", code=2)


def test_an_export_has_the_orders_that_stand_at_last(begun: Shell) -> None:
    for words in ("SPECIAL AGR", "SPECIAL ENV"):
        begun.at.write("A", words)
        begun("once")
    begun("export", "g", str(folder := begun.file.parent / "export"))
    assert (folder / "orders" / "001" / "A.txt").read_text() == "SPECIAL ENV\n"
