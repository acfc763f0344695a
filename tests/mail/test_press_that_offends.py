"""Press that offends: MUTE, REPORT, a warning and a suspension; and who is told of each."""

from datetime import timedelta

import pytest

from pbem.errors import OperatorError
from pbem.orders.order import reported
from pbem.referee.acts import seat_acts, word_acts
from tests.installation import GAMESMASTER, SEATS, Installation, desk, text_of, told
from tests.mail.proof import STRANGER
from tests.pressing import answer, of_gamesmaster, press_to, words, write
from tests.subjects import subjects

NEW = "new@else.example"
pytestmark = pytest.mark.game("coalition", strangers=(STRANGER, NEW))


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
    ("veil", "signed"),
    [("", ""), ("ANONYMOUSLY", ", signed as an anonymous player")],
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
