"""Two periods as one party by orders taken from the printed form alone, and what its effects
promise; bots play the others."""

from typing import Any

from pbem.games.frame.adjudication import play_period, take
from pbem.games.frame.dice import Dice
from pbem.games.frame.ruleset import BLANK
from pbem.house import shelf, templates
from pbem.pages import bulletin
from tests.bots import bot_of

SEATS = ("A", "B", "C", "D", "E")
ME = "B"


def _form(ruleset: Any, state: Any, number: int) -> dict[str, str]:
    """{order word, or IF: its line of the form in my notice, with a line that was broken put together}."""
    issue = templates.issue(ruleset, state, SEATS, number, state.phase, ())
    text = bulletin.notice(templates.environment(), issue, ME)
    printed = text.partition("FILL IN")[2].split("\n\n")[1]
    found = dict[str, str]()
    for line in printed.strip("\n").split("\n"):
        if line.startswith(" "):
            word = next(reversed(found))
            more = line.strip()
            found[word] += f" {more.lstrip('# ') if '#' in found[word] else more}"
        else:
            found["IF" if " IF " in line else line.split()[0]] = line
    return found


def _fill(line: str, *words: str) -> str:
    """The line with my words in its blanks, as a player would leave it."""
    assert line.count(BLANK) == len(words), line
    for word in words:
        line = line.replace(BLANK, word, 1)
    return line


def _held(ruleset: Any, state: Any, mine: str) -> tuple[Any, Any]:
    """The next position and my orders, with a bot for each other party."""
    public, chance = ruleset.view(state, None), Dice("form", "coalition").stream("choices")
    bot = bot_of(ruleset)
    letters = {
        seat: bot.letter(public, ruleset.view(state, seat), seat, chance).replace("RESIGN", "")
        for seat in SEATS
    }
    # the others send no drafts, so that mine is the one to be voted on
    quiet = {seat: text.partition("PROPOSE")[0] for seat, text in letters.items() if seat != ME}
    taken = {seat: take(ruleset, state, seat, text, {}) for seat, text in quiet.items()}
    taken[ME] = take(ruleset, state, ME, mine, {})
    assert not taken[ME].problems
    orders = {seat: one.standing for seat, one in taken.items()}
    return play_period(ruleset, state, orders, Dice("1", "form")), orders[ME]


def test_two_periods_by_the_form_alone() -> None:
    ruleset = shelf.open_ruleset("coalition")
    options = {option.name: option.default for option in ruleset.about.options}
    state = ruleset.setup(SEATS, options, {}, Dice("1", "form")).state

    form = _form(ruleset, state, 0)
    assert list(form) == ["SPECIAL", "PROPOSE", "STANDING", "IF", "NAME"], "no motion, so no vote"
    assert "count double for you" in form["SPECIAL"] and "fixed after period 1" in form["SPECIAL"]
    slate = [ME] * 8 + ["A", "C", "D", "E"] * 2
    letter = [
        _fill(form["SPECIAL"], "AGR, JUS"),
        _fill(form["PROPOSE"], *slate),
        _fill(form["NAME"], '"Old Guard"'),
    ]
    outcome, orders = _held(ruleset, state, "\n".join(letter))
    assert set(orders) == {"SPECIAL", "DRAFT", "NAME"}
    state = outcome.state
    own = ruleset.view(state, ME)
    assert own["specials"] == ["AGR", "JUS"] and state.parties[ME].name == "Old Guard"
    assert state.floor.sponsor == ME and own["draft"] is None

    form = _form(ruleset, state, 1)
    assert "SPECIAL" not in form, "the lists are fixed"
    assert next(iter(form)) == "VOTE", "what is owed comes first"
    # PM 25, three of 10, four juniors of 3, and AGR of mine once more
    assert (
        f"ON {state.floor.id}" in form["VOTE"]
        and "70 points (67 without doubles), a score of 9.333" in form["VOTE"]
    )
    outcome, orders = _held(ruleset, state, _fill(form["VOTE"], "AYE"))
    assert [str(order) for order in orders.values()] == [f"VOTE AYE ON {state.floor.id}"]
    (division,) = [event for event in outcome.events if event.kind == "division"]
    assert division.data["votes"][ME] == "AYE"
    told = ruleset.why(outcome.state, ME, (), "my score")
    (points,) = [event for event in told if event.kind == "why_points"]
    assert (points.data["points"], points.data["score"]) == (70, "28/3")
