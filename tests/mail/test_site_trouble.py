"""The games as pages, where something is in the way: files that cannot be written, games that cannot
be read, a plug that is pulled, many games at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from pbem.errors import DatabaseError
from pbem.periods import publishing
from pbem.post.crash_points import no_crash
from pbem.post.work import Work
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import positions
from pbem.store.journal import notes
from pbem.store.schema.tables import Period
from pbem.website import folder, index, public
from tests.installation import GAMESMASTER, Installation, desk
from tests.mail.test_website import at, listed, pages, text, told_anew
from tests.shell import CONFIG, Shell
from tests.subjects import subjects

__all__ = ["at", "pages"]


def marked(at: Installation) -> list[str]:
    """The games whose pages are to be written anew."""
    with exclusive_transaction(at.daemon.engine) as conn:
        return sorted(notes.all_stale(conn))


def shell(at: Installation, site: str = "") -> Shell:
    made = Shell(at, at.folder / "config.toml")
    made.write(CONFIG.format(**made.settings) + site)
    return made


@contextmanager
def counting(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> Iterator[list[Any]]:
    """The calls of a function, by their arguments."""
    calls, real = list[Any](), getattr(module, name)

    def counted(*given: Any, **more: Any) -> Any:
        calls.append(given)
        return real(*given, **more)

    with monkeypatch.context() as patch:
        patch.setattr(module, name, counted)
        yield calls


class Killed(BaseException):
    """The plug is pulled."""


def killing(where: str) -> Callable[[str], None]:
    def crash(point: str) -> None:
        if point == where:
            raise Killed(point)

    return crash


def test_a_folder_that_cannot_be_written_is_trouble_and_tried_again(
    at: Installation, pages: Path
) -> None:
    aside = pages.with_name("aside")
    pages.rename(aside)
    pages.write_text("in the way")
    done = at.to_deadline()
    assert done.closed == 1 and done.sent and any("site: " in one for one in done.trouble)
    at.once()
    assert sum("pages cannot be written" in one for one in subjects(at, GAMESMASTER)) == 1
    pages.unlink()
    assert not at.once().trouble
    assert "Bulletin 1" in text(pages, "g/index.html")


def test_a_game_whose_pages_cannot_be_made_stops_neither_the_pass_nor_the_others(
    at: Installation, pages: Path
) -> None:
    at.start("other")
    spoiled(at, "g")
    with exclusive_transaction(at.daemon.engine) as conn:
        notes.stale(conn, at.clock, "other")
    positions._STATES.kept.clear()
    (pages / "other/0.html").unlink()
    done = at.once()
    assert any("the pages of g" in one for one in done.trouble), done.trouble
    assert (pages / "other/0.html").is_file()
    assert marked(at) == ["g"]


def spoiled(at: Installation, *ids: str) -> None:
    """The positions of these games cannot be read any more; their pages are to be written anew."""
    with exclusive_transaction(at.daemon.engine) as conn:
        for one in ids:
            broken = {"state": {"schema": 1}, "state_hash": f"broken {one}"}
            conn.execute(update(Period).where(Period.game_id == one).values(broken))
        notes.stale(conn, at.clock, *ids)


def test_games_that_cannot_be_read_keep_no_other_from_the_lists(
    at: Installation, pages: Path
) -> None:
    at.start("other")
    spoiled(at, "g")
    with exclusive_transaction(at.daemon.engine) as conn:
        notes.stale(conn, at.clock, "other")
    (pages / "index.html").unlink()
    assert at.once().trouble
    assert marked(at) == ["g"]
    assert sorted(listed(pages, "index.html")) == ["g", "other"], "each as it stood last"


def test_pages_that_cannot_be_made_are_tried_after_all_others(
    at: Installation, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "AT_ONCE", 2)
    for one in "bcd":
        at.start(one)
    spoiled(at, *"bcd")
    at.once()
    at.clock += timedelta(minutes=1)
    told_anew(at)
    (pages / "g/0.html").unlink()
    at.once()
    assert (pages / "g/0.html").is_file()
    with exclusive_transaction(at.daemon.engine) as conn:
        left = notes.all_stale(conn)
    assert sorted(left) == ["b", "c", "d"] and all(one["failed"] for one in left.values())


@pytest.mark.parametrize("point", ["pass.kept_up", "pages.written", "pages.noted"])
def test_a_plug_pulled_loses_no_bulletin(at: Installation, pages: Path, point: str) -> None:
    at.daemon.close()
    at.daemon = at.new_daemon(killing(point))
    with pytest.raises(Killed):
        at.to_deadline()
    assert (pages / "g/1.html").exists() == point.startswith("pages.")
    at.daemon.close()
    at.daemon = at.new_daemon()
    at.once()
    assert "Bulletin 1" in text(pages, "g/1.html")
    assert publishing.local_deadline(at.table()) in text(pages, "index.html")
    assert marked(at) == []


@pytest.mark.parametrize(
    "kept", ["", "[", "5", "null", '"g"', "{}", '{"id":"g"}', "[" * 5000, "another's", "older"]
)
def test_what_is_kept_for_the_lists_is_made_anew_where_it_is_no_line(
    at: Installation, pages: Path, kept: str
) -> None:
    for one in "bc":
        at.start(one)
    at.once()
    file = pages / "b/line.json"
    was = file.read_text()
    others = {
        "another's": (pages / "c/line.json").read_text(),
        "older": was.replace('"over":false,', ""),
    }
    file.write_text(others.get(kept, kept))
    told_anew(at)
    assert not at.once().trouble
    assert file.read_text() == was and marked(at) == []
    assert sorted(listed(pages, "index.html")) == ["b", "c", "g"]


def test_all_that_waits_is_written_in_one_pass_and_the_lists_once(
    at: Installation, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for one in "bcde":
        at.start(one)
    monkeypatch.setattr(folder, "AT_ONCE", 2)
    with exclusive_transaction(at.daemon.engine) as conn:
        notes.stale(conn, at.clock, *"bcdeg")
    for one in "bcdeg":
        (pages / one / "0.html").unlink()
    with counting(monkeypatch, index, "write") as lists:
        at.once()
    assert marked(at) == [] and all((pages / one / "0.html").is_file() for one in "bcdeg")
    assert len(lists) == 1


def test_many_pages_give_way_and_go_on_in_the_next_pass(
    at: Installation, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for one in "bcde":
        at.start(one)
    monkeypatch.setattr(folder, "AT_ONCE", 2)
    with exclusive_transaction(at.daemon.engine) as conn:
        notes.stale(conn, at.clock, *"bcdeg")
    left = iter([False, False, True])
    with counting(monkeypatch, index, "write") as lists:
        assert (
            folder.renew(at.daemon.installation, at.clock, no_crash, lambda: next(left, True)) == 3
        )
        assert len(marked(at)) == 2 and len(lists) == 0
        assert folder.renew(at.daemon.installation, at.clock, no_crash, lambda: True) == 1
        assert folder.renew(at.daemon.installation, at.clock, no_crash, lambda: True) == 1
        assert marked(at) == [] and len(lists) == 0, "they wait for the last page"
        for _ in range(2):
            assert folder.renew(at.daemon.installation, at.clock, no_crash, lambda: True) == 0
            assert len(lists) == 1


def test_a_game_that_never_can_be_written_is_tried_once_a_pass_and_costs_no_lists(
    at: Installation, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at.start("other")
    spoiled(at, "g")
    at.once()
    with (
        counting(monkeypatch, index, "write") as lists,
        counting(monkeypatch, folder, "_frame") as frames,
        counting(monkeypatch, public, "game") as tried,
    ):
        assert at.once().trouble
        assert len(tried) == 1 and lists == [] and frames == []


def test_games_of_which_none_can_be_written_are_left_after_some(
    at: Installation, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full: each is tried once, and then some of them in each pass."""
    for one in "bcde":
        at.start(one)
    monkeypatch.setattr(folder, "AT_ONCE", 2)
    spoiled(at, *"bcdeg")
    with counting(monkeypatch, public, "game") as tried:
        at.once()
        assert len(tried) == 5
        at.once()
        assert len(tried) == 7


def test_the_command_writes_what_it_can_and_says_what_it_cannot(
    at: Installation, pages: Path
) -> None:
    at.start("a")
    at.start("z")
    (pages.parent / "else").mkdir()
    (pages.parent / "else/a").write_text("in the way")
    words = ("site", str(pages.parent / "else"))
    told = shell(at).run(*words, code=1)
    assert "2 games: " in told.stdout and f"{pages.parent / 'else/a'}" in told.stderr
    assert (pages.parent / "else/z/0.html").is_file()
    spoiled(at, "g")
    (pages.parent / "else/a").unlink()
    told = shell(at).run(*words, code=3)
    assert "3 games: " in told.stdout and "the pages of g: " in told.stderr
    assert sorted(listed(pages.parent / "else", "index.html")) == ["a", "g", "z"]


def test_the_course_of_a_long_game_is_found_in_one_look(at: Installation) -> None:
    with desk(at) as work:
        found = public.game(work.conn, "g")
    assert found
    _, game = found

    class Issues(list[public.Issue]):
        looks = 0

        def __iter__(self) -> Iterator[public.Issue]:
            Issues.looks += 1
            return super().__iter__()

    issues = Issues(replace(game.issues[0], number=n, scores={"A": n}) for n in range(100))
    course = replace(game, issues=issues).course
    assert Issues.looks == 1
    assert course[-1].number == 99 and len(course) == 25


def test_trouble_of_the_database_is_no_games(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    told_anew(at)

    def away(work: Work, *_: object) -> None:
        work.conn.exec_driver_sql("SELECT 1 FROM nowhere")

    with monkeypatch.context() as patched:
        patched.setattr(folder, "write_game", away)
        with pytest.raises(DatabaseError):
            at.once()
    with exclusive_transaction(at.daemon.engine) as conn:
        assert "failed" not in notes.all_stale(conn)["g"]
