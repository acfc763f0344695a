"""A letter is found by the number of its receipt."""

from __future__ import annotations

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
