"""What holds against a forger, and on a bad day, at the door of the club: letters in others' names,
programs' letters, codes that come back too late, two referees at once."""

import re
from pathlib import Path

import pytest

from pbem.referee.acts import table_acts
from pbem.store.joining import open_tables
from pbem.store.people import deputies
from pbem.store.schema.states import ApplicantState, TableState
from tests.faults.test_two_daemons import daemon_apart
from tests.installation import GAMESMASTER, desk, text_of
from tests.mail.test_forger_at_the_door import all_sure, begun, join, proven
from tests.mail.test_open_tables import ANN, BEN, CLEO, DAN, EVE, FAY, FIVE, FORGER, GUS, Club, club
from tests.subjects import subjects

# --- what holds -----------------------------------------------------------------------------------

FORGED = (
    "SIGNOFF autumn",
    "SIGNON autumn AS Mallory",
    "UNWATCH autumn",
    "WATCH autumn",
    f"INVITE {FORGER} TO autumn",
    "QUIT",
    "RESIGN",
    f"DEPUTY {FORGER}",
    "DEPUTY END",
    "ABSENT 20 March TO 25 March",
    f"SIGNON autumn AS Mallory\nDEPUTY {FORGER}\nCONFIRM {'a' * 16}",
    "STATUS",
    "ORDERS",
    "WHY 1",
    "HISTORY",
    "NOTICE",
    f"PRESS TO ALL\nwrite to {FORGER}\nEND PRESS",
    "SECOND forger@else.example",
    "TABLE autumn",
    "ADMIT autumn 1",
    "CLOSE-TABLE autumn",
    "REPLACE autumn A forger@else.example Mallory",
)
"""Written in another's name, with the forger's address wherever an answer could go."""


@pytest.mark.parametrize("trust", ["open", "proven"])
def test_letters_in_anothers_name_give_the_forger_nothing(tmp_path: Path, trust: str) -> None:
    with club(tmp_path, trust=trust) as at:
        begun(at, plan={"trust": trust, "house": {"names": "hidden"}})
        at.say(GUS, "WATCH autumn")
        at.confirm(GUS)
        at.say(FORGER, "WATCH autumn")
        at.confirm(FORGER)
        seated, mine = at.seated(), len(at.mails(FORGER))
        for who in (ANN, FAY, GUS, GAMESMASTER):
            for line in FORGED:
                at.write(who, line, Reply_To=FORGER, Return_Path=FORGER, Sender=FORGER)
            at.once()
            for code in codes_of(at, who):
                for sender in (FORGER, BEN):
                    at.write(sender, f"CONFIRM {code}")
            at.once()
        assert at.seated() == seated
        with desk(at) as work:
            assert all(one.holder_code for one in deputies.live(work.conn)), "nobody was asked"
            assert open_tables.of_person(work.conn, FORGER, None) == []
        told = at.mails(FORGER)[mine:]
        for one in told:
            text = one.as_string()
            assert not any(who in text for who in (*FIVE, FAY, GUS)), text
            assert "+" not in str(one["Reply-To"]), "no secret address"
        assert not [one for one in told if "Receipt" in str(one["Subject"])]


def codes_of(at: Club, who: str) -> list[str]:
    found = (re.findall(r"(?m)^ +CONFIRM (\S+)", text_of(mail)) for mail in at.mails(who))
    return [code for some in found for code in some][-6:]


def test_no_mail_has_anothers_address(tmp_path: Path) -> None:
    """Whatever happens at a table and in its game; but for the gamesmaster's."""
    with club(tmp_path) as at:
        at.open(places=5, plan={"house": {"names": "hidden"}})
        at.say(GUS, "WATCH autumn")
        at.confirm(GUS)
        join(at, *FIVE)
        all_sure(at)
        seat = {who: seat for seat, who in at.seated().items()}
        at.write(ANN, f"PRESS TO {seat[BEN]}\nhello\nEND PRESS")
        at.write(BEN, "PRESS TO ALL\nhello all\nEND PRESS")
        proven(at, CLEO, f"INVITE {FORGER} TO autumn")
        at.say(ANN, f"DEPUTY {FAY}")
        at.confirm(ANN)
        at.confirm(FAY)
        at.say(FAY, "STATUS")
        at.say(EVE, "QUIT")
        at.confirm(EVE)
        at.confirm(GUS)
        for who in (*FIVE, FAY, GUS, FORGER):
            at.write(who, "STATUS")
            at.write(who, "GAMES")
        at.to_deadline()
        at.to_deadline()
        pairs = {(ANN, FAY), (CLEO, FORGER)}
        for who in (*FIVE, FAY, GUS, FORGER):
            for one in at.mails(who):
                text = one.as_string()
                for other in {*FIVE, FAY, GUS, FORGER} - {who}:
                    if (who, other) not in pairs:
                        assert other not in text, (who, other, text)
        read = "\n".join(text_of(one) for one in at.mails(GUS))
        assert not re.search(r"\b(Ann|Ben|Cleo|Dan|Eve)\b", read), read


# --- a bad day ------------------------------------------------------------------------------------


WRITTEN = (
    "CONFIRM {0}",
    "confirm {1}",
    "  Confirm   {1}  .",
    "> CONFIRM {0}\nCONFIRM {0}",
    "CONFIRM {0}\nCONFIRM {0}",
    "CONFIRM: {0}",
    "CONFIRM <{0}>",
)


def test_a_code_however_it_is_written(tmp_path: Path) -> None:
    """It counts once, from its own address alone."""
    with club(tmp_path) as at:
        at.open(places=5)
        people = (*FIVE, FAY, GUS)
        for who in people:
            at.write(who, f"SIGNON autumn AS {who.partition('@')[0].capitalize()}")
        at.once()
        lines = {
            who: line.format(at.code(who), at.code(who).upper())
            for who, line in zip(people, WRITTEN, strict=True)
        }
        for senders in ([FORGER] * 7, (*people[2:], ANN, BEN), (*people[1:], ANN)):
            for sender, line in zip(senders, lines.values(), strict=True):
                at.write(sender, line)
            at.once()
        assert set(at.people().values()) == {ApplicantState.ASKED}
        for _ in range(2):
            for who, line in lines.items():
                at.write(who, line)
        at.once()
        assert ApplicantState.ASKED not in at.people().values() and len(at.people()) == 7


def test_codes_that_come_back_when_all_is_over(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.open(places=5)
        for who in (ANN, BEN):
            at.say(who, f"SIGNON autumn AS {who[:3]}")
        old = {who: at.code(who) for who in (ANN, BEN)}
        at.join(CLEO)
        at.say(CLEO, "SIGNOFF autumn")
        leaves = at.code(CLEO)
        at.act(table_acts.close_table, "autumn", "no time")
        at.once()
        at.confirm(ANN, old[ANN])
        at.confirm(CLEO, leaves)
        assert at.people() == {}
        at.open(places=5)
        at.confirm(BEN, old[BEN])
        at.join(DAN)
        at.confirm(CLEO, leaves)
        assert at.people() == {DAN: ApplicantState.SIGNED}
        assert {outcome for outcome, _ in at.outcomes()} <= {"command", "unknown-sender"}


def test_a_letter_of_everything_at_once(tmp_path: Path) -> None:
    """What is not done is said, and what is done is done once."""
    with club(tmp_path) as at:
        at.open(places=5)
        at.say(BEN, "WATCH autumn")
        watches = at.code(BEN)
        at.say(BEN, f"SIGNON autumn AS Ben\nCONFIRM {watches}\nSPECIAL AGR\nSIGNON autumn AS Other")
        assert at.people() == {BEN: ApplicantState.ASKED}
        at.say(CLEO, "SIGNON autumn AS " + "x" * 10_000)
        at.say(DAN, "SIGNON autumn AS Dan\nPREFER " + "L," * 5_000)
        at.say(EVE, "SIGNON autumn AS Dan\r\nBcc: forger@else.example")
        assert at.people()[CLEO] == ApplicantState.ASKED, "by a name of her own"
        assert {outcome for outcome, _ in at.outcomes()} <= {"command", "unknown-sender"}
        assert at.mails(FORGER) == []


# --- two referees at once -------------------------------------------------------------------------


def both(at: Club) -> None:
    """Two daemons, each a process, look at everything at the same time."""
    daemons = [daemon_apart(at, 2) for _ in range(2)]
    for one in daemons:
        one.join()
    assert [one.exitcode for one in daemons] == [0, 0]


def test_two_daemons_look_at_tables_offers_and_deputies(tmp_path: Path) -> None:
    """Each is called, seated, asked and told once."""
    with club(tmp_path) as at:
        at.open(places=5)
        join(at, *FIVE[:4])
        for who in (EVE, FAY):
            at.say(who, f"SIGNON autumn AS {who[:3].capitalize()}")
            at.write(who, f"CONFIRM {at.code(who)}")
        both(at)
        assert [*at.people().values()].count(ApplicantState.CALLED) == 4
        assert all(len([one for one in subjects(at, who) if "are you?" in one]) < 2 for who in FIVE)
        for who in FIVE[:4]:
            at.write(who, f"CONFIRM {at.code(who)}")
        both(at)
        assert at.state() == TableState.BEGUN
        seated = at.seated()
        assert len(set(seated.values())) == 5
        player, leaver, *_ = seated.values()
        (waiting,) = {*FIVE, FAY} - {*seated.values()}
        at.say(player, f"DEPUTY {GUS}")
        at.confirm(player)
        at.say(leaver, "QUIT")
        at.write(leaver, f"CONFIRM {at.code(leaver)}")
        at.write(GUS, f"CONFIRM {at.code(GUS)}")
        both(at)
        assert len([one for one in subjects(at, GUS) if "You are a deputy now" in one]) == 1
        assert len([one for one in subjects(at, waiting) if "Will you play" in one]) == 1
        at.write(waiting, f"CONFIRM {at.code(waiting)}")
        both(at)
        after = at.seated()
        assert [seat for seat in seated if seated[seat] != after[seat]] == [
            seat for seat, who in seated.items() if who == leaver
        ]
        assert waiting in after.values()
        keys = [key for key, _ in at.outbox()]
        assert len(set(keys)) == len(keys)
        assert {outcome for outcome, _ in at.outcomes()} <= {"command", "orders"}
