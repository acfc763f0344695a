"""A yes to the suggestion of a receipt: it sends the order that was suggested, and nothing else
does."""

from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.orders import sentences
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Journal
from tests.installation import REFEREE, Installation, text_of, told
from tests.letter.letters import lines_of
from tests.pressing import press_to
from tests.vouching import vouched

HERE = Path(__file__).parent
SLIP, MEANT = "SPECAL AGR", "SPECIAL AGR"
TWO = "SPECAL AGR\nSPECIAL JUS\nSTANDIN NAY"
BOTH = ["SPECIAL JUS", "STANDING NAY"]


pytestmark = pytest.mark.game("coalition", limits={"receipts_an_hour": 200})


def asked(at: Installation, lines: str, seat: str = "A", **headers: str) -> str:
    """The Message-ID of the receipt for some lines."""
    at.send(seat, lines, **headers)
    return str(at.mails(seat)[-1]["Message-ID"])


def answers(at: Installation, receipt: str, text: str, seat: str = "A", **headers: str) -> str:
    """The receipt of an answer, on one line."""
    at.send(seat, text, In_Reply_To=receipt, References=receipt, Subject="Re: orders", **headers)
    return told(at, seat)


def test_the_receipt_asks_for_it(at: Installation) -> None:
    asked(at, SLIP)
    assert f'did you mean {MEANT}? Answer "yes".' in told(at, "A")
    html = str(at.mails("A")[-1].get_body(("html",)).get_content())  # type: ignore[union-attr]
    assert "body=SPECIAL%20AGR" in html


def test_what_is_a_yes(at: Installation) -> None:
    for text in lines_of(HERE / "yes.txt"):
        receipt = asked(at, SLIP)
        said = answers(at, receipt, text)
        assert MEANT in at.standing("A"), text
        assert f'You said yes to "{MEANT}".' in said, text
        asked(at, "CANCEL ALL")


def test_what_is_no_yes(at: Installation) -> None:
    receipt = asked(at, SLIP)
    for text in ("", *lines_of(HERE / "no_yes.txt")):
        answers(at, receipt, text)
        assert at.standing("A") == [], text
    assert "since your letter says more" in answers(at, receipt, "Yes\nbut more of them")


def test_it_never_chooses_between_two(at: Installation) -> None:
    receipt = asked(at, "SPECAL AGR\nSPECAL JUS")
    assert 'Answer "1".' in told(at, "A") and 'Answer "2".' in told(at, "A")
    said = answers(at, receipt, "yes")
    assert at.standing("A") == []
    assert 'There were 2 suggestions. Answer "1" for "SPECIAL AGR", "2" for "SPECIAL JUS".' in said
    answers(at, receipt, "the second")
    assert at.standing("A") == ["SPECIAL JUS"]


def test_a_yes_sends_all_and_a_number_one(at: Installation) -> None:
    receipt = asked(at, TWO)
    assert 'Answer "2", or "yes" for all.' in told(at, "A")
    answers(at, receipt, "the second")
    assert at.standing("A") == BOTH
    said = answers(at, receipt, "yes")
    assert 'You said yes to "SPECIAL AGR".' in said
    assert at.standing("A") == ["SPECIAL AGR", "STANDING NAY"]
    receipt = asked(at, "CANCEL ALL\n" + TWO)
    said = answers(at, receipt, "yes")
    assert 'You said yes to "SPECIAL AGR". You said yes to "STANDING NAY".' in said
    assert at.standing("A") == ["SPECIAL AGR", "STANDING NAY"]


def unthreaded(at: Installation, text: str, seat: str = "A", to: str = "") -> str:
    """What is said to a yes from a program that names no mail it answers."""
    own = str(at.mails(seat)[-1]["Reply-To"])
    at.send(seat, text, To=to or own, Subject="Re: orders")
    return told(at, seat)


def test_a_yes_that_answers_no_mail_takes_the_newest_suggestion(at: Installation) -> None:
    asked(at, "SPECAL JUS")
    asked(at, SLIP)
    assert f'You said yes to "{MEANT}".' in unthreaded(
        at, f"Yes please!\n\n> did you mean {MEANT}?"
    )
    assert at.standing("A") == [MEANT]
    assert f'You said yes to "{MEANT}" before; it stands.' in unthreaded(at, "yes")


def test_it_must_be_alone_at_the_own_address_and_in_time(at: Installation) -> None:
    asked(at, SLIP)
    unthreaded(at, "yes", to=REFEREE)
    unthreaded(at, "yes\nWAIT")
    unthreaded(at, "yes\nSTANDING NAY")
    assert MEANT not in at.standing("A")
    asked(at, f"CANCEL ALL\n{SLIP}")
    at.to_deadline()
    unthreaded(at, "yes")
    assert at.standing("A") == []


def test_said_twice_it_counts_once(at: Installation) -> None:
    receipt = asked(at, SLIP)
    answers(at, receipt, "yes")
    assert f'You said yes to "{MEANT}" before; it stands.' in answers(at, receipt, "ja")
    asked(at, "SPECIAL JUS")
    assert "sent other orders since" in answers(at, receipt, "yes")
    assert at.standing("A") == ["SPECIAL JUS"]


def test_newer_orders_end_it(at: Installation) -> None:
    receipt = asked(at, SLIP)
    asked(at, "SPECIAL JUS")
    said = answers(at, receipt, "yes")
    assert "Your yes was not taken: you have sent other orders since." in said
    assert at.standing("A") == ["SPECIAL JUS"]


def test_a_question_in_between_does_not_end_it(at: Installation) -> None:
    receipt = asked(at, SLIP)
    asked(at, "STATUS")
    answers(at, receipt, "yes")
    assert at.standing("A") == [MEANT]


def test_it_belongs_to_its_own_receipt(at: Installation) -> None:
    welcome = str(at.mails("A")[-1]["Message-ID"])
    asked(at, SLIP)
    said = answers(at, welcome, "yes")
    assert at.standing("A") == []
    assert f'If you mean it, send the line "{MEANT}".' in said


@pytest.mark.parametrize("reads", ["yes", "1"])
def test_another_cannot_say_it(at: Installation, reads: str) -> None:
    receipt = asked(at, SLIP)
    token = str(at.mails("A")[-1]["Reply-To"])
    answers(at, receipt, reads, "B")
    answers(at, receipt, reads, "B", To=token)
    at.send("stranger@else.example", reads, In_Reply_To=receipt, To=token)
    assert at.standing("A") == [] and at.standing("B") == []


@pytest.mark.game("coalition", trust="proven")
def test_without_proof_it_waits_for_the_code(at: Installation) -> None:
    token = str(at.mails("A")[-1]["Reply-To"])
    receipt = asked(at, SLIP, To=token)
    answers(at, receipt, "yes", To=REFEREE)
    assert at.standing("A") == []
    answers(at, receipt, "yes", To=token)
    assert at.standing("A") == [MEANT]


@pytest.mark.parametrize(
    "marks",
    [
        {"Auto_Submitted": "auto-replied"},
        {"X_Autoreply": "yes", "Precedence": "auto_reply"},
        {"Subject": "Automatic reply: orders"},
    ],
)
def test_a_machine_cannot_say_it(at: Installation, marks: dict[str, str]) -> None:
    receipt = asked(at, SLIP)
    headers = {"In_Reply_To": receipt, "Subject": "Re: orders"} | marks
    at.send("A", "yes", Authentication_Results=vouched("A"), **headers)
    assert at.standing("A") == []


def test_tried_only(at: Installation) -> None:
    receipt = asked(at, SLIP)
    answers(at, receipt, "CHECK\nyes")
    assert at.standing("A") == []
    answers(at, receipt, "yes")
    assert at.standing("A") == [MEANT]


def test_the_journal_has_the_order(at: Installation) -> None:
    answers(at, asked(at, SLIP), "yes")
    with exclusive_transaction(at.daemon.engine) as conn:
        found = conn.execute(select(Journal.data).order_by(Journal.n)).scalars().all()
    last = [one for one in found if "yes_to" in str(one)][-1]
    assert MEANT in str(last)


@pytest.mark.game("parlement-1966")
@pytest.mark.parametrize("words", ["PAYY 10 TO L", "I would like to give 10 crowns to L"])
def test_money_is_offered_and_sent_by_a_yes(at: Installation, words: str) -> None:
    """Parlement (1966), 38: a payment. No sentence sends it."""
    receipt = asked(at, words, "S")
    assert 'did you mean PAY 10 TO L? Answer "yes".' in told(at, "S")
    assert not any("PAY" in one for one in at.standing("S"))
    answers(at, receipt, "yes", "S")
    assert any("PAY 10 TO L" in one for one in at.standing("S"))


def test_a_line_with_its_number_is_explained(at: Installation) -> None:
    asked(at, f"STANDING NAY\n[1] {MEANT}")
    said = told(at, "A")
    assert f'send "{MEANT}" without it' in said
    assert at.standing("A") == ["STANDING NAY"]


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("yes", "Nothing here waits for a yes."),
        ("Hello,\n\nthank you very much!\n\nBest regards", "You are welcome."),
        ("perhaps", 'I found no order in "perhaps".'),
    ],
)
def test_small_talk(at: Installation, said: str, answer: str) -> None:
    at.send("A", said, Authentication_Results=vouched("A"))
    assert f"{answer} HELP brings what you can send." in told(at, "A")


HELD = "PRESS TO B ANONYMOUS\nPlayer A is a fool.\nEND PRESS"
"""Press that shows its writer's name."""


def test_a_yes_sends_held_press_once_and_as_it_was_shown(at: Installation) -> None:
    receipt = asked(at, HELD)
    assert 'or answer "yes" to send it as it stands here.' in told(at, "A")
    assert press_to(at, "B") == []
    said = answers(at, receipt, "yes")
    assert "Your press to B went out without your name." in said
    (mail,) = press_to(at, "B")
    assert "anonymous player" in str(mail["Subject"]) and "Player A is a fool." in text_of(mail)
    assert "it went out then" in answers(at, receipt, "yes") and len(press_to(at, "B")) == 1


@pytest.mark.parametrize(
    ("yes", "stands", "went"), [("yes", True, True), ("1", True, False), ("2", False, True)]
)
def test_held_press_has_a_number_beside_suggestions(
    at: Installation, yes: str, stands: bool, went: bool
) -> None:
    receipt = asked(at, f"{SLIP}\n{HELD}")
    said = told(at, "A")
    assert f'did you mean {MEANT}? Answer "1", or "yes" for all.' in said
    assert 'or answer "2" to send it as it stands here.' in said
    answers(at, receipt, yes)
    assert (MEANT in at.standing("A")) is stands and bool(press_to(at, "B")) is went


def test_a_trial_sends_no_held_press_and_orders_since_do_not_lapse_it(at: Installation) -> None:
    trial = asked(at, f"CHECK\n{HELD}")
    assert "Answer" not in told(at, "A") and press_to(at, "B") == []
    answers(at, trial, "yes")
    assert press_to(at, "B") == []
    receipt = asked(at, HELD)
    asked(at, MEANT)
    answers(at, receipt, "yes")
    assert len(press_to(at, "B")) == 1


def test_several_numbers_take_what_they_name_and_nothing_else(at: Installation) -> None:
    one_slot = asked(at, "SPECAL AGR\nSPECAL JUS")
    for said in ("1 and 7", "1 and 2"):
        answers(at, one_slot, said)
        assert at.standing("A") == [], said
    answers(at, asked(at, TWO), "1 and 2")
    assert at.standing("A") == ["SPECIAL AGR", "STANDING NAY"]


def test_what_stands_behind_a_yes_keeps_its_words() -> None:
    said = sentences.yes("Yes. And sign bill 5, not 7, thanks for all", [], lambda line: True)
    assert said and said.rest == "And sign bill 5, not 7, thanks for all"


def test_what_a_yes_takes_was_shown(at: Installation) -> None:
    """A request put as a question is offered, and is no question."""
    receipt = asked(at, "Would you please name agriculture my special ministry?")
    said = told(at, "A")
    assert f'did you mean {MEANT}? Answer "yes".' in said and "I don't know" not in said
    answers(at, receipt, "yes")
    assert at.standing("A") == [MEANT]


def test_a_stray_yes_is_no_vote(at: Installation) -> None:
    answers(at, asked(at, "What is a motion?"), "yes")
    assert "Nothing here waits for a yes." in told(at, "A") and "VOTE" not in told(at, "A")


@pytest.mark.game("parlement-1966")
def test_what_stands_beside_a_question_is_not_lost_in_silence(at: Installation) -> None:
    asked(at, "We put our name under bill 4 maybe.\nWhat is a bloc?\nREADY", "S")
    said = told(at, "S")
    assert 'I found no order in "We put our name under bill ...".' in said
    assert "READY was not taken" in said
    asked(at, "Please also some more for us. I'm ready", "S")
    assert "READY was not taken" in told(at, "S") and "no order in" in told(at, "S")


BEGUN = "I propose A as prime minister, B for defence and C for finance. How are you?"
WHOLE = "PROPOSE PM A, DEF B, FIN C, FOR A, AGR A, E/C A"
REST = ", ENV A, F/F A, H/W A, INF A, JUS A, M/E A, S/I A, SEC A, T/E A, TRA A"


def test_a_slate_that_lacks_offices_goes_on_in_the_next_letter(at: Installation) -> None:
    asked(at, BEGUN)
    said = told(at, "A")
    assert "so far I read PROPOSE PM A, DEF B, FIN C. Who gets FOR," in said
    receipt = asked(at, "The rest is for me")
    assert at.standing("A") == [] and f"did you mean {WHOLE}" in told(at, "A")
    answers(at, receipt, "yes")
    assert at.standing("A")[0].startswith(WHOLE)


def test_a_slate_begun_before_one_that_stands_is_past(at: Installation) -> None:
    asked(at, BEGUN)
    at.send("A", WHOLE.replace("PM A", "PM D") + REST)
    asked(at, "Move defence to C")
    assert "did you mean PROPOSE PM D, DEF C, FIN C, FOR A" in told(at, "A")


def test_what_nobody_answered_is_asked_again_once(at: Installation) -> None:
    asked(at, "Security and Transport are my special ministries")
    receipt = asked(at, f"{BEGUN[:-13]} The rest is for me. I'm ready")
    said = told(at, "A")
    assert "READY was not taken" in said and "#2 You were asked before" in said
    answers(at, receipt, "yes, both please")
    assert at.standing("A")[1] == "SPECIAL SEC, TRA"
    for words in ("Justice is my special ministry", "I'm ready", "I'm ready"):
        asked(at, words)
    assert "You have said READY" in told(at, "A")
