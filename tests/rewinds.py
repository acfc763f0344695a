"""Rewinds as any face of the act does them, for the tests of what comes of them."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy import Table as SqlTable

from pbem.acts.acts import BY_NAME
from pbem.games.frame.dice import Dice
from pbem.periods import replay
from pbem.referee.acts import clock_acts
from pbem.referee.acts.doing import Actor, do
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.table_base import Record
from pbem.store.schema.tables import Letter
from tests.bots import nonsense
from tests.installation import SLATE, Installation, desk, text_of

REWIND = BY_NAME["rewind"]


def rewind(
    at: Installation, number: int, *, done: bool = True, why: str = "misread", **what: Any
) -> str:
    """The act as any face of it does it; what it says."""
    given = {"order": [], "accept": [], "drop": [], **what}
    values = {"game": "g", "number": number, "why": why, "do": done, **given}
    with desk(at) as work:
        return do(work, REWIND, values, Actor()).said


def clean(at: Installation) -> None:
    with exclusive_transaction(at.daemon.engine) as conn:
        assert replay.replay(conn, "g").faults == []


def subject(at: Installation, who: str, begins: str) -> str:
    """The newest mail with such a subject, on one line."""
    found = [mail for mail in at.mails(who) if str(mail["Subject"]).startswith(begins)]
    return " ".join(text_of(found[-1]).split()) if found else ""


def rows(at: Installation) -> Mapping[str, Any]:
    """Everything on file, but for the journal, what was looked at, and when the gamesmaster was
    last about."""
    with exclusive_transaction(at.daemon.engine) as conn:
        tables: list[SqlTable] = [
            one for one in Record.metadata.sorted_tables if one.name not in ("journal", "look")
        ]
        return {one.name: sorted(map(repr, conn.execute(_kept(one)))) for one in tables}


def _kept(table: SqlTable) -> Select[Any]:
    columns = [one for one in table.columns if (table.name, one.name) != ("game", "attended")]
    return select(*columns)


def letter_of(at: Installation, outcome: str = "") -> int:
    """The newest letter (with that outcome)."""
    with exclusive_transaction(at.daemon.engine) as conn:
        found = select(Letter.id).order_by(Letter.id.desc())
        found = found.where(Letter.outcome == outcome) if outcome else found
        return int(conn.execute(found).scalars().first() or 0)


def four_periods(at: Installation) -> None:
    """A motion is voted on in period 2; D names himself anew in each of 2, 3 and 4, which is
    open."""
    at.step("four periods", lambda: _four_periods(at))


def _four_periods(at: Installation) -> None:
    at.send("A", f"PROPOSE {SLATE}")
    at.to_deadline()
    for number in (2, 3, 4):
        at.write("D", f'NAME "D{number}"')
        if number == 2:
            at.write("A", "VOTE AYE")
            at.write("B", "VOTE AYE")
        at.once()
        if number < 4:
            at.to_deadline()


def bots(at: Installation) -> bool:
    """A letter of every seat's as its bot writes it, and the next deadline; False once it is
    over."""
    table = at.table()
    if table.row.status == "over":
        return False
    bot = nonsense(at.key)
    for seat in at.seats:
        chance = Dice("5", "g").stream(f"{seat}{table.period.number}")
        text = bot.letter(at.view(), at.view(seat), seat, chance).replace("AYE", "NAY")
        if text and "RESIGN" not in text:
            at.write(seat, text)
    at.once()
    if at.table().period.due is None:
        at.later(days=8)
        if at.table().period.number == table.period.number:
            at.act(clock_acts.close, "g", None, unread=True)
            at.once()
    else:
        at.to_deadline()
    return True
