"""Whole constituencies played by the printed form alone: what it offers is taken as it is filled
in, and does what it says."""

import re
from typing import Any

import pytest

from pbem.games.frame.adjudication import play_period, take
from pbem.games.frame.dice import Dice
from pbem.games.frame.options import settle
from pbem.games.frame.ruleset import BLANK, Ruleset
from pbem.house import shelf, templates
from pbem.pages import bulletin
from tests.bots import bot_of

KEY = "party-in-power"
SEATS = ("PIP", "LAN", "COM", "KIT")


def opening(seed: int) -> tuple[Ruleset[Any], Any]:
    ruleset = shelf.open_ruleset(KEY)
    options = settle(ruleset.about.options, {"CONSTITUENCIES": 4})
    return ruleset, ruleset.setup(SEATS, options, {}, Dice(str(seed), "form")).state


def printed(ruleset: Ruleset[Any], state: Any, seat: str) -> tuple[list[str], str]:
    """The lines of the form in a seat's notice, each with its effect, and the notice."""
    issue = templates.issue(ruleset, state, SEATS, 1, state.phase, ())
    notice = bulletin.notice(templates.environment(), issue, seat)
    form = re.findall(r"(?m)^[A-Z]+ .*\.\.\..*(?:\n +# .*)*", notice)
    return [re.sub(r"(?<!#)\n +# ", " ", one.replace("\n    # ", " # ", 1)) for one in form], notice


def bots(ruleset: Ruleset[Any], state: Any, but: str, seed: int) -> dict[str, Any]:
    """The orders of the other seats."""
    chance, public = Dice(str(seed), "form").stream("bots"), ruleset.view(state, None)
    letters = {
        seat: bot_of(ruleset).letter(public, ruleset.view(state, seat), seat, chance)
        for seat in state.living
        if seat != but
    }
    return {
        seat: take(ruleset, state, seat, letters[seat], {}).standing for seat in sorted(letters)
    }


def write(form: list[str], fill: dict[str, str]) -> str:
    """The form with some of its lines filled; the rest is left as it is."""
    assert all(BLANK in line for line in form)
    lines = []
    for line in form:
        order, word = line.partition("#")[0].strip(), line.split()[0]
        if order.count(BLANK) == len(fill.get(word, "").split("|")) and word in fill:
            for given in fill.pop(word).split("|"):
                order = order.replace(BLANK, given.strip(), 1)
            lines.append(order)
    assert not fill, f"not in the form: {fill}"
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(4))
def test_an_opposition_party_drafts_and_contests_by_its_form(seed: int) -> None:
    ruleset, state = opening(seed)
    form, _ = printed(ruleset, state, "LAN")
    assert [line.split()[0] for line in form][:3] == ["DRAFT", "OVERRIDE", "OVERRIDE"]
    assert "# 3 wishes" in form[0]
    wish = next(text.split()[0] for text in ruleset.view(state, None)["row_texts"])
    letter = write(form, {"DRAFT": f"{wish} TOP TOP"})
    mine = take(ruleset, state, "LAN", letter, {})
    assert not mine.problems and not ruleset.due(state, "LAN", mine.standing)
    before = state.hands["LAN"]
    after = play_period(ruleset, state, {"LAN": mine.standing}, Dice(str(seed), "form"))
    state = after.state
    drafted = {card for picks in _passes(after.events) for seat, card in picks if seat == "LAN"}
    assert drafted == {wish, "TOP"} and len(state.hands["LAN"]) == min(7, len(before) + 3)

    form, notice = printed(ruleset, state, "LAN")
    line, kept = form
    assert kept.startswith("STANDING ... # an order for what may come")
    seats = state.place().seats
    assert f"# {seats} Candidate" in line and "NONE if you stay out" in line
    hand = re.findall(r"(?m)^  ([GL][0-9]{2}) ", notice.partition("Hand\n")[2])
    team = hand[:seats] if len(hand) >= seats else state.hands["LAN"]
    mine = take(ruleset, state, "LAN", write(form, {"CONTEST": " ".join(team)}), {})
    assert not [one for one in mine.problems if not one.warning]
    others = bots(ruleset, state, "LAN", seed)
    after = play_period(ruleset, state, {**others, "LAN": mine.standing}, Dice(str(seed), "form"))
    assert [item.card for item in after.state.submitted["LAN"]] == list(team)
    assert ruleset.view(after.state, None)["contests"]["LAN"] == len(team)


def _passes(events: Any) -> list[list[tuple[str, str]]]:
    return [[(s, c) for s, c, _ in e.data["picks"]] for e in events if e.kind == "draft"]


@pytest.mark.parametrize("seed", range(4))
def test_the_party_in_power_draws_gets_in_and_polls_by_its_form(seed: int) -> None:
    """A campaign, a nomination that LAN contests, and the polling."""
    ruleset, state = opening(seed)
    form, _ = printed(ruleset, state, "PIP")
    assert "together 3 at most" in form[0]
    mine = take(ruleset, state, "PIP", write(form, {"DRAW": "1 | 2"}), {})
    held = len(state.talents())
    state = play_period(ruleset, state, {"PIP": mine.standing}, Dice(str(seed), "form")).state
    assert len(state.actions()) == 2 and len(state.talents()) > held

    form, notice = printed(ruleset, state, "PIP")
    named = _pool(notice)[-state.place().seats :]
    mine = take(ruleset, state, "PIP", write(form, {"WALKOVER": " ".join(named)}), {})
    hand = [f"{id} ON TAXATION" if id[:2] == "R5" else id for id in state.hands["LAN"]]
    every = take(ruleset, state, "LAN", f"CONTEST {' '.join(hand)}", {})
    orders = {"PIP": mine.standing, "LAN": every.standing}
    state = play_period(ruleset, state, orders, Dice(str(seed), "form")).state
    assert list(state.submitted) == ["LAN"] and set(named) <= set(state.pool), "no walkover"

    form, notice = printed(ruleset, state, "PIP")
    assert [line.split()[0] for line in form][:4] == ["FIELD", "PLAY", "DRAW", "OVERRIDE"]
    team = _team(state, _pool(notice))
    uses = form[1].rpartition(": ")[2].replace("an issue", "TAXATION").replace(";", ",")
    letter = write(form, {"FIELD": " ".join(team), "PLAY": uses, "DRAW": "0 | 0"})
    mine = take(ruleset, state, "PIP", letter, {})
    assert not mine.problems and not ruleset.due(state, "PIP", mine.standing)
    after = play_period(ruleset, state, {"PIP": mine.standing}, Dice(str(seed), "form"))
    (sheet,) = [e.data for e in after.events if e.kind == "sheet" and e.data["party"] == "PIP"]
    assert sheet["cards"] == team and not sheet["automatic"]
    assert not set(team) & set(after.state.pool)
    assert sum(e.kind == "action" for e in after.events) == 2


def _pool(notice: str) -> list[str]:
    return re.findall(r"(?m)^  ([MT][0-9]{2}) ", notice.partition("Pool, ")[2])


def _team(state: Any, pool: list[str]) -> list[str]:
    """The first of the pool as it is printed, with a Minority card where one is needed."""
    team = pool[: state.place().seats]
    able = [id for id in pool if state.card(id).minority]
    if state.place().grc and able and not set(able) & set(team):
        team[-1] = able[0]
    return team


def test_a_form_that_is_sent_back_unfilled_orders_nothing() -> None:
    ruleset, state = opening(1)
    for seat in SEATS:
        form, _ = printed(ruleset, state, seat)
        assert form and not take(ruleset, state, seat, "\n".join(form), {}).standing
