"""What can be done with a game that waits, runs, is held, in review or over: the table in
docs/commands.md, cell by cell."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from pbem.acts.act import Argument, Kind
from pbem.acts.acts import BY_NAME
from pbem.errors import OperatorError
from pbem.games.frame.length import Days
from pbem.periods import opening
from pbem.post.work import Work
from pbem.referee.acts.doing import Actor, do
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.schema.tables import EditorLetter, Inquiry, Letter, Outgoing, Protest
from tests.installation import address
from tests.shell import Shell

DOCUMENT = Path(__file__).parents[2] / "docs" / "commands.md"
NEW = "new@else.example"
STATES = ["not begun", "runs", "held", "in review", "over"]
WHOLE = {"forget": lambda work: opening.forget(work, "g")}
"""What is done with a whole game, besides the acts of the table."""


def table() -> dict[str, dict[str, str]]:
    """Act -> state -> its cell."""
    text = DOCUMENT.read_text(encoding="utf-8")
    (found_at,) = re.findall(r"(?ms)^\| act \| not begun.*?\n\n", text)
    head, _, *rows = re.findall(r"(?m)^\|(.+)\|$", found_at)
    columns = [one.strip() for one in head.split("|")[1:]]
    assert columns == STATES
    found = {}
    for row in rows:
        names, *cells = (one.strip().strip("`") for one in row.split("|"))
        for name in names.split("`, `"):
            found[name] = dict(zip(columns, cells, strict=True))
    return found


TABLE = table()


class Undone(Exception):
    """What was tried is not to stay."""


class State:
    """A game in one state, upon which each act is tried and taken back."""

    def __init__(self, shell: Shell, state: str) -> None:
        self.shell, self.state, self.ruling = shell, state, 1
        self.lead()
        with exclusive_transaction(shell.at.daemon.engine) as conn:
            self.held, self.failed = (_letter(conn, one) for one in ("unverified", "failed"))
            self.mail = _refused(conn)

    def lead(self) -> None:
        """Two periods on, but for a game that waits."""
        shell = self.shell
        if self.state == "not begun":
            return
        shell("start", "g")
        shell("close", "g")
        if self.state == "in review":
            with exclusive_transaction(shell.at.daemon.engine) as conn:
                games.set_game(conn, "g", publish="review")
            shell("close", "g")
        elif self.state != "runs":
            then = {"held": "hold", "over": "end"}[self.state]
            shell(then, "g", "--why", "illness")

    def tried(self, name: str) -> str:
        """What is said against an act; "" where it can be done."""
        try:
            with exclusive_transaction(self.shell.at.daemon.engine) as conn:
                self._done(self.shell.at.work(conn), name)
                raise Undone
        except Undone:
            return ""
        except OperatorError as error:
            return str(error)

    def _done(self, work: Work, name: str) -> None:
        if name in WHOLE:
            WHOLE[name](work)
            return
        if name == "answer":
            one = Inquiry(self.held, "g", "A", 1, "Why?", work.now)
            Inquiry.put(work.conn, one)
        if name == "print-letter":
            EditorLetter.put(work.conn, EditorLetter(1, "A player", "Hello.", False))
        if name == "settle":
            Protest.put(work.conn, Protest("g", "A", 0, "wrong", work.now))
        act, values = BY_NAME[name.partition(" ")[0]], self._values()
        assert name in values, f"the act {name} has no values in `_values` of {__file__}"
        do(work, act, _nothing(act) | values[name], Actor())

    def _values(self) -> dict[str, dict[str, Any]]:
        game = {"game": "g"}
        why = game | {"why": "so it is"}
        return {
            "extend": why | {"days": Days(3)},
            "close": game,
            "pause": why | {"first": "2090-01-01", "last": "2090-01-03"},
            "hour": game | {"hour": "20:00"},
            "hold": why,
            "resume": game,
            "preview": game,
            "release": game,
            "order": game | {"seat": "A", "file": "SPECIAL AGR\n"},
            "rule": game | {"text": "Read on."},
            "amended": game | {"number": 1, "how": "BY HAND"},
            "replace": why | {"seat": "A", "address": NEW},
            "standby": game | {"address": NEW},
            "master": game | {"address": NEW},
            "away": game | {"days": "2026-12-01 TO 2026-12-09"},
            "address": {"old": address("A"), "new": NEW},
            "rotate": game | {"seat": "A"},
            "rewind": why | {"number": 1},
            "accept": {"letter": self.held},
            "accept --game": game,
            "dismiss": {"letter": self.held},
            "retry": {"letter": self.failed},
            "resend": {"mail": self.mail},
            "restore": {},
            "start": game,
            "end": why,
            "answer": {"letter": self.held, "text": "So it is."},
            "settle": game | {"seat": "A"},
            "suspend": why | {"seat": "A", "days": 7},
            "print-letter": {"number": 1},
            "press": game | {"to": "ALL", "file": "Hello.\n"},
        }


def _nothing(act: Any) -> dict[str, Any]:
    """Its arguments, none of them given."""
    return {one.name: _empty(one) for one in act.arguments}


def _empty(argument: Argument) -> Any:
    if argument.many:
        return ()
    return False if argument.kind is Kind.FLAG else None


def _letter(conn: Any, outcome: str) -> int:
    now = datetime.now(UTC)
    row = {
        "account": "a",
        "folder": "INBOX",
        "uidvalidity": 1,
        "uid": len(outcome),
        "received": now,
        "seen": now,
    }
    row |= {
        "raw": b"x",
        "raw_hash": outcome,
        "outcome": outcome,
        "decided": now,
        "game_id": "g",
        "seat": "A",
    }
    return int(conn.execute(insert(Letter).values(**row)).inserted_primary_key[0])


def _refused(conn: Any) -> int:
    """A mail that was refused; another game's while this one has sent none."""
    first = conn.execute(select(Outgoing.id).order_by(Outgoing.id)).scalars().first()
    if first is None:
        now = datetime.now(UTC)
        row = {
            "key": "x",
            "kind": "receipt",
            "recipient": NEW,
            "envelope_from": "",
            "message_id": "<x@y>",
        }
        row |= {"raw": b"x", "state": "refused", "next_try": now, "created": now}
        return int(conn.execute(insert(Outgoing).values(**row)).inserted_primary_key[0])
    conn.execute(update(Outgoing).where(Outgoing.id == first).values(state="refused"))
    return int(first)


@pytest.fixture(params=STATES)
def state(request: pytest.FixtureRequest, made: Shell) -> Iterator[State]:
    yield State(made, request.param)


def test_the_table_has_every_act() -> None:
    of_tables = {"open", "table", "admit", "close-table"}  # where there is no game yet
    missing = {*WHOLE, *BY_NAME} - of_tables - {name.partition(" ")[0] for name in TABLE}
    assert not missing, f"no row in the table of docs/commands.md: {sorted(missing)}"


def test_each_cell_is_true(state: State) -> None:
    wrong = []
    for name, cells in TABLE.items():
        cell, said = cells[state.state], state.tried(name)
        if not FITS.get(cell, lambda one, cell=cell: f"pbem {cell}" in one)(said):
            wrong.append(f"{name}: {cell}, but: {said or 'done'}")
    assert not wrong, f"a game that {state.state}:\n" + "\n".join(wrong)


def _refused_by_itself(said: str) -> bool:
    return bool(said)


FITS: dict[str, Callable[[str], bool]] = {
    "yes": lambda said: not said,
    "no": _refused_by_itself,
    "adopted": lambda said: "has no adopted amendment" in said,
}
"""What is said of a cell that names no command."""


def test_a_refusal_names_the_game_and_its_state(state: State) -> None:
    """So that it can be read without looking the game up."""
    words = {
        "not begun": r"has not begun",
        "runs": r"\b(runs|running|begun|open)\b",
        "held": r"\b(held|begun|open)\b",
        "in review": r"waits for its release|begun|running",
        "over": r"\bis over\b",
    }
    for name in TABLE:
        if said := state.tried(name):
            state_said = re.search(words[state.state], said) or FITS["adopted"](said)
            assert re.search(r"\bg\b", said) and state_said, (name, said)
