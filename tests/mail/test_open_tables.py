"""Open tables: who signs on gets a code, then a place; a full table calls its players, and begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pbem.periods import opening, table_acts
from pbem.store import open_tables
from pbem.store.database import transaction
from pbem.store.states import ApplicantState, TableState
from tests.installation import Installation, desk, text_of

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
        return next(codes[0] for codes in reversed(found) if codes)

    def confirm(self, who: str, code: str = "", sender: str = "") -> str:
        return self.say(sender or who, f"CONFIRM {code or self.code(who)}")

    def join(self, *people: str) -> None:
        for who in people:
            self.say(who, f"SIGNON {ID} AS {who.partition('@')[0].capitalize()}")
            self.confirm(who)

    @property
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
        assert at.state == TableState.CALLED
        assert set(at.people().values()) == {ApplicantState.CALLED}
        for who in FIVE[:-1]:
            assert "you play in autumn" in at.confirm(who)
        assert at.state == TableState.CALLED
        at.confirm(EVE)
        assert at.state == TableState.BEGUN
        assert sorted(at.seated().values()) == sorted(FIVE)
        assert any("you are" in str(one["Subject"]) for one in at.mails(ANN))
