"""What a rewind keeps: rulings and notes that stood, and orders for the next period; and what falls
with its period."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pbem.errors import OperatorError
from pbem.games import GAMES
from pbem.games.frame.dice import Dice
from pbem.games.frame.length import Days
from pbem.games.frame.readiness import LastWord
from pbem.house import shelf
from pbem.periods import claims, deadline_acts, due, replay, rewinding
from pbem.periods.rewinding import Rewind
from pbem.referee.acts import clock_acts, seat_acts, word_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games, order_sets, periods
from pbem.store.schema.states import PeriodState
from pbem.store.schema.tables import Journal, Letter, Period
from tests.installation import SEATS, SLATE, Installation, desk, text_of
from tests.rewinds import bots, clean, four_periods, letter_of, rewind, rows, subject
from tests.subjects import issue


def bulletin(at: Installation, number: int) -> str:
    """The newest edition, on one line."""
    subjects = (f"[g] Bulletin {number}", f"[g] Bulletin {number} (corrected)")
    mails = [mail for mail in at.mails("E") if issue(mail) in subjects]
    return " ".join(text_of(mails[-1]).split())


def close(at: Installation) -> None:
    at.act(clock_acts.close, "g", None, unread=True)
    at.once()


def two_periods(at: Installation) -> None:
    """Rulings, notes and moves in periods 1, 2 and 3; 1 and 2 are closed."""
    for number in (1, 2, 3):
        with desk(at) as work:
            word_acts.rule(work, "g", f"Ruling {number}.")
            seat_acts.order(work, "g", number, "ABC"[number - 1], "SPECIAL AGR")
            deadline_acts.extend(work, "g", number, Days(number), f"strike {number}")
        at.send("D", f"ABSENT 2030-0{number}-01 TO 2030-0{number}-02")
        if number < 3:
            close(at)


def test_a_corrected_bulletin_says_again_what_stood(at: Installation) -> None:
    two_periods(at)
    first, second = bulletin(at, 1), bulletin(at, 2)
    at.act(rewinding.done, Rewind("g", 1, "misread"))
    at.once()
    corrected = bulletin(at, 1)
    for said in (
        "Ruling of the gamesmaster: Ruling 1.",
        "entered orders for A in this period",
        "strike 1",
        "D (Player D) is away from 1 January 2030",
        "closed by the gamesmaster before its deadline",
    ):
        assert said in first and said in corrected, said
    assert "CORRECTED: period 1 was adjudicated again: misread" in corrected
    assert "Ruling 3." in corrected and "1 March 2030" in corrected, (
        "no bulletin had printed them yet"
    )
    for said in ("Ruling 2.", "orders for B", "orders for C", "strike 2", "strike 3", "February"):
        assert said not in corrected, said
    assert not any("Ruling 1." in line for line in changes(at) if line.startswith("- "))
    at.to_deadline()
    again = bulletin(at, 2)
    for said in ("Ruling 2.", "entered orders for B in this period", "1 February 2030"):
        assert said in second and said in again, said
    for said in ("strike 2", "strike 3", "closed by the gamesmaster", "orders for C", "Ruling 3."):
        assert said not in again, said
    with desk(at) as work:
        assert replay.replay(work.conn, "g").faults == []


def changes(at: Installation) -> list[str]:
    text = next(
        text_of(mail) for mail in reversed(at.mails("E")) if "what changed" in str(mail["Subject"])
    )
    return text.splitlines()


def test_twice_rewound_and_of_the_newest_period_only(at: Installation) -> None:
    two_periods(at)
    for why in ("once", "twice"):
        at.act(rewinding.done, Rewind("g", 2, why))
        at.once()
    corrected = bulletin(at, 2)
    for said in (
        "Ruling 2.",
        "orders for B",
        "strike 2",
        "closed by the gamesmaster",
        "again: once",
        "again: twice",
    ):
        assert corrected.count(said) == 1, said
    assert "Ruling 1." not in corrected and "strike 3" not in corrected
    at.to_deadline()
    assert "orders for C in this period" in bulletin(at, 3) and "strike 3" not in bulletin(at, 3)


def test_the_last_bulletin_of_a_game_prints_what_later_ones_had(at: Installation) -> None:
    at.send("A", f"PROPOSE {SLATE}")
    close(at)
    close(at)
    at.act(word_acts.rule, "g", "Ruling 3.")
    close(at)
    assert "Ruling 3." in bulletin(at, 3)
    with desk(at) as work:
        table = games.game_at(work.conn, "g", 2)
        aye = {order.slot: order for order in table.ruleset.language.parse("VOTE AYE")}
        for seat in SEATS:
            order_sets.save_orders(
                work.conn,
                table,
                seat,
                aye,
                None,
                said=LastWord.NOTHING,
                letter_id=None,
                now=work.now,
            )
        rewinding.done(work, Rewind("g", 2, "the votes had been lost"))
    at.once()
    assert at.table().row.status == "over"
    assert "Ruling 3." in bulletin(at, 2)


@pytest.mark.game("coalition", publish="review")
def test_orders_for_the_next_period_stay_where_bulletins_are_reviewed(at: Installation) -> None:
    at.to_deadline()
    with desk(at) as work:
        word_acts.rule(work, "g", "While it waits.")
        word_acts.release(work, "g", 1)
    at.send("D", 'NAME "Later"')
    with desk(at) as work:
        rewinding.done(work, Rewind("g", 1, "misread"))
        word_acts.release(work, "g", 1)
    at.once()
    assert at.standing("D") == ['NAME "Later"'] and "While it waits." in bulletin(at, 1)


# --- a rewind corrects ----------------------------------------------------------------------------


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
    assert not subject(at, "E", "[g] Bulletin 3 corrected: what changed"), "it is a new one"
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


# --- a rewind over several periods ----------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_three_periods_back_and_again_in_every_game(game: str, tmp_path: Path) -> None:
    seats = min(shelf.open_ruleset(game).about.seats, key=len)
    with Installation(tmp_path, game, seats=seats) as at:
        at.start()
        for _ in range(5):
            bots(at)
        reached = at.table().period.number
        rewind(at, reached - 3, done=False)
        clean(at)
        rewind(at, reached - 3)
        clean(at)
        for _ in range(2):
            bots(at)
        clean(at)
        rewind(at, at.table().period.number - 2)
        clean(at)
        for _ in range(2):
            bots(at)
        clean(at)
        at.once()
        assert len({key for key, _ in at.outbox()}) == len(at.outbox())


def drawn(at: Installation) -> dict[int, list[Any]]:
    """The draws of each period that had any."""
    with exclusive_transaction(at.daemon.engine) as conn:
        found = conn.execute(select(Period.number, Period.draws).order_by(Period.number))
        return {row.number: row.draws for row in found if row.number and row.draws}


@pytest.mark.game("politics-1935", seats=("P1", "P2", "P3"))
def test_throws_that_were_seen_are_not_played_again(at: Installation) -> None:
    while len(drawn(at)) < 2:
        bots(at)
    first = drawn(at)
    number = min(first)
    tried = rewind(at, number, done=False)
    assert drawn(at) == first and "it throws again" in " ".join(tried.split())
    assert "It says the same" not in tried  # but for chance: the notes and the deadline
    done = rewind(at, number)
    second = drawn(at)[number]
    assert second != first[number] and "carried out, it throws again" in " ".join(done.split())
    assert {stream for stream, _, _ in second} == {
        f"edition 2/{stream}" for stream, _, _ in first[number]
    }
    clean(at)
    bots(at)
    rewind(at, number)
    assert {stream.partition("/")[0] for stream, _, _ in drawn(at)[number]} == {"edition 3"}
    clean(at)
    game = at.table().row
    by_hand = Dice(game.seed, "g").stream(drawn(at)[number][0][0])
    assert by_hand.below(drawn(at)[number][0][1]) == drawn(at)[number][0][2]


GOVERNMENT = """GOVERNMENT PREMIER Soc E5, FOREIGN Ctr N1, FINANCE Mon S6, JUSTICE Rad E7, DEFENSE Soc E6,
  AGRICULTURE Rad E8, EDUCATION Ctr W1, WELFARE Mon S7; ENDORSED BY Con-Nor, Soc-Cap, Rad-Wes, Mon-Nor"""
FORMING = pytest.mark.game("parlement-1968")


def formed(at: Installation) -> None:
    """A Government is formed in period 1, and sits from period 2 on."""
    at.send("Soc", GOVERNMENT)
    for seat in ("Rad", "Ctr", "Con", "Mon"):
        at.send(seat, "SIGN GOVERNMENT 1")
    at.to_deadline()
    assert at.table().period.phase == "program"


@FORMING
def test_a_formation_is_adjudicated_again_as_it_was(at: Installation) -> None:
    formed(at)
    at.send("Soc", "PROGRAM BILLS 1, 2, 3")
    program = at.standing("Soc")
    said = rewind(at, 1)
    assert at.view()["government"]["premier"] == "Soc E5" and "Program" in said
    assert at.standing("Soc") == program
    clean(at)


@FORMING
def test_a_signature_that_is_dropped_brings_no_government(at: Installation) -> None:
    formed(at)
    mon = letter_of(at)
    rewind(at, 1, drop=[mon])
    at.once()
    assert at.table().period.phase == "formation" and at.table().period.due is None
    clean(at)
    at.send("Mon", "SIGN GOVERNMENT 1")
    assert at.table().period.due is not None, "the proposal and the others' signatures stand"
    at.to_deadline()
    assert at.table().period.phase == "program"
    clean(at)


@FORMING
def test_letters_of_a_formation_are_tried_anew_in_their_order(at: Installation) -> None:
    """Period 1 ends without a Government, period 2 brings one; the game goes back to period 1."""
    at.send("Com", "PASS")
    at.act(clock_acts.close, "g", None, unread=True)
    at.once()
    assert at.table().period.phase == "formation" and at.table().period.number == 2
    at.send("Soc", GOVERNMENT)
    at.send("Rad", "SIGN GOVERNMENT 1")
    for seat in ("Ctr", "Con"):
        at.send(seat, "SIGN GOVERNMENT 1")
    at.write("Soc", "PAY 100 TO Rad")
    at.send("Mon", "SIGN GOVERNMENT 1")
    at.clock += timedelta(days=7)
    reports = [m for m in at.mails("Com") if "Progress" in str(m["Subject"])]
    at.to_deadline()
    at.to_deadline()
    rewind(at, 1)
    at.once()
    assert at.table().period.number == 2
    due = at.table().period.due
    assert due is not None and timedelta(days=5) < due - at.clock < timedelta(days=6)
    assert len([m for m in at.mails("Com") if "Progress" in str(m["Subject"])]) > len(reports)
    at.to_deadline()
    assert at.view()["government"]["premier"] == "Soc E5"
    clean(at)


@pytest.mark.game("parlement-1966", strangers=("new@legit.example",))
def test_who_missed_no_move_after_all_is_not_replaced(at: Installation) -> None:
    """House rule 7 asks M, whose votes were lost; once they count, no stand-by player is called."""
    at.act(claims.enlist, "g", "new@legit.example", "Nora New")
    at.write("S", "GOVERNMENT PREMIER S, FOREIGN R, DEFENSE S, FINANCE R WITH BILL 4")
    at.write("R", "JOIN S\nSIGN BILL 4")
    at.send("L", "ENDORSE S")
    at.to_deadline()
    for bill in ("4", "2"):
        at.write("L", f"PROPOSE BILL 2\nVOTE {bill} YES")
        at.write("C", f"SIGN BILL 2\nVOTE {bill} YES")
        at.send_each("SR", f"VOTE {bill} YES")
        at.to_deadline()
    assert at.table().holders["M"].asked_until is not None
    number = at.table().period.number - 1
    rewind(at, number, order=[("M", "VOTE 2 YES")])
    holder = at.table().holders["M"]
    assert (holder.asked_until, holder.missed) == (None, 0)
    at.later(days=8)
    assert at.table().holders["M"].address == "m@legit.example"
    clean(at)
