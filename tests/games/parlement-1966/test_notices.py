"""What a party's notice says besides the events: its blocs' instructions, a bankruptcy, the end."""

from typing import Any

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
