"""Players' names for seats that are only a number: in sentences, and in orders."""

import pytest

from pbem.orders.called import named, names, seats
from pbem.pages import sheet
from pbem.pages.names import called

PLAYERS = {"P1": "Anna", "P2": "Boris Karlsson", "P3": "Clara", "P4": "", "P5": "Max", "P6": "max"}
KNOWN = names(PLAYERS)


def test_who_goes_by_a_name() -> None:
    """Not a free seat, nor two of one name, nor a party, nor anybody of hidden names."""
    assert dict(KNOWN) == {"P1": "Anna", "P2": "Boris Karlsson", "P3": "Clara"}
    assert names({"A": "Anna", "KIT": "Boris", "Com": "Clara"}) == ()
    assert names(dict.fromkeys(PLAYERS, "")) == ()
    assert names({"P1": "P2", "P2": "Anna"}) == (("P2", "Anna"),)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("P1 leads, P2's purse is empty.", "Anna leads, Boris Karlsson's purse is empty."),
        ("P1, P4 and P5", "Anna, P4 and P5"),
        ("B1, laid by P3: STAR+", "B1, laid by Clara: STAR+"),
        ("P2 (Boris Karlsson) and Anna (P1)", "Boris Karlsson and Anna (P1)"),
        ("Anna, P1, or P1, Anna", "Anna, P1, or P1, Anna"),
        ("You are P1 here.", "You are P1 here."),
        ("the\u00a0word\u00a0STANCE\u00a0P1", "the\u00a0word\u00a0STANCE\u00a0P1"),
        ("P12, P1x, AP1 and P1+", "P12, P1x, AP1 and P1+"),
    ],
)
def test_what_is_read(said: str, read: str) -> None:
    assert named(said, KNOWN) == read
    assert named(read, KNOWN) == read, "once more changes nothing"


@pytest.mark.parametrize(
    ("written", "order"),
    [
        ("GIVE 2 TO Clara", "GIVE 2 TO P3"),
        ("GIVE 2 TO boris", "GIVE 2 TO P2"),
        ("give 2 to Boris Karlsson", "give 2 to P2"),
        ("VOTE AYE IF CHAIR Anna ELSE NAY", "VOTE AYE IF CHAIR P1 ELSE NAY"),
        ("GIVE 1 TO Max", "GIVE 1 TO Max"),
        ("GIVE 1 TO P3", "GIVE 1 TO P3"),
    ],
)
def test_what_an_order_says(written: str, order: str) -> None:
    assert seats(written, KNOWN) == order


def test_a_sheet_keeps_its_orders_and_what_players_wrote() -> None:
    kept = [sheet.order_list(["GIVE 2 TO P1"]), sheet.fenced("P1 lies"), "  PRESS TO P1, P3"]
    source = "\n".join([*kept, "P1 lies.", sheet.heading("Of P3")])
    read = called(source, KNOWN)
    assert all(one in read for one in kept)
    assert "Anna lies." in read and "Of Clara" in read


def test_a_row_with_the_name_keeps_the_number() -> None:
    made = sheet.table(["", "Player"], [["P1", "Anna"], ["P3", "gifts of P1"]])
    [table] = sheet.blocks(called(made, KNOWN))
    assert isinstance(table, sheet.Table)
    assert table.rows == (("P1", "Anna"), ("Clara", "gifts of Anna"))


def test_a_caret_stays_below_its_place() -> None:
    made = sheet.entry(1, "", "P1 is here", ["GIVE 2 TO P1 P3", "              ^", "P3 is named"])
    [entry] = sheet.blocks(called(made, KNOWN))
    assert isinstance(entry, sheet.Entry)
    assert entry.said == "Anna is here"
    assert entry.below == ("GIVE 2 TO P1 P3", "              ^", "Clara is named")
