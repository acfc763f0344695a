"""NAME: what a player is called, before his game and, once, in it."""

from pathlib import Path

import pytest

from pbem.orders.asking import asked
from pbem.periods import replay
from pbem.store.engine.database import reading
from pbem.store.joining import open_tables
from tests.installation import Installation, text_of
from tests.mail.test_open_tables import FAY, Club

NAMES = ("Anna Able", "Bo", "Clara", "Dora", "Eve")
HOUSE = {"shown": {}, "hidden": {"names": "hidden"}}


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("NAME Nora", "Nora"),
        ("NAME: Nora Bell, please", "Nora Bell"),
        ("My name is Nora.", "IS Nora"),
        ("please call me Nora, thanks!", "IS Nora"),
        ("Name: Nora Bell", ""),
        ("Name your price", ""),
        ('NAME "The Reds"', ""),
        ("My name is Nora. How long does it last?", ""),
        ("Call me when you can", ""),
    ],
)
def test_a_name_is_no_sentence(line: str, name: str) -> None:
    found = asked(line)
    assert (found[1] if found and found[0] == "NAME" else "") == name


@pytest.mark.parametrize("house", HOUSE)
def test_a_name_changes_once_in_a_game_and_old_bulletins_stay(tmp_path: Path, house: str) -> None:
    with Installation(tmp_path, "parlement-1966", names=NAMES, house=HOUSE[house]) as at:
        at.start()
        at.to_deadline()
        at.send("S", "My name is Nora.")
        assert "From now on you are called Nora" in at.newest("S")
        at.send("S", "NAME Ophelia")
        assert "NAME was not taken: you have changed your name in g already" in at.newest("S")
        at.to_deadline()
        told = [text_of(mail) for mail in at.mails("R")]
        said = [one for one in told if "Anna Able is called Nora from now on" in one]
        assert len(said) == (house == "shown")
        assert house == "shown" or not any("Nora" in one for one in told)
        with reading(at.daemon.engine) as conn:
            assert replay.replay(conn, "g").faults == []


def test_a_name_that_is_taken_or_of_the_party_changes_nothing(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", names=NAMES) as at:
        at.start()
        at.send("A", "Call me Bo")
        assert "NAME was not taken: Bo is taken already" in at.newest("A")
        at.send("A", "NAME Red Alliance; Forward")
        assert at.standing("A") == ['NAME "Red Alliance; Forward"']


def test_before_the_game_a_code_proves_whose_name_it_is(tmp_path: Path) -> None:
    with Club(tmp_path) as at:
        at.open(places=5)
        at.send(FAY, "SIGNON autumn AS Fay Mary van Dyke")
        at.send(FAY, "Yes, please!", To=str(at.mails(FAY)[-1]["Reply-To"]))
        assert 'You are called "Fay Mary van Dyke" here' in at.newest(FAY)
        at.send(FAY, "NAME Faye")
        assert "You would like to be called Faye" in at.newest(FAY)
        at.send(FAY, "yes", To=str(at.mails(FAY)[-1]["Reply-To"]))
        assert "From now on you are called Faye." in at.newest(FAY)
        with reading(at.daemon.engine) as conn:
            assert [one.name for one in open_tables.applicants(conn, "autumn")] == ["Faye"]


def test_who_signs_is_called_so(tmp_path: Path) -> None:
    with Club(tmp_path) as at:
        at.open(places=5)
        at.send(FAY, "SIGNON autumn\n\nThanks,\nNora")
        assert "Nora" in str(at.mails(FAY)[-1]["Subject"])
