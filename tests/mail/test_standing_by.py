"""Whoever stands by is told so, leaves by a word, is called on once, and is told when he is free."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pbem.errors import Doubtful
from pbem.periods import claims, opening
from pbem.referee.acts import seat_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.joining import claimants
from pbem.store.schema.tables import Journal, Standby
from tests.installation import GAMESMASTER, REFEREE, Installation, address, desk, told
from tests.subjects import subjects

PAUL, GRETA = "paul@else.example", "greta@else.example"
SEATS = ("A", "B", "C", "D", "E")


pytestmark = pytest.mark.game("coalition", strangers=(PAUL, GRETA))


def enlist(at: Installation, who: str = PAUL, name: str = "Paul", **more: Any) -> None:
    at.act(claims.enlist, "g", who, name, **more)
    at.once()


def waiting(at: Installation) -> int:
    with exclusive_transaction(at.daemon.engine) as conn:
        return claimants.can_be_called(conn, "g")


def journal(at: Installation, kind: str) -> list[dict[str, Any]]:
    with exclusive_transaction(at.daemon.engine) as conn:
        where = (Journal.game_id == "g", Journal.kind == kind)
        return list(conn.execute(select(Journal.data).where(*where).order_by(Journal.n)).scalars())


def answer(at: Installation, who: str, text: str, mail: int = -1) -> None:
    """An answer to a mail of ours, at the secret address that it names."""
    at.send(who, text, To=str(at.mails(who)[mail]["Reply-To"]))


def test_he_is_told_that_he_stands_by_and_leaves_by_a_word(at: Installation) -> None:
    enlist(at)
    said = told(at, PAUL)
    assert subjects(at, PAUL) == ["[g] You stand by for game g"]
    assert "when a seat of it needs a new player" in said and "the one word QUIT" in said
    assert GAMESMASTER in said and REFEREE not in str(at.mails(PAUL)[-1]["Reply-To"])
    answer(at, PAUL, "Sorry, I have no time any more.\n\nQUIT")
    assert "You stand by for game g no longer" in told(at, PAUL)
    assert waiting(at) == 0 and len(journal(at, "standby-quit")) == 1
    assert "[pbem] Paul stands by for g no longer" in subjects(at)
    at.send(PAUL, "QUIT")
    assert "This is the referee of a club" in told(at, PAUL)


def test_a_word_that_anybody_could_have_written_leaves_nothing(at: Installation) -> None:
    enlist(at)
    at.send(PAUL, "QUIT")
    assert waiting(at) == 1
    assert "play no seat of it yet, so nothing of your letter was taken" in told(at, PAUL)
    answer(at, PAUL, "QUIT")  # to the answer, which has his secret address
    assert waiting(at) == 0


def test_each_enlisting_is_told_though_ids_come_again(at: Installation) -> None:
    enlist(at)
    answer(at, PAUL, "QUIT")
    enlist(at, GRETA, "Greta")
    assert subjects(at, GRETA) == ["[g] You stand by for game g"]
    assert at.mails(GRETA)[0]["Reply-To"] != at.mails(PAUL)[0]["Reply-To"]
    enlist(at)
    assert subjects(at, PAUL)[-1] == "[g] You stand by for game g"


@pytest.mark.parametrize(
    "text", ["HELP", "SPECIAL AGR", "PRESS TO ALL\nHallo\nEND PRESS", "", "CONFIRM abcdefgh"]
)
def test_all_else_is_answered_and_has_no_effect(at: Installation, text: str) -> None:
    enlist(at)
    answer(at, PAUL, text)
    assert "You stand by for game g and play no seat of it yet" in told(at, PAUL)
    assert waiting(at) == 1 and at.outcomes()[-1][0] == "command"
    assert not any("press" in key for key, _ in at.outbox())


def test_whoever_plays_elsewhere_quits_where_he_answers(at: Installation) -> None:
    others = [(seat, f"{seat.lower()}2@legit.example", f"Player {seat}") for seat in SEATS]
    with desk(at) as work:
        opening.new(work, opening.Plan("h", "coalition", others, "Europe/Paris"))
        opening.start(work, "h")
        claims.enlist(work, "h", address("A"), "")
    at.once()
    at.send("A", "QUIT", To=str(at.mails("A")[-1]["Reply-To"]))
    assert "You stand by for game h no longer" in told(at, "A")
    at.send("A", "QUIT")  # of the game that he plays
    assert any("QUIT: do you mean it?" in one for one in subjects(at, "A"))


def test_who_joins_at_new_is_told_at_the_start(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, strangers=(PAUL,)) as at:
        plan = opening.Plan(
            "g",
            "coalition",
            [(s, address(s), f"Player {s}") for s in SEATS],
            "Europe/Paris",
            standby=[(PAUL, "")],
        )
        at.act(opening.new, plan)
        at.once()
        assert not at.mails(PAUL)
        at.send(PAUL, "QUIT")
        assert "which has not begun yet" in told(at, PAUL)
        at.act(opening.start, "g")
        at.once()
        assert subjects(at, PAUL)[-1] == "[g] You stand by for game g"


def test_who_takes_a_seat_by_hand_stands_by_no_more(at: Installation) -> None:
    enlist(at)
    at.act(seat_acts.replace, "g", "B", PAUL, "", "by hand")
    at.once()
    with exclusive_transaction(at.daemon.engine) as conn:
        assert list(conn.execute(select(Standby.invited_for)).scalars()) == ["B"]
    assert waiting(at) == 0 and not any("passed over" in one for one in subjects(at))
    assert "B has a new player: Paul (by hand)" in next_bulletin(at)


def next_bulletin(at: Installation) -> str:
    at.to_deadline()
    return next(
        " ".join(str(mail.get_body(("plain",)).get_content()).split())  # type: ignore[union-attr]
        for mail in reversed(at.mails("A"))
        if "Bulletin 1" in str(mail["Subject"])
    )


def test_at_the_end_he_is_told_that_he_is_free(at: Installation) -> None:
    enlist(at)
    at.act(opening.end, "g", "enough")
    at.once()
    assert subjects(at, PAUL)[-1] == "[g] Game g is over: you stand by no longer"
    assert "Thank you for having stood by" in told(at, PAUL)
    assert waiting(at) == 0


DOUBTS = {
    "a player": (address("A"), "Player A plays A in g"),
    "a stand-by": (PAUL, "Paul stands by for g already"),
    "in capitals": (PAUL.upper(), "Paul stands by for g already"),
    "the gamesmaster": (GAMESMASTER, "Newcomer 7 is the gamesmaster of g"),
}


@pytest.mark.parametrize("name", DOUBTS)
def test_who_hardly_stands_by_is_doubted(at: Installation, name: str) -> None:
    enlist(at)
    who, doubt = DOUBTS[name]
    with desk(at) as work, pytest.raises(Doubtful, match=doubt):
        claims.enlist(work, "g", who, "")
    at.act(claims.enlist, "g", who, "", anyway=True)
    assert journal(at, "standby")[-1]["anyway"] == [doubt]
