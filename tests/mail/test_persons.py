"""One person in two places is doubted, and done where it is meant; a game that has not begun is
changed and deleted."""

import re

import pytest
from sqlalchemy import func, insert, select

from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.table_base import Record
from pbem.store.schema.tables import Address, Game, Journal, Letter, Player, Press
from tests.installation import GAMESMASTER, SEATS, address
from tests.masters import reply_to
from tests.shell import Shell

NEW = "new@else.example"
DONE = "Nothing was done; if it is meant so, add --anyway"


def people(**other: str) -> list[str]:
    """The players of `pbem new`, some seats given to others."""
    given = {seat: f"{address(seat)},Player {seat}" for seat in SEATS} | other
    return [word for seat, who in given.items() for word in ("--player", f"{seat}={who}")]


def last(shell: Shell, kind: str, game: str = "g") -> dict[str, object]:
    with exclusive_transaction(shell.at.daemon.engine) as conn:
        where = (Journal.game_id == game, Journal.kind == kind)
        found = select(Journal.data).where(*where).order_by(Journal.n.desc())
        return dict(conn.execute(found).scalars().first() or {})


def rows(shell: Shell) -> dict[str, int]:
    """How many rows of each table are of game g, and how many persons there are."""
    with exclusive_transaction(shell.at.daemon.engine) as conn:
        found = {
            table.name: conn.execute(
                select(func.count()).select_from(table).where(table.c.game_id == "g")
            ).scalar_one()
            for table in Record.metadata.sorted_tables
            if "game_id" in table.c
        }
        found["game"] = conn.execute(
            select(func.count()).select_from(Game).where(Game.id == "g")
        ).scalar_one()
        for one in (Player, Address):
            found[one.__tablename__] = conn.execute(
                select(func.count()).select_from(one)
            ).scalar_one()
    return {name: count for name, count in found.items() if count}


# --- one person in two places ---------------------------------------------------------------------


@pytest.mark.parametrize("written", [address("A"), address("A").upper(), f" {address('A')}"])
def test_one_person_in_two_seats(shell: Shell, written: str) -> None:
    new = ("new", "coalition", "g", *people(B=written))
    said = shell.fails(*new)
    assert "Player A plays A in g, and would play B too" in said and DONE in said
    assert not rows(shell)
    assert "game g is made" in shell(*new, "--anyway")
    assert last(shell, "new")["anyway"] == ["Player A plays A in g, and would play B too"]


def test_another_registered_address_is_the_same_person(made: Shell) -> None:
    made("address", address("A"), "other@legit.example")
    said = made.fails("new", "coalition", "h", *people(B="other@legit.example"))
    assert "Player A plays A in h, and would play B too" in said


def test_a_player_who_is_to_stand_by(shell: Shell) -> None:
    new = ("new", "coalition", "g", *people(), "--standby", NEW, "--standby", NEW)
    assert "new stands by for g already" in shell.fails(*new)
    new = ("new", "coalition", "g", *people(), "--standby", address("C"))
    assert "Player C plays C in g" in shell.fails(*new)
    assert "game g is made" in shell(*new, "--anyway")


def test_what_is_not_doubted_is_not_journalled(made: Shell) -> None:
    assert "anyway" not in last(made, "new")
    made("standby", "g", NEW, "--anyway")
    assert "anyway" not in last(made, "standby")


def test_plus_addresses_are_two_persons_and_noted(shell: Shell) -> None:
    said = shell("new", "coalition", "g", *people(B="a+b@legit.example"))
    assert "Note: a@legit.example and a+b@legit.example differ only behind the plus sign" in said
    assert "note" not in shell("standby", "g", NEW)
    assert "and c+x@legit.example differ" in shell("standby", "g", "c+x@legit.example")


def test_a_seat_for_one_who_has_one(begun: Shell) -> None:
    replace = ("replace", "g", "A", address("B"), "--why", "moved")
    assert "Player B plays B in g, and would play A too" in begun.fails(*replace)
    assert begun.at.table().holders["A"].address == address("A")
    begun(*replace, "--anyway")
    assert begun.at.table().holders["A"].address == address("B")
    assert last(begun, "replaced")["anyway"] == ["Player B plays B in g, and would play A too"]


def test_a_seat_for_the_gamesmaster(begun: Shell) -> None:
    replace = ("replace", "g", "A", GAMESMASTER, "--why", "moved")
    assert "is the gamesmaster of g" in begun.fails(*replace)
    begun(*replace, "--anyway")


def test_a_seat_for_its_own_player_is_no_replacement(begun: Shell) -> None:
    replace = ("replace", "g", "A", address("A").upper(), "--why", "moved")
    for words in (replace, (*replace, "--anyway")):
        assert "Player A plays A in g already" in begun.fails(*words)


def test_by_mail_it_is_the_last_word(begun: Shell) -> None:
    at = begun.at
    to = reply_to(at, GAMESMASTER)

    def by_mail(line: str) -> str:
        at.write(GAMESMASTER, f"GAME g\nPERIOD 1\n{line}", To=to)
        begun("once")
        for code in re.findall(r"CONFIRM (\S+)", at.newest(GAMESMASTER)):  # none if it is refused
            at.write(GAMESMASTER, f"CONFIRM {code}", To=to)
            begun("once")
        return " ".join(at.newest(GAMESMASTER).split())

    said = by_mail(f"REPLACE A {address('B')}")
    assert "would play A too" in said and "(by mail the word ANYWAY at the end of the line)" in said
    assert f"REPLACE: A in g is now {address('B')}" in by_mail(f"REPLACE A {address('B')} ANYWAY")


def test_an_address_of_another_player(begun: Shell) -> None:
    said = begun.fails("address", address("A"), address("B").upper())
    assert "b@legit.example belongs to another player, Player B, who plays B in g" in said


def test_the_letter_of_one_who_stands_by_is_explained(begun: Shell) -> None:
    begun("standby", "g", NEW)
    begun("once")
    begun.at.write(NEW, "HELP")
    begun("once")
    assert "stands by for g" in begun("letter", "--id", "1")
    assert "Nothing waits" not in begun("queue", "g") and "letter 1" not in begun("queue", "g")


# --- a game that has not begun --------------------------------------------------------------------


def test_a_game_that_has_not_begun_is_forgotten(made: Shell) -> None:
    made("standby", "g", NEW)
    made("replace", "g", "A", "other@else.example", "--why", "a slip")
    made("new", "coalition", "h", *people(A="only-h@else.example"))
    before = rows(made)
    assert {"game", "seat", "standby", "journal"} <= set(before)
    assert made("forget", "g") == "game g is forgotten\n"
    assert rows(made) == {"player": 5, "address": 5}  # those of h
    assert "there is no game 'g'" in made.fails("start", "g")
    made("start", "h")
    made("once")
    assert not made.at.mails(NEW)


def test_letters_that_waited_for_it_are_dismissed(made: Shell) -> None:
    made.at.write("A", "SPECIAL AGR")
    made("once")
    assert made.at.outcomes() == [("held", "the game has not begun")]
    assert "letters for it that waited, and are dismissed: 1" in made("forget", "g")
    assert made.at.outcomes()[0][0] == "dismissed"
    assert "Nothing waits" in made("queue")


def test_a_game_that_has_begun_is_not_forgotten(begun: Shell) -> None:
    for words in (("forget", "g"), ("new", "coalition", "g", *people(), "--instead")):
        assert "game g has begun" in begun.fails(*words)
    assert "there is a game 'g' already" in begun.fails("new", "coalition", "g", *people())
    begun("end", "g")
    for words in (("forget", "g"), ("new", "coalition", "g", *people(), "--instead")):
        assert "game g is over: it stays on file" in begun.fails(*words)
    assert rows(begun)["seat"] == 5


def test_another_game_is_made_instead(made: Shell) -> None:
    def seed() -> str:
        with exclusive_transaction(made.at.daemon.engine) as conn:
            return str(conn.execute(select(Game.seed).where(Game.id == "g")).scalar_one())

    first = seed()
    new = ("new", "coalition", "g", *people(A="right@else.example,Right"), "--instead")
    assert "A: Right <right@else.example>" in made(*new)
    assert seed() != first
    assert rows(made) == {"game": 1, "seat": 5, "journal": 1, "player": 5, "address": 5}
    assert "there is no game 'h' to make another instead of" in made.fails(
        "new", "coalition", "h", *people(), "--instead"
    )


def test_a_waiting_game_is_changed_and_nobody_is_told(made: Shell) -> None:
    made("replace", "g", "A", NEW, "--why", "a slip")
    made("once")
    assert not made.at.mails(NEW) and not made.at.mails("A")
    assert rows(made)["player"] == 5  # whoever was there by a slip is not known any more
    assert "there is no seat 'Z' in g" in made.fails("replace", "g", "Z", NEW, "--why", "x")
    made("address", address("B"), "bb@legit.example")
    made("start", "g")
    made("once")
    assert any("you are A" in str(mail["Subject"]) for mail in made.at.mails(NEW))
    holders = made.at.table().holders
    assert (holders["A"].address, holders["B"].address) == (NEW, "bb@legit.example")
    assert not made.at.mails("A")


def test_nothing_of_another_game_goes(made: Shell) -> None:
    """Each table that knows games has rows of another one, and they stay."""
    made("new", "coalition", "h", *people())
    made("start", "h")
    made("once")
    with exclusive_transaction(made.at.daemon.engine) as conn:
        now = conn.execute(select(Letter.received)).scalars().first()
        assert now is None
        conn.execute(
            insert(Press).values(
                game_id="h", period=1, author="A", anonymous=False, audience=[], text="x"
            )
        )

    def other() -> dict[str, int]:
        with exclusive_transaction(made.at.daemon.engine) as conn:
            return {
                table.name: conn.execute(
                    select(func.count()).select_from(table).where(table.c.game_id == "h")
                ).scalar_one()
                for table in Record.metadata.sorted_tables
                if "game_id" in table.c
            }

    before = other()
    assert before["press"] and before["period"] and before["seat"]
    made("forget", "g")
    assert other() == before
