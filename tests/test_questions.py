"""What a question in a player's own words brings.

`tests/questions/*.tsv` has questions that people ask, each with the file and words of the paragraphs
that answer it, and questions that no rule answers ("-"). They are measured file by file.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bench.questions import index
from pbem.games.frame.events import Event
from pbem.games.frame.ruleset import Ruleset
from pbem.house import houses, lookup, shelf, templates
from pbem.orders.order import NO_ORDERS
from pbem.pages.guide import Paragraph
from pbem.pages.plain import plain
from pbem.referee.words import questions
from tests.bots import bot_game

FILES = sorted((Path(__file__).parent / "questions").glob("*.tsv"))
LEAST_HELPED, LEAST_FOUND, MOST_FOUND_OF_NOTHING = 0.9, 0.2, 0.05
"""Of ten paragraphs shown nine help; a fifth of the questions bring theirs, the others nothing."""
FACTS = Path(__file__).parent / "questions" / "facts" / "asked.tsv"
"""Questions of players in the middle of bots' games, and what must be in the answer ("-": none).
Every third row was not known to the writer of `grammar/facts.toml`."""
MIDGAME = FACTS.with_name("midgame.tsv")
"""More of them, most by players who had a bulletin before them and had not seen the program."""
FIRST = [
    line.split("\t") for line in FACTS.with_name("first.tsv").read_text("utf-8").splitlines()[1:]
]
PERIODS, PLAYERS = 3, ("Anna", "Boris Berg", "Clara", "David", "Eve", "Frank", "Greta")
LEAST_KNOWN = 0.9
"""Of the paragraphs named, so many have still those words."""


@dataclass(frozen=True)
class Case:
    game: str
    question: str
    answers: tuple[str, ...]
    """Words of the paragraphs that answer it; none if nothing does."""


def read(file: Path) -> Iterator[Case]:
    with file.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            phrases = () if row["phrase"] == "-" else row["phrase"].split(" || ")
            yield Case(row["game"], row["question"], tuple(map(bare, phrases)))


def bare(text: str) -> str:
    return " ".join(text.replace("*", "").replace("`", "").replace('"', "").lower().split())


@cache
def texts(key: str) -> str:
    return " | ".join(bare(one.text) for one in index(key).paragraphs)


def is_known(case: Case) -> bool:
    return any(one in texts(case.game) for one in case.answers)


def shown(case: Case) -> str:
    found = index(case.game).answer(case.question)
    return bare(found.paragraph.text) if found else ""


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_nine_of_ten_paragraphs_shown_help(file: Path) -> None:
    cases = [*read(file)]
    answered = [case for case in cases if case.answers]
    known = [case for case in answered if is_known(case)]
    gone = [case.question for case in answered if case not in known]
    assert len(known) >= LEAST_KNOWN * len(answered), f"the texts have other words now: {gone}"
    brought = {case: text for case in cases if case not in gone and (text := shown(case))}
    helped = [case for case, text in brought.items() if any(one in text for one in case.answers)]
    wrong = [(case.game, case.question) for case in brought if case not in helped]
    print(f"{file.stem}: {len(helped)} of {len(brought)} shown help, of {len(known)} asked")
    assert len(helped) >= LEAST_HELPED * len(brought), wrong
    assert len(helped) >= LEAST_FOUND * len(known)
    of_nothing = [case.question for case in brought if not case.answers]
    assert len(of_nothing) <= MOST_FOUND_OF_NOTHING * (len(cases) - len(answered)), of_nothing


@cache
def position(key: str) -> tuple[Ruleset[Any], Any, dict[str, str], list[Event]]:
    ruleset = shelf.open_ruleset(key)
    *before, turn = islice(bot_game(ruleset, 0), PERIODS + 1)
    seats = ruleset.about.in_order(tuple(turn.standing))
    events = [event for one in before for event in one.outcome.events]
    silent = dict.fromkeys(set(before[0].standing) - set(seats), "Gwen")  # no order stands now
    names = silent | dict(zip(seats, PLAYERS, strict=False))
    return ruleset, turn.before, names, events


def besides(key: str, asker: str, question: str) -> dict[str, Any]:
    """What facts may use besides the views."""
    ruleset, state, names, events = position(key)
    here = SimpleNamespace(ruleset=ruleset, house=houses.usual(key), people=lambda seat: [*names])
    return {
        **{"deadline": "Friday 5 March, 24:00 UTC", "left": "2 days", "period": "period 4"},
        **{"lasts": "about 8 weeks", "over": False, "result": None, "open": "", "standing": []},
        **templates.page_words(ruleset, state, asker, NO_ORDERS, form=False),
        **{"gamesmaster": "Karl", "written": str, "bots": [[*names][-1]]},
        "paragraph": partial(questions.of_label, index(key)),
        "entry": lambda *words: questions.entry(here, asker, *words),
        "happened": questions.happened(asker, events),
        **{"question": question.lower(), "order": questions.ordered(key, question)},
    }


def told(key: str, asker: str, question: str) -> str:
    """What a letter of the asker is answered: a fact, else a paragraph, else "-"."""
    ruleset, state, names, _ = position(key)

    def fact(asked: str) -> str:
        return questions.of_facts(ruleset, state, asker, asked, names, besides(key, asker, asked))

    known = (*" ".join((*names, *names.values())).lower().split(),)
    asked = questions.of_text(key, question, known) or [question]
    told = map(partial(questions.answer, fact, index(key), known), asked)
    return plain(" ".join(one for one, _ in told if one)) or "-"


@pytest.mark.parametrize(("game", "asker", "question", "answer"), FIRST)
def test_what_everybody_asks_first(game: str, asker: str, question: str, answer: str) -> None:
    said = " ".join(told(game, asker, question).split())
    assert "You still owe" not in said and (said == answer if answer == "-" else answer in said)


@pytest.mark.parametrize(
    ("file", "thirds"),
    [(FACTS, {0, 1}), (FACTS, {2}), (MIDGAME, {0, 1, 2})],
    ids=["tuned", "held back", "with a bulletin"],
)
def test_nine_of_ten_answers_in_mid_game_help(file: Path, thirds: set[int]) -> None:
    rows = [line.split("\t") for line in file.read_text("utf-8").splitlines()[1:]]
    wrong, shown, silent = [], 0, 0
    for game, asker, question, wanted in [row for at, row in enumerate(rows) if at % 3 in thirds]:
        answer = " ".join(told(game, asker, question).replace("| ", "").split())
        shown += answer != "-"
        silent += answer == "-" != wanted
        if answer != "-" and (wanted == "-" or wanted.lower() not in answer.lower()):
            wrong.append((game, question, answer))
    print(f"{shown - len(wrong)} of {shown} shown help, {silent} wrongly silent")
    assert len(wrong) <= (1 - LEAST_HELPED) * shown, wrong
    assert silent <= (1 - LEAST_HELPED) * len(rows)


def test_each_fact_can_be_said_of_its_game(key: str) -> None:
    """A letter whose answer names what is not there would fail."""
    ruleset, state, (asker, *names), _ = position(key)
    _, _, rows = questions.by_game(key)
    players = dict.fromkeys([asker, *names], "Anna")
    given = questions.known(ruleset, state, asker, players, besides(key, asker, "Which bill?"))
    place = next(iter(given["view"].get("map", {})), "")
    for row, number in product(rows, ("", "2", "B1")):
        said = questions.say(row, given, {"{number}": number, "{place}": place})
        assert said.strip('\x01"}')[-1:] in ".!?)]" and "None" not in said, said


def test_each_paragraph_that_is_asked_for_is_there(key: str) -> None:
    """`rules/asked.toml` names paragraphs by number, heading or beginning."""
    there = index(key).paragraphs
    gone = [
        name
        for name in lookup.asked_of(key)
        if not any(one.label == name or one.text.startswith(name) for one in there)
    ]
    assert len(gone) <= (1 - LEAST_KNOWN) * len(lookup.asked_of(key)), gone


def test_what_is_quoted_stands_in_the_paragraph(key: str) -> None:
    for case in (case for file in FILES for case in read(file) if case.game == key):
        if found := index(key).answer(case.question):
            said = found.quoted.removeprefix("... ").removesuffix(" ...")
            assert said in found.paragraph.text


@pytest.mark.parametrize(
    ("question", "finds"),
    [
        ("what happens in a tq?", False),
        ("can i vote nay?", True),
        ("how many minstries can one party have?", True),
        ('what "is" a caretaker*?', True),
        ("?", False),
        ("NOT OR AND NEAR(", False),
    ],
)
def test_slips_and_signs_do_no_harm(question: str, finds: bool) -> None:
    assert bool(index("coalition").answer(question)) is finds


@pytest.mark.parametrize(
    "question",
    [
        "are you a robot?",
        "will you vote for my bill?",
        "and do you promise me an Aye?",
        "should I trust the Liberals?",
    ],
)
def test_talk_brings_nothing(question: str) -> None:
    assert not index("legislation").answer(question)


@pytest.mark.parametrize(
    "question", ["can you tell me how I win?", "how do you win?", "how do I win the game?"]
)
def test_politeness_is_passed_over(question: str) -> None:
    assert "You sit in a parliament" in told("legislation", "P1", question)


def test_a_phrase_counts_by_itself_however_many_stand_beside_it() -> None:
    many, other = Paragraph("1", "", "Ink is blue."), Paragraph("2", "", "Paper is white.")
    asked = {"1": "fill the pen, empty bottle, dry ink", "2": "fill the drawer, the pen"}
    found = lookup.Index([many, other], lookup.how_asked(), asked).ranked("fill the pen")
    assert found[0].paragraph == many
