"""An amendment that is adopted is carried out by the gamesmaster's act, from the shell, by mail and
at the desk: journalled, told, replayed (Parlement of 1966, 35, R24)."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.periods import amendments
from pbem.periods.replay import replay
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Journal
from tests.desk.visitor import Visitor
from tests.installation import GAMESMASTER, Installation, flat, text_of
from tests.masters import reply_to
from tests.shell import Shell

TEXT = "A candidate costs three hundred crowns"
SCENARIO = {
    "public": {
        "session": 2,
        "period": 2,
        "government": {"premier": "S", "foreign": "R", "defense": "S", "finance": "R"},
        "amendments": [{"number": 1, "text": TEXT, "signers": ["S", "R"], "stage": "put"}],
    },
    "private": {seat: {"treasury": 5000} for seat in "SRLCM"},
}


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Installation]:
    """A game of 1966 in which an amendment has just been adopted; its second period is open."""
    with Installation(tmp_path, "parlement-1966", scenario=SCENARIO) as found:
        found.start()
        found.step("adopted", lambda: _adopt(found))
        yield found


def _adopt(at: Installation) -> None:
    for seat in at.seats:
        at.write(seat, "VOTE AMENDMENT 1 YES")
    at.send("S", "CALL ELECTION")
    at.to_deadline()
    assert at.table().period.number == 2


def _no_lists(at: Installation, seats: str = "SRLCM") -> None:
    """Nobody else puts up candidates, and the period closes."""
    at.send_each(seats, "CANDIDATES NONE")
    at.to_deadline()


def _mails(at: Installation, who: str) -> str:
    return flat("\n".join(text_of(mail) for mail in at.mails(who)))


def _journal(at: Installation) -> list[dict[str, object]]:
    with exclusive_transaction(at.daemon.engine) as conn:
        rows = conn.execute(
            select(Journal.data).where(Journal.kind == "amended").order_by(Journal.n)
        )
        return [
            {name: one[name] for name in ("amendment", "how", "period")} for one in rows.scalars()
        ]


def _replayed(at: Installation) -> list[str]:
    with exclusive_transaction(at.daemon.engine) as conn:
        return replay(conn, "g").faults


def test_its_text_stands_wherever_it_is_named_and_the_gamesmaster_is_asked(
    at: Installation,
) -> None:
    texts = [text_of(mail) for mail in at.mails("S")]
    texts = [text for text in texts if "Welcome to Parlement" not in text]
    texts = [re.sub(r"\[=\] .*", "", text) for text in texts]  # what stood before the letter
    named = [text for text in texts if re.search(r"amendment 1\b", text, re.IGNORECASE)]
    assert len(named) >= 3 and all(TEXT in flat(text) for text in named)
    asked = _mails(at, GAMESMASTER)
    assert "amendment 1 of g is adopted" in " ".join(m["Subject"] for m in at.mails(GAMESMASTER))
    assert TEXT in asked and "AMENDED 1 BY HAND" in asked and "candidate_fee: 500" in asked


def test_a_figure_changes_from_the_open_period_on(at: Installation) -> None:
    shell = Shell(at, at.folder / "config.toml")
    said = shell("amended", "g", "1", "OPTION candidate_fee=300")
    assert "Amendment 1 of g is carried out: candidate_fee=300; all are told" in said
    assert _journal(at) == [{"amendment": 1, "how": "candidate_fee=300", "period": 2}]
    at.once()
    told = flat(at.newest("M"))
    assert "candidate_fee is 300 from this period on; it was 500." in told and TEXT in told
    at.send("M", "CANDIDATES 1-10\nTABLES MONEY\nRULINGS")
    receipt = flat(at.newest("M"))
    assert "10 candidates: 3,000 crowns." in receipt and "300 for each candidate" in receipt
    assert "Amendment 1, adopted in session 2; carried out: candidate_fee=300." in receipt
    before = at.table().state.accounts.balance("M")
    _no_lists(at, "SRLC")
    assert at.table().state.accounts.balance("M") == before - 3000
    bulletin = _mails(at, "M")
    assert "Ruling of the gamesmaster: Amendment 1 is carried out" in bulletin
    assert at.table().state.changed == {"candidate_fee": 300}
    assert _replayed(at) == []


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("late_list_days=5", "late_list_days is 5 from this period on; it was 7."),
        ("LENGTHS=10", "lengths is 10 from the next period on; it was 14."),
    ],
)
def test_a_house_rule_changes(at: Installation, line: str, told: str) -> None:
    assert "late_list_days: 7" in _mails(at, GAMESMASTER)
    shell = Shell(at, at.folder / "config.toml")
    assert "late_list_days=no is no whole number from 1 to 365" in shell.fails(
        "amended", "g", "1", "OPTION late_list_days=no"
    )
    shell("amended", "g", "1", f"OPTION {line}")
    at.once()
    assert told in flat(at.newest("M"))
    house = at.table().house
    assert (house.rules["late_list_days"], house.lengths["*"].n) in ((5, 14), (7, 10))
    assert [one.done for one in at.table().state.amendments] == [(line.casefold(),)]
    opened = at.table().period.opened
    _no_lists(at)
    table = at.table()
    assert table.period.due and opened and _replayed(at) == []
    assert (table.period.due - table.period.opened).days in (
        (9, 10) if line == "LENGTHS=10" else (13, 14)
    )


def test_what_waits_stands_in_the_queue(at: Installation) -> None:
    shell = Shell(at, at.folder / "config.toml")
    said = shell("queue")
    assert "g: amendment 1 is adopted and waits to be carried out" in said
    assert "pbem amended g 1 'OPTION NAME=VALUE'" in said and "pbem amended g 1 'BY HAND'" in said
    (row,) = json.loads(shell("queue", "--json"))["waits"]
    assert (row["what"], row["game"], row["amendment"]) == ("amendment", "g", 1)
    at.send(GAMESMASTER, "QUEUE", To=reply_to(at, GAMESMASTER))
    assert "write the lines GAME g, PERIOD 2, AMENDED 1 OPTION NAME=VALUE" in flat(
        at.newest(GAMESMASTER)
    )
    shell("amended", "g", "1", "BY HAND")
    assert "amendment 1" not in shell("queue")


def test_by_mail_and_what_is_refused(at: Installation) -> None:
    to = reply_to(at, GAMESMASTER)

    def say(line: str) -> str:
        at.send(GAMESMASTER, f"GAME g\nPERIOD 2\n{line}", To=to)
        for code in re.findall(r"CONFIRM \S+", at.newest(GAMESMASTER)):
            at.send(GAMESMASTER, code, To=to)
        return flat(at.newest(GAMESMASTER))

    assert "has no adopted amendment 2; adopted: 1" in say("AMENDED 2 BY HAND")
    assert "'premier' cannot be changed in a running game" in say("AMENDED 1 OPTION premier=S")
    assert "is none of: a whole number" in say("AMENDED 1 OPTION salary=much")
    assert "does not say how" in say("AMENDED 1 please")
    assert _journal(at) == [] and _replayed(at) == []
    assert "is carried out: by hand" in say("AMENDED 1 BY HAND")
    assert "applied by the gamesmaster, by rulings" in flat(at.newest("S"))
    assert "has been carried out so: by hand" in say("AMENDED 1 BY HAND")
    assert "carried out: by hand, salary=900" in say("AMENDED 1 OPTION salary=900")
    _no_lists(at)
    assert _replayed(at) == []
    assert [one["how"] for one in _journal(at)] == ["by hand", "salary=900"]


def test_at_the_desk(at: Installation) -> None:
    visitor = Visitor(at).come_in().get("/do/amended?game=g")
    visitor.press("See what it would do", number="1", how="OPTION private_treasury_notices=on")
    assert visitor.find("#would") and not _journal(at), visitor.words
    visitor.press("Do it")
    assert "Done." in visitor.words, visitor.words
    _no_lists(at)
    assert "Your treasury holds" in _mails(at, "S") and _replayed(at) == []


def test_a_rewind_takes_it_back_and_asks_again(at: Installation) -> None:
    shell = Shell(at, at.folder / "config.toml")
    at.act(amendments.carry_out, "g", 2, 1, "OPTION salary=900")
    _no_lists(at)
    shell("rewind", "g", "1", "--why", "misread", "--do")
    at.once()
    table = at.table()
    assert table.state.changed == {} and [one.done for one in table.state.amendments] == [()]
    assert _replayed(at) == []
    at.act(amendments.carry_out, "g", table.period.number, 1, "OPTION salary=800")
    _no_lists(at)
    assert at.table().state.changed == {"salary": 800} and _replayed(at) == []
