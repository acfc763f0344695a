"""Orders as pages list them."""

from __future__ import annotations

from pbem.games.parlement_1968.orders import gathered


def test_a_factions_standing_vote_that_repeats_its_partys_is_not_listed() -> None:
    assert gathered(
        [
            "STANDING VOTE 4 YES",
            "STANDING VOTE 4 CAP YES",
            "STANDING VOTE 4 EAS NO",
            "STANDING VOTE 5 CAP NO",
            "STANDING VOTE BUDGET DEF H, WEL L",
            "STANDING VOTE BUDGET CAP DEF H, WEL L",
        ]
    ) == [
        "STANDING VOTE 4 YES",
        "STANDING VOTE 4 EAS NO",
        "STANDING VOTE 5 CAP NO",
        "STANDING VOTE BUDGET DEF H, WEL L",
    ]
