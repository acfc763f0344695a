"""A whole session played as one seat by lines of its printed form alone: they are taken, and do what
the form says behind them."""

from typing import Any

from pbem.games.frame.adjudication import play_period, take
from pbem.games.frame.dice import Dice
from pbem.games.frame.options import settle
from pbem.house import shelf, templates
from pbem.pages import bulletin, page
from tests.bots import bot_of

RULES = shelf.open_ruleset("legislation")
SEATS = ("P1", "P2", "P3", "P4")
ME = "P2"
"""In this game of bots: they let his first bill pass, and nobody gives him anything."""


class Table:
    """A game of house bots in which ME fills lines of his form."""

    def __init__(self, **options: Any) -> None:
        settled = settle(RULES.about.options, options)
        self.outcome = RULES.setup(SEATS, settled, {}, Dice("7", "form"))
        self.chance = Dice("form 3", "legislation").stream("bots")

    @property
    def state(self) -> Any:
        return self.outcome.state

    def notice(self) -> str:
        """What ME is mailed when the period opens."""
        issue = templates.issue(RULES, self.state, SEATS, 0, self.state.phase, ())
        return bulletin.notice(templates.environment(), issue, ME)

    def line(self, begins: str) -> tuple[str, str]:
        """The line of the printed form that begins so: the order with its blanks, and its
        effect."""
        lines = self.notice().partition("FILL IN")[2].split("\n")
        (at,) = [at for at, one in enumerate(lines) if f"{one} ".startswith(f"{begins} ")]
        order, _, effect = lines[at].partition(" # ")
        below = lines[at + 1 :]
        while below and below[0].startswith("    # "):
            effect += f" {below.pop(0).strip(' #')}"
        return order.strip(), effect.strip()

    def play(self, *filled: tuple[str, tuple[str, ...]]) -> Any:
        """Closes the period with lines of the form, each filled with words; nothing is refused,
        and nothing is owed after them."""
        bot, public, standing = bot_of(RULES), RULES.view(self.state, None), {}
        for seat in SEATS:
            own = RULES.view(self.state, seat)
            letter = "PASS" if seat == ME else bot.letter(public, own, seat, self.chance)
            standing[seat] = take(RULES, self.state, seat, letter, {}).standing
        text = "\n".join(page.filled(self.line(begins)[0], words) for begins, words in filled)
        mine = take(RULES, self.state, ME, text, {})
        assert not mine.problems, text
        assert RULES.due(self.state, ME, mine.standing) == ()
        orders = {**standing, ME: mine.standing}
        self.outcome = play_period(RULES, self.state, orders, Dice("7", "form"))
        return self.outcome

    def told(self, kind: str) -> list[Any]:
        return [event.data for event in self.outcome.events if event.kind == kind]


def test_a_session_from_the_form_alone() -> None:
    table = Table(AMENDMENTS="ALWAYS", MAX_SESSIONS=2, MAX_EXTEND=0)
    example = table.line("BILL ...")[1].removeprefix("as ").partition(":")[0]
    purse = table.state.tokens(ME)
    table.play(("BILL ...", (example,)), ("GIVE ... TO ...", ("1", "P3")))
    (bill,) = [data for data in table.told("bill") if data["chair"] == ME]
    assert bill["cards"] == example.split()
    assert {"giver": ME, "taker": "P3", "tokens": 1} in table.told("gift")
    assert table.state.tokens(ME) == purse - 1

    assert table.state.phase == "AMEND"
    card = next(card for card in table.state.pool if card[:-1] not in " ".join(bill["cards"]))
    table.play((f"AMEND ... ON {bill['id']}", (f"ADD {card}",)), ("...", ("PASS",)))
    mine = [data for data in table.told("moved") if ME in data["movers"]]
    assert [(data["bill"], data["action"], data["card"]) for data in mine] == [
        (bill["id"], "ADD", card)
    ]

    assert table.state.phase == "AMENDVOTE"
    table.play(("VOTE ... ON ALL", ("NAY",)), (f"VOTE ... ON {mine[0]['id']}", ("AYE",)))
    for data in table.told("amendment_vote"):
        assert ME in data["votes"]["aye" if data["id"] == mine[0]["id"] else "nay"]

    assert table.state.phase == "VOTE"
    effect = table.line(f"VOTE ... ON {bill['id']}")[1]
    before = table.state.satisfied(ME)
    table.play(("VOTE ... ON ALL", ("AYE",)), ("STANDING VOTE ...", ("NAY",)))
    votes = {data["id"]: data for data in table.told("vote")}
    assert all(ME in data["votes"]["aye"] for data in votes.values())
    paid = [data["paid"][ME]["tokens"] for data in table.told("paid") if ME in data["paid"]]
    passed = [data for data in votes.values() if data["verdict"] == "passed"]
    assert paid == [1] * len(passed)
    assert RULES.view(table.state, ME)["standing"] == "NAY"
    assert effect.startswith(f"{ME}: ") and passed
    assert votes[bill["id"]]["verdict"] == "passed"
    gained = set(table.state.satisfied(ME)) - set(before)
    assert gained and all(one in effect for one in gained & set(bill["cards"]))


def test_a_campaign_from_the_form_alone() -> None:
    table = Table(MAX_SESSIONS=2, MAX_EXTEND=0)
    table.play(("BILL ...", (table.line("BILL ...")[1][3:].partition(":")[0],)))
    assert table.state.phase == "VOTE"
    table.play(("VOTE ... ON ALL", ("AYE",)))
    assert table.state.phase == "CAMPAIGN"
    purse, session = table.state.tokens(ME), table.state.session
    assert f"of your {purse} tokens" in table.line("SPEND ... ON ME")[1]
    score = table.state.score(ME)
    table.play(("SPEND ... ON ME", ("4",)))
    (mine,) = [data for data in table.told("score") if data["seat"] == ME]
    assert mine["bought"] == 1
    assert mine["score"] == score + 1 - mine["against"] - len(mine["voids"])
    again = ME in table.told("election")[0]["reelected"]
    received = sum(data["tokens"] for data in table.told("gift") if data["taker"] == ME)
    assert table.state.tokens(ME) == purse - 4 + 2 * again + received
    assert table.state.session == session + 1
