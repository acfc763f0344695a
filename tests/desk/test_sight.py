"""What a gamesmaster sees at the desk: his own games; and of one that he plays in nothing that its
players may not know."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pbem.desk.app import PAGES
from pbem.referee.acts.doing import Actor, do
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Letter, Outgoing
from tests.desk import world
from tests.desk.visitor import Visitor
from tests.installation import GAMESMASTER, SEATS, Installation, desk, proven
from tests.masters import ANNA, make
from tests.twins import database_of_a_twin

OF_GAME = [entry for entry in PAGES if "{game}" in entry.path]
OF_LETTER = [entry for entry in PAGES if "{letter:int}" in entry.path]
RANDOM = re.compile(r'name="(?:csrf|token)" value="[^"]*"|head [0-9a-f]{32}')
"""What differs on a page with each session, and what a bulletin says of the journal, whose hash is
over random numbers."""
NUMBERS = ("0", "1", "2", "3", "99")


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """g, r, p, w, o and the table t are the installation's gamesmaster's, h is Anna's."""
    with world.world(tmp_path_factory.mktemp("desk")) as at:
        world.furnish(at)
        yield at


def numbers(at: Installation, rows: Any, game: str) -> list[str]:
    with exclusive_transaction(at.daemon.engine) as conn:
        found = conn.execute(select(rows.id).where(rows.game_id == game).order_by(rows.id))
        return [str(number) for number in found.scalars()]


def addresses(at: Installation, entry: Any, game: str) -> list[str]:
    """A page of a game with whatever may stand at its other places."""
    found = [str(entry.path).replace("{game}", game)]
    for hole, values in (
        ("{seat}", SEATS),
        ("{number:int}", NUMBERS),
        ("{mail:int}", numbers(at, Outgoing, game)),
        ("{letter:int}", numbers(at, Letter, game)),
        ("{name}", ("board", "chart")),
        ("{table}", ("h",)),
    ):
        if hole in entry.path:
            found = [one.replace(hole, value) for one in found for value in values]
    assert not any("{" in one for one in found), f"what stands in {entry.path}?"
    return found


@pytest.mark.parametrize("entry", OF_GAME, ids=lambda entry: entry.path)
def test_a_game_of_anothers_is_not_there(at: Installation, entry: Any) -> None:
    visitor = Visitor(at).come_in(ANNA)
    for game in ("g", "o", "r"):
        paths = addresses(at, entry, game)[:20]
        assert paths or game == "w"
        for path in paths:
            for method in ("GET", "POST") if entry.posts else ("GET",):
                csrf = visitor.get("/do").find('[name="csrf"]')[0].attributes["value"]
                visitor.ask(method, path, f"csrf={csrf}&step=try".encode())
                assert visitor.status == 404, (method, path, visitor.words)
                assert "Player" not in visitor.text


@pytest.mark.parametrize("entry", OF_LETTER, ids=lambda entry: entry.path)
def test_nor_are_its_letters(at: Installation, entry: Any) -> None:
    visitor = Visitor(at).come_in(ANNA)
    for game in ("g", ""):
        for path in addresses(at, entry, game):
            assert visitor.ask("GET", path).status == 404, path
            assert "SPECIAL" not in visitor.text


def test_nor_its_table_nor_anything_of_it_in_a_list(at: Installation) -> None:
    visitor = Visitor(at).come_in(ANNA)
    for entry in PAGES:
        for hole in ("{key}", "{table}"):
            if hole in entry.path:
                assert visitor.ask("GET", entry.path.replace(hole, "t")).status == 404
    for entry in PAGES:
        if "{" not in entry.path:
            visitor.get(entry.path)
            owners = entry.path in ("/paper", "/restore")
            assert visitor.status == (404 if owners else 200), entry.path
            links = [one.attributes["href"] or "" for one in visitor.find("a[href]")]
            assert not [one for one in links if re.search(r"/(games|tables)/[grpwot](/|\?|$)", one)]
            assert not [one for one in links if re.search(r"/letters/\d+", one)], entry.path
            assert not re.search(r"\bPlayer [A-Z]\b", visitor.text) or entry.path == "/new"
            assert "New" not in [one.text() for one in visitor.find("td")]
    choices = [
        one.attributes["value"] for one in Visitor(at).come_in(ANNA).get("/do/hold").find("option")
    ]
    assert choices == ["", "h"]


def test_his_own_is_there(at: Installation) -> None:
    """So that the tests above do not hold because nothing is."""
    visitor = Visitor(at).come_in(GAMESMASTER)
    for entry in OF_GAME:
        found = {visitor.ask("GET", path).status for path in addresses(at, entry, "g")}
        assert 200 in found, (entry.path, addresses(at, entry, "g"))
    for entry in OF_LETTER:
        if not entry.path.endswith("/html"):  # no letter here has any
            assert 200 in {visitor.ask("GET", path).status for path in addresses(at, entry, "g")}


# --- a gamesmaster who plays ----------------------------------------------------------------------


def twin(at: Installation, orders: str, press: str) -> None:
    """A game h of Anna's in which the gamesmaster plays B, and others send what the twin's do not:
    orders, private press, a letter that waits, orders entered for them, a ruling of Anna's."""
    make(at, "h", gamesmaster=ANNA, seated={"B": GAMESMASTER}, trust="proven", seed="9")
    for seat in "ACD":
        proven(at, seat, f"GAME h\n{orders}\n\nPRESS TO E\n{press}\nEND PRESS")
    at.send("E", f"GAME h\n{orders}")
    with desk(at) as work:
        values = {"game": "h", "seat": "E", "file": orders, "period": 1}
        do(work, world.BY_NAME["order"], values, Actor(ANNA))
        do(work, world.BY_NAME["preview"], {"game": "h"}, Actor(ANNA))
    at.once()


def seen(at: Installation, who: str) -> dict[str, tuple[int, str]]:
    """Every page as somebody sees it."""
    visitor, found = Visitor(at).come_in(who), {}
    paths = [entry.path for entry in PAGES if "{" not in entry.path]
    paths += [f"/do/{name}?game=h" for name in world.BY_NAME]
    paths += ["/letters?page=1", "/?kind=unverified", "/games?state=running"]
    for entry in PAGES:
        if "{act}" in entry.path or "{" not in entry.path:
            continue
        paths += addresses(at, entry, "h")
    for path in paths:
        visitor.ask("GET", path)
        found[path] = visitor.status, RANDOM.sub("", visitor.body.decode("latin-1"))
    return found


@pytest.mark.parametrize("who", ["", GAMESMASTER], ids=["shell", "by mail"])
def test_whoever_plays_sees_what_his_twin_does(tmp_path: Path, who: str) -> None:
    with ExitStack() as stack:
        pages = []
        for name, orders, press in (
            ("one", "SPECIAL AGR", "The harbour"),
            ("two", "SPECIAL FIN", "The railway"),
        ):
            url = database_of_a_twin(tmp_path / name)
            twins = Installation(
                tmp_path / name, "coalition", seats=SEATS, strangers=(ANNA,), url=url
            )
            at = stack.enter_context(twins)
            twin(at, orders, press)
            pages.append(seen(at, who))
        one, two = pages
        assert one.keys() == two.keys() and len(one) > 40
        different = [path for path in one if one[path] != two[path]]
        assert different == []
        assert not any("harbour" in text or "SPECIAL AGR" in text for _, text in one.values())
