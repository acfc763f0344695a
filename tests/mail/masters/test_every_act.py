"""Every act of the table refuses the gamesmaster of another game, and one who plays; so does the shell."""

import json

import pytest
from sqlalchemy import select, update

from pbem.acts.act import Act, Kind, Who
from pbem.acts.acts import ACTS, BY_NAME
from pbem.errors import OperatorError
from pbem.referee.acts.doing import Actor, do
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.schema.tables import Letter, Outgoing
from tests.installation import GAMESMASTER, Installation, address, desk
from tests.masters import (
    ANNA,
    BRUNO,
    CARLA,
    FOR_WHO_PLAYS,
    INSTALLATION,
    OTHERS,
    a_letter,
    make,
    new,
    period,
    ways,
    written,
)
from tests.sampled import in_turn
from tests.shell import Shell

pytestmark = pytest.mark.game("coalition", strangers=OTHERS)


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.name)
def test_every_act_refuses_another_gamesmaster(two: Installation, act: Act) -> None:
    before = two.journal("h"), two.journal()
    for given in ways(act):
        values = written(two, act, given, "g")
        refused = pytest.raises(OperatorError, match=r"not the gamesmaster of|whole installation")
        with refused, desk(two) as work:
            do(work, act, values, Actor(ANNA))
    assert before == (two.journal("h"), two.journal())


@pytest.mark.parametrize(
    ("act", "second"),
    in_turn(
        {act.name: act for act in ACTS if not act.has(Kind.TABLE)},
        {"alone": "", "with a second": CARLA},
    ),
)
def test_every_act_refuses_a_gamesmaster_who_plays(at: Installation, act: Act, second: str) -> None:
    """By shell and by mail, in his own game and in another's that he plays in."""
    make(at, "h", seated={"A": GAMESMASTER}, second=second)
    make(at, "k", seated={"A": GAMESMASTER}, gamesmaster=ANNA)
    for game in "hk":
        before = at.journal(game)
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
        assert at.journal(game) == before
    assert all(BY_NAME[name].who is Who.NAMED for name in FOR_WHO_PLAYS)


def test_resume_all_leaves_the_games_he_plays_in(at: Installation) -> None:
    make(at, "h", seated={"A": GAMESMASTER}, second=BRUNO)
    for game, actor in (("g", Actor()), ("h", Actor(BRUNO))):
        at.act(do, BY_NAME["hold"], {"game": game, "why": "x"}, actor)
    with desk(at) as work:
        said = do(work, BY_NAME["resume"], {"game": None, "everything": True}, Actor()).said
    assert "game g goes on" in said and "game h stays held: you play A in h" in said
    assert period(at).row.status == "held" and period(at, "g").row.status == "running"


def test_a_letter_of_no_game_may_be_for_one_that_he_plays_in(at: Installation) -> None:
    make(at, "h", seated={"A": GAMESMASTER, "B": BRUNO}, second=CARLA)
    letter = a_letter(at, "", BRUNO)
    with pytest.raises(OperatorError, match="you play A in h"), desk(at) as work:
        do(work, BY_NAME["dismiss"], {"letter": letter}, Actor())
    at.act(do, BY_NAME["dismiss"], {"letter": letter}, Actor(CARLA))
    mine = a_letter(at, "", "stranger@nowhere.example")
    at.act(do, BY_NAME["dismiss"], {"letter": mine}, Actor())


def test_by_shell_he_sees_of_his_own_game_what_players_see(shell: Shell) -> None:
    said = new(shell, "h", GAMESMASTER, "--second", BRUNO)
    assert f"{GAMESMASTER} plays A: until the game is over its acts" in said and BRUNO in said
    new(shell, "g", address("A"))
    shell.at.write("B", "GAME h\nSPECIAL ENV")
    shell.at.write("C", "GAME nosuch\nSPECIAL ENV")
    shell.at.write(GAMESMASTER, "GAME h\nSPECIAL AGR")
    shell("once")
    with exclusive_transaction(shell.at.daemon.engine) as conn:
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


def test_once_it_is_over_he_may_look(shell: Shell) -> None:
    new(shell, "h", GAMESMASTER)
    with exclusive_transaction(shell.at.daemon.engine) as conn:
        games.set_state(conn, "h", games.GameState.OVER)
    shell("export", "h", str(shell.file.parent / "x"))
    assert (shell.file.parent / "x" / "journal.json").exists()
