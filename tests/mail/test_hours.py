"""Another hour for the deadlines, from the next period on; and the hour at which most are awake."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.games.frame import codec
from pbem.periods import hours, replay
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.people import observers, players
from pbem.text import moment_words
from tests.desk.visitor import Visitor
from tests.installation import (
    GAMESMASTER,
    SEATS,
    Installation,
    desk,
    issue,
    subjects,
    text_of,
    told,
)
from tests.mail.test_gamesmaster_by_mail import HEAD, command
from tests.mail.test_open_tables import ANN, BEN, FIVE, ID, Club
from tests.mail.test_own_page import wish

FAY = "fay@fay.example"
pytestmark = pytest.mark.game("coalition", strangers=(FAY,))


def due(at: Installation) -> str:
    """The open period's deadline by the game's clock."""
    table = at.table()
    assert table.period.due
    return moment_words(table.period.due.astimezone(table.zone))


def test_the_next_period_has_the_new_hour_and_the_open_one_keeps_its_own(at: Installation) -> None:
    wish(at, "B", "ZONE", "America/New_York")
    assert due(at) == "Monday 9 March 2026, 24:00"
    assert "From period 2 on" in command(at, f"{HEAD}HOUR 20:00")
    assert due(at) == "Monday 9 March 2026, 24:00"
    mail = told(at, "B")
    assert "deadlines of this game fall at 20:00 Europe/Paris, no longer at 24:00." in mail
    assert "By your clock (America/New_York) that is 15:00 instead of 19:00." in mail
    assert "The open period keeps its deadline: Monday 9 March 2026, 24:00" in mail
    assert "By your clock" not in told(at, "C") and "no longer at 24:00" in told(at, "C")
    at.to_deadline()
    assert due(at) == "Tuesday 17 March 2026, 20:00", "no sooner than Monday 16 March, 24:00"
    (said,) = (text_of(one) for one in at.mails("A") if issue(one) == "[g] Bulletin 1")
    assert "no longer at 24:00" in " ".join(said.split())
    at.to_deadline()
    assert due(at) == "Tuesday 24 March 2026, 20:00"
    with exclusive_transaction(at.daemon.engine) as conn:
        report = replay.replay(conn, "g")
    assert report.faults == [] and report.bulletins


def test_a_later_hour_keeps_the_day(at: Installation) -> None:
    command(at, f"{HEAD}HOUR 9:30")
    at.to_deadline()
    assert due(at) == "Tuesday 17 March 2026, 09:30"
    command(at, "GAME g\nPERIOD 2\nHOUR 21:00")
    at.to_deadline()
    assert due(at) == "Tuesday 24 March 2026, 21:00"


def test_the_same_act_undoes_it(at: Installation) -> None:
    command(at, f"{HEAD}HOUR 20:00")
    assert "fall at 20:00 as it is" in command(at, f"{HEAD}HOUR 20:00")
    assert "as before, not at 20:00" in " ".join(command(at, f"{HEAD}HOUR 24:00").split())
    assert "as before, not at 20:00" in told(at, "A") and "No period is shorter" not in told(
        at, "A"
    )
    assert "fall at 24:00 as it is" in command(at, f"{HEAD}HOUR 0:00")
    at.to_deadline()
    assert due(at) == "Monday 16 March 2026, 24:00"


@pytest.mark.parametrize("written", ["25:00", "20", "noon", "20:61", "-1:00"])
def test_what_is_no_hour_is_refused(at: Installation, written: str) -> None:
    assert "is not an hour of the day" in command(at, f"{HEAD}HOUR {written}")
    assert at.table().house.next_hour == ""


def test_a_game_of_minutes_has_no_hour(tmp_path: Path) -> None:
    minutes = {"lengths": "30 minutes"}
    with Installation(tmp_path, "coalition", seats=SEATS, house=minutes) as made:
        made.start()
        assert "in hours and minutes" in command(made, f"{HEAD}HOUR 20:00")


def test_observers_are_told(at: Installation) -> None:
    with desk(at) as work:
        who = players.player(work.conn, FAY, "Fay", work.now)
        observers.new(work.conn, "g", who, work.now)
    command(at, f"{HEAD}HOUR 20:00")
    at.once()
    assert "[g] Deadlines at 20:00 Europe/Paris" in subjects(at, FAY)


def test_a_record_of_before_has_no_other_hour(at: Installation) -> None:
    with desk(at) as work:
        old = codec.dump(at_house := games.game_at(work.conn, "g").house)
        del old["next_hour"]
        games.set_game(work.conn, "g", house=old)
        assert games.game_at(work.conn, "g").house == at_house
    command(at, f"{HEAD}HOUR 20:00")
    assert at.table().house.next_hour == "20:00"


def test_the_desk_offers_the_hour_at_which_most_are_awake(at: Installation) -> None:
    visitor = Visitor(at).come_in().get("/games/g/deadline")
    assert "awake" not in visitor.words, "nobody has told a zone"
    for seat in "ABC":
        wish(at, seat, "ZONE", "Asia/Tokyo")
    visitor.get("/games/g/deadline")
    assert "At 08:00 Europe/Paris all 5 players are awake; at 24:00, the hour" in visitor.words
    visitor.press("Deadlines at 08:00").press("Do it")
    assert "Done." in visitor.words and at.table().house.next_hour == "08:00"
    with desk(at) as work:
        assert hours.offered(games.game_at(work.conn, "g"), work.now) is None
    visitor.get("/games/g/deadline")
    assert "and at 08:00 from the next period on" in visitor.words


def test_who_has_told_no_zone_counts_by_the_games_clock(at: Installation) -> None:
    wish(at, "A", "ZONE", "America/New_York")
    with desk(at) as work:
        table = games.game_at(work.conn, "g")
        offer = hours.offered(table, datetime(2026, 7, 1, tzinfo=UTC) + timedelta(days=1))
    assert offer is not None and (offer.hour, offer.awake, offer.before) == ("23:00", 5, 1)


# --- while a table fills --------------------------------------------------------------------------


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with Club(tmp_path) as made:
        yield made


def live_in(at: Club, zone: str, *people: str) -> None:
    with desk(at) as work:
        for who in people:
            known = players.at_address(work.conn, who)
            assert known
            players.set_zone(work.conn, known, zone)


def test_a_table_is_offered_the_hour_and_takes_it(club: Club) -> None:
    club.open(places=5)
    club.join(ANN, BEN)
    page = Visitor(club).come_in().get(f"/tables/{ID}")
    assert "At 24:00 Europe/Paris." in page.words and "awake" not in page.words
    live_in(club, "Asia/Tokyo", ANN)
    page.get(f"/tables/{ID}")
    assert "At 08:00 Europe/Paris all 2 players are awake; at 24:00" in page.words
    page.press("Deadlines at 08:00").press("Do it")
    assert "Done." in page.words
    club.once()
    said = f"The deadlines of {ID} will fall at 08:00 Europe/Paris, not at 24:00."
    assert said in told(club, BEN) and "By your clock" not in told(club, BEN)
    assert "By your clock (Asia/Tokyo) that is" in told(club, ANN)
    club.join(*FIVE[2:])
    for who in FIVE[:-1]:
        club.confirm(who)
    table = club.table()
    assert table.house.hour == "08:00" and table.period.due
    assert f"{table.period.due.astimezone(table.zone):%H:%M}" == "08:00"


def test_players_and_gamesmaster_read_the_offer_as_it_begins(club: Club) -> None:
    club.open(places=5)
    club.join(*FIVE[:3])
    live_in(club, "Asia/Tokyo", *FIVE[:3])
    club.join(*FIVE[3:])
    offer = "At 08:00 Europe/Paris all 5 players are awake"
    called = next(one for one in club.mails(ANN) if "are you?" in str(one["Subject"]))
    assert offer in " ".join(text_of(called).split())
    for who in FIVE[:-1]:
        club.confirm(who)
    begun = next(one for one in club.mails(GAMESMASTER) if "has begun" in str(one["Subject"]))
    assert offer in " ".join(text_of(begun).split())
    assert f"write GAME {ID}, PERIOD 1, HOUR 08:00" in text_of(begun)
