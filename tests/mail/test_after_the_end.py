"""A game is over: the last mail says who has won, letters are answered as to a person, and the dice
can be checked."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.games.frame.dice import commitment
from tests.installation import proven, surely, text_of, told
from tests.mail.test_open_tables import FAY, Club
from tests.parsed import attached
from tests.subjects import issue

SEATS = ("A", "B", "C", "D", "E")


@pytest.fixture(name="at")
def over(tmp_path: Path) -> Iterator[Club]:
    """A game that A has won by agreement of all, and an open table."""
    with Club(tmp_path, seats=SEATS) as at:
        at.game = "g"
        at.open(places=5)
        at.start()
        proven(at, "A", "WATCH autumn")
        at.say(FAY, "WATCH g")
        at.confirm(FAY)
        at.to_deadline()
        for seat in SEATS:
            surely(at, seat, "AGREE WIN A")
            at.once()
        assert at.table().row.status == "over"
        yield at


def last(at: Club, who: str) -> str:
    found = [mail for mail in at.mails(who) if issue(mail).startswith("[g] Bulletin")]
    return " ".join(text_of(found[-1]).split()[6:])


def test_the_last_mail_says_first_who_has_won(at: Club) -> None:
    assert last(at, "A").startswith("You have won, Player A!")
    assert last(at, "B").startswith("The game is over: Player A (A) has won.")
    assert last(at, FAY).startswith("The game is over: Player A (A) has won.")
    assert "What next? To join an open table" in last(at, "B")
    assert "* autumn: Coalition." in last(at, "B")


@pytest.mark.parametrize("text", ["SPECIAL AGR", "Well played, all!", "PASS\nREADY", "hm"])
def test_a_letter_after_the_end_is_answered_as_to_a_person(at: Club, text: str) -> None:
    at.send("B", text)
    said = told(at, "B")
    assert "The game is over: Player A (A) has won." in said
    assert "write STATEMENT" in said and "autumn" in said
    for wrong in ("No order", "stand for period", "were not taken", "waits", "Deadline"):
        assert wrong not in said, said


def test_the_heads_are_in_the_headers_and_in_words_first_and_last(at: Club) -> None:
    bulletins = [mail for mail in at.mails("B") if mail["X-Pbem-Journal"]]
    heads = [str(mail["X-Pbem-Journal"]) for mail in bulletins]
    assert len(set(heads)) == 3 and all(len(head) == 32 for head in heads)
    assert {str(mail["X-Pbem-Seed-SHA256"]) for mail in bulletins} == {commitment("7")}
    texts = [text_of(mail) for mail in bulletins]
    texts[0] += attached(bulletins[0])
    shown = [head in text for head, text in zip(heads, texts, strict=True)]
    assert shown == [True, False, True]
    assert commitment("7") in texts[0] and "HOW CHANCE CAN BE CHECKED" in texts[2]
    at.send("B", "WHY DICE")
    said = told(at, "B")
    assert commitment("7") in said and "The seed itself is 7." in said
    assert all(head in said for head in heads)
