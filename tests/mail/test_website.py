"""The games as pages: written with each bulletin, from what all were told and nothing else, into a folder that
may be in trouble."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from icalendar import Calendar
from sqlalchemy import update

from pbem.errors import DatabaseError, OperatorError
from pbem.games.frame.dice import Dice
from pbem.periods import adjudicating, opening, publishing, rewinding
from pbem.periods.rewinding import Rewind
from pbem.post.work import Work, no_crash
from pbem.referee.acts import letter_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games, positions
from pbem.store.journal import notes
from pbem.store.schema.tables import Period
from pbem.website import folder, index, public
from pbem.website.files import Folder, SiteFolder
from tests.installation import GAMESMASTER, SEATS, Installation, desk, proven
from tests.keys import GAME_TESTS, module
from tests.mail.test_agreement import agree
from tests.mail.test_open_tables import ANN, ID, Club
from tests.shell import CONFIG, Shell
from tests.subjects import subjects

ATOM = "{http://www.w3.org/2005/Atom}"
BOLD = "<script>alert(1)</script>"


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    return tmp_path / "pages"


@pytest.fixture
def at(tmp_path: Path, pages: Path) -> Iterator[Installation]:
    site = {"folder": str(pages), "address": "https://games.example/"}
    with Installation(tmp_path, "coalition", seats=SEATS, site=site) as made:
        made.start()
        yield made


def files(pages: Path) -> dict[str, bytes]:
    found = [path for path in sorted(pages.rglob("*")) if path.is_file()]
    return {path.relative_to(pages).as_posix(): path.read_bytes() for path in found}


def text(pages: Path, name: str) -> str:
    """A page's words, on one line."""
    raw = (pages / name).read_text(encoding="utf-8")
    return " ".join(re.sub("<[^>]*>", " ", raw).split())


def told_anew(at: Installation) -> None:
    """All players of g are told something that changes nothing else."""
    with desk(at) as work:
        notes.stale(work.conn, work.now, "g")


def test_each_bulletin_is_on_the_pages_that_go_with_it(at: Installation, pages: Path) -> None:
    assert "Bulletin 0" in text(pages, "g/index.html")
    assert not (pages / "g/1.html").exists()
    at.send("A", f"SPECIAL AGR\nPRESS TO ALL: zebra {BOLD} morning\nPRESS TO B: for you alone")
    assert "zebra" not in str(files(pages))
    due = at.table().period.due
    at.to_deadline()
    assert "Bulletin 1" in text(pages, "g/index.html")
    assert "zebra &lt;script&gt;" in text(pages, "g/1.html")
    assert BOLD.encode() not in b"".join(files(pages).values())
    assert "for you alone" not in str(files(pages))
    assert due != at.table().period.due
    assert publishing.local_deadline(at.table()) in text(pages, "index.html")
    before = {name: (pages / name).stat().st_mtime_ns for name in files(pages)}
    at.once()
    assert before == {name: (pages / name).stat().st_mtime_ns for name in files(pages)}


def test_links_lead_to_pages_that_are_there_and_nothing_comes_from_elsewhere(
    at: Installation, pages: Path
) -> None:
    at.to_deadline()
    checked = 0
    for name, raw in files(pages).items():
        if not name.endswith(".html"):
            continue
        page = raw.decode()
        assert "<script" not in page and "://" not in page.replace("mailto:", ""), name
        for link in re.findall(r'(?:href|src)="([^"]*)"', page):
            if link.startswith("mailto:"):
                continue
            path, _, fragment = link.partition("#")
            target = (pages / name).parent / path if path else pages / name
            assert target.is_file(), (name, link)
            if fragment:
                assert f'id="{fragment}"' in target.read_text(encoding="utf-8"), (name, link)
            checked += 1
    assert checked > 50


def test_a_feed_has_what_atom_requires(at: Installation, pages: Path) -> None:
    """RFC 4287, 4.1.1 and 4.1.2."""
    at.write("A", "PRESS TO ALL: a \x0b tab & <b>bold</b> words")
    at.to_deadline()
    feed = ElementTree.fromstring((pages / "g/feed.xml").read_bytes())
    assert feed.tag == f"{ATOM}feed"
    entries = feed.findall(f"{ATOM}entry")
    assert len(entries) == 2
    ids = [one.findtext(f"{ATOM}id") for one in (feed, *entries)]
    assert len(set(ids)) == 3 and all(str(one).startswith("tag:") for one in ids)
    for one in (feed, *entries):
        assert one.findtext(f"{ATOM}title")
        moment = str(one.findtext(f"{ATOM}updated"))
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", moment)
        links = {link.get("rel"): str(link.get("href")) for link in one.findall(f"{ATOM}link")}
        assert links["alternate"].startswith("https://games.example/g/")
        assert (pages / links["alternate"].removeprefix("https://games.example/")).is_file()
    assert feed.findtext(f"{ATOM}author/{ATOM}name")
    assert "<b>bold</b> words" in str(entries[0].findtext(f"{ATOM}content"))


def test_a_calendar_has_each_deadline(at: Installation, pages: Path) -> None:
    first = at.table().period.due
    at.to_deadline()
    calendar = Calendar.from_ical((pages / "g/calendar.ics").read_bytes())
    ends = {str(event["UID"]): event["DTEND"].dt for event in calendar.walk("VEVENT")}
    assert list(ends.values()) == [first, at.table().period.due]
    assert len(ends) == 2


def test_a_bulletin_in_review_is_not_there(tmp_path: Path, pages: Path) -> None:
    """Nor is what the next period is called, or when it closes."""
    site = {"folder": str(pages)}
    with Installation(tmp_path, "coalition", seats=SEATS, publish="review", site=site) as at:
        at.start()
        at.start("other")
        at.to_deadline()
        with desk(at) as work:
            notes.stale(work.conn, work.now, "other")
        at.once()
        assert text(pages, "index.html").count("closed; its bulletin is to come none") == 2
        told_anew(at)
        at.once()
        assert not (pages / "g/1.html").exists()
        page = text(pages, "g/index.html")
        assert "Period 1 (opening) is closed; its bulletin is to come" in page
        assert "eriod 2" not in str(files(pages / "g")) + text(pages, "index.html")
        with desk(at) as work:
            adjudicating.release(work, games.game_at(work.conn, "g"))
        at.once()
        assert "period 2" in text(pages, "g/index.html")


def test_what_a_rewind_takes_back_is_gone_and_what_it_corrects_says_so(
    at: Installation, pages: Path
) -> None:
    at.to_deadline()
    at.to_deadline()
    assert (pages / "g/2.html").is_file()
    at.act(rewinding.done, Rewind("g", 1, "misread"))
    at.once()
    assert not (pages / "g/2.html").exists()
    assert "Bulletin 1 (corrected)" in text(pages, "g/index.html")
    assert "misread" in text(pages, "g/1.html")
    pictures = {name for name in files(pages / "g") if name.endswith(".png")}
    shown = re.findall(r'src="([^"]+)"', str(files(pages / "g")))
    assert pictures == set(shown)


def test_a_game_that_forbids_watching_is_not_there(tmp_path: Path, pages: Path) -> None:
    site, house = {"folder": str(pages)}, {"watch": False}
    with Installation(tmp_path, "coalition", seats=SEATS, house=house, site=site) as at:
        at.start()
        at.to_deadline()
        assert not (pages / "g").exists() and 'href="g/' not in str(files(pages))
        at.act(opening.end, "g", "enough")
        at.once()
        assert not (pages / "g").exists() and 'href="g/' not in str(files(pages))


@pytest.mark.parametrize("names", ["shown", "hidden"])
def test_names_are_told_as_the_table_has_them(tmp_path: Path, pages: Path, names: str) -> None:
    site, house = {"folder": str(pages)}, {"names": names}
    with Installation(tmp_path, "coalition", seats=SEATS, house=house, site=site) as at:
        at.start()
        at.to_deadline()
        assert ("Player A" in text(pages, "g/index.html")) == (names == "shown")
        assert names == "shown" or b"Player A" not in b"".join(files(pages).values())
        at.act(opening.end, "g", "enough")
        at.once()
        assert "Player A" in text(pages, "g/index.html")


def test_the_end_has_its_seed_and_what_players_say_once_all_were_told(
    at: Installation, pages: Path
) -> None:
    assert "pocket.py" not in text(pages, "g/index.html")
    agree(at, *SEATS, ballot="AGREE WIN C")
    page = text(pages, "g/index.html")
    assert "The game is over" in page and re.search(r"pocket.py seed [0-9a-f]{64} 7", page)
    assert "It had 1 period" in page or "periods, from" in page
    proven(at, "B", f"STATEMENT\nIt was {BOLD} all\nmine to lose.")
    at.once()
    told_anew(at)
    at.once()
    assert "to lose" not in str(files(pages))
    at.later(days=8)
    page = text(pages, "g/index.html")
    assert "It was &lt;script&gt;alert(1)&lt;/script&gt; all mine to lose." in page
    assert (pages / "pocket.py").is_file()


def test_an_open_table_says_how_to_join_it(tmp_path: Path, pages: Path) -> None:
    with Club(tmp_path, site={"folder": str(pages)}) as at:
        at.open(places=5)
        at.once()
        raw = (pages / "index.html").read_text(encoding="utf-8")
        (letter,) = re.findall(r'href="(mailto:[^"]+body=SIGNON[^"]+)"', raw)
        assert unquote(letter).endswith(f"?body=SIGNON {ID} AS ...")
        assert "0 so far" in text(pages, "index.html")
        at.join(ANN)
        assert "1 so far" in text(pages, "index.html")


def test_games_that_differ_only_in_what_is_secret_have_equal_pages(
    key: str, tmp_path: Path
) -> None:
    """The positions of all periods are replaced by such as differ in what some seat may not
    know."""
    twin = module(GAME_TESTS / key / "secrets.py").twin
    chance, differed = Dice("pages", key).stream("twins"), 0
    with Installation(tmp_path, key, publish="review") as at:
        at.start()
        for seat in at.seats:
            proven(at, seat, "PASS")
        for _ in range(2):
            if at.table().period.due:
                at.to_deadline()
            with desk(at) as work:
                if games.game_at(work.conn, "g").period.status == "review":
                    adjudicating.release(work, games.game_at(work.conn, "g"))
        folder.write(at.daemon.installation, at.clock, SiteFolder(tmp_path / "one"))
        for seat in at.seats[:2]:
            newest = at.table().period.number
            with desk(at) as work:
                for number in range(1, newest + 1):
                    table = games.game_at(work.conn, "g", number)
                    other = twin(table.state, seat, chance)
                    differed += other != table.state
                    columns = positions.dumped(table.ruleset, other)
                    where = (Period.game_id == "g", Period.number == number)
                    work.conn.execute(update(Period).where(*where).values(**columns))
            folder.write(at.daemon.installation, at.clock, SiteFolder(tmp_path / "other"))
            assert files(tmp_path / "one") == files(tmp_path / "other")
    assert differed


def test_busy_players_leave_nothing_on_the_pages(tmp_path: Path) -> None:
    """Two games with the same orders at their deadline, in one of which much is written, asked and
    taken back meanwhile."""
    seen = []
    for busy in (False, True):
        where = tmp_path / f"{busy}"
        where.mkdir()
        site = {"folder": str(where / "pages")}
        with Installation(where, "coalition", seats=SEATS, site=site) as at:
            at.start()
            if busy:
                proven(at, "A", "SPECIAL ENV\nSTATUS")
                proven(at, "B", "PRESS TO C: between us\nCHECK\nPASS")
                proven(at, "C", "QUIT")
                at.once(minutes=0)
            proven(at, "A", "SPECIAL AGR")
            told_anew(at)
            at.once()
            between = files(where / "pages")
            seen.append({name: _settled(raw) for name, raw in between.items()})
    assert seen[0] == seen[1]


def _settled(raw: bytes) -> bytes:
    return re.sub(rb"(?:Journal: head|bulletin [0-9]+:) [0-9a-f]{32}", b"", raw)


def listed(pages: Path, name: str) -> list[str]:
    """The games on a page and those that it leads on to, each as often as it is there."""
    raw = (pages / name).read_text(encoding="utf-8")
    found = re.findall(r'href="([a-z0-9-]+)/index.html"', raw)
    return found + [
        one
        for after in re.findall(r'<p><a rel="next" href="([^"]+)"', raw)
        for one in listed(pages, after)
    ]


def test_a_long_list_goes_on_over_pages_that_go_when_it_is_shorter(
    at: Installation, pages: Path
) -> None:
    others = ["b", "c", "d", "e"]
    for one in others:
        at.start(one)
    folder.write(at.daemon.installation, at.clock, SiteFolder(pages))
    at.act(index.write, Folder(pages), index.Lists(), most=2)
    assert sorted(listed(pages, "index.html")) == ["b", "c", "d", "e", "g"]
    assert 'rel="prev" href="index.html"' in (pages / "running-2.html").read_text()
    assert 'rel="prev" href="running-2.html"' in (pages / "running-3.html").read_text()
    with desk(at) as work:
        for one in others:
            opening.end(work, one, "enough")
    folder.write(at.daemon.installation, at.clock, SiteFolder(pages))
    at.act(index.write, Folder(pages), index.Lists(), most=2)
    assert sorted(listed(pages, "index.html")) == ["b", "c", "d", "e", "g"]
    lists = sorted(one.name for one in pages.glob("*-[0-9].html"))
    assert lists == ["over-2.html"]


def test_a_game_that_is_over_goes_by_names_and_says_what_it_counts(
    tmp_path: Path, pages: Path
) -> None:
    site = {"folder": str(pages), "address": "https://games.example/"}
    with Installation(tmp_path, "politics-1935", seats=("P1", "P2", "P3"), site=site) as at:
        at.start()
        for seat in ("P2", "P3"):
            at.write(seat, "RESIGN")
            at.once()
            at.write(seat, f"CONFIRM {at.codes(seat)[-1]}")
        at.once()
        at.to_deadline()
        folder.write(at.daemon.installation, at.clock, SiteFolder(pages))
        at.act(index.write, Folder(pages), index.Lists())
    assert "Player P1 wins the game" in text(pages, "index.html")
    assert "Seat Player Votes P1" in text(pages, "g/index.html")


__all__ = ["at", "pages"]
HOLDER = """
import fcntl, sys
lock = open(sys.argv[1], "a")
fcntl.flock(lock, fcntl.LOCK_EX)
print("mine", flush=True)
sys.stdin.read()
"""


def goes_on(at: Installation, **site: str) -> None:
    """The daemon is started anew with another [site]."""
    at.daemon.close()
    at.site = site
    at.daemon = at.new_daemon()


@pytest.mark.parametrize("writer", ["command", "daemon"])
def test_who_is_slow_puts_nothing_old_over_what_is_newer(
    at: Installation, pages: Path, monkeypatch: pytest.MonkeyPatch, writer: str
) -> None:
    """It has read the game and not yet written it when a bulletin is published and the daemon's
    pass comes to the pages."""
    run, site = shell(at), at.daemon.installation
    told_anew(at)
    has_read, may_write, real = threading.Event(), threading.Event(), public.game

    def game(*given: Any) -> Any:
        found = real(*given)
        if threading.current_thread() is slow:
            has_read.set()
            may_write.wait(30)
        return found

    def work() -> None:
        if writer == "command":
            run("site", str(pages))
        else:
            folder.renew(site, at.clock, no_crash, lambda: False)

    slow = threading.Thread(target=work)
    monkeypatch.setattr(public, "game", game)
    slow.start()
    assert has_read.wait(30)
    done = at.to_deadline()
    assert done.closed == 1 and not done.trouble
    may_write.set()
    slow.join(30)
    at.once()
    assert "Bulletin 1" in text(pages, "g/1.html") and "Bulletin 1" in text(pages, "g/index.html")
    assert publishing.local_deadline(at.table()) in text(pages, "index.html")
    assert marked(at) == []


def test_while_another_program_writes_the_command_says_so_and_the_daemon_waits(
    at: Installation, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "PATIENCE", 0.3)
    words = [sys.executable, "-c", HOLDER, str(pages / ".writing")]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout and other.stdout.readline() == b"mine\n"
        refused = shell(at).run("site", str(pages), code=3)
        assert "another program writes to it" in refused.stderr
        assert not at.to_deadline().trouble
        assert not (pages / "g/1.html").exists() and marked(at) == ["g"]
        other.kill()
    assert not at.once().trouble
    assert (pages / "g/1.html").is_file() and marked(at) == []


def test_the_command_has_the_address_of_the_configured_folder(
    at: Installation, pages: Path
) -> None:
    at.once()
    feed = (pages / "g/feed.xml").read_bytes()
    assert b"https://games.example/g/" in feed
    run = shell(at, f'\n[site]\nfolder = "{pages}"\naddress = "https://games.example/"\n')
    run("site", f"{pages.parent / 'x' / '..' / pages.name}")
    assert (pages / "g/feed.xml").read_bytes() == feed
    run("site", str(pages), "--address", "")
    assert b"games.example/" not in (pages / "g/feed.xml").read_bytes()
    run("site", str(pages.parent / "another"))
    assert b"games.example/" not in (pages.parent / "another/g/feed.xml").read_bytes()


def test_what_happens_while_no_folder_is_named_is_written_later(
    at: Installation, pages: Path
) -> None:
    """Or while another daemon, which has none, does the work."""
    goes_on(at)
    at.to_deadline()
    assert not (pages / "g/1.html").exists()
    goes_on(at, folder=str(pages), address="https://games.example/")
    at.once()
    assert (pages / "g/1.html").is_file()


def test_all_pages_are_written_anew_after_a_restore(at: Installation, pages: Path) -> None:
    """What is in the folder may be newer than the backup."""
    (pages / "g/1.html").write_text("of a period that is to be played again")
    at.act(letter_acts.restore)
    at.once()
    assert not (pages / "g/1.html").exists()


def test_nothing_unfinished_is_left(
    at: Installation, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    to, real = Folder(pages), os.replace

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OperatorError, match="No space left"):
        to.put("a.html", "a")
    monkeypatch.setattr(os, "replace", real)
    assert list(pages.rglob("*.new")) == []
    for name in (".a.html.1.new", "g/.0.html.1.new"):
        (pages / name).write_text("of one who was killed")
    told_anew(at)
    at.once()
    assert list(pages.rglob("*.new")) == []


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o027, 0o640)])
def test_files_are_for_those_whom_the_umask_lets(tmp_path: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        Folder(tmp_path).put("a.html", "a")
    finally:
        os.umask(before)
    assert (tmp_path / "a.html").stat().st_mode & 0o777 == mode


def test_a_game_that_must_go_and_cannot_is_trouble(tmp_path: Path, pages: Path) -> None:
    house, site = {"watch": False}, {"folder": str(pages)}
    with Installation(tmp_path, "coalition", seats=SEATS, house=house, site=site) as at:
        at.start()
        (pages / "g").write_text("no folder")
        told_anew(at)
        assert any("g cannot be removed" in one for one in at.once().trouble)
        assert marked(at) == ["g"]
        (pages / "g").unlink()
        (pages / "g").mkdir()
        (pages / "g/index.html").write_text("what nobody may read")
        assert not at.once().trouble
        assert not (pages / "g").exists() and marked(at) == []


def test_a_folder_within_a_games_folder_is_not_ours(at: Installation, pages: Path) -> None:
    (pages / "g/.well-known").mkdir()
    (pages / "g/.well-known/x").write_text("kept")
    (pages / "g/link").symlink_to(pages / "g/.well-known")
    told_anew(at)
    assert not at.once().trouble
    assert (pages / "g/.well-known/x").is_file() and not (pages / "g/link").is_symlink()


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
    (pages / "index.html").unlink()
    done = at.once()
    assert any("the pages of g" in one for one in done.trouble), done.trouble
    assert (pages / "other/0.html").is_file()
    assert marked(at) == ["g"]
    assert sorted(listed(pages, "index.html")) == ["g", "other"], "each as it stood last"


def spoiled(at: Installation, *ids: str) -> None:
    """The positions of these games cannot be read any more; their pages are to be written anew."""
    with exclusive_transaction(at.daemon.engine) as conn:
        for one in ids:
            broken = {"state": {"schema": 1}, "state_hash": f"broken {one}"}
            conn.execute(update(Period).where(Period.game_id == one).values(broken))
        notes.stale(conn, at.clock, *ids)


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


def _five_waiting(at: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five games whose pages are stale, of which a pass writes two at once."""
    for game in "bcde":
        at.start(game)
    monkeypatch.setattr(folder, "AT_ONCE", 2)
    with exclusive_transaction(at.daemon.engine) as conn:
        notes.stale(conn, at.clock, *"bcdeg")


def test_many_pages_give_way_and_go_on_in_the_next_pass(
    at: Installation, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _five_waiting(at, monkeypatch)
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
