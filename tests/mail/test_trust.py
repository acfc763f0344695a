"""Who is believed: the four levels, held letters, codes, secret addresses that stray."""

import re
from datetime import timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from pbem.letters.states import LetterState
from pbem.periods import deadline_acts, persons
from pbem.referee.acts import letter_acts, seat_acts
from pbem.store.engine.among import Among
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games, overview
from tests.installation import REFEREE, SEATS, Installation, address, text_of, told, vouched
from tests.mail.proof import PROOF, STRANGER, Place, code, playing, secret
from tests.real import EVERYWHERE

pytestmark = pytest.mark.game("coalition", trust="proven", strangers=(STRANGER,))


@EVERYWHERE
def test_below_the_level_the_address_of_record_is_asked(tmp_path: Path, place: Place) -> None:
    with playing(place, tmp_path, "proven") as at:
        at.write("A", "SPECIAL AGR", Authentication_Results=PROOF)
        at.write(
            "B",
            "SPECIAL AGR",
            Authentication_Results="mx.elsewhere.example; dmarc=pass header.from=legit.example",
        )
        at.send("C", "SPECIAL AGR", Authentication_Results=PROOF.replace("pass", "fail"))
        assert [outcome for outcome, _ in at.outcomes()] == ["orders", "unverified", "unverified"]
        assert (at.standing("A"), at.standing("B"), at.standing("C")) == (["SPECIAL AGR"], [], [])
        why = {"B": "comes from your own mail provider (DMARC)", "C": "provider's check (DMARC)"}
        for seat, words in why.items():
            assert at.mails(seat)[-1]["Subject"] == "[g] Is this letter yours?"
            assert "    | SPECIAL AGR" in at.newest(seat)
            assert words in " ".join(at.newest(seat).split())


@EVERYWHERE
def test_a_signed_letter_to_somebody_else_or_of_last_week_is_asked_about(
    tmp_path: Path, place: Place
) -> None:
    with playing(place, tmp_path, "proven") as at:
        at.write("A", "SPECIAL AGR", Authentication_Results=PROOF, To=STRANGER)
        at.write(
            "B",
            "SPECIAL AGR",
            Authentication_Results=PROOF,
            Date=format_datetime(at.clock - timedelta(days=7)),
        )
        at.send("C", "SPECIAL AGR", Authentication_Results=PROOF, To=STRANGER, Cc=REFEREE)
        assert [outcome for outcome, _ in at.outcomes()] == ["unverified", "unverified", "orders"]
        for seat in "AB":
            assert at.mails(seat)[-1]["Subject"] == "[g] Is this letter yours?"
        at.send("B", f"CONFIRM {code(at, 'B')}")
        assert (at.standing("A"), at.standing("B"), at.standing("C")) == (
            [],
            ["SPECIAL AGR"],
            ["SPECIAL AGR"],
        )


def test_a_challenge_says_which_letter_it_asks_about_and_how_it_needs_none(
    tmp_path: Path, place: Place
) -> None:
    with playing(place, tmp_path, "proven") as at:
        at.send(
            "A",
            "SPECIAL AGR",
            Subject="my move",
            Message_ID="<one@legit.example>",
            References="<zero@legit.example>",
        )
        asked, text = at.mails("A")[-1], " ".join(at.newest("A").split())
        assert (asked["In-Reply-To"], asked["References"]) == (
            "<one@legit.example>",
            "<zero@legit.example> <one@legit.example>",
        )
        assert (
            "| Received: Monday 2 March 2026, 10:01 Europe/Paris" in text
            and "| Subject: my move" in text
        )
        assert "answer one of those mails and no confirmation is needed" in text
        assert "proven" not in text and "mail server says" not in text


@EVERYWHERE
def test_the_seats_own_reply_address_proves_its_player_and_no_other(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    at.write("B", "SPECIAL AGR", To=secret(at, "B"))
    at.send("C", "SPECIAL AGR", To=secret(at, "B"))
    assert [outcome for outcome, _ in at.outcomes()] == ["unverified", "orders", "unverified"]


@EVERYWHERE
def test_a_secret_address_that_strays_is_changed(at: Installation) -> None:
    old = secret(at, "A")
    at.send(STRANGER, "SPECIAL AGR", To=old)
    at.send("A", "SPECIAL ENV", To=old)
    assert at.standing("A") == [] and secret(at, "A") != old
    at.send("A", "SPECIAL JUS", To=secret(at, "A"))
    assert at.standing("A") == ["SPECIAL JUS"]


def test_a_players_second_address_is_no_stranger(at: Installation) -> None:
    old = secret(at, "A")
    at.act(persons.change_address, address("A"), "a-new@legit.example")
    at.write("A", "SPECIAL AGR", To=old)
    at.send("a-new@legit.example", 'NAME "New"', To=old)
    assert at.standing("A") == ["SPECIAL AGR", 'NAME "New"']
    with exclusive_transaction(at.daemon.engine) as conn:
        assert games.holders(conn, "g")["A"].token_no == 1


def test_a_rotated_address_is_void(at: Installation) -> None:
    old = secret(at, "A")
    at.act(seat_acts.rotate, "g", "A")
    at.send("A", "SPECIAL AGR", To=old)
    assert at.outcomes()[-1][0] == "unverified"


def test_secret_addresses_stand_in_reply_to_only(at: Installation) -> None:
    at.write("A", "HELP\nSTATUS\nHISTORY 0\nSPECIAL AGR", To=secret(at, "A"))
    at.send("B", "SPECIAL AGR")
    at.to_deadline()
    for seat in SEATS:
        for mail in at.mails(seat):
            token = str(mail["Reply-To"]).partition("+")[2].partition("@")[0]
            assert len(token) == 26
            del mail["Reply-To"]
            assert token not in mail.as_string()


def test_receipts_go_to_the_address_of_record_only(at: Installation) -> None:
    with exclusive_transaction(at.daemon.engine) as conn:
        persons.change_address(
            at.work(conn), address("A"), STRANGER
        )  # A's address of record is now the other mailbox
    before = len(at.mails("A"))
    at.send("A", "SPECIAL AGR", To=secret(at, "A"), Reply_To=address("B"), Sender=address("C"))
    assert len(at.mails("A")) == before
    assert at.mails(STRANGER)[-1]["Subject"] == "Re: [g] 1 order taken"
    assert not any(
        mail["Subject"] == "Re: [g] 1 order taken" for seat in "BC" for mail in at.mails(seat)
    )


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
    at.act(letter_acts.dismiss, 6)
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
    told_once = ("Your letter then counts", "do nothing", "mail server found")
    assert [text_of(asked).replace("\n", " ").count(one) for one in told_once] == [1, 1, 1]
    for word, name in zip(codes, (3, 4, 6), strict=True):
        at.send("A", f"CONFIRM {word}")
        assert at.standing("A") == [f'NAME "Name {name}"']
    at.once(minutes=61)
    at.once()
    assert [mail["Subject"] for mail in at.mails("A")].count("[g] Are these 3 letters yours?") == 1


def test_confirm_without_a_code_is_told_what_is_missing(at: Installation) -> None:
    at.send("A", "SPECIAL AGR")
    at.send("A", "Confirm.")
    assert [outcome for outcome, _ in at.outcomes()] == ["unverified", "command"]
    assert "The code is missing" in at.newest("A") and at.standing("A") == []


def test_a_challenge_that_a_program_sends_back_bare_confirms_nothing(at: Installation) -> None:
    at.send("A", "SPECIAL AGR")
    at.send("A", at.newest("A").partition("\n")[2], Auto_Submitted="auto-replied", Subject="Away")
    assert [outcome for outcome, _ in at.outcomes()] == ["unverified", "ignored"]
    assert at.standing("A") == []


def test_reading_needs_no_proof_and_is_answered_to_the_address_of_record(at: Installation) -> None:
    at.send("A", "STATUS")
    assert at.outcomes()[-1][0] == "command" and "You owe nothing" in at.newest("A")


# --- a seat's own secret address, from an address that nobody knows -------------------------------


def from_the_office(at: Installation) -> int:
    """Ann writes from an address that is not hers on file, to the secret address of A."""
    at.send(STRANGER, "SPECIAL AGR", To=secret(at, "A"))
    ((state, reason),) = at.outcomes()[-1:]
    assert state == "unverified" and reason.startswith("probably Player A's: sent to the secret")
    with exclusive_transaction(at.daemon.engine) as conn:
        page = overview.letter_page(conn, Among(None), (LetterState.UNVERIFIED,), 1, game_id="g")
        (letter,) = overview.letters(conn, page)
    assert (letter.game_id, letter.seat, letter.period) == ("g", "A", 1)
    return letter.id


def test_her_own_address_is_asked_and_her_code_makes_it_count(at: Installation) -> None:
    from_the_office(at)
    asked = at.mails("A")[-1]
    assert asked["Subject"] == "[g] Is this letter yours?"
    assert STRANGER in at.newest("A") and "new secret address" in " ".join(at.newest("A").split())
    assert "waits until the player" in " ".join(at.newest(STRANGER).split())
    assert at.standing("A") == []
    at.write("B", f"CONFIRM {code(at, 'A')}", To=secret(at, "B"))
    at.send(STRANGER, f"CONFIRM {code(at, 'A')}")
    assert at.standing("A") == []
    at.send("A", f"CONFIRM {code(at, 'A')}", To=secret(at, "A"))
    assert at.standing("A") == ["SPECIAL AGR"]
    assert "gamesmaster accepted" not in at.newest("A")


def test_the_gamesmaster_accepts_it_for_its_seat(at: Installation) -> None:
    letter = from_the_office(at)
    done = at.act(letter_acts.accept, letter)
    assert done.said.endswith(" for A in game g, period 1.")
    at.once()
    assert at.standing("A") == ["SPECIAL AGR"]


def test_it_is_asked_about_once_for_each_secret_address(at: Installation) -> None:
    old = secret(at, "A")
    from_the_office(at)
    mails = len(at.mails("A"))
    for orders in ("SPECIAL ENV", "SPECIAL JUS"):
        at.send(STRANGER, orders, To=old)
    assert [state for state, _ in at.outcomes()[-2:]] == ["unknown-sender"] * 2
    assert len(at.mails("A")) == mails


def test_what_fails_dmarc_is_asked_about_by_nobody(at: Installation) -> None:
    mails = len(at.mails("A"))
    fails = PROOF.replace("pass", "fail").replace("legit.example", STRANGER.partition("@")[2])
    at.send(STRANGER, "SPECIAL AGR", To=secret(at, "A"), Authentication_Results=fails)
    assert at.outcomes()[-1][0] == "unknown-sender" and len(at.mails("A")) == mails


# --- a leaked address -----------------------------------------------------------------------------


@pytest.mark.game("coalition", trust="proven", late="deadline")
def test_a_failed_check_beats_a_secret_address(at: Installation) -> None:
    to = str(at.mails("A")[-1]["Reply-To"])
    at.send("A", "SPECIAL AGR", To=to, Authentication_Results=vouched("A", "fail"))
    assert at.outcomes()[-1][0] == "unverified" and at.standing("A") == []
    assert "fails your mail provider's check (DMARC)" in told(at, "A")
    assert "counts from when it came" in told(at, "A")
    at.send("A", "SPECIAL JUS", To=to)
    at.send("A", f"CONFIRM {code(at, 'A')}")
    at.once()
    assert at.standing("A") == ["SPECIAL JUS"], "it counts from when it came"


@pytest.mark.parametrize("late", ["until_adjudicated", "deadline"])
def test_a_code_after_the_deadline_is_in_time_until_the_period_closes(
    tmp_path: Path, late: str
) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, trust="proven", late=late) as at:
        at.start()
        due = at.table().period.due
        assert due
        at.clock = due - timedelta(minutes=5)
        at.send(
            "A",
            "SPECIAL AGR",
            To=str(at.mails("A")[-1]["Reply-To"]),
            Authentication_Results=vouched("A", "fail"),
        )
        at.act(deadline_acts.hold, "g", "so that the period stays open")
        at.clock = due + timedelta(minutes=5)
        at.send("A", f"CONFIRM {code(at, 'A')}")
        at.once()
        assert at.table().period.number == 1 and at.standing("A") == ["SPECIAL AGR"]
