"""What no case can show: receipts, scenarios made of views, the end, what a bulletin must not
tell."""

import re
from typing import Any

import pytest

from pbem.games.coalition.advice import places
from pbem.games.frame.adjudication import take
from pbem.games.frame.events import PUBLIC, Event
from pbem.games.frame.ruleset import ToldEvent
from pbem.house import shelf, templates
from pbem.pages import guide
from pbem.pages.bulletin import bulletin, notice, tell
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


def _told(table: paper.Game, seat: str, standing: dict[str, Any]) -> str:
    said = table.ruleset.advice(table.state, seat, standing)
    return printed("\n".join(templates.events_in_words(table.ruleset, table.state, seat, said)))


def test_a_receipt_tells_what_a_draft_would_do() -> None:
    table = game()
    standing = take(
        table.ruleset, table.state, "J", f"SPECIAL AGR, ENV, F/F, TRA\n{G1}", {}
    ).standing
    said = " ".join(_told(table, "J", standing).split())
    for part in (
        "PM Prime Minister 25 A",
        "WP2 Without Portfolio 2 1 (not named)",
        # party, MPs, ministers, points, score, and with as many Special Ministries as may be
        "A 82 3 31 3.780 4.512",
        "J 28 5 22 7.857 7.857 Its members",
        "Its members hold 308 seats together, enough for the majority of 308.",
        "22 points (AGR, E/C, ENV, F/F, WP1; as your Special Ministries AGR, ENV, F/F count double; 13"
        " without doubles, which is what IF POINTS reads)",
        "a score of 7.857. [4.7]",
        "place in the queue: between 1 and 10 as things stand, depending on the drafts of others",
        "It can be voted on in period 2 at the earliest; the last vote is in period 16, and a draft",
    ):
        assert part in said, part
    assert all(len(line) <= WIDTH for line in _told(table, "J", standing).split("\n"))


def test_a_receipt_says_how_many_special_ministries_may_still_be_named() -> None:
    table = game()
    for orders, expected in (
        ("SEC", "SEC (Security) counts 6 points"),
        ("SEC", "You may name three more until the deadline: send the whole list again. [3.1]"),
        ("SEC, TRA", "TRA (Transportation): each counts 6 points"),
        ("SEC, TRA, JUS", "You may name one more until the deadline"),
        ("AGR, ENV, F/F, TRA", "The list is fixed at this deadline. [3.1]"),
        ("NONE", "until then you may name up to four. [3.1]"),
    ):
        standing = take(table.ruleset, table.state, "O", f"SPECIAL {orders}", {}).standing
        assert expected in " ".join(_told(table, "O", standing).split()), orders


def test_the_draft_on_file_is_shown_until_it_is_withdrawn_or_tabled() -> None:
    table = paper.step(game(), {"A": G1, "B": G1})
    assert table.ruleset.advice(table.state, "A", {}) == ()
    assert _told(table, "B", {}).startswith("Your draft of period 1 waits in the docket. [3.2]")
    withdrawn = take(table.ruleset, table.state, "B", "WITHDRAW", {}).standing
    (leaves,) = table.ruleset.advice(table.state, "B", withdrawn)
    assert (leaves.kind, leaves.rule) == ("leaves_docket", "3.3")


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


@pytest.mark.parametrize(
    ("standing", "told"),
    [
        ("ON", "(a standing vote will do; without one, silence abstains)"),
        ("OFF", "(silence abstains)"),
    ],
)
def test_a_bulletin_says_whose_silence_abstains(standing: str, told: str) -> None:
    table = paper.step(game({"STANDING": standing}), {"A": G1})
    period = table.periods[-1]
    facts = templates.issue(table.ruleset, period.state, table.seats, 1, "OPENING", period.events)
    assert told in " ".join(bulletin(templates.environment(), facts).split())


def test_a_draft_comes_up_earlier_if_those_before_it_are_taken_back() -> None:
    drafts = dict.fromkeys("IKLNO", f"{G1}\nSPECIAL AGR")
    table = paper.step(game(), drafts)
    said = " ".join(_told(table, "O", {}).split())
    assert "between 3 and 14 as things stand, depending on the drafts of others," in said
    assert "and earlier if drafts that wait are taken back;" in said
    assert "It can be voted on in period 3 at the earliest" in said
    assert "at worst, and earlier if drafts that wait are taken back." in _asked(
        table, "O", "my draft"
    )
    table = paper.step(table, dict.fromkeys("KLN", "WITHDRAW"))
    assert table.state.floor is not None and table.state.floor.sponsor == "O"


def test_one_special_ministry_counts_double() -> None:
    table = game()
    standing = take(table.ruleset, table.state, "J", f"SPECIAL AGR\n{G1}", {}).standing
    said = " ".join(_told(table, "J", standing).split())
    assert "as your Special Ministry AGR counts double" in said


def test_canonical_ministries_have_their_slash() -> None:
    (order,) = shelf.open_ruleset("coalition").language.parse("propose pm a, ec b, tra c")
    assert str(order) == "PROPOSE PM A, E/C B, TRA C"


def test_no_line_of_the_guide_is_an_order() -> None:
    language = shelf.open_ruleset("coalition").language
    text = printed(guide.guide(templates.environment(), "coalition", None).text)
    for line in text.splitlines():
        assert len(line) <= WIDTH
        assert all(language.read(one).problem for one in language.split(line)), line


def test_a_one_party_government_keeps_within_the_columns() -> None:
    alone = "PROPOSE " + ", ".join(f"{code} A" for code in game().ruleset.book.tables["order"])
    table = game({"MAX_PERIODS": 3})
    texts = []
    for letters in (
        {"A": alone, "B": alone, "C": "SPECIAL AGR"},
        {"A": "VOTE AYE"},
        {"A": "VOTE AYE"},
    ):
        table = paper.step(table, letters)
        period = table.periods[-1]
        facts = templates.issue(
            table.ruleset, period.state, table.seats, period.number, period.phase, period.events
        )
        texts += [
            bulletin(templates.environment(), facts),
            notice(templates.environment(), facts, "B"),
        ]
    assert max(len(line) for text in texts for line in text.splitlines()) <= 78
    assert "WP3" in texts[0]
    assert "WP3" in texts[-2]


def _asked(table: paper.Game, seat: str | None, words: str) -> str:
    heard = [ToldEvent(0, event) for event in table.opening]
    heard += [ToldEvent(held.number, event) for held in table.periods for event in held.events]
    heard = [one for one in heard if one.event.audience == PUBLIC or seat in one.event.audience]
    said = templates.explained(table.ruleset, table.state, seat, heard, words)
    return " ".join(printed(said).split())


@pytest.mark.parametrize("words", ["V1", "vote 1", "1", "Motion V1?", "the vote on V1.", "VOTE V1"])
def test_why_a_motion_in_any_words(words: str) -> None:
    table = paper.step(game(), {"A": G1})
    table = paper.step(table, {"A": "VOTE AYE", "B": "VOTE AYE", "C": "VOTE NAY"})
    said = _asked(table, "A", words)
    assert "Aye A 82 + B 75 157 Nay C 68 68 Abstention" in said
    assert "157 seats said Aye; a majority takes 308." in said
    assert "If the game ended now it would be the Government that is scored" in said


@pytest.mark.parametrize("words", ["score J", "SCORE of Crown", "the points of J?", "J", "crown"])
def test_why_a_score_before_the_end_hides_special_ministries(words: str) -> None:
    table = paper.step(game(), {"A": G1, "J": 'NAME "Crown"; SPECIAL AGR, ENV'})
    table = paper.step(table, {"A": "VOTE AYE"})
    plain = 'J "Crown" in V1: AGR 3 + E/C 3 + ENV 3 + F/F 3 + WP1 1 = 13.'
    assert plain in _asked(table, "A", words) and plain in _asked(table, None, words)
    assert "Up to 4 Special Ministries may count double" in _asked(table, "A", words)
    assert "AGR 2 x 3 + E/C 3 + ENV 2 x 3 + F/F 3 + WP1 1 = 19." in _asked(table, "J", words)


def test_why_a_motion_tells_the_majority_of_its_own_time() -> None:
    """Resignations lower it afterwards (4.3)."""
    five = paper.Setup("coalition", 0, tuple("ABCDE"), {"MAJORITY_OF": "HELD"}, {})
    slate = "PROPOSE " + ", ".join(f"{code} A" for code in game().ruleset.book.tables["order"])
    table = paper.step(paper.begin(five), {"A": slate})
    table = paper.step(table, {"A": "VOTE AYE"})
    assert "82 seats said Aye; a majority takes 171." in _asked(table, "A", "V1")
    table = paper.step(table, {"B": "RESIGN", "C": "RESIGN"})
    assert table.state.needed == 100
    assert "82 seats said Aye; a majority takes 171." in _asked(table, "A", "V1")
    assert "A majority is 100" in _asked(table, "A", "majority")


@pytest.mark.parametrize(
    ("vote", "told"),
    [
        ("VOTE AYE", "If the game ended now, V1 would be scored, the latest Minority Government"),
        ("VOTE NAY", "There has been no Government so far."),
    ],
)
def test_a_bulletin_says_what_would_be_scored_now(vote: str, told: str) -> None:
    table = paper.step(paper.step(game(), {"A": G1}), {"A": vote})
    period = table.periods[-1]
    facts = templates.issue(table.ruleset, period.state, table.seats, 2, "SITTING", period.events)
    assert told in " ".join(bulletin(templates.environment(), facts).split())


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
    ruleset, env, told = shelf.open_ruleset("coalition"), templates.environment(), 0
    for turn in bot_game(ruleset, 1):
        known = templates.context(ruleset, turn.outcome.state, "A")
        for event in turn.outcome.events:
            if "slate" in event.data:
                text = printed(tell(env, "coalition", event, known), WIDTH - 2)
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
    told = tell(
        templates.environment(),
        "coalition",
        Event("if_acts", "3.9", frozenset("A"), data),
        templates.CONTEXT,
    )
    assert "V1 gives you rank 1." in told
