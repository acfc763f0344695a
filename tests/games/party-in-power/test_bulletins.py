"""What bulletins and notices say besides the events: the count, the cards laid open at the end,
what a count meant for a party."""

from dataclasses import replace
from typing import Any

import pytest

from pbem.house import templates
from pbem.pages import bulletin
from pbem.pages.bulletin import Issue
from pbem.periods import paper

KEY = "party-in-power"
HANDS = {
    "PIP": ["M06", "T23", "T01", "A1a", "A8a"],
    "LAN": ["L02", "G18", "R6a"],
    "COM": ["G39", "R5a"],
    "KIT": ["G17"],
}


def begin(**options: Any) -> paper.Game:
    private = {seat: {"hand": cards} for seat, cards in HANDS.items() if seat != "PIP"}
    scenario = {
        "public": {"constituency": "K03", "row": ["G20", "G60"]},
        "private": {**private, "PIP": {"pool": HANDS["PIP"]}},
    }
    return paper.begin(paper.Setup(KEY, 0, None, {"CONSTITUENCIES": 3, **options}, scenario))


def issue(game: paper.Game, **frame: Any) -> Issue:
    last = game.periods[-1]
    return templates.issue(
        game.ruleset, last.state, game.seats, last.number, last.phase, last.events, frame
    )


def printed(game: paper.Game, seat: str = "", **frame: Any) -> str:
    env = templates.environment()
    made = issue(game, **frame)
    return bulletin.notice(env, made, seat) if seat else bulletin.bulletin(env, made)


def polled() -> paper.Game:
    """K03, in which the PIP wins a tie with LAN at 10 votes and KIT stays out."""
    game = paper.step(begin(), {"LAN": "OVERRIDE G18; DRAFT G60 TOP"})
    game = paper.step(game, {"LAN": "CONTEST L02 R6a", "COM": "CONTEST G39 R5a ON TAXATION"})
    return paper.step(game, {"PIP": "FIELD T23; PLAY A1a, A8a"})


@pytest.mark.parametrize(
    ("place", "phase", "hand", "warned"),
    [
        ("K03", "NOMINATION", ["L02"], ""),
        (
            "K02",
            "NOMINATION",
            ["L02", "G19"],
            "You hold 2 Candidates for the 5 seats of Banyan Court: a smaller",
        ),
        ("K02", "CAMPAIGN", ["L02", "G19"], "disqualified. [4.6] You draft 3 cards first."),
        ("K02", "NOMINATION", ["L02", "G18", "G17", "G15", "G14"], "no Minority Candidate: a Team"),
        ("K02", "CAMPAIGN", ["L02", "G18", "G17", "G15", "G14"], "You can draft G59 Oregano from"),
        ("K02", "NOMINATION", ["L02", "G18", "G17", "G15", "G39"], ""),
    ],
)
def test_a_team_that_cannot_be_valid_stands_above_the_cards(
    place: str, phase: str, hand: list[str], warned: str
) -> None:
    public = {"constituency": place, "row": ["G20", "G59"]}
    scenario = {"public": public, "private": {"LAN": {"hand": hand}}}
    game = paper.begin(paper.Setup(KEY, 0, None, {}, scenario))
    state = replace(game.state, phase=phase)
    made = templates.issue(game.ruleset, state, game.seats, 0, "", ())
    position = bulletin.notice(templates.environment(), made, "LAN").partition("POSITION")[2]
    above = " ".join(position.partition("Hand")[0].split())
    assert ("disqualified" in above) == bool(warned) and warned in above


def test_the_last_bulletin_lays_open_the_cards_as_dealt_and_as_held() -> None:
    game = begin()
    opening = {seat: game.ruleset.view(game.start, seat) for seat in game.seats}
    while game.ruleset.result(game.state) is None:
        running = printed(game, opening=opening) if game.periods else ""
        assert "HELD AT THE END" not in running and "as they were dealt" not in running
        game = paper.step(game, {})
    text = printed(game, opening=opening)
    dealt = text.partition("The cards as they were dealt:")[2]
    for seat, cards in HANDS.items():
        own = dealt.partition(f"{seat} ({game.state.names[seat]}):\n")[2]
        lines = own.split("\n")[: len(cards)]
        assert sorted(line.split()[1] for line in lines) == sorted(cards)
    held = text.partition("THE CARDS HELD AT THE END")[2].partition("THE GAME IS OVER")[0]
    for seat in game.seats:
        assert all(f"* {game.state.spelt(id)}"[:78] in held for id in game.state.held(seat))
    assert "All orders follow but for the OVERRIDE lists" in text


def test_orders_are_laid_open_but_for_lists_whose_cards_nobody_was_to_learn() -> None:
    game = begin()
    taken = paper.step(game, {"LAN": "OVERRIDE G18\nDRAFT G60"}).periods[-1].taken["LAN"]
    shown = game.ruleset.laid_open(game.state, "LAN", taken.standing)  # type: ignore[attr-defined]
    assert list(shown) == ["DRAFT"] and list(taken.standing) == ["OVERRIDE", "DRAFT"]


def test_the_last_notice_says_how_it_ended() -> None:
    game = polled()
    while game.ruleset.result(game.state) is None:
        game = paper.step(game, {})
    result = game.ruleset.result(game.state)
    for seat in ("PIP", "LAN"):
        text = " ".join(printed(game, seat).split())
        won = "You have" if seat in result.winners else f"{result.winners[0]} has"
        assert f"The game is over. {won} won (points: " in text


def test_after_the_end_nothing_is_kept_for_what_may_come_and_all_winners_are_listed() -> None:
    game = paper.step(begin(), {"COM": "STANDING DECLINE"})
    assert "Kept for what may come" in printed(game, "COM")
    while game.ruleset.result(game.state) is None:
        game = paper.step(game, {})
    assert "Kept for what may come" not in printed(game, "COM")
    text = " ".join(printed(game).split())
    assert "WHO WON WHICH CONSTITUENCY Party Constituencies (and their seats) Seats PIP" in text
    listed = text.partition("WHO WON WHICH")[2].partition("THE CARDS HELD")[0]
    assert "K03 Causeway North (1)" in listed and listed.count(" K") == 3
