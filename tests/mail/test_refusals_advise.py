"""Every refusal of an act names a way that works: what each advises is tried."""

import re
import shlex
from collections.abc import Iterator, Sequence

import pytest
from click.testing import CliRunner
from sqlalchemy import update

from pbem.cli import main
from pbem.post import clock
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Period
from tests.mail.test_acts_by_state import NEW, STATES, TABLE, State
from tests.shell import Shell

PLACES = {"ADDRESS": NEW, "SEAT": "A", "GAME": "g", "N": "1", "NAME": "Nora"}
"""What a refusal leaves to the gamesmaster to fill in."""
_COMMAND = re.compile(r"`pbem ([^`]+)`")
_FLAG = re.compile(r"add (--[a-z-]+)")
REASON = ("--why", "so it is")


class Trial:
    """The shell upon a game; whatever it does is taken back."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell

    def run(self, words: Sequence[str]) -> tuple[int, str]:
        done = CliRunner().invoke(main, [*words, "--config", str(self.shell.file)])
        return done.exit_code, done.stderr

    def kept(self) -> bytes:
        return self.shell.at._settled()

    def put(self, data: bytes) -> None:
        self.shell.at._settled()
        assert self.shell.at.file
        self.shell.at.file.write_bytes(data)

    def leads(self, words: Sequence[str], steps: int = 3) -> str:
        """Do what is advised, and what that is refused with advises in turn. Return what is wrong
        with it; "" if it works."""
        if len(words) == 1 and words[0] in ("new", "address", "replace", "serve", "queue"):
            return ""  # a command is named, not what is to be done by it
        code, said = self.run(words)
        if code == 2 and "--why" in said:
            words = (*words, *REASON)
            code, said = self.run(words)
        if code == 0:
            return ""
        if not steps:
            return f"{words}: goes in a circle: {said}"
        ways = list(advised(said, words))
        if not ways:
            return f"{words}: exit code {code}: {said}"
        return self.leads(ways[0], steps - 1) or (
            "" if "--" in ways[0] else self.leads(words, steps - 1)
        )


def advised(said: str, words: Sequence[str] = ()) -> Iterator[tuple[str, ...]]:
    """The commands that a refusal of ``words`` names."""
    for found in _COMMAND.findall(said):
        given = shlex.split(found)
        assert given[0] in main.commands, f"there is no `pbem {found}`"
        yield tuple(PLACES.get(one, one) for one in given)
    for flag in _FLAG.findall(said):
        yield (*words, flag)


@pytest.mark.parametrize("state", STATES)
def test_what_a_refusal_in_any_state_advises_works(made: Shell, state: str) -> None:
    at = State(made, state)
    trial = Trial(made)
    before, wrong, tried = trial.kept(), [], 0
    for name in TABLE:
        for words in advised(at.tried(name)):
            tried += 1
            if fault := trial.leads(words):
                wrong.append(f"{name} of a game that {state}: {fault}")
            trial.put(before)
    assert not wrong, "\n".join(wrong)
    assert tried, "nothing was refused"


@pytest.mark.parametrize(
    "words",
    [
        "extend g --why x -- -30",
        "extend g --why x 400",
        "extend g --why x 0",
        "pause g NONE 2090-01-01 --why x",
        "hold g --why again",
        "replace g A b@legit.example --why x",
        "standby g b@legit.example",
        "order g Z",
        "accept 999",
        "dismiss 999",
        "retry 999",
        "resend 999",
        "rewind g 9 --why x",
        "release g",
        "master g nobody",
        "rotate g Z",
    ],
)
@pytest.mark.parametrize("held", [False, True])
def test_what_a_refusal_of_odd_values_advises_works(begun: Shell, words: str, held: bool) -> None:
    if held:
        begun("hold", "g", *REASON)
    trial, given = Trial(begun), shlex.split(words)
    code, said = trial.run(given)
    before = trial.kept()
    for way in advised(said, given) if code else ():
        assert not trial.leads(way), (words, said)
        trial.put(before)


def test_while_the_clock_is_in_doubt_every_act_says_how_that_ends(begun: Shell) -> None:
    with exclusive_transaction(begun.at.daemon.engine) as conn:
        clock.doubt(conn, "the machine's clock jumped forward by 400 days")
    trial = Trial(begun)
    for words in ("hold g --why x", "close g", "resume --all", "extend g 1 --why x", "rule g x"):
        code, said = trial.run(shlex.split(words))
        assert code == 1 and "in doubt" in said
        first = next(iter(advised(said)))
        before = trial.kept()
        assert not trial.leads(first) and not trial.leads(shlex.split(words))
        trial.put(before)


def test_resume_all_goes_on_and_says_what_it_could_not_do(begun: Shell) -> None:

    for game in ("broken", "z"):
        begun.at.start(game)
    for game in ("g", "broken", "z"):
        begun("hold", game, "--why", "illness")
    with exclusive_transaction(begun.at.daemon.engine) as conn:
        lost = update(Period).where(Period.game_id == "broken")
        conn.execute(lost.values(state={"schema": 1}, state_hash="nobody knows it"))
    done = begun.run("resume", "--all", code=1)
    assert "game g goes on" in done.stdout and "game z goes on" in done.stdout
    assert "game broken stays held" in done.stdout
    assert "1 of 3 games stayed held" in done.stderr
    assert begun.at.table().row.status == "running"
