"""What a game says will happen "if you send nothing more" does happen: over bots' games each
sentence's facts are taken, the true position is adjudicated with that seat silent, and both are
compared. A kind of sentence without a comparison here fails.

A sentence speaks of the position as it is. Where another seat changes what it speaks of in the same
period (a Government falls, a board is played on before), it is not compared.
"""

import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pbem.games.frame.adjudication import play_period
from pbem.games.frame.dice import Dice
from pbem.games.frame.house_rules import missed
from pbem.house import shelf, templates
from tests.bots import BOT_GAMES, bot_game
from tests.silences import (
    COALITION,
    LEGISLATION,
    PARLEMENT_1966,
    PARTY_IN_POWER,
    POLITICS,
    Compare,
    Silent,
)

MOST_TURNS = 14


# --- Parlement of 1968 ----------------------------------------------------------------------------


def _choices(at: Silent, d: Mapping[str, Any]) -> set[Any]:
    return {
        e.data["votes"][unit]
        for e in at.of("bill_vote", bill=d["bill"])
        for unit in d["units"]
        if unit in e.data["votes"]
    }


def _levels(at: Silent, d: Mapping[str, Any]) -> list[Any]:
    return [
        e.data["votes"][unit]
        for e in at.of("budget_vote")
        for unit in d["units"]
        if unit in e.data["votes"]
    ]


def _put_up(at: Silent) -> list[str]:
    return [d for e in at.of("lists") for d in e.data["lists"].get(at.seat, ())]


def _unsaid(at: Silent, d: Mapping[str, Any]) -> bool:
    """On none of the bills named is there a standing vote of the whole party afterwards."""
    filed = at.after.standing.get(at.seat, {})
    return not any(f"{bill}/" in filed for bill in d["bills"])


def _signed(at: Silent) -> dict[int, set[str]]:
    """What the seat's factions and independents had signed before."""
    return {
        p.number: {unit for unit in p.signed if unit.partition("-")[0] == at.seat}
        for p in at.before.proposals
    }


def _signs_nothing_new(at: Silent, _: Mapping[str, Any]) -> bool:
    """No new signature of the seat stands, and nothing takes office that it had not signed."""
    before = _signed(at)
    for one in at.after.proposals:
        mine = {unit for unit in one.signed if unit.partition("-")[0] == at.seat}
        if not mine <= before.get(one.number, set()):
            return False
    for event in at.of("installed"):
        mine = {unit for unit in event.data["support"] if unit.partition("-")[0] == at.seat}
        if not mine <= before.get(event.data["number"], set()):
            return False
    return True


def _stays_signed(at: Silent, d: Mapping[str, Any]) -> bool:
    """The signature is there still, while proposals are; a dead one never took office."""
    number, units = d["number"], set(d["units"])
    installed = [e.data["number"] for e in at.of("installed")]
    if installed or not at.after.proposals:
        return not (d["dead"] and number in installed)
    return any(units <= p.signed for p in at.after.proposals if p.number == number)


def _drops_all(at: Silent, d: Mapping[str, Any]) -> bool:
    """Nothing that the seat's ministries control is in the Program, if they are its own still."""
    if at.before.government != at.after.government:
        return True
    return not any(
        set(d["bills"]) & set(e.data["bills"])
        or any(e.data["levels"].get(item) == "L" for item in d["items"])
        for e in at.of("program")
    )


def _by_its_own_rule(at: Silent, d: Mapping[str, Any]) -> bool:
    """In no district counted now did the bloc obey whoever controls it (8.15)."""
    counted = [one for one in at.after.counts.values() if one.period == at.before.period]
    return bool(counted) and not any(one.blocs[d["bloc"]].rule == "8.15" for one in counted)


def _cheque_paid(at: Silent, d: Mapping[str, Any]) -> bool:
    """The payee has it, all of it unless the seat was told that its money was short."""
    paid = sum(
        -line["amount"]
        for e in at.mine("statement")
        for line in e.data["lines"]
        if line["with"] == d["payee"] and line["purpose"] == "payment" and line["amount"] < 0
    )
    return bool(at.mine("short", payee=d["payee"])) or paid == d["amount"]


PARLEMENT_1968: Mapping[str, Compare] = {
    "not_signed": _signs_nothing_new,
    "stays_signed": _stays_signed,
    "asked_standing": _unsaid,
    "without_program": lambda at, d: not at.of("program") or not at.of("program")[0].data["bills"],
    "unapproved": _drops_all,
    "abstains_budget": lambda at, d: all(
        set(one.values()) <= {"ABSTAIN"} for one in _levels(at, d)
    ),
    "stands_budget": lambda at, d: all(one == d["levels"] for one in _levels(at, d)),
    "abstains": lambda at, d: _choices(at, d) <= {"ABSTAIN"},
    "stands": lambda at, d: _choices(at, d) <= {d["choice"]},
    "sealed_list": lambda at, d: not at.of("lists") or bool(_put_up(at)) or not d["districts"],
    "put_up_again": lambda at, d: not at.of("lists") or bool(_put_up(at)),
    "nobody_put_up": lambda at, _: not _put_up(at),
    "stand_on": lambda at, d: (
        not any(at.seat in gone for e in at.of("withdrawn") for gone in e.data["gone"].values())
    ),
    "no_money": lambda at, _: (
        "PAY" in " ".join(at.standing)
        or not any(
            row[0] == at.seat
            for e in at.of("spent")
            for rows in e.data["spent"].values()
            for row in rows
        )
    ),
    "no_instruction": _by_its_own_rule,
    "miss": lambda at, _: missed(shelf.open_ruleset(at.key), at.before, at.seat, at.standing),
    "cheque_due": _cheque_paid,
}

COMPARED: Mapping[str, Mapping[str, Compare]] = {
    "parlement-1966": PARLEMENT_1966,
    "parlement-1968": PARLEMENT_1968,
    "coalition": COALITION,
    "legislation": LEGISLATION,
    "politics-1935": POLITICS,
    "party-in-power": PARTY_IN_POWER,
}


def _cases(standing: Mapping[str, Any], chance: random.Random) -> Iterator[dict[str, Any]]:
    """Nothing at all; all that was sent; one order of it alone."""
    yield {}
    if standing:
        yield dict(standing)
        slot = chance.choice(sorted(standing))
        yield {slot: standing[slot]}


def test_what_silence_brings_is_what_it_brings(key: str) -> None:
    if key not in COMPARED:
        pytest.skip("a game of one's own brings its own comparisons")
    ruleset, compared, compare = shelf.open_ruleset(key), 0, COMPARED[key]
    chance = random.Random(key)
    for number in range(min(BOT_GAMES, 4)):
        for turn in bot_game(ruleset, number):
            if turn.number > MOST_TURNS:
                break
            for seat in chance.sample(sorted(ruleset.asked(turn.before)), 2):
                if "RESIGN" in turn.standing.get(seat, {}):
                    continue
                for standing in _cases(turn.standing.get(seat, {}), chance):
                    page = templates.page_at(ruleset, turn.before, seat, standing)
                    if standing and not page.owes:
                        continue  # a receipt and STATUS leave it out then
                    orders = {**turn.standing, seat: standing}
                    outcome = play_period(ruleset, turn.before, orders, Dice(str(number), "bots"))
                    at = Silent(
                        key, seat, standing, turn.before, outcome.state, tuple(outcome.events)
                    )
                    for event in page.silence:
                        assert event.kind in compare, f"{event.kind} is compared with nothing"
                        compared += 1
                        assert compare[event.kind](at, event.data), (
                            number,
                            turn.number,
                            seat,
                            [str(o) for o in standing.values()],
                            event,
                            [e for e in outcome.events if e.kind in ("vote", "play")][:3],
                        )
    assert compared >= 5 * min(BOT_GAMES, 4), compared
