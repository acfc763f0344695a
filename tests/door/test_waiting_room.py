"""Whoever waits at an open table hears how it fills; whoever looks around is told of each."""

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.house import shelf
from pbem.periods import open_tables as tables
from pbem.periods import opening
from pbem.store.schema.tables import OpenTable
from tests.installation import desk, told
from tests.mail.test_open_tables import ANN, BEN, CLEO, DAN, FAY, FIVE, ID, Club, pass_on, subjects

CLOSES = "2026-04-01"


def also_open(at: Club, game: str, places: int = 5) -> None:
    plan = opening.Plan(game, at.key, (), "Europe/Paris", trust=at.trust, seed="8")
    with desk(at) as work:
        tables.open_(work, tables.Wanted(plan, places))


def test_whoever_waits_hears_of_newcomers_once_a_day(tmp_path: Path) -> None:
    with Club(tmp_path) as at:
        at.open(places=5)
        at.join(ANN)
        assert "Pass" not in subjects(at, ANN)[-1] and "pass this on" in told(at, ANN)
        at.join(BEN)
        assert subjects(at, ANN)[-1] == "[autumn] Ben has come"
        assert "2 of 5 players are there: Ann and Ben." in told(at, ANN)
        at.join(CLEO)
        at.join(DAN)
        had = len(at.mails(ANN))
        assert subjects(at, ANN)[-1] == "[autumn] Ben has come"
        pass_on(at, days=1)
        assert subjects(at, ANN)[had:] == ["[autumn] 2 players have come"]
        assert "Cleo and Dan have come to autumn" in told(at, ANN)
        assert subjects(at, DAN)[-1] == "[autumn] Cleo has come"
        pass_on(at, days=1)
        assert len(at.mails(ANN)) == had + 1


def test_no_name_is_told_where_names_are_hidden(tmp_path: Path) -> None:
    with Club(tmp_path, house={"names": "hidden"}) as at:
        at.open(places=5)
        at.join(ANN, BEN)
        assert subjects(at, ANN)[-1] == "[autumn] A player has come"
        assert "Ben" not in told(at, ANN)


def test_a_week_before_it_closes_a_table_offers_others(tmp_path: Path) -> None:
    with Club(tmp_path) as at:
        at.open(places=5, closes=CLOSES)
        also_open(at, "winter")
        at.join(ANN)
        had = len(at.mails(ANN))
        pass_on(at, days=22)
        assert len(at.mails(ANN)) == had
        pass_on(at, days=2)
        assert subjects(at, ANN)[had:] == ["[autumn] The table closes in a week"]
        assert "I would like to join winter" in told(at, ANN)
        pass_on(at, days=1)
        assert len(at.mails(ANN)) == had + 1


@pytest.mark.parametrize("joined", [0, 1, 4, 5])
def test_a_table_is_told_in_sixty_words(tmp_path: Path, key: str, joined: int) -> None:
    places = max(map(len, shelf.open_ruleset(key).about.seats))
    with Club(tmp_path, key=key) as at:
        at.open(places=places, closes=CLOSES)
        at.join(*FIVE[: min(joined, places - 1)])
        with desk(at) as work:
            table = OpenTable.one(work.conn, id=ID)
            assert table
            said = tables.entry(tables.facts(work, table), table)
    assert len(said.split()) <= tables.MOST_WORDS, said
    assert ("Ann" in said) == (joined > 0)


def test_a_list_says_what_is_otherwise_than_usual(tmp_path: Path) -> None:
    with Club(tmp_path) as at:
        at.open(places=5, plan={"options": {"MAX_PERIODS": 9, "CONSENT": "ON"}})
        said = at.say(FAY, "GAMES")
        assert "Otherwise: " in said
        said = at.say(FAY, "GAMES autumn")
        assert "* periods after which the game ends: 9 (usually 16)" in said
        assert "* every party named must vote AYE: yes (usually no)" in said


def test_the_newest_bulletin_is_read_before_one_joins(tmp_path: Path) -> None:
    """One a day to whoever is not registered."""
    with Club(tmp_path) as at:
        at.game = "g"
        at.start()
        first = at.say(FAY, "GAMES g")
        assert "Bulletin 0: the game begins" in first and "I would like to watch g" in first
        assert "get the next one tomorrow" in at.say(FAY, "GAMES g")
        assert "get the next one tomorrow" in at.say(FAY.replace("@", "+two@"), "GAMES g")
        at.clock += timedelta(days=1)
        assert "Bulletin 0: the game begins" in at.say(FAY, "GAMES g")
        assert "No game of the name nowhere" in at.say(FAY, "GAMES nowhere")


def test_a_game_that_nobody_may_watch_shows_no_bulletin(tmp_path: Path) -> None:
    with Club(tmp_path, house={"watch": "no"}) as at:
        at.start()
        said = at.say(FAY, "GAMES g")
        assert "go to its players alone" in said and "the game begins" not in said
