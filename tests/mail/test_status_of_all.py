"""STATUS without a game, from somebody who plays in several: all of them in one mail, what he owes
in each, and nothing that only another may know."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.periods import claims, deadline_acts, opening
from pbem.store.people import players
from pbem.store.schema.tables import Observer
from tests.installation import GAMESMASTER, SEATS, SLATE, Installation, address, desk, told
from tests.subjects import subjects

THREE = ("P1", "P2", "P3")
SECOND = "second@legit.example"


def begin(
    at: Installation, key: str, game: str, people: Sequence[tuple[str, str]], **more: str
) -> None:
    """Another game of the same people; it is started unless ``waits``."""
    named = [(seat, address(who), f"Player {who}") for seat, who in people]
    with desk(at) as work:
        plan = opening.Plan(
            game, key, named, "Europe/Paris", seed="7", trust=more.get("trust", "open")
        )
        opening.new(work, plan)
        if "waits" not in more:
            opening.start(work, game)
    at.once()


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Installation]:
    """A plays in g (Coalition), p (the Game of Politics) and w, which waits; C in g alone."""
    boxes = (SECOND, address("N"))
    with Installation(tmp_path, "coalition", seats=SEATS, strangers=boxes) as made:
        made.start()
        made.send("A", f"PROPOSE {SLATE}")
        made.to_deadline()
        begin(made, "politics-1935", "p", [("P1", "A"), ("P2", "B"), ("P3", "N")], trust="proven")
        begin(made, "legislation", "w", list(zip(THREE, "ABD", strict=True)), waits="yes")
        yield made


def asks(at: Installation, who: str, text: str = "STATUS", **headers: str) -> str:
    count = len(at.mails(who))
    at.send(who, text, **headers)
    assert len(at.mails(who)) == count + 1
    return told(at, who)


def test_all_games_with_what_is_owed_the_nearest_deadline_first(at: Installation) -> None:
    said = asks(at, "A")
    assert "You owe something in p and g." in said
    politics, coalition = said.index("THE GAME OF POLITICS"), said.index("COALITION (g)")
    assert politics < coalition, "Politics is due first"
    assert "You are P1." in said and "You are A." in said
    assert said.count("Deadline: ") == 2 and said.count(" left.") == 2
    assert said.count("You still owe:") == 2 and "a vote on " in said
    assert "* w has not begun: you are to play P1" in said
    assert "which game is this for" not in said.lower() and "DEF B" not in said
    at.send("A", "GAME g\nVOTE AYE\nREADY")
    said = asks(at, "A")
    assert "You owe something in p." in said and "You have said READY." in said
    assert said.count("You owe nothing.") == 1


def test_what_a_line_or_a_thread_names_is_one_game_as_always(at: Installation) -> None:
    assert "STATUS (game g)" in asks(at, "A", "GAME g\nSTATUS")
    assert "STATUS (game p)" in asks(at, "A", Subject="Re: [p] Bulletin 0")
    secret = next(str(m["Reply-To"]) for m in reversed(at.mails("A")) if "[g]" in m["Subject"])
    assert "STATUS (game g)" in asks(at, "A", To=secret)


def test_with_another_word_the_game_has_to_be_named(at: Installation) -> None:
    for text in ("STATUS\nORDERS", "ORDERS"):
        assert "Which game is this for? Yours: g, p." in asks(at, "A", text)


def test_it_goes_to_the_address_of_record_alone(at: Installation) -> None:
    with desk(at) as work:
        player = players.at_address(work.conn, address("A"))
        assert player is not None
        players.set_address(work.conn, player, SECOND)
    before = len(at.mails("A"))
    at.send("A", "STATUS")
    assert len(at.mails("A")) == before
    assert "You owe something in p and g." in told(at, SECOND)


def test_others_orders_change_nothing_in_it(at: Installation) -> None:
    at.write("B", "GAME g\nVOTE NAY")
    at.write("B", "GAME p\nPASS")
    first = asks(at, "A").partition("left.")[2]
    at.clock -= timedelta(minutes=1)
    at.write("C", "VOTE NAY\nREADY")
    at.once(minutes=0)
    assert asks(at, "A").partition("left.")[2] == first


def test_held_and_reviewed_and_ended_games(at: Installation) -> None:
    with desk(at) as work:
        deadline_acts.hold(work, "p", "supper")
        opening.end(work, "g", "a test")
    at.once()
    said = asks(at, "A")
    assert "The game is held: supper." in said
    assert "Coalition (g) is over. You can send a statement on it by" in said
    assert "GAME g, then STATEMENT on a line of its own" in said
    assert "COALITION (g)" not in said


def test_a_period_in_review_tells_nothing_of_the_next(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, publish="review") as at:
        at.start()
        at.send("A", f"PROPOSE {SLATE}")
        at.to_deadline()
        assert at.table().period.number == 2
        begin(at, "politics-1935", "p", list(zip(THREE, "ABC", strict=True)))
        said = asks(at, "A")
        assert "Period 1 is closed; the gamesmaster is looking over its bulletin." in said
        assert "a vote" not in said and "period 2" not in said.lower()
        assert "You owe something in p." in said


def test_where_he_stands_by_and_what_he_watches(at: Installation) -> None:
    begin(at, "politics-1935", "q", list(zip(THREE, "BCD", strict=True)))
    with desk(at) as work:
        claims.enlist(work, "q", address("A"), "Player A")
        player = players.at_address(work.conn, address("A"))
        assert player is not None
        Observer.try_add(work.conn, game_id="q", player_id=player, since=at.clock)
    at.once()
    said = asks(at, "A")
    assert "* You stand by for q." in said and "* You watch q." in said


def test_too_many_an_hour_are_answered_in_one_mail(at: Installation) -> None:
    for _ in range(15):
        at.write("A", "STATUS")
    at.once()
    assert subjects(at, "A").count("Your games") == 12
    at.later(hours=1)
    assert subjects(at, "A")[-1] == "3 answers in one"


def test_a_gamesmaster_who_plays_gets_his_own_games(at: Installation) -> None:
    assert "You owe something in" not in asks(at, GAMESMASTER)


def test_no_game_lulls_while_a_government_is_to_be_formed(at: Installation) -> None:
    begin(at, "parlement-1966", "f", list(zip("SRLCM", "ABCDE", strict=True)))
    at.write("A", "GAME g\nVOTE AYE")
    at.act(opening.end, "p", "a test")
    at.once()
    said = " ".join(asks(at, "A").split())
    assert (
        "Nothing is due in any game that runs now, but something is still to be agreed in f."
        in said
    )
    assert "Nothing is due, but there is no Government until lists agree." in said
    assert said.count("You owe nothing.") == 1
