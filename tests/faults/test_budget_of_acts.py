"""The law of the budget in the gamesmaster's acts: they are on no letter's budget, and what they
read of players' letters is on one of its own, so that a letter that burns sets his aside."""

import itertools
from pathlib import Path
from typing import Any

import pytest

from pbem import budget
from pbem.periods import adjudicating
from pbem.referee.acts import letter_acts
from tests.faults.burning import burn_for_seconds, burns
from tests.faults.test_budget import OVER, SECONDS
from tests.faults.world import masters_address
from tests.installation import GAMESMASTER, SEATS, Installation, text_of

pytestmark = pytest.mark.game("coalition", limits={"letter_seconds": SECONDS})


def test_a_gamesmasters_act_is_not_on_his_letters_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []
    real = adjudicating.play_period

    def play(*given: Any) -> Any:
        seen.append(budget.left() > SECONDS)
        return real(*given)

    monkeypatch.setattr(adjudicating, "play_period", play)
    with Installation(tmp_path, "coalition", seats=SEATS, limits={"letter_seconds": SECONDS}) as at:
        at.start()
        at.send(GAMESMASTER, "GAME g\nPERIOD 1\nCLOSE", To=masters_address(at))
        code = next(
            line for line in text_of(at.mails(GAMESMASTER)[-1]).split("\n") if "CONFIRM" in line
        )
        at.send(GAMESMASTER, code.strip(), To=masters_address(at))
        assert at.table().period.number == 2
    assert seen == [True]


def test_a_rewind_whose_bulletin_burns_sets_its_letter_aside(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    at.to_deadline()
    at.write(GAMESMASTER, "GAME g\nPERIOD 2\nREWIND 1 misread", To=masters_address(at))
    with monkeypatch.context() as patched:
        burns(patched, "pbem.periods.publishing.texts", lambda *_: True)
        at.once()
    assert at.outcomes()[-1][0] == "failed" and at.table().period.number == 2
    at.act(letter_acts.retry, 1)
    at.once()
    assert "CONFIRM" in text_of(at.mails(GAMESMASTER)[-1])


@pytest.mark.parametrize(
    "where",
    ["pbem.referee.deciding.sandbox.read", "pbem.referee.acts.word_acts.take"],
    ids=["read", "taken"],
)
def test_a_rewind_in_which_a_players_letter_burns_sets_its_letter_aside(
    at: Installation, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    at.send("A", "SPECIAL AGR")
    at.to_deadline()
    given = "GAME g\nPERIOD 2\nREWIND 1 misread\nORDER A SPECIAL ENV"
    at.write(GAMESMASTER, given, To=masters_address(at))
    calls = itertools.count()
    with monkeypatch.context() as patched:  # the gamesmaster's own letter is read first
        burns(
            patched, where, lambda *_, **__: next(calls) >= ("sandbox" in where), burn_for_seconds
        )
        at.once()
    assert at.outcomes()[-1][0] == "failed" and OVER in at.outcomes()[-1][1]


def test_an_accepted_letter_that_burns_sets_the_gamesmasters_aside(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    at.send("A", "PERIOD 7\nSPECIAL AGR")
    given = "ACCEPT 1 SEAT D ANYWAY"
    at.write(GAMESMASTER, given, To=masters_address(at))
    calls = itertools.count()
    with monkeypatch.context() as patched:
        burns(
            patched,
            "pbem.referee.deciding.sandbox.read",
            lambda *_, **__: next(calls) >= 1,
            burn_for_seconds,
        )
        at.once()
    assert at.outcomes()[-1][0] == "failed" and OVER in at.outcomes()[-1][1]
