"""A seat's form: orders it could send now, from what it knows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from pbem.games.coalition.orders import LONGEST_NAME, NONE, taken
from pbem.games.coalition.state import (
    ABSTAIN,
    AYE,
    NAY,
    Slate,
    State,
    compulsory,
    in_order,
    juniors,
)
from pbem.games.coalition.steps.scoring import adjusted_points, worth
from pbem.games.frame.events import Seat
from pbem.games.frame.ruleset import Offer

_EXAMPLE = "Harbour Liberals"


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """Return the form; () for a vacant party."""
    party = state.parties[seat]
    if state.outcome or not party.playing:
        return ()
    called = {"name": None if party.name == seat else party.name, "longest": LONGEST_NAME}
    return (
        *_vote(state, seat),
        *_special(state, seat),
        *_propose(state, seat),
        *_withdraw(state, seat),
        *_standing(state, seat),
        *_whatif(state, seat),
        Offer("name", ((f'"{_free_name(state, seat)}"',),), called),
    )


def _vote(state: State, seat: Seat) -> Iterator[Offer]:
    """paragraph 3.4."""
    if state.floor:
        facts = share(state, seat, state.floor.slate, state.parties[seat].specials)
        yield Offer(
            "vote",
            ((AYE, NAY, ABSTAIN),),
            {"id": state.floor.id, "mps": state.parties[seat].seats, **facts},
        )


def _special(state: State, seat: Seat) -> Iterator[Offer]:
    """paragraph 3.1."""
    lock, codes = int(state.options["SPECIAL_LOCK"]), juniors(state)
    if state.period <= lock:
        known = {"specials": list(state.parties[seat].specials), "lock": lock}
        yield Offer("special", ((", ".join(codes[:4]), codes[-1], NONE),), known)


def _propose(state: State, seat: Seat) -> Iterator[Offer]:
    """3.2. Largest parties as members, oneself as Prime Minister."""
    if state.period >= state.last_period:
        return
    others = [letter for letter in state.living if letter != seat]
    largest = max(others, key=state.mps)
    codes = compulsory(state)
    fills = [(largest, seat) for _ in codes]
    fills[0] = (seat, largest)
    waits = state.parties[seat].draft is not None
    optional = [m.code for m in state.ministries if m.code not in codes]
    yield Offer(
        "propose", tuple(fills), {"codes": list(codes), "optional": optional, "waits": waits}
    )


def _withdraw(state: State, seat: Seat) -> Iterator[Offer]:
    """paragraph 3.3."""
    if draft := state.parties[seat].draft:
        yield Offer("withdraw", (("DRAFT",),), {"filed": draft.filed})


def _standing(state: State, seat: Seat) -> Iterator[Offer]:
    """paragraph 3.5."""
    if state.chosen("STANDING", "ON"):
        yield Offer("standing", ((AYE, NAY, NONE),), {"vote": state.parties[seat].standing})


def _whatif(state: State, seat: Seat) -> Iterator[Offer]:
    """3.9. Aye above one's share of points."""
    if state.chosen("STANDING", "ON"):
        fair = worth(state, {m.code: seat for m in state.ministries}, seat, ())
        share = fair * state.parties[seat].seats // state.mps(state.living) + 1
        tests = (f"POINTS >= {share}", "RANK = 1", state.ministries[0].code)
        kept = state.ifs.get(seat)
        yield Offer(
            "whatif", ((AYE, NAY, ABSTAIN), tests), {"on_file": str(kept) if kept else None}
        )


def _free_name(state: State, seat: Seat) -> str:
    names = (f"{_EXAMPLE} {number}" if number else _EXAMPLE for number in count())
    return next(name for name in names if not taken(state, seat, name))


def share(state: State, seat: Seat, slate: Slate, specials: tuple[str, ...]) -> dict[str, Any]:
    """Return a party's part of a slate (4.7). ``single``: its points without doubles."""
    codes = [code for code, holder in in_order(state, slate).items() if holder == seat]
    points = worth(state, slate, seat, specials)
    return {
        "codes": codes,
        "doubled": [code for code in codes if code in specials],
        "points": points,
        "single": worth(state, slate, seat, ()),
        "score": str(adjusted_points(state, seat, points)),
    }
