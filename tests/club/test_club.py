"""An evening of the club: nobody but players and observers writes, and every table begins, goes on
and ends; what a mail promises happens."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pbem.store.engine import database
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Journal
from tests.club.evening import Came, Evening, evening
from tests.club.people import AWAY, TABLES, club
from tests.club.promises import PROMISES, promised
from tests.club.world import GAMESMASTER

pytestmark = [pytest.mark.needs("dovecot", "postfix", "libfaketime"), pytest.mark.slow]
LONGEST = 300
"""Minutes: the evening is over by midnight."""
_ADDRESS = re.compile(r"[\w.+-]+@club\.example")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    with TemporaryDirectory() as folder, evening(Path(folder), club(), TABLES) as at:
        while not at.over and at.minute < LONGEST:
            at.step()
        at.step()  # what came last is read too
        yield at


def test_an_evening_begins() -> None:
    """One table fills, and its game begins."""
    with TemporaryDirectory() as folder, evening(Path(folder), club(TABLES[:1]), TABLES[:1]) as at:
        while not at.states() and at.minute < LONGEST:
            at.step()
        seen = (at.letters_on_file(), at.world.told[-3:])
        assert at.states() == {TABLES[0].game: GameState.RUNNING}, seen


def test_every_table_begins_and_ends(played: Evening) -> None:
    assert played.states() == dict.fromkeys((one.game for one in TABLES), GameState.OVER)
    assert not played.stood, "games whose deadline was passed, and that were held"


def test_without_any_act_of_a_gamesmaster(played: Evening) -> None:
    """He has opened the tables, and written no letter; nothing waits for him at the end."""
    assert GAMESMASTER not in {sender for sender, _, _ in played.letters_on_file()}
    waits = json.loads(played.world.ask("queue", "--json"))["letters"]
    assert {one["outcome"] for one in waits} <= {"late"}, waits  # for a period that closed at once


def test_every_letter_has_its_outcome(played: Evening) -> None:
    """Whoever comes back when his place is gone is a stranger, and is told so."""
    others = [
        row for row in played.letters_on_file() if row[1] not in ("orders", "command", "late")
    ]
    gone = {f"{name.lower()}@" for name in AWAY}
    assert {row[1] for row in others} <= {"unknown-sender"}, others
    assert {f"{row[0].partition('@')[0]}@" for row in others} <= gone, others
    assert "Traceback" not in "\n".join(played.world.told)


def test_every_game_replays(played: Evening) -> None:
    for one in TABLES:
        assert "everything came out the same" in played.world.ask("replay", one.game)


def test_whoever_was_away_is_replaced_or_comes_back(played: Evening) -> None:
    """There was a QUIT, a deputy, an offer that was taken: else the evening shows little."""
    with database.shared_transaction(played.engine) as conn:
        kinds = {entry.kind for one in TABLES for entry in Journal.many(conn, game_id=one.game)}
    assert kinds >= {"quit", "replaced", "deputy-begins"}, f"{AWAY}: {sorted(kinds)}"


def test_nobody_reads_an_address_of_another(played: Evening) -> None:
    for came in played.came:
        seen = set(_ADDRESS.findall(f"{came.mail['Subject']}\n{came.text}")) - {came.to}
        assert not seen or came.tells_of_deputy, f"{came.to} reads of {seen}: {came.text}"


def test_what_is_promised_happens(played: Evening) -> None:
    """Each sentence that says what will be is known, and what it says has been."""
    unknown = {
        sentence for came in played.came for sentence in promised(came.text) if not _known(sentence)
    }
    assert not unknown, "\n".join(sorted(unknown))
    broken = [
        f"{came.minute} {came.to}: {sentence}"
        for came in played.came
        for sentence in promised(came.text)
        if not _kept(played, came, sentence)
    ]
    assert not broken, "\n".join(broken)


def _known(sentence: str) -> bool:
    return any(one.pattern.search(sentence) for one in PROMISES)


def _kept(played: Evening, came: Came, sentence: str) -> bool:
    return all(one.kept(played, came) for one in PROMISES if one.pattern.search(sentence))
