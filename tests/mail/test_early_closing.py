"""The clock counts what the rules ask, not what is on file; a period closes early by the house rule of its game,
or when all have said READY."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import OperatorError
from pbem.games import GAMES
from pbem.games.frame import calendar
from pbem.games.frame.house import ALL, NEVER, OWED, READY, House
from pbem.games.frame.length import Days
from pbem.house import shelf
from pbem.periods import opening
from pbem.referee.acts import clock_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import order_sets
from tests.installation import GAMESMASTER, SLATE, Installation, text_of

FIVE, THREE = ("A", "B", "C", "D", "E"), ("P1", "P2", "P3")
MOTION = {"A": f"PROPOSE {SLATE}"}
LISTS = {"P1": "STANDING NV 2, AZ", "P2": "STANDING TX 1", "P3": "STANDING OH 1"}
HOUR = {"early_hour": "20:00"}


HOLDS = "VOTE AYE IF MINISTRIES > 3, ELSE NAY"


def everybody(text: str, seats: Sequence[str] = FIVE) -> dict[str, str]:
    return dict.fromkeys(seats, text)


FORESEEN = everybody(HOLDS) | {"A": f"{HOLDS}\nPROPOSE {SLATE}"}


@dataclass(frozen=True)
class Case:
    """``before``: letters of the first period, which runs to its deadline; ``letters``: those of
    the period that is looked at, batch by batch; whether it closes at the next early hour."""

    name: str
    key: str
    letters: Sequence[Mapping[str, str]]
    closes: bool
    seats: tuple[str, ...] = ()
    before: Mapping[str, str] | None = None
    house: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)


def coalition(name: str, letters: Sequence[Mapping[str, str]], closes: bool, **more: Any) -> Case:
    return Case(
        f"coalition, {name}", "coalition", letters, closes, FIVE, **{"before": MOTION, **more}
    )


def politics(name: str, letters: Sequence[Mapping[str, str]], closes: bool, **more: Any) -> Case:
    return Case(f"politics, {name}", "politics-1935", letters, closes, THREE, **more)


def legislation(name: str, letters: Sequence[Mapping[str, str]], closes: bool, **more: Any) -> Case:
    return Case(f"legislation, {name}", "legislation", letters, closes, THREE, **more)


def party(name: str, letters: Sequence[Mapping[str, str]], closes: bool, **more: Any) -> Case:
    return Case(
        f"party in power, {name}",
        "party-in-power",
        letters,
        closes,
        ("PIP", "LAN", "COM", "KIT"),
        **more,
    )


def parlement(
    year: int, name: str, letters: Sequence[Mapping[str, str]], closes: bool, **more: Any
) -> Case:
    return Case(f"{year}, {name}", f"parlement-{year}", letters, closes, **more)


S1966, S1968 = tuple("SRLCM"), ("Com", "Soc", "Rad", "Ctr", "Con", "Mon", "Nat")
VOTES, ALL_READY = everybody("VOTE ABSTAIN"), everybody("READY")
TRIO = everybody("PASS", THREE)
CASES = [
    # READY: Coalition
    coalition("all have voted, nobody is ready", [VOTES], False),
    coalition("all have voted and are ready", [VOTES, ALL_READY], True),
    coalition("orders and READY in one letter", [everybody("READY\nVOTE AYE")], True),
    coalition("ready without a vote", [ALL_READY], True),
    coalition("four of five are ready", [VOTES, everybody("READY", FIVE[:4])], False),
    coalition("a new order takes READY back", [ALL_READY, {"B": "VOTE NAY"}], False),
    coalition("the same order again changes nothing", [everybody("VOTE AYE\nREADY"), {"B": "VOTE AYE"}], True),
    coalition("READY again", [ALL_READY, {"B": "VOTE NAY"}, {"B": "READY"}], True),
    coalition("an order cancelled takes READY back", [everybody("VOTE AYE\nREADY"), {"B": "CANCEL ALL"}], False),
    coalition("READY beside an order that cannot be taken", [everybody("READY", FIVE[1:]), {"A": "VOET AYE\nREADY"}], False),
    coalition("READY with a signature", [everybody("READY", FIVE[1:]), {"A": "READY\nYours,\nArthur"}], True),
    coalition("WAIT of one", [ALL_READY, {"C": "WAIT"}], False),
    coalition("WAIT outlives an order", [ALL_READY, {"C": "WAIT"}, {"C": "VOTE AYE"}], False),
    coalition("WAIT, then READY", [{"C": "WAIT"}, ALL_READY], True),
    coalition("WAIT taken back is not READY", [ALL_READY, {"C": "WAIT"}, {"C": "CANCEL WAIT"}], False),
    coalition("READY taken back", [ALL_READY, {"C": "CANCEL READY"}], False),
    coalition("READY that is only tried", [everybody("READY", FIVE[1:]), {"A": "CHECK\nREADY"}], False),
    coalition("standing votes are no READY", [], False, before=MOTION | everybody("STANDING NAY", FIVE[1:])),
    coalition("votes with IF that hold are READY", [], True, before=FORESEEN),
    coalition("votes with IF and READY of the others", [{"A": "VOTE NAY\nREADY"}], True, before=FORESEEN),
    coalition("a vote with IF that does not hold", [], False, before=FORESEEN | {"E": "VOTE AYE IF PM"}),
    coalition("who sends something says READY himself", [{"B": "VOTE NAY"}], False, before=FORESEEN),
    coalition("WAIT before votes with IF", [{"B": "WAIT"}], False, before=FORESEEN),
    coalition("a vote with IF in its own period", [everybody("VOTE AYE IF LEFT > 1")], False),
    coalition("the opening, in which nobody owes anything", [ALL_READY], True, before=None),
    coalition("the opening, all but one", [everybody("READY", FIVE[1:])], False, before=None),
    coalition("a sitting without a motion", [ALL_READY], True, before={}),
    coalition("READY of the period before", [], False, before=everybody("READY", FIVE[1:])),
    coalition("by what is owed: voted", [VOTES], True, house={"early": OWED}),
    coalition("by what is owed: PASS", [everybody("PASS")], True, house={"early": OWED}),
    coalition("by what is owed: one vote lacks", [VOTES | {"E": "READY"}], False, house={"early": OWED}),
    coalition("by what is owed, in the opening", [ALL_READY], True, before=None, house={"early": OWED}),
    coalition("never", [VOTES, ALL_READY], False, house={"early": NEVER}),
    coalition("EARLY=OFF", [VOTES, ALL_READY], False, options={"EARLY": "OFF"}),
    # what is owed: Politics, Legislation, Party In Power
    politics("PASS of all", [TRIO], True),
    politics("one lacks", [everybody("PASS", THREE[:2])], False),
    politics("one lacks, and is ready", [TRIO | {"P3": "READY"}], False),
    politics("WAIT of one", [TRIO, {"P2": "WAIT"}], False),
    politics("lists sent in the period", [LISTS], True),
    politics("lists on file, nobody writes", [], True, before=LISTS),
    politics("lists on file, but one", [], False, before={"P1": LISTS["P1"], "P2": LISTS["P2"]}),
    politics("lists on file, and an order", [{"P3": "CAMPAIGN OH 1"}], True, before={"P1": LISTS["P1"], "P2": LISTS["P2"]}),
    politics("lists on file, WAIT", [{"P3": "WAIT"}], False, before=LISTS),
    politics("MODE=TURN, the thrower", [everybody("CAMPAIGN", THREE)], True, options={"MODE": "TURN"}),
    politics("MODE=TURN, nobody", [], False, options={"MODE": "TURN"}),
    politics("by READY", [TRIO], False, house={"early": READY}),
    politics("by READY, all", [everybody("PASS\nREADY", THREE)], True, house={"early": READY}),
    legislation("PASS of all", [TRIO], True),
    legislation("one lacks", [everybody("PASS", THREE[1:])], False),
    legislation("WAIT in the same letter", [TRIO | {"P1": "PASS\nWAIT"}], False),
    party("PASS of all", [everybody("PASS", ("PIP", "LAN", "COM", "KIT"))], True),
    party("one lacks", [everybody("PASS", ("PIP", "LAN", "COM"))], False),
    party("orders", [everybody("DRAFT TOP", ("LAN", "COM", "KIT")) | {"PIP": "DRAW TALENT 3"}], True),
    # the Parlements: off, and READY where the gamesmaster sets an hour
    parlement(1966, "without an hour", [everybody("READY", S1966)], False),
    parlement(1966, "without a Government, all ready", [everybody("READY", S1966)], True, house=HOUR),
    parlement(1966, "without a Government, one is not", [everybody("READY", S1966[1:])], False, house=HOUR),
    parlement(1966, "WAIT", [everybody("READY", S1966), {"M": "WAIT"}], False, house=HOUR),
    parlement(1966, "by what is owed, where nobody owes anything", [], False, house={**HOUR, "early": OWED}),
    parlement(1968, "a Government is being formed", [everybody("READY", S1968)], False, house=HOUR),
]  # fmt: skip


@pytest.mark.parametrize("played", CASES, ids=lambda played: played.name)
def test_whether_a_period_closes_early(played: Case, tmp_path: Path) -> None:
    more: dict[str, Any] = {"seats": played.seats} if played.seats else {}
    with Installation(
        tmp_path, played.key, options=played.options, house=as_before(played), **more
    ) as at:
        at.start()
        if played.before is not None:
            send(at, played.before)
            at.to_deadline()
        number = at.table().period.number
        for letters in played.letters:
            send(at, letters)
        assert at.table().period.number == number, "nothing closes before the fixed hour"
        to_early_hour(at)
        assert at.table().period.number == number + played.closes


def as_before(played: Case) -> Mapping[str, Any]:
    """The house rules of a case, by the condition that its game had before `all`.

    What a gamesmaster names wins over an option: a case of EARLY names none."""
    if "EARLY" in played.options:
        return played.house
    parlement = played.key.startswith("parlement")
    if parlement and "early_hour" not in played.house:
        return played.house
    early = READY if parlement or played.key == "coalition" else OWED
    return {"early": early, **played.house}


def send(at: Installation, letters: Mapping[str, str]) -> None:
    for seat, text in letters.items():
        at.write(seat, text)
    at.once()


def to_early_hour(at: Installation) -> None:
    house = House({}, {}, early_hour="20:00")
    at.clock = calendar.early_look(at.clock, house, at.table().zone) or at.clock
    at.once()


def days(at: Installation) -> int:
    row, where = at.table().period, at.table().zone
    return int((row.base.astimezone(where).date() - row.opened.astimezone(where).date()).days)


LENGTHS = [
    ("politics-1935", THREE, {"P1": LISTS["P1"], "P2": LISTS["P2"]}, {}, 5),
    ("politics-1935", THREE, LISTS, {}, 5),
    ("politics-1935", THREE, {}, {"MODE": "TURN"}, 2),
    ("legislation", THREE, {}, {"DOCKET": "SERIAL"}, 2),
    ("coalition", FIVE, MOTION | everybody("STANDING AYE", FIVE[1:]), {}, 7),
    ("coalition", FIVE, MOTION, {"PERIOD_ONE": 3}, 7),
    ("legislation", THREE, everybody("STANDING VOTE AYE", THREE[1:]) | {"P1": "PASS"}, {}, 3),
]


@pytest.mark.parametrize(("game", "seats", "before", "options", "length"), LENGTHS)
def test_the_short_period_is_for_phases_that_ask_one_alone(
    game: str,
    seats: tuple[str, ...],
    before: Mapping[str, str],
    options: Mapping[str, Any],
    length: int,
    tmp_path: Path,
) -> None:
    with Installation(tmp_path, game, seats=seats, options=options) as at:
        at.start()
        send(at, before)
        at.to_deadline()
        table = at.table()
        assert days(at) == length
        asked = sum(bool(slots) for slots in table.ruleset.asked(table.state).values())
        assert (asked == 1) == (Days(length) == table.house.alone)


def told(at: Installation, seat: str) -> str:
    return " ".join(" ".join(text_of(mail) for mail in at.mails(seat)[-2:]).split())


@pytest.mark.game("politics-1935", seats=THREE, house={"early": OWED})
def test_standing_orders_alone_close_no_period_that_has_just_begun(at: Installation) -> None:
    send(at, LISTS)
    at.clock = at.clock.replace(hour=18, minute=30)
    at.act(clock_acts.close, "g", 1, unread=True)
    to_early_hour(at)
    assert at.table().period.number == 2, "nobody could have said WAIT"
    to_early_hour(at)
    assert at.table().period.number == 3


@pytest.mark.game("coalition", trust="proven")
def test_a_held_ready_counts_in_its_place(at: Installation) -> None:
    """A READY that is confirmed late does not speak of the order that was sent after it; a WAIT
    still does."""
    for word, stands in (("READY", ""), ("WAIT", "WAIT")):
        at.send("A", f"{word}\nSPECIAL AGR")
        code = at.newest("A").split("CONFIRM ")[1].split()[0]
        secret = str(at.mails("A")[-1]["Reply-To"])
        at.send("A", "SPECIAL JUS", To=secret)
        at.send("A", f"CONFIRM {code}")
        assert at.standing("A") == ["SPECIAL JUS"]
        with exclusive_transaction(at.daemon.engine) as conn:
            row = order_sets.last_set(conn, "g", 1, "A")
        assert row is not None and (row.ready, row.wait) == (False, stands == "WAIT")


@pytest.mark.game("parlement-1966")
def test_silence_is_told_where_nobody_owes_anything(at: Installation) -> None:
    """It is no missed move: only the gamesmaster is told. Whoever writes anything, be it press, is
    not silent."""
    for turn in range(3):
        at.write("S", "PRESS TO R\nShall we?\nEND PRESS")
        at.write("R", "READY")
        at.write("L", "STATUS")
        if turn == 1:
            at.write("C", "CALL NOTHING")
        at.once()
        at.to_deadline()
    assert {seat: holder.missed for seat, holder in at.table().holders.items()} == dict.fromkeys(
        "SRLCM", 0
    )
    idle = [mail for mail in at.mails(GAMESMASTER) if "IDLE" in str(mail["Subject"])]
    assert [str(mail["Subject"]) for mail in idle] == ["[pbem] IDLE: M in g"]
    assert "sent no letter at all in 3 periods in a row" in " ".join(text_of(idle[0]).split())
    assert not any("Do you play on" in str(mail["Subject"]) for mail in at.mails("M"))


def test_the_house_rule_of_each_game() -> None:
    for key in GAMES:
        options = {one.name: one.default for one in shelf.open_ruleset(key).about.options}
        house = opening.house_rules(key, options, {})
        assert (house.early, bool(house.early_hour)) == (ALL, not key.startswith("parlement"))
        changed = opening.house_rules(key, options, {"early": OWED, "early_hour": "18:00"})
        assert (changed.early, changed.early_hour) == (OWED, "18:00"), (
            "what the gamesmaster names wins"
        )


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"early": "often"}, "is none of owed, ready, all, never"),
        ({"early": OWED}, "needs early_hour=20:00"),
    ],
)
def test_a_house_rule_that_cannot_be(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(OperatorError, match=why):
        opening.house_rules("parlement-1966", {}, changes)


LATER = [
    ("politics-1935", THREE, TRIO, False),
    ("politics-1935", THREE, everybody("READY", THREE), True),
    ("politics-1935", THREE, everybody("READY", THREE) | {"P3": "PASS"}, False),
    ("politics-1935", THREE, everybody("READY", THREE) | {"P3": "WAIT"}, False),
    ("coalition", FIVE, VOTES, False),
    ("coalition", FIVE, everybody("VOTE AYE\nREADY"), True),
]
"""Letters of the second period, and whether it closes at an early hour in its second half."""


@pytest.mark.parametrize(("game", "seats", "letters", "closes"), LATER)
def test_all_must_have_said_ready_and_half_of_the_time_be_over(
    game: str, seats: tuple[str, ...], letters: Mapping[str, str], closes: bool, tmp_path: Path
) -> None:
    with Installation(tmp_path, game, seats=seats) as at:
        at.start()
        send(at, LISTS if game == "politics-1935" else FORESEEN)
        send(at, everybody("READY", seats))
        at.to_deadline()
        row = at.table().period
        assert row.number == 2
        assert row.due is not None
        send(at, letters)
        half = row.opened + (row.due - row.opened) / 2
        for _ in range((half - at.clock).days):
            to_early_hour(at)
            assert at.clock < half and at.table().period.number == 2
        to_early_hour(at)
        to_early_hour(at)
        assert half < at.clock < row.due and at.table().period.number == 2 + closes


def test_the_first_period_never_closes_early(at: Installation) -> None:
    due = at.table().period.due
    send(at, everybody("READY"))
    assert "the first period does not close before its deadline" in told(at, "A")
    for _ in range((due - at.clock).days):
        to_early_hour(at)
        assert at.clock < due and at.table().period.number == 1
