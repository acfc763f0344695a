"""What the house bot of 1966 knows."""

from pbem.games.parlement_1966 import bot
from pbem.games.parlement_1966.state import PARTIES
from pbem.games.parlement_1966.state import read as tables_of
from pbem.house import shelf


def test_what_it_knows_of_bills_is_table_1() -> None:
    """A bot is given views alone, so it has a copy of its own."""
    tables = tables_of(shelf.rulebook("parlement-1966").tables)
    for number, bill in tables.bills.items():
        assert bot._FAVOUR[number] == "".join(bill.favours[bloc] for bloc in bot._BLOCS)
        assert bot._FREE.get(number, "") == "".join(bill.stances.get(one, "") for one in PARTIES)
        assert bot._MINISTER.get(number) == bill.minister
    assert (
        tables.fee,
        tables.salary,
        tables.contribution,
    ) == (bot._FEE, bot._SALARY, bot._SEAT)
