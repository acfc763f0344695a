"""Orders for what may come: a condition holds or not, an order that makes no sense is refused, and
an IF behind other orders is refused with a sentence that helps."""

from fractions import Fraction

import pytest

from pbem.games.frame.conditions import (
    DENIED,
    Choice,
    Condition,
    Figure,
    Term,
    WhatIf,
    figures_now,
    first,
    joined,
    on_file,
    refusal,
    written,
)
from pbem.house.shelf import open_ruleset

KNOWN = {"POINTS": Figure(0, 94, flag=False), "PM": Figure()}
MANY = Condition(((Term("POINTS", ">=", Fraction(30)),),))
LEADS = Condition(((Term("PM"), Term("POINTS", "<", Fraction(9))), (Term("PM", DENIED),)))


@pytest.mark.parametrize(
    ("sign", "than", "so"),
    [(">=", 30, True), (">", 30, False), ("<=", 30, True), ("<", 30, False), ("=", 30, True)],
)
def test_a_number_is_compared_exactly(sign: str, than: int, so: bool) -> None:
    test = Term("POINTS", sign, Fraction(than))
    assert test.holds({"POINTS": 30}) is so
    assert test.holds({"POINTS": Fraction(301, 10)}) is (sign in (">=", ">"))
    assert not test.holds({})


def test_a_flag_that_is_not_known_neither_holds_nor_is_denied() -> None:
    assert Term("PM").holds({"PM": 1})
    assert Term("PM", DENIED).holds({"PM": 0})
    assert not Term("PM").holds({})
    assert not Term("PM", DENIED).holds({})


def test_all_tests_of_a_clause_and_one_clause_of_a_condition() -> None:
    assert LEADS.holds({"PM": 1, "POINTS": 8})
    assert not LEADS.holds({"PM": 1, "POINTS": 9})
    assert LEADS.holds({"PM": 0, "POINTS": 90})
    assert str(LEADS) == "PM AND POINTS < 9 OR NOT PM"


def test_the_first_case_that_holds_is_taken() -> None:
    cases = (Choice("AYE", MANY), Choice("NAY", LEADS), Choice("ABSTAIN"))
    assert first(cases, {"POINTS": 30, "PM": 0}) == cases[0]
    assert first(cases, {"POINTS": 2, "PM": 0}) == cases[1]
    assert first(cases, {"POINTS": 20, "PM": 1}) == cases[2]
    assert first(cases[:2], {"POINTS": 20, "PM": 1}) is None
    assert figures_now(cases, {"POINTS": 34, "PM": 1}) == {"POINTS": "34", "PM": "1"}


def test_the_orders_of_a_period_make_one_list() -> None:
    aye, nay, rest = Choice("AYE", MANY), Choice("NAY", LEADS), Choice("ABSTAIN")
    assert joined((aye, rest), (nay,)) == (aye, nay, rest)
    changed = Choice("AYE", LEADS)
    assert joined((aye, nay, rest), (changed, Choice("NAY"))) == (changed, nay, Choice("NAY"))


def test_what_is_on_file_after_a_period() -> None:
    kept, given = _vote(Choice("AYE", MANY)), _vote(Choice("NAY", LEADS))
    assert on_file(kept, {}) == kept
    assert on_file(kept, {given.slot: given}) == given
    assert on_file(kept, {given.slot: _vote()}) is None


def _vote(*cases: Choice) -> WhatIf:
    return WhatIf(cases, "VOTE")


@pytest.mark.parametrize(
    ("order", "code", "message"),
    [
        (
            _vote(Choice("AYE", Condition(((Term("PINTS", ">", Fraction(1)),),)))),
            "E_FIGURE",
            "PINTS",
        ),
        (_vote(Choice("AYE", Condition(((Term("POINTS"),),)))), "E_COMPARE", "is a number"),
        (
            _vote(Choice("AYE", Condition(((Term("PM", ">", Fraction(0)),),)))),
            "E_COMPARE",
            "is not",
        ),
        (
            _vote(Choice("AYE", Condition(((Term("POINTS", ">", Fraction(94)),),)))),
            "E_COMPARE",
            "POINTS > 94 never holds.",
        ),
        (
            _vote(Choice("AYE", Condition(((Term("POINTS", ">=", Fraction(0)),),)))),
            "E_COMPARE",
            "POINTS >= 0 always holds.",
        ),
        (_vote(Choice("AYE", MANY), Choice("AYE", LEADS)), "E_AGAIN", "AYE stands twice"),
        (_vote(Choice("AYE")), "E_ELSE", "behind all"),
        (_vote(Choice("AYE"), Choice("NAY", MANY)), "E_ELSE", "behind all"),
        (_vote(Choice("AYE", Condition((MANY.tests * 17,)))), "E_LONG", "17 tests"),
    ],
)
def test_what_makes_no_sense_is_refused(order: WhatIf, code: str, message: str) -> None:
    refused = refusal(order, KNOWN, "3.9")
    assert refused is not None
    (problem,) = refused.problems
    assert (problem.code, problem.rule) == (code, "3.9")
    assert message in problem.message
    assert problem.notes


def test_what_makes_sense_is_not_refused() -> None:
    assert (
        refusal(_vote(Choice("AYE", MANY), Choice("NAY", LEADS), Choice("NAY")), KNOWN, "3.9")
        is None
    )


def test_a_number_in_print() -> None:
    assert [written(Fraction(n)) for n in ("30", "15/2", "-1/4", "301/100")] == [
        "30",
        "7.5",
        "-0.25",
        "3.01",
    ]


@pytest.mark.parametrize(
    ("game", "line", "sentence"),
    [
        ("coalition", "SPECIAL AGR IF PM", "SPECIAL cannot have IF: only VOTE can."),
        (
            "coalition",
            "PROPOSE PM A, DEF B IF POINTS > 3",
            "PROPOSE cannot have IF: only VOTE can.",
        ),
    ],
)
def test_an_if_elsewhere_is_refused(game: str, line: str, sentence: str) -> None:
    language = open_ruleset(game).language
    (split,) = language.split(line)
    problem = language.read(split).problem
    assert problem is not None
    assert (problem.code, problem.message) == ("E_IF", sentence)
    assert problem.rule
    assert problem.notes


def test_an_if_in_quotes_is_part_of_a_name() -> None:
    language = open_ruleset("coalition").language
    assert not language.read(language.split('NAME "What if"')[0]).problem


def test_a_guess_at_what_was_meant_survives_an_if() -> None:
    language = open_ruleset("parlement-1966").language
    line = "GOVERMENT PREMIER S IF L SIGNS"
    assert language.read(language.split(line)[0]).problem
