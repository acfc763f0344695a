"""A receipt that is sent again says what was, in every sentence that spoke of its moment."""

from itertools import product
from types import SimpleNamespace

from pbem.house import shelf, templates
from pbem.pages.bulletin import NOTHING
from pbem.referee.game.receipts import worded_as_past

OF_THE_MOMENT = (
    "WHAT STANDS",
    "WOULD STAND",
    "would stand",
    "would owe",
    "would still owe",
    "yours stand ",
    "You still owe:",
    "You owe ",
    "You have ",
    "The period waits",
    "The period may end early",
    "of the game is: ",
    "is due",
    "is no Government",
    "is to be",
)
NO_LIST = "Nothing is due, but there is no Government until lists agree."
FORMATION = "Nothing is due, but a Government is to be formed."
"""What two games say of who owes nothing (``nothing`` in their ``words.txt.j2``)."""


def test_no_sentence_of_a_standing_keeps_the_present() -> None:
    for one in product(
        ([], ["SPECIAL AGR"]),
        ((), ("SPECIAL",)),
        ("", "READY", "WAIT"),
        ("", "ready", "owed"),
        (False, True),
        (False, True),
    ):
        text = of_a_standing(*one)
        assert any(words in text for words in OF_THE_MOMENT), one
        past = worded_as_past(text)
        assert not [words for words in OF_THE_MOMENT if words in past], one


def of_a_standing(
    standing: list[str], owed: tuple[str, ...], said: str, early: str, waits: bool, trial: bool
) -> str:
    period = SimpleNamespace(number=1, phase="election")
    game = SimpleNamespace(status="running", held_because="")
    house, ruleset = (
        SimpleNamespace(early_when="20:00", at_once=False),
        shelf.open_ruleset("coalition"),
    )
    at = SimpleNamespace(period=period, game=game, house=house, ruleset=ruleset)
    template = templates.environment().get_template("_shared/standing.txt.j2")
    said_of_nothing = {"": NOTHING, "ready": NO_LIST, "owed": FORMATION}[early]
    return template.render(
        nothing=said_of_nothing,
        at=at,
        period_name="sitting",
        trial=trial,
        standing=standing,
        would=standing,
        kept=["STANDING NAY"] if waits else (),
        facts=(),
        owed=owed,
        silence=["you abstain"] if owed else [],
        foreseen=False,
        own_time="",
        deadline="",
        left="",
        said=said,
        early=early,
        waits=waits,
        ballot="a draw of A and B",
        quits=False,
        closes_at="",
    )
