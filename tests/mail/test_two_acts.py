"""Two acts upon one letter do not both say that it is done: the second says what was done before,
and by whom."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from pbem.acts.acts import BY_NAME
from pbem.errors import OperatorError
from pbem.letters.states import LetterState
from pbem.referee.acts.doing import Actor, do
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Letter
from tests.installation import SEATS, Installation, desk
from tests.mail.proof import code
from tests.sampled import in_turn

S = LetterState
ACCEPT, DISMISS, RETRY, CONFIRM = "accept", "dismiss", "retry", "CONFIRM"
FIRST = {
    S.UNVERIFIED: (ACCEPT, DISMISS, CONFIRM),
    S.HELD: (ACCEPT, DISMISS, CONFIRM),
    S.LATE: (ACCEPT, DISMISS),
    S.FAILED: (RETRY, DISMISS),
    S.QUARANTINE: (DISMISS,),
    S.UNKNOWN_SENDER: (DISMISS,),
    S.UNANSWERED: (DISMISS,),
    S.UNFETCHABLE: (RETRY, DISMISS),
}
"""What can be done with a letter that waits; a CONFIRM is its player's."""
DONE = {
    (ACCEPT, False): "was accepted by the gamesmaster; the referee's next pass takes it",
    (ACCEPT, True): "was accepted by the gamesmaster, and has been taken",
    (CONFIRM, True): "was confirmed by its player, and has been taken",
    (DISMISS, False): "was dismissed by the gamesmaster",
    (DISMISS, True): "was dismissed by the gamesmaster",
    (RETRY, False): "was put back by the gamesmaster (RETRY); the referee's next pass tries it",
}
"""What the second is told, before and after a pass of the daemon; once that has tried a letter
again, only what it is now counts."""
SAID = {
    ACCEPT: "The next pass takes letter 1.",
    DISMISS: "Letter 1 is dismissed; it has no effect.",
    RETRY: "The next pass tries letter 1 again.",
}
BECOMES = {
    (ACCEPT, False): S.STORED,
    (ACCEPT, True): S.ORDERS,
    (CONFIRM, True): S.ORDERS,
    (DISMISS, False): S.DISMISSED,
    (DISMISS, True): S.DISMISSED,
    (RETRY, False): S.STORED,
    (RETRY, True): S.UNVERIFIED,
}
TRIED = {
    ACCEPT: SAID[ACCEPT],
    DISMISS: SAID[DISMISS],
    RETRY: "is unverified; only a failed or unfetchable letter can be retried",
    CONFIRM: "Receipt 1 of game g",
}
FIRSTS = {
    f"{state}-{first}": (state, first)
    for state, firsts in FIRST.items()
    for first in firsts
    if state != S.UNFETCHABLE  # it has no bytes to be decided; see below
}
SECONDS = {one: one for one in (ACCEPT, DISMISS, RETRY, CONFIRM)}
OURS = (
    {name: one for name, one in FIRSTS.items() if one[1] != CONFIRM},
    {one: one for one in SECONDS if one != CONFIRM},
)
"""What is done without a pass: a player's letter takes one."""


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Installation]:
    with Installation(tmp_path, "coalition", seats=SEATS, trust="proven") as at:
        at.start()
        at.send("A", "SPECIAL AGR")
        assert at.outcomes()[-1][0] == S.UNVERIFIED
        yield at


def set_letter(at: Installation, state: LetterState, **values: object) -> None:
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Letter).where(Letter.id == 1).values(outcome=state, **values))


def state(at: Installation) -> str:
    return at.outcomes()[0][0]


def done(at: Installation, name: str, asked: str) -> str:
    """What an act answers; why it was refused, where it was."""
    if name == CONFIRM:
        at.send("A", f"CONFIRM {asked}")
        return " ".join(at.newest("A").split())
    unsaid: dict[str, Any] = dict.fromkeys(("game", "before", "seat", "period"))
    values = {"letter": 1} | (unsaid | {"anyway": False} if name == ACCEPT else {})
    try:
        with desk(at) as work:
            return do(work, BY_NAME[name], values, Actor()).said
    except OperatorError as error:
        return str(error)


@pytest.mark.parametrize(("before", "second"), in_turn(FIRSTS, SECONDS))
def test_after_a_pass_the_second_says_what_the_first_did(
    at: Installation, before: tuple[LetterState, str], second: str
) -> None:
    says_what_the_first_did(at, *before, second, passed=True)


@pytest.mark.parametrize(("before", "second"), in_turn(*OURS))
def test_the_second_says_what_the_first_did(
    at: Installation, before: tuple[LetterState, str], second: str
) -> None:
    says_what_the_first_did(at, *before, second, passed=False)


def says_what_the_first_did(
    at: Installation, begins: LetterState, first: str, second: str, *, passed: bool
) -> None:
    asked = code(at, "A")
    set_letter(at, begins)
    said = done(at, first, asked)
    assert said == SAID.get(first, said)
    if passed:
        at.once()
    became, stood = state(at), at.standing("A")
    assert became == BECOMES[first, passed]
    again = done(at, second, asked)
    if (first, passed) == (RETRY, True):  # it waits for its proof, as it had before
        assert TRIED[second] in again
        return
    assert DONE[first, passed] in again
    assert (state(at), at.standing("A")) == (became, stood)


def test_a_letter_that_is_fetched_again_is_not_fetched_twice(at: Installation) -> None:
    set_letter(at, S.UNFETCHABLE, attempts=3, raw=None)
    assert done(at, RETRY, "") == SAID[RETRY]
    assert "is fetched again by the referee's next pass as it is" in done(at, RETRY, "")
    assert done(at, DISMISS, "") == SAID[DISMISS]
    assert DONE[DISMISS, False] in done(at, RETRY, "")
    at.once()
    assert state(at) == S.DISMISSED, "the dismissal undid it"


def test_a_code_that_was_never_given_is_no_letters(at: Installation) -> None:
    assert "There is nothing that waits for that code" in done(at, CONFIRM, "0123456789")
