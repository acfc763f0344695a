"""A game whose periods an earlier version adjudicated is replayed without a fault.

`tests/data/told_0001.json` has the kinds of events, with their fields, that the version with
revision 0001 told. `tests/data/played.json.gz` has a game of each rule-set that it played to
the end by `pbem demo`.
"""

import gzip
import json
from pathlib import Path

from pbem.games import GAMES
from pbem.house import resources, shelf
from pbem.periods import replay
from pbem.store.engine import database
from pbem.store.engine.database import reading
from tests.bots import bot_game
from tests.mail.test_upgrade import DATA, put_rows
from tests.telling import told

THEN: dict[str, dict[str, list[str]]] = json.loads((DATA / "told_0001.json").read_text())


def test_a_game_of_an_earlier_version_comes_out_the_same(key: str, tmp_path: Path) -> None:
    played = json.loads(gzip.decompress((DATA / "played.json.gz").read_bytes()))
    url = f"sqlite:///{tmp_path / 'pbem.db'}"
    put_rows(url, played[key])
    engine = database.connect(url)
    database.upgrade(engine)
    with reading(engine) as conn:
        report = replay.replay(conn, "demo")
    engine.dispose()
    assert report.faults == [] and report.periods > 4 and report.journal > 50


def test_what_is_told_since_is_declared(key: str) -> None:
    """A kind of event that the earlier version did not tell stands in `told_since`, and no other
    does: what was always told is missed where it fails to come out."""
    now, since = set(told(GAMES[key])), set(shelf.open_ruleset(key).about.told_since)
    assert now - set(THEN[key]) == since, f"declare them in told_since of ABOUT in {GAMES[key]}"


def test_what_was_told_then_is_told_still(key: str) -> None:
    """With all its fields: a record that has more than comes out now is a fault of the replay."""
    now = told(GAMES[key])
    assert [kind for kind in THEN[key] if kind not in now] == []
    gone = {
        kind: sorted(set(fields) - now[kind].fields)
        for kind, fields in THEN[key].items()
        if not now[kind].more and set(fields) - now[kind].fields
    }
    assert gone == {}


def test_the_source_tells_all_that_games_tell(key: str) -> None:
    """Else the laws above would pass over some. Each has a macro, though no bot's game tells it."""
    ruleset, kinds = shelf.open_ruleset(key), set(told(GAMES[key]))
    macros = (resources.path("templates", key) / "events.txt.j2").read_text(encoding="utf-8")
    assert not [kind for kind in kinds if f"{{% macro {kind}(" not in macros]
    for number in range(2):
        for turn in bot_game(ruleset, number):
            assert {event.kind for event in turn.outcome.events} <= kinds
