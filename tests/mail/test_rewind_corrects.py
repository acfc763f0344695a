"""A rewind corrects: it is tried first, puts orders and letters right, voids what came after, keeps
the orders of later periods, and draws anew; a replay finds all of it again."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Table as SqlTable
from sqlalchemy import select

from pbem.errors import OperatorError
from pbem.games import GAMES
from pbem.games.frame.dice import Dice
from pbem.games.frame.length import Days
from pbem.orders.acts import ACTS
from pbem.periods import bulletin_acts, deadline_acts, replay, seat_acts
from pbem.referee.doing import Actor, do
from pbem.store.database import transaction
from pbem.store.records import Journal, Letter, Look, Period, Record
from tests.installation import SEATS, SLATE, Installation, desk, text_of

REWIND = next(act for act in ACTS if act.name == "rewind")
NEW = "new@legit.example"


def rewind(
    at: Installation, number: int, *, done: bool = True, why: str = "misread", **what: Any
) -> str:
    """The act as any face of it does it; what it says."""
    given = {"order": [], "accept": [], "drop": [], **what}
    values = {"game": "g", "number": number, "why": why, "do": done, **given}
    with desk(at) as work:
        return do(work, REWIND, values, Actor()).said


def clean(at: Installation) -> None:
    with transaction(at.daemon.engine) as conn:
        assert replay.replay(conn, "g").faults == []


def subject(at: Installation, who: str, begins: str) -> str:
    """The newest mail with such a subject, on one line."""
    found = [mail for mail in at.mails(who) if str(mail["Subject"]).startswith(begins)]
    return " ".join(text_of(found[-1]).split()) if found else ""


def rows(at: Installation) -> Mapping[str, Any]:
    """Everything on file, but for the journal and what was looked at."""
    with transaction(at.daemon.engine) as conn:
        tables: list[SqlTable] = [
            one for one in Record.metadata.sorted_tables if one.name not in ("journal", "look")
        ]
        return {one.name: sorted(map(repr, conn.execute(select(one)))) for one in tables}


def letter_of(at: Installation, outcome: str = "") -> int:
    """The newest letter (with that outcome)."""
    with transaction(at.daemon.engine) as conn:
        found = select(Letter.id).order_by(Letter.id.desc())
        found = found.where(Letter.outcome == outcome) if outcome else found
        return int(conn.execute(found).scalars().first() or 0)


def four_periods(at: Installation) -> None:
    """A motion is voted on in period 2; D names himself anew in each of 2, 3 and 4, which is
    open."""
    at.write("A", f"PROPOSE {SLATE}")
    at.once()
    at.to_deadline()
    for number in (2, 3, 4):
        at.write("D", f'NAME "D{number}"')
        if number == 2:
            at.write("A", "VOTE AYE")
            at.write("B", "VOTE AYE")
        at.once()
        if number < 4:
            at.to_deadline()


def test_nothing_remains_of_a_rewind_that_is_tried(at: Installation) -> None:
    four_periods(at)
    before, mails = rows(at), at.outbox()
    said = rewind(at, 2, done=False, order=[("C", "VOTE AYE")])
    assert rows(at) == before and at.outbox() == mails
    with transaction(at.daemon.engine) as conn:
        assert conn.execute(select(Look.kind, Look.period)).all() == [("dry-run", 4)]
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
    assert "In period 4: The gamesmaster entered orders for C, for period 2." in corrected
    clean(at)


def test_a_letter_counts_after_all_or_no_longer(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, late="deadline") as at:
        at.start()
        at.write("A", f"PROPOSE {SLATE}")
        at.once()
        at.to_deadline()
        at.write("A", "VOTE AYE")
        at.write("B", 'VOTE AYE\nNAME "Kept"')
        at.write("B", "VOTE AYE")
        at.once()
        dropped = letter_of(at)
        at.write("B", "SPECIAL AGR")
        at.once()
        due = at.table().period.due
        at.to_deadline()
        assert due is not None
        at.write("C", "PERIOD 2\nVOTE AYE")
        at.once()
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
        with transaction(at.daemon.engine) as conn:
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
    at.write("D", "HISTORY 3\nHISTORY")
    at.once()
    asked = " ".join(at.newest("D").split())
    assert "VOID since" in asked and "went back to period 2 (the fax)" in asked
    assert asked.index("VOID") < asked.index("Bulletin 3:") < asked.index("Bulletin 2:")
    at.to_deadline()
    at.write("D", "HISTORY 3")
    at.once()
    assert "VOID" not in at.newest("D") and "Bulletin 3:" in at.newest("D")
    assert "Bulletin 3 (corrected)" in str([m["Subject"] for m in at.mails("E")])
    assert not subject(at, "E", "[g] Bulletin 3 corrected: what changed"), "it was played anew"
    clean(at)


@pytest.mark.game("coalition", strangers=(NEW,))
def test_orders_of_all_later_periods_are_kept_and_tried_anew(at: Installation) -> None:
    at.write("A", f"PROPOSE {SLATE}")
    at.once()
    at.to_deadline()
    at.to_deadline()
    at.write("B", f"PROPOSE {SLATE}")
    at.once()
    at.to_deadline()
    at.write("A", "VOTE NAY\nREADY")  # on B's motion
    at.write("D", 'NAME "D4"')
    at.once()
    assert at.standing("A") == ["VOTE NAY"]
    with desk(at) as work:
        seat_acts.replace(work, "g", "A", NEW, "Nora", "moved")
    said = rewind(at, 1, drop=[1])
    assert "Orders kept for period 3: B 1." in said and "period 4: A 1, D 1." in said
    assert at.table().period.number == 2 and at.standing("D") == []
    at.to_deadline()
    assert at.standing("B")[0].startswith("PROPOSE")
    assert "These orders stand: [1] PROPOSE" in subject(at, "B", "[g] Period 3 is open again")
    rewind(at, 2, order=[("E", 'NAME "Two"')])  # B's are kept a second time
    at.once()
    assert at.standing("B")[0].startswith("PROPOSE")
    with desk(at) as work:
        seat_acts.order(work, "g", 3, "B", "CANCEL ALL")
    at.to_deadline()
    at.once()
    assert at.table().period.number == 4 and at.standing("D") == ['NAME "D4"']
    told = subject(at, NEW, "[g] Period 4 is open again")
    assert "can no longer be taken: [1] VOTE NAY:" in told and at.standing("A") == []
    assert "VOTE NAY" not in subject(at, "D", "[g] Period 4 is open again")
    clean(at)


def test_notes_name_the_period_in_which_an_act_was_made(at: Installation) -> None:
    four_periods(at)
    with desk(at) as work:
        bulletin_acts.ruling(work, "g", "Read on.")
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
    old = next(m for m in at.mails("C") if m["Subject"] == "[g] Bulletin 3")
    at.write("C", 'NAME "Old"', In_Reply_To=str(old["Message-ID"]))
    at.once()
    assert "before the game went back" in at.outcomes()[-1][1]
    at.write("C", 'NAME "New"')
    at.once()
    assert at.standing("C") == ['NAME "New"']
    clean(at)


def test_a_letter_held_in_a_period_taken_back_does_not_count_for_another(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, trust="token") as at:
        at.start()
        for _ in range(3):
            at.to_deadline()
        at.write("A", 'NAME "Held"')
        at.once()
        found = re.search(r"CONFIRM (\S+)", at.newest("A"))
        assert found
        rewind(at, 1)
        at.once()
        at.write("A", f"CONFIRM {found[1]}")
        at.once()
        at.once()
        assert at.outcomes()[0] == (
            "late",
            "It is of period 4, which has not begun; the open period is 2.",
        )
        assert at.standing("A") == []
        clean(at)


def test_a_game_that_is_over_goes_on(at: Installation) -> None:
    at.write("A", f"PROPOSE {SLATE}")
    at.once()
    at.to_deadline()
    for seat in SEATS:
        at.write(seat, "VOTE AYE")
    at.once()
    at.to_deadline()
    assert at.table().game.status == "over"
    letters = range(letter_of(at) - 4, letter_of(at) + 1)
    said = rewind(at, 2, drop=list(letters))
    at.once()
    assert at.table().game.status == "running" and "seed is public" in " ".join(said.split())
    at.to_deadline()
    clean(at)
    rewind(at, 2, order=[(seat, "VOTE AYE") for seat in SEATS])
    at.once()
    assert at.table().game.status == "over"
    clean(at)


def test_a_bulletin_that_waits_is_corrected_before_anybody_saw_it(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, publish="review") as at:
        at.start()
        at.to_deadline()
        assert at.table().period.status == "review"
        said = rewind(at, 1, order=[("A", 'NAME "Alpha"')])
        assert "are void" not in said and "waits for your release" in said
        assert re.search(r'^\+ .*"Alpha"', said, re.MULTILINE)
        with desk(at) as work:
            bulletin_acts.release(work, "g", 1)
        at.once()
        assert '"Alpha"' in subject(at, "B", "[g] Bulletin 1")
        at.write("B", 'NAME "Beta"')
        at.once()
        at.to_deadline()
        with desk(at) as work:
            bulletin_acts.release(work, "g", 2)
        at.write("B", 'NAME "Gamma"')
        at.once()
        rewind(at, 1)
        assert at.standing("B") == [], "nobody knows yet how period 1 came out"
        clean(at)
        with desk(at) as work:
            bulletin_acts.release(work, "g", 1)
        assert at.standing("B") == ['NAME "Beta"']
        clean(at)


def bots(at: Installation) -> bool:
    """A letter of every seat's as its bot writes it, and the next deadline; False once it is
    over."""
    table = at.table()
    if table.game.status == "over":
        return False
    bot = importlib.import_module(f"{GAMES[at.key]}.bot")
    for seat in at.seats:
        chance = Dice("5", "g").stream(f"{seat}{table.period.number}")
        text = bot.letter(at.view(), at.view(seat), seat, chance).replace("AYE", "NAY")
        if text and "RESIGN" not in text:
            at.write(seat, text)
    at.once()
    if at.table().period.due is None:
        at.clock += timedelta(days=8)
        at.once()
        if at.table().period.number == table.period.number:
            with desk(at) as work:
                deadline_acts.close(work, "g", None)
            at.once()
    else:
        at.to_deadline()
    return True


@pytest.mark.parametrize("game", GAMES)
def test_three_periods_back_and_again_in_every_game(game: str, tmp_path: Path) -> None:
    with Installation(tmp_path, game) as at:
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
    with transaction(at.daemon.engine) as conn:
        found = conn.execute(select(Period.number, Period.draws).order_by(Period.number))
        return {row.number: row.draws for row in found if row.number and row.draws}


def test_throws_that_were_seen_are_not_played_again(tmp_path: Path) -> None:
    with Installation(tmp_path, "politics-1935", seats=("P1", "P2", "P3")) as at:
        at.start()
        while len(drawn(at)) < 2:
            bots(at)
        first = drawn(at)
        number = min(first)
        tried = rewind(at, number, done=False)
        assert drawn(at) == first and "it throws anew" in " ".join(tried.split())
        assert "It says the same" not in tried  # but for chance: the notes and the deadline
        done = rewind(at, number)
        second = drawn(at)[number]
        assert second != first[number] and "carried out, it throws anew" in " ".join(done.split())
        assert {stream for stream, _, _ in second} == {
            f"edition 2/{stream}" for stream, _, _ in first[number]
        }
        clean(at)
        bots(at)
        rewind(at, number)
        assert {stream.partition("/")[0] for stream, _, _ in drawn(at)[number]} == {"edition 3"}
        clean(at)
        game = at.table().game
        by_hand = Dice(game.seed, "g").stream(drawn(at)[number][0][0])
        assert by_hand.below(drawn(at)[number][0][1]) == drawn(at)[number][0][2]


GOVERNMENT = """GOVERNMENT PREMIER Soc E5, FOREIGN Ctr N1, FINANCE Mon S6, JUSTICE Rad E7, DEFENSE Soc E6,
  AGRICULTURE Rad E8, EDUCATION Ctr W1, WELFARE Mon S7; ENDORSED BY Con-Nor, Soc-Cap, Rad-Wes, Mon-Nor"""
FORMING = pytest.mark.game("parlement-1968")


def formed(at: Installation) -> None:
    """A Government is formed in period 1, and sits from period 2 on."""
    at.write("Soc", GOVERNMENT)
    at.once()
    for seat in ("Rad", "Ctr", "Con", "Mon"):
        at.write(seat, "SIGN GOVERNMENT 1")
        at.once()
    at.to_deadline()
    assert at.table().period.phase == "program"


@FORMING
def test_a_formation_is_adjudicated_again_as_it_was(at: Installation) -> None:
    formed(at)
    at.write("Soc", "PROGRAM BILLS 1, 2, 3")
    at.once()
    program = at.standing("Soc")
    said = rewind(at, 1)
    assert at.view()["government"]["premier"] == "Soc E5" and "program" in said
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
    at.write("Mon", "SIGN GOVERNMENT 1")
    at.once()
    assert at.table().period.due is not None, "the proposal and the others' signatures stand"
    at.to_deadline()
    assert at.table().period.phase == "program"
    clean(at)


@FORMING
def test_letters_of_a_formation_are_tried_anew_in_their_order(at: Installation) -> None:
    """Period 1 ends without a Government, period 2 brings one; the game goes back to period 1."""
    at.write("Com", "PASS")
    at.once()
    with desk(at) as work:
        deadline_acts.close(work, "g", None)
    at.once()
    assert at.table().period.phase == "formation" and at.table().period.number == 2
    at.write("Soc", GOVERNMENT)
    at.once()
    at.write("Rad", "SIGN GOVERNMENT 1")
    at.once()
    for seat in ("Ctr", "Con"):
        at.write(seat, "SIGN GOVERNMENT 1")
        at.once()
    at.write("Soc", "PAY 100 TO Rad")
    at.write("Mon", "SIGN GOVERNMENT 1")
    at.once()
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


@FORMING
def test_across_an_election(at: Installation) -> None:
    """Bots play until an election is over; the game goes back to before it, and through it
    again."""
    phases = []
    for _ in range(40):
        phases.append(at.table().period.phase)
        if "candidates" in phases and phases[-1] == "formation":
            break
        bots(at)
    assert "candidates" in phases and phases[-1] == "formation", phases
    first = phases.index("candidates")
    rewind(at, first)  # the period before it
    clean(at)
    again = []
    for _ in range(20):
        again.append(at.table().period.phase)
        if "candidates" in again and again[-1] == "formation":
            break
        bots(at)
    assert "candidates" in again and again[-1] == "formation", again
    clean(at)
