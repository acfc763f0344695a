"""The last bulletin: who has played, how it ended, and the orders of the whole game laid open."""

from typing import Any

import pytest

from pbem.games.frame.ruleset import Ruleset
from pbem.house import shelf, templates
from pbem.orders.muting import order_lines
from pbem.pages import bulletin
from pbem.periods import replay
from pbem.store.engine.database import exclusive_transaction
from pbem.text import figure
from tests.bots import bot_game
from tests.installation import Installation, surely, text_of
from tests.subjects import issue

SEATS = ("P1", "P2", "P3")


@pytest.mark.game("politics-1935", seats=SEATS)
def test_orders_are_laid_open_when_the_game_is_over_and_not_before(at: Installation) -> None:
    at.write("P1", "STANDING TX 1")
    at.send("P2", "PRESS TO ALL ANONYMOUS\nVote for nobody.\nEND PRESS\nPASS")
    at.to_deadline()
    for seat in SEATS:
        surely(at, seat, "AGREE DRAW P1, P2, P3")
        at.once()
    assert at.table().row.status == "over"
    made = [mail for mail in at.mails("P3") if str(mail["Subject"]).startswith("[g] Bulletin")]
    assert [issue(mail) for mail in made] == [f"[g] Bulletin {n}" for n in (1, 2)]
    texts = [text_of(mail) for mail in made]
    assert not any("STANDING TX" in text for text in texts[:-1])
    orders = texts[-1].partition("THE ORDERS, PERIOD BY PERIOD")[2]
    first = (
        orders[orders.index("Period 1 (") : orders.index("Press, ")]
        if ("Press, " in orders)
        else orders
    )
    assert "P1:\n  #1 STANDING TX 1\n" in first and "P2:\n  #1 PASS\n" in first
    assert "Player P1" in texts[-1] and "Vote for nobody" not in first
    assert order_lines(at.table().ruleset.language, texts[-1]) == []
    with exclusive_transaction(at.daemon.engine) as conn:
        assert replay.replay(conn, "g").faults == []


def test_names_and_standings(key: str) -> None:
    ruleset = shelf.open_ruleset(key)
    last = _end_of(ruleset)
    result = ruleset.result(last.outcome.state)
    assert result is not None
    seats = sorted({*result.standing, *result.winners})
    names = {seat: f"Player {seat}" for seat in seats}
    made = templates.issue(
        ruleset,
        last.outcome.state,
        seats,
        last.number,
        last.before.phase,
        last.outcome.events,
        {"players": names},
    )
    text = bulletin.bulletin(templates.environment(), made)
    assert "THE GAME IS OVER" in text
    rows = text.partition("THE GAME IS OVER")[2]
    for seat, value in result.standing.items():
        shown = {figure(value, 3), str(value)}
        named = f"Player {seat}{', winner' * (seat in result.winners)}"
        assert any(
            line.startswith(f"  {seat} ") and f" {named} " in line and line.split()[-1] in shown
            for line in rows.split("\n")
        ), seat


def _end_of(ruleset: Ruleset[Any]) -> Any:
    """The last period of the first bots' game that comes to its end."""
    for number in range(12):
        *_, last = bot_game(ruleset, number)
        if ruleset.result(last.outcome.state) is not None:
            return last
    raise AssertionError("no game came to its end")
