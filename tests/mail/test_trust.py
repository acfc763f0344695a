"""Who is believed: the four levels, held letters, codes, secret addresses that stray."""

import re
from datetime import timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from sqlalchemy import update

from pbem.errors import OperatorError
from pbem.games.frame.length import Days
from pbem.letters.states import LetterState
from pbem.periods import deadline_acts, opening, persons
from pbem.referee.acts import letter_acts, seat_acts
from pbem.store.engine.among import Among
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games, overview
from pbem.store.schema.tables import Letter
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


# --- letters that are held ------------------------------------------------------------------------


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
