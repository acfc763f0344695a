"""A player who knows nothing but his printed form: what he fills in is taken, and does what the form
says."""

from typing import Any

from pbem.games.frame.adjudication import take
from pbem.games.frame.dice import Dice
from pbem.house import templates
from pbem.pages import page
from pbem.pages.plain import plain
from pbem.periods import paper
from tests.bots import bot_of

KEY = "parlement-1968"
GOVERNMENT = {
    "premier": "Soc E5", "foreign": "Soc C7", "finance": "Mon S6", "justice": "Soc C8", "defense": "Soc E6",
    "agriculture": "Rad E8", "education": "Ctr W1", "welfare": "Mon S7",
}  # fmt: skip


def printed(game: Any, seat: str) -> str:
    """The form as it stands in the seat's notice."""
    offers = game.ruleset.offers(game.state, seat)
    known = templates.context(game.ruleset, game.state, seat)
    return plain(page.form(templates.environment(), KEY, offers, known))


def filled(form: str, begins: str, *words: str) -> str:
    """The lines of one order, copied with their remarks, each blank filled in turn; the blanks of
    the form are all used up."""
    lines = form.split("\n")
    first = next(n for n, line in enumerate(lines) if line.startswith(begins))
    last = next(
        (n for n in range(first + 1, len(lines)) if not lines[n].startswith(" ")), len(lines)
    )
    text = "\n".join(lines[first:last])
    order, mark, effect = text.partition("#")
    assert order.count("...") == len(words), (order, words)
    return page.filled(order, words) + mark + effect


def played(game: Any, seat: str, text: str) -> Any:
    """The next period: the seat's letter, which must be taken whole, and those of bots."""
    bot, public = bot_of(game.ruleset), game.ruleset.view(game.state, None)
    letters = {seat: text}
    for other in game.seats:
        if other != seat:
            chance = Dice("form", KEY).stream(f"{other} {game.state.period}")
            letters[other] = bot.letter(public, game.ruleset.view(game.state, other), other, chance)
    taken = take(game.ruleset, game.state, seat, text, {})
    assert taken.standing and not taken.problems, taken.problems
    return paper.step(game, letters)


def told(game: Any, kind: str) -> dict[str, Any]:
    """The data of the event of that kind in the last period."""
    found = [event.data for event in game.periods[-1].events if event.kind == kind]
    assert len(found) == 1, (kind, found)
    return dict(found[0])


def test_three_periods_of_a_premier() -> None:
    scenario = {"phase": "program", "public": {"government": GOVERNMENT}}
    game = paper.begin(paper.Setup(KEY, 0, None, {}, scenario))
    form = printed(game, "Soc")
    assert "bills in their order" in form
    letter = filled(form, "PROGRAM", "H", "H", "L", "H", "8, 7")
    letter += "\n" + filled(form, "PAY", "1,000", "Rad")
    game = played(game, "Soc", letter)
    program = told(game, "program")
    assert program["bills"] == ["8", "7"], "the Justice minister is of the Premier's own party"
    assert program["levels"]["Def"] == program["levels"]["Pub"] == "H"
    lines = [e.data["lines"] for e in game.periods[-1].events if e.kind == "statement"]
    assert {"with": "Soc", "amount": 1000, "purpose": "payment"} in [x for y in lines for x in y]

    form = printed(game, "Soc")
    letter = filled(form, "VOTE BUDGET DEF", "L", "H", "H", "H")
    letter += "\n" + filled(form, "VOTE BUDGET ...", "EAS", "H", "H", "H", "ABSTAIN")
    game = played(game, "Soc", letter)
    votes = told(game, "budget_vote")["votes"]
    assert votes["Soc-Cap"] == {"Def": "L", "Wel": "H", "Edu": "H", "Pub": "H"}
    assert votes["Soc-Eas"] == {"Def": "H", "Wel": "H", "Edu": "H", "Pub": "ABSTAIN"}

    while game.state.phase == "budget":
        letter = filled(printed(game, "Soc"), "VOTE BUDGET DEF", "H", "H", "H", "H")
        game = played(game, "Soc", letter)
    assert game.state.phase == "bill"
    before = game.ruleset.view(game.state, None)["records"]
    form = printed(game, "Soc")
    assert "NO earns W +2, I +1" in " ".join(form.replace("#", " ").split())
    game = played(game, "Soc", filled(form, "VOTE ... ON 8", "NO"))
    after = game.ruleset.view(game.state, None)["records"]
    assert told(game, "bill_vote")["votes"]["Soc-Cap"] == "NO"
    assert after["W"]["Soc-Cap"] - before["W"]["Soc-Cap"] == 2
    assert after["I"]["Soc-Cap"] - before["I"]["Soc-Cap"] == 1


def test_a_government_by_forms_alone() -> None:
    """All who are named sign by their own forms."""
    game = paper.begin(paper.Setup(KEY, 0, None, {}, {}))
    officers = ("Soc E5", "Ctr N1", "Mon S6", "Rad E7", "Soc E6", "Rad E8", "Ctr W1", "Mon S7")
    endorsers = "Con-Nor, Soc-Cap, Rad-Wes, Mon-Nor"
    game = paper.step(
        game, {"Soc": filled(printed(game, "Soc"), "GOVERNMENT", *officers, endorsers)}
    )
    report = game.ruleset.report(game.state)
    assert report == [
        {"number": 1, "parties": ["Soc", "Rad", "Ctr", "Con", "Mon"], "signed": ["Soc"]}
    ]
    names = ("Rad", "Ctr", "Con", "Mon")
    signatures = {seat: filled(printed(game, seat), "SIGN GOVERNMENT ...", "1") for seat in names}
    game = paper.step(game, signatures)
    assert game.state.phase == "program"
    assert game.state.government["premier"] == "Soc E5"


def test_a_list_and_money_in_an_election() -> None:
    """What a candidate costs, what a crown buys."""
    scenario = {
        "phase": "candidates",
        "public": {"government": GOVERNMENT, "budget_passed": True, "election_year": 1},
    }
    game = paper.begin(paper.Setup(KEY, 0, None, {}, scenario))
    form = printed(game, "Ctr")
    assert "1,000 crowns each" in form
    before = game.ruleset.view(game.state, "Ctr")["treasury"]
    game = paper.step(game, {"Ctr": filled(form, "CANDIDATES", "W1-W4, N1-N2")})
    assert before - game.ruleset.view(game.state, "Ctr")["treasury"] == 6000
    game = paper.step(game, {"Ctr": filled(printed(game, "Ctr"), "SPEND", "500", "Ctr", "W1")})
    assert told(game, "spent")["spent"]["W1"] == [["Ctr", "Ctr", 500, 500]]
