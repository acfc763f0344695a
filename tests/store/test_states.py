"""The states of games, periods, letters and mails: each goes from one to the next as its table says,
whichever way it is tried; and nothing but the store sets one."""

import ast
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine, insert, select

from pbem.errors import RefereeError
from pbem.letters.states import LETTER, NEW_LETTER, LetterState
from pbem.store.engine import database
from pbem.store.games import games, periods
from pbem.store.joining import open_tables
from pbem.store.letters import letters
from pbem.store.mails import mails
from pbem.store.schema.states import (
    APPLICANT,
    GAME,
    MAIL,
    NEW_APPLICANT,
    NEW_MAIL,
    NEW_PERIOD,
    NEW_TABLE,
    PERIOD,
    TABLE,
    GameState,
    MailState,
    PeriodState,
    TableState,
)
from pbem.store.schema.tables import Applicant, Game, Letter, OpenTable, Outgoing, Period

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
PBEM = Path(__file__).parents[2] / "pbem"
NUMBERS = itertools.count(1)


def _game(conn: Connection, state: Any) -> str:
    game_id = f"g{next(NUMBERS)}"
    conn.execute(
        insert(Game).values(
            id=game_id,
            ruleset="coalition",
            schema=1,
            status=state,
            tables={},
            tables_hash="",
            options={},
            scenario={},
            house={},
            seed="7",
            zone="UTC",
            trust="open",
            late="deadline",
            publish="auto",
            created=NOW,
        )
    )
    return game_id


def _period(conn: Connection, state: Any) -> str:
    game_id = _game(conn, GameState.WAITING)
    periods.new(conn, game_id, 1, "SITTING", state, {"state": {}, "state_hash": ""}, opened=NOW)
    return game_id


def _letter(conn: Connection, state: Any) -> int:
    uid = next(NUMBERS)
    place = letters.FolderNumbering("a", "INBOX", 1)
    letters.add(conn, place, [letters.Arrival(uid, NOW, b"", state)], NOW, moved=False)
    return conn.execute(select(Letter.id).where(Letter.uid == uid)).scalar_one()


def _mail(conn: Connection, state: Any) -> int:
    key = f"mail:{next(NUMBERS)}"
    row = {
        **dict.fromkeys(("game_id", "seat", "envelope_from", "message_id", "reply"), ""),
        **{"key": key, "kind": "receipt", "recipient": "a@b.example", "raw": b""},
        **{"next_try": NOW, "attempts": 0, "resent": False, "created": NOW, "line": 0},
    }
    assert mails.put(conn, row, state)
    return conn.execute(select(Outgoing.id).where(Outgoing.key == key)).scalar_one()


def _table(conn: Connection, state: Any) -> str:
    row = OpenTable(
        id=f"t{next(NUMBERS)}",
        ruleset="coalition",
        state=state,
        places=5,
        plan={},
        seed="7",
        gamesmaster="",
        approve=False,
        reliability=0,
        opened=NOW,
        starts=None,
        closes=None,
        next_look=None,
    )
    open_tables.new(conn, row)
    return row.id


def _applicant(conn: Connection, state: Any) -> int:
    values: dict[str, Any] = {
        "game_id": _table(conn, TableState.JOINING),
        "address": "a@b.example",
        "name": "A",
    }
    values |= {"wishes": [], "through": "", "came": NOW, "until": None, "code_hash": ""}
    return open_tables.ask(conn, state, **values).id


def _applicant_becomes(conn: Connection, number: int, after: Any) -> None:
    if not open_tables.try_applicant(conn, number, after):
        raise RefereeError(f"no applicant becomes {after}")


@dataclass(frozen=True)
class Kind:
    """One kind of thing that has a state: how one is made, changed and looked at."""

    table: Mapping[Any, frozenset[Any]]
    new: frozenset[Any]
    make: Callable[[Connection, Any], Any]
    change: Callable[[Connection, Any, Any], None]
    column: Any
    key: Any

    def state(self, conn: Connection, one: Any) -> StrEnum:
        found: StrEnum = conn.execute(select(self.column).where(self.key == one)).scalar_one()
        return found


KINDS = {
    "game": Kind(
        GAME, frozenset({GameState.WAITING}), _game, games.set_state, Game.status, Game.id
    ),
    "period": Kind(
        PERIOD,
        NEW_PERIOD,
        _period,
        lambda conn, one, after: periods.set_state(conn, one, 1, after),
        Period.status,
        Period.game_id,
    ),
    "letter": Kind(LETTER, NEW_LETTER, _letter, letters.set_state, Letter.outcome, Letter.id),
    "mail": Kind(MAIL, NEW_MAIL, _mail, mails.set_state, Outgoing.state, Outgoing.id),
    "table": Kind(TABLE, NEW_TABLE, _table, OpenTable.set_state, OpenTable.state, OpenTable.id),
    "applicant": Kind(
        APPLICANT, NEW_APPLICANT, _applicant, _applicant_becomes, Applicant.state, Applicant.id
    ),
}
EACH = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    made = database.connect(f"sqlite:///{tmp_path_factory.mktemp('states') / 'pbem.db'}")
    database.upgrade(made)
    yield made
    made.dispose()


@EACH
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_state_follows_where_its_table_says_so(
    engine: Engine, kind: Kind, data: st.DataObject
) -> None:
    states = st.sampled_from(sorted(kind.table))
    with database.exclusive_transaction(engine) as conn:
        state = data.draw(st.sampled_from(sorted(kind.new)))
        one = kind.make(conn, state)
        for after in data.draw(st.lists(states, min_size=1, max_size=8)):
            if after in kind.table[state]:
                kind.change(conn, one, after)
                state = after
            else:
                with pytest.raises(RefereeError):
                    kind.change(conn, one, after)
            assert kind.state(conn, one) == state


@EACH
def test_every_step_of_a_table_can_be_made_and_no_other(engine: Engine, kind: Kind) -> None:
    """By the shortest way from a state in which one begins; so every state can be reached too."""
    ways = {state: (state,) for state in kind.new}
    while more := {
        after: (*way, after)
        for state, way in ways.items()
        for after in kind.table[state]
        if after not in ways
    }:
        ways |= more
    assert set(ways) == set(kind.table)
    for state, after in itertools.product(ways, kind.table):
        with database.exclusive_transaction(engine) as conn:
            first, *rest = ways[state]
            one = kind.make(conn, first)
            for step in rest:
                kind.change(conn, one, step)
            if after in kind.table[state]:
                kind.change(conn, one, after)
                assert kind.state(conn, one) == after
            else:
                with pytest.raises(RefereeError, match=f"{state}|becomes {after}"):
                    kind.change(conn, one, after)
                assert kind.state(conn, one) == state


@EACH
def test_nothing_begins_in_another_state(engine: Engine, kind: Kind) -> None:
    if kind.make is _game:
        return  # its one statement names the state
    for state in set(kind.table) - kind.new:
        with pytest.raises(RefereeError), database.exclusive_transaction(engine) as conn:
            kind.make(conn, state)


def test_somebody_else_may_have_been_first(engine: Engine) -> None:
    with database.exclusive_transaction(engine) as conn:
        period, letter = _period(conn, PeriodState.REVIEW), _letter(conn, LetterState.STORED)
        periods.set_state(conn, period, 1, PeriodState.OPEN)
        claims = [periods.try_state(conn, period, 1, PeriodState.CLOSING) for _ in range(2)]
        tries = [letters.try_state(conn, letter, LetterState.FAILED) for _ in range(2)]
    assert claims == tries == [True, False]


def test_the_answer_to_a_lease_that_is_over_is_filed_only_where_the_mail_was_sent(
    engine: Engine,
) -> None:
    with database.exclusive_transaction(engine) as conn:
        for after in (MailState.READY, MailState.REFUSED, MailState.UNKNOWN, MailState.SENT):
            mail = _mail(conn, MailState.READY)
            mails.set_state(conn, mail, MailState.LEASED)
            mails.set_state(conn, mail, MailState.HELD)  # a restore came in between
            assert mails.answered(conn, mail, after) == (after == MailState.SENT)


def test_a_state_is_not_set_as_a_column(engine: Engine) -> None:
    with database.exclusive_transaction(engine) as conn:
        game = _period(conn, PeriodState.REVIEW)
        with pytest.raises(RefereeError, match="set_state"):
            games.set_game(conn, game, status="over")
        with pytest.raises(RefereeError, match="set_state"):
            periods.set_period(conn, game, 1, status="open")


# --- no statement elsewhere -----------------------------------------------------------------------

COLUMNS = {"status", "outcome", "state"}
RECORDS = {"Game", "Period", "Letter", "LetterRow", "Outgoing", "OpenTable", "Applicant"}
SETTING = {
    "store/games/periods.py": {"new"},
    "store/letters/letters.py": {"_new"},
    "store/people/deputies.py": {"new"},
    "periods/claims.py": {"_ask_next"},  # a new row
    "store/joining/open_tables.py": {"ask"},
    "store/mails/mails.py": {
        "_leased",
        "_filed",
        "answered",
        "hold_waiting",
        "release_held",
        "set_states",
    },
}
"""Module -> what in it sets a state, besides the generic ``set_state`` and ``try_state``."""
OPEN = {
    "store/letters/letters.py": {"folder_gone", "not_given"},
    "store/mails/mails.py": {"release_held"},
    "store/joining/open_tables.py": {"ask"},
}
"""Module -> what in it sets columns by ``**``: no state, or one that the table was asked about."""


def _sets(node: ast.AST) -> bool:
    """Whether it names a column of states in what a statement writes."""
    match node:
        case ast.Call(
            func=ast.Attribute(attr="add" | "new" | "try_add" | "put", value=ast.Name(id=name))
        ):
            return name[0].isupper() and any(word.arg in COLUMNS for word in node.keywords)
        case ast.Call(func=ast.Attribute(attr="values")):
            return any(word.arg in COLUMNS for word in node.keywords)
        case ast.Dict():
            return any(isinstance(k, ast.Constant) and k.value in COLUMNS for k in node.keys)
    return False


def _splats(node: ast.AST) -> bool:
    """Whether it writes columns that are named elsewhere."""
    match node:
        case ast.Call(func=ast.Attribute(attr="values", value=written)):
            roots = {n.id for n in ast.walk(written) if isinstance(n, ast.Name)}
            return bool(roots & RECORDS) and any(word.arg is None for word in node.keywords)
        case ast.Call(func=ast.Attribute(attr="execute" | "count" | "first" | "all"), args=given):
            dicts = [one for value in given for one in ast.walk(value) if isinstance(one, ast.Dict)]
            return any(None in one.keys for one in dicts)
    return False


def _writing(tree: ast.Module) -> bool:
    """Whether the module builds statements that write, or has a table write rows."""
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module="sqlalchemy", names=names):
                if {"insert", "update"} & {alias.name for alias in names}:
                    return True
            case ast.Call(
                func=ast.Attribute(attr="add" | "new" | "try_add" | "put", value=ast.Name(id=name))
            ):
                if name[0].isupper():
                    return True
    return False


def _named(statement: ast.stmt) -> str:
    """What a statement at the top of a module defines."""
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Tuple(elts=[ast.Name(id=name), *_])]):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return ""


def _found(which: Callable[[ast.AST], bool]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for path in sorted(PBEM.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if _writing(tree):
            named = {_named(one) for one in tree.body if any(map(which, ast.walk(one)))}
            if named:
                found[path.relative_to(PBEM).as_posix()] = named
    return found


def test_only_the_store_sets_a_state() -> None:
    assert _found(_sets) == SETTING


def test_what_sets_columns_named_elsewhere_is_known() -> None:
    assert _found(_splats) == OPEN


def test_several_mails_go_on_together_or_none(engine: Engine) -> None:
    """What :func:`mails.set_states` does for several it does for none where one cannot."""
    with database.exclusive_transaction(engine) as conn:
        merged, ready = _mail(conn, MailState.MERGED), _mail(conn, MailState.READY)
    with pytest.raises(RefereeError), database.exclusive_transaction(engine) as conn:
        mails.set_states(conn, [merged, ready], MailState.LISTED)
    with database.exclusive_transaction(engine) as conn:
        assert KINDS["mail"].state(conn, merged) == MailState.MERGED
        mails.set_states(conn, [merged], MailState.LISTED)
        assert mails.lease(conn, NOW + timedelta(minutes=10), {}) is not None
