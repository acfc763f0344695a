"""Rulings and stand-bys are withdrawn, by shell, mail and desk: journalled, and told to whom it was
told; a replay finds every bulletin again."""

import re

import pytest

from pbem.store.engine.database import exclusive_transaction
from pbem.store.joining import claimants
from pbem.store.journal import notes
from tests.installation import Installation, desk, text_of
from tests.mail.test_words_by_mail import HEAD, NEW, command, done
from tests.shell import Shell
from tests.subjects import issue

pytestmark = pytest.mark.game("coalition", trust="proven", strangers=(NEW,))
RULING = "Paragraph 4 is read as it stands."


def number_of(said: str) -> str:
    found = re.search(r"(?:RULE NONE|rule g --none) ([0-9]+)", said.replace("\u00a0", " "))
    assert found, said
    return found[1]


def bulletin(at: Installation, number: int) -> str:
    found = [text_of(mail) for mail in at.mails("C") if issue(mail) == f"[g] Bulletin {number}"]
    return " ".join(found[0].split())


def test_a_ruling_that_nobody_has_read_goes_without_a_word(at: Installation) -> None:
    number = number_of(done(at, f"{HEAD}RULE {RULING}"))
    assert "no bulletin had printed it" in done(at, f"{HEAD}RULE NONE {number} misread")
    assert at.journal()[-1] == "ruling-withdrawn"
    assert "there is no ruling" in command(at, f"{HEAD}RULE NONE {number}")
    at.to_deadline()
    assert RULING not in bulletin(at, 1) and "Withdrawn" not in bulletin(at, 1)


def test_of_a_printed_one_the_next_bulletin_says_that_it_is_withdrawn(at: Installation) -> None:
    number = number_of(done(at, f"{HEAD}RULE {RULING}"))
    at.to_deadline()
    assert RULING in bulletin(at, 1)
    later = "GAME g\nPERIOD 2\n"
    assert "the next bulletin says so" in done(at, f"{later}RULE NONE {number} misread")
    assert "is withdrawn already" in command(at, f"{later}RULE NONE {number}")
    at.to_deadline()
    said = f"Withdrawn is the ruling that bulletin 1 printed: {RULING} (misread)"
    assert said in bulletin(at, 2)


def test_in_the_shell_and_a_replay_finds_every_bulletin_again(begun: Shell) -> None:
    first = number_of(begun("rule", "g", "Read on."))
    begun("rule", "g", "--none", first)
    second = number_of(begun("rule", "g", RULING))
    begun("close", "g")
    begun("once")
    assert "the next bulletin says so" in begun("rule", "g", "--none", f"{second} misread")
    begun("close", "g")
    begun("once")
    assert "Withdrawn is the ruling" in bulletin(begun.at, 2)
    begun("replay", "g")


def test_what_an_amendment_changed_is_not_taken_back_so(at: Installation) -> None:
    with desk(at) as work:
        said = "Amendment 1 is carried out: salary is 900."
        kind = notes.NoteKind.RULING
        number = notes.rule(work.conn, "g", kind, said, work.now)
    assert "an amendment was carried out" in command(at, f"{HEAD}RULE NONE {number}")


def test_a_stand_by_player_is_taken_off_and_told(at: Installation) -> None:
    done(at, f"{HEAD}STANDBY {NEW} Greta")
    done(at, f"{HEAD}STANDBY {NEW} NONE She has moved")
    at.once()
    assert at.journal()[-1] == "standby-withdrawn"
    said = " ".join(at.newest(NEW).split())
    assert "taken you off the list" in said and "She has moved" in said
    assert "does not stand by for g" in command(at, f"{HEAD}STANDBY {NEW} NONE")
    with exclusive_transaction(at.daemon.engine) as conn:
        assert claimants.can_be_called(conn, "g") == 0
