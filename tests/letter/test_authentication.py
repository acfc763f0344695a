"""What our own mail server says about a letter, and what a forger would like it to have said."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbem.letters.authentication import Level, by_server
from pbem.letters.letter import read
from pbem.letters.verdict import decide
from tests.letter.letters import installation, letter

RESULTS = tomllib.loads(Path(__file__).with_name("authentication.toml").read_text("utf-8"))


@pytest.mark.parametrize("row", RESULTS.values(), ids=RESULTS)
def test_authentication_results(row: dict[str, Any]) -> None:
    raw = letter("VOTE YES ON 4\n", *(f"Authentication-Results: {one}" for one in row["said"]))
    decision = decide(read(raw), raw, installation())
    assert decision.verdict == ("orders" if row["proves"] else "unverified"), decision.reason


def test_our_name_is_compared_letter_by_letter() -> None:
    said = read(
        letter(
            "x\n",
            "Authentication-Results: mx.\u212aango.example; dmarc=pass header.from=legit.example",
        )
    )
    assert by_server(said, frozenset({"mx.kango.example"})).level == Level.OPEN


def test_other_authentication_fields_count_for_nothing() -> None:
    for name in (
        "ARC-Authentication-Results: i=1",
        "X-Authentication-Results:",
        "Authentication-Results :",
    ):
        raw = letter(
            "VOTE YES ON 4\n", f"{name} mx.game.example; dmarc=pass header.from=legit.example"
        )
        assert decide(read(raw), raw, installation()).verdict == "unverified"
