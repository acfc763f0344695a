"""A new game by its form: what can be chosen and what it means, what is wrong at its field, what
would come of it, and that it is made then and not before."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from pbem.games import GAMES
from pbem.house import shelf
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.schema.tables import Journal, OpenTable, Outgoing, Player
from tests.desk.visitor import Visitor
from tests.installation import Installation
from tests.masters import ANNA, make
from tests.shell import Shell

FIVE = {f"address-{n}": f"p{n}@else.example" for n in range(1, 6)}


@pytest.fixture(scope="module")
def idle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation that is only looked at."""
    with Installation(tmp_path_factory.mktemp("idle"), "coalition") as at:
        at.start()
        at.once()
        yield at


def form(at: Installation, key: str = "coalition", how: str = "named") -> Visitor:
    return Visitor(at).come_in().get(f"/new?ruleset={key}&how={how}")


def fault(visitor: Visitor, name: str) -> str:
    """What stands at a field that is wrong; "" where nothing does."""
    found = visitor.find(f'[id="{name}-fault"]')
    return " ".join(found[0].text().split()) if found else ""


def on_file(at: Installation) -> tuple[list[str], int, int]:
    """All games, and how many players and mails there are."""
    with exclusive_transaction(at.daemon.engine) as conn:
        there = [one for one in ("g", "h", "autumn") if games.exists(conn, one)]
        counts = [
            conn.execute(select(func.count()).select_from(one)).scalar_one()
            for one in (Player, Outgoing)
        ]
    return there, counts[0], counts[1]


@pytest.mark.parametrize("named", GAMES)
def test_each_word_of_an_option_has_a_meaning(named: str) -> None:
    for option in shelf.open_ruleset(named).about.options:
        assert option.about and (option.bounds or option.meanings)
        assert all(option.meanings.values()), option.name
        assert str(option.read(option.default)) == str(option.default)


@pytest.mark.parametrize("named", GAMES)
@pytest.mark.parametrize("how", ["named", "table"])
def test_a_form_has_every_option_with_its_usual_value(
    idle: Installation, named: str, how: str
) -> None:
    visitor = form(idle, named, how)
    assert visitor.status == 200
    for option in shelf.open_ruleset(named).about.options:
        fields = visitor.find(f'[name="option-{option.name}"]')
        assert fields, option.name
        assert option.name in visitor.words
        if option.choices and not option.many:  # the usual one is marked, and says nothing
            chosen = [one for one in fields if "checked" in one.attributes]
            assert [one.attributes["value"] for one in chosen] == [""]
    for field in visitor.find("form.new input:not([type=hidden]), form.new select, textarea"):
        assert visitor.find(f'label[for="{field.id}"]') or field.parent.tag == "label"  # type: ignore[union-attr]


@pytest.mark.parametrize("named", GAMES)
@pytest.mark.parametrize("how", ["named", "table"])
def test_eight_options_stand_in_front_and_what_is_wrong_is_never_folded(
    idle: Installation, named: str, how: str
) -> None:
    visitor = form(idle, named, how)
    every, folded = (
        {str(one.attributes["name"]) for one in visitor.find(f"form.new {of}[name]")}
        for of in (":is(input, select, textarea)", "details :is(input, select, textarea)")
    )
    plain = re.compile("csrf|ruleset|how|id|standby|(address|name|seat)-[0-9]+")
    assert len([one for one in every - folded if not plain.fullmatch(one)]) <= 8
    assert "More to choose; all are as usual" in visitor.words
    visitor.press("Look at it", id="h", house="nonsense")
    assert visitor.find("details[open] #f-house") and "chosen: house" in visitor.words


@pytest.mark.parametrize("named", GAMES)
def test_what_would_come_of_it_is_shown_and_nothing_is_done(idle: Installation, named: str) -> None:
    before = on_file(idle)
    least = min(len(seats) for seats in shelf.open_ruleset(named).about.seats)
    players = {f"address-{n}": f"p{n}@else.example" for n in range(1, least + 1)}
    visitor = form(idle, named).press("Look at it", id="h", **players, **{"name-1": "Ann Archer"})
    assert visitor.status == 200, visitor.words
    assert "Ann Archer" in visitor.words and "The house rules of this game" in visitor.words
    assert f"[h] {shelf.open_ruleset(named).about.title}: you are" in visitor.words
    assert "tables.txt" in visitor.words and "Bulletin 0" in visitor.words
    assert on_file(idle) == before


def test_it_is_made_as_the_shell_would(at: Installation, tmp_path: Path) -> None:
    chosen = {"option-MAJORITY": "MEMBERS", "option-MAX_PERIODS": "9", "house-press": "open"}
    visitor = form(at).press("Look at it", id="h", pace="daily", **FIVE, **chosen)
    visitor.press("Make the game")
    assert "The game h is made" in visitor.words and visitor.button("Start h")
    shell = Shell(at, tmp_path / "config.toml")
    words = [word for address in FIVE.values() for word in ("--player", address)]
    words += ["--option", "MAJORITY=MEMBERS", "--option", "MAX_PERIODS=9", "--press", "open"]
    shell("new", "coalition", "shell", *words, "--pace", "daily", "--anyway")
    with exclusive_transaction(at.daemon.engine) as conn:
        made, other = games.game(conn, "h"), games.game(conn, "shell")
        players = [one.address for one in games.holders(conn, "h").values()]
        kinds = [Journal.many(conn, game_id=one)[0].kind for one in ("h", "shell")]
    assert players == list(FIVE.values())
    assert (made.options, made.house, made.trust) == (other.options, other.house, other.trust)
    assert kinds == ["new", "new"]


def test_only_what_was_seen_is_made(at: Installation) -> None:
    visitor = form(at).press("Look at it", id="h", **FIVE)
    visitor.press("Make the game", **{"option-MAX_PERIODS": "9"})
    assert "You have changed something since you looked" in visitor.words
    assert on_file(at)[0] == ["g"]
    visitor.press("Make the game")
    assert on_file(at)[0] == ["g", "h"]


def test_a_link_makes_nothing(idle: Installation) -> None:
    query = "&".join(f"{name}={value}" for name, value in FIVE.items())
    for step in ("do", "look"):
        visitor = Visitor(idle).come_in()
        visitor.get(f"/new?ruleset=coalition&how=named&id=h&step={step}&{query}")
        assert visitor.status == 200 and "What would come of it" not in visitor.words
    assert on_file(idle)[0] == ["g"]


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("id", "Spring 26", "small letters"),
        ("id", "g", "there is a game 'g' already"),
        ("address-2", "nobody", "no mail address"),
        ("name-6", "Ann", "an address is missing"),
        ("seat-1", "H", "is played by"),
        ("address-5", "", "is played by"),
        ("standby", "ann", "no mail address"),
        ("option-MAX_PERIODS", "1", "a whole number from 2 to 99"),
        ("option-PERIOD", "soon", "a length such as 90 minutes"),
        ("house-hour", "25:00", "not an hour of the day"),
        ("house-grace", "soon", "'soon' is not of the kind"),
        ("house", "loud=yes", "there is no house rule loud"),
        ("house", "loud", "write NAME=VALUE"),
        ("zone", "Mars", "no time zone"),
        ("second", "me", "no mail address"),
        ("scenario", "[public", "no TOML: Expected"),
    ],
)
def test_what_is_wrong_stands_at_its_field(
    idle: Installation, name: str, value: str, why: str
) -> None:
    visitor = form(idle).press("Look at it", **{"id": "h", **FIVE, name: value})
    places = {"name-6": "address-6", "seat-1": "players", "address-5": "players"}
    said = fault(visitor, places.get(name, name))
    assert visitor.status == 400 and why.lower() in said.lower(), visitor.words[:900]
    field = visitor.find(f'[name="{name}"]')[0]
    kept = field.text().strip() if field.tag == "textarea" else field.attributes.get("value")
    if field.tag != "select":
        assert (kept or "") == value, "what was filled in stays"
    assert on_file(idle)[0] == ["g"]


def test_a_scenario_tells_all_its_faults_at_their_keys(idle: Installation) -> None:
    text = "[public]\nvotes = 1\n\n[private.A]\nspecials = ['X', 'AGR']\nnam = 'Reds'\n"
    visitor = form(idle).press("Look at it", id="h", scenario=text, **FIVE)
    said = fault(visitor, "scenario")
    for where in (
        "line 2, public.votes:",
        "line 5, private.A.specials[1]:",
        "line 6, private.A.nam:",
    ):
        assert where in said
    good = "[private.A]\nname = 'Reds'\n"
    assert visitor.press("Look at it", scenario=good).status == 200
    assert "Reds" in visitor.words


def test_one_person_in_two_places_is_asked_about(at: Installation) -> None:
    twice = {**FIVE, "address-2": "p1@else.example"}
    visitor = form(at).press("Look at it", id="h", **twice)
    assert "plays" in fault(visitor, "anyway")
    visitor.press("Look at it", anyway="yes").press("Make the game")
    assert on_file(at)[0] == ["g", "h"]


def test_a_game_that_waits_is_made_anew_only_where_that_is_marked(at: Installation) -> None:
    form(at).press("Look at it", id="h", **FIVE).press("Make the game")
    visitor = form(at).press("Look at it", id="h", **FIVE, **{"option-MAX_PERIODS": "9"})
    assert "already" in fault(visitor, "id")
    visitor.press("Look at it", instead="yes").press("Make the game")
    with exclusive_transaction(at.daemon.engine) as conn:
        assert games.game(conn, "h").options["MAX_PERIODS"] == 9


def test_a_table_is_opened(at: Installation) -> None:
    before = on_file(at)
    visitor = form(at, how="table").press("Look at it", id="autumn", players="6", approve="yes")
    assert "The table autumn is open for 6 players" in visitor.words
    assert "Player 1" in visitor.words, "the start mail, of players whom nobody knows"
    assert on_file(at) == before
    visitor.press("Open the table")
    assert "The table autumn is open" in visitor.words
    with exclusive_transaction(at.daemon.engine) as conn:
        table = OpenTable.one(conn, id="autumn")
    assert table is not None and table.places == 6 and table.approve
    assert "is an open table" in fault(form(at).press("Look at it", id="autumn", **FIVE), "id")


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("players", "", "missing"),
        ("players", "many", "whole number"),
        ("reliability", "x", "whole"),
    ],
)
def test_what_is_wrong_with_a_table(idle: Installation, name: str, value: str, why: str) -> None:
    visitor = form(idle, how="table").press(
        "Look at it", **{"id": "h", "players": "5", name: value}
    )
    assert why in fault(visitor, name)


def test_only_the_gamesmaster_of_the_installation_makes_games(idle: Installation) -> None:
    make(idle, "h", gamesmaster=ANNA)
    visitor = Visitor(idle).come_in(ANNA).get("/new?ruleset=coalition&how=named")
    assert not visitor.find("form.new")
    assert "by the gamesmaster of the whole installation" in visitor.words
