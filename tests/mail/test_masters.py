"""Each game has its gamesmaster: two games with two of them, one who plays, a second one, and a
game that changes hands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from pbem.errors import OperatorError
from pbem.orders.acts import ACTS, Act, Kind, Who
from pbem.periods import opening
from pbem.post import masters
from pbem.referee.doing import Actor, do
from pbem.store import games
from pbem.store.database import transaction
from pbem.store.records import Journal, Letter, Outgoing, Period
from tests.installation import (
    GAMESMASTER,
    REFEREE,
    SEATS,
    Installation,
    address,
    desk,
    subjects,
    text_of,
)
from tests.shell import Shell

ANNA, BRUNO, CARLA = (f"{name}@else.example" for name in ("anna", "bruno", "carla"))
OTHERS = (ANNA, BRUNO, CARLA)
HEAD = "GAME {game}\nPERIOD 1\n"
pytestmark = pytest.mark.game("coalition", strangers=OTHERS)


def make(at: Installation, game: str, **plan: Any) -> None:
    """A game more, which begins at once."""
    seated = plan.pop("seated", {})
    players = [(seat, seated.get(seat, address(seat)), f"Player {seat}") for seat in SEATS]
    with desk(at) as work:
        opening.new(work, opening.Plan(game, "coalition", players, "Europe/Paris", **plan))
        opening.start(work, game)
    at.once()


def reply_to(at: Installation, who: str) -> str:
    """The secret address in the newest mail to a gamesmaster, which is none of a seat's."""
    mails = [mail for mail in at.mails(who) if not str(mail["Subject"]).startswith("[pbem-seat]")]
    return str(mails[-1]["Reply-To"])


def command(at: Installation, who: str, text: str, to: str = "", game: str = "h") -> str:
    """A letter of somebody's to the secret address of his newest mail; what he is answered."""
    before = len(at.mails(who))
    to = to or reply_to(at, who)
    at.write(
        who,
        text if text.startswith(("CONFIRM", "QUEUE", "HELP")) else HEAD.format(game=game) + text,
        To=to,
    )
    at.once()
    return "\n".join(text_of(mail) for mail in at.mails(who)[before:])


def flat(text: str) -> str:
    return " ".join(text.split())


def code_in(text: str) -> str:
    found = re.search(r"CONFIRM (\S+)", text)
    assert found, text
    return found[1]


def code_to(at: Installation, who: str) -> str:
    """The newest code in a mailbox."""
    return next(
        code_in(text_of(mail)) for mail in reversed(at.mails(who)) if "CONFIRM" in text_of(mail)
    )


def journal(at: Installation, game: str = "h") -> list[str]:
    with transaction(at.daemon.engine) as conn:
        rows = conn.execute(select(Journal.kind).where(Journal.game_id == game).order_by(Journal.n))
        return list(rows.scalars())


def period(at: Installation, game: str = "h") -> games.Table:
    with transaction(at.daemon.engine) as conn:
        return games.table(conn, game)


@pytest.fixture
def two(at: Installation) -> Installation:
    """Game g is the installation's gamesmaster's, h is Anna's."""
    make(at, "h", gamesmaster=ANNA)
    return at


@pytest.fixture
def playing(at: Installation) -> Installation:
    """Anna is the gamesmaster of h and plays A in it; Bruno is its second."""
    make(at, "h", gamesmaster=ANNA, second=BRUNO, seated={"A": ANNA})
    return at


# --- two games, two gamesmasters ------------------------------------------------------------------


def test_each_does_the_acts_of_his_game(two: Installation) -> None:
    due = period(two).period.due
    assert due
    assert "new deadline" in command(two, ANNA, "EXTEND 2 post strike")
    assert period(two).period.due == due + timedelta(days=2)
    assert "new deadline" in command(two, GAMESMASTER, "EXTEND 2 illness", game="g")


def test_none_does_those_of_anothers(two: Installation) -> None:
    before = journal(two), journal(two, "g"), period(two).period.due
    for word in (
        "EXTEND 2 x",
        "CLOSE",
        "PREVIEW",
        f"REPLACE A {CARLA}",
        "RULE x",
        "HOLD",
        "RESUME",
    ):
        answer = flat(command(two, ANNA, word, game="g"))
        assert "you are not the gamesmaster of g" in answer and "CONFIRM" not in answer
        answer = flat(command(two, GAMESMASTER, word))
        assert "you are not the gamesmaster of h" in answer and "CONFIRM" not in answer
    for word in (f"MASTER {CARLA}", f"SECOND {CARLA}"):
        assert "not the gamesmaster of g" in flat(command(two, ANNA, word, game="g"))
        assert "not the gamesmaster of h" in flat(command(two, GAMESMASTER, word))
    assert before == (journal(two), journal(two, "g"), period(two).period.due)


def test_queue_and_digest_show_his_games(two: Installation) -> None:
    two.write("A", "GAME h\nSPECIAL AGR")
    two.once()
    answer = command(two, ANNA, "QUEUE")
    assert "h: coalition" in answer and "g: coalition" not in answer
    assert "outbox" not in answer and "undecided" not in answer
    assert "not the gamesmaster of g" in flat(command(two, ANNA, "QUEUE g"))
    answer = command(two, GAMESMASTER, "QUEUE")
    assert "g: coalition" in answer and "h: coalition" not in answer
    two.clock += timedelta(days=1)
    two.once()
    for who, his, other in ((ANNA, "h", "g"), (GAMESMASTER, "g", "h")):
        (digest,) = [text_of(one) for one in two.mails(who) if "Digest" in str(one["Subject"])][-1:]
        assert f"{his}: coalition" in digest and f"{other}: coalition" not in digest


def test_mails_and_alarms_of_a_game_are_its_gamesmasters(two: Installation) -> None:
    assert subjects(two, ANNA) == ["[h] Bulletin 0: the gamesmaster's copy"]
    assert not [one for one in subjects(two) if "[h]" in one]
    two.write("B", "GAME h\nABSENT 2026-04-01 TO 2026-04-05")
    two.once()
    assert subjects(two, ANNA)[-1] == "[pbem] h: B announces an absence"
    assert not [one for one in subjects(two) if "absence" in one]
    assert f"The gamesmaster of the game is {ANNA}." in flat(text_of(started(two, "A", "h")))
    assert f"The gamesmaster of the game is {GAMESMASTER}." in flat(text_of(started(two, "A", "g")))


def started(at: Installation, seat: str, game: str) -> Any:
    return next(one for one in at.mails(seat) if str(one["Subject"]).startswith(f"[{game}] Coal"))


def test_their_secret_addresses_differ_and_are_worth_nothing_to_others(two: Installation) -> None:
    anna, owner = reply_to(two, ANNA), reply_to(two, GAMESMASTER)
    assert anna != owner
    # From is right, but the secret address is not there, or is another's
    two.write(ANNA, HEAD.format(game="h") + "HOLD illness")
    two.once()
    assert two.outcomes()[-1][0] == "unverified" and "without proof" in two.newest(ANNA)
    two.write(ANNA, HEAD.format(game="h") + "HOLD illness", To=owner)
    two.once()
    assert two.outcomes()[-1][0] == "unverified"
    assert "was seen with another sender" in two.newest(GAMESMASTER)
    assert reply_to(two, GAMESMASTER) != owner and reply_to(two, ANNA) == anna
    two.write(GAMESMASTER, HEAD.format(game="g") + "HOLD illness", To=owner)
    two.once()
    assert {period(two).game.status, period(two, "g").game.status} == {"running"}


def test_a_code_is_worth_nothing_from_another_address(two: Installation) -> None:
    code = code_in(command(two, ANNA, "CLOSE"))
    for forger in (GAMESMASTER, address("A"), BRUNO):
        two.write(forger, f"CONFIRM {code}")
        two.once()
    assert period(two).period.number == 1
    assert "now in period 2" in command(two, ANNA, f"CONFIRM {code}")


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
    assert "new deadline" in command(two, GAMESMASTER, "EXTEND 2 x")
    assert "h: coalition" in command(two, GAMESMASTER, "QUEUE")


# --- a gamesmaster who plays ----------------------------------------------------------------------


def test_a_gamesmaster_who_plays_is_a_player(playing: Installation) -> None:
    at = playing
    at.write("B", "GAME h\nSPECIAL ENV")
    at.write(ANNA, "GAME h\nSPECIAL AGR")
    at.once()
    at.game = "h"
    assert at.standing("A") == ["SPECIAL AGR"] and at.standing("B") == ["SPECIAL ENV"]
    start = next(one for one in at.mails(ANNA) if "you are A" in str(one["Subject"]))
    assert f"{ANNA}, plays A in it: until it is over, {BRUNO} does all that" in flat(text_of(start))
    seat = str(start["Reply-To"])
    at.write(ANNA, "STATUS\nHOLD", To=seat)  # to a mail of his seat no word is a command
    at.once()
    assert period(at).game.status == "running" and "NOT TAKEN" in at.newest(ANNA)


def test_his_acts_are_refused_by_mail_and_the_seconds_are_done(playing: Installation) -> None:
    at = playing
    at.write("B", "GAME h\nSPECIAL ENV")
    at.once()
    with desk(at) as work:
        secret = work.mark.plus(masters.token(work.conn, work.mark, ANNA))
    for word in (
        "EXTEND 2 x",
        "CLOSE",
        "PREVIEW",
        f"REPLACE B {CARLA}",
        "RULE x",
        "HOLD",
        "RESUME",
    ):
        answer = flat(command(at, ANNA, word, secret))
        assert (
            f"you play A in h: until it is over its acts, letters and mails are for {BRUNO}"
            in answer
        )
        assert "CONFIRM" not in answer
    answer = command(at, ANNA, "QUEUE", secret)
    assert "h: coalition, running, period 1" in answer and "due Monday" in answer
    assert "in:" not in answer and "missing" not in answer and "SPECIAL" not in answer
    assert subjects(at, ANNA)[-1] == "Re: your commands"
    assert "new deadline" in command(at, BRUNO, "EXTEND 2 x")
    assert "in: B" in command(at, BRUNO, "QUEUE")
    seen = command(at, BRUNO, f"CONFIRM {code_in(command(at, BRUNO, 'PREVIEW'))}")
    assert "PREVIEW: nothing of this is stored" in seen
    at.write("C", "GAME h\nABSENT 2026-04-01 TO 2026-04-05")
    at.once()
    assert subjects(at, BRUNO)[-1] == "[pbem] h: C announces an absence"
    assert "absence" not in " ".join(subjects(at, ANNA))


def test_a_gamesmaster_plays_in_anothers_game(at: Installation) -> None:
    """Anna has h and plays A in k: from one address she does the acts of h and the orders of k."""
    make(at, "h", gamesmaster=ANNA)
    make(at, "k", gamesmaster=BRUNO, seated={"A": ANNA})
    secret = next(str(one["Reply-To"]) for one in at.mails(ANNA) if "copy" in str(one["Subject"]))
    seat = next(str(one["Reply-To"]) for one in at.mails(ANNA) if "[k]" in str(one["Subject"]))
    at.game = "k"
    for line, to in (("SPECIAL AGR", REFEREE), ("SPECIAL ENV", seat), ("SPECIAL INF", secret)):
        at.write(ANNA, f"GAME k\n{line}", To=to)
        at.once()
        assert at.standing("A") == [line], line
    assert "new deadline" in command(at, ANNA, "EXTEND 2 x", secret)
    assert at.standing("A") == ["SPECIAL INF"]
    answer = flat(command(at, ANNA, "EXTEND 2 x", secret, game="k"))
    assert "you play A in k" in answer and BRUNO in answer
    assert "ENDGAME reason" in command(at, ANNA, "HELP", secret)
    assert "ENDGAME" not in command(at, ANNA, "HELP", seat)
    assert "k: coalition" not in command(at, ANNA, "QUEUE", secret)


def test_a_second_has_nothing_to_do_while_the_gamesmaster_does_not_play(at: Installation) -> None:
    make(at, "h", gamesmaster=ANNA, second=BRUNO)
    assert not at.mails(BRUNO)
    with desk(at) as work:
        with pytest.raises(OperatorError, match="you are the second gamesmaster of h"):
            do(work, named("hold"), {"game": "h", "why": "x"}, Actor(BRUNO))
        assert masters.his(work.conn, work.mark, BRUNO) == {}


def test_without_a_second_the_game_runs_without_acts(at: Installation) -> None:
    make(at, "h", gamesmaster=ANNA, seated={"A": ANNA})
    with desk(at) as work:
        secret = work.mark.plus(masters.token(work.conn, work.mark, ANNA))
        assert masters.of(work.conn, work.mark, "h").acting == ""
    answer = flat(command(at, ANNA, "EXTEND 2 x", secret))
    assert "it runs without acts" in answer and "pbem second h ADDRESS" in answer
    at.write("C", "GAME h\nQUIT")
    at.once()
    at.write("C", f"CONFIRM {code_to(at, address('C'))}")
    at.once()
    assert "nobody is told, since the gamesmaster plays in the game himself" in flat(at.newest("C"))
    assert not [one for one in subjects(at, ANNA) + subjects(at) if "QUIT" in one]
    # a second whom all concerned have agreed to does the acts from then on
    assert f"a code was mailed to {ANNA} and {BRUNO}" in flat(
        command(at, ANNA, f"SECOND {BRUNO}", secret)
    )
    command(at, ANNA, f"CONFIRM {code_to(at, ANNA)}")
    command(at, BRUNO, f"CONFIRM {code_to(at, BRUNO)}")
    assert "new deadline" in command(at, BRUNO, "EXTEND 2 x")


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


# --- every act of the table -----------------------------------------------------------------------


def named(name: str) -> Act:
    return next(act for act in ACTS if act.name == name)


def ways(act: Act) -> Iterator[frozenset[str]]:
    """The arguments that are given, in each way of using the act."""
    named_ = frozenset().union(*act.ways)
    for way in act.ways or (frozenset(),):
        yield frozenset(
            one.name for one in act.arguments if one.name not in named_ or one.name in way
        )


def written(at: Installation, act: Act, given: frozenset[str], game: str) -> dict[str, Any]:
    """Values that are upon a game in some way."""
    said: dict[Kind, Any] = {
        Kind.GAME: game,
        Kind.SEAT: "B",
        Kind.ADDRESS: address("B"),
        Kind.FLAG: True,
        Kind.NUMBER: 1,
    }
    values = {
        one.name: said.get(one.kind, "x") if one.name in given else None for one in act.arguments
    }
    if values.get("letter"):
        values["letter"] = a_letter(at, game)
    if "mail" in values:
        with transaction(at.daemon.engine) as conn:
            found = select(Outgoing.id).where(Outgoing.game_id == game, Outgoing.seat == "B")
            values["mail"] = conn.execute(found).scalars().first()
    return values


def a_letter(at: Installation, game: str, sender: str = "", days: int = 0) -> int:
    """A letter of B's that waits."""
    with transaction(at.daemon.engine) as conn:
        then = at.clock - timedelta(days=days)
        number = len(conn.execute(select(Letter.id)).all())
        row = conn.execute(
            insert(Letter).values(
                account="a",
                folder="INBOX",
                uidvalidity=1,
                uid=900 + number,
                received=then,
                seen=then,
                raw=at.letter("B", f"GAME {game}\nSPECIAL ENV"),
                raw_hash=f"x{number}",
                outcome="held",
                decided=then,
                sender=sender or address("B"),
                game_id="" if sender else game,
                seat="" if sender else "B",
            )
        )
        return int(row.inserted_primary_key[0])


INSTALLATION = {("restore", "release_outbox"), ("rotate", "gamesmaster"), ("resume", "everything")}
"""The ways of acts that are upon no game: for the installation's gamesmaster, though he plays."""
FOR_WHO_PLAYS = {"start", "master", "second"}
"""Acts by which he looks at nothing."""


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.name)
def test_every_act_refuses_another_gamesmaster(two: Installation, act: Act) -> None:
    before = journal(two), journal(two, "g")
    for given in ways(act):
        values = written(two, act, given, "g")
        refused = pytest.raises(OperatorError, match=r"not the gamesmaster of g|whole installation")
        with refused, desk(two) as work:
            do(work, act, values, Actor(ANNA))
    assert before == (journal(two), journal(two, "g"))


@pytest.mark.parametrize("second", ["", CARLA], ids=["alone", "with a second"])
@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.name)
def test_every_act_refuses_a_gamesmaster_who_plays(at: Installation, act: Act, second: str) -> None:
    """By shell and by mail, in his own game and in another's that he plays in."""
    make(at, "h", seated={"A": GAMESMASTER}, second=second)
    make(at, "k", seated={"A": GAMESMASTER}, gamesmaster=ANNA)
    for game in "hk":
        before = journal(at, game)
        for given in ways(act):
            if any((act.name, one) in INSTALLATION for one in given):
                continue
            values = written(at, act, given, game)
            for actor in (Actor(), Actor(GAMESMASTER)):
                if act.name in FOR_WHO_PLAYS and (game == "h" or not actor.address):
                    assert act.who is Who.NAMED
                    continue
                refused = pytest.raises(
                    OperatorError, match=r"you play A in [hk]|not the gamesmaster"
                )
                with refused, desk(at) as work:
                    do(work, act, values, actor)
        assert journal(at, game) == before
    assert all(named(name).who is Who.NAMED for name in FOR_WHO_PLAYS)


def test_resume_all_leaves_the_games_he_plays_in(at: Installation) -> None:
    make(at, "h", seated={"A": GAMESMASTER}, second=BRUNO)
    for game, actor in (("g", Actor()), ("h", Actor(BRUNO))):
        with desk(at) as work:
            do(work, named("hold"), {"game": game, "why": "x"}, actor)
    with desk(at) as work:
        said = do(work, named("resume"), {"game": None, "everything": True}, Actor()).said
    assert "game g goes on" in said and "game h stays held: you play A in h" in said
    assert period(at).game.status == "held" and period(at, "g").game.status == "running"


def test_a_letter_of_no_game_may_be_for_one_that_he_plays_in(at: Installation) -> None:
    make(at, "h", seated={"A": GAMESMASTER, "B": BRUNO}, second=CARLA)
    letter = a_letter(at, "", BRUNO)
    with pytest.raises(OperatorError, match="you play A in h"), desk(at) as work:
        do(work, named("dismiss"), {"letter": letter}, Actor())
    with desk(at) as work:
        do(work, named("dismiss"), {"letter": letter}, Actor(CARLA))
    mine = a_letter(at, "", "stranger@nowhere.example")
    with desk(at) as work:
        do(work, named("dismiss"), {"letter": mine}, Actor())


# --- by shell -------------------------------------------------------------------------------------


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    with Installation(tmp_path, "coalition", seats=SEATS, strangers=OTHERS) as at:
        at.clock = datetime.now(UTC)
        at.office.now = lambda: datetime.now(UTC)
        yield Shell(at, tmp_path / "config.toml")


def new(shell: Shell, game: str, first: str, *more: str) -> str:
    seats = [f"A={first},Player A", *(f"{s}={address(s)},Player {s}" for s in SEATS[1:])]
    said = shell("new", "coalition", game, *(w for s in seats for w in ("--player", s)), *more)
    shell("start", game)
    shell("once")
    return said


def test_by_shell_he_sees_of_his_own_game_what_players_see(shell: Shell) -> None:
    said = new(shell, "h", GAMESMASTER, "--second", BRUNO)
    assert f"{GAMESMASTER} plays A: until the game is over its acts" in said and BRUNO in said
    new(shell, "g", address("A"))
    shell.at.write("B", "GAME h\nSPECIAL ENV")
    shell.at.write("C", "GAME nosuch\nSPECIAL ENV")
    shell.at.write(GAMESMASTER, "GAME h\nSPECIAL AGR")
    shell("once")
    with transaction(shell.at.daemon.engine) as conn:
        rows = conn.execute(select(Letter.id, Letter.seat, Letter.sender)).all()
        conn.execute(update(Letter).where(Letter.seat == "B").values(outcome="held"))
        conn.execute(
            update(Outgoing).where(Outgoing.game_id == "h").values(state="refused", reply="550 no")
        )
    ids = {row.sender: str(row.id) for row in rows}
    told = json.loads(shell("queue", "--json"))
    mine = next(one for one in told["games"] if one["id"] == "h")
    assert mine["in"] == [] and mine["missing"] == {} and "players" not in mine
    assert mine["phase"] and mine["deadline"] and mine["gamesmaster"] == GAMESMASTER
    assert "players" in next(one for one in told["games"] if one["id"] == "g")
    assert told["letters"] == [] and told["mails"] == [] and "refused" not in told["outbox"]
    assert "SPECIAL" not in shell("queue", "h") and "Player B" not in shell("queue", "h")
    for sender in (address("B"), address("C")):
        assert "you play A in h" in shell.fails("letter", "--id", ids[sender])
    assert "you play A in h" in shell.fails("letter", "--receipt", "h/B/1")
    assert "SPECIAL AGR" in shell("letter", "--id", ids[GAMESMASTER])
    file = shell.file.parent / "b.eml"
    file.write_bytes(shell.at.letter("B", "GAME h\nSPECIAL AGR"))
    assert "you play A in h" in shell.fails("letter", str(file))
    for words in (
        ("preview", "h"),
        ("export", "h", str(shell.file.parent / "x")),
        ("end", "h"),
        ("hold", "h", "--why", "x"),
        ("address", address("B"), CARLA),
        ("address", address("B"), "--works"),
        ("accept", ids[address("B")]),
    ):
        assert "you play A in h" in shell.fails(*words), words
    shell("explain", "deadline", "h")
    shell("rotate", "--gamesmaster")
    shell("hold", "g", "--why", "x")


def test_by_shell_he_does_the_acts_of_others_games(shell: Shell) -> None:
    new(shell, "h", address("A"), "--gamesmaster", ANNA)
    shell("extend", "h", "2", "--why", "x")
    assert "h" in shell("queue", "h")
    assert json.loads(shell("queue", "h", "--json"))["games"][0]["gamesmaster"] == ANNA


def test_once_it_is_over_he_may_look(shell: Shell) -> None:
    new(shell, "h", GAMESMASTER)
    with transaction(shell.at.daemon.engine) as conn:
        games.set_state(conn, "h", games.GameState.OVER)
    shell("export", "h", str(shell.file.parent / "x"))


# --- a game changes hands -------------------------------------------------------------------------


@pytest.mark.parametrize("order", [(ANNA, BRUNO), (BRUNO, ANNA)])
def test_master_is_changed_once_both_have_confirmed(
    two: Installation, order: tuple[str, str]
) -> None:
    secret = reply_to(two, ANNA)
    assert "a code was mailed to" in flat(command(two, ANNA, f"MASTER {BRUNO}"))
    assert "Will you be its gamesmaster?" in subjects(two, BRUNO)[-1]
    codes = {who: code_to(two, who) for who in order}
    first, last = order
    told = len(two.mails("C"))
    said = flat(command(two, first, f"CONFIRM {codes[first]}"))
    assert f"It is so once {last} has agreed too." in said
    assert "no held letter with that code" in flat(
        command(two, first, f"CONFIRM {codes[first]}", REFEREE)
    )
    with desk(two) as work:
        assert masters.of(work.conn, work.mark, "h").acting == ANNA
    assert len(two.mails("C")) == told
    # the other's code from the wrong address does nothing
    two.write(first, f"CONFIRM {codes[last]}")
    two.once()
    with desk(two) as work:
        assert masters.of(work.conn, work.mark, "h").acting == ANNA
    assert f"{BRUNO} is the gamesmaster of h now" in flat(
        command(two, last, f"CONFIRM {codes[last]}")
    )
    assert f"The game has another gamesmaster: {BRUNO}." in flat(two.newest("C"))
    assert {"master-asked", "master"} <= set(journal(two))
    assert "not the gamesmaster of g" in flat(command(two, BRUNO, "HOLD", game="g"))
    assert "new deadline" in command(two, BRUNO, "EXTEND 1 x")
    # the old one's secret address is void, and he is nobody's gamesmaster any more
    two.write(ANNA, HEAD.format(game="h") + "HOLD", To=secret)
    two.write(ANNA, HEAD.format(game="h") + "HOLD", To=reply_to(two, ANNA))
    two.once()
    assert [outcome for outcome, _ in two.outcomes()[-2:]] == ["unknown-sender"] * 2
    assert period(two).game.status == "running"
    two.game = "h"
    two.to_deadline()
    bulletin = next(
        text_of(one) for one in reversed(two.mails("C")) if one["Subject"] == "[h] Bulletin 1"
    )
    assert "The game has another gamesmaster." in bulletin


def test_one_code_is_not_enough_and_a_week_is_the_limit(two: Installation) -> None:
    command(two, ANNA, f"MASTER {BRUNO}")
    anna, bruno = code_to(two, ANNA), code_to(two, BRUNO)
    command(two, ANNA, f"CONFIRM {anna}")
    two.clock += timedelta(days=8)
    assert "too old; nothing was changed" in flat(command(two, BRUNO, f"CONFIRM {bruno}"))
    with desk(two) as work:
        assert masters.of(work.conn, work.mark, "h").acting == ANNA
    assert "master" not in journal(two)


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


def test_now_asks_the_new_one_only(two: Installation) -> None:
    with desk(two) as work:
        values = {"game": "h", "address": BRUNO, "now": True}
        assert do(work, named("master"), values, Actor()).said.startswith(
            f"a code was mailed to {BRUNO};"
        )
    two.once()
    command(two, BRUNO, f"CONFIRM {code_to(two, BRUNO)}")
    assert "The one before was not asked." in flat(two.newest("C"))
    with desk(two) as work:
        assert masters.of(work.conn, work.mark, "h").acting == BRUNO


@pytest.mark.parametrize(
    ("word", "who", "says"),
    [
        ("MASTER", address("C"), "plays C in h"),
        ("MASTER", ANNA, "is the gamesmaster of h already"),
        ("SECOND", ANNA, "its second has to be somebody else"),
        ("SECOND", address("C"), "plays C in h"),
    ],
)
def test_who_cannot_be_asked(two: Installation, word: str, who: str, says: str) -> None:
    assert says in flat(command(two, ANNA, f"{word} {who}"))
    assert not {"master-asked", "second-asked"} & set(journal(two))


# --- three weeks of silence -----------------------------------------------------------------------


def test_players_are_told_once_of_three_weeks_of_silence(two: Installation) -> None:
    two.once()
    a_letter(two, "h")
    for _ in range(23):
        two.clock += timedelta(days=1)
        hold_deadlines(two)
        two.once()
    told = [one for one in subjects(two, address("C")) if "silent" in one]
    assert told == ["[h] The gamesmaster is silent"]
    text = flat(next(text_of(one) for one in two.mails("C") if "silent" in str(one["Subject"])))
    assert ANNA in text and GAMESMASTER in text and "Player" not in text
    assert [one for one in subjects(two) if "h waits for its gamesmaster" in one]
    assert "silence" in journal(two) and "silence" not in journal(two, "g")


def hold_deadlines(at: Installation) -> None:
    """No period closes meanwhile."""
    with transaction(at.daemon.engine) as conn:
        conn.execute(update(Period).values(due=None, next_look=None))


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
            with desk(two) as work:
                do(work, named("rule"), {"game": "h", "text": "x"}, Actor())
    assert not [one for one in subjects(two, address("C")) if "silent" in one]
