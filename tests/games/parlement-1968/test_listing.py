"""What pages list: orders, and how close a party's candidates are."""

from pbem.games.parlement_1968.orders import gathered
from pbem.periods import paper
from tests.net import games
from tests.net.compare import unpacked


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


def test_a_silent_election_comes_out_as_its_candidates_were_told() -> None:
    """All records of a recorded game; where an independent spends his own crowns it may not."""
    given, compared = unpacked(games.FOLDER / "parlement-1968.json.xz")["05"], 0
    seats, options = tuple(given["seats"]), given["options"]
    game = paper.begin(
        paper.Setup("parlement-1968", given["seed"], seats, options, given["scenario"])
    )
    for letters in given["periods"]:
        then = paper.step(game, {}) if game.state.phase in ("ballot", "runoff") else None
        counts = (
            [one.data for one in then.periods[-1].events if one.kind == "count"] if then else ()
        )
        for seat in seats if counts else ():
            for row in game.ruleset.view(game.state, seat)["contests"]:
                district = row["districts"].split(",")[0].split("-")[0]
                result = counts[0]["results"][district]
                if dict(row["votes"]) == result["tally"]:
                    compared += 1
                    assert (result["winner"] == seat) == (row["lacks"] <= 0) or row["lacks"] == 1
        game = paper.step(game, letters)
    assert compared > 100
