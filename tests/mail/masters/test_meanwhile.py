"""Who has a game in hand, where something else happens to the game meanwhile: it is forgotten, it
is over, another change of hands comes between."""

import pytest

from pbem.acts.acts import BY_NAME
from pbem.errors import OperatorError
from pbem.periods import opening
from pbem.post import masters
from pbem.post.masters import Masters
from pbem.referee.acts.doing import Actor, do
from tests.installation import GAMESMASTER, SEATS, Installation, address, desk
from tests.masters import ANNA, BRUNO, CARLA, OTHERS, code_to, command, make, new, reply_to
from tests.shell import Shell
from tests.subjects import issues

pytestmark = pytest.mark.game("coalition", strangers=OTHERS)


def hands(at: Installation, game: str = "h") -> Masters:
    with desk(at) as work:
        return masters.of(work.conn, work.mark, game)


def asked(at: Installation, new: str, who: str, *, second: bool = False) -> None:
    with desk(at) as work:
        values = {"game": "h", "address": new, "second": second, "now": False}
        do(work, BY_NAME["master"], values, Actor(who))
    at.once()


def confirm(at: Installation, who: str, code: str = "") -> str:
    return command(at, who, f"CONFIRM {code or code_to(at, who)}")


def waiting(at: Installation, gamesmaster: str) -> None:
    """A game h that has not begun."""
    players = [(seat, address(seat), f"Player {seat}") for seat in SEATS]
    with desk(at) as work:
        plan = opening.Plan("h", "coalition", players, "Europe/Paris", gamesmaster=gamesmaster)
        opening.new(work, plan)


def test_a_game_that_is_made_anew_is_handed_over_to_nobody_by_an_older_request(
    at: Installation,
) -> None:
    waiting(at, ANNA)
    asked(at, BRUNO, ANNA)
    confirm(at, ANNA)
    at.act(opening.forget, "h")
    waiting(at, CARLA)
    confirm(at, BRUNO)
    assert hands(at).gamesmaster == CARLA


def test_a_code_of_a_game_that_is_forgotten_does_nothing_in_another_of_its_name(
    at: Installation,
) -> None:
    waiting(at, ANNA)
    asked(at, BRUNO, ANNA)  # so that she has a secret address to write to
    text = f"GAME h\nREPLACE A {CARLA} Carla"
    at.send(ANNA, text, To=reply_to(at, ANNA))
    code = code_to(at, ANNA)
    at.act(opening.forget, "h")
    waiting(at, ANNA)
    confirm(at, ANNA, code)
    with desk(at) as work:
        assert not masters.plays(work.conn, "h", CARLA)


def test_a_second_is_agreed_upon_by_the_gamesmaster_of_the_moment(at: Installation) -> None:
    make(at, "h", gamesmaster=ANNA)
    asked(at, CARLA, ANNA, second=True)
    confirm(at, ANNA)
    asked(at, BRUNO, ANNA)
    confirm(at, ANNA)
    confirm(at, BRUNO)
    assert hands(at).gamesmaster == BRUNO
    confirm(at, CARLA)
    assert hands(at).second is None  # Bruno was never asked


def test_a_gamesmaster_who_played_does_not_take_the_game_back_once_it_is_over(
    at: Installation,
) -> None:
    make(at, "h", gamesmaster=ANNA, second=BRUNO, seated={"A": ANNA})
    at.act(do, BY_NAME["close"], {"game": "h", "period": None, "unread": True}, Actor(BRUNO))
    at.once()
    at.act(do, BY_NAME["end"], {"game": "h", "why": None}, Actor(BRUNO))
    values = {"game": "h", "number": 1, "order": [], "accept": [], "drop": [], "why": "x"}
    for done in (False, True):
        with (
            pytest.raises(OperatorError, match=r"you played A in h.* only bruno"),
            desk(at) as work,
        ):
            do(work, BY_NAME["rewind"], values | {"do": done}, Actor(ANNA))
    with desk(at) as work:
        said = do(work, BY_NAME["rewind"], values | {"do": True}, Actor(BRUNO)).said
    assert "adjudicated again" in said


def test_a_game_that_is_over_is_taken_back_by_mail(at: Installation) -> None:
    make(at, "h", gamesmaster=ANNA)
    with desk(at) as work:
        do(work, BY_NAME["close"], {"game": "h", "period": None, "unread": True}, Actor(ANNA))
        do(work, BY_NAME["end"], {"game": "h", "why": None}, Actor(ANNA))
    at.once()
    to = reply_to(at, ANNA)
    for period in (1, 2):
        at.send(ANNA, f"GAME h\nPERIOD {period}\nREWIND 1 misread", To=to)
        assert ("CONFIRM" in at.newest(ANNA)) == (period == 2), at.newest(ANNA)
    said = " ".join(confirm(at, ANNA).split())
    assert "adjudicated again" in said
    assert "Nobody stands by for it: anyone who did was freed when it ended." in said


def test_who_comes_back_to_his_seat_is_briefed_with_its_new_address(at: Installation) -> None:
    make(at, "h", gamesmaster=ANNA)
    for who in (CARLA, address("A")):
        values = {"game": "h", "seat": "A", "address": who, "name": "X", "why": "ill"}
        at.act(do, BY_NAME["replace"], values | {"anyway": False}, Actor(ANNA))
        at.once()
    told = [one for one in issues(at, "A") if one.startswith("[h]")]
    assert told[-3:] == [
        "[h] Coalition: you are A",
        "[h] Bulletin 0",
        "[h] Name your Special Ministries by Monday 9 March",
    ]
    with desk(at) as work:
        token = work.mark.token("h", "A", 3)
    assert token in str(at.mails("A")[-1]["Reply-To"])


def test_who_plays_does_not_learn_who_has_written(shell: Shell) -> None:
    new(shell, "p", GAMESMASTER, "--trust", "open")
    shell.at.write("B", "GAME p\nSTATUS")
    shell("once")
    for number in (1, 2):
        assert "you play A in p" in shell.fails("letter", "--receipt", f"p/B/{number}")
    assert "no receipt 1 for A" in shell.fails("letter", "--receipt", "p/A/1")
    assert "the journal compared" in shell("replay", "p")
