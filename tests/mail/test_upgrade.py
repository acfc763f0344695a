"""A database that an earlier version wrote goes on under this one: its games, letters and mails are
all there.

All data are of 1.0.0, commit 81dfe025. `tests/data/landed_states.json.gz` has every row of a database
with games of Coalition, Politics, Legislation and the Parlement of 1966 in every state, one with a
bulletin in review, letters in twelve states, mails in six. `landed_legislation.json.gz` has a game
of Legislation, played into its fourth period by real mail.
"""

import base64
import gzip
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import MetaData, func, inspect, select, text, update
from sqlalchemy.exc import IntegrityError

from pbem.errors import OperatorError
from pbem.games.coalition.rules import ABOUT, Coalition
from pbem.games.frame import codec
from pbem.periods import deadline_acts, opening, replay
from pbem.post.postmark import code_hash
from pbem.referee.acts import letter_acts, word_acts
from pbem.store.engine import database
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import positions
from pbem.store.journal import notes
from pbem.store.people import gamesmasters
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import (
    EditorLetter,
    Game,
    Inquiry,
    Issue,
    Member,
    Mute,
    Period,
    Protest,
    Rematch,
    Report,
    Session,
    Warned,
)
from tests.installation import GAMESMASTER, Installation, text_of

DATA = Path(__file__).parent.parent / "data"
GAMES = ("autumn", "spring", "summer", "winter", "g", "waits", "ended")
STATES = (
    ("game", "status"),
    ("period", "status"),
    ("letter", "outcome"),
    ("outgoing", "state"),
    ("ruling", "kind"),
)
NEW_STATES = (
    ("open_table", "state"),
    ("applicant", "state"),
    ("deputy", "state"),
    ("offer", "state"),
    ("free_seat", "why"),
)
"""Of tables that the data do not have."""
BOTH = pytest.mark.parametrize(
    "kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgresql"))]
)


def _value(plain: Any) -> Any:
    match plain:
        case {"utc": moment}:
            return datetime.fromisoformat(moment)
        case {"bytes": encoded}:
            return base64.b64decode(encoded)
    return plain


def landed(url: str, name: str = "states") -> tuple[datetime, dict[str, int]]:
    """A database of 1.0.0 with all the rows; the time at which it was left, and the number of rows
    of each table."""
    kept = json.loads(gzip.decompress((DATA / f"landed_{name}.json.gz").read_bytes()))
    put_rows(url, kept["tables"])
    return datetime.fromisoformat(kept["clock"]), {
        name: len(rows) for name, rows in kept["tables"].items()
    }


def put_rows(url: str, kept: Mapping[str, Any]) -> None:
    """Make a database of 1.0.0 with these rows, by table."""
    engine = database.connect(url)
    with exclusive_transaction(engine) as conn:
        command.upgrade(database._config(conn), database.OLDEST)
        tables = MetaData()
        tables.reflect(conn)
        for table in tables.sorted_tables:
            rows = [
                {name: _value(plain) for name, plain in row.items()}
                for row in kept.get(table.name, ())
            ]
            if rows:
                conn.execute(table.insert(), rows)
            numbered = rows and "id" in table.c and isinstance(rows[0]["id"], int)
            if numbered and url.startswith("postgresql"):
                conn.execute(
                    text(
                        f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'),"
                        f" {max(r['id'] for r in rows)})"
                    )
                )
    engine.dispose()


def url_of(kind: str, folder: Path, request: pytest.FixtureRequest) -> str:
    """A new database of that kind."""
    if kind == "postgresql":
        return str(request.getfixturevalue("postgresql_url"))
    return f"sqlite:///{folder / 'pbem.db'}"


def rows(url: str) -> dict[str, int]:
    """The number of rows of each table."""
    engine = database.connect(url)
    with exclusive_transaction(engine) as conn:
        tables = MetaData()
        tables.reflect(conn)
        found = {
            name: conn.execute(select(func.count()).select_from(table)).scalar_one()
            for name, table in tables.tables.items()
        }
    engine.dispose()
    return found


def states(url: str) -> dict[str, Counter[str]]:
    """How many rows are in each state, by table."""
    engine = database.connect(url)
    with exclusive_transaction(engine) as conn:
        found = {
            name: Counter(conn.execute(text(f"SELECT {column} FROM {name}")).scalars().all())
            for name, column in STATES
        }
    engine.dispose()
    return found


@BOTH
def test_a_game_of_legislation_replays_the_same_and_ends(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = url_of(kind, tmp_path, request)
    clock, counts = landed(url, "legislation")
    with Installation(tmp_path, "legislation", url=url) as at:
        at.clock = clock
        assert database.drift(at.daemon.engine) == []
        found = rows(url)
        assert {name: found[name] for name in counts} == counts
        assert at.table().period.number == 4
        for _ in range(40):
            if at.table().row.status == GameState.OVER:
                break
            at.to_deadline()
        assert at.table().row.status == GameState.OVER
        with exclusive_transaction(at.daemon.engine) as conn:
            assert replay.replay(conn, "g").faults == []


@BOTH
def test_every_state_goes_on(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Every game, letter and mail is in the state it was left in, and each goes on as
    that state does."""
    url = url_of(kind, tmp_path, request)
    clock, counts = landed(url)
    engine = database.connect(url)
    with exclusive_transaction(engine) as conn:
        conn.execute(text("UPDATE game SET trust = 'none'"))  # a stronger one is held: below
    before = states(url)
    assert all(len(found) > 1 for found in before.values()), "else this shows nothing"
    database.upgrade(engine)
    assert states(url) == before and database.drift(engine) == []
    found = rows(url)
    assert {name: found[name] for name in counts} == counts
    engine.dispose()
    with Installation(tmp_path, "coalition", seats=tuple("ABCDE"), url=url) as at:
        at.clock, at.game = clock, "autumn"
        failed = next(n for n, (one, _) in enumerate(at.outcomes(), 1) if one == "failed")
        held = next(n for n, (one, _) in enumerate(at.outcomes(), 1) if one == "quarantine")
        with exclusive_transaction(at.daemon.engine) as conn:
            letter_acts.retry(at.work(conn), failed)
            letter_acts.dismiss(at.work(conn), held)
            assert "1 mail " in letter_acts.restore(at.work(conn), release_outbox=True).said
            word_acts.release(at.work(conn), "spring", None)
            deadline_acts.resume(at.work(conn), "winter")
            opening.start(at.work(conn), "waits")
        at.once()
        after = at.outcomes()
        assert after[-1][0] == "orders", "the letter that was not decided yet"
        assert (after[failed - 1][0], after[held - 1][0]) == ("orders", "dismissed")
        number = at.table().period.number
        at.to_deadline()
        assert at.table().period.number == number + 1
        with exclusive_transaction(at.daemon.engine) as conn:
            assert [game for game in GAMES if replay.replay(conn, game).faults] == []


@BOTH
def test_a_code_that_was_mailed_before_works_on(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """But that of ABSENT, which needs none now."""
    url = url_of(kind, tmp_path, request)
    clock, _ = landed(url)
    of = {"game": "autumn", "until": (clock + timedelta(days=1)).isoformat()}
    with Installation(tmp_path, "coalition", seats=tuple("ABCDE"), url=url) as at:
        at.clock, at.game = clock, "autumn"
        now = at.table()
        hashed, number = code_hash("quit"), now.period.number
        leaves = {"word": "QUIT", "seat": "B", "player": now.holders["B"].player_id, "letter": 1}
        act = {"name": "RULE", "argument": "Read on.", "edition": 0, "by": GAMESMASTER}
        kept: dict[str, Mapping[str, Any]] = {
            "leaving:QUIT:autumn:B": {**leaves, "period": number, "code": hashed, **of},
            f"code:{hashed}": {"leaving": "leaving:QUIT:autumn:B"},
            f"code:{code_hash('rule')}": {**act, "period": number, **of},
            f"code:{code_hash('gone')}": {"absent": ["2026-04-01"], "seat": "C", **of},
        }
        with exclusive_transaction(at.daemon.engine) as conn:
            for name, memo in kept.items():
                notes.set_memo(conn, name, memo)
        for who, code in (("B", "quit"), (GAMESMASTER, "rule"), ("C", "gone")):
            at.write(who, f"CONFIRM {code}")
        at.once()
        assert [one for one, _ in at.outcomes()[-3:]] == ["command"] * 3
        assert at.table().holders["B"].quits is not None
        assert at.table().holders["B"].quits is not None
        assert "Ruling of the gamesmaster: Read on." in text_of(at.mails(GAMESMASTER)[-1])


@BOTH
def test_what_was_kept_as_memos_is_kept(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """But of games and people that are gone."""
    url = url_of(kind, tmp_path, request)
    clock, _ = landed(url)
    engine = database.connect(url)
    since, hashed = clock.isoformat(), code_hash("second")
    until = (clock + timedelta(days=5)).isoformat()
    asked = {"game": "autumn", "seat": "B", "player": 2, "text": "Why?", "since": since}
    change = {"game": "autumn", "role": "second", "new": "nora@else.example", "old": ""}
    kept: dict[str, Mapping[str, Any]] = {
        "inquiry:7": {**asked, "late": False, "until": until},
        "inquiry:8": {**asked, "game": "nowhere", "late": False, "until": until},
        "protest:autumn": {"C": ["1", "Wrong.", since], "D": ["1", "Wrong too.", since]},
        "report:autumn:3:B": {**asked, "press": 3, "author": "C", "until": until},
        "press-muted:autumn": {"A": {"player": 1, "of": {"B": 2, "C": None}}},
        "press-warned:autumn": {"B": {"player": 2, "times": 2, "until": until}},
        "master-away:winter": {"first": "2026-04-01", "last": "2026-04-09", "begun": True},
        "second:autumn": {**change, "codes": {hashed: change["new"]}, "until": until}
        | {"unasked": False},
        f"code:{hashed}": {"handover": "second:autumn", "by": change["new"]},
        "again:ended": {"said": {"1": since, "999": since}, "table": None, "until": until},
        "listed:1": {"since": since},
        "zine-reader:2": {"since": since},
        "zine:2026-03": {"at": since, "text": "News."},
        "zine-letter:4": {"signed": "Ann", "text": "Hello.", "released": True},
        "desk-session:abc": {"who": GAMESMASTER, "until": until},
    }
    with exclusive_transaction(engine) as conn:
        for name, memo in kept.items():
            notes.set_memo(conn, name, memo)
    database.upgrade(engine)
    assert database.drift(engine) == []
    with exclusive_transaction(engine) as conn:
        assert {*kept} & {*notes.memos(conn, "")} == {f"code:{hashed}"}
        assert [(row.letter, row.text, row.since) for row in Inquiry.many(conn)] == [
            (7, "Why?", clock)
        ]
        assert [(row.seat, row.bulletin) for row in Protest.many(conn)] == [("C", 1), ("D", 1)]
        assert [(row.press, row.author) for row in Report.many(conn)] == [(3, "C")]
        assert [(row.reader, row.seat, row.player_id) for row in Mute.many(conn)] == [
            ("A", "B", 2),
            ("A", "C", 0),
        ]
        assert [(row.times, row.until) for row in Warned.many(conn)] == [
            (2, clock + timedelta(days=5))
        ]
        assert gamesmasters.away_now(conn) == {"winter"}
        assert [(row.player_id, row.table_id) for row in Rematch.many(conn)] == [(1, "")]
        assert [(row.what, row.player_id) for row in Member.many(conn)] == [
            ("listed", 1),
            ("zine-reader", 2),
        ]
        assert [row.text for row in Issue.many(conn)] == ["News."]
        assert [(row.number, row.released) for row in EditorLetter.many(conn)] == [(4, True)]
        assert [(row.key, row.who, row.stays) for row in Session.many(conn)] == [
            ("abc", GAMESMASTER, False)
        ]
    engine.dispose()
    with Installation(tmp_path, "coalition", seats=tuple("ABCDE"), url=url) as at:
        at.clock, at.game = clock, "autumn"
        at.send(change["new"], "CONFIRM second")
        at.once()
        assert at.table().row.second == change["new"]


GONE: dict[str, tuple[dict[str, Any], str]] = {
    "absent": ({"absent": "bot"}, "No house bot plays a seat that nobody takes any more."),
    "away_days": (
        {"away_days": 7},
        "Days of absence are booked no longer. ABSENT tells all that you are away, and the"
        " gamesmaster may move the deadline.",
    ),
    "deputies": (
        {"deputies": "private"},
        "From now on all are told if a seat has a deputy, but not who it is.",
    ),
    "pen-names": (
        {},
        "Players write press under their seat or with ANONYMOUS: new press under a pen-name is not"
        " relayed.",
    ),
}
"""What a game of 1.0.0 has of an option that is gone, and what its next bulletin says."""


@BOTH
@pytest.mark.parametrize("gone", GONE)
def test_a_game_whose_option_is_gone_says_so_and_goes_on(
    kind: str, gone: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url, (had, said) = url_of(kind, tmp_path, request), GONE[gone]
    clock, _ = landed(url)
    engine = database.connect(url)
    with exclusive_transaction(engine) as conn:
        (kept,) = conn.execute(text("SELECT house FROM game WHERE id = 'autumn'")).scalars()
        house = (json.loads(kept) if isinstance(kept, str) else kept) | had
        conn.execute(
            text("UPDATE game SET house = :house WHERE id = 'autumn'"), {"house": json.dumps(house)}
        )
        if not had:
            conn.execute(text("UPDATE press SET pen_name = 'The Old Fox'"))
    database.upgrade(engine)
    with Installation(tmp_path, "coalition", seats=tuple("ABCDE"), url=url) as at:
        at.clock, at.game = clock, "autumn"
        at.once()
        number = at.table().period.number
        at.to_deadline()
        assert at.table().period.number == number + 1
    with exclusive_transaction(engine) as conn:
        where = f"game_id = 'autumn' AND number = {number}"
        bulletins = conn.execute(text(f"SELECT text FROM bulletin WHERE {where}")).scalars()
        assert any(said in " ".join(one.split()) for one in bulletins)
        assert replay.replay(conn, "autumn").faults == []
    engine.dispose()


@BOTH
def test_a_game_whose_proof_is_weaker_waits_for_its_gamesmaster(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = url_of(kind, tmp_path, request)
    clock, _ = landed(url)
    engine = database.connect(url)
    before = {"autumn": "token", "winter": "openpgp", "spring": "dmarc", "summer": "none"}
    before |= {"g": "token", "waits": "token", "ended": "openpgp"}
    with exclusive_transaction(engine) as conn:
        for game, level in before.items():
            conn.execute(text(f"UPDATE game SET trust = '{level}' WHERE id = '{game}'"))
        was = dict(conn.execute(text("SELECT id, status FROM game")).all())
    database.upgrade(engine)
    with engine.connect() as conn:
        asked = text("SELECT id, status, trust, held_because FROM game")
        found = {row.id: row for row in conn.execute(asked)}
    engine.dispose()
    assert {game: found[game].trust for game in before} == {
        **dict.fromkeys(before, "proven"),
        "summer": "open",
    }
    assert was["autumn"] == "running" and was["winter"] == "held"
    assert {game for game, row in found.items() if row.status != was[game]} == {"autumn", "g"}
    assert "only letters to a seat's own address were believed" in found["autumn"].held_because
    assert "were signed by OpenPGP" in found["winter"].held_because
    with Installation(tmp_path, "coalition", seats=tuple("ABCDE"), url=url) as at:
        at.clock, at.game = clock, "autumn"
        with exclusive_transaction(at.daemon.engine) as conn:
            deadline_acts.resume(at.work(conn), "autumn")
        number = at.table().period.number
        at.to_deadline()
        assert at.table().period.number == number + 1
        bulletin = next(m for m in reversed(at.mails("A")) if "Bulletin" in str(m["Subject"]))
        assert "provider vouches for (DMARC)" in " ".join(text_of(bulletin).split())


@BOTH
def test_the_database_refuses_what_the_tables_do_not_know(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = url_of(kind, tmp_path, request)
    landed(url)
    engine = database.connect(url)
    database.upgrade(engine)
    for name, column in STATES:
        for unknown in ("nonsense", "Open", ""):
            with pytest.raises(IntegrityError), exclusive_transaction(engine) as conn:
                conn.execute(text(f"UPDATE {name} SET {column} = '{unknown}'"))
    engine.dispose()


@BOTH
def test_migrated_and_new_tables_have_the_same_checks(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Migrations name the states as they were then, the records as they are now."""
    url = url_of(kind, tmp_path, request)
    engine = database.connect(url)
    database.upgrade(engine)
    columns = {
        (name, column): Game.metadata.tables[name].c[column] for name, column in STATES + NEW_STATES
    }
    words = {
        (name, f"ck_{name}_{column}"): set(one.type.enums)  # type: ignore[attr-defined]
        for (name, column), one in columns.items()
    }
    with engine.connect() as conn:
        found = {
            (name, str(check["name"])): set(re.findall(r"'([a-z-]+)'", check["sqltext"]))
            for name in inspect(conn).get_table_names()
            for check in inspect(conn).get_check_constraints(name)
        }
    assert found == words
    engine.dispose()


# --- a game that an older version of the program wrote --------------------------------------------


def players_to_seats(state: dict[str, Any]) -> dict[str, Any]:
    """From schema 2 to 3 in these tests: what was called ``seated`` is now ``players``."""
    return {("players" if name == "seated" else name): value for name, value in state.items()}


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installation]:
    """A game of Coalition with one period behind it, and a program whose Coalition has schema 3."""
    monkeypatch.setattr(positions, "_STATES", positions._Loaded(8))
    with Installation(tmp_path, "coalition", seats=tuple("ABCDE")) as at:
        at.start()
        at.send("A", "STANDING NAY")
        at.to_deadline()
        assert at.table().period.number == 2
        positions._STATES.kept.clear()
        monkeypatch.setattr(Coalition, "about", replace(ABOUT, schema=3))
        monkeypatch.setattr(Coalition, "upgrades", {2: players_to_seats})
        yield at


def rewritten(at: Installation, schema: int | None, in_record: int) -> None:
    """Every stored position as schema 2 had it, its number in the row (or only in the game's
    record)."""
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Game).values(schema=in_record))
        for number in range(3):
            where = (Period.game_id == at.game, Period.number == number)
            plain = positions._stored(conn, at.game, number)
            old = {
                ("seated" if name == "players" else name): v
                for name, v in plain.items()
                if name != "schema"
            }
            row = {
                "state": old if schema is None else {**old, "schema": schema},
                "state_hash": _hash(old),
            }
            conn.execute(update(Period).where(*where).values(**row))


def _hash(plain: dict[str, Any]) -> str:
    return hashlib.sha256(codec.text(plain).encode()).hexdigest()


@pytest.mark.parametrize(("schema", "in_record"), [(2, 1), (None, 2)])
def test_an_older_position_is_upgraded_and_replays(
    at: Installation, schema: int | None, in_record: int
) -> None:
    rewritten(at, schema, in_record)
    assert at.table().state.players == tuple("ABCDE")
    with exclusive_transaction(at.daemon.engine) as conn:
        report = replay.replay(conn, at.game)
    assert report.periods == 1 and not report.faults
    at.send("B", "STANDING AYE")
    assert "STANDING AYE" in text_of(at.mails("B")[-1])


def test_a_newer_position_is_refused(at: Installation) -> None:
    rewritten(at, 4, 1)
    with pytest.raises(OperatorError, match="install the version of pbem that wrote it"):
        at.table()


def test_a_position_without_a_way_on_is_refused(at: Installation) -> None:
    rewritten(at, 1, 1)
    with pytest.raises(OperatorError, match="no upgrade leads from 1 to 3"):
        at.table()
