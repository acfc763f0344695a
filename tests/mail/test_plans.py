"""Orders for what may come, by mail: they fill what is owed, each player is told of his own alone,
and a replay and a rewind find them again."""

from pathlib import Path

import pytest

from pbem.games.frame import calendar
from pbem.games.frame.house import House
from pbem.periods import replay, rewinding
from pbem.periods.rewinding import Rewind
from tests.installation import Installation, desk, text_of
from tests.mail.test_early_closing import send

PARTIES = ("PIP", "LAN", "COM")
KEPT = "STANDING DRAFT TOP\nDECLINE IF POINTS < 30"


def to_early_hour(at: Installation) -> None:
    hour = calendar.early_look(at.clock, House({}, {}, early_hour="20:00"), at.table().zone)
    assert hour is not None
    at.clock = hour
    at.once()


def said(at: Installation, seat: str) -> str:
    """All mails of a seat, each on one line."""
    return "\n".join(" ".join(text_of(mail).split()) for mail in at.mails(seat))


def to_nomination(at: Installation) -> None:
    """Period 1, in which LAN files its orders and leaves; all others send theirs."""
    at.start()
    send(at, {"LAN": KEPT, "PIP": "DRAW TALENT 2", "COM": "DRAFT TOP"})
    at.to_deadline()


def test_what_is_filed_closes_periods_early(tmp_path: Path) -> None:
    with Installation(tmp_path, "party-in-power", seats=PARTIES, house={"early": "owed"}) as at:
        to_nomination(at)
        assert at.table().period.number == 2
        assert "Your order for what may come, STANDING DRAFT TOP, was carried out" in said(
            at, "LAN"
        )
        send(at, {"COM": "DECLINE"})
        to_early_hour(at)
        assert at.table().period.number == 3, "LAN has filed what it owes"
        told = said(at, "LAN")
        assert "DECLINE IF POINTS < 30, was carried out as DECLINE." in told
        assert "Kept for what may come, until you end it (3.13):" in told
        assert at.table().holders["LAN"].missed == 0


LASTING = {
    "coalition": ("A", "STANDING NAY", "STANDING NAY"),
    "legislation": ("P1", "STANDING VOTE NAY", "STANDING VOTE NAY"),
    "parlement-1966": ("S", "STANDING VOTE 4 YES", "STANDING VOTE 4 YES"),
    "parlement-1968": (
        "Com",
        "STANDING VOTE 2 NO\nSTANDING VOTE BUDGET DEF L",
        "STANDING VOTE 2 NO #2 STANDING VOTE BUDGET DEF L",
    ),
    "party-in-power": ("LAN", "STANDING DRAFT TOP", "STANDING DRAFT TOP"),
    "politics-1935": ("P1", "STANDING BID 40,000 ON S12", "STANDING BID"),
}


OFFICES = [
    "premier",
    "foreign",
    "finance",
    "justice",
    "defense",
    "agriculture",
    "education",
    "welfare",
]
CABINET = ("Soc E5", "Ctr N1", "Mon S6", "Rad E7", "Soc E6", "Rad E8", "Ctr W1", "Mon S7")
SITTING = {"phase": "program", "public": {"government": dict(zip(OFFICES, CABINET, strict=True))}}


@pytest.mark.parametrize("game", LASTING)
def test_nobody_with_a_lasting_order_hears_that_he_has_none(tmp_path: Path, game: str) -> None:
    seat, orders, shown = LASTING[game]
    scenario = SITTING if game == "parlement-1968" else {}
    with Installation(tmp_path, game, scenario=scenario) as at:
        at.start()
        send(at, {seat: orders})
        at.to_deadline()
        for word in ("ORDERS", "STATUS", "RULES"):
            send(at, {seat: word})
            told = " ".join(at.newest(seat).split())
            assert "You have sent no orders" in told and "No orders" not in told, (game, word)
            kept = "what is kept on file counts" if word == "RULES" else f"periods: #1 {shown}"
            assert kept in told, (game, word)


def test_a_replay_and_a_rewind_find_it_again(tmp_path: Path) -> None:
    with Installation(tmp_path, "party-in-power", seats=PARTIES) as at:
        to_nomination(at)
        send(at, {"COM": "DECLINE"})
        at.to_deadline()
        with desk(at) as work:
            assert replay.replay(work.conn, "g").faults == []
            rewinding.done(work, Rewind("g", 1, "misread"))
        at.once()
        at.to_deadline()
        assert at.table().state.plans == {"LAN": ("STANDING DRAFT TOP", "DECLINE IF POINTS < 30")}
