"""INVITE: a player has somebody told of the games, once, in words that are not his."""

import re
from datetime import timedelta

import pytest

from pbem.referee.words.club import MOST_INVITED as A_WEEK
from pbem.store.schema.tables import Invited
from tests.installation import Installation, desk, proven, text_of, told, vouched
from tests.subjects import subjects

FAY, BEN = "fay@fay.example", "ben@ben.example"
FRIENDS = tuple(f"friend{number}@friends.example" for number in range(A_WEEK + 2))
pytestmark = pytest.mark.game("coalition", strangers=(FAY, BEN, *FRIENDS))
SENT = "is invited in your name, unless"


def test_somebody_is_told_who_invites_him_to_what(at: Installation) -> None:
    proven(at, "A", f"INVITE {FAY} TO g\n\nShe owes me money, see http://spam.example")
    at.once()
    assert SENT in told(at, "A")
    (mail,) = at.mails(FAY)
    text = " ".join(text_of(mail).split())
    assert "Player A, who plays here, has asked me to tell you of a game played by mail" in text
    assert "Coalition, which is called g here" in text
    assert "GAMES" in text and "STOP" in text and "SIGNON" in text
    assert "spam" not in mail.as_string() and "legit.example" not in text
    assert mail["Auto-Submitted"] and mail["X-Referee-Loop"]


def test_an_address_is_written_to_once_ever(at: Installation) -> None:
    proven(at, "A", f"INVITE {FAY}")
    at.once()
    at.clock += timedelta(days=400)
    for seat, address in (("A", FAY), ("B", FAY), ("C", "Fay+games@FAY.example")):
        proven(at, seat, f"INVITE {address}")
    at.once()
    assert len(at.mails(FAY)) == 1
    for seat in "ABC":
        assert any(SENT in " ".join(text_of(mail).split()) for mail in at.mails(seat)[-3:])


def test_who_wants_none_gets_none_and_no_answer_either(at: Installation) -> None:
    proven(at, FAY, "stop.\n\n> some mail", Subject="Re: An invitation")
    at.once()
    proven(at, "A", f"INVITE {FAY}")
    at.once()
    assert at.mails(FAY) == [] and SENT in told(at, "A")


def test_a_stop_without_proof_needs_its_code(at: Installation) -> None:
    at.send(FAY, "STOP", Authentication_Results=vouched(FAY, "fail"))
    code = re.search(r"CONFIRM (\S+)", at.newest(FAY))
    assert code and "Nothing has happened yet" in at.newest(FAY)
    with desk(at) as work:
        assert Invited.try_add(work.conn, address=FAY, by_player=1, at=work.now), (
            "nothing is refused yet"
        )
    at.write("B", f"CONFIRM {code[1]}")
    at.send(FAY, f"CONFIRM {code[1]}")
    assert "no more invitations" in at.newest(FAY)
    proven(at, "A", f"INVITE {FAY}")
    at.once()
    assert len(at.mails(FAY)) == 2


def test_a_forged_letter_invites_nobody(at: Installation) -> None:
    at.write("A", f"INVITE {FAY}")
    at.send(BEN, f"INVITE {FAY}")
    assert at.mails(FAY) == []
    assert "needs a letter that proves itself" in told(at, "A")
    assert "INVITE is for players" in told(at, BEN)


def test_nothing_tells_who_is_registered(at: Installation) -> None:
    before = subjects(at, "B")
    for address in ("b@legit.example", FAY, "referee+x@game.example"):
        proven(at, "A", f"INVITE {address}")
        at.once()
        assert told(at, "A").replace(address, "X").partition("You can invite")[0] == (
            "-------- reply above this line -------- X is invited in your name, unless that address"
            " has been invited before, is known here already, or wants no such mail: an address is"
            " written to once, ever. "
        )
    assert subjects(at, "B") == before


def test_five_a_week(at: Installation) -> None:
    for address in FRIENDS:
        proven(at, "A", f"INVITE {address}")
        at.once()
    assert [len(at.mails(one)) for one in FRIENDS] == [1] * A_WEEK + [0, 0]
    assert "no more are" in told(at, "A")
    at.clock += timedelta(days=7)
    proven(at, "A", f"INVITE {FRIENDS[-1]}")
    at.once()
    assert len(at.mails(FRIENDS[-1])) == 1


@pytest.mark.game("coalition", strangers=(FAY, *FRIENDS), limits={"unregistered_mails_an_hour": 2})
def test_invitations_are_under_the_cap(at: Installation) -> None:
    for address in FRIENDS[:3]:
        proven(at, "A", f"INVITE {address}")
        at.once()
    assert [len(at.mails(one)) for one in FRIENDS[:3]] == [1, 1, 0]
    proven(at, "A", "INVITE b@legit.example")
    at.once()
    assert "many new addresses within this hour" in told(at, "A")  # the same of those it knows
    at.clock += timedelta(hours=1)
    proven(at, "A", f"INVITE {FRIENDS[2]}")
    at.once()
    assert len(at.mails(FRIENDS[2])) == 1


@pytest.mark.parametrize("line", ["INVITE fay@", "INVITE fay@fay.example TO autumn", "INVITE Bob"])
def test_what_invites_nobody(at: Installation, line: str) -> None:
    proven(at, "A", line)
    at.once()
    assert at.mails(FAY) == []
