"""House rule 8: a period waits for a late list; what is told of it is one sentence, and once all
are in it stays open long enough for a change."""

from datetime import timedelta

import pytest

from tests.installation import Installation, address, flat
from tests.parsed import attached

SCENARIO = {"public": {"period": 4, "election": "premier"}}
RULE = (
    "House rule 8: a period waits up to 7 days for your candidate list, then 7 days for a new"
    " player."
)


@pytest.mark.game("parlement-1966", scenario=SCENARIO)
def test_reminder_second_letter_and_house_rules_say_the_same(at: Installation) -> None:
    rules = [attached(at.mails("S")[0])]
    everybodys = RULE.replace("for your", "for a")
    assert any(everybodys in one for one in rules), rules
    due = at.table().period.due
    assert due is not None
    at.clock = due - timedelta(days=3)
    at.once()
    assert RULE in flat(at.newest(address("S")))
    at.to_deadline()
    assert RULE in flat(at.newest(address("S")))
    assert at.table().period.number == 1


@pytest.mark.game("parlement-1966", scenario=SCENARIO)
def test_a_period_whose_last_list_has_come_stays_open_for_an_hour(at: Installation) -> None:
    for seat in "RLCM":
        at.write(address(seat), "CANDIDATES NONE")
    at.once()
    at.to_deadline()
    told = at.table().period.due
    assert at.table().period.number == 1 and told is not None
    at.clock = told - timedelta(days=3)
    at.write(address("S"), "CANDIDATES 21-25")
    assert at.once().closed == 0
    receipt = flat(at.newest(address("S")))
    assert "All that the period waited for is in. It closes at" in receipt
    at.write(address("S"), "CANDIDATES 21-30")
    assert at.once(30).closed == 0
    assert at.standing("S") == ["CANDIDATES 21-30"]
    assert at.once(70).closed == 0
    assert at.once().closed == 1
    assert at.table().period.number == 2
