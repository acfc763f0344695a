"""The words that anybody may write: answered to whom nobody knows, so many an hour and no more."""

from datetime import timedelta

import pytest

from pbem.daemon import upkeep
from pbem.post import codes
from pbem.post.postmark import code_hash
from pbem.store.journal import notes
from pbem.store.people import players
from tests.installation import GAMESMASTER, Installation, desk, text_of, told
from tests.mail.test_open_tables import Club

FAY, BEN = "fay@fay.example", "ben@ben.example"
PASSED = "mx.game.example; dmarc=pass header.from=fay.example"
pytestmark = pytest.mark.game("coalition", strangers=(FAY, BEN))


def test_games_tells_anybody_what_is_open_and_what_runs(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with Club(tmp_path_factory.mktemp("club")) as at:
        at.open(5)
        at.game = "g"
        at.start()
        at.send(FAY, "Good morning,\n\nGames?\n\nFay")
        said = told(at, FAY)
    assert "autumn: Coalition. Many parties" in said and "None of 5 players is there yet." in said
    assert "A period lasts 7 days, a game about 3 months (with bots)." in said
    assert "I would like to join autumn" in said
    assert "g: Coalition, 15 players. Period 1, until Monday 9 March" in said
    assert "I would like to watch g" in said and "parlement-1966, parlement-1968" in said
    assert "legit.example" not in said and "Player" not in said
    assert at.outcomes()[-1] == ("command", "GAMES: anybody may write that")


def test_rules_are_for_anybody_too(at: Installation) -> None:
    at.write(FAY, "RULES legislation 3.2", Authentication_Results=PASSED)
    at.write(FAY, "RULES legislaton", Authentication_Results=PASSED)
    at.send(BEN, "RULES party-in-power ALL")
    first, second = (" ".join(text_of(mail).split()) for mail in at.mails(FAY))
    assert "[3.2] " in first and "[3.3]" not in first
    assert "Did you mean RULES legislation?" in second
    assert len(at.newest(BEN)) < 16_000 and "Here it breaks off" in told(at, BEN)


def test_a_stranger_is_told_of_games(at: Installation) -> None:
    at.send(FAY, "How do I sign up?")
    assert "No table is open just now" in told(at, FAY)


def test_where_no_table_is_open_the_gamesmaster_hears_who_would_play(at: Installation) -> None:
    at.send(
        FAY, "Who runs this?", Authentication_Results=PASSED
    )  # a question of the same hour does not hide the wish
    at.send(FAY, "Hello, I would like to play with you!", Authentication_Results=PASSED)
    said = told(at, FAY)
    assert "knows now that you would like to play" in said and "PRACTICE legislation" in said
    assert "would like to play, and no table is open" in told(at, GAMESMASTER)
    at.send(FAY, "PRACTICE legislation", Authentication_Results=PASSED)
    assert "You would like to practise Legislation" in told(at, FAY)


def test_a_players_orders_are_read_and_the_words_beside_them_are_not(at: Installation) -> None:
    at.send("A", "SPECIAL AGR\nGAMES")
    assert at.standing("A") == ["SPECIAL AGR"]
    assert "GAMES was not read" in told(at, "A")
    at.send("A", "GAMES\n\nYours, A")
    assert "What is played here" in at.newest("A")


def test_a_code_that_nobody_answers_is_forgotten(at: Installation) -> None:
    with desk(at) as work:
        code = codes.new(work, "watch", FAY, watched="g")
        kept = codes.new(work, "watch", BEN, until=work.now + timedelta(days=90), watched="g")
    at.clock += codes.LIVES + timedelta(days=1)
    at.once()
    with desk(at) as work:
        assert notes.memo(work.conn, codes.key(code_hash(code)))
    at.clock += upkeep.UNANSWERED
    at.once()
    at.clock += timedelta(days=1, minutes=1)  # what is deleted was due a day before
    at.once()
    at.send(FAY, f"CONFIRM {code}")
    assert "nothing that waits for that code" in told(at, FAY)
    with desk(at) as work:
        assert notes.memo(work.conn, codes.key(code_hash(kept)))


def test_what_answers_a_player_goes_to_his_address_of_record(at: Installation) -> None:
    with desk(at) as work:
        player = players.at_address(work.conn, "a@legit.example")
        assert player
        players.set_address(work.conn, player, BEN)
    at.send("A", "GAMES")
    assert "What is played here" in at.newest(BEN) and "played here" not in at.newest("A")
