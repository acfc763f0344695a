"""Open tables: who signs on gets a code, then a place; a full table calls its players, and begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbem.periods import opening, table_acts
from pbem.post import masters
from pbem.store import open_tables
from pbem.store.database import transaction
from pbem.store.states import ApplicantState, TableState
from tests.installation import GAMESMASTER, Installation, desk, text_of
from tests.shell import Shell

ANN, BEN, CLEO, DAN, EVE, FAY, GUS = (
    f"{name}@{name}.example" for name in ("ann", "ben", "cleo", "dan", "eve", "fay", "gus")
)
FIVE = (ANN, BEN, CLEO, DAN, EVE)
FORGER = "forger@else.example"
ID = "autumn"


class Club(Installation):
    """An installation with one open table and nobody in it."""

    def __init__(self, folder: Path, key: str = "coalition", **more: Any) -> None:
        super().__init__(folder, key, strangers=(*FIVE, FAY, GUS, FORGER), **more)
        self.game = ID

    def open(self, places: int = 3, **more: Any) -> tuple[str, ...]:
        plan: dict[str, Any] = {"trust": self.trust, "seed": self.seed, "house": self.house}
        plan |= more.pop("plan", {})
        wanted = table_acts.Wanted(
            opening.Plan(ID, self.key, (), "Europe/Paris", **plan), places, **more
        )
        with desk(self) as work:
            return table_acts.open_(work, wanted)

    def say(self, sender: str, text: str, **headers: str) -> str:
        """A letter, and what its writer reads next, on one line."""
        self.write(sender, text, **headers)
        self.once()
        return " ".join(self.newest(sender).split()) if self.mails(sender) else ""

    def code(self, who: str) -> str:
        found = [re.findall(r"(?m)^ +CONFIRM (\S+)", text_of(one)) for one in self.mails(who)]
        return str(next(codes[0] for codes in reversed(found) if codes))

    def confirm(self, who: str, code: str = "", sender: str = "") -> str:
        return self.say(sender or who, f"CONFIRM {code or self.code(who)}")

    def join(self, *people: str) -> None:
        for who in people:
            self.say(who, f"SIGNON {ID} AS {who.partition('@')[0].capitalize()}")
            self.confirm(who)

    def state(self) -> TableState:
        with transaction(self.daemon.engine) as conn:
            found = open_tables.table(conn, ID)
        assert found
        return found.state

    def people(self) -> dict[str, ApplicantState]:
        with transaction(self.daemon.engine) as conn:
            return {one.address: one.state for one in open_tables.applicants(conn, ID)}

    def seated(self) -> dict[str, str]:
        return {seat: holder.address for seat, holder in self.table().holders.items()}


@contextmanager
def club(folder: Path, **more: Any) -> Iterator[Club]:
    with Club(folder, **more) as at:
        yield at


def test_a_table_fills_calls_and_begins(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.open(places=5)
        assert "Nothing is promised yet." in at.say(ANN, "SIGNON autumn AS Ann")
        assert at.people() == {ANN: ApplicantState.ASKED}
        assert "Ann, you have a seat in autumn" in at.confirm(ANN)
        at.join(*FIVE[1:])
        assert at.state() == TableState.CALLED
        assert set(at.people().values()) == {ApplicantState.CALLED}
        for who in FIVE[:-1]:
            assert "you play in autumn" in at.confirm(who)
        assert at.state() == TableState.CALLED
        at.confirm(EVE)
        assert at.state() == TableState.BEGUN
        assert sorted(at.seated().values()) == sorted(FIVE)
        assert any("you are" in str(one["Subject"]) for one in at.mails(ANN))


def letter(at: Club, text: str) -> str:
    """The answer to a letter of the gamesmaster's, or to the code that it is answered with."""
    with desk(at) as work:
        masters.enter(work.conn, work.mark, GAMESMASTER)
        to = work.mark.plus(masters.token(work.conn, work.mark, GAMESMASTER))
    at.say(GAMESMASTER, text, To=to)
    if found := re.search(r"CONFIRM (\S+)", at.newest(GAMESMASTER)):
        at.say(GAMESMASTER, f"CONFIRM {found[1]}", To=to)
    return " ".join(at.newest(GAMESMASTER).split())


def test_the_shell_and_a_mail_open_a_table_alike(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        shell = Shell(at, tmp_path / "config.toml")
        assert "the table autumn is open for 5 players" in shell(
            "open", "coalition", ID, "--players", "5", "--start", "2030-01-02", "--seed", "7"
        )
        said = letter(at, "OPEN coalition winter PLAYERS 5\nSTART 2030-01-02\n--seed=7")
        assert "the table winter is open for 5 players" in said
        with transaction(at.daemon.engine) as conn:
            first, second = open_tables.listed(conn)
        drawn = first._replace(id=second.id, opened=second.opened)
        assert drawn == second and first.starts == first.closes


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--players 4", "is played by 5 to 15 players"),
        ("", "say --players N"),
        ("--players 5 --house hour=x", "hour"),
        ("--players 5 --option NONE=1", "NONE"),
        ("--players 5 --start 2020-01-01", "would close at once"),
        ("--players 5 --approve perhaps", "write yes or no"),
        ("--players 5 --names none", "write shown or hidden"),
        ("--players 5 --reliability 101", "percentage"),
        ("--players 5 --start soon", "is no day"),
    ],
)
def test_what_is_wrong_is_said_when_it_is_opened(tmp_path: Path, words: str, why: str) -> None:
    with club(tmp_path) as at:
        shell = Shell(at, tmp_path / "config.toml")
        assert why in shell.fails("open", "coalition", ID, *words.split())
