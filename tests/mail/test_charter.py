"""The charter of a game of Legislation: by mail and on the site (1.4)."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.errors import OptionError
from pbem.house import shelf
from pbem.periods import start_mails
from pbem.referee.acts import seat_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from tests.installation import SEATS, Installation
from tests.parsed import attached

THREE = ("P1", "P2", "P3")


def test_the_charter_says_what_holds_and_who_has_signed(tmp_path: Path) -> None:
    options = {"STATE": " Keystone ", "LOSE": "SKIP+FINE", "PUBLIC_EYE": "ON"}
    scenario = {"tables": {"bill_cards": 3, "majority": [3, 5]}}
    with Installation(
        tmp_path, "legislation", seats=THREE, options=options, scenario=scenario
    ) as at:
        at.start()
        welcome = attached(at.mails("P1")[0])
        at.send("P1", "RULES CHARTER")
        asked = " ".join(at.newest("P1").split())
        for text in (welcome, asked):
            assert "Charter for the State of Keystone, within the Republic of Idealia" in text
            assert "A bill has 3 cards at least. It passes with more Ayes than 3 of 5" in text
            assert "the next turn as chair; all tokens (usually a new hand)" in text
            assert "* P2, Player P2, on 2 March 2026" in text
            assert "Not played: a yellow card with each bill" in text
        at.clock += timedelta(days=2)
        with exclusive_transaction(at.daemon.engine) as conn:
            work = at.work(conn)
            seat_acts.replace(
                work, "g", "P2", "new@legit.example", name="Nora New", why="moved away"
            )
            text = start_mails.page(conn, games.game_at(conn, "g"))
        assert "* P2, Nora New, on 4 March 2026" in text and "* P1, Player P1, on 2 March" in text


def test_a_state_has_a_short_printable_name() -> None:
    option = shelf.open_ruleset("legislation").about.options[0]
    assert option.name == "STATE" and option.read("New  Keystone") == "New Keystone"
    for wrong in ("x" * 41, "Key\x07stone"):
        with pytest.raises(OptionError, match="STATE"):
            option.read(wrong)


def test_the_charter_has_a_page_on_the_site_that_goes_with_it(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    site = {"folder": str(pages), "address": "https://games.example/"}
    options = {"STATE": "Keystone <b>"}
    with Installation(tmp_path, "legislation", seats=THREE, options=options, site=site) as at:
        at.start()
        index, raw = (
            (pages / "g" / name).read_text(encoding="utf-8")
            for name in ("index.html", "charter.html")
        )
        text = " ".join(re.sub("<[^>]*>", " ", raw).split())
        assert '<a href="charter.html">its charter</a>' in index
        assert "<b>" not in raw and "the State of Keystone &lt;b&gt;" in text
        assert "A bill has 2 cards at least." in text and "half of the players" in text
        assert "P2, Player P2, on 2 March 2026" in text and "@" not in raw.partition("<main")[2]
        at.clock += timedelta(days=2)
        at.act(seat_acts.replace, "g", "P2", "new@legit.example", name="Nora New", why="moved away")
        at.to_deadline()
        now = (pages / "g/charter.html").read_text(encoding="utf-8")
        assert "P2, Nora New, on 4 March 2026" in now, "who took the seat has signed, too"


def test_a_game_without_a_charter_has_no_such_page(tmp_path: Path) -> None:
    site = {"folder": str(tmp_path / "pages"), "address": "https://games.example/"}
    with Installation(tmp_path, "coalition", seats=SEATS, site=site) as at:
        at.start()
        assert not (tmp_path / "pages/g/charter.html").exists()
        index = (tmp_path / "pages/g/index.html").read_text(encoding="utf-8")
        assert "charter" not in index
