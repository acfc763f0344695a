"""Who is believed: the four levels, held letters, codes, secret addresses that stray."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from email import message_from_bytes, policy
from email.utils import format_datetime
from pathlib import Path

import pysequoia
import pytest
from sqlalchemy import update

sys.path.insert(0, str(Path(__file__).parents[1]))
from installation import REFEREE, Installation, address, text_of

from pbem.errors import OperatorError
from pbem.games.frame.length import Days
from pbem.periods import acts, opening
from pbem.referee import explaining, letter_acts, queue
from pbem.store import games
from pbem.store.database import transaction
from pbem.store.records import Letter
from tests.real import EVERYWHERE

SEATS = ("A", "B", "C", "D", "E")
STRANGER = "someone@else.example"
PROOF = "mx.game.example; dmarc=pass header.from=legit.example"


Place = Callable[..., Installation]


@contextmanager
def playing(place: Place, folder: Path, trust: str, **more: object) -> Iterator[Installation]:
    with place(folder, "coalition", seats=SEATS, trust=trust, strangers=(STRANGER,), **more) as at:
        at.start()
        yield at


@pytest.fixture
def at(tmp_path: Path, place: Place) -> Iterator[Installation]:
    with playing(place, tmp_path, "token") as made:
        yield made


def secret(at: Installation, seat: str) -> str:
    """The seat's secret address, as its newest mail shows it."""
    return str(at.mails(seat)[-1]["Reply-To"])


def code(at: Installation, seat: str) -> str:
    """The code of the newest challenge."""
    text = next(
        text_of(mail)
        for mail in reversed(at.mails(seat))
        if "Is this letter yours?" in mail["Subject"]
    )
    found = re.search(r"CONFIRM (\S+)", text)
    assert found
    return found[1]


@EVERYWHERE
def test_below_the_level_the_address_of_record_is_asked(tmp_path: Path, place: Place) -> None:
    with playing(place, tmp_path, "dmarc") as at:
        at.write("A", "SPECIAL AGR", Authentication_Results=PROOF)
        at.write(
            "B",
            "SPECIAL AGR",
            Authentication_Results="mx.elsewhere.example; dmarc=pass header.from=legit.example",
        )
        at.write("C", "SPECIAL AGR", Authentication_Results=PROOF.replace("pass", "fail"))
        at.once()
        assert [outcome for outcome, _ in at.outcomes()] == ["orders", "unverified", "unverified"]
        assert (at.standing("A"), at.standing("B"), at.standing("C")) == (["SPECIAL AGR"], [], [])
        for seat in "BC":
            assert at.mails(seat)[-1]["Subject"] == "[g] Is this letter yours?"
            assert "    | SPECIAL AGR" in at.newest(seat)
            assert "comes from your own mail provider (DMARC)" in " ".join(at.newest(seat).split())


@EVERYWHERE
def test_a_signed_letter_to_somebody_else_or_of_last_week_is_asked_about(
    tmp_path: Path, place: Place
) -> None:
    with playing(place, tmp_path, "dmarc") as at:
        at.write("A", "SPECIAL AGR", Authentication_Results=PROOF, To=STRANGER)
        at.write(
            "B",
            "SPECIAL AGR",
            Authentication_Results=PROOF,
            Date=format_datetime(at.clock - timedelta(days=7)),
        )
        at.write("C", "SPECIAL AGR", Authentication_Results=PROOF, To=STRANGER, Cc=REFEREE)
        at.once()
        assert [outcome for outcome, _ in at.outcomes()] == ["unverified", "unverified", "orders"]
        for seat in "AB":
            assert at.mails(seat)[-1]["Subject"] == "[g] Is this letter yours?"
        at.write("B", f"CONFIRM {code(at, 'B')}")
        at.once()
        assert (at.standing("A"), at.standing("B"), at.standing("C")) == (
            [],
            ["SPECIAL AGR"],
            ["SPECIAL AGR"],
        )


@pytest.mark.parametrize(
    ("trust", "wanted"),
    [
        ("token", "answer one of those mails and no confirmation is needed"),
        ("openpgp", "sign your letters and no confirmation"),
    ],
)
def test_a_challenge_says_which_letter_it_asks_about_and_how_it_needs_none(
    tmp_path: Path, place: Place, trust: str, wanted: str
) -> None:
    with playing(place, tmp_path, trust) as at:
        at.write(
            "A",
            "SPECIAL AGR",
            Subject="my move",
            Message_ID="<one@legit.example>",
            References="<zero@legit.example>",
        )
        at.once()
        asked, text = at.mails("A")[-1], " ".join(at.newest("A").split())
        assert (asked["In-Reply-To"], asked["References"]) == (
            "<one@legit.example>",
            "<zero@legit.example> <one@legit.example>",
        )
        assert (
            "| Received: Monday 02 March 2026, 10:01 Europe/Paris" in text
            and "| Subject: my move" in text
        )
        assert wanted in text and "token" not in text and "mail server says" not in text


@EVERYWHERE
def test_dmarc_does_not_reach_the_token_level_and_the_reply_address_does(at: Installation) -> None:
    at.write("A", "SPECIAL AGR", Authentication_Results=PROOF)
    at.write("B", "SPECIAL AGR", To=secret(at, "B"))
    at.write("C", "SPECIAL AGR", To=secret(at, "B"))
    at.once()
    assert [outcome for outcome, _ in at.outcomes()] == ["unverified", "orders", "unverified"]


@EVERYWHERE
def test_openpgp(tmp_path: Path, place: Place) -> None:
    with playing(place, tmp_path, "openpgp") as at:
        key = pysequoia.Tsk.generate("A <a@legit.example>")
        with transaction(at.daemon.engine) as conn:
            acts.register_key(conn, address("A"), str(key.extract_certificate()), at.clock)
            with pytest.raises(OperatorError, match="no OpenPGP public key"):
                acts.register_key(conn, address("A"), "nonsense", at.clock)
            with pytest.raises(OperatorError, match="nobody is registered"):
                acts.register_key(conn, STRANGER, str(key.extract_certificate()), at.clock)
            with pytest.raises(OperatorError, match="secret key"):
                acts.register_key(conn, address("A"), str(key), at.clock)
        signed = pysequoia.sign(
            key.signer(), b"SPECIAL AGR\n", mode=pysequoia.SignatureMode.CLEAR
        ).decode()
        at.write("A", signed)
        at.write("A", signed.replace("AGR", "ENV"), To=secret(at, "A"))
        at.once()
        assert [outcome for outcome, _ in at.outcomes()] == ["orders", "unverified"]
        assert at.standing("A") == ["SPECIAL AGR"]


@EVERYWHERE
def test_a_confirmed_letter_counts(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    at.once()
    assert at.standing("A") == []
    at.write("A", f"CONFIRM {code(at, 'A')}")
    at.once()
    assert at.standing("A") == ["SPECIAL AGR"]
    assert [outcome for outcome, _ in at.outcomes()] == ["orders", "command"]
    assert at.newest("A").count("SPECIAL AGR") >= 2 and at.mails("A")[-1]["Subject"] == "Re: orders"
    at.write("A", f"CONFIRM {code(at, 'A')}")
    at.once()
    assert "no held letter with that code" in at.newest("A")


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("confirmed", "confirmed by its player"),
        ("accepted", "accepted by the gamesmaster"),
    ],
)
def test_a_letter_that_was_proven_later_is_explained_as_it_was_decided(
    at: Installation, how: str, said: str
) -> None:
    at.write("A", "SPECIAL AGR")
    at.once()
    assert explaining.explain(at.config(), None, 1).json["verdict"] == "unverified"
    if how == "confirmed":
        at.write("A", f"CONFIRM {code(at, 'A')}")
    else:
        with transaction(at.daemon.engine) as conn:
            letter_acts.accept(conn, 1, at.clock)
    at.once()
    told = explaining.explain(at.config(), None, 1)
    assert told.json["verdict"] == told.json["stored"]["outcome"] == "orders"
    assert f"proof       none; {said}" in told.text


def test_a_confirmation_that_comes_just_before_the_deadline_counts(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    at.once()
    at.clock = at.table().period.due - timedelta(seconds=5)
    at.write("A", f"CONFIRM {code(at, 'A')}")
    at.clock += timedelta(seconds=5)
    assert at.once().closed == 1
    assert at.view("A")["specials"] == ["AGR"]


@EVERYWHERE
def test_after_the_deadline_a_confirmation_is_too_late(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    at.once()
    word = code(at, "A")
    at.to_deadline()
    at.write("A", f"CONFIRM {word}")
    at.once()
    assert at.outcomes()[0] == ("late", "It was confirmed after period 1 had closed.")
    assert "confirmed after period 1 had closed" in " ".join(at.newest("A").split())
    assert at.view("A")["specials"] == [] and at.standing("A") == []


@EVERYWHERE
def test_a_held_letter_takes_the_place_of_its_receipt(at: Installation) -> None:
    at.write("A", 'SPECIAL AGR\nNAME "Old"')
    at.write("A", "SPECIAL ENV", To=secret(at, "A"))
    at.once()
    at.write("A", f"CONFIRM {code(at, 'A')}")
    at.once()
    assert sorted(at.standing("A")) == ['NAME "Old"', "SPECIAL ENV"]
    assert "what you sent after it still counts as sent after it" in " ".join(
        at.newest("A").split()
    )


def test_held_letters_confirmed_in_another_order_stand_as_they_came(at: Installation) -> None:
    words = []
    for name in ("One", "Two"):
        at.write("A", f'NAME "{name}"')
        at.once()
        words.append(code(at, "A"))
    at.write("A", "CANCEL NAME", To=secret(at, "A"))
    at.write("A", 'NAME "Three"', To=secret(at, "A"))
    for word in reversed(words):
        at.write("A", f"CONFIRM {word}")
        at.once()
    assert at.standing("A") == ['NAME "Three"']


def test_only_the_code_confirms(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    at.once()
    word = code(at, "A")
    at.write("A", f"CONFIRM {'a' * len(word)}")
    at.write(STRANGER, f"CONFIRM {word}")
    at.once()
    assert at.standing("A") == []
    assert [outcome for outcome, _ in at.outcomes()] == ["unverified", "command", "unknown-sender"]


def test_orders_below_a_confirm_are_answered(at: Installation) -> None:
    """CONFIRM is a letter of its own; who writes orders with it is told that they were not read."""
    at.write("A", "SPECIAL AGR")
    at.once()
    at.write("A", f"CONFIRM {code(at, 'A')}\nSPECIAL ENV", To=secret(at, "A"))
    at.once()
    assert at.standing("A") == ["SPECIAL AGR"]
    assert any(
        "Its other lines were not read" in " ".join(text_of(mail).split()) for mail in at.mails("A")
    )
    at.write("B", "SPECIAL AGR")
    at.once()
    count = len(at.mails("B"))
    at.write("B", f"CONFIRM {code(at, 'B')}\nRegards, B")
    at.once()
    assert len(at.mails("B")) == count + 1


def test_a_late_letter_that_is_accepted_is_answered_again(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS) as at:
        at.start()
        at.write("A", "PERIOD 7\nSPECIAL AGR")
        at.once()
        assert at.outcomes()[0][0] == "late"
        with transaction(at.daemon.engine) as conn:
            letter_acts.accept(conn, 1, at.clock)
        at.once()
        assert at.standing("A") == ["SPECIAL AGR"]
        assert at.mails("A")[-1]["Subject"] == "Re: orders"
        assert "SPECIAL AGR" in at.newest("A").partition("STAND")[2]


def test_only_a_letter_whose_seat_is_known_can_be_accepted(tmp_path: Path) -> None:
    """The queue names no command that does nothing."""
    with Installation(tmp_path, "coalition", seats=SEATS) as at:
        at.start()
        at.write("A", "GAME nosuch\nSPECIAL AGR")
        at.once()
        with transaction(at.daemon.engine) as conn:
            told = queue.queue(conn, at.clock)["letters"]
            with pytest.raises(OperatorError, match="does not say for which seat"):
                letter_acts.accept(conn, 1, at.clock)
        assert [one["release"] for one in told] == ["pbem letter --id 1   (why);  pbem dismiss 1"]
        answer = " ".join(at.newest("A").split())
        assert "Nothing of your letter was taken; send it again" in answer
        with transaction(at.daemon.engine) as conn:
            opening.end(conn, at.daemon.mark, "g", "enough", at.clock)
        at.write("A", "SPECIAL AGR")
        at.once()
        with (
            transaction(at.daemon.engine) as conn,
            pytest.raises(OperatorError, match="game g is over"),
        ):
            letter_acts.accept(conn, 2, at.clock)


def test_the_gamesmaster_can_accept_or_dismiss_a_held_letter(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    at.write("B", "SPECIAL AGR")
    at.once()
    with transaction(at.daemon.engine) as conn:
        letter_acts.accept(conn, 1, at.clock)
        letter_acts.dismiss(conn, 2, at.clock)
    at.once()
    assert (at.standing("A"), at.standing("B")) == (["SPECIAL AGR"], [])
    assert [outcome for outcome, _ in at.outcomes()] == ["orders", "dismissed"]
    at.to_deadline()
    assert any("accepted a held letter" in text_of(mail) for mail in at.mails("C"))


def test_only_a_letter_that_waits_is_dismissed(at: Installation) -> None:
    at.write("A", "SPECIAL AGR", To=at.mails("A")[0]["Reply-To"])
    at.once()
    with (
        transaction(at.daemon.engine) as conn,
        pytest.raises(OperatorError, match="letter 1 is orders; only one that"),
    ):
        letter_acts.dismiss(conn, 1, at.clock)
    assert at.outcomes()[0][0] == "orders"


def test_a_letter_whose_bytes_were_purged_cannot_be_believed(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    at.once()
    code = re.search(r"CONFIRM (\w+)", at.newest("A"))
    with transaction(at.daemon.engine) as conn:
        conn.execute(update(Letter).values(raw=None))
    with transaction(at.daemon.engine) as conn, pytest.raises(OperatorError, match="was purged"):
        letter_acts.accept(conn, 1, at.clock)
    assert code
    at.write("A", f"CONFIRM {code[1]}")
    at.once()
    assert at.outcomes()[0][0] == "unverified"
    assert "no held letter with that code" in at.newest("A")
    with transaction(at.daemon.engine) as conn:
        conn.execute(update(Letter).values(outcome="failed"))
    with transaction(at.daemon.engine) as conn, pytest.raises(OperatorError, match="was purged"):
        letter_acts.retry(conn, 1, at.clock)


def test_an_unproven_letter_for_a_game_that_has_not_begun(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, trust="token") as at:
        players = [(seat, address(seat), "") for seat in SEATS]
        rest = ("Europe/Paris", "token", "until_adjudicated", "auto", {}, {}, {}, "7")
        with transaction(at.daemon.engine) as conn:
            opening.new(conn, opening.Plan("g", "coalition", players, *rest), at.clock)
        at.write("A", "SPECIAL AGR")
        at.once()
        assert at.outcomes() == [("held", "the game has not begun")]
        assert "Game g has not begun yet" in at.newest("A")
        with (
            transaction(at.daemon.engine) as conn,
            pytest.raises(OperatorError, match="`pbem start g` begins it"),
        ):
            acts.extend(conn, at.daemon.mark, "g", None, Days(3), "why", at.clock)


@EVERYWHERE
def test_a_secret_address_that_strays_is_changed(at: Installation) -> None:
    old = secret(at, "A")
    at.write(STRANGER, "SPECIAL AGR", To=old)
    at.once()
    at.write("A", "SPECIAL ENV", To=old)
    at.once()
    assert at.standing("A") == [] and secret(at, "A") != old
    at.write("A", "SPECIAL JUS", To=secret(at, "A"))
    at.once()
    assert at.standing("A") == ["SPECIAL JUS"]


def test_a_players_second_address_is_no_stranger(at: Installation) -> None:
    old = secret(at, "A")
    with transaction(at.daemon.engine) as conn:
        acts.change_address(conn, address("A"), "a-new@legit.example", at.clock)
    at.write("A", "SPECIAL AGR", To=old)
    at.write("a-new@legit.example", 'NAME "New"', To=old)
    at.once()
    assert at.standing("A") == ["SPECIAL AGR", 'NAME "New"']
    with transaction(at.daemon.engine) as conn:
        assert games.holders(conn, "g")["A"].token_no == 1


def test_a_rotated_address_is_void(at: Installation) -> None:
    old = secret(at, "A")
    with transaction(at.daemon.engine) as conn:
        acts.rotate(conn, at.daemon.mark, "g", "A", at.clock)
    at.write("A", "SPECIAL AGR", To=old)
    at.once()
    assert at.outcomes()[-1][0] == "unverified"


def test_secret_addresses_stand_in_reply_to_only(at: Installation) -> None:
    at.write("A", "HELP\nSTATUS\nHISTORY 0\nSPECIAL AGR", To=secret(at, "A"))
    at.write("B", "SPECIAL AGR")
    at.once()
    at.to_deadline()
    for seat in SEATS:
        for mail in at.mails(seat):
            token = str(mail["Reply-To"]).partition("+")[2].partition("@")[0]
            assert len(token) == 26
            del mail["Reply-To"]
            assert token not in mail.as_string()


def test_receipts_go_to_the_address_of_record_only(at: Installation) -> None:
    with transaction(at.daemon.engine) as conn:
        acts.change_address(
            conn, address("A"), STRANGER, at.clock
        )  # A's address of record is now the other mailbox
    before = len(at.mails("A"))
    at.write("A", "SPECIAL AGR", To=secret(at, "A"), Reply_To=address("B"), Sender=address("C"))
    at.once()
    assert len(at.mails("A")) == before
    assert at.mails(STRANGER)[-1]["Subject"] == "Re: orders"
    assert not any(mail["Subject"] == "Re: orders" for seat in "BC" for mail in at.mails(seat))


def test_challenges_are_few(at: Installation) -> None:
    for n in range(7):
        at.write("A", f'NAME "Name {n}"')
    at.once()
    asked = [mail for mail in at.mails("A") if "Is this letter yours?" in mail["Subject"]]
    assert len(asked) == 3
    assert ["asked about together" in text_of(mail) for mail in asked] == [False, False, True]
    assert [outcome for outcome, _ in at.outcomes()] == ["unverified"] * 7


@EVERYWHERE
def test_beyond_them_one_mail_asks_about_all_letters_with_a_code_for_each(at: Installation) -> None:
    for n in range(7):
        at.write("A", f'NAME "Name {n}"', Subject=f"move {n}")
    at.once(minutes=30)
    with transaction(at.daemon.engine) as conn:
        letter_acts.dismiss(conn, 6, at.clock)
    at.once(minutes=31)
    at.once()
    asked = at.mails("A")[-1]
    assert asked["Subject"] == "[g] Are these 3 letters yours?"
    codes = re.findall(r"CONFIRM (\S+)", text_of(asked))
    assert (
        len(set(codes)) == 3
        and '| NAME "Name 3"' in text_of(asked)
        and "Name 5" not in text_of(asked)
    )
    for word, name in zip(codes, (3, 4, 6), strict=True):
        at.write("A", f"CONFIRM {word}")
        at.once()
        assert at.standing("A") == [f'NAME "Name {name}"']
    at.once(minutes=61)
    at.once()
    assert [mail["Subject"] for mail in at.mails("A")].count("[g] Are these 3 letters yours?") == 1


def test_confirm_without_a_code_is_told_what_is_missing(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    at.once()
    at.write("A", "Confirm.")
    at.once()
    assert [outcome for outcome, _ in at.outcomes()] == ["unverified", "command"]
    assert "The code is missing" in at.newest("A") and at.standing("A") == []


def test_a_challenge_that_a_program_sends_back_bare_confirms_nothing(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    at.once()
    at.write("A", at.newest("A").partition("\n")[2], Auto_Submitted="auto-replied", Subject="Away")
    at.once()
    assert [outcome for outcome, _ in at.outcomes()] == ["unverified", "ignored"]
    assert at.standing("A") == []


def test_a_robot_is_not_challenged(at: Installation) -> None:
    before = len(at.mails("A"))
    at.write("A", "SPECIAL AGR", Precedence="bulk")
    at.once()
    assert at.outcomes()[-1][0] == "unverified" and len(at.mails("A")) == before


@pytest.mark.parametrize(
    "head",
    [
        b"From: a@legit.example, b@legit.example",
        b"From: a@legit.example\r\nFrom: b@legit.example",
        b"From: undisclosed",
        b"Subject: no From at all",
    ],
)
def test_an_odd_from_is_quarantined_without_a_word(at: Installation, head: bytes) -> None:
    counts = {who: len(at.mails(who)) for who in (*SEATS, STRANGER)}
    raw = (
        head
        + b"\r\nTo: "
        + REFEREE.encode()
        + b"\r\nMessage-ID: <odd@legit.example>\r\n\r\nSPECIAL AGR\r\n"
    )
    at.carrier.send(STRANGER, REFEREE, raw)
    at.once()
    assert at.outcomes()[-1][0] == "quarantine"
    assert counts == {who: len(at.mails(who)) for who in (*SEATS, STRANGER)}
    assert message_from_bytes(raw, policy=policy.default)["To"] == REFEREE


def test_reading_needs_no_proof_and_is_answered_to_the_address_of_record(at: Installation) -> None:
    at.write("A", "STATUS")
    at.once()
    assert at.outcomes()[-1][0] == "command" and "asked for nothing" in at.newest("A")
