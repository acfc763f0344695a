"""Check orders from public facts and the seat's file. The first rule broken counts (3)."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from pbem.games.coalition import figures
from pbem.games.coalition.names import party_named, several_ministries
from pbem.games.coalition.orders import (
    NONE,
    Name,
    Propose,
    Special,
    StandingVote,
    Vote,
    Withdraw,
    votes_if,
)
from pbem.games.coalition.state import (
    ABSTAIN,
    MOST_SPECIALS,
    State,
    compulsory,
    in_order,
    juniors,
    portfolios,
)
from pbem.games.frame.conditions import WhatIf, joined, refusal
from pbem.games.frame.events import Seat
from pbem.orders.order import Checked, Order, Problem, Standing
from pbem.text import safe

LONGEST_NAME = 30


def check(state: State, seat: Seat, standing: Standing, order: Order) -> Checked:
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
        case StandingVote() | WhatIf() if state.chosen("STANDING", "OFF"):
            word = "IF" if isinstance(order, WhatIf) else "STANDING"
            message = f"{word} is switched off in this game (STANDING=OFF)."
            answer = Checked.refused("E_OPTION", message, "3.5")
        case WhatIf():
            answer = _whatif(state, seat, standing, order)
        case Withdraw() if party.draft is None and order.slot not in standing:
            answer = Checked.refused("E_NODRAFT", "You have no draft to withdraw.", "3.3")
    return answer


def _special(state: State, order: Special) -> Checked:
    """3.1."""
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
        note = f"Junior are {', '.join(junior)}"
        return Checked.refused(
            "E_SPECIAL", "Name one to four different Junior Ministries.", "3.1", note
        )
    return Checked((Special(tuple(code for code in junior if code in order.codes)),))


def _propose(state: State, order: Propose) -> Checked:
    """3.2."""
    if state.period >= state.last_period:
        note = "this is the last period: you can only vote on what is before Parliament"
        return Checked.refused(
            "E_LAST", "No motion proposed now could still be voted on.", "3.2", note
        )
    unknown = _unknown_ministry(state, (code for code, _ in order.items)) or Checked()
    letters = _letters(state, (party for _, party in order.items if party))
    if isinstance(letters, Checked):
        return Checked((), (*unknown.problems, *letters.problems))
    if unknown.problems:
        return unknown
    named = Propose(tuple((code, letters[party]) for code, party in order.items if party))
    slate = in_order(state, named.slate)
    return (
        _misassigned(state, Counter(code for code, _ in named.items))
        or _overfull(state, slate)
        or Checked((Propose(tuple(slate.items())),))
    )


def _letters(state: State, words: Iterable[str]) -> dict[str, str] | Checked:
    """Return {word: letter} (3.6)."""
    found, problems = {}, list[Problem]()
    for word in dict.fromkeys(words):
        letter = party_named(state, word)
        if isinstance(letter, Problem):
            problems.append(replace(letter, rule="3.6"))
        elif letter not in state.living:
            message = f'"{word}" is not a party in this Parliament.'
            note = f"the parties are {', '.join(state.living)}"
            problems.append(Problem("E_PARTY", message, "R12", (note,)))
        else:
            found[word] = letter
    return Checked((), tuple(problems)) if problems else found


def _misassigned(state: State, times: Mapping[str, int]) -> Checked | None:
    for code, count in times.items():
        if count > 1:
            note = f"name {code} once in the slate, with one party"
            return Checked.refused("E_TWICE", f"{code} is assigned twice.", "1.3", note)
    if missing := [code for code in compulsory(state) if code not in times]:
        note = f"send the whole slate again, with a party for each: {missing[0]} A and so on"
        return Checked.refused("E_MISSING", f"Not assigned: {', '.join(missing)}.", "1.3", note)
    return None


def _overfull(state: State, slate: Mapping[str, str]) -> Checked | None:
    for party, held in portfolios(state, slate).items():
        if len(held) > (mps := state.parties[party].seats):
            message = f"Party {party} has {mps} MPs and cannot hold {len(held)} ministries."
            note = f"send the whole slate again, with at most {mps} ministries for {party}"
            return Checked.refused("E_CAP", message, "1.4", note)
    return None


def _unknown_ministry(state: State, codes: Iterable[str]) -> Checked | None:
    known, problems = [ministry.code for ministry in state.ministries], list[Problem]()
    for code in dict.fromkeys(codes):
        if code in known:
            continue
        if several := several_ministries(state, code):
            problems.append(replace(several, rule="1.2"))
            continue
        near = difflib.get_close_matches(code.upper(), known, n=1, cutoff=0.5)
        note = f"did you mean {near[0]}?" if near else "the word TABLES brings all ministries"
        problems.append(Problem("E_MINISTRY", f'"{code}" is not a ministry.', "1.2", (note,)))
    return Checked((), tuple(problems)) if problems else None


def _vote(state: State, order: Vote) -> Checked:
    """3.4."""
    if state.floor is None:
        note = "nothing is voted on in this period"
        if state.chosen("STANDING", "ON"):
            note = f"for all motions to come you can send STANDING {_lasting(order.ballot)}"
        return Checked.refused("E_NOFLOOR", "There is no motion on the floor.", "3.4", note)
    if order.on not in (None, state.floor.id):
        message = f"{order.on} is not on the floor; the motion is {state.floor.id}."
        note = f"if you mean it: VOTE {order.ballot} ON {state.floor.id}"
        return Checked.refused("E_WRONGV", message, "3.4", note)
    return Checked((order,))


def _whatif(state: State, seat: Seat, standing: Standing, order: WhatIf) -> Checked:
    """3.9, 3.10. A period's orders form one list."""
    if refused := refusal(order, figures.known(state), "3.10"):
        return refused
    before = standing.get(order.slot)
    if order.cases and isinstance(before, WhatIf):
        whole = votes_if(joined(before.cases, order.cases))
        return refusal(whole, figures.known(state), "3.10") or Checked((whole,))
    return Checked((order,))


def _lasting(ballot: str) -> str:
    return NONE if ballot == ABSTAIN else ballot


def _name(state: State, seat: Seat, order: Name) -> Checked:
    """3.6."""
    name = " ".join(safe(word) for word in order.text.split(" ")).strip()  # blanks in quotes count
    letter = len(name) == 1 and name.isalpha()
    if not 1 <= len(name) <= LONGEST_NAME or letter or taken(state, seat, name):
        message = "A party name has 1 to 30 characters, is not a single letter and not taken."
        return Checked.refused("E_NAME", message, "3.6")
    return Checked((Name(name),))


def taken(state: State, seat: Seat, name: str) -> bool:
    """Return whether another party has this name, in any case."""
    return any(
        p.name.casefold() == name.casefold()
        for letter, p in state.parties.items()
        if letter != seat
    )
