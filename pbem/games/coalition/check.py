"""May an order be put on file? One function an order; the first rule that fails, in the order of
paragraph 3, is told.

Everything is judged from public facts and from what the seat has on file itself.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Mapping

from pbem.games.coalition.orders import NONE, Name, Propose, Special, StandingVote, Vote, Withdraw
from pbem.games.coalition.state import (
    MOST_SPECIALS,
    State,
    compulsory,
    in_order,
    juniors,
    portfolios,
)
from pbem.games.frame.events import Seat
from pbem.orders.order import Checked, Order, Standing
from pbem.text import safe

LONGEST_NAME = 30


def check(state: State, seat: Seat, standing: Standing, order: Order) -> Checked:
    """The order in its canonical form, or the first reason against it."""
    party = state.parties[seat]
    answer = Checked((order,))
    match order:
        case _ if not party.playing:
            answer = Checked.refused("E_OUT", "You are no longer in the game.", "3.7")
        case Special():
            answer = _special(state, order)
        case Propose():
            answer = _propose(state, order)
        case Vote():
            answer = _vote(state, order)
        case Name():
            answer = _name(state, seat, order)
        case StandingVote() if state.chosen("STANDING", "OFF"):
            message = "STANDING is switched off in this game (STANDING=OFF)."
            answer = Checked.refused("E_OPTION", message, "3.5")
        case Withdraw() if party.draft is None and order.slot not in standing:
            answer = Checked.refused("E_NODRAFT", "You have no draft to withdraw.", "3.3")
    return answer


def _special(state: State, order: Special) -> Checked:
    """Paragraph 3.1."""
    lock = int(state.options["SPECIAL_LOCK"])
    if state.period > lock:
        return Checked.refused(
            "E_LOCKED", f"Special Ministries were fixed at the end of period {lock}.", "R7"
        )
    if order.codes == (NONE,):
        return Checked((order,))
    if refusal := _unknown_ministry(state, order.codes):
        return refusal
    junior = juniors(state)
    fits = set(order.codes) <= set(junior) and len(set(order.codes)) == len(order.codes)
    if not fits or not 1 <= len(order.codes) <= MOST_SPECIALS:
        note = f"the Junior Ministries are {', '.join(junior)}"
        return Checked.refused(
            "E_SPECIAL", "Name one to four different Junior Ministries.", "3.1", note
        )
    return Checked((Special(tuple(code for code in junior if code in order.codes)),))


def _propose(state: State, order: Propose) -> Checked:
    """Paragraph 3.2."""
    if state.period >= state.last_period:
        return Checked.refused("E_LAST", "No motion proposed now could still be voted on.", "3.2")
    slate = in_order(state, order.slate)
    return (
        _unknown_ministry(state, (code for code, _ in order.items))
        or _unknown_party(state, (party for _, party in order.items if party))
        or _misassigned(state, Counter(code for code, party in order.items if party))
        or _overfull(state, slate)
        or Checked((Propose(tuple(slate.items())),))
    )


def _unknown_party(state: State, parties: Iterable[str]) -> Checked | None:
    living = state.living
    for party in parties:
        if party not in living:
            message = f'"{party}" is not a party in this Parliament.'
            return Checked.refused(
                "E_PARTY", message, "R12", f"the parties are {', '.join(living)}"
            )
    return None


def _misassigned(state: State, times: Mapping[str, int]) -> Checked | None:
    for code, count in times.items():
        if count > 1:
            return Checked.refused("E_TWICE", f"{code} is assigned twice.", "1.3")
    if missing := [code for code in compulsory(state) if code not in times]:
        return Checked.refused("E_MISSING", f"Not assigned: {', '.join(missing)}.", "1.3")
    return None


def _overfull(state: State, slate: Mapping[str, str]) -> Checked | None:
    for party, held in portfolios(state, slate).items():
        if len(held) > (mps := state.parties[party].seats):
            message = f"Party {party} has {mps} MPs and cannot hold {len(held)} ministries."
            return Checked.refused("E_CAP", message, "1.4")
    return None


def _unknown_ministry(state: State, codes: Iterable[str]) -> Checked | None:
    known = [ministry.code for ministry in state.ministries]
    for code in codes:
        if code not in known:
            near = difflib.get_close_matches(code.upper(), known, n=1, cutoff=0.5)
            notes = (
                [f"did you mean {near[0]}?"] if near else [f"the ministries are {', '.join(known)}"]
            )
            return Checked.refused("E_MINISTRY", f'"{code}" is not a ministry.', "1.2", *notes)
    return None


def _vote(state: State, order: Vote) -> Checked:
    """Paragraph 3.4."""
    if state.floor is None:
        return Checked.refused("E_NOFLOOR", "There is no motion on the floor.", "3.4")
    if order.on not in (None, state.floor.id):
        message = f"{order.on} is not on the floor; the motion is {state.floor.id}."
        return Checked.refused("E_WRONGV", message, "3.4")
    return Checked((order,))


def _name(state: State, seat: Seat, order: Name) -> Checked:
    """Paragraph 3.6."""
    name = " ".join(safe(word) for word in order.text.split(" ")).strip()  # blanks in quotes count
    letter = len(name) == 1 and name.isalpha()
    if not 1 <= len(name) <= LONGEST_NAME or letter or taken(state, seat, name):
        message = "A party name has 1 to 30 characters, is not a single letter and not taken."
        return Checked.refused("E_NAME", message, "3.6")
    return Checked((Name(name),))


def taken(state: State, seat: Seat, name: str) -> bool:
    """Whether another party bears this name, whatever the case of its letters."""
    return any(
        p.name.casefold() == name.casefold()
        for letter, p in state.parties.items()
        if letter != seat
    )
