"""What a game's pages at the desk show, and to whom."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select, update

from pbem.desk import (
    differences,
    game,
    game_deadline,
    game_journal,
    game_line,
    game_mails,
    game_preview,
    game_seats,
)
from pbem.desk.asked import NotThere
from pbem.desk.differences import Figure
from pbem.errors import OperatorError
from pbem.games.frame.length import Days, Elapsed
from pbem.orders.acts import ACTS
from pbem.pages import sheet
from pbem.periods import bulletin_acts, deadline_acts, opening
from pbem.referee.doing import Actor, do
from pbem.referee.sight import Sight
from pbem.store.database import transaction
from pbem.store.looks import LookKind
from pbem.store.records import Address, Journal, Look, Outgoing, Period, Seat
from tests.installation import SEATS, Installation, address, desk
from tests.masters import ANNA, make
from tests.rewinds import four_periods, rewind


@contextmanager
def sight(at: Installation, who: str = "") -> Iterator[Sight]:
    with desk(at) as work:
        yield Sight(work, who)


def looked(at: Installation) -> list[str]:
    with transaction(at.daemon.engine) as conn:
        return list(conn.execute(select(Look.kind)).scalars())


@pytest.fixture
def playing(at: Installation) -> Installation:
    """Anna has h in hand and plays A in it; nobody is its second."""
    make(at, "h", gamesmaster=ANNA, seated={"A": ANNA})
    return at


# --- how it stands --------------------------------------------------------------------------------


def test_a_game_that_runs(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    at.once()
    at.to_deadline()
    with sight(at) as seen:
        found = game.opened(seen, "g")
        head, table = game.head(seen, found), found.at
        assert table is not None and head.whole and head.open and head.runs
        assert (head.period, head.review, head.fault, head.edition) == (2, None, "", 1)
        assert head.deadline.startswith("Monday 16 March 2026, 24:00 Europe/Paris")
        assert head.left == "6 days 23 hours"
        board = game.board(seen, table)
        assert board is not None and board.number == 1
        assert [one.name for one in board.pictures] and all(one.alt for one in board.pictures)
        assert {seat for seat, *_ in board.standing} == set(SEATS)
        assert ("A", "Player A") in [one[:2] for one in board.standing]
        assert [one.number for one in game.issues(seen, table)] == [1, 0]


def test_the_next_bulletins_notes(at: Installation) -> None:
    with desk(at) as work:
        bulletin_acts.ruling(work, "g", "Ties go to the elder.")
        deadline_acts.extend(work, "g", 1, Days(2), "the post")
    with sight(at) as seen:
        first, second = game.waiting_notes(seen, game.table(seen, "g"))
    assert first.ruling and first.text == "Ties go to the elder."
    assert not second.ruling and "+2 days, extension: the post" in second.text


def test_a_game_that_waits(at: Installation) -> None:
    with desk(at) as work:
        players = [(seat, address(seat), f"Player {seat}") for seat in SEATS]
        opening.new(work, opening.Plan("w", "coalition", players, "Europe/Paris"))
    with sight(at) as seen:
        found = game.opened(seen, "w")
        head = game.head(seen, found)
        assert found.at is None and found.fault == ""
        assert (head.state, head.period, head.deadline) == ("waiting", 0, "")
        with pytest.raises(NotThere, match="has not begun"):
            game.table(seen, "w")


def test_a_game_that_is_held_and_one_that_is_over(at: Installation) -> None:
    with desk(at) as work:
        deadline_acts.hold(work, "g", "illness")
    with sight(at) as seen:
        head = game.head(seen, game.opened(seen, "g"))
        assert (head.held, head.since) == ("illness", "Monday 2 March 2026, 10:01")
    with desk(at) as work:
        opening.end(work, "g", "enough")
    with sight(at) as seen:
        found = game.opened(seen, "g")
        head = game.head(seen, found)
        assert found.at is not None and not head.runs and not head.open
        (only,) = game_line.line(seen, found.at).stretches
        assert only.stands == "the game ended in it" and not only.open


def test_a_bulletin_in_review(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, publish="review") as at:
        at.start()
        at.to_deadline()
        with sight(at) as seen:
            found = game.opened(seen, "g")
            head = game.head(seen, found)
            assert found.at is not None and head.review == 1 and not head.open
            assert [one.number for one in game_line.line(seen, found.at).stretches] == [1]
            assert [one.number for one in game.issues(seen, found.at)] == [0]
            board = game.board(seen, found.at)
            assert board is not None and board.number == 0, "the last that everybody has seen"


def test_a_record_that_cannot_be_read(at: Installation) -> None:
    with transaction(at.daemon.engine) as conn:
        conn.execute(update(Period).values(state={"schema": 1, "phase": "nowhere"}, state_hash="x"))
    with sight(at) as seen:
        found = game.opened(seen, "g")
        assert found.at is None and found.fault and game.head(seen, found).fault == found.fault
        with pytest.raises(NotThere, match="cannot be read"):
            game.table(seen, "g")


# --- who sees it ----------------------------------------------------------------------------------


def test_another_gamesmasters_game_is_not_there(at: Installation) -> None:
    make(at, "h", gamesmaster=ANNA)
    with sight(at, ANNA) as seen:
        assert game.opened(seen, "h").at is not None
        for name in ("g", "nowhere"):
            with pytest.raises(NotThere, match=f"you have no game {name}"):
                game.opened(seen, name)


def test_who_plays_sees_what_all_were_told(playing: Installation) -> None:
    with sight(playing, ANNA) as seen:
        found = game.opened(seen, "h")
        assert found.at is not None and not game.head(seen, found).whole
        assert game.board(seen, found.at) is not None and game.issues(seen, found.at)
        for one in game_seats.seats(seen, found.at):
            assert one.player == f"Player {one.seat}"
            assert (one.address, one.owes, one.is_in, one.record) == ("", (), False, "")
        with pytest.raises(OperatorError, match="you play A in h"):
            game_journal.entries(seen, "h")
        notice = _mail(seen.conn, "h", "notice", "B")
        with pytest.raises(OperatorError, match="you play A in h"):
            game_mails.opened(seen, "h", notice)
        assert game_journal.replayed(seen, "h").journal == 0
    assert looked(playing) == []


def test_hidden_names_stay_hidden_from_who_plays(at: Installation) -> None:
    make(at, "h", gamesmaster=ANNA, seated={"A": ANNA}, house={"names": "hidden"})
    with sight(at, ANNA) as seen:
        table = game.table(seen, "h")
        board = game.board(seen, table)
        assert board is not None and not any(player for _, player, _ in board.standing)
        assert not any(one.player for one in game_seats.seats(seen, table))


# --- the time line --------------------------------------------------------------------------------


def test_each_move_of_a_deadline(at: Installation) -> None:
    with desk(at) as work:
        deadline_acts.extend(work, "g", 1, Days(2), "the post")
        deadline_acts.extend(work, "g", 1, Days(-1), "it came")
    at.to_deadline()
    with sight(at) as seen:
        second, first = game_line.line(seen, game.table(seen, "g")).stretches
    assert (first.number, first.stands, first.open) == (1, "closed", False)
    assert first.first == "Monday 9 March 2026, 24:00"
    assert first.moves == ["+2 days, extension: the post", "-1 day, extension: it came"]
    assert first.due == first.closed == "Tuesday 10 March 2026, 24:00"
    assert (second.stands, second.open, second.moves) == ("open", True, [])


def test_a_long_line_comes_in_pieces(at: Installation) -> None:
    for _ in range(game_line.PAGE + 1):
        at.to_deadline()
    with sight(at) as seen:
        table = game.table(seen, "g")
        newest = game_line.line(seen, table)
        rest = game_line.line(seen, table, newest.before)
    assert [one.number for one in newest.stretches] == list(range(10, 2, -1))
    assert [one.number for one in rest.stretches] == [2, 1] and rest.before == 0


# --- the seats ------------------------------------------------------------------------------------


def test_the_standing_of_each_player(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    at.once()
    with transaction(at.daemon.engine) as conn:
        mail = Address.address == address("B")
        conn.execute(
            update(Address).where(mail).values(hard_bounces=1, last_bounce="5.1.1 unknown")
        )
        conn.execute(update(Seat).where(Seat.seat == "C").values(missed=3, quits=at.clock))
    with sight(at) as seen:
        found = {one.seat: one for one in game_seats.seats(seen, game.table(seen, "g"))}
    assert found["A"].is_in and not found["B"].is_in
    assert (found["A"].player, found["A"].address) == ("Player A", address("A"))
    assert found["A"].record == "no moves counted yet"
    assert found["B"].trouble == "1 mail came back for good; the last: 5.1.1 unknown"
    assert found["C"].missed == 3
    assert found["C"].remarks == ["has asked to be relieved on Monday 2 March 2026, 10:02"]


# --- mails as they went out -----------------------------------------------------------------------


def _mail(conn: Any, game_id: str, kind: str, seat: str) -> int:
    where = (Outgoing.game_id == game_id, Outgoing.kind == kind, Outgoing.seat == seat)
    return int(conn.execute(select(Outgoing.id).where(*where)).scalars().first())


def test_a_bulletin_as_it_went_out_is_no_look(at: Installation) -> None:
    at.to_deadline()
    with sight(at) as seen:
        table = game.table(seen, "g")
        face = game_mails.published(seen, table, 1, 1)
        sent = game_mails.of_issue(seen, table, "bulletin", 1)
    assert "<h1>" in face.html.replace("<h1 ", "<h1>") or "h1" in face.html
    assert 'src="data:image/png;base64,' in face.html and "cid:" not in face.html
    assert [one.seat for one in sent] == list(reversed(SEATS))
    assert {one.opens for one in sent} == {"open"} and "has gone out on" in sent[0].stands
    assert looked(at) == []


def test_without_its_mails_a_bulletin_is_set_anew(at: Installation) -> None:
    with transaction(at.daemon.engine) as conn:
        conn.execute(update(Outgoing).values(raw=b""))
    with sight(at) as seen:
        table = game.table(seen, "g")
        assert "Coalition" in game_mails.published(seen, table, 0, 1).html
        assert {one.opens for one in game_mails.of_issue(seen, table, "bulletin", 0)} == {""}
        with pytest.raises(NotThere, match="no bulletin 7"):
            game_mails.published(seen, table, 7, 1)


def test_a_notice_that_is_opened_is_a_look_that_the_bulletin_tells(at: Installation) -> None:
    with sight(at) as seen:
        face, look = game_mails.opened(seen, "g", _mail(seen.conn, "g", "notice", "B"))
    assert "this look is in the journal, and bulletin 1 of g counts it" in look
    assert looked(at) == [LookKind.MAIL] and face.text and face.html
    at.to_deadline()
    told = " ".join(at.newest("C").split()) + " ".join(
        " ".join(str(mail).split()) for mail in at.mails("C")
    )
    assert "The gamesmaster has looked in this period: 1 private mail to a seat opened." in told


def test_no_secret_address_is_shown(at: Installation) -> None:
    """They are in headers and links; whoever has one writes as that seat."""
    at.to_deadline()
    with sight(at) as seen:
        rows = seen.conn.execute(select(Outgoing.id, Outgoing.kind, Outgoing.raw)).all()
        linked = 0
        for row in rows:
            if row.kind in (*game_mails.OWN, *game_mails.ALIKE):
                linked += b"mailto:" in row.raw
                face, _ = game_mails.opened(seen, "g", row.id)
                assert "mailto:" not in face.html
                assert not re.search(r"referee\+\S+@", face.html + face.text + face.subject)
            else:
                with pytest.raises(NotThere, match="is opened here"):
                    game_mails.opened(seen, "g", row.id)
        assert linked


def test_a_mail_of_another_game_is_not_opened_through_one(at: Installation) -> None:
    make(at, "h", gamesmaster=ANNA)
    with sight(at, ANNA) as seen, pytest.raises(NotThere, match="is opened here"):
        game_mails.opened(seen, "h", _mail(seen.conn, "g", "notice", "B"))
    assert looked(at) == []


# --- preview and rewind ---------------------------------------------------------------------------


def act(name: str) -> Any:
    return next(one for one in ACTS if one.name == name)


def test_a_preview_beside_the_last_bulletin(at: Installation) -> None:
    at.to_deadline()
    at.write("D", 'NAME "The Doves"')
    at.once()
    with sight(at) as seen:
        done = do(seen.work, act("preview"), {"game": "g"}, Actor())
        assert isinstance(done.seen, bulletin_acts.Preview)
        ahead = game_preview.ahead(seen, game.table(seen, "g"), done.seen)
    assert (ahead.number, ahead.last, ahead.waits) == (2, 1, False)
    assert any("The Doves" in row.after and row.kind in ("new", "changed") for row in ahead.rows)
    assert [one.seat for one in ahead.counts] == list(SEATS)
    assert "PREVIEW" in ahead.text and looked(at) == [LookKind.PREVIEW]


def test_a_rewind_that_is_tried_is_shown_side_by_side(at: Installation) -> None:
    four_periods(at)
    values = {"game": "g", "number": 2, "why": "misread", "do": False}
    values |= {"order": [("D", 'NAME "Dissent"')], "accept": [], "drop": []}
    with sight(at) as seen:
        done = do(seen.work, act("rewind"), values, Actor())
        assert done.seen is not None and not isinstance(done.seen, bulletin_acts.Preview)
        again = game_preview.again(game.table(seen, "g"), done.seen)
    ((orders),) = again.orders
    assert orders.seat == "D" and [row.kind for row in orders.rows] == ["changed"]
    (row,) = orders.rows
    assert ("D2" in row.before, "Dissent" in row.after) == (True, True)
    assert any("D2" in one.before for one in again.rows)
    assert any("Dissent" in one.after for one in again.rows)
    assert looked(at) == [LookKind.DRY_RUN]
    assert at.table().period.number == 4


def test_a_rewound_game_shows_both_editions(at: Installation) -> None:
    at.to_deadline()
    at.to_deadline()
    rewind(at, 1)
    at.once()
    with sight(at) as seen:
        table = game.table(seen, "g")
        head = game.head(seen, game.opened(seen, "g"))
        listed = {one.number: one for one in game.issues(seen, table)}
        assert (head.edition, head.period) == (2, 2)
        assert (listed[1].edition, listed[1].voided) == (2, False)
        assert (listed[2].edition, listed[2].voided) == (1, True)
        old, new = (game_mails.published(seen, table, 1, edition) for edition in (1, 2))
        assert "CORRECTED" in new.text and "CORRECTED" not in old.text
        first = game_line.line(seen, table).stretches[-1]
        assert (first.number, first.edition) == (1, 2)


# --- a deadline by the calendar -------------------------------------------------------------------


def test_a_day_becomes_the_days_of_the_act(at: Installation) -> None:
    table = at.table()
    form = game_deadline.shown(table, at.clock)
    assert form is not None
    assert (form.day, form.time, form.hour) == ("2026-03-09", "", "24:00")
    assert form.first == "2026-03-02" and "as first set" in form.explained[0]
    assert game_deadline.chosen(table, {"day": "2026-03-12"}) == Days(3)
    assert game_deadline.chosen(table, {"day": "2026-03-08"}) == Days(-1)
    for day in ("", "tomorrow", "2026-02-30"):
        with pytest.raises(OperatorError, match="is no day"):
            game_deadline.chosen(table, {"day": day})


def test_a_day_is_what_it_says_over_the_change_of_clocks(at: Installation) -> None:
    table = at.table()
    by = game_deadline.chosen(table, {"day": "2026-03-30"})
    with desk(at) as work:
        moved = deadline_acts.extend(work, "g", 1, by, "spring")
    due = moved.period.due
    assert due == datetime(2026, 3, 30, 22, 0, tzinfo=UTC)
    form = game_deadline.shown(moved, at.clock)
    assert form is not None and form.day == "2026-03-30"


def test_of_a_game_in_minutes_the_time_counts(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, pace="evening") as at:
        at.start()
        table = at.table()
        assert table.period.due is not None
        form = game_deadline.shown(table, at.clock)
        assert form is not None and form.hour == ""
        local = table.period.due.astimezone(ZoneInfo("Europe/Paris")) + timedelta(minutes=25)
        given = {"day": local.date().isoformat(), "time": f"{local:%H:%M}"}
        assert game_deadline.chosen(table, given) == Elapsed(25)
        assert (form.day, form.time) == (
            date(2026, 3, 2).isoformat(),
            f"{table.period.due.astimezone(ZoneInfo('Europe/Paris')):%H:%M}",
        )
        with pytest.raises(OperatorError, match="is no time of day"):
            game_deadline.chosen(table, {"day": "2026-03-02", "time": "late"})


# --- the journal ----------------------------------------------------------------------------------


def test_the_journal_without_orders(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    at.once()
    at.to_deadline()
    with sight(at) as seen:
        page = game_journal.entries(seen, "g")
        first = game_journal.entries(seen, "g", 2)
    kinds = [one.kind for one in page.entries]
    assert kinds[0] == "published" and {"letter", "adjudicated", "start", "new"} <= set(kinds)
    assert "AGR" not in repr(page)
    letter = next(one for one in page.entries if one.kind == "letter")
    assert dict(letter.facts) == {"period": 1, "seat": "A"}
    assert [one.n for one in first.entries] == [1] and first.before == 0
    assert looked(at) == []


def test_a_replay_from_the_desk(at: Installation) -> None:
    at.to_deadline()
    with sight(at) as seen:
        report = game_journal.replayed(seen, "g")
    assert report.faults == [] and report.periods == 1 and report.journal
    with transaction(at.daemon.engine) as conn:
        conn.execute(update(Journal).where(Journal.n == 2).values(kind="forged"))
    with sight(at) as seen:
        assert "entry 2 does not follow" in game_journal.replayed(seen, "g").faults[0]


# --- two texts beside each other ------------------------------------------------------------------


def kinds(before: str, after: str) -> list[tuple[str, str, str]]:
    return [(row.kind, row.before, row.after) for row in differences.rows(before, after)]


def test_a_line_stands_beside_the_one_that_it_was() -> None:
    assert kinds("a\nA has 12 seats\nz", "a\nA has 13 seats\nz") == [
        ("same", "a", "a"),
        ("changed", "A has 12 seats", "A has 13 seats"),
        ("same", "z", "z"),
    ]
    assert kinds("one thing", "quite another\nstory") == [
        ("gone", "one thing", ""),
        ("new", "", "quite another"),
        ("new", "", "story"),
    ]
    assert kinds("the same\n", "the same") == []


def test_what_is_the_same_is_left_out() -> None:
    lines = [f"line {n}" for n in range(20)]
    after = [*lines[:10], "NEW", *lines[10:]]
    found = kinds("\n".join(lines), "\n".join(after))
    assert [one[0] for one in found] == [
        "left out",
        "same",
        "same",
        "new",
        "same",
        "same",
        "left out",
    ]
    assert found[0][1] == "8 lines that are the same"


def test_figures_that_are_otherwise() -> None:
    columns = ("Party", ">Seats", "Leader")
    before = sheet.heading("Parliament") + sheet.table(columns, [("A", 12, "Ann"), ("B", 3, "Bo")])
    after = sheet.heading("Parliament") + sheet.table(columns, [("A", 13, "Ann"), ("C", 4, "Cy")])
    assert differences.figures(before, after) == [
        Figure("Parliament", "A", "Seats", "12", "13"),
        Figure("Parliament", "C", "", "", "4, Cy"),
        Figure("Parliament", "B", "", "3, Bo", ""),
    ]
    assert differences.figures(before, sheet.table(columns, [])) == [], "another table"
