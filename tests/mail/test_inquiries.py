"""ASK GAMESMASTER: one paragraph goes to the gamesmaster, waits for him, and is answered."""

from datetime import timedelta

import pytest

from pbem.acts.acts import BY_NAME
from pbem.errors import OperatorError
from pbem.orders import inquiry
from pbem.orders.mailwords import peel
from pbem.periods import opening
from pbem.periods.inquiries import settle
from pbem.referee.acts.doing import Actor, do
from pbem.referee.game import relaying
from pbem.referee.gamesmaster import queue
from pbem.store.schema.tables import Inquiry, Journal, Protest
from tests.desk.visitor import Visitor
from tests.installation import GAMESMASTER, SEATS, Installation, desk, text_of, told
from tests.mail.test_press_answers import counts
from tests.masters import make
from tests.subjects import subjects

pytestmark = pytest.mark.game("coalition")
QUESTION = "May I promise a ministry twice?"


def asks(at: Installation, text: str = f"ASK GAMESMASTER {QUESTION}", seat: str = "A") -> str:
    at.send(seat, text)
    return told(at, seat)


def waiting(at: Installation) -> list[tuple[str, str]]:
    with desk(at) as work:
        return [(one.seat, one.text) for one in Inquiry.many(work.conn, order=Inquiry.since)]


def answer(at: Installation, text: str, *, to_all: bool = False) -> None:
    with desk(at) as work:
        (one,) = Inquiry.many(work.conn, order=Inquiry.since)
        values = {"letter": one.letter, "text": text, "to_all": to_all}
        do(work, BY_NAME["answer"], values, Actor())
    at.once()


def all_words(at: Installation, seat: str) -> str:
    return " ".join(" ".join(map(text_of, at.mails(seat))).split())


@pytest.mark.parametrize(
    ("text", "question", "left"),
    [
        ("ASK GAMESMASTER may I lie?\nVOTE AYE", "may I lie?", "\nVOTE AYE"),
        ("Ask gamesmaster: may I\nlie to you? Thanks\nAnn", "may I lie to you? Thanks Ann", "\n\n"),
        (
            "ASK GM Could I; or not? I am moving.\n\nPASS",
            "Could I; or not? I am moving.",
            "\n\nPASS",
        ),
        ("ASK GM may I lie\nVOTE AYE", "may I lie", "\nVOTE AYE"),
        ("ASK GAMESMASTER may I lie\n\nReally?", "may I lie", "\n\nReally?"),
        ("ASK GAMESMASTER", "", ""),
    ],
)
def test_what_is_asked(text: str, question: str, left: str) -> None:
    peeled = peel(text)
    (found,) = peeled.commands
    assert (found.name, found.argument, peeled.text) == (inquiry.ASK, question, left)


@pytest.mark.parametrize(
    "text", ["Ask the gamesmaster!", "Ask Boris what he wants?", "ASK me anything"]
)
def test_a_sentence_of_press_asks_nobody(text: str) -> None:
    assert peel(text).commands == ()


def test_only_the_sentence_reaches_the_gamesmaster(at: Installation) -> None:
    before = {seat: len(at.mails(seat)) for seat in SEATS}
    said = asks(at, f"SPECIAL AGR\nASK GAMESMASTER {QUESTION}\n\nBoris is a fool.")
    assert f'The gamesmaster has your question: "{QUESTION}"' in said
    assert waiting(at) == [("A", QUESTION)] and at.standing("A") == ["SPECIAL AGR"]
    alarm = at.newest(GAMESMASTER)
    assert "A asks you" in subjects(at)[-1] and QUESTION in alarm
    assert "Boris" not in alarm and "SPECIAL" not in alarm
    assert {seat: len(at.mails(seat)) for seat in SEATS} == before | {"A": before["A"] + 1}
    with desk(at) as work:
        (row,) = (one for one in queue.queue(work)["waits"] if one["what"] == "question")
        assert "question" in [one.kind for one in Journal.many(work.conn, game_id="g")]
    assert row["words"].startswith(f"ANSWER {row['letter']} ") and row["text"] == QUESTION


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        ("Hi,\ncould we have two more days, please?", "could we have two more days, please?"),
        ("I am ill. Please give me some extra time!\nVOTE", "Please give me some extra time."),
        ("Can you extend the deadline? I travel.", "Can you extend the deadline?"),
        ("We would like an extension", "We would like an extension."),
        ("How many more days do we have?", ""),
        ("What does an extension cost?", ""),
        ("I played for more time than I wanted.", ""),
        ("PRESS TO B\nCould you give me more time?\nEND PRESS", ""),
    ],
)
def test_a_plain_request_for_time_is_his(at: Installation, text: str, request_: str) -> None:
    said = asks(at, text)
    assert waiting(at) == ([("A", request_)] if request_ else [])
    assert ("has your question" in said) == bool(request_) and "NOT TAKEN: C" not in said
    assert f'You asked: "{request_}"' not in said


def test_an_answer_to_his_press_waits_until_he_answers_or_lets_it_be(at: Installation) -> None:
    at.act(relaying.of_gamesmaster, "g", "A, B", "Is Monday well for you?")
    at.once()
    for seat in "AB":
        to = str(at.mails(seat)[-1]["Reply-To"])
        at.write(seat, f"Yes, says {seat}.", To=to, Subject="Re: Press")
    at.once()
    assert [seat for seat, _ in waiting(at)] == ["A", "B"]
    visitor = Visitor(at).come_in()
    assert "Yes, says A. It answers your press, and came" in visitor.words
    visitor.press("Let it be")
    ((seat, said),) = waiting(at)
    at.clock += timedelta(days=4)
    assert "Nobody has answered" not in asks(at, "STATUS", seat)
    visitor = Visitor(at).come_in()
    visitor.press("Answer a question")
    visitor.press("See what it would do", text="Thank you.", extend="2").press("Do it")
    assert waiting(at) == []
    at.once()
    assert "+2 days, extension: a question was answered" in told(at, "C")
    answered = " ".join(text_of(at.mails(seat)[-2]).split())
    assert f"You wrote: | {said} The gamesmaster answers: | Thank you." in answered


def test_he_is_called_by_his_name(at: Installation) -> None:
    make(at, "h", gamesmaster=GAMESMASTER, seated={"A": GAMESMASTER})
    said = asks(at, "GAME g\nhow many ministries can one party have?")
    assert "Ask Player A:" in said


def test_his_answer_goes_to_the_asker(at: Installation) -> None:
    asks(at)
    before = {seat: len(at.mails(seat)) for seat in SEATS}
    answer(at, "You may.\n\nLying is part of the game.")
    assert waiting(at) == []
    said = told(at, "A")
    assert QUESTION in said and "Lying is part of the game." in said
    assert {seat: len(at.mails(seat)) for seat in SEATS} == before | {"A": before["A"] + 1}
    with pytest.raises(OperatorError, match="no question that waits"), desk(at) as work:
        do(work, BY_NAME["answer"], {"letter": 1, "text": "x", "to_all": False}, Actor())


def test_his_answer_to_all_does_not_say_who_asked(at: Installation) -> None:
    asks(at)
    answer(at, "You may.", to_all=True)
    for seat in SEATS:
        said = told(at, seat)
        assert QUESTION in said and "You may." in said and "A player asked" in said
    at.to_deadline()
    assert QUESTION in all_words(at, "E")


def test_he_answers_by_mail(at: Installation) -> None:
    asks(at)
    with desk(at) as work:
        (one,) = Inquiry.many(work.conn, order=Inquiry.since)
    at.send(GAMESMASTER, f"ANSWER {one.letter} Yes, you may. TO-ALL")
    code = at.newest(GAMESMASTER)
    if "CONFIRM" in code:
        word = code.split("CONFIRM ")[1].split()[0]
        at.send(GAMESMASTER, f"CONFIRM {word}")
    assert "Yes, you may." in told(at, "C") and "TO-ALL" not in told(at, "C")


def test_who_was_not_answered_in_three_days_is_told_once(at: Installation) -> None:
    asks(at)
    assert "Nobody has answered" not in asks(at, "STATUS")
    at.clock += timedelta(days=3)
    assert f'Nobody has answered your question of Monday 2 March 2026 yet: "{QUESTION}"' in asks(
        at, "STATUS"
    )
    assert "Nobody has answered" not in asks(at, "STATUS")
    assert waiting(at) == [("A", QUESTION)]


def test_a_seat_has_five_questions_that_wait(at: Installation) -> None:
    for n in range(6):
        said = asks(at, f"ASK GAMESMASTER may I do {n}?")
    assert "5 of yours wait for an answer already" in said and len(waiting(at)) == 5


def test_nobody_answers_where_he_plays_himself(at: Installation) -> None:
    make(at, "h", gamesmaster=GAMESMASTER, seated={"A": GAMESMASTER, "B": "new@else.example"})
    at.send("C", "GAME h\nhow many ministries can one party have?\nASK GAMESMASTER may I lie?")
    said = told(at, "C")
    assert "Ask the gamesmaster" not in said and waiting(at) == []
    assert "Your question went to nobody" in said


# --- protest against an adjudication --------------------------------------------------------------


def standing(at: Installation) -> list[tuple[str, int, str]]:
    with desk(at) as work:
        return [
            (one.seat, one.bulletin, one.text)
            for one in Protest.many(work.conn, order=Protest.since)
        ]


def test_it_waits_for_the_gamesmaster_and_nobody_else_is_told(at: Installation) -> None:
    at.to_deadline()
    before = counts(at)
    at.send("A", "PROTEST my seats are counted wrongly")
    assert counts(at) == before | {"A": before["A"] + 1, GAMESMASTER: before[GAMESMASTER] + 1}
    assert "Your protest against bulletin 1 stands until the next deadline." in told(at, "A")
    assert "A protests against bulletin 1" in subjects(at)[-1]
    assert standing(at) == [("A", 1, "my seats are counted wrongly")]
    with desk(at) as work:
        (row,) = (one for one in queue.queue(work)["waits"] if one["what"] == "protest")
        kinds = [one.kind for one in Journal.many(work.conn, game_id="g")]
    assert row["release"] == "pbem settle g A" and "protest" in kinds


def test_it_lapses_at_the_next_deadline(at: Installation) -> None:
    at.send("A", "PROTEST the lot was drawn wrongly")
    assert standing(at)
    at.to_deadline()
    at.once()
    assert standing(at) == []
    said = [" ".join(text_of(mail).split()) for mail in at.mails("A")]
    assert any(
        "your protest against bulletin 0 has lapsed without an answer" in one for one in said
    )


def test_the_gamesmaster_settles_it(at: Installation) -> None:
    at.send("A", "PROTEST the lot was drawn wrongly")
    before = counts(at)
    at.act(settle, "g", "A", "The draw can be checked.")
    at.once()
    assert standing(at) == [] and counts(at) == before | {"A": before["A"] + 1}
    assert "The gamesmaster has settled your protest against bulletin 0." in told(at, "A")
    assert "The draw can be checked." in told(at, "A")
    with desk(at) as work, pytest.raises(OperatorError, match="no protest of A stands in g"):
        settle(work, "g", "A", "")


def test_its_player_takes_it_back(at: Installation) -> None:
    at.send("A", "PROTEST the lot was drawn wrongly")
    at.send("A", "PROTEST OFF")
    assert standing(at) == [] and "You have taken your protest back." in told(at, "A")
    at.send("A", "PROTEST OFF")
    assert "No protest of yours stands." in told(at, "A")


def test_it_ends_with_the_game(at: Installation) -> None:
    at.send("A", "PROTEST the lot was drawn wrongly")
    at.act(opening.end, "g", "enough")
    at.once()
    assert standing(at) == []
