"""Questions in a player's own words are answered from the rules, word for word."""

import pytest

from pbem.store.games import games
from pbem.store.schema.tables import Player
from tests.installation import GAMESMASTER, Installation, desk

NAMES = dict(zip("ABCDE", ("Anna", "Boris Berg", "Clara", "David", "Eve"), strict=True))


@pytest.fixture
def named(at: Installation) -> Installation:
    """A game whose players have names of their own."""
    with desk(at) as work:
        for seat, holder in games.holders(work.conn, "g").items():
            Player.change(work.conn, {"id": holder.player_id or 0}, name=NAMES[seat])
    return at


def answer(at: Installation, text: str) -> str:
    at.send("A", text)
    return " ".join(at.newest("A").replace("\n| ", " ").split())


def test_a_question_is_answered_by_the_paragraph(at: Installation) -> None:
    said = answer(at, "Hello,\n\nwhat happens if ayes and nays are equal?\n\nThanks, A.")
    assert 'You asked: "what happens if ayes and nays are equal?"' in said
    assert '"Equal Ayes and Nays are a defeat.' in said and "[R9]" in said
    assert "NOT TAKEN" not in said and "could be read as an order" not in said
    assert "PROPOSE" not in said and len(said.split()) < 250, said


def test_a_question_beside_an_order_costs_it_nothing(at: Installation) -> None:
    """It is no line that was not read, and the orders that stand are not repeated for it."""
    asks = "Hi Karl,\nhas anybody answered me? How many seats do I have?\nThanks"
    said = answer(at, f"SPECIAL AGR\n{asks}")
    assert at.standing("A") == ["SPECIAL AGR"] and "You have 82 seats." in said
    assert not [one for one in ("NOT TAKEN", "Not read", "[2]", "did you mean") if one in said]
    assert "SPECIAL AGR" not in answer(at, asks)


def test_who_finds_nothing_is_only_sent_to_the_gamesmaster(at: Installation) -> None:
    said = answer(at, "What is the weather like?")
    told = said.partition("YOUR QUESTION ")[2].partition(" You owe")[0]
    asked = "What is the weather like?"
    known = "I don't know. Ask the gamesmaster:"
    assert told.startswith(f'You asked: "{asked}" {known} | ASK GAMESMASTER {asked}')


@pytest.mark.game("coalition", options={"BALLOTS": "SECRET"})
def test_of_secret_ballots_nobody_is_told_that_they_are_published(at: Installation) -> None:
    assert "the bulletin then tells the totals only." in answer(at, "Is my vote secret?")


@pytest.mark.game("legislation", options={"VOTES": "SECRET"})
def test_of_secret_votes_the_totals_are_told(at: Installation) -> None:
    at.send("P1", "Is my vote secret?")
    assert "tells the totals only." in " ".join(at.newest("P1").split())


def test_public_ballots_are_told(at: Installation) -> None:
    assert "tells how each voted." in answer(at, "Is my vote secret?")


def test_a_letter_gets_two_such_answers(at: Installation) -> None:
    """One that is not known is none."""
    said = answer(at, "How do I win? Do you like tea? Who am I? When does the game end?")
    assert said.count("You asked") == 3 and "One letter gets 2 such answers." in said


@pytest.mark.parametrize(
    "text",
    [
        "PRESS TO B\nHow do I win?\nEND PRESS",
        "I like this game.\nMany thanks",
        "> How do I win?\n\nYes, exactly.",
        'He said "How do I win?" to me.',
    ],
)
def test_what_is_no_question_of_his_own_is_not_answered(at: Installation, text: str) -> None:
    assert "You asked" not in answer(at, text)


def test_a_why_that_explains_nothing_is_a_question(at: Installation) -> None:
    said = answer(at, "Why can a government be named without my consent?")
    assert "You asked" in said and "A party may be named without agreeing to it." in said


def test_what_if_is_a_question_and_no_trial(at: Installation) -> None:
    said = answer(at, "SPECIAL AGR\nWhat if I forget to vote?")
    assert at.standing("A") == ["SPECIAL AGR"] and "You asked" in said


def test_nobody_else_sees_a_question(at: Installation) -> None:
    before = {seat: at.newest(seat) for seat in "BCDE"}
    answer(at, "can I vote no and still get points?")
    assert {seat: at.newest(seat) for seat in "BCDE"} == before


# --- prose that is none of the referee's ----------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Hi Boris, would you take Agriculture?\nCheers, Anna",
        "Boris, how many seats do you have?",
        "Dear Boris,\n\nwhat do you want for your votes?\nHow do you win this?\n\nAnna",
        "How do I win with you, Boris?",
        "Hey B, how do we win?",
    ],
)
def test_a_question_to_another_player_is_not_looked_up(named: Installation, text: str) -> None:
    said = answer(named, text)
    assert "You asked" not in said and "Ask the gamesmaster" not in said


def test_whom_it_may_be_for_is_asked(named: Installation) -> None:
    said = answer(named, "Hi Boris, would you take Agriculture?\nCheers, Anna")
    assert "Is it for Boris Berg? Nobody but the referee has read it." in said
    assert "PRESS TO Boris Berg above it" in said


@pytest.mark.parametrize(
    "text",
    [
        "Hi Karl, how do I win?",
        "Hello,\nhow do I win?\nAnna",
        "Hi Boris,\nnice to meet you.\n\nHello referee,\nhow do I win?",
        "So a party wins how?",
    ],
)
def test_a_question_to_the_referee_is_looked_up(named: Installation, text: str) -> None:
    assert "You asked" in answer(named, text)


@pytest.mark.parametrize(
    "text",
    [
        "Special ministries - how do they work?",
        "Special ministries, how many may I have?",
        "Vote on a motion, is that secret?",
    ],
)
def test_a_question_that_begins_like_an_order_is_none(at: Installation, text: str) -> None:
    said = answer(at, text)
    assert "You asked" in said and "NOT TAKEN" not in said


def test_an_order_with_a_question_mark_is_no_question(at: Installation) -> None:
    assert "You asked" not in answer(at, "SPECIAL AGR?")


@pytest.mark.parametrize(
    "text", ["SPECIAL AGR (mine)", "SPECIAL AGR (Anna's)", "SPECIAL AGR  # two of your wishes"]
)
def test_an_explanation_beside_an_order_is_passed_over(named: Installation, text: str) -> None:
    answer(named, text)
    assert named.standing("A") == ["SPECIAL AGR"]


@pytest.mark.game("parlement-1968")
def test_an_order_for_several_factions_counts_once(at: Installation) -> None:
    bill = at.table().ruleset.view(at.table().state, at.seats[0])["standing_asked"][0]
    at.send(at.seats[0], f"{bill}\n")
    at.send(at.seats[0], "how do I win?")
    said = " ".join(at.newest(at.seats[0]).split())
    assert "1 order of yours stands for period 1" in said


RAW = "\x1b[2J\x07\u202e\x9b"
"""Clears a screen, rings a bell, turns the line round."""


@pytest.mark.parametrize(
    "text",
    [
        f"what{RAW} happens if ayes and nays{RAW} are equal?",
        f"Why did{RAW} nobody answer{RAW} me yesterday?",
        f"SPECIAL {RAW}AGR\nVOTE {RAW}AYE\nHow many seats{RAW} are there?",
        f"ASK GAMESMASTER May my{RAW} cousin play?",
        f"PROTEST The{RAW} vote was miscounted",
        f"PRESS TO B\nHello{RAW} there\nEND PRESS",
        f"WHY {RAW}V1\nHISTORY {RAW}\nRULES {RAW}x\nHELP {RAW}VOTE\nTABLES {RAW}x",
        f"ZONE {RAW}Mars\nMUTE {RAW}Z\nDEPUTY {RAW}x@y.example FROM {RAW}1 July\nABSENT {RAW}x",
        f"STATEMENT\nI{RAW} won\nEND STATEMENT\nAGREE {RAW}WIN\nWATCH {RAW}g",
    ],
)
def test_no_answer_says_back_what_a_terminal_would_do(at: Installation, text: str) -> None:
    """Nor does a mail to others: question, order, word, press and the gamesmaster's alarm."""
    before = {who: len(at.mails(who)) for who in ("A", "B", GAMESMASTER)}
    at.send("A", text)
    at.once()
    new = [one for who, had in before.items() for one in at.mails(who)[had:]]
    assert new
    for mail in new:
        said = [
            str(part.get_content()) for part in mail.walk() if part.get_content_maintype() == "text"
        ]
        for char in RAW.replace("[2J", ""):
            assert char not in "".join((str(mail["Subject"]), *said)), (text, said)
