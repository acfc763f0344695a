"""What may go wrong at a deadline.

The adjudication is replaced by one with a bug in it, since none of the six has one to show; the
rest is real.
"""

import sqlite3
from typing import Any

import pytest
from sqlalchemy import event

from pbem.errors import OutsideError
from pbem.periods import adjudicating
from pbem.store.engine.database import exclusive_transaction
from tests.installation import Installation


def test_a_game_whose_adjudication_raises_is_held_and_the_others_go_on(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    at.start("h")
    play = adjudicating.play_period

    def broken(ruleset: Any, state: Any, standing: Any, dice: Any) -> Any:
        if dice.game == "g":
            raise ValueError("a bug of the rule-set")
        return play(ruleset, state, standing, dice)

    monkeypatch.setattr(adjudicating, "play_period", broken)
    at.to_deadline()
    from pbem.store.games import games

    with exclusive_transaction(at.daemon.engine) as conn:
        assert games.game(conn, "g").status == "held"
        assert "for a technical reason" in games.game(conn, "g").held_because
        assert games.game(conn, "h").period == 2
    at.once()
    assert any("game g is held" in str(mail["Subject"]) for mail in at.mails("gm@game.example"))
    monkeypatch.setattr(adjudicating, "play_period", play)
    from pbem.periods import deadline_acts

    at.act(deadline_acts.resume, "g")
    at.once()
    assert at.table().period.number == 2


def test_a_locked_database_stops_the_pass_and_nothing_else(at: Installation) -> None:
    """And the pass says that it was the database, not the mail server."""
    event.listen(at.daemon.engine, "connect", lambda raw, _: raw.execute("PRAGMA busy_timeout=20"))
    at.daemon.engine.dispose()
    at.write("A", "SPECIAL AGR")
    other = sqlite3.connect(at.folder / "pbem.db", isolation_level=None)
    for point in ("inbox.fetched", "inbox.stored", "letter.committed"):

        def lock(here: str, point: str = point) -> None:
            if here == point:
                other.execute("BEGIN IMMEDIATE")

        at.daemon.crash = at.daemon.referee.crash = lock
        with pytest.raises(OutsideError, match="database"):
            at.once(minutes=0)
        other.execute("ROLLBACK")
    other.close()
    at.daemon.crash = at.daemon.referee.crash = lambda point: None
    at.once()
    assert [outcome for outcome, _ in at.outcomes()] == ["orders"]
    assert at.standing("A") == ["SPECIAL AGR"]
    assert not [mail for mail in at.mails("gm@game.example") if "imap" in str(mail["Subject"])]
