"""Each game has its gamesmaster: two games with two of them, one who plays, a second one, and a
game that changes hands."""

from datetime import timedelta
from typing import Any

import pytest

from pbem.acts.acts import BY_NAME
from pbem.errors import OperatorError
from pbem.orders.mailwords import peel
from pbem.periods import opening
from pbem.post import masters
from pbem.post.masters import Masters
from pbem.referee.acts.doing import Actor, do
from pbem.store.games import games
from tests.installation import (
    GAMESMASTER,
    REFEREE,
    SEATS,
    Installation,
    address,
    desk,
    flat,
    text_of,
)
from tests.masters import (
    ANNA,
    BRUNO,
    CARLA,
    HEAD,
    OTHERS,
    code_in,
    code_to,
    command,
    done,
    make,
    period,
    reply_to,
    started,
)
from tests.subjects import subjects

pytestmark = pytest.mark.game("coalition", strangers=OTHERS)


def test_queue_and_digest_show_his_games(two: Installation) -> None:
    two.send("A", "GAME h\nSPECIAL AGR")
    answer = command(two, ANNA, "QUEUE")
    assert "h: coalition" in answer and "g: coalition" not in answer
    assert "outbox" not in answer and "undecided" not in answer
    assert "not the gamesmaster of g" in flat(command(two, ANNA, "QUEUE g"))
    answer = command(two, GAMESMASTER, "QUEUE")
    assert "g: coalition" in answer and "h: coalition" not in answer
    two.clock += timedelta(days=7)  # to Monday
    two.once()
    for who, his, other in ((ANNA, "h", "g"), (GAMESMASTER, "g", "h")):
        (digest,) = [text_of(one) for one in two.mails(who) if "Digest" in str(one["Subject"])][-1:]
        assert f"{his}: coalition" in digest and f"{other}: coalition" not in digest


def test_mails_and_alarms_of_a_game_are_its_gamesmasters(two: Installation) -> None:
    assert subjects(two, ANNA) == []
    assert not [one for one in subjects(two) if "[h]" in one]
    two.send("B", "GAME h\nABSENT 2026-04-01 TO 2026-04-05")
    assert subjects(two, ANNA)[-1] == "[pbem] h: B announces an absence"
    assert not [one for one in subjects(two) if "absence" in one]
    assert f"The gamesmaster of the game is {ANNA}." in flat(text_of(started(two, "A", "h")))
    assert f"The gamesmaster of the game is {GAMESMASTER}." in flat(text_of(started(two, "A", "g")))


def test_their_secret_addresses_differ_and_are_worth_nothing_to_others(two: Installation) -> None:
    anna, owner = reply_to(two, ANNA), reply_to(two, GAMESMASTER)
    assert anna != owner
    # From is right, but the secret address is not there, or is another's
    two.send(ANNA, HEAD.format(game="h") + "HOLD illness")
    assert two.outcomes()[-1][0] == "unverified" and "without proof" in two.newest(ANNA)
    two.send(ANNA, HEAD.format(game="h") + "HOLD illness", To=owner)
    assert two.outcomes()[-1][0] == "unverified"
    assert "was seen with another sender" in two.newest(GAMESMASTER)
    assert reply_to(two, GAMESMASTER) != owner and reply_to(two, ANNA) == anna
    two.send(GAMESMASTER, HEAD.format(game="g") + "HOLD illness", To=owner)
    assert {period(two).row.status, period(two, "g").row.status} == {"running"}


def test_a_code_is_void_once_the_game_is_in_other_hands(two: Installation) -> None:
    code = code_in(command(two, ANNA, "CLOSE"))
    with desk(two) as work:
        games.set_game(work.conn, "h", gamesmaster=BRUNO)
    command_after = two.write(ANNA, f"CONFIRM {code}")
    assert command_after
    two.once()
    assert period(two).period.number == 1


def test_a_game_of_before_is_the_installations_gamesmasters(two: Installation) -> None:
    with desk(two) as work:
        games.set_game(work.conn, "h", gamesmaster="")
        assert masters.of(work.conn, work.mark, "h").acting == GAMESMASTER
    assert "new deadline" in done(two, GAMESMASTER, "EXTEND 2 x")
    assert "h: coalition" in command(two, GAMESMASTER, "QUEUE")


def test_a_gamesmaster_plays_in_anothers_game(at: Installation) -> None:
    """Anna has h and plays A in k: from one address she does the acts of h and the orders of k."""
    make(at, "h", gamesmaster=ANNA)
    make(at, "k", gamesmaster=BRUNO, seated={"A": ANNA})
    secret = reply_to(at, ANNA)
    seat = next(str(one["Reply-To"]) for one in at.mails(ANNA) if "[k]" in str(one["Subject"]))
    at.game = "k"
    for line, to in (("SPECIAL AGR", REFEREE), ("SPECIAL ENV", seat), ("SPECIAL INF", secret)):
        at.send(ANNA, f"GAME k\n{line}", To=to)
        assert at.standing("A") == [line], line
    assert "new deadline" in done(at, ANNA, "EXTEND 2 x", secret)
    assert at.standing("A") == ["SPECIAL INF"]
    answer = flat(command(at, ANNA, "EXTEND 2 x", secret, game="k"))
    assert "you play A in k" in answer and BRUNO in answer
    assert "ENDGAME why" in command(at, ANNA, "HELP", secret)
    assert "ENDGAME" not in command(at, ANNA, "HELP", seat)
    assert "k: coalition" not in command(at, ANNA, "QUEUE", secret)


def test_without_a_second_the_game_runs_without_acts(at: Installation) -> None:
    make(at, "h", gamesmaster=ANNA, seated={"A": ANNA})
    with desk(at) as work:
        secret = work.mark.plus(masters.token(work.conn, work.mark, ANNA))
        assert masters.of(work.conn, work.mark, "h").acting is None
    answer = flat(command(at, ANNA, "EXTEND 2 x", secret))
    assert (
        "it runs without acts" in answer
        and "ask somebody to be it: MASTER ADDRESS SECOND" in answer
    )
    at.send("C", "GAME h\nQUIT")
    at.send("C", f"CONFIRM {code_to(at, address('C'))}")
    assert "nobody is told, since the gamesmaster plays in the game too" in flat(at.newest("C"))
    assert not [one for one in subjects(at, ANNA) + subjects(at) if "QUIT" in one]
    # a second whom all concerned have agreed to does the acts from then on
    assert f"A code was mailed to {ANNA} and {BRUNO}" in flat(
        command(at, ANNA, f"MASTER {BRUNO} SECOND", secret)
    )
    command(at, ANNA, f"CONFIRM {code_to(at, ANNA)}")
    command(at, BRUNO, f"CONFIRM {code_to(at, BRUNO)}")
    assert "new deadline" in done(at, BRUNO, "EXTEND 2 x")


def test_what_new_refuses_and_says(at: Installation) -> None:
    players = [(seat, address(seat), "") for seat in SEATS]

    def plan(**more: Any) -> opening.Plan:
        return opening.Plan("h", "coalition", players, "Europe/Paris", **more)

    for more, says in (
        ({"second": GAMESMASTER}, "has to be somebody else"),
        ({"second": address("B")}, "plays B; the second gamesmaster of a game plays no seat"),
        ({"gamesmaster": address("A"), "publish": "review"}, "nobody could release a bulletin"),
        ({"gamesmaster": "nobody"}, "no mail address"),
    ):
        with pytest.raises(OperatorError, match=says), desk(at) as work:
            opening.new(work, plan(**more))
    with desk(at) as work:
        said = " ".join(opening.new(work, plan(gamesmaster=address("A"))))
    assert "plays A, and there is no second gamesmaster: the game runs without acts" in said


def test_the_second_game_does_not_take_the_acts_of_the_first(at: Installation) -> None:
    for game in ("h", "k"):
        make(at, game, gamesmaster=ANNA)
    due = {game: period(at, game).period.due for game in ("h", "k")}
    said = flat(command(at, ANNA, "EXTEND 2 strike\nGAME k\nPERIOD 1\nEXTEND 3 snow", game="h"))
    assert "names the games h and k, and nothing was done" in said
    assert {game: period(at, game).period.due for game in ("h", "k")} == due


def test_a_players_letter_is_for_the_game_that_it_names_last() -> None:
    assert peel("GAME h\nVOTE AYE\nGAME k").game == "k"


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
    for sure in (False, True):
        with (
            pytest.raises(OperatorError, match=r"you played A in h.* only bruno"),
            desk(at) as work,
        ):
            do(work, BY_NAME["rewind"], values | {"do": sure}, Actor(ANNA))
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
    for number in (1, 2):
        at.send(ANNA, f"GAME h\nPERIOD {number}\nREWIND 1 misread", To=to)
        assert ("CONFIRM" in at.newest(ANNA)) == (number == 2), at.newest(ANNA)
    said = " ".join(confirm(at, ANNA).split())
    assert "adjudicated again" in said
    assert "Nobody stands by for it: anyone who did was freed when it ended." in said
