"""Which mail goes first: answers before bulletins, and no game before all others."""

import ast
import importlib
import itertools
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event, func, insert, select, update

import pbem
from pbem.post import outbox, seats
from pbem.post.compose import Draft, compose
from pbem.post.smtp import Delivery, Sent
from pbem.referee.deciding import senders
from pbem.referee.game import receipts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.mails import lanes
from pbem.store.mails.lanes import ANSWERS, BULLETINS, LANE_OF, LANES, NOTICES, REMINDERS
from pbem.store.schema.tables import Outgoing
from tests.faults.test_outbox import MARK, NOW, Carrier, engine, flush, site

__all__ = ["engine"]
PBEM = Path(pbem.__file__).parent


def _drafts() -> Iterator[tuple[str, ast.expr, dict[str, Any]]]:
    """Every mail that is drafted in the program: where, its kind as it is written, and the names
    of its module."""
    for file in sorted(PBEM.rglob("*.py")):
        source = file.read_text()
        if "games" in file.parts or ("Draft(" not in source and "own_page.draft" not in source):
            continue
        name = ".".join(file.relative_to(PBEM.parent).with_suffix("").parts)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and (before := _BEFORE.get(ast.unparse(node.func))):
                kind = [one.value for one in node.keywords if one.arg == "kind"]
                if found := kind or node.args[before:]:
                    yield f"{name}:{node.lineno}", found[0], name  # type: ignore[misc]


_BEFORE = {"Draft": 1, "own_page.draft": 2, "partial": 9}
"""So many arguments stand before the kind; in a `partial` it is a keyword."""


GIVEN = {
    "f'{kind}s'": (f"{receipts.CHALLENGE}s", "receipts"),
    "group[0].kind": (
        senders.NEWCOMER,
        senders.STRANGER,
        senders.ANSWER,
        senders.QUESTION,
        "unread",
    ),
    "kind": ("gamesmaster", "proof", senders.INVITED, "deputy", "hold", "resume"),
    "kind if kind == CONFIRMED or registered(work, to) else share": (
        *(
            senders.CONFIRMED,
            senders.NEWCOMER,
            senders.STRANGER,
            senders.ANSWER,
            senders.QUESTION,
            "unread",
        ),
    ),
}
"""What kinds that are not constants may be."""


def _kinds() -> Iterator[tuple[str, str]]:
    for where, kind, name in _drafts():
        try:
            words = compile(ast.Expression(kind), where, "eval")
            found = (eval(words, vars(importlib.import_module(str(name)))),)
        except NameError:
            found = GIVEN[ast.unparse(kind)]  # type: ignore[assignment]
        yield from ((where, one) for one in found)


def test_every_kind_of_mail_that_there_is_has_a_line() -> None:
    made = dict(map(reversed, _kinds()))  # type: ignore[arg-type]
    assert len(made) > 40
    assert {kind: where for kind, where in made.items() if kind not in LANE_OF} == {}
    assert LANE_OF.keys() - made.keys() == set(), "kinds that no mail has"
    assert {*seats.SHARED, *seats.OBSERVED, *seats.LINKED} <= LANE_OF.keys()
    assert max(len(kind) for kind in LANE_OF) <= 20
    assert sorted(LANES) == sorted(set(LANE_OF.values())) and len(LANE_OF) == sum(
        len(kinds.split()) for _, _, kinds in lanes._KINDS
    )


def test_what_corrects_something_is_in_the_line_of_that() -> None:
    told = ("bulletin", "changes", "void", "deadline", "hold", "resume", "ended", "statements")
    assert {LANE_OF[kind] for kind in told} == {BULLETINS}
    assert LANE_OF["start"] == LANE_OF["notice"], "who begins is told first what he plays"


def put(engine: Engine, *mails: tuple[str, str]) -> None:
    """Mails of kinds and games, in this order."""
    with site(engine).work(NOW) as work:
        for kind, game in mails:
            key = f"k{next(_numbers)}"
            draft = Draft(key, kind, "s", f"{kind} {game} {key}\n", game_id=game)
            assert outbox.put(work, compose(MARK, draft, "u@x.example", NOW))


_numbers = itertools.count(1)


class Noting(Carrier):
    """A server that notes what it has taken, as it was called; and does something in between."""

    def __init__(self, *answers: Delivery) -> None:
        super().__init__(*answers)
        self.told: list[str] = []
        self.between: dict[int, Any] = {}

    def send(self, envelope_from: str, to: str, raw: bytes) -> Sent:
        text = raw.decode().split("\r\n\r\n", 1)[1].split()
        self.told.append(" ".join(text[:2]))
        if does := self.between.pop(len(self.told), None):
            does()
        return super().send(envelope_from, to, raw)


def test_answers_go_first_then_reminders_notices_bulletins(engine: Engine) -> None:
    put(
        engine,
        *(("bulletin", "g"), ("press", "g"), ("notice", "g"), ("reminder", "h")),
        *(("receipt", "h"), ("challenge", "g"), ("alarm", ""), ("bulletin", "h")),
    )
    carrier = Noting()
    carrier.between[7] = lambda: put(engine, ("receipt", "g"))
    flush(engine, carrier, NOW)
    told = [one.split()[0] for one in carrier.told]
    order = [LANE_OF[kind] for kind in told]
    assert order[:7] == [*[ANSWERS] * 3, REMINDERS, NOTICES, BULLETINS, BULLETINS]
    assert told[7] == "receipt", "what is put meanwhile goes before all that waits"
    assert sorted(told[8:]) == ["press"] or told[8:] == ["bulletin"]


def test_each_game_has_its_turn_and_its_mails_their_order(engine: Engine) -> None:
    put(engine, *[("bulletin", "b")] * 40, *[("bulletin", "a")] * 2, *[("bulletin", "c")] * 3)
    carrier = Noting()
    carrier.between[3] = lambda: put(engine, ("bulletin", "d"))
    flush(engine, carrier, NOW)
    games = [one.split()[1] for one in carrier.told]
    assert games[:9] == ["a", "b", "c", "d", "a", "b", "c", "b", "c"]
    assert games[9:] == ["b"] * 37
    ours = [raw for raw in carrier.seen if b"bulletin b" in raw]
    assert ours == sorted(ours, key=lambda raw: int(raw.rsplit(b" k", 1)[1])), "oldest first"


def test_whose_turn_it_was_is_known_to_the_next_pass(engine: Engine) -> None:
    put(engine, *[("bulletin", "a")] * 3, *[("bulletin", "b")] * 3)
    served: dict[int, str] = {}
    carrier = Noting()
    for number in range(1, 7):
        sending = outbox.Sending(carrier, NOW, served=served)
        sending.flush(engine, lambda number=number: len(carrier.told) >= number)  # type: ignore[misc]
    assert [one.split()[1] for one in carrier.told] == ["a", "b"] * 3


def test_what_is_tried_again_goes_in_its_line_once_its_time_has_come(engine: Engine) -> None:
    put(engine, ("receipt", "g"), ("bulletin", "g"))
    carrier = Noting(Delivery.LATER)
    flush(engine, carrier, NOW)
    assert [one.split()[0] for one in carrier.told] == ["receipt", "bulletin"]
    put(engine, ("bulletin", "a"))
    flush(engine, carrier, NOW + outbox.BACKOFF[0] - outbox.MINUTE / 60)
    put(engine, ("bulletin", "a"))
    flush(engine, carrier, NOW + outbox.BACKOFF[0])
    assert [one.split()[0] for one in carrier.told[2:]] == ["bulletin", "receipt", "bulletin"]


def test_what_a_wrong_clock_put_off_is_found_however_many_wait(engine: Engine) -> None:
    """They are asked for in each pass, while thousands wait in their lines."""

    def set_right() -> None:
        with site(engine).shared_work(NOW) as work:
            outbox.set_right(work)

    costs = []
    for many in (300, 3000):
        _wait(engine, many, (BULLETINS,), of_one_game=False)
        costs.append(_steps(engine, set_right))
    few, more = costs
    assert more <= 1.2 * few
    with exclusive_transaction(engine) as conn:
        late = NOW + timedelta(days=9)
        off = {"line": lanes.LATER + BULLETINS, "next_try": late}
        conn.execute(update(Outgoing).where(Outgoing.key == "m7").values(**off))
        conn.execute(update(Outgoing).where(Outgoing.key == "m8").values(state="leased", **off))
    set_right()
    with exclusive_transaction(engine) as conn:
        tries = select(Outgoing.next_try).where(Outgoing.key.in_(("m7", "m8")))
        assert set(conn.execute(tries).scalars()) == {NOW}


def _wait(engine: Engine, many: int, in_lines: tuple[int, ...], of_one_game: bool) -> None:
    """There are so many mails, in these lines by turns."""
    with exclusive_transaction(engine) as conn:
        row = {"recipient": "u@x.example", "envelope_from": "", "message_id": "", "raw": b""}
        row |= {"state": "ready", "next_try": NOW, "attempts": 0, "resent": False}
        row |= {"kind": "bulletin", "seat": "", "reply": "", "created": NOW}
        have = conn.execute(select(func.count(Outgoing.id))).scalar_one()
        conn.execute(
            insert(Outgoing),
            [
                row
                | {"key": f"m{n}", "line": in_lines[n % len(in_lines)]}
                | {"game_id": "g" if of_one_game else f"g{n:05}"}
                for n in range(have, many)
            ],
        )


def _steps(engine: Engine, does: Callable[[], object]) -> int:
    """The steps of what is done on the engine's connection."""
    counted, raws = itertools.count(), list[Any]()
    listen = lambda raw, *_: raws.append(raw)  # noqa: E731
    event.listen(engine, "checkout", listen)
    with exclusive_transaction(engine):
        pass
    event.remove(engine, "checkout", listen)
    raws[-1].set_progress_handler(lambda: next(counted) and 0, 1)
    does()
    raws[-1].set_progress_handler(None, 0)
    return next(counted)
