"""Who can be a deputy, and what she can be besides."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.periods import claims
from pbem.referee.acts import seat_acts
from pbem.store.engine.database import exclusive_transaction
from tests.installation import GAMESMASTER, Installation, address, told
from tests.mail.test_deputies import ANN, answer, confirm, named, table


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Installation]:
    with table(tmp_path) as made:
        yield made


def test_nobody_who_plays_or_leads_the_game(at: Installation) -> None:
    """What the player reads tells nobody whose an address is."""
    read = []
    for who in (address("B"), GAMESMASTER, ANN):
        at.send("A", f"DEPUTY {who}")
        confirm(at, "A")
        read.append(told(at, "A").replace(who, "X"))
        assert ("That cannot be, since" in told(at, who)) == (who != ANN)
        at.send("A", "DEPUTY END")
    assert len({re.sub(r"\d\d:\d\d", "", one) for one in read}) == 1
    assert all(not code for code in (at.codes("B"), at.codes(GAMESMASTER)))
    at.send("A", f"DEPUTY {address('A')}")
    assert "is an address of your own" in told(at, "A")


def test_who_has_been_a_deputy_takes_no_other_seat(at: Installation) -> None:
    named(at)
    answer(at, ANN, "DEPUTY END")
    at.send("B", f"DEPUTY {ANN}")
    confirm(at, "B")
    assert "private mails of another seat" in told(at, ANN)
    with (
        exclusive_transaction(at.daemon.engine) as conn,
        pytest.raises(Exception, match="has seen the private mails of A"),
    ):
        seat_acts.replace(at.work(conn), "g", "B", ANN, "Ann", "she would like to")


def test_who_stands_by_is_no_deputy(at: Installation) -> None:
    at.act(claims.enlist, "g", ANN, "Ann")
    at.send("A", f"DEPUTY {ANN}")
    confirm(at, "A")
    assert "you stand by for this game" in told(at, ANN)
