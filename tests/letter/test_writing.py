"""Orders as people write them: numbers, lists, politeness, typography; forms that are not filled in;
and what a refusal gives to send."""

import pytest

from pbem.games.frame.adjudication import take
from pbem.house.shelf import open_ruleset
from pbem.orders.language import Language
from pbem.orders.muting import unfinished
from pbem.orders.writing import even
from tests.bots import bot_game

P66 = "parlement-1966"


def language(key: str) -> Language:
    return open_ruleset(key).language


def read(key: str, text: str) -> list[str]:
    found = language(key)
    return [str(order) for line in found.split(text) for order in found.read(line).orders]


@pytest.mark.parametrize(
    "number",
    [
        "1000", "1,000", "1.000", "1 000", "1'000", "1\u2019000", "1\u00a0000", "1\u202f000",
        "1\u2009000", "1000 crowns", "1,000 cr.", "1000cr", "$1,000", "\u20ac 1.000", "1.000 \u20ac",
        "1k", "1.0k", "1,00K", "1000,-", "1'000 Crowns",
    ],
)  # fmt: skip
def test_numbers(number: str) -> None:
    wanted = "PAY 1000 TO Ctr", "BID 1,000 ON S12", "GIVE 1000 TO P3"
    assert read("parlement-1968", f"PAY {number} TO Ctr") == [wanted[0]]
    assert read("politics-1935", f"BID {number} ON S12") == [wanted[1]]
    assert read("legislation", f"GIVE {number} TO P3") == [wanted[2]]
    if "k" not in number.lower():
        assert read(P66, f"PAY {number} TO L!") == ["PAY 1000 TO L"]


@pytest.mark.parametrize(
    ("number", "choices"),
    [("1.50", "1 or 150"), ("1,00", "1 or 100"), ("1.5", "1 or 15"), ("10.00", "10 or 1000")],
)
def test_a_number_that_may_be_two_is_asked_about(number: str, choices: str) -> None:
    found = language(P66)
    (line,) = found.split(f"PAY {number} TO L")
    problem = found.read(line).problem
    assert problem and (problem.code, problem.line) == ("E_AMBIGUOUS", 1)
    assert problem.message == f'"{number}" may mean {choices}.'
    first, last = choices.split(" or ")
    assert [
        f"as PAY {one} TO L" in note for one, note in zip((first, last), problem.notes, strict=True)
    ]


LISTS = [
    (P66, "PREFER R, L and C", "PREFER R, L, C"),
    (P66, "PREFER R & L, & C", "PREFER R, L, C"),
    (P66, "VOTE YES ON 4 and 5", "VOTE YES ON 4; VOTE YES ON 5"),
    (P66, "CANDIDATES 21-25 AND 31", "CANDIDATES 21-25, 31"),
    (P66, "CANDIDATES 21-25 and\n31 and 32", "CANDIDATES 21-25, 31-32"),
    ("parlement-1968", "CANDIDATES N1 & N2 and E5-E8", "CANDIDATES N1, N2, E5-E8"),
    ("coalition", "SPECIAL AGR, ENV and TRA", "SPECIAL AGR, ENV, TRA"),
    ("coalition", "SPECIAL AGR & ENV", "SPECIAL AGR, ENV"),
    ("legislation", "BILL HEART+ and STAR-", "BILL HEART+ STAR-"),
    ("legislation", "VOTE AYE ON B2 & B3", "VOTE AYE ON B2 B3"),
    ("party-in-power", "FIELD T23, T22 and T44", "FIELD T23 T22 T44"),
    ("politics-1935", "CAMPAIGN TX 1, OH 1 and MN 1", "CAMPAIGN TX 1, OH 1, MN 1"),
]


@pytest.mark.parametrize(("game", "text", "canonical"), LISTS)
def test_lists(game: str, text: str, canonical: str) -> None:
    assert read(game, text) == read(game, canonical) != []


VOTES = [
    ("coalition", "VOTE {} ON V3", "AYE"),
    ("coalition", "STANDING {}", "AYE"),
    ("legislation", "VOTE {} ON B2", "AYE"),
    ("legislation", "STANDING VOTE {}", "AYE"),
    ("parlement-1968", "VOTE 5 {}", "YES"),
    (P66, "VOTE {} ON 4", "YES"),
    (P66, "VOTE AMENDMENT 1 {}", "YES"),
]


@pytest.mark.parametrize(("game", "order", "yes"), VOTES)
def test_votes(game: str, order: str, yes: str) -> None:
    no = "NAY" if yes == "AYE" else "NO"
    for meant, words in ((yes, ("YES", "aye", "Y", "y")), (no, ("NO", "nay", "N", "no"))):
        for word in words:
            assert read(game, order.format(word)) == read(game, order.format(meant)) != []


@pytest.mark.parametrize(
    "line",
    [
        "VOTE YES ON 4.",
        "VOTE YES ON 4 !",
        "- VOTE YES ON 4",
        "* VOTE YES ON 4",
        "\u2022 VOTE YES ON 4",
        "\u2013 VOTE YES ON 4",
        "1. VOTE YES ON 4",
        "**VOTE YES ON 4**",
        "__VOTE YES ON 4__",
        "VOTE *YES* ON 4",
        "Please VOTE YES ON 4",
        "please, vote yes on 4",
        "VOTE YES ON 4, please.",
        "VOTE YES ON 4 - thank you!",
        "\u00a1VOTE YES ON 4!",
        "VOTE YES ON 4\u00a0!",
        "VOTE YES ON 4 \U0001f44d",
        "Vote Yes on bill 4",
        "VOTE\u00a0YES ON \u20604",
    ],
)
def test_decoration(line: str) -> None:
    assert read(P66, f"Dear referee,\n\n{line}\n\nThanks") == ["VOTE YES ON 4"]


def test_places_stay() -> None:
    for text in ("PAY 1.000 cr. TO L and R", 'AMEND "1.000 and $5" and 2,5k', "a & b"):
        assert len(even(text)) == len(text)
    assert even('AMEND "1.000 & x"') == 'AMEND "1.000 & x"'


@pytest.mark.parametrize(
    "line",
    [
        "VOTE ... ON 4      # Income tax: W +2, B -2",
        "VOTE \u2026 ON 4",
        "VOTE . . . ON 4",
        "PAY ... TO ...",
        "PAY $... TO L",
        'AMEND "..."',
        "- CANDIDATES ...",
        "  [1] PASS",
        "  #1 PASS",
        "[12] VOTE YES ON 4",
    ],
)
def test_what_is_not_filled_in_is_skipped(line: str) -> None:
    assert [one.text for one in language(P66).split(f"{line}\nPASS\n{line}")] == ["PASS"]


def test_dots_behind_an_order_are_asked_about() -> None:
    (line,) = language(P66).split("VOTE YES ON 4...")
    problem = language(P66).read(line).problem
    assert problem and "did you mean VOTE YES ON 4?" in problem.notes


def test_the_rest_of_a_comment_is_skipped() -> None:
    text = (
        "VOTE YES ON 4                      # Income tax: so much for the workers,\nW +2, B -2\n"
        "CANDIDATES 21-25      # your list for the session at 500 crowns each, in\n31 or 40 and so"
        " on\nPREFER R,   # those to the left of me in this whole parliament, then\nL\nVOTE NO ON 5"
    )
    assert [line.text for line in language(P66).split(text)] == [
        "VOTE YES ON 4",
        "CANDIDATES 21-25",
        "PREFER R, L",
        "VOTE NO ON 5",
    ]


@pytest.mark.parametrize(
    ("game", "line", "meant"),
    [
        (P66, "VOET YES ON 4", "VOTE YES ON 4"),
        (P66, "I vote yes on 4", "VOTE YES ON 4"),
        (P66, "My orders: vote yes on 4 please", "VOTE YES ON 4"),
        (P66, '"VOTE YES ON 4"', "VOTE YES ON 4"),
        (P66, "VOTE YES ON 4 because I like it", "VOTE YES ON 4"),
        (P66, "please pass", "PASS"),
        (P66, "PAY 500 TOO L", "PAY 500 TO L"),
        ("coalition", "VOTE AYYE ON V3", "VOTE AYE ON V3"),
        ("politics-1935", "BIDD 40.000 ON S12", "BID 40,000 ON S12"),
    ],
)
def test_a_refusal_gives_the_line_to_send(game: str, line: str, meant: str) -> None:
    found = language(game)
    (one,) = found.split(line)
    problem = found.read(one).problem
    assert problem and f"did you mean {meant}?" in problem.notes
    assert found.meant(one.text)


@pytest.mark.parametrize(
    ("line", "use"),
    [
        ("STATUS quo", "STATUS stands on a line of its own"),
        ("Wait for my letter, Bob", "WAIT stands on a line of its own"),
        ("Please check with Ann", ""),
        ("READY when you are", "READY stands on a line of its own"),
        ("HISTORY of the world", "HISTORY stands on a line of its own, as in HISTORY 3"),
        ("Help is always on its way here", ""),
    ],
)
def test_a_word_for_the_referee_is_told_its_use(line: str, use: str) -> None:
    problem = language(P66).read(language(P66).split(line)[0]).problem
    assert problem and problem.notes[0].startswith(use or "no order begins with ")


@pytest.mark.parametrize(
    ("line", "quiet"),
    [
        ("Dear referee", True),
        ("Thanks a lot, Bob", True),
        ("I hope that we all survive this winter.", True),
        ("VOET YES ON 4", False),
        ("I vote yes on 44", False),
        ("VOTE", False),
        ("Wait a bit", False),
    ],
)
def test_prose_is_quiet(line: str, quiet: bool) -> None:
    ruleset = open_ruleset(P66)
    turn = next(bot_game(ruleset, 0))
    taken = take(ruleset, turn.before, "S", line, {})
    assert [answer.quiet for answer in taken.answers] == [quiet] and len(taken.problems) == 1


FORM = (
    "PAY ... TO ...      # a cheque\nVOTE ... ON 4       # YES, NO or ABSTAIN\nCANDIDATES ..., ..."
)


@pytest.mark.parametrize(
    ("line", "half"),
    [
        ("PAY ... TO ...", False),
        ("- *pay \u2026 to \u2026*  # a cheque", False),
        ("PAY . . . TO . . .", False),
        ("VOTE ... ON 4 # YES, NO", False),
        ("PAY 500 TO ...", True),
        ("PAY ... TO L", True),
        ("VOTE YES ON 4 ...", True),
        ("VOTE ... ON 5", True),
        ("CANDIDATES ..., ...,", False),
        ("CANDIDATES 21, ...", True),
        ("Well ... I do not know yet ...", False),
        ("VOTE YES ON 4", False),
    ],
)
def test_a_line_of_a_form_that_was_filled_in_by_half(line: str, half: bool) -> None:
    found = unfinished(language(P66), f"Dear referee,\n{line}\n", [FORM])
    assert [one.upper() for one in found] == ([line] if half else [])
