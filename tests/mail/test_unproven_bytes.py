"""All letters that prove nothing have a bound together; the bytes of the oldest go, the rows
stay."""

from typing import Any

import pytest
from sqlalchemy import select

from pbem.referee.deciding import senders
from pbem.referee.gamesmaster import queue
from pbem.referee.gamesmaster.queue import Face
from pbem.store.engine.database import reading
from pbem.store.schema.tables import Letter
from tests.installation import Installation, desk, proven
from tests.real import EVERYWHERE, OTHERS

STRANGERS = OTHERS
BYTES = 20_000


pytestmark = pytest.mark.game(
    "coalition",
    trust="proven",
    strangers=STRANGERS,
    limits={"unproven_bytes": BYTES, "letters_an_hour": 200, "unregistered_mails_an_hour": 3},
)


def rows(at: Installation) -> list[tuple[str, str, bool]]:
    """Sender and outcome of each letter, and whether it has its bytes."""
    with reading(at.daemon.engine) as conn:
        columns = (Letter.sender, Letter.outcome, Letter.raw)
        found = conn.execute(select(*columns).order_by(Letter.id)).all()
    return [(row.sender, str(row.outcome), row.raw is not None) for row in found]


@EVERYWHERE
def test_the_oldest_go_and_no_row_does(at: Installation) -> None:
    proven(at, "A", "SPECIAL AGR")
    at.write("B", "SPECIAL DEF")  # waits for its code
    for n in range(60):
        at.write(STRANGERS[n % 6], f"{n} " + "x" * 500)
    at.once()
    found = rows(at)
    assert len(found) == 62
    assert found[0] == ("a@legit.example", "orders", True), "a proven letter keeps its bytes"
    assert found[1] == ("b@legit.example", "unverified", True), "whoever waits goes last"
    kept = [has for sender, _, has in found if sender in STRANGERS]
    assert kept == sorted(kept) and not kept[0] and kept[-1]
    assert {outcome for sender, outcome, _ in found if sender in STRANGERS} == {"unknown-sender"}
    with desk(at) as work:
        said = " ".join(queue.text(queue.queue(work), Face.SHELL).split())
        assert "Letters without proof reached their bound on" in said
        at.clock += senders.SHOWN
    at.once()
    with desk(at) as work:
        assert "reached their bound" not in queue.text(queue.queue(work), Face.SHELL)


def test_below_the_bound_nothing_goes(at: Installation) -> None:
    for n in range(5):
        at.write(STRANGERS[0], f"{n} " + "x" * 500)
    at.once()
    assert all(has for _, _, has in rows(at))
    with desk(at) as work:
        assert senders.last_reached(work) == {}


@EVERYWHERE
def test_what_nobody_has_decided_is_ignored_for_a_reason(at: Installation) -> None:
    at.change_site(config=at.daemon.config.model_copy(update={"limits": _few(at)}))
    for n in range(60):
        at.write(STRANGERS[0], f"{n} " + "x" * 900)
    at.once()
    found = [outcome for _, outcome, _ in rows(at)]
    assert "ignored" in found and "stored" in found
    assert any("before its turn came" in reason for _, reason in at.outcomes())


def _few(at: Installation) -> Any:
    return at.daemon.config.limits.model_copy(update={"letters_an_hour": 2})
