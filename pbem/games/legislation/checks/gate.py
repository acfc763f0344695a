"""Refusals common to all orders."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from pbem.games.frame.events import Seat
from pbem.games.legislation import cards
from pbem.games.legislation.orders import ME
from pbem.games.legislation.state import AMEND, AMENDVOTE, BILL, CAMPAIGN, VOTE, State
from pbem.orders.order import Checked

_OF_PHASE = {
    BILL: "BILL",
    AMEND: "AMEND and TOKEN",
    AMENDVOTE: "VOTE, TOKEN and (the chair, where amendments do not bind) ACCEPT",
    VOTE: "VOTE and TOKEN",
    CAMPAIGN: "SPEND and VOID",
}
_CALLED = {
    BILL: "bills",
    AMEND: "amendments",
    AMENDVOTE: "votes on amendments",
    VOTE: "votes on bills",
    CAMPAIGN: "campaigning",
}


def gate(
    state: State,
    word: str,
    phases: Sequence[str],
    role: str | None = None,
    option: str | None = None,
    instead: Sequence[str] = (),
) -> Checked | None:
    """Return E_PHASE, E_ROLE or E_OPTION, or None. ``role``: the one lacking. ``option``: the
    NAME=VALUE that bars it."""
    if state.phase not in phases:
        always = f"NEXTBILL, STANDING VOTE{', GIVE' if state.transfers else ''} and PASS"
        now = f"this is a period of {_CALLED[state.phase]}: it takes {_OF_PHASE[state.phase]}"
        message = f"{word} is not possible in the {state.phase} period."
        return Checked.refused("E_PHASE", message, "3.1", f"{now}, and at any time {always}")
    if role:
        return Checked.refused("E_ROLE", f"Only {role} may give {word}.", "3.5", *instead)
    if option:
        return Checked.refused(
            "E_OPTION",
            f"{word} is switched off in this game ({option}).",
            "1.4",
            *instead,
        )
    return None


def player(state: State, seat: Seat, word: str) -> Checked | Seat:
    """Return the living player named; ME is the writer."""
    if word == ME or word in state.alive:
        return seat if word == ME else word
    return Checked.refused(
        "E_PLAYER",
        f'There is no player "{word}" in this game.',
        None,
        f"living: {names(state.alive)}",
    )


def names(listed: Iterable[str]) -> str:
    return ", ".join(listed)


def known(state: State, named: Iterable[str]) -> Checked | None:
    """Return E_ISSUE for a card not in play."""
    for card in named:
        if card == cards.CROWN and not state.on("CROWN", "OFF"):
            continue
        if cards.issue(card) not in state.issues:
            near = difflib.get_close_matches(cards.issue(card), state.issues, n=1)
            notes = [
                f"issues in play: {names(state.issues)}",
                *(f"did you mean {one}?" for one in near),
            ]
            return Checked.refused(
                "E_ISSUE", f'"{cards.issue(card)}" is not an issue in this game.', "1.2", *notes
            )
    return None
