"""What no case can show: receipts, scenarios made of views, the end, what a bulletin must not
tell."""

import re
from typing import Any

import pytest

from pbem.games.coalition.advice import places
from pbem.games.frame.adjudication import take
from pbem.games.frame.events import Event
from pbem.house import shelf, templates
from pbem.pages.bulletin import bulletin
from pbem.pages.page import Words
from pbem.pages.plain import plain as printed
from pbem.periods import paper
from pbem.text import WIDTH
from tests.bots import bot_game

G1 = (
    "PROPOSE PM A, DEF B, FIN C, FOR E, AGR J, EC J, ENV J, FF J, HW A, INF A, JUS B, ME B, SI C,"
    " SEC C, TE E, TRA E, WP1 J"
)


def game(
    options: dict[str, Any] | None = None, scenario: dict[str, Any] | None = None
) -> paper.Game:
    return paper.begin(paper.Setup("coalition", 0, None, options or {}, scenario or {}))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        # after A was tabled, B and C wait: K is behind both, and behind whoever larger may still
        # send one
        ({}, {"K": (1, 10), "A": (3, 15), "B": (1, 1), "O": (2, 14)}),
        ({"TABLING": "SEATS"}, {"K": (1, 11), "A": (1, 1), "O": (3, 15)}),
        ({"TABLING": "FIFO"}, {"K": (3, 15), "A": (3, 15), "B": (1, 2)}),
        ({"SPONSOR": "SECRET"}, {"K": (1, 11), "A": (1, 15), "B": (1, 2)}),
    ],
)
def test_places_in_the_queue(options: dict[str, Any], expected: dict[str, tuple[int, int]]) -> None:
    table = paper.step(game(options), {"A": G1, "B": G1, "C": G1})
    for seat, place in expected.items():
        draft = table.state.parties[seat].draft
        assert places(table.state, seat, draft.filed if draft else 2) == place, seat


@pytest.mark.parametrize(
    "options", [{}, {"SPONSOR": "SECRET", "BALLOTS": "SECRET"}, {"MAX_PERIODS": 3}]
)
def test_any_position_can_be_set_up_from_its_views(options: dict[str, Any]) -> None:
    table = paper.step(
        game(options), {"A": G1, "B": G1, "K": "STANDING NAY; SPECIAL AGR", "C": 'NAME "Crown"'}
    )
    for texts in ({"A": "VOTE AYE", "C": "VOTE NAY", "O": "RESIGN"}, {"D": G1, "E": "VOTE AYE"}):
        table = paper.step(table, texts)
        seen = paper.views(table, table.state)
        again = game(options, {"public": seen.pop("public"), "private": seen})
        assert again.state == table.state


def test_nothing_is_taken_when_the_game_is_over() -> None:
    table = paper.step(paper.step(game({"MAX_PERIODS": 2}), {}), {})
    taken = take(table.ruleset, table.state, "A", "VOTE AYE", {})
    assert [(p.code, p.message) for p in taken.problems] == [("E_OVER", "The game is over.")]


def test_a_bulletin_does_not_show_whose_standing_vote_is_on_file() -> None:
    texts = []
    for letter in ("", "STANDING NAY"):
        table = paper.step(game(), {"A": G1, "D": letter})
        period = table.periods[-1]
        issue = templates.issue(
            table.ruleset, period.state, table.seats, 1, period.phase, period.events
        )
        texts.append(bulletin(templates.environment(), issue))
    assert texts[0] == texts[1]


def test_canonical_ministries_have_their_slash() -> None:
    (order,) = shelf.open_ruleset("coalition").language.parse("propose pm a, ec b, tra c")
    assert str(order) == "PROPOSE PM A, E/C B, TRA C"


@pytest.mark.parametrize(
    ("options", "open_then"),
    [
        ({}, ["VOTE", "DRAFT", "STANDING", "NAME"]),
        ({"SPONSOR": "SECRET"}, ["VOTE", "STANDING", "NAME"]),
        ({"BALLOTS": "SECRET"}, ["DRAFT", "NAME"]),
    ],
)
def test_orders_that_are_laid_open_at_the_end(
    options: dict[str, Any], open_then: list[str]
) -> None:
    """What an option keeps secret stays so after the end (2)."""
    table = paper.step(game(options), {"A": G1})
    letter = f'VOTE AYE\n{G1}\nSTANDING NAY\nNAME "Crown"'
    standing = take(table.ruleset, table.state, "B", letter, {}).standing
    assert len(standing) == 4
    laid: Any = table.ruleset
    assert list(laid.laid_open(table.state, "B", standing)) == open_then


def test_a_slate_told_in_an_answer_keeps_its_columns() -> None:
    """An answer to WHY is printed behind a bar, and nothing of a slate's table is broken there."""
    ruleset, told = shelf.open_ruleset("coalition"), 0
    for turn in bot_game(ruleset, 1):
        says = templates.words(ruleset, turn.outcome.state, "A")
        for event in turn.outcome.events:
            if "slate" in event.data:
                text = printed(says.tell(event), WIDTH - 2)
                assert max(map(len, text.split("\n"))) <= WIDTH - 2
                told += 1
    assert told


def test_tables_of_parties_are_in_one_order() -> None:
    """A to O in every table of a bots' game, but for the final standing."""
    ruleset, environment = shelf.open_ruleset("coalition"), templates.environment()
    for turn in bot_game(ruleset, 1):
        issue = templates.issue(
            ruleset,
            turn.outcome.state,
            sorted(turn.standing),
            turn.number,
            turn.before.phase,
            turn.outcome.events,
        )
        text = bulletin(environment, issue).partition("THE GAME IS OVER")[0]
        tables = re.findall(r"^  Party .*\n((?:  .*\n)+)", text, re.MULTILINE)
        for table in tables:
            listed = re.findall(r"^  ([A-O])\b", table, re.MULTILINE)
            assert listed == sorted(listed), table


def test_the_game_in_short_names_parties_that_play_in_every_game() -> None:
    ruleset, short = shelf.open_ruleset("coalition"), shelf.rules("coalition").short
    fewest = min(ruleset.about.seats, key=len)
    found = re.findall(r"(\d+) points (?:are|only) ([\d.]+) for ([A-O]) with (\d+)", short)
    assert len(found) == 2
    for points, score, party, seats in found:
        assert party in fewest and ruleset.book.tables["parties"][party] == int(seats)
        assert f"{10 * int(points) / int(seats):.2f}" == score


def test_a_condition_on_rank_is_told_as_a_rank() -> None:
    data = {"id": "V1", "how": "if", "order": "VOTE AYE IF RANK = 1", "figures": {"RANK": "1"}}
    says = Words(templates.environment(), {**templates.CONTEXT, "key": "coalition"})
    assert "V1 gives you rank 1." in says.tell(Event("if_acts", "3.9", frozenset("A"), data))
