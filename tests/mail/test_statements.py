"""After the end of a game: its last bulletin asks each player for a statement, and a week later all
go out together."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import select

from pbem.periods import claims, opening
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Letter, Statement
from tests.installation import (
    GAMESMASTER,
    SEATS,
    SLATE,
    Installation,
    proven,
    surely,
    text_of,
    told,
)
from tests.mail.proof import code
from tests.mail.test_agreement import Killed, agree, faults
from tests.rewinds import rewind
from tests.subjects import subjects

WEEK = timedelta(days=7)
MAIL = "[g] The players' statements"
STANDBY = "standby@else.example"


def by_agreement(at: Installation) -> None:
    agree(at, *SEATS, ballot="AGREE WIN C")


def by_its_rules(at: Installation) -> None:
    at.send("A", f"PROPOSE {SLATE}")
    at.to_deadline()
    at.send_each(SEATS, "VOTE AYE")
    at.to_deadline()


def by_the_gamesmaster(at: Installation) -> None:
    at.act(opening.end, "g", "two of us have left")
    at.once()


ENDS = pytest.mark.parametrize("end", [by_agreement, by_its_rules, by_the_gamesmaster])


def a_week_later(at: Installation) -> None:
    at.clock += WEEK
    at.once()


def sent(at: Installation, who: str) -> list[str]:
    """The mails of statements that somebody has got."""
    return [text_of(mail) for mail in at.mails(who) if str(mail["Subject"]) == MAIL]


@ENDS
def test_what_players_say_goes_out_together(
    at: Installation, end: Callable[[Installation], None]
) -> None:
    end(at)
    until = at.table().row.statements_until
    assert at.table().row.status == "over" and until is not None
    asked = next(
        " ".join(text_of(m).split()) for m in reversed(at.mails("B")) if "statement" in text_of(m)
    )
    day = at.table().minute(until)
    assert f"a line of its own and your words below it, by {day}." in asked
    words = "Statement\nI had PM from the start.\n\nVOTE AYE\nPASS"
    at.send("B", f"{words}\n-- \nB")
    held = (
        "STATEMENT was held: it has no line END STATEMENT, and these lines of it look like orders"
    )
    assert held in told(at, "B") and "| VOTE AYE | PASS" in told(at, "B")
    at.send("B", f"{words}\nEND STATEMENT\n-- \nB")
    assert "Your statement of 9 words is taken. It goes out with those of the others" in told(
        at, "B"
    )
    at.send("A", "STATEMENT\nNever again.\nEND STATEMENT\nSTATUS")
    assert "STATUS (game g)" in told(at, "A")
    assert at.outcomes()[-1] == ("command", "STATEMENT, STATUS")
    assert all(sent(at, seat) == [] for seat in SEATS)
    before = len(at.mails("C"))
    a_week_later(at)
    for seat in (*SEATS, GAMESMASTER):
        assert len(sent(at, seat)) == (seat != GAMESMASTER)
    assert f"{MAIL}: your copy" in subjects(at)
    assert len(at.mails("C")) == before + 1
    assert sent(at, "C")[0].partition("\n\n")[2] == (
        "What the players of game g, Coalition, say now that it is over.\n\n"
        "A (Player A)\n\n    | Never again.\n\n"
        "B (Player B)\n\n    | I had PM from the start.\n    |\n    | VOTE AYE\n    | PASS\n"
    )
    at.once()
    a_week_later(at)
    assert len(sent(at, "C")) == 1 and faults(at) == []
    at.send("C", "STATEMENT\nToo late.")
    assert "It was too late for STATEMENT." in told(at, "C")


def test_a_statement_has_up_to_400_words(at: Installation) -> None:
    by_agreement(at)
    at.send("A", "STATEMENT\n" + "word " * 401)
    assert "Your statement has 401 words; 400 are taken at most. Nothing of it was taken." in told(
        at, "A"
    )
    at.send("A", "STATEMENT\n" + "word " * 400)
    assert "Your statement of 400 words is taken." in told(at, "A")
    for text, why in (
        ("word " * 401, "has 401 words; 400 are taken at most."),
        ("w\n" * 201, "has 201 lines; 200 are taken at most."),
        ("\n".join("w" * 70 for _ in range(100)), "has 7099 signs; 6000 are taken at most."),
        ("", "STATEMENT has no words below it."),
    ):
        at.send("A", f"STATEMENT\n{text}")
        assert why in told(at, "A")
        assert "Nothing of it was taken. Your former statement stands." in told(at, "A")
    at.send("B", "STATEMENT\nOne.")
    at.send("B", "CHECK\nSTATEMENT\nTwo two.")
    assert "Your statement has 2 words; it can be taken." in told(at, "B")
    at.send("B", "STATEMENT\nThree three three.\n")
    assert "Your statement of 3 words is taken, in place of your former one." in told(at, "B")
    a_week_later(at)
    (said,) = sent(at, "E")
    assert said.count("word") == 400 and "Three three three." in said
    assert "One." not in said and "Two" not in said


def test_where_nobody_writes_there_is_no_mail(at: Installation) -> None:
    by_agreement(at)
    before = len(at.mails("C")), subjects(at)
    a_week_later(at)
    assert len(at.mails("C")) == before[0]
    assert not any("statements" in one for one in subjects(at))
    assert at.table().row.statements_until is None


def test_the_game_runs_or_ended_otherwise_than_was_meant(at: Installation) -> None:
    at.send("A", 'NAME "Harbour"\nSTATEMENT\nNAME "Hill"')
    assert "STATEMENT is for the end of the game" in told(at, "A")
    assert at.standing("A") == ['NAME "Harbour"']
    by_agreement(at)
    at.send("B", 'NAME "Hill"\nPRESS TO ALL\nHello\nEND PRESS\nSTATEMENT\nGood bye.')
    assert "statement of 2 words is taken" in told(at, "B")
    assert "The game is over, so nothing else of your letter was taken." in told(at, "B")
    assert not any("Hello" in text_of(mail) for mail in at.mails("C"))


def test_a_letter_in_time_counts_though_it_is_read_after_the_week(at: Installation) -> None:
    by_agreement(at)
    until = at.table().row.statements_until
    assert until is not None
    at.clock = until - timedelta(minutes=1)
    at.write("A", "STATEMENT\nIn time.")
    at.clock = until + timedelta(minutes=5)
    at.send("B", "STATEMENT\nToo late.")
    (said,) = sent(at, "C")
    assert "In time." in said and "Too late." not in said
    assert any("It was too late for STATEMENT." in text_of(mail) for mail in at.mails("B"))


@pytest.mark.game("coalition", trust="proven")
def test_a_statement_needs_proof_and_keeps_its_place(at: Installation) -> None:
    for seat in SEATS:
        surely(at, seat, "AGREE WIN A")
    at.once()
    at.send("A", "STATEMENT\nThe first.")
    assert at.outcomes()[-1][0] == "unverified"
    asked = told(at, "A")
    assert "before Monday 9 March 2026" in asked and "before the period" not in asked
    confirm = f"CONFIRM {code(at, 'A')}"
    proven(at, "A", "STATEMENT\nThe second.")
    at.once()
    at.send("A", confirm)
    assert "The statement that you sent after this letter stands." in told(at, "A")
    at.send("B", "STATEMENT\nMine.")
    at.send("B", f"CONFIRM {code(at, 'B')}")
    a_week_later(at)
    (said,) = sent(at, "C")
    assert "The second." in said and "The first." not in said and "Mine." in said


def test_a_player_whose_other_game_runs(at: Installation) -> None:
    """A letter with STATEMENT is for the game that is over, all others for the one that runs."""
    by_agreement(at)
    at.start("h")
    at.send("A", "STATEMENT\nIt was short.")
    assert "Receipt 2 of game g" in told(at, "A") and "4 words" not in told(at, "A")
    assert "Your statement of 3 words is taken." in told(at, "A")
    at.send("A", "SPECIAL AGR")
    assert "Receipt 1 of game h" in told(at, "A")
    bulletin = next(m for m in at.mails("A") if "game is over" in text_of(m))
    at.send("B", "STATEMENT\nAn answer.", To=str(bulletin["Reply-To"]), Subject="Re: [g] Bulletin")
    assert "game g" in told(at, "B")
    at.send("C", "GAME h\nSTATEMENT\nThe wrong one.")
    assert "STATEMENT is for the end of the game" in told(at, "C")
    at.send("C", "GAME g\nSTATEMENT\nThe right one.")
    assert "Your statement of 3 words is taken." in told(at, "C")
    a_week_later(at)
    assert "The right one." in sent(at, "D")[0] and "An answer." in sent(at, "D")[0]
    at.send("A", "STATEMENT\nAgain.")
    assert "game h" in told(at, "A"), "nothing is taken of g any more"


@pytest.mark.game("coalition", strangers=(STANDBY,))
def test_who_stands_by_is_not_asked(at: Installation) -> None:
    at.act(claims.enlist, "g", STANDBY, "Stella")
    by_agreement(at)
    at.send("A", "STATEMENT\nWords.")
    a_week_later(at)
    assert "statement" not in " ".join(map(text_of, at.mails(STANDBY))) and sent(at, "B")


def test_a_rewound_game_asks_again(at: Installation) -> None:
    at.to_deadline()
    by_agreement(at)
    at.send("A", "STATEMENT\nStill true.")
    rewind(at, 1)
    at.once()
    a_week_later(at)
    assert sent(at, "B") == [], "the game runs"
    by_agreement(at)
    at.send("B", "STATEMENT\nNew.")
    a_week_later(at)
    (said,) = sent(at, "C")
    assert "Still true." in said and "New." in said


def test_letters_are_kept_until_the_statements_are_out(at: Installation) -> None:
    by_agreement(at)
    at.send("A", "STATEMENT\nWords.")
    at.change_site(config=at.daemon.config.model_copy(update={"daemon": _no_retention(at)}))
    at.later(days=2)
    assert _kept(at) > 0
    at.clock += WEEK
    at.once()
    at.later(days=1)
    assert _kept(at) == 0


def _no_retention(at: Installation) -> object:
    return at.daemon.config.daemon.model_copy(update={"retention_days": 0})


def _kept(at: Installation) -> int:
    with exclusive_transaction(at.daemon.engine) as conn:
        return len(conn.execute(select(Letter.id).where(Letter.raw.is_not(None))).all())


@pytest.mark.parametrize("point", ["letter.decided", "letter.committed"])
def test_a_process_that_ends_at_a_statement(at: Installation, point: str) -> None:
    by_agreement(at)

    def crash(here: str) -> None:
        if here == point:
            raise Killed

    at.write("A", "STATEMENT\nWords.")
    dying = at.new_daemon(crash)
    with pytest.raises(Killed):
        dying.once(at.clock)
    dying.close()
    with exclusive_transaction(at.daemon.engine) as conn:
        found = conn.execute(select(Statement.seat)).all()
    assert bool(found) == (point == "letter.committed")
    a_week_later(at)
    assert "Words." in sent(at, "B")[0]
