"""Open tables and letters that are not whose they seem: forged ones, codes that come twice, one person
from two addresses, names that could be another's, two daemons."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.periods.persons import change_address
from pbem.store.engine.database import exclusive_transaction
from pbem.store.people import players
from pbem.store.schema.states import ApplicantState, TableState
from tests.faults.test_two_daemons import daemon_apart
from tests.installation import text_of
from tests.mail.test_open_tables import (
    ANN,
    BEN,
    BEN_TWIN,
    CLEO,
    DAN,
    EVE,
    FAY,
    FIVE,
    FORGER,
    club,
    letter,
    subjects,
    sure,
)


@pytest.mark.parametrize("trust", ["open", "proven"])
def test_a_forger_seats_nobody_and_takes_nobodys_seat(tmp_path: Path, trust: str) -> None:
    with club(tmp_path, trust=trust) as at:
        at.open(places=5)
        at.say(ANN, "SIGNON autumn AS Ann")  # as if she had written it
        stolen = at.code(ANN)
        at.confirm(ANN, stolen, sender=FORGER)
        assert at.people() == {ANN: ApplicantState.ASKED}, "a code works from its own address only"
        at.confirm(FORGER, "a" * 16)
        at.confirm(ANN, stolen)
        at.join(*FIVE[1:])
        calls = {who: at.code(who) for who in FIVE}
        for who in FIVE:
            at.confirm(who, calls[who], sender=FORGER)
        assert [at.people()[who] for who in FIVE[:4]] == [ApplicantState.CALLED] * 4
        sure(at, *FIVE[:3])
        at.say(ANN, "SIGNOFF autumn")
        at.confirm(ANN, at.code(ANN), sender=FORGER)
        at.confirm(BEN, at.code(ANN))
        assert at.people()[ANN] == ApplicantState.SURE
        at.confirm(DAN)
        assert sorted(at.seated().values()) == sorted(FIVE)


def test_a_code_works_once_and_for_its_own_question(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.open(places=5)
        at.join(*FIVE)
        joined = [
            code
            for one in at.mails(ANN)
            for code in re.findall(r"(?m)^ +CONFIRM (\S+)", text_of(one))
        ]
        assert len(set(joined)) == 2
        at.confirm(ANN, joined[0])
        assert at.people()[ANN] == ApplicantState.CALLED, "the first code says nothing any more"
        at.confirm(ANN, joined[1])
        assert at.people()[ANN] == ApplicantState.SURE


def test_a_registered_players_proven_letter_needs_no_code(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        with exclusive_transaction(at.daemon.engine) as conn:
            for who in (ANN, BEN):
                players.player(conn, who, who[:3].capitalize(), at.clock)
        at.open(places=5)
        passed = "mx.game.example; dmarc=pass header.from={}"
        told = at.say(
            ANN, "SIGNON autumn AS Someone", Authentication_Results=passed.format("ann.example")
        )
        assert "Ann, you have a seat" in told, "by the name by which all know her"
        assert "To take your seat" in at.say(BEN, "SIGNON autumn")
        cleo = at.say(
            CLEO, "SIGNON autumn AS Cleo", Authentication_Results=passed.format("cleo.example")
        )
        assert "To take your seat" in cleo, "nobody is registered there"
        assert at.people()[ANN] == ApplicantState.SIGNED


def test_one_person_has_one_seat(tmp_path: Path) -> None:
    """From whichever of his addresses he writes; those alike but for a plus sign are told to the
    gamesmaster."""
    with club(tmp_path) as at:
        at.open(places=5)
        at.join(ANN)
        at.act(change_address, ANN, FAY)
        assert "You have signed on already" in at.say(FAY, "SIGNON autumn AS Fay")
        at.send(ANN, "SIGNON autumn AS Ann")
        assert "You have signed on already" in " ".join(at.newest(FAY).split())
        assert list(at.people()) == [ANN]
        at.join(BEN_TWIN, BEN)
        told = letter(at, "TABLE autumn")
        assert "differ only behind the plus sign" in told
        assert "Ben two and Ben came from ben.example within an hour" in told


def test_names_that_could_be_anothers_are_refused(tmp_path: Path) -> None:
    with club(tmp_path, key="parlement-1966") as at:
        at.open(places=5)
        at.join(ANN)
        for name in ("ANN", "the Liberals", "L", "Gamesmaster", "www.win.example"):
            assert "You cannot be called that" in at.say(BEN, f"SIGNON autumn AS {name}"), name
            at.clock += timedelta(hours=1)
        assert BEN not in at.people()
        assert "Hello Ben!" in at.say(BEN, "SIGNON autumn"), "by the name of his address"


def test_two_daemons_call_nobody_twice_and_begin_once(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.open(places=5)
        at.join(*FIVE[:4])
        at.clock += timedelta(days=4)
        at.say(EVE, "SIGNON autumn AS Eve")

        def both() -> None:
            daemons = [daemon_apart(at, 2) for _ in range(2)]
            for one in daemons:
                one.join()
            assert [one.exitcode for one in daemons] == [0, 0]
            at.clock += timedelta(minutes=1)

        at.write(EVE, f"CONFIRM {at.code(EVE)}")
        both()
        assert at.state() == TableState.CALLED
        codes = {who: at.code(who) for who in FIVE[:4]}
        for who, code in codes.items():
            at.write(who, f"CONFIRM {code}")
        both()
        assert at.state() == TableState.BEGUN
        for who in FIVE:
            told = [subject for subject in subjects(at, who) if "are you?" in subject]
            assert len(told) == (who != EVE) and len(set(subjects(at, who))) == len(
                subjects(at, who)
            )
            assert sum("you are" in subject for subject in subjects(at, who)) == 1
