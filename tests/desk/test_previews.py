"""What an act's page shows of the mails that would go out: all whole and by name, but of those with
secrets only what is in them."""

import re
from pathlib import Path

import pytest

from pbem.letters.states import LetterState
from tests.desk import world
from tests.desk.looking import looked
from tests.desk.visitor import Visitor
from tests.installation import GAMESMASTER, Installation, proven, text_of

NEW = "new@else.example"
pytestmark = pytest.mark.game("coalition", strangers=(NEW,))


def test_a_code_is_not_shown(at: Installation) -> None:
    visitor = Visitor(at).come_in().get("/do/master?game=g&second=yes")
    visitor.press("See what it would do", address=NEW)
    shown = visitor.text
    assert "You are asked to be the second gamesmaster" in visitor.words
    assert "CONFIRM (the code)" in visitor.words
    visitor.press("Do it")
    at.once()
    codes = [
        found[1]
        for who in (NEW, GAMESMASTER)
        for mail in at.mails(who)
        if (found := re.search(r"CONFIRM (\S+)", text_of(mail)))
    ]
    assert codes and not any(code in shown for code in codes)


def test_of_a_seats_welcome_it_says_what_is_in_it(at: Installation) -> None:
    visitor = Visitor(at).come_in().get("/do/replace?game=g&seat=A")
    visitor.press("See what it would do", address=NEW, name="Nora", why="he has moved")
    shown = visitor.text
    assert "In it: the seat's welcome, with its secrets and its reply address" in visitor.words
    assert "Nora (A)" in visitor.words
    visitor.press("Do it")
    at.once()
    welcome = next(mail for mail in at.mails(NEW) if "+" in str(mail["Reply-To"]))
    assert str(welcome["Reply-To"]) not in shown
    said = [line for line in text_of(welcome).split("\n") if len(line) > 60]
    assert said and not any(line in shown for line in said)


def test_words_of_his_own_are_shown_whole_and_to_whom(at: Installation) -> None:
    visitor = Visitor(at).come_in().get("/do/suspend?game=g&seat=A")
    visitor.press("See what it would do", why="Mind your words, please")
    assert "Mind your words, please." in " ".join(visitor.find(".would pre")[-1].text().split())
    assert "to Player A (A)" in visitor.words


@pytest.mark.game("coalition", trust="proven")
def test_of_an_accepted_letter_it_shows_which_orders_would_stand(at: Installation) -> None:
    """And the receipt that its player would get; nothing of it is done, and the look counts."""
    at.send("A", "SPECIAL AGR")
    (outcome, _), *_ = at.outcomes()
    assert outcome == "unverified" and not at.standing("A")
    visitor = Visitor(at).come_in().get("/do/accept?letter=1")
    assert (
        "This order would then stand for A (Player A) in period 1 of g: SPECIAL AGR"
        in visitor.words
    )
    assert "This look is in the journal: 1 letter opened" in visitor.words
    assert "[+] SPECIAL AGR" in visitor.find(".would pre")[0].text()
    assert "Period was open until" not in visitor.words and not visitor.find('[name="anyway"]')
    assert not at.standing("A") and [one for one, _ in at.outcomes()] == ["unverified"]
    visitor.press("Do it")
    assert "Done. The next pass takes letter 1" in visitor.words, visitor.words
    at.once()
    assert at.standing("A") == ["SPECIAL AGR"]


@pytest.mark.game("coalition", trust="proven")
def test_a_letter_that_is_sent_to_be_accepted_is_one_look(at: Installation) -> None:
    """The form leads to its trial, which alone shows what is in the letter."""
    at.send("A", "SPECIAL AGR")
    visitor = Visitor(at).come_in().get("/do/accept")
    visitor.press("See what it would do", letter="1")
    assert "SPECIAL AGR" in visitor.words
    assert len(looked(at)) == 1


def test_who_answers_reads_the_question_and_who_settles_the_protest(at: Installation) -> None:
    at.write("A", "ASK GAMESMASTER May I lie?")
    at.send("B", "PROTEST A seat is missing")
    visitor = Visitor(at).come_in().get("/do/answer?letter=1")
    assert "Player A (A) in g wrote May I lie?" in visitor.words.replace("wroteMay", "wrote May")
    visitor.get("/do/settle?game=g&seat=B")
    assert "A seat is missing" in visitor.find(".quoted")[0].text()
    visitor.get("/")
    assert "Player B (B) in g, against bulletin 0" in visitor.words
    assert "Adjudicate period 0" not in visitor.words and "/do/rewind" not in visitor.text


@pytest.mark.game("coalition", trust="proven")
def test_a_letter_of_no_game_shows_its_orders_for_the_seat_that_is_said(at: Installation) -> None:
    """It names a game that is not there; the gamesmaster says for whom it counts."""
    at.send("A", "GAME nosuch\nSPECIAL AGR")
    number = len(at.outcomes())
    visitor = Visitor(at).come_in().get(f"/do/accept?letter={number}&game=g&seat=A")
    assert "This order would then stand for A (Player A)" in visitor.words, visitor.words


@pytest.mark.game("coalition", trust="proven")
def test_a_late_letter_can_be_counted_in_its_own_period(at: Installation) -> None:
    """What waits leads to the rewind of the closed period, with the letter ticked."""
    at.to_deadline()
    proven(at, "A", "PERIOD 1\nSPECIAL AGR")
    at.once()
    visitor = Visitor(at).come_in()
    visitor.press("Count it in period 1: adjudicate that again")
    assert visitor.find('[name="accept"][checked]'), visitor.words
    visitor.press("See what it would change", why="our server was late")
    assert "SPECIAL AGR" in visitor.words
    visitor.get("/letters/1").press("Count it in period 1: adjudicate that again")
    assert visitor.find('[name="accept"][checked]')


def test_a_pause_is_chosen_by_its_days(at: Installation) -> None:
    visitor = Visitor(at).come_in().get("/do/pause?game=g")
    visitor.press("See what it would do", first="2026-04-03", last="2026-04-06", why="Easter")
    visitor.press("Do it").get("/do/pause?game=g&first=NONE")
    words = [" ".join(one.text().split()) for one in visitor.find('[name="last"] option')]
    assert "From 3 April 2026 to 6 April 2026 (Easter)" in words
    visitor.press("See what it would do", last="2026-04-03", why="we play on").press("Do it")
    assert "The pause from 3 April 2026 on is lifted in g" in visitor.words


def test_of_a_letter_that_would_not_count_it_says_so(tmp_path: Path) -> None:
    """Its player has two games, and it names none: accepted as it is, it would wait again."""
    with world.world(tmp_path) as at:
        world.furnish(at)
        letter = world.letter(LetterState.HELD)
        visitor = Visitor(at).come_in().get(f"/do/accept?letter={letter}")
        assert "No order of it would count: the letter would wait again" in visitor.words
        visitor.get(f"/do/accept?letter={letter}&game=g&seat=A")
        assert "would then stand for A (Player A) in period 3 of g" in visitor.words
