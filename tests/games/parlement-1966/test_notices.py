"""What a party's notice says besides the events: its blocs' instructions, a bankruptcy, the end."""

from typing import Any

import pytest

from pbem.house import shelf, templates
from pbem.pages import bulletin
from pbem.periods import paper

KEY = "parlement-1966"


def notice(seat: str, scenario: dict[str, Any], **orders: str) -> str:
    """The notice of a seat after one period, in one line."""
    game = paper.step(paper.begin(paper.Setup(KEY, 0, None, {}, scenario)), orders)
    last = game.periods[-1]
    made = templates.issue(
        game.ruleset, last.state, game.seats, last.number, last.phase, last.events, {}
    )
    return " ".join(bulletin.notice(templates.environment(), made, seat).split())


@pytest.mark.parametrize(
    ("seat", "told"),
    [
        ("S", "The game is over. You have won (seats: 26)."),
        ("R", "The game is over. S has won (seats: 26; yours: 1)."),
        ("L", "The game is over. S has won (seats: 26; yours: 0)."),
    ],
)
def test_the_last_notice_says_how_it_ended(seat: str, told: str) -> None:
    ends = {"phase": "primary", "candidates": {"S": list(range(11, 37)), "R": [1]}}
    assert told in notice(seat, ends, R="PREFER S")


def test_the_last_notice_has_no_instructions_for_a_next_election() -> None:
    ends = {"phase": "primary", "candidates": {"S": list(range(11, 37)), "R": [1]}}
    text = notice("R", ends, R="PREFER S; STANDING VOTE 4 YES")
    assert "Without your candidate" not in text and "standing votes" not in text


@pytest.mark.parametrize(("orders", "told"), [("BLOC 41 FOR L", True), ("PREFER L", False)])
def test_a_notice_says_how_bloc_is_taken_back(orders: str, told: bool) -> None:
    tied = {"phase": "primary", "candidates": {"S": [41], "L": [41], "C": [41]}}
    text = notice("R", tied, R=orders)
    assert "Without your candidate your blocs vote" in text
    assert ("until another for that district" in text) == told


def test_a_notice_says_what_a_bankruptcy_struck_and_why() -> None:
    text = notice("R", {"phase": "primary", "candidates": {"S": [1]}}, R="PAY 300 TO DISTRICT 41")
    assert "You were bankrupt in period 1: you had ordered 300 crowns more than you had" in text
    assert "First all payments to districts were struck, that to 41 (300 crowns)." in text


def test_the_contribution_is_announced_once_for_certain() -> None:
    """The first period is extended until there is a Government, and pays once."""
    waits = notice("S", {}, S="STANDING VOTE 4 YES")
    assert "Once there is a Government, this period brings 10,000 crowns for your 10 seats" in waits
    assert "This period brings" not in waits


def test_waiting_orders_and_standing_votes_are_kept_on_file() -> None:
    """What ORDERS and STATUS tell besides the orders of the period."""
    own = {"waiting": ["PAY 50 TO M"], "standing_votes": {"4": "no"}}
    scenario = {"private": {"S": own}}
    state = paper.begin(paper.Setup("parlement-1966", scenario=scenario)).state
    rules = shelf.open_ruleset("parlement-1966")
    assert rules.kept(state, "S") == ("PAY 50 TO M", "STANDING VOTE 4 NO")
    assert rules.kept(state, "R") == ()


def test_with_bill_is_offered_only_where_a_bill_may_come() -> None:
    for public, brings in (({}, True), ({"period": 3, "election": "premier"}, False)):
        state = paper.begin(paper.Setup("parlement-1966", scenario={"public": public})).state
        offers = shelf.open_ruleset("parlement-1966").offers(state, "S")
        (one,) = [offer for offer in offers if offer.kind == "government"]
        assert one.data["brings"] == brings


def test_a_subject_tells_seats_that_were_won_and_not_the_agenda() -> None:
    holders = {str(d): {"holder": "SRLCM"[(d - 1) // 10]} for d in range(1, 50)}
    public = {
        **{"session": 2, "period": 2, "government": {"premier": "S"}, "districts": holders},
        **{
            "records": {"W": {"S": 5}},
            "seats": dict(zip("SRLCM", (10, 10, 10, 10, 9), strict=True)),
        },
        "ballots": {"50": {"entrants": ["S", "R"], "round": 3}},
    }
    setup = paper.Setup(KEY, 0, None, {}, {"public": public})
    game = paper.step(paper.begin(setup), {"S": "PROPOSE BILL 1"})
    last = game.periods[-1]
    made = templates.issue(
        game.ruleset, last.state, game.seats, last.number, last.phase, last.events, {}
    )
    assert bulletin.headline(templates.environment(), made) == "S wins 1 seat"


@pytest.mark.parametrize(
    ("premier", "told"),
    [
        ("S", "will do, ministers vote as their Premier; silence abstains"),
        (None, "a standing vote will do; silence abstains"),
    ],
)
def test_a_bulletin_says_how_the_silent_vote(premier: str | None, told: str) -> None:
    called = [{"bill": 4, "by": "government", "signers": ["S"]}]
    public = {"session": 2, "called": called, "government": premier and {"premier": premier}}
    game = paper.begin(paper.Setup(KEY, 0, None, {}, {"public": public}))
    made = templates.issue(game.ruleset, game.state, game.seats, 1, "session", ())
    assert told in " ".join(bulletin.bulletin(templates.environment(), made).split())


def test_the_opposition_is_told_what_it_may_do_and_how_the_last_bill_fared() -> None:
    offices = {"premier": "S", "foreign": "S", "defense": "R", "finance": "R"}
    house = {
        "public": {
            "government": offices,
            "turn": "opposition",
            "called": [{"bill": 1, "by": "government"}],
        }
    }
    yes = dict.fromkeys(("S", "R"), "VOTE YES ON 1")
    told = notice("M", house, **yes)
    assert (
        "in the opposition. You may install another Government with 26 seats behind it (9)" in told
    )
    assert "passed by 15 votes." in told and "You may install" not in notice("S", house, **yes)
