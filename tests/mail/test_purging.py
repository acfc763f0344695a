"""Mails are purged with the letters of their game, and none is ever sent twice."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from pbem.errors import OperatorError
from pbem.periods import deadline_acts, opening
from pbem.post import alarms
from pbem.referee.acts import letter_acts
from pbem.store.engine.among import Among
from pbem.store.engine.database import exclusive_transaction
from pbem.store.mails import mails
from pbem.store.schema.states import MailState
from pbem.store.schema.tables import Outgoing
from tests.installation import GAMESMASTER, REFEREE, SEATS, Installation
from tests.mail.test_upkeep import changed


def mailed(at: Installation) -> dict[str, bool]:
    """The key of each mail, and whether it still has its bytes."""
    with exclusive_transaction(at.daemon.engine) as conn:
        rows = conn.execute(select(Outgoing.key, Outgoing.raw)).all()
    return {row.key: bool(row.raw) for row in rows}


def test_mails_are_purged_with_the_letters_of_their_game_and_never_sent_again(
    at: Installation,
) -> None:
    changed(at, retention_days=30)
    raw = at.write("A", "SPECIAL AGR")
    at.office.reject_next(550)
    at.once()
    with exclusive_transaction(at.daemon.engine) as conn:
        alarms.tell(at.work(conn), "odd", "something is odd", "Look at it.")
        deadline_acts.hold(at.work(conn), "g", "a long rest")
    at.once()
    states = dict(at.outbox())
    (refused,) = [key for key, state in states.items() if state == "refused"]
    with exclusive_transaction(at.daemon.engine) as conn:
        (stuck,) = mails.stuck(conn, Among(None), 9)
        number = stuck.id
    at.later(days=40)
    assert all(mailed(at).values()), "they are due since this look"
    at.later(days=1)
    found = mailed(at)
    of_none = [key for key in states if key.startswith(("alarm:", "digest:", "copy:"))]
    assert of_none and not any(found[key] for key in of_none), "they are the gamesmaster's"
    of_game = [key for key in states if key not in of_none]
    gone = [key for key in of_game if not found[key]]
    assert len(of_game) > 10 and gone == [], "their game is not over"
    at.act(opening.end, "g", "enough")
    at.clock += timedelta(days=1)
    before, known = [len(at.mails(who)) for who in (*SEATS, GAMESMASTER)], set(found)
    at.once()
    found = mailed(at)
    assert not any(found[key] for key in states), "refused ones too"
    fresh = set(found) - known
    assert fresh and all(found[key] for key in fresh), "the end of the game was told just now"
    after = [len(at.mails(who)) for who in (*SEATS, GAMESMASTER)]
    assert sum(after) - sum(before) == len(fresh)
    with exclusive_transaction(at.daemon.engine) as conn:
        work = at.work(conn)
        assert refused in states and mails.stuck(conn, Among(None), 9) == []
        with pytest.raises(OperatorError, match="was purged after the retention"):
            letter_acts.resend(work, number)
        alarms.tell(work, "odd", "something is odd", "Look at it.")
        assert Outgoing.has(conn, key=refused)
        once_more = {**BARE, "key": refused}
        assert not mails.put(conn, once_more, MailState.READY), "its key is taken for good"
    at.post(raw)  # its receipt is purged
    at.once()
    at.once()
    assert at.outcomes()[-1][0] == "duplicate"
    assert {state for key, state in at.outbox() if key not in (refused,)} == {"sent"}
    assert all("@" in str(mail["From"]) for who in SEATS for mail in at.mails(who))


BARE = {
    "kind": "receipt",
    "line": 0,
    "game_id": "g",
    "seat": "A",
    "recipient": "a@legit.example",
    "envelope_from": REFEREE,
    "message_id": "<again@game.example>",
    "raw": b"again",
    "next_try": datetime(2026, 3, 2, tzinfo=UTC),
    "attempts": 0,
    "resent": False,
    "reply": "",
    "created": datetime(2026, 3, 2, tzinfo=UTC),
}
"""A mail's columns but for its key."""


def test_a_mail_that_may_still_go_out_is_not_purged(at: Installation) -> None:
    changed(at, retention_days=30)
    with exclusive_transaction(at.daemon.engine) as conn:
        opening.end(at.work(conn), "g", "enough")
        letter_acts.restore(at.work(conn))
    waiting = [key for key, state in at.outbox() if state == "held"]
    assert waiting
    at.later(days=400)
    assert all(mailed(at)[key] for key in waiting)
    at.act(letter_acts.restore, release_outbox=True)
    at.once()
    assert {key for key, state in at.outbox() if state == "sent"} >= set(waiting)
