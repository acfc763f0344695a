"""Letters and orders of a running game are found again: by a receipt, in an export."""

import json

from tests.shell import Shell


def test_a_letter_is_found_by_its_receipt(begun: Shell) -> None:
    begun.at.write("B", "STATUS")
    begun.at.write("A", "SPECIAL AGR")
    begun("once")
    assert "Receipt 1 of game g" in begun.at.newest("A")
    told = json.loads(begun("letter", "--receipt", "g/a/1", "--json"))
    assert told["sender"] == "a@legit.example" and (
        told["stored"]["id"],
        told["stored"]["receipt"],
    ) == (2, 1)
    assert "there is no receipt 2" in begun.fails("letter", "--receipt", "g/A/2")
    assert "write GAME/SEAT/NUMBER" in begun.fails("letter", "--receipt", "g-A-1")
    begun.fails("letter", "--receipt", "g/A/1", "--id", "2", code=2)


def test_an_export_has_the_orders_that_stand_at_last(begun: Shell) -> None:
    for words in ("SPECIAL AGR", "SPECIAL ENV"):
        begun.at.write("A", words)
        begun("once")
    begun("export", "g", str(folder := begun.file.parent / "export"))
    assert (folder / "orders" / "001" / "A.txt").read_text() == "SPECIAL ENV\n"
