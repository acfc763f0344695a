"""A rewind corrects: it is tried first, puts orders and letters right, voids what came after and
keeps the orders of later periods."""

import re
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from pbem.errors import OperatorError
from pbem.games.frame.length import Days
from pbem.periods import deadline_acts, due, rewinding
from pbem.referee.acts import seat_acts, word_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games, periods
from pbem.store.schema.states import PeriodState
from pbem.store.schema.tables import Journal, Letter
from tests.installation import SEATS, SLATE, Installation, desk
from tests.rewinds import clean, four_periods, letter_of, rewind, rows, subject
from tests.subjects import issue

NEW = "new@legit.example"


def test_nothing_remains_of_a_rewind_that_is_tried(at: Installation) -> None:
    four_periods(at)
    before, mails = rows(at), at.outbox()
    said = rewind(at, 2, done=False, order=[("C", "VOTE AYE")])
    assert rows(at) == before and at.outbox() == mails
    with exclusive_transaction(at.daemon.engine) as conn:
        kinds = conn.execute(select(Journal.kind).order_by(Journal.n.desc())).scalars().all()
    assert kinds[:2] == ["rewind-tried", "look"]
    for line in ("  | + VOTE AYE", "Notices that change: C.", "Bulletins 2 and 3 are void"):
        assert line in said
    assert re.search(r"^- .* 157 Aye", said, re.MULTILINE)
    assert re.search(r"^\+ .* 225 Aye", said, re.MULTILINE)
    clean(at)


def test_what_is_tried_is_what_is_done(at: Installation) -> None:
    four_periods(at)
    given: dict[str, Any] = {"order": [("C", "VOTE AYE")], "drop": [letter_of(at) - 2]}
    shown = rewind(at, 2, done=False, **given).split("\n")
    did = rewind(at, 2, **given).split("\n")
    assert shown[:-2] == did[:-2]


def test_orders_of_a_closed_period_are_entered(at: Installation) -> None:
    four_periods(at)
    rewind(at, 2, order=[("C", "VOTE AYE\nNONSENSE")])
    at.once()
    assert at.view()["history"][-1]["aye"] == 225
    assert "+ VOTE AYE" in subject(at, "C", "[g] The game goes back to period 2")
    assert "VOTE AYE" not in subject(at, "E", "[g] The game goes back to period 2")
    corrected = subject(at, "E", "[g] Bulletin 2 (corrected)")
    assert "The gamesmaster entered orders for C (Player C), for period 2." in corrected
    clean(at)


@pytest.mark.game("coalition", late="deadline")
def test_a_letter_counts_after_all_or_no_longer(at: Installation) -> None:
    at.send("A", f"PROPOSE {SLATE}")
    at.to_deadline()
    at.write("A", "VOTE AYE")
    at.write("B", 'VOTE AYE\nNAME "Kept"')
    at.send("B", "VOTE AYE")
    dropped = letter_of(at)
    at.send("B", "SPECIAL AGR")
    at.to_deadline()
    at.send("C", "PERIOD 2\nVOTE AYE")
    late = letter_of(at, "late")
    assert late, at.outcomes()
    at.to_deadline()
    for wrong, why in (
        ({"accept": [dropped]}, "is orders"),
        ({"drop": [late]}, "has no orders in period 2"),
        ({"accept": [999]}, "no letter 999"),
        ({"order": [("Z", "VOTE AYE")]}, "no seat 'Z'"),
        ({"order": [("C", "NONSENSE")]}, "cannot read"),
    ):
        with pytest.raises(OperatorError, match=why):
            rewind(at, 2, **wrong)
    with pytest.raises(OperatorError, match="is for period 2"):
        rewind(at, 1, accept=[late])
    rewind(at, 2, accept=[late], drop=[dropped])
    # B's first letter says it too
    assert at.view()["history"][-1]["aye"] == 225
    with exclusive_transaction(at.daemon.engine) as conn:
        row = conn.execute(select(Letter.outcome, Letter.period).where(Letter.id == late)).one()
    assert tuple(row) == ("orders", 2)
    with pytest.raises(OperatorError, match="is orders"):
        rewind(at, 2, accept=[late])
    rewind(at, 2, drop=[late, dropped - 1])
    assert at.view()["history"][-1]["aye"] == 82
    with pytest.raises(OperatorError, match="has no orders"):
        rewind(at, 2, drop=[late])
    clean(at)


def test_later_bulletins_are_void_at_once(at: Installation) -> None:
    four_periods(at)
    rewind(at, 2, why="the fax")
    at.once()
    for seat in SEATS:
        told = subject(at, seat, "[g] The game goes back to period 2")
        assert "Bulletins 2 and 3, with the private notices of these periods, are void" in told
    at.clock += timedelta(days=1)
    at.send("D", "HISTORY 3\nHISTORY")
    asked = " ".join(at.newest("D").split())
    assert "VOID since" in asked and "went back to period 2 (the fax)" in asked
    assert asked.index("VOID") < asked.index("Bulletin 3:") < asked.index("Bulletin 2:")
    at.to_deadline()
    at.send("D", "HISTORY 3")
    assert "VOID" not in at.newest("D") and "Bulletin 3:" in at.newest("D")
    assert "Bulletin 3 (corrected)" in str([m["Subject"] for m in at.mails("E")])
    assert not subject(at, "E", "[g] Bulletin 3 corrected: what changed"), "it was played anew"
    clean(at)


@pytest.mark.game("coalition", strangers=(NEW,))
def test_orders_of_all_later_periods_are_kept_and_tried_anew(at: Installation) -> None:
    at.send("A", f"PROPOSE {SLATE}")
    at.to_deadline()
    at.to_deadline()
    at.send("B", f"PROPOSE {SLATE}")
    at.to_deadline()
    at.write("A", "VOTE NAY\nREADY")  # on B's motion
    at.send("D", 'NAME "D4"')
    assert at.standing("A") == ["VOTE NAY"]
    at.act(seat_acts.replace, "g", "A", NEW, "Nora", "moved")
    said = rewind(at, 1, drop=[1])
    assert "Orders kept for period 3: B 1." in said and "period 4: A 1, D 1." in said
    assert at.table().period.number == 2 and at.standing("D") == []
    at.to_deadline()
    assert at.standing("B")[0].startswith("PROPOSE")
    assert "These orders stand: #1 PROPOSE" in subject(at, "B", "[g] Period 3 is open again")
    rewind(at, 2, order=[("E", 'NAME "Two"')])  # B's are kept a second time
    at.once()
    assert at.standing("B")[0].startswith("PROPOSE")
    at.act(seat_acts.order, "g", 3, "B", "CANCEL ALL")
    at.to_deadline()
    at.once()
    assert at.table().period.number == 4 and at.standing("D") == ['NAME "D4"']
    told = subject(at, NEW, "[g] Period 4 is open again")
    assert "can no longer be taken: #1 VOTE NAY:" in told and at.standing("A") == []
    assert "VOTE NAY" not in subject(at, "D", "[g] Period 4 is open again")
    clean(at)


def test_notes_name_the_period_in_which_an_act_was_made(at: Installation) -> None:
    four_periods(at)
    with desk(at) as work:
        word_acts.rule(work, "g", "Read on.")
        deadline_acts.extend(work, "g", 4, Days(1), "strike")
    rewind(at, 2)
    at.once()
    corrected = subject(at, "E", "[g] Bulletin 2 (corrected)")
    assert "Ruling of the gamesmaster: In period 4: Read on." in corrected
    assert "In period 4: CORRECTED: period 2" in corrected and "strike" not in corrected
    clean(at)


def test_letters_in_flight_do_not_count_for_another_period(at: Installation) -> None:
    four_periods(at)
    at.write("E", 'NAME "In flight"')
    at.write("E", 'PERIOD 4\nNAME "For four"')
    at.write("B", 'PERIOD 3\nNAME "For three"')
    at.clock += timedelta(minutes=1)
    rewind(at, 2)
    at.once()
    assert [outcome for outcome, _ in at.outcomes()[-3:]] == ["late", "late", "orders"]
    assert at.standing("E") == [] and at.standing("B") == ['NAME "For three"']
    old = next(m for m in at.mails("C") if issue(m) == "[g] Bulletin 3")
    at.send("C", 'NAME "Old"', In_Reply_To=str(old["Message-ID"]))
    assert "before the game went back" in at.outcomes()[-1][1]
    at.send("C", 'NAME "New"')
    assert at.standing("C") == ['NAME "New"']
    clean(at)


@pytest.mark.game("coalition", trust="proven")
def test_a_letter_held_in_a_period_taken_back_does_not_count_for_another(at: Installation) -> None:
    for _ in range(3):
        at.to_deadline()
    at.send("A", 'NAME "Held"')
    found = re.search(r"CONFIRM (\S+)", at.newest("A"))
    assert found
    rewind(at, 1)
    at.once()
    at.send("A", f"CONFIRM {found[1]}")
    at.once()
    assert at.outcomes()[0] == (
        "late",
        "It is of period 4, which has not begun; the open period is 2.",
    )
    assert at.standing("A") == []
    clean(at)


def test_a_game_that_is_over_goes_on(at: Installation) -> None:
    at.send("A", f"PROPOSE {SLATE}")
    at.to_deadline()
    at.send_each(SEATS, "VOTE AYE")
    at.to_deadline()
    assert at.table().row.status == "over"
    letters = range(letter_of(at) - 4, letter_of(at) + 1)
    said = rewind(at, 2, drop=list(letters))
    at.once()
    assert at.table().row.status == "running" and "seed is public" in " ".join(said.split())
    at.to_deadline()
    clean(at)
    rewind(at, 2, order=[(seat, "VOTE AYE") for seat in SEATS])
    at.once()
    assert at.table().row.status == "over"
    clean(at)


@pytest.mark.game("coalition", publish="review")
def test_a_bulletin_that_waits_is_corrected_before_anybody_saw_it(at: Installation) -> None:
    at.to_deadline()
    assert at.table().period.status == "review"
    said = rewind(at, 1, order=[("A", 'NAME "Alpha"')])
    assert "are void" not in said and "waits for your release" in " ".join(said.split())
    assert re.search(r'^\+ .*"Alpha"', said, re.MULTILINE)
    at.act(word_acts.release, "g", 1)
    at.once()
    assert '"Alpha"' in subject(at, "B", "[g] Bulletin 1")
    at.send("B", 'NAME "Beta"')
    at.to_deadline()
    at.act(word_acts.release, "g", 2)
    at.send("B", 'NAME "Gamma"')
    rewind(at, 1)
    assert at.standing("B") == [], "nobody knows yet how period 1 came out"
    clean(at)
    at.act(word_acts.release, "g", 1)
    assert at.standing("B") == ['NAME "Beta"']
    clean(at)


def test_a_rewind_that_fails_changes_nothing(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    four_periods(at)
    before = rows(at)

    def fails(*_: object) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(rewinding, "_report", fails)  # the last thing that is done
    for done in (False, True):
        with pytest.raises(ZeroDivisionError):
            rewind(at, 2, done=done, order=[("C", "VOTE AYE")])
        assert rows(at) == before
    clean(at)


def test_a_period_that_was_taken_back_is_not_closed(at: Installation) -> None:
    """Another daemon has claimed the period; the rewind comes before it adjudicates."""
    four_periods(at)
    with desk(at) as work:
        assert periods.try_state(work.conn, "g", 4, PeriodState.CLOSING)
    rewind(at, 2)
    look = due.Scan(at.clock, True, lambda _: None)
    with desk(at) as work:
        assert games.begun(work.conn, "g", 4) is None
    assert not due.one(at.daemon.installation, "g", 4, look)
    assert at.table().row.status == "running" and at.table().period.number == 3
    clean(at)
