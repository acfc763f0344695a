"""Forming a Government letter by letter, as the daemon does it (R1, house rules 3 and 4)."""

from dataclasses import replace
from typing import Any

from pbem.games.frame.adjudication import play_period, take
from pbem.games.frame.dice import Dice
from pbem.games.parlement_1968.steps import formation
from pbem.games.parlement_1968.steps.house import House
from pbem.periods import paper

LIST = (
    "GOVERNMENT PREMIER Soc E5, FOREIGN Ctr N1, FINANCE Mon S6, JUSTICE Rad E7, DEFENSE Soc E6,"
    " AGRICULTURE Rad E8, EDUCATION Ctr W1, WELFARE Mon S7; ENDORSED BY Con-Nor, Soc-Cap, Rad-Wes,"
    " Mon-Nor"
)


class Post:
    """A post room of one game: letters in, the state kept."""

    def __init__(self) -> None:
        game = paper.begin(paper.Setup("parlement-1968", 0, None, {}, {}))
        self.rules: Any = game.ruleset
        self.state = game.state
        self.standing: dict[str, dict[str, Any]] = {seat: {} for seat in game.seats}

    @property
    def house(self) -> House:
        return House(self.state, self.rules.tables)

    def letter(self, seat: str, text: str) -> list[Any]:
        taken = take(self.rules, self.state, seat, text, self.standing[seat])
        assert not taken.problems, taken.problems
        self.standing[seat] = taken.standing
        self.state, events = formation.register(self.house, seat, taken.standing)
        return list(events)

    def complete(self) -> list[str]:
        return list(formation.ripe(self.house))


def test_a_later_signature_cancels_the_earlier_one() -> None:
    post = Post()
    post.letter("Soc", LIST)
    for seat in ("Rad", "Ctr", "Mon", "Con"):
        post.letter(seat, "SIGN GOVERNMENT 1")
    assert len(post.complete()) == 1
    post.letter("Ctr", LIST.replace("Soc E5", "Soc E6"))
    assert post.complete() == []
    assert formation.report(post.house)[0]["signed"] == ["Soc", "Rad", "Con", "Mon"]


def test_an_expulsion_works_on_receipt() -> None:
    post = Post()
    post.letter("Soc", LIST)
    for seat in ("Rad", "Ctr", "Mon", "Con"):
        post.letter(seat, "SIGN GOVERNMENT 1")
    events = post.letter("Con", "EXPEL NOR")
    assert [event.kind for event in events] == ["expelled", "proposal_dead"]
    assert post.complete() == []
    assert formation.report(post.house) == []
    post.letter("Con", "PASS")
    assert not post.house.factions().get("Con-Nor")
    assert "Con-Nor" not in post.state.proposals[0].signed, "the letter that stands signs no more"


def test_registering_again_changes_nothing() -> None:
    post = Post()
    post.letter("Soc", LIST)
    post.letter("Rad", "SIGN GOVERNMENT 1")
    again, events = formation.register(post.house, "Rad", post.standing["Rad"])
    assert again == post.state
    assert events == ()


def test_the_caretaker_waits_for_the_days() -> None:
    post = Post()
    state = replace(post.state, options={**post.state.options, "caretaker_after_days": 21})
    assert not formation.caretaker_due(formation.days_pass(state, 20))
    assert formation.caretaker_due(formation.days_pass(state, 21))
    assert formation.caretaker_due(formation.days_pass(post.state, 60)), "60 unless told otherwise"
    off = replace(post.state, options={**post.state.options, "caretaker_after_days": "off"})
    assert not formation.caretaker_due(formation.days_pass(off, 1000))


def test_the_caretaker_comes_after_the_days_that_were_told() -> None:
    """By mail the days have gone by before the period closes, and no week is added to them."""
    post = Post()
    state = replace(post.state, options={**post.state.options, "caretaker_after_days": 21})
    told = formation.days_pass(state, 21)
    events = play_period(post.rules, told, post.standing, Dice("0", "g")).events
    assert [event.data["days"] for event in events if event.kind == "caretaker"] == [21]
