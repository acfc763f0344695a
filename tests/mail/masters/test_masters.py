"""Each game has its gamesmaster: two games with two of them, one who plays, a second one, and a
game that changes hands."""

import re
from datetime import timedelta
from typing import Any

import pytest

from pbem.acts.acts import BY_NAME
from pbem.errors import OperatorError
from pbem.orders.mailwords import peel
from pbem.periods import away, guards, opening
from pbem.post import masters
from pbem.post.masters import Masters
from pbem.referee.acts.doing import Actor, do
from pbem.referee.deciding.handling import Handling
from pbem.store.games import games
from tests.installation import (
    GAMESMASTER,
    REFEREE,
    SEATS,
    Installation,
    address,
    desk,
    flat,
    proven,
    text_of,
    told,
)
from tests.mail.test_deputies import advance
from tests.masters import (
    ANNA,
    BRUNO,
    CARLA,
    HEAD,
    OTHERS,
    a_letter,
    code_in,
    code_to,
    command,
    done,
    hold_deadlines,
    make,
    period,
    reply_to,
    started,
)
from tests.subjects import issue, subjects

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


# --- a game changes hands -------------------------------------------------------------------------


@pytest.mark.parametrize("order", [(ANNA, BRUNO), (BRUNO, ANNA)])
def test_master_is_changed_once_both_have_confirmed(
    two: Installation, order: tuple[str, str]
) -> None:
    secret = reply_to(two, ANNA)
    assert "A code was mailed to" in flat(command(two, ANNA, f"MASTER {BRUNO}"))
    assert "Will you be its gamesmaster?" in subjects(two, BRUNO)[-1]
    codes = {who: code_to(two, who) for who in order}
    first, last = order
    told = len(two.mails("C"))
    said = flat(command(two, first, f"CONFIRM {codes[first]}"))
    assert f"It is so once {last} has agreed too." in said
    assert "nothing that waits for that code" in flat(
        command(two, first, f"CONFIRM {codes[first]}", REFEREE)
    )
    with desk(two) as work:
        assert masters.of(work.conn, work.mark, "h").acting == ANNA
    assert len(two.mails("C")) == told
    # the other's code from the wrong address does nothing
    two.send(first, f"CONFIRM {codes[last]}")
    with desk(two) as work:
        assert masters.of(work.conn, work.mark, "h").acting == ANNA
    assert f"{BRUNO} is the gamesmaster of h now" in flat(
        command(two, last, f"CONFIRM {codes[last]}")
    )
    assert f"The game has another gamesmaster: {BRUNO}." in flat(two.newest("C"))
    assert {"master-asked", "master"} <= set(two.journal("h"))
    assert "not the gamesmaster of g" in flat(command(two, BRUNO, "HOLD", game="g"))
    assert "new deadline" in done(two, BRUNO, "EXTEND 1 x")
    # the old one's secret address is void, and he is nobody's gamesmaster any more
    two.write(ANNA, HEAD.format(game="h") + "HOLD", To=secret)
    two.send(ANNA, HEAD.format(game="h") + "HOLD", To=reply_to(two, ANNA))
    assert [outcome for outcome, _ in two.outcomes()[-2:]] == ["unknown-sender"] * 2
    assert period(two).row.status == "running"
    two.game = "h"
    two.to_deadline()
    bulletin = next(
        text_of(one) for one in reversed(two.mails("C")) if issue(one) == "[h] Bulletin 1"
    )
    assert "The game has another gamesmaster." in bulletin


def test_one_code_is_not_enough_and_a_week_is_the_limit(two: Installation) -> None:
    command(two, ANNA, f"MASTER {BRUNO}")
    anna, bruno = code_to(two, ANNA), code_to(two, BRUNO)
    command(two, ANNA, f"CONFIRM {anna}")
    two.clock += timedelta(days=8)
    assert "too old, and nothing was done" in flat(command(two, BRUNO, f"CONFIRM {bruno}"))
    with desk(two) as work:
        assert masters.of(work.conn, work.mark, "h").acting == ANNA
    assert "master" not in two.journal("h")


def test_a_new_request_makes_the_old_one_void(two: Installation) -> None:
    command(two, ANNA, f"MASTER {BRUNO}")
    old = code_to(two, BRUNO)
    command(two, ANNA, f"MASTER {CARLA}")
    command(two, ANNA, f"CONFIRM {code_to(two, ANNA)}")
    command(two, BRUNO, f"CONFIRM {old}")
    with desk(two) as work:
        assert masters.of(work.conn, work.mark, "h").acting == ANNA
    command(two, CARLA, f"CONFIRM {code_to(two, CARLA)}")
    with desk(two) as work:
        assert masters.of(work.conn, work.mark, "h").acting == CARLA


@pytest.mark.parametrize(
    ("second", "who", "says"),
    [
        ("", address("C"), "plays C in h"),
        ("", ANNA, "is the gamesmaster of h already"),
        (" SECOND", ANNA, "its second has to be somebody else"),
        (" SECOND", address("C"), "plays C in h"),
    ],
)
def test_who_cannot_be_asked(two: Installation, second: str, who: str, says: str) -> None:
    assert says in flat(command(two, ANNA, f"MASTER {who}{second}"))
    assert not {"master-asked", "second-asked"} & set(two.journal("h"))


def test_players_are_told_once_of_three_weeks_of_silence(two: Installation) -> None:
    two.once()
    a_letter(two, "h")
    for _ in range(23):
        two.clock += timedelta(days=1)
        hold_deadlines(two)
        two.once()
    told = [one for one in subjects(two, address("B")) if "silent" in one]
    assert told == ["[h] The gamesmaster is silent"]
    text = flat(next(text_of(one) for one in two.mails("B") if "silent" in str(one["Subject"])))
    assert ANNA in text and GAMESMASTER in text and "Player" not in text
    assert re.search(r"waited for them all the time: your letter of \d+ \w+", text)
    assert not [one for one in subjects(two, address("C")) if "silent" in one]
    assert [one for one in subjects(two) if "h waits for its gamesmaster" in one]
    assert "silence" in two.journal("h") and "silence" not in two.journal()


def test_all_are_told_when_the_whole_game_stands_still(two: Installation) -> None:
    two.once()
    two.act(do, BY_NAME["hold"], {"game": "h", "why": "illness"}, Actor(ANNA))
    for _ in range(23):
        two.later(days=1)
    for seat in "BC":
        text = next(text_of(one) for one in two.mails(seat) if "silent" in str(one["Subject"]))
        assert "the game is held (illness)" in flat(text)


@pytest.mark.parametrize("sign", ["letter", "act", "nothing waits"])
def test_a_sign_of_his_is_no_silence(two: Installation, sign: str) -> None:
    two.once()
    if sign != "nothing waits":
        a_letter(two, "h")
    for day in range(30):
        two.clock += timedelta(days=1)
        hold_deadlines(two)
        two.once()
        if day == 12 and sign == "letter":
            command(two, ANNA, "QUEUE")
        if day == 12 and sign == "act":
            two.act(do, BY_NAME["rule"], {"game": "h", "text": "x"}, Actor())
    assert not [one for one in subjects(two, address("B")) if "silent" in one]


@pytest.fixture
def seconded(at: Installation) -> Installation:
    """Anna is the gamesmaster of h, Bruno its second, and neither plays."""
    make(at, "h", gamesmaster=ANNA, second=BRUNO)
    return at


def days(at: Installation, first: int, last: int) -> str:
    return " TO ".join((at.clock + timedelta(days=one)).date().isoformat() for one in (first, last))


def acting(at: Installation, game: str = "h") -> str | None:
    with desk(at) as work:
        return masters.of(work.conn, work.mark, game).acting


def test_his_second_does_the_acts_meanwhile(seconded: Installation) -> None:
    at = seconded
    hold_deadlines(at)
    said = flat(done(at, ANNA, f"AWAY {days(at, 2, 5)}"))
    assert f"In this time {BRUNO} does all that is a gamesmaster's to do." in said
    assert f"In this time {BRUNO} does all" in told(at, "C")
    assert "You stand in for its gamesmaster" in subjects(at, BRUNO)[-1]
    assert acting(at) == ANNA
    assert "you are the second gamesmaster of h" in flat(command(at, BRUNO, "RULE Read on."))
    advance(at, 2)
    assert acting(at) == BRUNO
    assert "prints: Ruling" in flat(done(at, BRUNO, "RULE Read on."))
    assert "prints: Ruling" in flat(done(at, ANNA, "RULE Read on."))  # she may still
    advance(at, 4)
    assert acting(at) == ANNA and "What waits for you" in subjects(at, ANNA)[-1]
    assert "you are the second gamesmaster of h" in flat(command(at, BRUNO, "RULE Read on."))
    assert at.journal("h").count("master-away") == at.journal("h").count("master-back") == 1


def test_he_can_come_back_early(seconded: Installation) -> None:
    at = seconded
    hold_deadlines(at)
    done(at, ANNA, f"AWAY {days(at, 0, 5)}")
    assert acting(at) == BRUNO
    assert "is there again" in flat(done(at, ANNA, "AWAY END"))
    assert acting(at) == ANNA and "is there again" in told(at, "C")
    assert "you are not away in h" in flat(command(at, ANNA, "AWAY END"))


def test_without_a_second_all_are_told_what_waits(at: Installation) -> None:
    said = at.act(away.go, "g", days(at, 0, 9))
    at.once()
    assert "These wait until they are back: letters to be looked at and questions" in said
    assert "deadlines fall as they stand" in told(at, "C")
    assert acting(at, "g") == GAMESMASTER


def test_whatever_waits_for_him_says_so(at: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    at.act(away.go, "g", days(at, 0, 9))
    said = "The gamesmaster is away until"
    for text, answer in (
        ("ABSENT 10 March TO 12 March", "will be in the next bulletin"),
        ("ASK GAMESMASTER may I lie?", "has your question"),
        ("PROTEST wrong", "stands until the next deadline"),
    ):
        proven(at, "A", text)
        at.once()
        assert answer in told(at, "A") and said in told(at, "A"), text
    proven(at, "A", "PRESS TO B\nhello\nEND PRESS")
    at.once()
    press = at.mails("B")[-1]
    proven(at, "B", "REPORT", In_Reply_To=str(press["Message-ID"]), To=str(press["Reply-To"]))
    at.once()
    assert "sent that press" in told(at, "B") and said in told(at, "B")

    def fails(*_: object) -> None:
        raise ValueError("odd")

    with monkeypatch.context() as broken:
        broken.setattr(Handling, "carry_out", fails)
        proven(at, "C", "SPECIAL AGR")
        at.once()
    at.once()
    assert "it waits: you need" in told(at, "C") and said in told(at, "C")


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("soon", "write a first and a last day, as in 1 July TO 20 July"),
        ("2020-01-01 TO 2020-01-09", "is past"),
        ("2030-01-01 TO 2030-01-09", "120 days ahead at most"),
    ],
)
def test_days_that_cannot_be(at: Installation, written: str, why: str) -> None:
    with desk(at) as work, pytest.raises(OperatorError, match=why):
        away.go(work, "g", written)


def test_who_plays_has_nobody_to_stand_in_for_him(playing: Installation) -> None:
    with desk(playing) as work, pytest.raises(OperatorError, match="you play A in h"):
        away.go(work, "h", days(playing, 0, 3))


def test_a_stranger_to_the_game_cannot_say_it(seconded: Installation) -> None:
    with desk(seconded) as work, pytest.raises(OperatorError, match="not the gamesmaster of h"):
        guards.may_name(work.conn, work.mark, "h", BRUNO)


# --- a successor ----------------------------------------------------------------------------------


def _silent(at: Installation) -> None:
    """Something waits in h, and for three weeks nobody hears from Anna."""
    hold_deadlines(at)
    at.once()
    done(at, ANNA, "HOLD illness")
    advance(at, 22)


def test_the_second_of_a_silent_gamesmaster_may_take_over(seconded: Installation) -> None:
    at = seconded
    _silent(at)
    assert f"{BRUNO}, the second gamesmaster, has been asked to take the game over" in told(at, "C")
    assert "Will you be its gamesmaster?" in subjects(at, BRUNO)[-1]
    assert acting(at) == ANNA
    said = flat(command(at, BRUNO, f"CONFIRM {code_to(at, BRUNO)}"))
    assert f"{BRUNO} is the gamesmaster of h now" in said and acting(at) == BRUNO
    assert "The one before was not asked" in told(at, "C")


def test_a_word_of_his_voids_that(seconded: Installation) -> None:
    at = seconded
    _silent(at)
    done(at, ANNA, "RULE Here I am.")
    advance(at, 1)
    command(at, BRUNO, f"CONFIRM {code_to(at, BRUNO)}")
    assert acting(at) == ANNA


def test_days_that_he_told_are_no_silence(two: Installation) -> None:
    at = two
    hold_deadlines(at)
    at.once()
    done(at, ANNA, "HOLD illness")
    assert "These wait" in done(at, ANNA, f"AWAY {days(at, 1, 40)}")
    advance(at, 22)
    assert not any("[h] The gamesmaster is silent" in subject for subject in subjects(at, "C"))
