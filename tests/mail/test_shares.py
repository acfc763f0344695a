"""Letters that prove nothing keep no newcomer out: two shares of an hour's mails, and proven answers
that come later where there is no room."""

import re
from datetime import timedelta

import pytest

from pbem.referee.deciding import senders
from pbem.referee.gamesmaster import queue
from tests.installation import GAMESMASTER, Installation, desk, proven, text_of

FAILS = "mx.game.example; dmarc=fail header.from=else.example"
PASSES = "mx.game.example; dmarc=pass header.from=else.example"
MANY = tuple(f"s{n}@else.example" for n in range(30))


pytestmark = pytest.mark.game("coalition", strangers=MANY, limits={"unregistered_mails_an_hour": 4})


def forged(at: Installation, sender: str, text: str = "GAMES") -> None:
    at.write(sender, text, Authentication_Results=FAILS)


def newcomer(at: Installation, sender: str, text: str = "GAMES") -> None:
    at.write(sender, text, Authentication_Results=PASSES)


def answered(at: Installation, some: tuple[str, ...] = MANY) -> list[str]:
    return [one for one in some if at.mails(one)]


def test_forged_letters_take_no_mail_from_proven_newcomers(at: Installation) -> None:
    for sender in MANY[:20]:
        forged(at, sender)
    at.once()
    assert answered(at) == list(MANY[:4]), "the mails of an hour for what proves nothing"
    for sender in MANY[20:23]:
        newcomer(at, sender)
    at.once()
    assert answered(at, MANY[20:]) == list(MANY[20:23])


def test_a_letter_that_fails_dmarc_is_told_so_in_sixty_words_once_a_week(at: Installation) -> None:
    for text in ("GAMES", "SIGNON g", "hello?", "RULES coalition"):
        forged(at, MANY[0], text)
        at.once()
    (mail,) = at.mails(MANY[0])
    said = text_of(mail)
    assert "(DMARC)" in said and GAMESMASTER in said
    assert len(said.split()) <= 60
    at.clock += timedelta(days=1, minutes=1)
    newcomer(at, MANY[0])
    forged(at, MANY[0])
    at.once()
    assert len(at.mails(MANY[0])) == 2, "he himself is answered"
    at.clock += timedelta(days=7)
    forged(at, MANY[0])
    at.once()
    assert len(at.mails(MANY[0])) == 3
    assert len(senders.NOT_TAKEN.format(gamesmaster="a@b.example").split()) <= 60


def test_strangers_without_proof_keep_no_proven_newcomer_out(at: Installation) -> None:
    for sender in MANY[:10]:
        at.write(sender, "hello")
    newcomer(at, MANY[20])
    at.once()
    assert answered(at) == [*MANY[:4], MANY[20]]
    at.later(minutes=61)
    at.once()
    assert answered(at) == [*MANY[:4], MANY[20]], "who proves nothing is not answered later"


def test_what_had_to_wait_is_answered_when_there_is_room_oldest_first(at: Installation) -> None:
    for sender in MANY[:10]:
        newcomer(at, sender, "hello, may I play?")
    at.once()
    assert answered(at) == list(MANY[:4])
    seen = [4]
    for _ in range(3):
        at.clock += timedelta(minutes=61)
        newcomer(at, MANY[20 + len(seen)], "hello")  # who comes now waits behind them
        at.once()
        at.once()
        seen.append(len(answered(at)))
        assert seen[1] != seen[-1] or answered(at) == list(MANY[:8])
    assert seen == [4, 8, 12, 13] and answered(at) == [*MANY[:10], *MANY[21:24]]
    assert all(len(at.mails(one)) == 1 for one in answered(at)), "each once"
    assert {state for state, _ in at.outcomes()} == {"command", "unknown-sender"}


def test_one_sender_waits_for_few_answers(at: Installation) -> None:
    for n in range(20):
        newcomer(at, MANY[0], f"hello {n}")
    at.once()
    assert len(at.mails(MANY[0])) == 3
    for _ in range(8):
        at.later(minutes=61)
        at.once()
    assert len(at.mails(MANY[0])) == 4, "three now, the others in one"
    assert "Here are the 17 answers that waited" in " ".join(at.newest(MANY[0]).split())


def test_of_more_than_can_wait_the_gamesmaster_sees_the_letters(at: Installation) -> None:
    for n in range(4):
        for sender in MANY[:15]:
            newcomer(at, sender, f"hello {n}")
    at.once()
    states = [state for state, _ in at.outcomes()]
    assert len(answered(at)) == 4 and "unanswered" in states
    with desk(at) as work:
        waiting = queue.queue(work)["letters"]
    assert len(waiting) == states.count("unanswered") < 20


@pytest.mark.parametrize("address", ["b@legit.example", MANY[0]])
@pytest.mark.parametrize("full", [False, True])
def test_deputy_does_not_tell_who_is_registered(at: Installation, address: str, full: bool) -> None:
    """The player of A reads the same of a player's address and of a stranger's."""
    room = at.act(senders.room, senders.NEWCOMER)
    for sender in MANY[10 : 10 + room] if full else ():
        newcomer(at, sender)
    proven(at, "A", f"DEPUTY {address}")
    at.once()
    asked = "\n".join(map(text_of, at.mails("A")[-2:]))
    code = re.search(r"CONFIRM (\w+)", asked)
    assert code
    proven(at, "A", f"CONFIRM {code[1]}")
    at.once()
    told = at.newest("A")
    assert ("cannot be asked now" in told) is full
