"""The gamesmaster's acts, on a clock of ours."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from pbem.errors import OperatorError
from pbem.games.frame.length import Days
from pbem.games.frame.readiness import Said
from pbem.periods import deadline_acts, persons, replay, rewinding
from pbem.periods.rewinding import Rewind
from pbem.referee.acts import seat_acts, word_acts
from pbem.referee.gamesmaster import queue
from pbem.referee.gamesmaster.queue import Face
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games, order_sets
from pbem.store.schema.tables import Bulletin, Journal, Period
from tests.installation import SEATS, SLATE, Installation, desk, text_of
from tests.subjects import issue


def test_extension_is_explained_and_guarded(at: Installation) -> None:
    due = at.table().period.due
    with desk(at) as work:
        deadline_acts.extend(work, "g", 1, Days(3), "post strike")
        with pytest.raises(OperatorError, match="in period 1, not 2"):
            deadline_acts.extend(work, "g", 2, Days(3), "again")
    at.once()
    assert at.table().period.due - due == timedelta(days=3)
    assert "+3 days  extension: post strike" in at.newest("B")
    at.send("A", "STATUS")
    assert "+3 days  extension: post strike" in at.newest("A")
    at.to_deadline()
    with desk(at) as work, pytest.raises(OperatorError, match="in period 2, not 1"):
        deadline_acts.extend(work, "g", 1, Days(3), "too late")


def test_review_waits_for_the_release(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, publish="review") as at:
        at.start()
        count = len(at.mails("A"))
        at.to_deadline()
        assert len(at.mails("A")) == count
        at.send("A", "SPECIAL AGR")
        assert at.outcomes() == [("stored", "")]
        at.clock += timedelta(days=2)
        with desk(at) as work:
            word_acts.rule(work, "g", "A ruling of mine.")
            text = word_acts.preview(work, "g").seen.text
            assert "Bulletin 1" in text
            word_acts.release(work, "g", 1)
        at.once()
        assert "Ruling of the gamesmaster: A ruling of mine." in text_of(at.mails("B")[-2])
        assert at.table().period.status == "open"
        assert at.table().period.due > at.clock + timedelta(days=6)


def test_preview_stores_nothing(at: Installation) -> None:
    before = at.table().period.state_hash
    with desk(at) as work:
        seen = word_acts.preview(work, "g").seen
    assert "PREVIEW" in seen.text and seen.missing == []
    assert at.table().period.state_hash == before and at.table().period.number == 1


def test_orders_on_behalf_are_shown(at: Installation) -> None:
    at.act(seat_acts.order, "g", 1, "A", "SPECIAL AGR\nNONSENSE")
    assert at.standing("A") == ["SPECIAL AGR"]
    at.to_deadline()
    assert "The gamesmaster entered orders for A" in text_of(at.mails("B")[-2])


def test_a_replaced_player_is_briefed_and_his_old_address_is_out(at: Installation) -> None:
    at.to_deadline()
    at.act(seat_acts.replace, "g", "A", "b@legit.example", "", "moved away", anyway=True)
    at.once()
    subjects = [mail["Subject"] for mail in at.mails("B")]
    assert "[g] Coalition: you are A" in subjects
    at.send("A", "SPECIAL AGR")
    assert at.outcomes()[-1][0] == "unknown-sender"


def test_an_address_can_be_changed(at: Installation) -> None:
    at.act(persons.change_address, "a@legit.example", "a-new@legit.example")
    with exclusive_transaction(at.daemon.engine) as conn:
        assert games.holders(conn, "g")["A"].address == "a-new@legit.example"


def test_rewind_adjudicates_again_and_says_what_changed(at: Installation) -> None:
    at.send("A", f"PROPOSE {SLATE}")
    at.to_deadline()
    at.send_each("AB", "VOTE AYE")
    at.to_deadline()
    assert at.view()["history"][-1]["aye"] == 157
    at.send("D", 'NAME "Later"')
    with desk(at) as work:
        order_sets.save_orders(
            work.conn,
            games.game_at(work.conn, "g", 2),
            "C",
            {o.slot: o for o in games.game_at(work.conn, "g").ruleset.language.parse("VOTE AYE")},
            None,
            said=Said.NOTHING,
            letter_id=None,
            now=work.now,
        )
        rewinding.done(work, Rewind("g", 2, "C's letter had been misread"))
    at.once()
    assert at.view()["history"][-1]["aye"] == 225
    assert at.standing("D") == ['NAME "Later"']
    changes = next(
        text_of(mail) for mail in at.mails("E") if "what changed" in str(mail["Subject"])
    )
    assert "157" in changes and "225" in changes
    assert any(issue(mail) == "[g] Bulletin 2 (corrected)" for mail in at.mails("E"))


def test_the_queue_says_who_is_missing_and_how_to_release(at: Installation) -> None:
    at.send("A", f"PROPOSE {SLATE}")
    at.to_deadline()
    at.write("B", "VOTE AYE")
    at.send("C", "GAME nosuch\nVOTE AYE")
    told = at.act(queue.queue)
    game = told["games"][0]
    assert game["in"] == ["B"] and sorted(game["missing"]) == ["A", "C", "D", "E"]
    assert (
        told["letters"][0]["outcome"] == "held" and "pbem dismiss" in told["letters"][0]["release"]
    )
    assert "missing: A" in queue.text(told, Face.SHELL)


def test_a_game_replays(at: Installation) -> None:
    at.send("A", f"PROPOSE {SLATE}")
    for _ in range(3):
        at.to_deadline()
        at.send_each(SEATS, "VOTE AYE")
        if at.table().game.status == "over":
            break
    with desk(at) as work:
        report = replay.replay(work.conn, "g")
    assert (
        report.faults == []
        and report.periods >= 2
        and report.bulletins >= 12
        and report.journal > 5
    )


ON_FILE = {
    "period 1: another position comes out": update(Period)
    .where(Period.number == 2)
    .values(state_hash="0" * 64),
    "period 1: other events come out": update(Period).where(Period.number == 1).values(events=[]),
    "period 1: other draws come out": update(Period)
    .where(Period.number == 1)
    .values(draws=[["deck", 6, 1]]),
    "bulletin 1 for A: another text comes out": update(Bulletin)
    .where(Bulletin.number == 1, Bulletin.seat == "A")
    .values(text="Nothing has happened."),
    "the journal's entry 3 does not follow from the one before": update(Journal)
    .where(Journal.n == 3)
    .values(data={}),
}


@pytest.mark.parametrize("says", ON_FILE)
def test_a_replay_finds_what_is_otherwise_on_file(at: Installation, says: str) -> None:
    at.to_deadline()
    with desk(at) as work:
        work.conn.execute(ON_FILE[says])
        assert says in replay.replay(work.conn, "g").faults
