"""The lists of games and letters, and the page of an open table; on PostgreSQL as on SQLite."""

import pytest
from sqlalchemy import insert, select, update

from pbem.letters.states import LetterState
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.schema.tables import Letter, Outgoing
from tests.desk.visitor import Visitor
from tests.desk.waiting import TABLE, UID, things
from tests.installation import GAMESMASTER, Installation, address, desk

pytestmark = pytest.mark.game("coalition")
MASTER = "anna@else.example"


# --- lists ----------------------------------------------------------------------------------------


def test_games_by_their_state_the_next_deadline_first(many: Installation) -> None:
    visitor = Visitor(many).come_in().get("/games")
    ids = [one.text() for one in visitor.find(".things h2 a")]
    assert ids == ["g12", "g11", "g10", "g9", "g8", "g7", "g6", "g5", "g2", "g1", "g", "g4"]
    assert "Bulletin 0 waits to be released" in visitor.words
    visitor.get("/games?state=held")
    assert [one.text() for one in visitor.find(".things h2 a")] == ["g3"]
    assert "Its clock stands still" in visitor.words
    over = visitor.get("/games?state=over")
    assert "No game is over" in over.words and "table fills" in over.words
    for wrong in ("/games?state=odd", "/games?page=2", "/games?page=-1"):
        assert visitor.get(wrong).status == 404, wrong


@pytest.mark.game("party-in-power")
def test_a_list_of_games_says_who_owes_orders(at: Installation) -> None:
    seats = at.seats
    visitor = Visitor(at).come_in().get("/games")
    assert f"{', '.join(seats)} still owe orders." in visitor.words, visitor.words


def test_letters_by_their_state_game_and_sender(many: Installation) -> None:
    visitor = Visitor(many).come_in().get("/letters")
    assert "8 letters wait." in visitor.words

    def listed(query: str) -> list[int]:
        visitor.get(f"/letters?{query}")
        assert visitor.status == 200, visitor.words
        return [int(one.text().split()[1]) for one in visitor.find(".things h2 a")]

    assert listed("state=any") == [97, 96, 95, 94, 93, 92, 91, 2, 1]
    assert listed("state=taken") == [2]
    assert 97 in listed("state=not-taken")
    assert listed("state=waits&game=g") == [97, 96, 95, 94, 93, 92, 91]
    assert listed(f"state=any&sender={address('A').upper()}") == [1]
    assert listed("state=any&before=92") == [91, 2, 1]
    for wrong in ("state=odd", "before=x", f"before={2**64}"):
        assert visitor.get(f"/letters?{wrong}").status == 404, wrong


def test_older_letters_are_a_page_further(at: Installation) -> None:
    at.send("B", "SPECIAL ENV")
    with exclusive_transaction(at.daemon.engine) as conn:
        known = dict(conn.execute(select(Letter.__table__)).one()._mapping)
        own = {"outcome": LetterState.HELD, "effect": None, "receipt": None}
        rows = [known | own | {"id": n, "uid": UID + n} for n in range(100, 130)]
        conn.execute(insert(Letter), rows)
    visitor = Visitor(at).come_in().get("/letters")
    assert len(things(visitor)) == 1 or len(visitor.find(".thing")) == 25
    (older,) = visitor.find("#older")
    visitor.get(str(older.attributes["href"]))
    assert next(one.text() for one in visitor.find(".things h2 a")) == "Letter 104"
    assert len(visitor.find(".thing")) == 5 and visitor.find("#newest")


def test_letters_have_four_lists_and_every_outcome_its_words(many: Installation) -> None:
    visitor = Visitor(many).come_in().get("/letters?state=any")
    words = [one.text() for one in visitor.find("option")]
    assert words == ["All that wait", "Taken", "Not taken", "All letters"]
    assert all(one.text() for one in visitor.find(".things h2 .faint"))


# --- an open table --------------------------------------------------------------------------------


def test_a_table_says_who_came_and_who_waits(many: Installation) -> None:
    visitor = Visitor(many).come_in().get(f"/tables/{TABLE}")
    assert "Coalition for 5 players: 1 has signed on" in visitor.words
    said = things(visitor)
    ann, ben = said.values()
    assert "ann@ann.example has signed on" in ann and "seat 1 of 5" in ann
    assert "ben@ben.example waits for your word" in ben and "They wish for B" in ben
    visitor.press("Take Ben").press("Do it")
    assert "seat 2 of 5" in list(things(visitor.get(f"/tables/{TABLE}")).values())[1]
    assert "newcomer" not in " ".join(things(visitor.get("/")))


def test_a_table_is_its_gamesmasters(many: Installation) -> None:
    with desk(many) as work:
        games.set_game(work.conn, "g3", gamesmaster=MASTER)
    assert Visitor(many).come_in(MASTER).get(f"/tables/{TABLE}").status == 404
    assert Visitor(many).come_in().get("/tables/nosuch").status == 404
    assert Visitor(many).come_in(GAMESMASTER).get(f"/tables/{TABLE}").status == 200


def test_hostile_words_are_words(many: Installation) -> None:
    evil = "<script>alert(1)</script>\"'><img src=x>"
    with desk(many) as work:
        work.conn.execute(update(Letter).values(reason=evil, sender=evil[:100]))
        work.conn.execute(update(Outgoing).values(reply=evil))
    visitor = Visitor(many).come_in()
    for path in ("/", "/letters?state=any", "/?kind=held", "/?kind=mail"):
        visitor.get(path)
        assert visitor.status == 200 and "alert(1)" in visitor.words
        assert "<script>alert" not in visitor.text and not visitor.find("img")
