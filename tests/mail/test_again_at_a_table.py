"""AGAIN: after the end the same people play another game, at a table that opens when two say so."""

from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pbem.periods import ending, opening
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.joining import open_tables
from pbem.store.schema.states import TableState
from pbem.store.schema.tables import Game, OpenTable
from tests.installation import GAMESMASTER, address, desk, proven, surely, text_of, told
from tests.linking import links
from tests.mail.test_open_tables import ANN, FAY, GUS, Club
from tests.subjects import issue, subjects
from tests.vouching import vouched

SEATS = ("A", "B", "C", "D", "E")
FORTNIGHT = timedelta(days=14)
NEXT = "g-2"


def over(at: Club) -> None:
    """The game ends; somebody watches it."""
    at.game = "g"
    at.start()
    at.say(FAY, "WATCH g")
    at.confirm(FAY)
    at.act(opening.end, "g", "two of us have left")
    at.once()


@pytest.fixture(name="at")
def ended(tmp_path: Path) -> Iterator[Club]:
    with Club(tmp_path, seats=SEATS) as at:
        over(at)
        yield at


def last(at: Club, who: str) -> EmailMessage:
    """The last mail of the game."""
    return next(one for one in reversed(at.mails(who)) if issue(one).startswith("[g] The game is"))


def tap(at: Club, seat: str, subject: str = "[g] The game is ended") -> str:
    """The link of a mail, and what comes of it."""
    (mail,) = [one for one in at.mails(seat) if str(one["Subject"]).startswith(subject)]
    (link,) = [one for one in links(mail) if one.body.startswith("AGAIN")]
    link.send(at, seat, Authentication_Results=vouched(seat))
    at.once()
    return answer(at, seat)


def answer(at: Club, seat: str) -> str:
    """The newest receipt."""
    found = [one for one in at.mails(seat) if str(one["Subject"]).startswith("Re:")]
    return " ".join(text_of(found[-1]).split())


def table(at: Club, table_id: str = NEXT) -> OpenTable | None:
    with exclusive_transaction(at.daemon.engine) as conn:
        return OpenTable.one(conn, id=table_id)


def names(at: Club, table_id: str = NEXT) -> list[str]:
    with exclusive_transaction(at.daemon.engine) as conn:
        return [one.name for one in open_tables.applicants(conn, table_id) if one.place]


def asked(at: Club, who: str) -> list[str]:
    return [one for one in subjects(at, who) if "would play again" in one]


def test_one_link_each_and_the_same_people_play_again(at: Club) -> None:
    assert "1 of 5. A table opens as soon as one more says so" in tap(at, "B")
    assert table(at) is None
    said = tap(at, "D")
    assert "That makes 2 of 5. You have a seat in g-2: 2 of 5 players are there." in said
    assert names(at) == ["Player B", "Player D"]
    (mail,) = [one for one in at.mails("B") if str(one["Subject"]) == f"[{NEXT}] You play again"]
    assert "You have a seat in g-2" in " ".join(text_of(mail).split())
    assert not asked(at, "B") and not asked(at, "D") and not asked(at, FAY)
    for seat in "ACE":
        (subject,) = asked(at, seat)
        assert subject == "[g] Player B and Player D would play again: you too?"
        assert "You have a seat in g-2" in tap(at, seat, subject)
    at.once()
    with exclusive_transaction(at.daemon.engine) as conn:
        new = games.game_at(conn, NEXT)
    first = at.table()
    assert {one.address for one in new.holders.values()} == {address(one) for one in SEATS}
    assert new.row.seed != first.row.seed
    assert (new.row.ruleset, new.row.options) == (first.row.ruleset, first.row.options)
    assert new.house == first.house
    assert new.row.gamesmaster == first.row.gamesmaster
    assert any(f"the table {NEXT} is open" in one for one in subjects(at, GAMESMASTER))


def test_twice_is_answered_by_how_it_stands(at: Club) -> None:
    proven(at, "B", "AGAIN")
    at.once()
    proven(at, "B", "Again, please!")
    at.once()
    assert "You have said so already: 1 of 5." in answer(at, "B")
    assert table(at) is None
    tap(at, "C")
    proven(at, "C", "AGAIN")
    at.once()
    assert "You have said so already. You have a seat in g-2: 2 of 5" in answer(at, "C")
    assert names(at) == ["Player B", "Player C"]
    assert len(asked(at, "A")) == 1


def test_only_players_are_offered_it(at: Club) -> None:
    assert "Again, with the same players?" in " ".join(text_of(last(at, "A")).split())
    assert "Again" not in text_of(last(at, FAY)) and not links(last(at, FAY))


def test_a_letter_that_proves_nothing_needs_its_code(at: Club) -> None:
    tap(at, "B")
    at.send("C", "AGAIN", Subject="Re: [g] The game is ended")
    assert table(at) is None
    said = told(at, "C")
    assert "It says AGAIN. That needs the code below; or else a letter to your seat" in said
    at.confirm(address("C"))
    at.once()
    assert names(at) == ["Player B", "Player C"]


def test_two_weeks_to_the_end_of_the_day_and_no_more(at: Club) -> None:
    at.clock += FORTNIGHT + timedelta(hours=1)
    assert "1 of 5" in tap(at, "B")
    proven(at, "E", "Thanks to all")
    at.once()
    offer = "Answer with the one word AGAIN by 16 March 2026."
    assert offer in answer(at, "E")
    at.clock += timedelta(days=1)
    lapsed = "AGAIN was for the time until 16 March 2026."
    assert lapsed in tap(at, "C") and "word AGAIN" not in answer(at, "C")
    proven(at, "D", "Thanks to all")
    at.once()
    assert "The game is over" in answer(at, "D") and "word AGAIN" not in answer(at, "D")
    assert table(at) is None


def test_who_is_asked_to_a_table_has_two_weeks_more(at: Club) -> None:
    at.clock += FORTNIGHT
    tap(at, "B")
    tap(at, "D")
    at.clock += FORTNIGHT - timedelta(hours=1)
    assert "You have a seat in g-2" in tap(at, "A", "[g] Player B and Player D would")


def test_a_statement_beside_it(at: Club) -> None:
    proven(at, "B", "AGAIN\nSTATEMENT\nIt was short.")
    at.once()
    assert "Your statement of 3 words is taken" in answer(at, "B")
    assert "1 of 5" in answer(at, "B")
    proven(at, "C", "CHECK\nAGAIN")
    at.once()
    assert "AGAIN: it can be taken." in answer(at, "C")
    assert table(at) is None


def test_a_closed_table_begins_it_anew(at: Club) -> None:
    for seat in "BC":
        tap(at, seat)
    with desk(at) as work:
        OpenTable.try_state(work.conn, NEXT, TableState.CLOSED)
    proven(at, "D", "AGAIN")
    at.once()
    assert "1 of 5" in answer(at, "D")
    proven(at, "E", "AGAIN")
    at.once()
    assert names(at, "g-3") == ["Player D", "Player E"]


@pytest.mark.parametrize("ended", [True, False])
def test_beside_a_game_that_runs(at: Club, ended: bool) -> None:
    """AGAIN is for the game that is over, unless it names the one that runs."""
    at.start("h")
    proven(at, "B", "AGAIN" if ended else "GAME h\nAGAIN")
    at.once()
    said = answer(at, "B")
    assert ("1 of 5" in said) is ended
    assert ("AGAIN is for after the end of the game." in said) is not ended


def test_the_game_that_goes_on_forgets_it(at: Club) -> None:
    tap(at, "B")
    with desk(at) as work:
        ending.taken_up(work, games.game_at(work.conn, "g"))
    assert "1 of 5" in tap(at, "C")


@pytest.mark.parametrize(
    "more",
    [
        {"house": {"names": "hidden", "press": "none"}},
        {"pace": "daily", "options": {}},
        {"house": {"lengths": 5, "early": "never"}, "trust": "proven"},
    ],
)
def test_the_table_is_as_the_game_was(tmp_path: Path, more: dict[str, Any]) -> None:
    with Club(tmp_path, seats=SEATS, **more) as at:
        over(at)
        for seat in "BC":
            tap(at, seat)
        row, first = table(at), at.table()
        assert row
        plan = row.plan["game"]
        for name in ("options", "trust", "late", "publish", "zone", "gamesmaster"):
            assert plan[name] == getattr(first.row, name), name
        with exclusive_transaction(at.daemon.engine) as conn:
            old = Game.one(conn, id="g")
        assert old
        assert old.house == plan["house"]
        assert (old.tables, old.scenario) == (plan["tables"], plan["scenario"])
        hidden = first.house.names == "hidden"
        told_of = asked(at, "A")[0]
        assert ("2 of you" in told_of) is hidden and ("Player B" in told_of) is not hidden


def test_the_last_bulletin_has_the_link_and_no_deputys_mail(tmp_path: Path) -> None:
    with Club(tmp_path, seats=SEATS) as at:
        at.game = "g"
        at.start()
        at.say(FAY, "WATCH g")
        at.confirm(FAY)
        surely(at, "B", f"DEPUTY {GUS}")
        at.once()
        at.confirm(address("B"))
        at.confirm(GUS)
        for seat in SEATS:
            surely(at, seat, "AGREE WIN A")
            at.once()
        assert at.table().row.status == "over"
        bulletins = {who: bulletin(at, who) for who in ("A", FAY, GUS)}
        assert [len(links(one)) for one in bulletins.values()] == [1, 0, 0]
        assert "Again, with the same players?" in text_of(bulletins["A"])
        assert "word\u00a0AGAIN" not in text_of(bulletins[GUS]) + text_of(bulletins[FAY])
        (link,) = links(bulletins["A"])
        link.send(at, "A", Authentication_Results=vouched("A"))
        at.once()
        assert "1 of 5. A table opens" in answer(at, "A")


def bulletin(at: Club, who: str) -> EmailMessage:
    """The last bulletin."""
    return [one for one in at.mails(who) if issue(one).startswith("[g] Bulletin")][-1]


def test_no_practice_game(tmp_path: Path) -> None:
    with Club(tmp_path) as at:
        at.game = "practice-1"
        at.say(ANN, "PRACTICE coalition")
        at.say(ANN, "yes", To=str(at.mails(ANN)[-1]["Reply-To"]))
        at.once()
        to = str(at.mails(ANN)[-1]["Reply-To"])
        at.say(ANN, "PRACTICE END", Authentication_Results=vouched(ANN))
        assert "Again" not in at.newest(ANN)
        at.send(ANN, "AGAIN", To=to)
        assert "For another practice game, write PRACTICE coalition." in answer(at, ANN)
