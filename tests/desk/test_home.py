"""What waits, on the first page: each thing says why in a sentence, and has the buttons that settle
it; nobody is shown what is not his; the lists of games and letters, and the page of a table."""

import re
from datetime import timedelta

import pytest
from sqlalchemy import insert, select, update

from pbem.acts.acts import BY_NAME
from pbem.letters.states import LetterState
from pbem.referee.gamesmaster import waits
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.journal import notes
from pbem.store.people import players
from pbem.store.schema.tables import Game, Letter, Outgoing, Seat
from tests.desk.visitor import Visitor
from tests.desk.waiting import TABLE, UID, busy, give, the, things
from tests.installation import GAMESMASTER, Installation, address, desk
from tests.mail.test_queue import copies
from tests.statements import told

pytestmark = pytest.mark.game("coalition")
MASTER = "anna@else.example"


def test_nothing_waits_and_what_comes_next(at: Installation) -> None:
    visitor = Visitor(at).come_in()
    assert "Nothing waits for you." in visitor.words and not things(visitor)
    assert "period 1 closes Monday 9 March, 24:00" in visitor.words
    assert "1 game runs" in visitor.words and "looked at the mail last" in visitor.words


@pytest.mark.parametrize(
    "heading, says, button",
    [
        ("letter-93", "could not decide it: ValueError: a long reason", "Try the letter again"),
        ("letter-91", "waits for your word: ValueError", "Accept: it counts, on your word"),
        ("letter-96", "came after its period had closed", "Accept: it counts in the open period"),
        ("letter-95", "until its writer confirms it", "Accept: it counts, on your word"),
        ("letter-97", "nobody was answered", "Dismiss: it has no effect"),
        ("letter-94", "mail server does not give it", "Try the letter again"),
        ("letter-92", "is set aside", "Dismiss: it has no effect"),
        ("letter-1", "does not say for which seat it is", "Dismiss: it has no effect"),
        ("review-g4", "waits for you to look over it", "Release bulletin 0"),
        ("stopped-g3", "the gamesmaster is in hospital", "Let it go on"),
        ("seat-g5-A", "The player asks to be relieved since", "Give A to another player"),
        ("seat-g6-C", "has missed 3 moves in a row", "Give C to another player"),
        (
            "seat-g7-B",
            "It is offered to Stand In, until Tuesday 3 March",
            "One more stand-by player",
        ),
        ("protest-g8-A", "A seat is missing. It stands since", "Settle the protest of A"),
        ("report-g8-1-A", "It wrote: You fool. It was reported", "A word about the press of B"),
        ("editor-1", "What a month!", "Print the letter"),
        ("address-c@legit.example", "2 mails came back for good: 5.1.1", "Mail arrives again"),
        ("trouble-trouble-0", "smtp: down", ""),
    ],
)
def test_each_thing_says_why_and_what_settles_it(
    many: Installation, heading: str, says: str, button: str
) -> None:
    visitor = Visitor(many).come_in()
    assert says in the(visitor, heading) and button in the(visitor, heading)


def test_all_kinds_stand_on_the_page_with_their_numbers(many: Installation) -> None:
    visitor = Visitor(many).come_in()
    there = {one.attributes.get("id") for one in visitor.find("section h2")}
    assert there == {
        f"k-{kind}" for kind in waits.KINDS if kind not in ("amendment", "restored")
    } | {"next"}
    assert " ".join(visitor.find("#k-held")[0].text().split()) == "Letters held for you 2"
    alarms = [said for said in things(visitor).values() if said.startswith("The clocks differ")]
    assert len(alarms) == 1 and "Ours is an hour behind the server's." in alarms[0]
    assert "Mail" in "".join(key.capitalize() for key in things(visitor))


def test_every_button_leads_to_an_act_with_what_it_needs(many: Installation) -> None:
    visitor = Visitor(many).come_in()
    found = visitor.find(".ways form")
    assert len(found) > 25
    for form in found:
        to = str(form.attributes["action"])
        act = BY_NAME[to.rpartition("/")[2]]
        given = {str(one.attributes.get("name")) for one in form.css("input")}
        assert given - {"csrf", "step"} <= {one.name for one in act.arguments}
        assert form.attributes["method"] == "get", f"{act.name} is done without a preview"
        page = Visitor(many, cookies=dict(visitor.cookies))
        words = "&".join(
            f"{one.attributes['name']}={one.attributes['value']}" for one in form.css("input")
        )
        page.get(f"{to}?{words}")
        assert page.status in (200, 400, 409) and page.find("form [name]"), page.words


def test_ids_are_of_one_thing_each(many: Installation) -> None:
    visitor = Visitor(many).come_in()
    ids = [one.attributes["id"] for one in visitor.find("[id]")]
    assert len(ids) == len(set(ids)), sorted(one for one in ids if ids.count(one) > 1)
    for one in visitor.find("#fresh a, #fresh button, #fresh details"):
        near = one.parent
        heading = near is not None and near.tag in ("h3", "p", "li")
        assert one.attributes.get("id") or heading, one.html


def test_what_is_settled_is_gone(many: Installation) -> None:
    visitor = Visitor(many).come_in()
    visitor.press("Try the letter again")
    assert "The next pass tries letter 93 again" in visitor.words
    visitor.press("Do it")
    assert "Done" in visitor.words
    visitor.get("/")
    assert "letter-93" not in things(visitor)
    visitor.press("Dismiss: it has no effect")
    assert "is dismissed" in visitor.words and "Done" not in visitor.words
    visitor.get("/do/end?game=g")
    assert "The game g is ended, and all are told" in visitor.words
    assert "In it: that the game is ended, why, and its seed" in visitor.words
    visitor.get("/")
    visitor.press("Let it go on").press("Do it")
    assert "stopped-g3" not in things(visitor.get("/"))


def test_the_letters_of_the_game_that_closes_first_come_first(at: Installation) -> None:
    busy(at)
    with exclusive_transaction(at.daemon.engine) as conn:
        known = dict(conn.execute(select(Letter.__table__).where(Letter.id == 91)).one()._mapping)
        for n in range(1, 9):
            own = {"id": 200 + n, "uid": UID + 200 + n, "game_id": f"g{n}" if n < 8 else ""}
            conn.execute(insert(Letter), [known | own])
    visitor = Visitor(at).come_in()
    held = [key for key in things(visitor) if key in {f"letter-{200 + n}" for n in range(9)}]
    # g7 closes first; g3 is held and g4 in review
    assert held == ["letter-207", "letter-206", "letter-205", "letter-203", "letter-202"]
    assert "All 10: letters held for you" in visitor.words
    assert len(things(visitor.get("/?kind=held"))) == 10


def test_letters_held_after_a_restore_are_accepted_together(at: Installation) -> None:
    busy(at)
    with exclusive_transaction(at.daemon.engine) as conn:
        before = at.clock - timedelta(days=1)
        conn.execute(update(Game).where(Game.id == "g").values(restored_to=before))
    visitor = Visitor(at).come_in()
    assert "Accept all that were held after the restore" in the(visitor, "letter-91")
    assert "Accept all" not in the(visitor, "letter-95")
    visitor.press("Accept all that were held after the restore")
    assert visitor.status == 200 and "accept" in visitor.text.lower()


def test_of_many_of_a_kind_there_are_pages(at: Installation) -> None:
    copies(at, 40)
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Seat).where(Seat.seat == "C").values(missed=4))
    visitor = Visitor(at).come_in()
    assert "41 things wait for you." in visitor.words and len(things(visitor)) == 5
    first = things(visitor.get("/?kind=seat"))
    assert len(first) == 25 and "Page 1 of 2" in visitor.words
    second = things(visitor.get("/?kind=seat&page=2"))
    assert len(second) == 16 and not set(first) & set(second)
    for wrong in (
        "/?kind=seat&page=3",
        "/?kind=seat&page=x",
        "/?kind=nothing",
        "/?page=0&kind=seat",
    ):
        assert visitor.get(wrong).status == 404, wrong


def test_a_gamesmaster_sees_what_is_his(many: Installation) -> None:
    give(many, "g3", MASTER)
    give(many, "g5", MASTER)
    his = things(Visitor(many).come_in(MASTER))
    assert set(his) == {"stopped-g3", "seat-g5-A"}
    ours = things(Visitor(many).come_in(GAMESMASTER))
    assert not set(his) & set(ours) and "letter-1" in ours and "review-g4" in ours
    everything = things(Visitor(many).come_in())
    assert set(his) | set(ours) <= set(everything)


def test_who_plays_in_a_game_sees_nothing_of_it_that_waits(many: Installation) -> None:
    """Anna has g, and plays B in it: its letters, and the seat's, are not hers to see."""
    give(many, "g", address("B"))
    visitor = Visitor(many).come_in(address("B"))
    assert not things(visitor)
    assert "of g" not in visitor.get("/letters?state=any").words
    assert not things(visitor.get("/letters?state=any&game=g"))
    assert "you play in it" in visitor.get("/games").words.lower()


def test_the_next_paper_is_there_to_read(many: Installation) -> None:
    visitor = Visitor(many).come_in().get("/").get("/paper")
    assert "1 letter waits for your word" in visitor.words and "How they stand" in visitor.words
    visitor.get("/do/print-letter?number=1").press("Do it")
    assert "What a month!" in visitor.get("/paper").words
    give(many, "g3", MASTER)
    assert Visitor(many).come_in(MASTER).get("/paper").status == 404


def test_a_restore_is_led_through_on_one_page(many: Installation) -> None:
    visitor = Visitor(many).come_in().get("/restore")
    visitor.press("The database came back from a backup").press("Do it")
    assert "Everything is held" in visitor.get("/restore").words
    assert "The next pass reads every folder again" in visitor.words
    many.write("A", "SPECIAL AGR")
    many.once()
    assert "Every folder is read again." in visitor.get("/restore").words
    assert "None goes out until you say so." in visitor.words
    visitor.press("Let the mails go out").press("Do it")
    visitor.get("/restore").press("Let all games go on").press("Do it")
    assert not visitor.get("/restore").find("[id^=resume]"), visitor.words
    with exclusive_transaction(many.daemon.engine) as conn:
        conn.execute(update(Game).where(Game.id == "g").values(gamesmaster=MASTER))
    assert Visitor(many).come_in(MASTER).get("/restore").status == 404


def test_the_second_sees_what_waits_while_the_gamesmaster_plays(many: Installation) -> None:
    give(many, "g", address("B"))
    with exclusive_transaction(many.daemon.engine) as conn:
        conn.execute(update(Game).where(Game.id == "g").values(second=MASTER))
    his = set(things(Visitor(many).come_in(MASTER)))
    assert his >= {f"letter-{n}" for n in range(91, 98)} and "stopped-g3" not in his
    give(many, "g", "other@else.example")
    assert not things(Visitor(many).come_in(MASTER))


def test_of_very_many_games_the_same_is_seen(
    many: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose games are not named one by one sees what he sees where they are."""
    for game in ("g", "g3", "g4", "g5"):
        give(many, game, address("B"))
    give(many, "g6", MASTER)
    with exclusive_transaction(many.daemon.engine) as conn:
        conn.execute(update(Game).where(Game.id == "g6").values(second=address("B")))

    def seen(who: str) -> list[object]:
        visitor = Visitor(many).come_in(who)
        lists = [visitor.get(path).words for path in ("/games", "/letters?state=any", "/")]
        return [things(visitor), *lists]

    everybody = (GAMESMASTER, address("B"), MASTER)
    few = [seen(who) for who in everybody]
    monkeypatch.setattr(waits, "_FEW", 0)
    assert [seen(who) for who in everybody] == few


def test_the_owner_sees_no_letter_of_those_he_plays_with(many: Installation) -> None:
    """He plays E in g: what B writes to no game is not his to see, nor that mail to C fails."""
    before = set(things(Visitor(many).come_in(GAMESMASTER)))
    with exclusive_transaction(many.daemon.engine) as conn:
        me = players.player(conn, GAMESMASTER, "The owner", many.clock)
        conn.execute(update(Seat).where(Seat.game_id == "g", Seat.seat == "E").values(player_id=me))
    after = set(things(Visitor(many).come_in(GAMESMASTER)))
    gone = {f"letter-{n}" for n in (1, *range(91, 98))} | {"address-c@legit.example"}
    assert before - after >= gone and not after & gone
    assert set(things(Visitor(many).come_in())) == after


def test_an_alarm_is_gone_after_a_day(many: Installation) -> None:
    visitor = Visitor(many).come_in()
    assert "The clocks differ" in visitor.words
    with exclusive_transaction(many.daemon.engine) as conn:
        notes.set_memo(conn, "last_pass", {"at": many.clock.isoformat(), "trouble": []})
        old = many.clock - timedelta(days=1, minutes=1)
        conn.execute(update(Outgoing).where(Outgoing.kind == "alarm").values(created=old))
    assert "Alarms" not in visitor.get("/").words


def test_a_referee_that_stands_still_is_an_alarm(at: Installation) -> None:
    at.clock += timedelta(hours=3)
    visitor = Visitor(at).come_in()
    assert "is the service running?" in the(visitor, "still-still")


def test_the_page_asks_for_itself_and_keeps_its_place(many: Installation) -> None:
    fresh = Visitor(many).come_in().find("#fresh")[0].attributes
    assert fresh["hx-get"] == "/" and fresh["hx-trigger"] == "every 5s"
    assert fresh["hx-select"] == fresh["hx-target"] == "#fresh"


def asked(at: Installation, visitor: Visitor) -> int:
    """How many statements the first page takes."""
    with told(at.daemon.engine) as said:
        visitor.get("/")
    assert visitor.status == 200
    return len(said)


# --- news, which wants no decision ----------------------------------------------------------------


def test_news_stands_below_and_goes_when_it_is_seen(many: Installation) -> None:
    visitor = Visitor(many).come_in()
    count = re.search(r"([0-9]+) things wait for you", visitor.words)
    assert count and visitor.words.index("The clocks differ") > visitor.words.index(
        "What comes next"
    )
    assert visitor.get("/?seen=99999").words and "The clocks differ" in visitor.get("/").words
    visitor.press("Seen")
    assert visitor.status == 200 and "The clocks differ" not in visitor.words
    assert f"{count[1]} things wait for you" in visitor.words  # they were none of those


def test_a_letter_that_is_probably_hers_has_its_own_ways_out(at: Installation) -> None:
    asked = [str(one["Reply-To"]) for one in at.mails("A") if "+" in str(one["Reply-To"])]
    at.send("a@office.example", "SPECIAL AGR", To=asked[-1])
    visitor = Visitor(at).come_in()
    assert "from a@office.example" in visitor.words and "Probably" in visitor.words.title()
    buttons = {one.text().strip() for one in visitor.find(".ways button")}
    assert {"Accept it for A", "That is Player A's address too"} <= buttons
    visitor.press("That is Player A's address too").press("Do it")
    assert "Letters from a@office.example count as those of a@legit.example" in visitor.words
    visitor.get("/").press("Accept: it counts, on your word").press("Do it")
    at.once()
    assert at.standing("A") == ["SPECIAL AGR"]


# --- the lists of games and letters, and the page of an open table --------------------------------


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
