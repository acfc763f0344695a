"""The games as pages: written with each bulletin, from what all were told and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from icalendar import Calendar
from sqlalchemy import Connection, update

from pbem.games.frame.dice import Dice
from pbem.periods import closing, opening, publishing, rewinding
from pbem.periods.rewinding import Rewind
from pbem.store.games import games, positions
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.tables import Period
from pbem.website import folder, index, public
from pbem.website.files import Folder, SiteFolder
from tests.installation import SEATS, Installation, desk, proven
from tests.keys import GAME_TESTS, module
from tests.mail.test_agreement import agree
from tests.mail.test_open_tables import ANN, ID, Club

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


def test_the_lists_look_at_no_game_that_has_not_changed(
    at: Installation, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for one in "bcd":
        at.start(one)
    at.once()
    looked, real = list[str](), public.game_summary

    def line(conn: Connection, table: GameAt) -> public.GameSummary:
        looked.append(table.id)
        return real(conn, table)

    monkeypatch.setattr(public, "game_summary", line)
    told_anew(at)
    at.once()
    assert looked == ["g"]
    for one in "bcd":
        (pages / one / "line.json").write_text("[")
    told_anew(at)
    at.once()
    assert looked == ["g", "g", "b", "c", "d"], "what is kept can be made anew"
    assert sorted(listed(pages, "index.html")) == ["b", "c", "d", "g"]


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
            closing.release(work, games.game_at(work.conn, "g"))
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
    assert "Periods played" in page
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


def test_an_open_table_that_forbids_watching_is_not_there(tmp_path: Path, pages: Path) -> None:
    with Club(tmp_path, house={"watch": False}, site={"folder": str(pages)}) as at:
        at.open(places=5)
        at.once()
        assert ID not in text(pages, "index.html")


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
                    closing.release(work, games.game_at(work.conn, "g"))
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
