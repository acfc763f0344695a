"""A game at the desk: its mails as they went out, preview and rewind beside what was published, its
deadline by the calendar, its journal."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select, update

from pbem.acts.acts import BY_NAME
from pbem.desk import acts, game, game_pages
from pbem.desk.asked import NotThere
from pbem.errors import OperatorError
from pbem.games.frame.length import Days, Elapsed
from pbem.periods import deadline_acts
from pbem.referee.acts import word_acts
from pbem.referee.acts.doing import Actor, do
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import bulletins
from pbem.store.journal.notes import LookKind
from pbem.store.schema.tables import Outgoing
from tests.desk.looking import a_mail, looked, sight
from tests.installation import SEATS, Installation
from tests.masters import ANNA, make
from tests.rewinds import four_periods, rewind

# --- mails as they went out -----------------------------------------------------------------------


def test_a_bulletin_as_it_went_out_is_no_look(at: Installation) -> None:
    at.to_deadline()
    with sight(at) as seen:
        table = game.table(seen, "g")
        face = game_pages.published(seen, table, 1, 1)
        sent = game_pages.of_issue(seen, table, "bulletin", 1)
    assert "<h1>" in face.html.replace("<h1 ", "<h1>") or "h1" in face.html
    assert 'src="data:image/png;base64,' in face.html and "cid:" not in face.html
    assert [one.seat for one in sent] == list(reversed(SEATS))
    assert {one.opens for one in sent} == {"open"} and "has gone out on" in sent[0].stands
    assert looked(at) == []


def test_without_its_mails_a_bulletin_is_set_anew(at: Installation) -> None:
    at.to_deadline()
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Outgoing).values(raw=b""))
    with sight(at) as seen:
        table = game.table(seen, "g")
        assert "Coalition" in game_pages.published(seen, table, 1, 1).html
        assert {one.opens for one in game_pages.of_issue(seen, table, "bulletin", 1)} == {""}
        with pytest.raises(NotThere, match="no bulletin 7"):
            game_pages.published(seen, table, 7, 1)


def test_a_notice_that_is_opened_is_a_look(at: Installation) -> None:
    with sight(at) as seen:
        face = game_pages.opened(seen, "g", a_mail(seen.conn, "g", "start", "B"))
    assert looked(at) == [LookKind.MAIL] and face.text and face.html


def test_no_secret_address_is_shown(at: Installation) -> None:
    """They are in headers and links; whoever has one writes as that seat."""
    at.to_deadline()
    with sight(at) as seen:
        rows = seen.conn.execute(select(Outgoing.id, Outgoing.kind, Outgoing.raw)).all()
        linked = 0
        for row in rows:
            if row.kind in (*game_pages.OWN, *game_pages.ALIKE):
                linked += b"mailto:" in row.raw
                face = game_pages.opened(seen, "g", row.id)
                assert "mailto:" not in face.html
                assert not re.search(r"referee\+\S+@", face.html + face.text + face.subject)
            else:
                with pytest.raises(NotThere, match="is opened here"):
                    game_pages.opened(seen, "g", row.id)
        assert linked


def test_a_mail_of_another_game_is_not_opened_through_one(at: Installation) -> None:
    make(at, "h", gamesmaster=ANNA)
    with sight(at, ANNA) as seen, pytest.raises(NotThere, match="is opened here"):
        game_pages.opened(seen, "h", a_mail(seen.conn, "g", "start", "B"))
    assert looked(at) == []


# --- preview and rewind ---------------------------------------------------------------------------


def test_a_preview_beside_the_last_bulletin(at: Installation) -> None:
    at.to_deadline()
    at.send("D", 'NAME "The Doves"')
    with sight(at) as seen:
        done = do(seen.work, BY_NAME["preview"], {"game": "g"}, Actor())
        assert isinstance(done.seen, word_acts.Preview)
        ahead = game_pages.coming(seen, game.table(seen, "g"), done.seen)
    assert (ahead["number"], ahead["last"], ahead["waits"]) == (2, 1, False)
    assert any("The Doves" in row.after and row.kind in ("new", "changed") for row in ahead["rows"])
    assert [one["seat"] for one in ahead["counts"]] == list(SEATS)
    assert "PREVIEW" in ahead["text"] and looked(at) == [LookKind.PREVIEW]


def test_a_rewind_that_is_tried_is_shown_side_by_side(at: Installation) -> None:
    four_periods(at)
    values = {"game": "g", "number": 2, "why": "misread", "do": False}
    values |= {"order": [("D", 'NAME "Dissent"')], "accept": [], "drop": []}
    with sight(at) as seen:
        done = do(seen.work, BY_NAME["rewind"], values, Actor())
        assert done.seen is not None and not isinstance(done.seen, word_acts.Preview)
        again = game_pages.again(game.table(seen, "g"), done.seen)
    (orders,) = again["orders"]
    assert orders["seat"] == "D" and [row.kind for row in orders["rows"]] == ["changed"]
    (row,) = orders["rows"]
    assert ("D2" in row.before, "Dissent" in row.after) == (True, True)
    assert any("D2" in one.before for one in again["rows"])
    assert any("Dissent" in one.after for one in again["rows"])
    assert looked(at) == [LookKind.DRY_RUN]
    assert at.table().period.number == 4


def test_a_rewound_game_shows_both_editions(at: Installation) -> None:
    at.to_deadline()
    at.to_deadline()
    rewind(at, 1)
    at.once()
    with sight(at) as seen:
        table = game.table(seen, "g")
        head = game.head(seen, "g")
        listed = {one.number: one for one in bulletins.listed(seen.conn, table.id)}
        assert (head.row.edition, table.period.number) == (2, 2)
        assert (listed[1].edition, bool(listed[1].voided)) == (2, False)
        assert (listed[2].edition, bool(listed[2].voided)) == (1, True)
        old, new = (game_pages.published(seen, table, 1, edition) for edition in (1, 2))
        assert "CORRECTED" in new.text and "CORRECTED" not in old.text
        first = game.timeline(seen, table)[0][-1]
        assert (first.at.period.number, first.at.period.edition) == (1, 2)


# --- a deadline by the calendar -------------------------------------------------------------------


def test_a_day_becomes_the_days_of_the_act(at: Installation) -> None:
    table = at.table()
    assert acts.chosen(table, {"day": "2026-03-12"}) == Days(3)
    assert acts.chosen(table, {"day": "2026-03-08"}) == Days(-1)
    for day in ("", "tomorrow", "2026-02-30"):
        with pytest.raises(OperatorError, match="is no day"):
            acts.chosen(table, {"day": day})


def test_a_day_is_what_it_says_over_the_change_of_clocks(at: Installation) -> None:
    table = at.table()
    by = acts.chosen(table, {"day": "2026-03-30"})
    moved = at.act(deadline_acts.extend, "g", 1, by, "spring")
    due = moved.period.due
    assert due == datetime(2026, 3, 30, 22, 0, tzinfo=UTC)


@pytest.mark.game("coalition", pace="evening")
def test_of_a_game_in_minutes_the_time_counts(at: Installation) -> None:
    table = at.table()
    assert table.period.due is not None
    local = table.period.due.astimezone(ZoneInfo("Europe/Paris")) + timedelta(minutes=25)
    given = {"day": local.date().isoformat(), "time": f"{local:%H:%M}"}
    assert acts.chosen(table, given) == Elapsed(25)
    with pytest.raises(OperatorError, match="is no time of day"):
        acts.chosen(table, {"day": "2026-03-02", "time": "late"})


# --- the journal ----------------------------------------------------------------------------------


def test_the_journal_without_orders(at: Installation) -> None:
    at.send("A", "SPECIAL AGR")
    at.to_deadline()
    with sight(at) as seen:
        page, _ = game.journal(seen, "g")
        first, before = game.journal(seen, "g", 2)
    kinds = [one.kind for one in page]
    assert kinds[0] == "published" and {"letter", "adjudicated", "start", "new"} <= set(kinds)
    assert "AGR" not in repr(page)
    letter = next(one for one in page if one.kind == "letter")
    assert letter.said == "Letter 1 of A for period 1 was taken."
    assert [one.n for one in first] == [1] and before == 0
    assert looked(at) == []


# --- two texts beside each other ------------------------------------------------------------------


def kinds(before: str, after: str) -> list[tuple[str, str, str]]:
    return [(row.kind, row.before, row.after) for row in game_pages.rows(before, after)]


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
