"""Sentences: orders in other words are taken or offered, and nothing is taken that is talk.

``in_other_words.tsv``: game, what it is (sure, offered, nothing), the words, the orders.
``talk.txt``: what people write to each other, and to the referee, that orders nothing.
``strangers.tsv``: game, words of people who had not seen the reader, and what they meant ("-": talk).
``plain.tsv``: the same, of three more people; so many are read right at least.
"""

import os
import subprocess
import sys
from collections import Counter
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from pbem.games.frame.adjudication import MEANT, Sender, take
from pbem.house.shelf import open_ruleset
from pbem.orders import other_words, slates
from pbem.orders.called import named, names, seats
from pbem.orders.characters import first_word
from pbem.orders.order import CANCEL
from pbem.orders.other_words import Place
from pbem.pages import sheet
from pbem.pages.names import called
from tests.bots import bot_game
from tests.sampled import by_night

HERE = Path(__file__).parent
ROWS = [one.split("\t") for one in (HERE / "in_other_words.tsv").read_text("utf-8").splitlines()]
TALK = (HERE / "talk.txt").read_text(encoding="utf-8").splitlines()
MANY = 4
NAMES = ("Karl",)
"""The referee's, as everywhere here."""


@cache
def _moments(game: str) -> list[tuple[Any, str, Any]]:
    """Each seat in some periods of each phase."""
    ruleset, seen = open_ruleset(game), Counter[str]()
    states = (turn.before for turn in bot_game(ruleset, 1))
    some = (one for one in states if seen.update([one.phase]) or seen[one.phase] < MANY)
    return [(s, seat, asked) for s in some for seat, asked in ruleset.asked(s).items()]


def _place(game: str, orders: str) -> Place:
    """Where they would be taken; if nowhere, one where nothing else would."""
    ruleset, kept = open_ruleset(game), dict[str, Any]()
    for turn in bot_game(ruleset, 1) if CANCEL in orders else ():
        kept |= {slot: one for sent in turn.standing.values() for slot, one in sent.items()}
    for state, seat, asked in _moments(game):
        legal = Sender(ruleset, state, seat, {**kept}).filed
        if orders and legal(orders):
            return Place(legal, seat, partial(tuple, asked), True, tuple(kept.values()))
    parts = (orders, *orders.split("; "))
    return Place(lambda meant: {meant} & {*parts}, "A", corrects=True)


@pytest.mark.parametrize(("game", "fate", "words", "orders"), ROWS)
def test_an_order_in_other_words(game: str, fate: str, words: str, orders: str) -> None:
    """Where these orders would be taken, if any, and no others."""
    language = open_ruleset(game).language
    (line,) = language.split(words, (CANCEL,))
    read = language.read(line, _place(game, orders))
    assert read.problem and not read.orders
    notes = [note for note in read.problem.notes if note.startswith("did you mean")]
    assert notes == ([f"did you mean {orders}?"] if orders else [])
    taken = other_words.orders_of(language, line.text, NAMES) or ""
    assert taken.replace("\n", "; ") == (orders if fate == "sure" else "")


SLATES = [line.split("\t") for line in (HERE / "slates.tsv").read_text().splitlines()[1:]]


@pytest.mark.parametrize(("game", "seat", "stands", "words", "slate"), SLATES)
def test_who_gets_which_office_is_read(
    game: str, seat: str, stands: str, words: str, slate: str
) -> None:
    language = open_ruleset(game).language
    read = slates.read(language.corrector, language.other_words.slate, words, seat, stands)
    assert (str(read) if read else "-") == slate


WALKS = """
from pbem.orders.correcting import _Walk
from tests.letter.test_sentences import ROWS, open_ruleset
for game, _, words, _ in ROWS[:20]:
    reader = open_ruleset(game).language.corrector
    walk = _Walk(reader, reader.tokens(words.split(), "A"), 1.5 + 0.1 * len(words.split()), (), bool)
    print(walk.results(20_000))
"""


def test_a_sentence_is_read_alike_in_every_run() -> None:
    """Whatever order sets have there."""
    runs = [(sys.executable, "-c", WALKS)] * 3
    envs = [os.environ | {"PYTHONHASHSEED": str(seed)} for seed in range(1, 4)]
    said = {subprocess.check_output(run, env=env) for run, env in zip(runs, envs, strict=True)}
    assert len(said) == 1 and b"BILL" in said.pop()


def test_what_people_write_for_a_word_stands_on_one_line(key: str) -> None:
    language = open_ruleset(key).language
    for grammar in (language.terminals, language.grammar):
        words = [one.partition(":")[0] for one in grammar.splitlines() if one.startswith("//= ")]
        assert [word for word, lines in Counter(words).items() if lines > 1] == []


PARTS = 4
"""So many parts of the talk; the default run and CI have one of them."""


@pytest.mark.parametrize("part", [pytest.param(n, marks=by_night(n > 0)) for n in range(PARTS)])
def test_no_talk_is_taken(key: str, part: int) -> None:
    ruleset = open_ruleset(key)
    phases = {turn.before.phase: turn.before for turn in bot_game(ruleset, 1)}
    taken = [
        f"{state.phase}: {said} ({', '.join(map(str, orders))})"
        for state in phases.values()
        for said in TALK[part::PARTS]
        for seat in list(ruleset.asked(state))[:1]
        if (orders := take(ruleset, state, seat, said, {}, greeted=lambda: NAMES).standing.values())
    ]
    assert taken == []


@pytest.mark.parametrize(
    "second",
    [
        *("no wait, make that no", "oops, i meant 300", "provided they do too", "just joking"),
        *("forget the line above", "correction: yes", "only if con says yes too", "i won't"),
        "but not on v4",
    ],
)
def test_a_second_thought_beside_an_order_is_not_passed_over(second: str) -> None:
    ruleset = open_ruleset("coalition")
    state = next(turn.before for turn in bot_game(ruleset, 1) if turn.before.phase != "OPENING")
    seat = next(iter(ruleset.asked(state)))
    taken = take(ruleset, state, seat, f"vote nay\n{second}\n\nSee you on Sunday!", {})
    assert [str(one) for one in taken.standing.values()] == ["VOTE NAY"]
    told = [(one.line.text, one.problems[0].notes) for one in taken.answers[1:] if not one.quiet]
    assert [text for text, _ in told] == [second]
    assert "your orders stand as they are written" in told[0][1][0]


@pytest.mark.parametrize(
    ("below", "told"),
    [
        ("no wait, make that no", 1),
        ("This message is confidential.\nIf you have received it in error, please delete it.", 0),
        ("Hope you are well, but it is late here.", 0),
        ("Cheers,\nAnna\nnot all who wander are lost", 0),
    ],
)
def test_talk_in_another_passage_is_no_second_thought(below: str, told: int) -> None:
    ruleset = open_ruleset("coalition")
    state = next(turn.before for turn in bot_game(ruleset, 1) if turn.before.phase != "OPENING")
    taken = take(ruleset, state, next(iter(ruleset.asked(state))), f"vote nay\n\n{below}", {})
    assert len([one for one in taken.answers[1:] if not one.quiet]) == told


def test_a_broken_line_is_one_sentence() -> None:
    language = open_ruleset("legislation").language
    text = "I would be glad if you could put down my ayes on B1,\nB3 and B5, thank you."
    assert len(language.split(text)) == 1
    assert len(language.split(text.replace("B3 and", "Who may see"))) == 2


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("I vote nay on V2. Worth it? Who?", ["I vote nay on V2", "Worth it?", "Who?"]),
        (
            "VOTE AYE ON V1. When is the deadline?? Thanks!",
            ["VOTE AYE ON V1", "When is the", "Tha"],
        ),
        ("Is it V1? then nay", ["Is it V1?", "then nay"]),
        ("vote nay on v1?", ["vote nay on v1?"]),
        ("I vote nay on V2, and what is it worth?", ["I vote nay on V2", "and what"]),
        ("I would know what it is, and how it ends?", ["I would know what it is, and how"]),
    ],
)
def test_questions_are_parted_from_what_else_a_line_says(text: str, lines: list[str]) -> None:
    found = open_ruleset("coalition").language.split(text, (CANCEL,))
    assert all(line.text.startswith(one) for line, one in zip(found, lines, strict=True))
    assert {line.number for line in found} == {1}


def test_two_sentences_that_contradict_are_no_offer() -> None:
    suggestion, anywhere = open_ruleset("parlement-1966").language.suggestion, Place(corrects=True)
    assert suggestion("I vote yes on bill 3. No, I vote no on bill 3", 0, anywhere) == ""
    assert suggestion("I vote yes on bill 3. I vote no on bill 4", 0, anywhere).count("VOTE") == 2


BLOCS = "; ".join(f"CANCEL BLOC {number}" for number in range(21, 24))
SIGNED = "CANCEL SIGN BILL 7; SIGN BILL 5"


@pytest.mark.parametrize(
    ("game", "stands", "words", "meant"),
    [
        ("politics-1935", "CAMPAIGN ME 1", "Please another county in Maine", "CAMPAIGN ME 2"),
        ("coalition", "SPECIAL AGR, JUS", "also special env please", "SPECIAL AGR, JUS, ENV"),
        ("parlement-1966", "CANDIDATES 12-20", "I also run in 31 to 35", "CANDIDATES 12-20, 31-35"),
        ("parlement-1966", "VOTE YES ON 3", "I vote no on bill 3 again", "VOTE NO ON 3"),
        ("legislation", "BILL WHEEL+ SHIP+", "my bill has star+ too", "BILL WHEEL+ SHIP+, STAR+"),
        ("parlement-1966", "BLOC 21-23 FOR S", "take back the blocs please, all of them", BLOCS),
        ("parlement-1966", "BLOC 21-29 FOR S", "take back bloc 21, bloc 22 and bloc 23", BLOCS),
        ("parlement-1966", "SIGN BILL 7", "sign bill 5 then, not 7", SIGNED),
        ("parlement-1966", "SIGN BILL 7", "id like to sign bill 5 instead", SIGNED),
        ("parlement-1966", "SIGN BILL 7", "actually dont sign bill 7, do bill 5 instead", SIGNED),
        ("parlement-1968", "PAY 200 TO Soc", "Please take that payment back", "CANCEL PAY SOC"),
        ("coalition", "SPECIAL AGR", "pls take back my draft, ive changed my mind", "WITHDRAW"),
        ("party-in-power", "FIELD M02", "take the broadcast back please, i keep it", ""),
    ],
)
def test_what_stands_is_added_to_taken_back_or_replaced(
    game: str, stands: str, words: str, meant: str
) -> None:
    language = open_ruleset(game).language
    place = Place(corrects=True, standing=language.parse(stands))
    assert language.suggestion(words, 0, place) == meant


def test_an_order_without_a_name_beside_a_question_is_named() -> None:
    may_mean, vote = open_ruleset("coalition").language.may_mean, "I vote aye on the government"
    assert may_mean(vote, beside=True) and not may_mean(vote) and not may_mean("Hi", beside=True)


PLAYERS = {"P1": "Anna", "P2": "Boris Karlsson", "P3": "Clara", "P4": "", "P5": "Max", "P6": "max"}
KNOWN = names(PLAYERS)


def test_who_goes_by_a_name() -> None:
    """Not a free seat, nor two of one name, nor a party, nor anybody of hidden names."""
    assert dict(KNOWN) == {"P1": "Anna", "P2": "Boris Karlsson", "P3": "Clara"}
    assert names({"A": "Anna", "KIT": "Boris", "Com": "Clara"}) == ()
    assert names(dict.fromkeys(PLAYERS, "")) == ()
    assert names({"P1": "P2", "P2": "Anna"}) == (("P2", "Anna"),)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("P1 leads, P2's purse is empty.", "Anna leads, Boris Karlsson's purse is empty."),
        ("P1, P4 and P5", "Anna, P4 and P5"),
        ("B1, laid by P3: STAR+", "B1, laid by Clara: STAR+"),
        ("P2 (Boris Karlsson) and Anna (P1)", "Boris Karlsson and Anna (P1)"),
        ("Anna, P1, or P1, Anna", "Anna, P1, or P1, Anna"),
        ("You are P1 here.", "You are P1 here."),
        ("the\u00a0word\u00a0STANCE\u00a0P1", "the\u00a0word\u00a0STANCE\u00a0P1"),
        ("P12, P1x, AP1 and P1+", "P12, P1x, AP1 and P1+"),
    ],
)
def test_what_is_read(said: str, read: str) -> None:
    assert named(said, KNOWN) == read
    assert named(read, KNOWN) == read, "once more changes nothing"


@pytest.mark.parametrize(
    ("written", "order"),
    [
        ("GIVE 2 TO Clara", "GIVE 2 TO P3"),
        ("GIVE 2 TO boris", "GIVE 2 TO P2"),
        ("give 2 to Boris Karlsson", "give 2 to P2"),
        ("VOTE AYE IF CHAIR Anna ELSE NAY", "VOTE AYE IF CHAIR P1 ELSE NAY"),
        ("GIVE 1 TO Max", "GIVE 1 TO Max"),
        ("GIVE 1 TO P3", "GIVE 1 TO P3"),
    ],
)
def test_what_an_order_says(written: str, order: str) -> None:
    assert seats(written, KNOWN) == order


def test_a_sheet_keeps_its_orders_and_what_players_wrote() -> None:
    kept = [sheet.order_list(["GIVE 2 TO P1"]), sheet.fenced("P1 lies"), "  PRESS TO P1, P3"]
    source = "\n".join([*kept, "P1 lies.", sheet.heading("Of P3")])
    read = called(source, KNOWN)
    assert all(one in read for one in kept)
    assert "Anna lies." in read and "Of Clara" in read


def test_a_row_with_the_name_keeps_the_number() -> None:
    made = sheet.table(["", "Player"], [["P1", "Anna"], ["P3", "gifts of P1"]])
    [table] = sheet.blocks(called(made, KNOWN))
    assert isinstance(table, sheet.Table)
    assert table.rows == (("P1", "Anna"), ("Clara", "gifts of Anna"))


def test_a_caret_stays_below_its_place() -> None:
    made = sheet.entry(1, "", "P1 is here", ["GIVE 2 TO P1 P3", "              ^", "P3 is named"])
    [entry] = sheet.blocks(called(made, KNOWN))
    assert isinstance(entry, sheet.Entry)
    assert entry.said == "Anna is here"
    assert entry.below == ("GIVE 2 TO P1 P3", "              ^", "Clara is named")


STRANGERS = [
    pytest.param(*line.split("\t"), marks=by_night(n % 3 > 0))
    for n, line in enumerate((HERE / "strangers.tsv").read_text(encoding="utf-8").splitlines())
]


@pytest.mark.parametrize(("game", "words", "meant"), STRANGERS)
def test_no_stranger_is_misread(game: str, words: str, meant: str) -> None:
    """Nothing is taken but what was meant; a sentence is offered or passed over, never refused."""
    ruleset = open_ruleset(game)
    language = ruleset.language
    lines = [] if meant == "-" else [one for one in meant.split("; ") if language.reads(one)]
    wanted = {str(order) for one in lines for order in language.parse(one)}
    for state, seat, _ in _moments(game)[:2]:
        taken = take(ruleset, state, seat, words, {}, greeted=lambda: NAMES)
        assert {str(order) for one in taken.answers for order in one.orders} <= wanted
        for one in taken.answers:
            assert not (one.quiet and any(MEANT in str(problem) for problem in one.problems))
            prose = first_word(one.line.text) not in language.words and len(words.split()) > 6
            assert one.quiet or one.asked or not prose, one


def test_no_offer_is_passed_over() -> None:
    """Not even one for a sentence that begins with what could be a slip of an order's word."""
    ruleset, (state, seat, _) = open_ruleset("parlement-1966"), _moments("parlement-1966")[0]
    said = "And everywhere else my blocs should go Radical first, then Liberal"
    (answer,) = take(ruleset, state, seat, said, {}).answers
    assert answer.asked and not answer.quiet


OPPOSITE = {
    **dict.fromkeys(("YES", "AYE"), frozenset(("no", "nay", "against", "oppose", "reject"))),
    **dict.fromkeys(("NO", "NAY"), frozenset(("yes", "aye", "yea", "favour", "support"))),
}
TURNED = {"not", "no", "never", "withhold", "nothing", "objection"}
TURNED |= {"cannot", "cant", "can't", "wont", "won't", "dont", "don't"}


def test_no_phrase_says_the_opposite_of_its_order(key: str) -> None:
    phrases = open_ruleset(key).language.corrector.phrases
    assert not [
        (phrase, orders)
        for phrase, several in phrases.items()
        for orders in several
        for choice in OPPOSITE.keys() & {*orders.upper().split()}
        for said in OPPOSITE[choice] & {*phrase.split()}
        if not (TURNED - {said}) & {*phrase.split()}
    ]


PLAIN = [line.split("\t") for line in (HERE / "plain.tsv").read_text(encoding="utf-8").splitlines()]
LEAST_RIGHT = 0.6


def test_nothing_else_is_taken_from_plain_words(key: str) -> None:
    ruleset = open_ruleset(key)
    for _, words, meant in (row for row in PLAIN if row[0] == key):
        state, seat, _ = _moments(key)[0]
        taken = take(ruleset, state, seat, words, {}, greeted=lambda: NAMES, helps=False)
        orders = {str(order) for one in taken.answers for order in one.orders}
        wanted = (Sender(ruleset, state, seat, {}).filed(one) for one in meant.split("; "))
        assert orders <= set().union(*wanted), words


@pytest.mark.slow
def test_most_plain_words_are_read_right(key: str) -> None:
    """Where what they mean could be taken."""
    rows = [row for row in PLAIN if row[0] == key]
    wrong = [words for _, words, meant in rows if not _is_read_right(key, words, meant)]
    assert len(wrong) <= (1 - LEAST_RIGHT) * len(rows), wrong


def _is_read_right(game: str, words: str, meant: str) -> bool:
    language, place = open_ruleset(game).language, _place(game, meant)
    reads = [language.read(line, place) for line in language.split(words, (CANCEL,))]
    notes = [note for read in reads if read.problem for note in read.problem.notes]
    offered = [note[len(MEANT) : -1] for note in notes if note.startswith(MEANT)]
    taken = other_words.orders_of(language, words, NAMES) or ""
    said = taken.replace("\n", "; ") or "; ".join(
        [*offered, *(str(order) for read in reads for order in read.orders)]
    )
    return bool(said) and place.legal(said) == place.legal(meant)
