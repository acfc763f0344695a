"""A pass looks once whether anything besides periods may be due: each kind of it opens the pass."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from pbem.periods import closing, due
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.joining import practices
from pbem.store.schema.states import DeputyState, Freed, TableState
from pbem.store.schema.tables import (
    Address,
    Deputy,
    FreeSeat,
    Game,
    OpenTable,
    Period,
    Practice,
    Seat,
)
from tests.installation import Installation, address

pytestmark = pytest.mark.game("coalition")
Make = Callable[[Any, dict[str, Any]], Any]
OF = {"game_id": "g", "seat": "A"}
KINDS: dict[str, Make] = {
    "a game held for the mailbox": lambda conn, at: games.hold(
        conn, "g", closing.MAILBOX, at["now"]
    ),
    "a player who was asked": lambda conn, at: Seat.change(conn, OF, asked_until=at["past"]),
    "a player who leaves": lambda conn, at: Seat.change(conn, OF, quits=at["past"]),
    "a free seat": lambda conn, at: FreeSeat.add(
        conn, **OF, why=Freed.SILENT, since=at["past"], period=1
    ),
    "a deputy who did not answer": lambda conn, at: Deputy.add(
        conn,
        **OF,
        holder_id=at["player"],
        address="d@else.example",
        state=DeputyState.ASKED,
        first=at["past"],
        asked=at["past"],
        until=at["past"],
    ),
    "statements": lambda conn, at: Game.change(conn, {"id": "g"}, statements_until=at["past"]),
    "a table": lambda conn, at: OpenTable.add(
        conn,
        id="t",
        ruleset="coalition",
        state=TableState.JOINING,
        places=5,
        plan={},
        seed="7",
        approve=False,
        opened=at["past"],
        next_look=at["past"],
    ),
    "a wish for practice": lambda conn, at: practices.new(
        conn, at["player"], "coalition", at["now"]
    ),
    "a practice game that is left": lambda conn, at: (
        Practice.add(
            conn,
            game_id="g",
            player_id=at["player"],
            ruleset="coalition",
            asked=at["past"],
            begun=at["past"],
        ),
        Period.change(conn, {"game_id": "g"}, opened=at["past"] - timedelta(days=14)),
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_alone_opens_the_pass(at: Installation, kind: str) -> None:
    at.once()
    installation = at.daemon.installation
    assert not due.anything(installation, at.clock)
    with exclusive_transaction(at.daemon.engine) as conn:
        (player,) = Address.values(conn, Address.player_id, address=address("A"))
        given = {"now": at.clock, "past": at.clock - timedelta(days=1), "player": player}
        KINDS[kind](conn, given)
    assert due.anything(installation, at.clock)
