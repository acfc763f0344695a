"""Two periods played as one seat by orders taken from the printed form alone, and what its lines
promise."""

import re
from typing import Any

from pbem.games.frame.adjudication import take
from pbem.games.frame.dice import Dice
from pbem.games.frame.options import settle
from pbem.games.parlement_1966 import bot
from pbem.games.parlement_1966.state import PARTIES
from pbem.games.parlement_1966.state import read as tables_of
from pbem.house import shelf, templates
from pbem.pages import bulletin, page
from pbem.pages.plain import plain
from pbem.periods import paper

KEY = "parlement-1966"
RULES = shelf.open_ruleset(KEY)
SEAT = "S"


def _form(state: Any, seat: str = SEAT) -> list[str]:
    """The form as it is mailed; an effect below its order is put behind it."""
    printed = plain(templates.words(RULES, state, seat).form(RULES.offers(state, seat)))
    return printed.replace("\n    # ", " # ").split("\n")


def _line(form: list[str], begins: str, *words: str) -> str:
    """A line of the form with its blanks filled."""
    (line,) = [one for one in form if one.startswith(begins)]
    order, _, effect = line.partition(" # ")
    return f"{page.filled(order, words)} # {effect}"


def _close(state: Any, letters: dict[str, str]) -> Any:
    chance = Dice("form", "others").stream("bots")
    public, standing = RULES.view(state, None), {}
    for seat in PARTIES:
        own = RULES.view(state, seat)
        text = letters[seat] if seat in letters else bot.letter(public, own, seat, chance)
        taken = take(RULES, state, seat, text, {})
        if seat in letters:
            assert not [one for one in taken.problems if not one.warning], taken.problems
        standing[seat] = taken.standing
    return RULES.adjudicate(state, standing, Dice("form", "x"))


def _at_the_polls() -> Any:
    """A primary in which everybody but S has a candidate in the first districts."""
    scenario = {"phase": "primary", "candidates": {"R": [21, 22], "L": [21, 22, 31], "S": [11, 12]}}
    options = settle(RULES.about.options, {})
    return RULES.setup(tuple(PARTIES), options, scenario, Dice("form", "x")).state


def test_blocs_go_where_the_form_sends_them() -> None:
    state = _at_the_polls()
    form = _form(state)
    assert [line.partition(" # ")[0].strip() for line in form if line.startswith("BLOC")] == [
        "BLOC 21-22 FOR ...",
        "BLOC 31 FOR ...",
    ]
    outcome = _close(state, {SEAT: _line(form, "BLOC 21-22", "R"), **dict.fromkeys("RLCM", "PASS")})
    (returns,) = [event for event in outcome.events if event.kind == "returns"]
    rows = {row["district"]: row["blocs"] for row in returns.data["districts"]}
    assert rows[21]["S"] == rows[22]["S"] == {"votes": 2000, "to": ["R"]}
    assert "S" not in rows[31]


def test_effects_of_votes_are_what_they_earn() -> None:
    """For each bill and party: what the form says a vote earns is what the record gets by it."""
    effect = re.compile(
        r"(YES|NO) earns ([^;(]*?)(?:, by half of you)?(?: \((\d) if passed\))?(?:;|$)"
    )
    for bill in RULES.tables.bills:
        called = {"bill": bill, "by": "gamesmaster", "signers": [], "binding": False}
        scenario = {"public": {"period": 2, "called": [called]}}
        options = settle(RULES.about.options, {})
        state = RULES.setup(tuple(PARTIES), options, scenario, Dice("form", "x")).state
        for seat in PARTIES:
            told = _line(_form(state, seat), "VOTE", "...").partition(" # ")[2]
            name = RULES.tables.bills[bill].name
            found = effect.findall(told.removeprefix(f"{name}: "))
            assert [word for word, _, _ in found] == ["YES", "NO"], told
            for word, points, _ in found:
                letters = {**dict.fromkeys(PARTIES, "PASS"), seat: f"VOTE {word} ON {bill}"}
                after = _close(state, letters).state
                gained = {bloc: after.records[bloc][seat] for bloc in RULES.tables.blocs}
                passed = after.bills[str(bill)].passed
                said = dict(one.split(" +") for one in points.split(", ") if " +" in one)
                five = (
                    word == "YES" and passed and not RULES.tables.bills[bill].restrains(seat, "yes")
                )
                wanted = {bloc: 5 if five else int(n) for bloc, n in said.items()}
                assert {bloc: n for bloc, n in gained.items() if n} == wanted, (bill, seat, told)


def test_payments_to_many_districts_are_one_line() -> None:
    texts = [
        "VOTE YES ON 4",
        *(f"PAY 40 TO DISTRICT {n}" for n in (*range(21, 51), 3)),
        "PAY 40 TO L",
    ]
    assert RULES.gathered(["PAY 7 TO DISTRICT 3", *texts, "PAY 7 TO DISTRICT 4"]) == [
        "PAY 7 TO DISTRICTS 3-4: 14 in all",
        "VOTE YES ON 4",
        "PAY 40 TO DISTRICTS 3, 21-50: 1,240 in all",
        "PAY 40 TO L",
    ]
    assert RULES.gathered(["PAY 40 TO DISTRICT 21"]) == ["PAY 40 TO DISTRICT 21"]


def test_no_account_is_told_before_the_listing() -> None:
    """Paragraph 34: neither page, advice nor WHY has a balance that was not listed; what the party
    paid itself is told."""
    offices = dict.fromkeys(("premier", "foreign", "defense", "finance"), "S")
    scenario = {
        "public": {"period": 2, "government": offices, "listing": {"S": 1234}},
        "private": {"S": {"treasury": 1234}},
    }
    options = settle(RULES.about.options, {})
    state = RULES.setup(tuple(PARTIES), options, scenario, Dice("form", "x")).state
    letters = {**dict.fromkeys(PARTIES, "PASS"), SEAT: "PAY 777 TO L"}
    after = _close(state, letters).state
    assert after.accounts.balance(SEAT) == 1234 - 777 + 4000
    issue = templates.issue(RULES, after, tuple(PARTIES), 2, "session", ())
    told = bulletin.notice(templates.environment(), issue, SEAT)
    standing = take(RULES, after, SEAT, "PAY 5 TO L", {}).standing
    for events in (RULES.why(after, SEAT, (), "MONEY"), RULES.advice(after, SEAT, standing)):
        told += plain("\n".join(templates.events_in_words(RULES, after, SEAT, events)))
    assert "1,234" in told and told.count("-777") == 2
    assert not {"4,457", "4457", "457"} & set(re.findall(r"[\d,]+", told))


# --- what a party's notice says besides the events ------------------------------------------------


def notice(seat: str, scenario: dict[str, Any], **orders: str) -> str:
    """The notice of a seat after one period, in one line."""
    game = paper.step(paper.begin(paper.Setup(KEY, 0, None, {}, scenario)), orders)
    last = game.periods[-1]
    made = templates.issue(
        game.ruleset, last.state, game.seats, last.number, last.phase, last.events, {}
    )
    return " ".join(bulletin.notice(templates.environment(), made, seat).split())


def test_waiting_orders_and_standing_votes_are_kept_on_file() -> None:
    """What ORDERS and STATUS tell besides the orders of the period."""
    own = {"waiting": ["PAY 50 TO M"], "standing_votes": {"4": "no"}}
    scenario = {"private": {"S": own}}
    state = paper.begin(paper.Setup("parlement-1966", scenario=scenario)).state
    rules = shelf.open_ruleset("parlement-1966")
    assert rules.kept(state, "S") == ("PAY 50 TO M", "STANDING VOTE 4 NO")
    assert rules.kept(state, "R") == ()


def test_with_bill_is_offered_only_where_a_bill_may_come() -> None:
    for public, brings in (({}, True), ({"period": 3, "election": "premier"}, False)):
        state = paper.begin(paper.Setup("parlement-1966", scenario={"public": public})).state
        offers = shelf.open_ruleset("parlement-1966").offers(state, "S")
        (one,) = [offer for offer in offers if offer.kind == "government"]
        assert one.data["brings"] == brings


# --- what the house bot of 1966 knows -------------------------------------------------------------


def test_what_it_knows_of_bills_is_table_1() -> None:
    """A bot is given views alone, so it has a copy of its own."""
    tables = tables_of(shelf.rulebook("parlement-1966").tables)
    for number, bill in tables.bills.items():
        assert bot._FAVOUR[number] == "".join(bill.favours[bloc] for bloc in bot._BLOCS)
        assert bot._FREE.get(number, "") == "".join(bill.stances.get(one, "") for one in PARTIES)
        assert bot._MINISTER.get(number) == bill.minister
    assert (tables.fee, tables.salary, tables.contribution) == (bot._FEE, bot._SALARY, bot._SEAT)
