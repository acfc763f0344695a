"""The queue of a busy installation: what waits first, nothing lost in eighty columns, games by
pages, and as many statements for many games as for few."""

import json
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from pbem.errors import OperatorError
from pbem.letters.states import LetterState
from pbem.referee.gamesmaster import queue, waits
from pbem.referee.gamesmaster.queue import Face
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.schema.tables import Address, Game, Letter, Outgoing, Period, Player, Seat
from tests import statements
from tests.installation import Installation, address, desk
from tests.shell import Shell

pytestmark = pytest.mark.game("coalition")
REASON = "ValueError: " + "a long reason of many words " * 9 + "to its end"
FAR = "rosalind.elisabeth.von-und-zu-hohenfels@a-very-long-name-of-a-provider.example"


def copies(at: Installation, number: int) -> None:
    """The game that there is so many times more, each with players of its own."""
    with exclusive_transaction(at.daemon.engine) as conn:
        for table in (Game, Player, Address, Seat, Period):
            rows = [dict(row._mapping) for row in conn.execute(select(table.__table__))]
            made = [_copy(table, row, n) for n in range(1, number + 1) for row in rows]
            conn.execute(insert(table), made)


def _copy(table: type, row: dict[str, Any], n: int) -> dict[str, Any]:
    changed: dict[str, Any] = {"id": f"g{n}"} if table is Game else {"game_id": f"g{n}"}
    if table is Player:
        changed = {"id": row["id"] + n * 100}
    if table is Address:
        changed = {"address": f"{n}-{row['address']}", "player_id": row["player_id"] + n * 100}
    if table is Seat:
        hashed = f"{n}-{row['token_hash']}"[:64]
        changed |= {"player_id": row["player_id"] + n * 100, "token_hash": hashed}
    if table is Period and row["due"]:
        changed["due"] = row["due"] - timedelta(minutes=n)
    return {**row, **changed}


def told(at: Installation, face: Face = Face.SHELL, page: int | None = 1) -> str:
    with desk(at) as work:
        return queue.text(queue.queue(work, page=page), face)


def busy(at: Installation) -> None:
    """Everything waits that can wait."""
    at.write("A", "GAME nosuch\nSPECIAL AGR")
    at.send("B", "SPECIAL ENV")
    copies(at, 44)
    with exclusive_transaction(at.daemon.engine) as conn:
        found = [dict(row._mapping) for row in conn.execute(select(Letter.__table__))]
        more = found[1] | {"seat": "B", "game_id": "g"}
        for n, outcome in enumerate(
            (LetterState.FAILED, LetterState.LATE, "unfetchable"), start=90
        ):
            changed = {"id": n, "uid": n, "effect": None, "outcome": outcome, "reason": REASON}
            conn.execute(insert(Letter), [more | changed | {"receipt": n}])
        games.hold(conn, "g3", "the gamesmaster is in hospital " * 5, at.clock)
        opening = (Period.game_id == "g4", Period.number == 1)
        conn.execute(update(Period).where(*opening).values(status="review", due=None))
        mine = (Seat.game_id == "g5", Seat.seat == "A")
        conn.execute(update(Seat).where(*mine).values(quits=at.clock, missed=0))
        conn.execute(update(Seat).where(Seat.game_id == "g6", Seat.seat == "C").values(missed=3))
        gone = update(Address).where(Address.address == address("C"))
        conn.execute(gone.values(address=FAR, hard_bounces=2, last_bounce="5.1.1 no such user"))
        some = update(Outgoing).where(Outgoing.seat == "C", Outgoing.kind == "start")
        conn.execute(some.values(state="refused", recipient=FAR, reply="550 5.1.1 unknown"))


@pytest.mark.parametrize("face", Face)
def test_a_busy_queue_fits_its_columns_and_loses_no_word(at: Installation, face: Face) -> None:
    busy(at)
    data = at.act(queue.queue, page=1)
    text = queue.text(data, face)
    wide = [line for line in text.split("\n") if len(line) > 80]
    assert not [line for line in wide if FAR not in line], wide
    words = text.replace("\\\n", " ").split()
    joined = " ".join(words)
    for one in (*data["letters"], *data["mails"], *data["delivery_trouble"], *data["waits"]):
        for way in one[face].split(waits.OR):
            assert " ".join(way.split()) in joined, way
    assert joined.count(" ".join(REASON.split())) == 3
    assert " ".join(("the gamesmaster is in hospital " * 5).split()) in joined


def test_what_waits_comes_first_then_the_post_then_a_page_of_games(at: Installation) -> None:
    busy(at)
    text = told(at)
    places = [
        " ".join(text.split()).index(part)
        for part in (
            "WHAT WAITS FOR YOU",
            "letter 92: unfetchable",
            "letter 1: held",
            "g4: bulletin 0 waits in review",
            "g3: HELD since",
            "g5: A asks to be relieved",
            "g6: C has missed 3 moves in a row",
            "delivery trouble: ",
            "THE POST",
            "GAMES 1 to 20 of 45, the next deadline first",
            "pbem queue --page 2 shows the next; pbem queue GAME shows one, pbem queue --all all.",
        )
    ]
    assert places == sorted(places)
    listed = [line.partition(":")[0] for line in text.split("\n") if ": coalition, " in line]
    assert listed[:3] == ["g44", "g43", "g42"] and len(listed) == 20
    assert "GAMES 41 to 45 of 45" in told(at, page=3) and "--page" not in told(at, page=3)
    everything = told(at, page=None)
    assert everything.count(": coalition, ") == 45 and "THE GAMES, the next" in everything
    with pytest.raises(OperatorError, match="there is no page 4; the last is 3"):
        told(at, page=4)


def test_of_very_many_only_some_are_shown_and_all_counted(at: Installation) -> None:
    copies(at, 60)
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Seat).where(Seat.seat == "A").values(missed=2))
    assert told(at).count("has missed 2 moves in a row") == 50
    assert "(and 11 more silent and free seats: pbem queue --json shows more)" in told(at)


def test_as_many_statements_for_many_games_as_for_few(at: Installation) -> None:
    with statements.told(at.daemon.engine) as few:
        told(at)
    copies(at, 150)
    with statements.told(at.daemon.engine) as many:
        told(at, page=3)
    with statements.told(at.daemon.engine) as everything, desk(at) as work:
        assert len(queue.queue(work)["games"]) == 151
    assert len(few) == len(many) == len(everything) <= 35


def test_the_shell_has_pages(begun: Shell) -> None:
    assert "THE GAME" in begun("queue") and "THE GAME" in begun("queue", "--all")
    assert "there is no page 2; the last is 1" in begun.fails("queue", "--page", "2")
    begun.fails("queue", "--page", "0", code=2)
    begun.fails("queue", "--page", "1", "--all", code=2)
    assert len(json.loads(begun("queue", "--json"))["games"]) == 1
