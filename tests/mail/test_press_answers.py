"""Answers to press: they go to whoever wrote it, without his name where he gave none; what is cut, what is
held, what nobody gains by them; how many, how long, and what a rewind leaves of them."""

from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.errors import OperatorError
from pbem.orders.order import reported
from pbem.referee.acts import seat_acts, word_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Press
from tests.installation import (
    GAMESMASTER,
    REFEREE,
    SEATS,
    Installation,
    address,
    desk,
    surely,
    text_of,
    told,
)
from tests.linking import links
from tests.mail.proof import PROOF, STRANGER, Place, code, playing, secret
from tests.pressing import answer, of_gamesmaster, press_to, words, write
from tests.subjects import subjects

NEW = "new@else.example"
pytestmark = pytest.mark.game("coalition", strangers=(STRANGER, NEW))


def answers_on_file(at: Installation) -> int:
    with exclusive_transaction(at.daemon.engine) as conn:
        return len(conn.execute(select(Press.id).where(Press.answers.is_not(None))).all())


def nothing_passed_on(at: Installation, *readers: str) -> None:
    assert answers_on_file(at) == 0
    for seat in readers or SEATS:
        assert not any("in answer to" in str(mail["Subject"]) for mail in press_to(at, seat))


# --- who gets it ----------------------------------------------------------------------------------


def test_an_answer_goes_to_the_writer_alone(at: Installation) -> None:
    write(at, "A", "ALL", "Let us meet.")
    answer(at, "B", "That is fine with me.")
    (mail,) = press_to(at, "A")
    assert mail["Subject"] == "[g] Press from B, in answer to yours"
    assert "Press from B, in answer to that of A: | That is fine with me." in words(at, "A")
    assert "The press that this answers began: | Let us meet." in words(at, "A")
    assert address("B") not in mail.as_string()
    assert mail["In-Reply-To"] is None and mail["References"] is None
    assert [len(press_to(at, seat)) for seat in "BCDE"] == [1, 1, 1, 1]
    said = told(at, "B")
    assert "It has been passed on to A, without your address." in said
    assert "YOUR ANSWER AS IT WENT OUT" in said and "| That is fine with me." in said
    at.to_deadline()
    for seat in SEATS:
        bulletins = [text_of(m) for m in at.mails(seat) if "Bulletin 1" in str(m["Subject"])]
        assert bulletins and not any("fine with me" in text for text in bulletins), "it is private"


def test_both_can_go_on_and_who_hides_stays_hidden(at: Installation) -> None:
    name = "an anonymous player"
    write(at, "A", "ALL ANONYMOUSLY", "Trust nobody.")
    answer(at, "B", "Not even you?")
    assert f"Press from B, in answer to that of {name}: | Not even you?" in words(at, "A")
    assert f"from {name} again, and shows no address" in words(at, "A")
    answer(at, "A", "Least of all me.")
    assert f"Press from {name}, in answer to that of B: | Least of all me." in words(at, "B")
    answer(at, "B", "Then farewell.")
    assert f"Press from B, in answer to that of {name}: | Then farewell." in words(at, "A")
    for mail in at.mails("B"):
        text = mail.as_string()
        assert address("A") not in text
        assert "Player A" not in text or "Press" not in str(mail["Subject"])
        if "Press from" in str(mail["Subject"]) or "Re: press" in str(mail["Subject"]):
            assert " A," not in text_of(mail) and " A " not in text_of(mail)


def test_an_answer_to_the_gamesmaster_goes_to_him_and_he_can_go_on(at: Installation) -> None:
    of_gamesmaster(at, "ALL", "Who plays on?")
    answer(at, "B", "I do.")
    mail = at.mails(GAMESMASTER)[-1]
    assert mail["Subject"] == "[g] Press from B, in answer to yours"
    assert "| I do." in text_of(mail) and address("B") not in mail.as_string()
    proof = PROOF.replace("legit.example", "game.example")
    at.send(GAMESMASTER, "Good.\nHOLD", To=str(mail["Reply-To"]), Authentication_Results=proof)
    assert "| HOLD" in told(at, GAMESMASTER), "it is held, and no command of it is done"
    assert at.table().row.status == "running"
    at.send(GAMESMASTER, "Good.", To=str(mail["Reply-To"]), Authentication_Results=proof)
    assert "Press from the gamesmaster, in answer to that of B: | Good." in words(at, "B")
    answer(at, "B", "And who does not?")
    assert "| And who does not?" in told(at, GAMESMASTER)
    unproven = {"To": str(at.mails(GAMESMASTER)[-1]["Reply-To"]), "Authentication_Results": ""}
    at.send(GAMESMASTER, "All do.", **unproven)
    assert "came without proof" in told(at, GAMESMASTER) and "All do" not in words(at, "B")


# --- what is cut ----------------------------------------------------------------------------------

NOTICE = "Your special ministries are AGR and ENV."


@pytest.mark.parametrize(
    "letter",
    [
        f"Agreed.\n\nOn Monday the referee wrote:\n> Press from A\n> {NOTICE}",
        f"Agreed.\n\n-----Original Message-----\nFrom: The Referee\nSent: Monday\nTo: B\nSubject:"
        f" [g] Your notice\n\n{NOTICE}",
        f"Agreed.\n\n-------- reply above this line --------\n\n{NOTICE}",
        f"Agreed.\n-- \nBob\n{NOTICE}",
        f"> Press from A\n\nAgreed.\n\n> {NOTICE}",
        f"Agreed.\n\n________________________________\nFrom: The Referee <{REFEREE}>\nSent: Monday,"
        f" 2 March 2026 10:00\nTo: b@legit.example\nSubject: [g] Bulletin\n\n{NOTICE}",
    ],
)
def test_what_is_quoted_goes_to_nobody(at: Installation, letter: str) -> None:
    write(at, "A", "B", "Yes?")
    answer(at, "B", letter)
    got = text_of(press_to(at, "A")[-1])
    assert "| Agreed." in got and "AGR" not in got and "Bob" not in got
    assert "Cut off, and passed on to nobody:" in told(at, "B")


def test_attachments_go_to_nobody(at: Installation) -> None:
    write(at, "A", "B", "Yes?")
    letter = EmailMessage()
    letter["From"], letter["Subject"] = address("B"), "Re: press"
    letter["To"] = str(press_to(at, "B")[-1]["Reply-To"])
    letter.set_content("Agreed.")
    letter.add_attachment("My own notes.", filename="notes.txt")
    letter.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="map.pdf")
    at.post(letter.as_bytes())
    at.once()
    mail = press_to(at, "A")[-1]
    assert "| Agreed." in text_of(mail) and "notes" not in mail.as_string()
    assert "map.pdf" not in mail.as_string() and "1 attached file" in told(at, "B")


@pytest.mark.parametrize("letter", ["> Yes?", "", "-- \nBob"])
def test_an_answer_without_a_word(at: Installation, letter: str) -> None:
    write(at, "A", "B", "Yes?")
    answer(at, "B", letter)
    nothing_passed_on(at)
    assert "no words of your own were found" in told(at, "B")


# --- what is held ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "SPECIAL AGR, ENV",
        "standing aye",
        "PRESS TO C",
        "READY",
        "CONFIRM abcd-efgh",
        "AGREE DRAW A, B",
        "QUIT",
        "HELP",
    ],
)
def test_an_answer_with_an_order_is_held_and_nothing_of_it_counts(
    at: Installation, line: str
) -> None:
    write(at, "A", "B", "Yes?")
    answer(at, "B", f"Agreed.\n{line}")
    nothing_passed_on(at)
    assert at.standing("B") == [] and f"| {line}" in told(at, "B")
    assert "It was held" in told(at, "B") and "Agreed" not in told(at, "B")
    before = len(at.mails("B"))
    at.send("B", f"# again\n{at.newest('B')}", To=secret(at, "B"))
    assert at.standing("B") == [] and len(at.mails("B")) == before + 1, (
        "quoted bare it asks nothing"
    )
    answer(at, "B", f"Agreed.\n{line}\nEND PRESS\nSPECIAL INF")
    assert f"| {line}" in text_of(press_to(at, "A")[-1]) and at.standing("B") == []
    assert "Nothing below END PRESS was read: 1 line." in told(at, "B")
    assert "INF" not in text_of(press_to(at, "A")[-1])


# --- who may answer -------------------------------------------------------------------------------


def test_an_outsider_reaches_nobody(at: Installation) -> None:
    write(at, "A", "ALL", "Yes?")
    to = str(press_to(at, "B")[-1]["Reply-To"])
    before = {seat: len(at.mails(seat)) for seat in SEATS}
    for said in ("I am B.", "GAMES", "SPECIAL AGR"):
        at.send(STRANGER, said, To=to)
        assert at.outcomes()[-1][0] == "unknown-sender"
    nothing_passed_on(at)
    after = {seat: len(at.mails(seat)) for seat in SEATS}
    assert after == before, "it tells nobody whose it was"
    answer(at, "B", "It is still mine.")
    assert "| It is still mine." in words(at, "A")


def test_another_player_answers_for_himself_only(at: Installation) -> None:
    """He was shown a press that was mailed to another."""
    write(at, "A", "B", "Yes?")
    to = str(press_to(at, "B")[-1]["Reply-To"])
    at.send("C", "SPECIAL AGR\nWhat does he want?", To=to)
    nothing_passed_on(at)
    assert at.standing("C") == at.standing("B") == []
    assert "Your letter answers a press that was not mailed to you" in told(at, "C")


@pytest.mark.parametrize("part", ["press.abc", f"press.{'a' * 24}"])
def test_an_address_that_was_never_ours(at: Installation, part: str) -> None:
    at.send("B", "SPECIAL AGR", To=f"referee+{part}@game.example")
    assert at.standing("B") == [] and "Nothing of it was passed on" in told(at, "B")


def test_one_letter_to_two_addresses_goes_to_nobody(at: Installation) -> None:
    own = secret(at, "B")
    write(at, "A", "B", "Yes?")
    write(at, "C", "B", "No?")
    first, second = (str(mail["Reply-To"]) for mail in press_to(at, "B"))
    for other in (second, own):
        at.send("B", "Agreed.\nSPECIAL AGR", To=f"{first}, {other}")
        nothing_passed_on(at)
        assert at.standing("B") == [] and "other addresses of the referee besides" in told(at, "B")


@pytest.mark.parametrize("trust", ["open", "proven"])
@pytest.mark.parametrize("proof", ["", PROOF, PROOF.replace("pass", "fail")])
def test_an_answer_needs_what_the_game_asks_for(
    tmp_path: Path, place: Place, trust: str, proof: str
) -> None:
    """A forger has a press that was forwarded: neither it nor its address proves anything."""
    with playing(place, tmp_path, trust) as at:
        own = secret(at, "A")
        at.send("A", "PRESS TO ALL\nYes?\nEND PRESS", To=own, Authentication_Results=PROOF)
        proofs = {"Authentication_Results": proof} if proof else {}
        answer(at, "B", "Agreed.", **proofs)
        counts = trust == "open" or proof == PROOF
        assert answers_on_file(at) == counts
        if not counts:
            assert at.outcomes()[-1][0] == "unverified"
            at.send("B", f"CONFIRM {code(at, 'B')}")
            at.once()
            assert "| Agreed." in words(at, "A")


def test_a_letter_with_proof_is_no_answer_when_sent_on_to_the_address(
    tmp_path: Path, place: Place
) -> None:
    """What B wrote to the referee for himself, another sends on to the press that B got."""
    with playing(place, tmp_path, "proven") as at:
        at.send("A", "PRESS TO B\nYes?\nEND PRESS", Authentication_Results=PROOF)
        to = str(press_to(at, "B")[-1]["Reply-To"])
        at.send("B", "I do not trust A.", Delivered_To=to, Authentication_Results=PROOF)
        nothing_passed_on(at)
        assert at.outcomes()[-1][0] == "unverified"


def test_a_program_that_answers_in_his_absence_is_not_passed_on(at: Installation) -> None:
    write(at, "A", "B", "Yes?")
    answer(at, "B", "I am away until Monday.", Auto_Submitted="auto-replied")
    nothing_passed_on(at)
    assert at.outcomes()[-1][0] == "unanswered", "the gamesmaster sees it"


def test_a_press_has_no_link_and_shows_its_address_nowhere_else(at: Installation) -> None:
    write(at, "A", "B", "Yes?")
    (mail,) = press_to(at, "B")
    part = str(mail["Reply-To"]).partition("+")[2].partition("@")[0]
    assert links(mail) == [] and mail.as_string().count(part) == 1


# --- who is there no more -------------------------------------------------------------------------


def replaced(at: Installation, seat: str) -> None:
    at.act(seat_acts.replace, "g", seat, NEW, "New", "it was asked for")
    at.once()


def test_who_took_a_seat_gets_no_answer_to_the_press_of_before(at: Installation) -> None:
    write(at, "A", "B", "Yes?")
    replaced(at, "A")
    answer(at, "B", "Agreed.")
    nothing_passed_on(at)
    assert press_to(at, NEW) == []
    assert "its writer no longer plays A" in told(at, "B")


def test_nor_does_he_answer_for_who_held_it(at: Installation) -> None:
    write(at, "A", "B", "Yes?")
    to = str(press_to(at, "B")[-1]["Reply-To"])
    replaced(at, "B")
    for sender in (NEW, "B"):
        at.send(sender, "Agreed.", To=to)
    nothing_passed_on(at)


def test_what_is_told_of_a_hidden_writer_is_the_same_whoever_he_was(
    tmp_path: Path, place: Place
) -> None:
    """B knows that A has another player now, and may not learn that A wrote it."""
    said = []
    for writer in "AC":
        (tmp_path / writer).mkdir()
        with place(tmp_path / writer, "coalition", seats=SEATS, strangers=(NEW,)) as at:
            at.start()
            write(at, writer, "ALL ANONYMOUS", "Trust nobody.")
            replaced(at, "A")
            answer(at, "B", "Not even you?")
            said.append([text_of(mail) for mail in at.mails("B")][-2:])
            assert (len(press_to(at, "C")) == 1) == (writer == "A") or writer == "C"
            assert len(press_to(at, NEW)) == 0
    assert said[0] == said[1]


def test_nobody_answers_when_the_game_is_over(at: Installation) -> None:
    write(at, "A", "B", "Yes?")
    for seat in SEATS:
        surely(at, seat, "AGREE DRAW A, B, C, D, E")
    at.once()
    assert at.table().row.status == "over"
    answer(at, "B", "Agreed.")
    nothing_passed_on(at)
    assert "the game is over, and the referee relays no press any more" in told(at, "B")


@pytest.mark.parametrize(
    ("text", "has"), [("word\n" * 401, "401 lines"), ("x " * 10_001, "20,001")]
)
def test_an_answer_has_a_length(at: Installation, text: str, has: str) -> None:
    write(at, "A", "B", "Yes?")
    answer(at, "B", text.strip())
    nothing_passed_on(at)
    assert has in told(at, "B") and "400 lines and 20,000 characters at most" in told(at, "B")


def test_an_answer_that_came_twice_goes_once(at: Installation) -> None:
    write(at, "A", "B", "Yes?")
    raw = answer(at, "B", "Agreed.")
    at.post(raw.replace(b"Subject: Re: press", b"Subject: RE: press"))
    at.once()
    assert answers_on_file(at) == 1 and len(press_to(at, "A")) == 1
    assert "This letter had come before" in told(at, "B")


# --- between periods, and back --------------------------------------------------------------------


def test_open_press_has_no_answer(tmp_path: Path, place: Place) -> None:
    with place(tmp_path, "coalition", seats=SEATS, house={"press": "open"}) as at:
        at.start()
        write(at, "A", "ALL", "Yes?")
        answer(at, "B", "Agreed.")
        nothing_passed_on(at)
        assert "an answer would go to one alone" in told(at, "B")
        of_gamesmaster(at, "ALL", "Who plays on?")
        answer(at, "B", "I do.")
        assert "| I do." in told(at, GAMESMASTER), "the gamesmaster may be answered"


# --- press that offends ---------------------------------------------------------------------------


def counts(at: Installation) -> dict[str, int]:
    return {who: len(at.mails(who)) for who in (*SEATS, GAMESMASTER)}


def newest_alarm(at: Installation) -> str:
    found = [mail for mail in at.mails(GAMESMASTER) if "reports a press" in str(mail["Subject"])]
    return " ".join(text_of(found[-1]).split())


def suspend(at: Installation, days: int, of: str = "A") -> str:
    with desk(at) as work:
        said = word_acts.suspend(work, "g", of, days, "you go on").said
    at.once()
    return said


# --- MUTE -----------------------------------------------------------------------------------------


def test_who_mutes_a_seat_gets_no_more_press_that_it_signs(at: Installation) -> None:
    before = counts(at)
    at.send("B", "MUTE A")
    assert "You get no more press that A signs. Nobody else is told." in told(at, "B")
    assert counts(at) == before | {"B": before["B"] + 1}
    write(at, "A", "ALL", "You fools.")
    write(at, "A", "B", "You fool.")
    assert [len(press_to(at, seat)) for seat in "BCD"] == [0, 1, 1]
    write(at, "C", "B", "Good evening.")
    assert len(press_to(at, "B")) == 1
    at.send("B", "MUTE A OFF\nMUTE")
    assert "You get the press of A again." in told(at, "B")
    write(at, "A", "B", "You fool.")
    assert len(press_to(at, "B")) == 2


def test_its_writer_sees_no_difference(at: Installation) -> None:
    write(at, "A", "B", "You fool.")
    at.send("A", "RECEIPTS ALL")
    write(at, "A", "B", "You fool.")
    heard = told(at, "A")
    at.send("B", "MUTE A")
    write(at, "A", "B", "You fool.")
    strip = str.maketrans("", "", "0123456789")
    assert told(at, "A").translate(strip) == heard.translate(strip)


def test_hidden_press_comes_all_the_same(at: Installation) -> None:
    """If it stopped, the reader would know whose it is."""
    at.send("B", "MUTE A")
    write(at, "A", "B ANONYMOUSLY", "You fool.")
    assert len(press_to(at, "B")) == 1


def test_an_answer_of_a_muted_seat_does_not_come(at: Installation) -> None:
    write(at, "B", "A", "Let us meet.")
    at.send("B", "MUTE A")
    answer(at, "A", "Never, you fool.")
    assert press_to(at, "B") == [] and "It has been passed on to B" in told(at, "A")


def test_it_ends_with_the_player(at: Installation) -> None:
    at.send("B", "MUTE A")
    at.act(seat_acts.replace, "g", "A", NEW, "Nora", "moved")
    at.once()
    at.send(NEW, "PRESS TO B\nGood evening.\nEND PRESS")
    assert len(press_to(at, "B")) == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("MUTE Z", 'MUTE was not taken: "Z" is no seat here.'),
        ("MUTE B", "MUTE was not taken: that is your own seat."),
        ("MUTE", "You get the press of all."),
    ],
)
def test_what_cannot_be_muted(at: Installation, line: str, said: str) -> None:
    at.send("B", line)
    assert said in told(at, "B")


# --- REPORT ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("veil", "signed"), [("", ""), ("ANONYMOUSLY", ", signed as an anonymous player")]
)
def test_a_report_goes_to_the_gamesmaster_alone(at: Installation, veil: str, signed: str) -> None:
    write(at, "A", f"B, C {veil}".strip(), "You fools.")
    before = counts(at)
    answer(at, "B", "REPORT\nThis is too much.")
    assert counts(at) == before | {"B": before["B"] + 1, GAMESMASTER: before[GAMESMASTER] + 1}
    assert f"B reports this press of A to B and C{signed}: | You fools." in newest_alarm(at)
    assert "B says of it: | This is too much." in newest_alarm(at)
    assert "The gamesmaster has been sent that press" in told(at, "B")
    if veil:
        assert "press of A" not in told(at, "B")
    answer(at, "B", "Report.")
    assert "You have reported it already." in told(at, "B")
    assert counts(at)[GAMESMASTER] == before[GAMESMASTER] + 1


def test_nobody_learns_that_hidden_press_is_the_gamesmasters(at: Installation) -> None:
    """By the answer to REPORT, or because a suspended player's answer goes out all the same."""
    heard = list[str]()
    of_gamesmaster(at, "B ANONYMOUS", "You fool.")
    answer(at, "B", "REPORT\nThis is too much.")
    heard.append(told(at, "B"))
    assert "B reports this press of the gamesmaster to B, signed as " in newest_alarm(at)
    write(at, "A", "B ANONYMOUS", "You fool.")
    answer(at, "B", "REPORT\nThis is too much.")
    heard.append(told(at, "B"))
    assert "The gamesmaster has been sent that press" in heard[0]
    assert [_unnumbered(one) for one in heard] == [_unnumbered(heard[0])] * 2
    suspend(at, 2, of="B")
    for of in (-1, -2):
        answer(at, "B", "You fool.", of=of)
        assert "It was not passed on: the gamesmaster has suspended your press" in told(at, "B")


def _unnumbered(text: str) -> str:
    return text.translate(str.maketrans("", "", "0123456789"))


@pytest.mark.parametrize(
    ("text", "remarks"),
    [
        ("REPORT", ""),
        ("report.", ""),
        ("REPORT: he swears", "he swears"),
        ("REPORT\n\nhe swears\nagain", "he swears\nagain"),
        ("Report from the north: all quiet", None),
        ("REPORTED", None),
        ("I report you", None),
        ("", None),
    ],
)
def test_what_is_a_report(text: str, remarks: str | None) -> None:
    assert reported(text) == remarks


# --- a warning, a suspension ----------------------------------------------------------------------


def test_only_its_player_is_told_of_a_warning(at: Installation) -> None:
    before = counts(at)
    at.act(word_acts.suspend, "g", "A", None, "do not call the others fools.")
    at.once()
    assert counts(at) == before | {"A": before["A"] + 1}
    assert "mind your press in this game: do not call the others fools." in told(at, "A")
    write(at, "A", "B", "Sorry.")
    assert len(press_to(at, "B")) == 1


@pytest.mark.parametrize("veil", ["", " ANONYMOUSLY"])
def test_suspended_press_goes_out_to_nobody(at: Installation, veil: str) -> None:
    write(at, "B", "A", "Well?")
    before = counts(at)
    suspend(at, 2)
    assert counts(at) == before | {"A": before["A"] + 1}
    assert "The gamesmaster has suspended your press for 2 days" in told(at, "A")
    write(at, "A", f"B{veil}", "You fool.")
    assert "it was not relayed: the gamesmaster has suspended your press until" in told(at, "A")
    answer(at, "A", "You fool.")
    assert "It was not passed on: the gamesmaster has suspended your press" in told(at, "A")
    assert press_to(at, "B") == []
    at.send("A", "SPECIAL AGR")
    assert at.standing("A") == ["SPECIAL AGR"]
    at.clock += timedelta(days=2, minutes=1)
    write(at, "A", f"B{veil}", "Good evening.")
    assert len(press_to(at, "B")) == 1


def test_a_suspension_can_be_taken_back(at: Installation) -> None:
    suspend(at, 9)
    assert "goes out again" in suspend(at, 0)
    assert "Your press goes out again" in subjects(at, "A")[-1]
    write(at, "A", "B", "Good evening.")
    assert len(press_to(at, "B")) == 1
    with pytest.raises(OperatorError, match="is not suspended"):
        suspend(at, 0)
    with pytest.raises(OperatorError, match="from 1 to 60 days"):
        suspend(at, 61)


def test_the_gamesmaster_is_told_what_he_can_do(at: Installation) -> None:
    write(at, "A", "B", "You fool.")
    answer(at, "B", "REPORT")
    assert "To warn A, with your words: `pbem suspend g A`" in newest_alarm(at)
    assert "You fool." in words(at, "B")
