"""The first page of a club: its own words, how to join, its games, who plays, and one feed."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from icalendar import Calendar

from pbem.errors import OperatorError
from pbem.games import GAMES
from pbem.periods import opening, rewinding
from pbem.periods.rewinding import Rewind
from pbem.website import folder, index
from pbem.website.files import SiteFolder
from tests.installation import SEATS, Installation, proven
from tests.mail.test_agreement import agree
from tests.mail.test_open_tables import ANN
from tests.mail.test_practice import club_of
from tests.mail.test_website import ATOM, BOLD, files, pages, text

__all__ = ["pages"]
WORDS = f"""# The Thursday Club

We have played
by post since 1974 [and more](https://thursday.example/?a=1&b="2").

* Slow games
  for slow people
- [come](mailto:club@thursday.example), or see https://thursday.example/where.

{BOLD} [x](javascript:alert(1)) GAMES
"""


@pytest.fixture
def at(tmp_path: Path, pages: Path) -> Iterator[Installation]:
    (tmp_path / "welcome.md").write_text(WORDS)
    site = {"folder": str(pages), "welcome": str(tmp_path / "welcome.md")}
    with Installation(tmp_path, "coalition", seats=SEATS, site=site) as made:
        made.start()
        yield made


def raw(pages: Path, name: str) -> str:
    return (pages / name).read_text(encoding="utf-8")


def letters(page: str) -> list[str]:
    return [unquote(one) for one in re.findall(r'href="mailto:[^"?]+\?body=([^"]+)"', page)]


def test_a_new_installation_has_a_home_page(tmp_path: Path, pages: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS) as made:
        folder.write(made.daemon.installation, made.clock, SiteFolder(pages))
    page = raw(pages, "index.html")
    assert letters(page) == ["GAMES", *(f"PRACTICE {key}" for key in GAMES)]
    assert "You need nothing but a mailbox" in text(pages, "index.html")
    for key in GAMES:
        assert f'href="rules-{key}.html"' in page
    assert "For 5 players; it takes about" in text(pages, "index.html")
    assert not (pages / "players.html").exists()
    feed = ElementTree.fromstring((pages / "feed.xml").read_bytes())
    assert feed.findtext(f"{ATOM}updated") and not feed.findall(f"{ATOM}entry")


def test_nothing_is_practised_where_that_is_off(tmp_path: Path, pages: Path) -> None:
    site = {"folder": str(pages)}
    with Installation(
        tmp_path, "coalition", seats=SEATS, site=site, limits={"practice_games": 0}
    ) as made:
        made.once()
    assert letters(raw(pages, "index.html")) == ["GAMES"]


def test_the_clubs_own_words_are_on_it_and_harmless(at: Installation, pages: Path) -> None:
    page = raw(pages, "index.html")
    assert "<h2>The Thursday Club</h2>" in page and BOLD not in page
    assert "We have played by post since 1974" in text(pages, "index.html")
    assert "<li>Slow games for slow people</li>" in page
    assert '<a href="mailto:club@thursday.example">come</a>' in page
    assert '<a href="https://thursday.example/where">https://thursday.example/where</a>.' in page
    assert 'href="javascript' not in page and "[x](javascript" in page
    Path(at.site["welcome"]).write_text("Other words")
    at.once()
    assert "Other words" in text(pages, "index.html"), "they are read at each pass"


def test_words_that_cannot_be_read_are_trouble_and_the_page_is_there(
    at: Installation, pages: Path
) -> None:
    Path(at.site["welcome"]).unlink()
    for _ in range(2):
        assert any("welcome.md: No such file" in one for one in at.daemon.once(at.clock).trouble)
        assert "Thursday" not in text(pages, "index.html")
        assert 'href="g/index.html"' in raw(pages, "index.html")


@pytest.mark.parametrize("content", [b"\xff\xfe", b"a" * 20_001])
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "w").write_bytes(content)
    with pytest.raises(OperatorError, match=r"^\[site\] welcome"):
        index.words(str(tmp_path / "w"))


def test_one_feed_has_the_bulletins_of_all_games(at: Installation, pages: Path) -> None:
    at.start("other")
    at.to_deadline()
    at.to_deadline()
    feed = ElementTree.fromstring((pages / "feed.xml").read_bytes())
    found = [
        (str(one.findtext(f"{ATOM}title")), str(one.find(f"{ATOM}link").get("href")))  # type: ignore[union-attr]
        for one in feed.findall(f"{ATOM}entry")
    ]
    assert {link for _, link in found} == {
        f"{game}/{number}.html" for game in ("g", "other") for number in range(3)
    }
    assert all((pages / link).is_file() for _, link in found)
    assert all(title.startswith(link.partition("/")[0]) for title, link in found)
    moments = [str(one.findtext(f"{ATOM}updated")) for one in feed.findall(f"{ATOM}entry")]
    assert moments == sorted(moments, reverse=True)
    at.act(rewinding.done, Rewind("g", 1, "misread"))
    at.once()
    feed = ElementTree.fromstring((pages / "feed.xml").read_bytes())
    titles = [str(one.findtext(f"{ATOM}title")) for one in feed.findall(f"{ATOM}entry")]
    assert not [one for one in titles if one.startswith("g: Bulletin 2")]
    assert [one for one in titles if one.startswith("g: Bulletin 1 (corrected)")]


def test_a_calendar_that_is_read_by_itself_has_a_name(at: Installation, pages: Path) -> None:
    made = Calendar.from_ical((pages / "g/calendar.ics").read_bytes())
    assert str(made["X-WR-CALNAME"]) == str(made["NAME"]) == "g: Coalition"


# --- the club's table -----------------------------------------------------------------------------


def test_who_asks_for_it_stands_in_the_clubs_table(at: Installation, pages: Path) -> None:
    assert not (pages / "players.html").exists()
    proven(at, "A", "LISTED ON")
    at.send("B", "LISTED ON")
    assert "Player A 1 0 g , Coalition, A: plays" in text(pages, "players.html")
    assert "Player B" not in text(pages, "players.html"), "his letter proves nothing"
    assert 'href="players.html"' in raw(pages, "index.html")
    code = re.findall(r"(?m)^ +CONFIRM (\S+)", at.newest("B"))[0]
    at.send("B", f"CONFIRM {code}")
    assert "Player B 1 0" in text(pages, "players.html")
    agree(at, *SEATS, ballot="AGREE WIN A")
    assert "Player A 1 1 g , Coalition, A: has won " in text(pages, "players.html")
    assert "B: played to the end" in text(pages, "players.html")
    addresses = {b"@coalition", *(f"{one.lower()}@".encode() for one in ("a", "b"))}
    assert not [one for one in addresses if one in files(pages)["players.html"]]
    proven(at, "A", "LISTED OFF")
    at.once()
    assert "Player A" not in text(pages, "players.html")


def test_a_hidden_name_stands_there_when_the_game_is_over(tmp_path: Path, pages: Path) -> None:
    site, house = {"folder": str(pages)}, {"names": "hidden"}
    with Installation(tmp_path, "coalition", seats=SEATS, house=house, site=site) as made:
        made.start()
        proven(made, "A", "LISTED ON")
        made.once()
        assert not (pages / "players.html").exists()
        made.act(opening.end, "g", "enough")
        made.once()
        assert "A: ended without a winner" in text(pages, "players.html")


def test_a_stranger_is_told_who_stands_there(tmp_path: Path) -> None:
    with club_of(tmp_path) as made:
        assert "stand those who play here" in made.say(ANN, "LISTED ON")
