"""A game ends by the agreement of all who are still in it: secret ballots, of which only success is told;
and what a rewind leaves of them."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.cli.games import export
from pbem.daemon.loop import Daemon
from pbem.orders.called import named
from pbem.periods import deadline_acts, replay
from pbem.referee.acts import seat_acts
from pbem.referee.gamesmaster import queue
from pbem.referee.gamesmaster.queue import Face
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Ballot
from tests.faults.test_side_by_side import Standing, apart, decides, ended, someone_waits, taken_in
from tests.installation import (
    GAMESMASTER,
    SEATS,
    SLATE,
    Installation,
    address,
    desk,
    proven,
    secretly,
    surely,
    text_of,
    told,
)
from tests.mail.proof import code
from tests.masters import reply_to
from tests.rewinds import rewind
from tests.subjects import subjects
from tests.twins import RANDOM, database_of_a_twin

NEW = "new@else.example"
DRAW = "AGREE DRAW A, B"


def agree(at: Installation, *seats: str, ballot: str = DRAW) -> None:
    for seat in seats:
        surely(at, seat, f"GAME g\n{ballot}")
    at.once()


def bulletins(at: Installation, seat: str) -> list[str]:
    """The bulletins that a seat has got, each on one line."""
    return [
        " ".join(text_of(mail).split())
        for mail in at.mails(seat)
        if str(mail["Subject"]).startswith("[g] Bulletin")
    ]


def faults(at: Installation) -> list[str]:
    with desk(at) as work:
        return replay.replay(work.conn, "g").faults


def over(at: Installation) -> bool:
    return at.table().row.status == "over"


# --- success --------------------------------------------------------------------------------------


def test_all_games_end_so(key: str, tmp_path: Path) -> None:
    with Installation(tmp_path, key) as at:
        at.start()
        *others, last = at.seats
        one, two = at.seats[:2]
        for seat in others:
            surely(at, seat, f"agree draw {two.lower()} and {one}")
        surely(at, one, f"AGREE WIN {one}\nAGREE DRAW {one}, {two}\nSTATUS")
        at.once()
        shared = named(f"a draw of {one} and {two}", at.table().called)
        assert not over(at)
        assert f"Your ballot is on file: {shared}. It stands" in told(at, one)
        assert f"ballot for the end of the game is: {shared} (AGREE NONE" in told(at, one)
        assert f"Your secret ballot for the end of the game is: {shared}" in told(at, one)
        agree(at, last, ballot=f"AGREE DRAW {two} {one}")
        assert over(at) and at.table().result == {"winners": [one, two], "standing": {}}
        for seat in at.seats:
            said = bulletins(at, seat)
            assert len(said) == 1 and "Bulletin 1: the game is over" in said[0]
            assert f"It has ended by agreement of all: {shared}." in said[0]
            assert "The seed of this game was: 7" in said[0] and "WHAT IS NEXT" not in said[0]
        assert f"and so it is over: {shared}." in told(at, last)
        assert at.journal()[-4:] == ["letter", "agreed", "over", "published"]
        assert faults(at) == []
        surely(at, last, "STATUS\nHISTORY\nAGREE NONE")
        at.once()
        assert f"The game has ended by agreement of all: {shared}." in told(at, last)
        assert "Bulletin 1: the game is over" in told(at, last) and over(at)
        before = len(at.mails(one))
        at.once()
        assert len(at.mails(one)) == before
        with desk(at) as work:
            export(work.conn, "g", tmp_path / "out")
        game = json.loads((tmp_path / "out" / "game.json").read_text())
        assert game["result"] == {"winners": [one, two], "standing": {}}


def test_ballots_stand_from_period_to_period_and_in_a_held_game(at: Installation) -> None:
    agree(at, "A", "B")
    at.to_deadline()
    agree(at, "C", "D")
    at.act(deadline_acts.hold, "g", "illness")
    agree(at, "E")
    assert over(at) and "Bulletin 2: the game is over" in bulletins(at, "C")[-1]
    assert faults(at) == []
    at.clock = at.clock.replace(month=6)
    assert at.once().closed == 0, "nothing is due any more"


def test_who_has_left_the_game_need_not_agree(at: Installation) -> None:
    """The others have agreed before: the game ends with the bulletin that tells of it."""
    surely(at, "E", "RESIGN\nAGREE WIN E")
    at.once()
    found = re.findall(r"CONFIRM (\S+)", " ".join(text_of(mail) for mail in at.mails("E")))
    at.write("E", f"CONFIRM {found[0]}")
    agree(at, "A", "B", "C", "D")
    assert not over(at)
    at.to_deadline()
    assert over(at)
    said = bulletins(at, "C")
    assert "Bulletin 1: period 1 (" in said[0] and "Bulletin 2: the game is over" in said[1]
    assert faults(at) == []


def test_who_has_left_the_game_shares_no_end(at: Installation) -> None:
    at.send("B", "RESIGN")
    found = re.findall(r"CONFIRM (\S+)", " ".join(text_of(mail) for mail in at.mails("B")))
    at.write("B", f"CONFIRM {found[0]}")
    agree(at, "A", "C", "D", "E")
    at.to_deadline()
    assert not over(at), "B is out of the game"
    agree(at, "B")
    assert "was not taken: B is out of the game." in told(at, "B")
    agree(at, "B", ballot="AGREE WIN A")
    assert "AGREE: you are out of the game" in told(at, "B")
    agree(at, "A", "C", "D", "E", ballot="AGREE WIN A")
    assert over(at)


# --- ballots --------------------------------------------------------------------------------------


def test_a_ballot_is_taken_back_and_changed(at: Installation) -> None:
    agree(at, "A", "B", "C", "D")
    agree(at, "D", ballot="AGREE NONE")
    assert "Your ballot is taken back." in told(at, "D") and "secret ballot" not in told(at, "D")
    agree(at, "D", ballot="AGREE NONE")
    assert "There was no ballot of yours." in told(at, "D")
    agree(at, "E")
    assert not over(at)
    at.clock += timedelta(hours=1)
    agree(at, "D", ballot="AGREE WIN B")
    assert not over(at) and "a win of B" in told(at, "D")
    agree(at, "D")
    assert over(at)


def test_a_ballot_that_is_only_tried(at: Installation) -> None:
    agree(at, "A", "B", "C", "D")
    agree(at, "E", ballot=f"CHECK\n{DRAW}")
    assert "AGREE: it can be taken (a draw of A and B)." in told(at, "E") and not over(at)
    agree(at, "E", ballot="AGREE DRAW A, Z")
    assert "there is no seat Z. For a draw write AGREE DRAW A, B and so on" in told(at, "E")
    assert not over(at)


@pytest.mark.parametrize("trust", ["open", "proven"])
def test_a_ballot_needs_proof_in_any_game(tmp_path: Path, trust: str) -> None:
    """Where orders need none too: by it a game may end at once."""
    with Installation(tmp_path, "coalition", seats=SEATS, trust=trust) as at:
        at.start()
        for seat in "ABCD":
            surely(at, seat, DRAW)
        to = str(at.mails("E")[-1]["Reply-To"])
        at.write("E", DRAW, To=to)
        proven(at, "E", DRAW)
        at.once()
        assert [outcome for outcome, _ in at.outcomes()[-2:]] == ["unverified"] * 2
        assert "AGREE, which cannot be taken back" in told(at, "E")
        assert not over(at)
        first = code(at, "E")
        surely(at, "E", "AGREE WIN E")
        at.once()
        at.send("E", f"CONFIRM {first}")
        assert not over(at), "what was sent after it counts"
        assert "what you sent after this letter about the end of the game counts" in told(at, "E")
        assert "is: a win of E" in told(at, "E")
        at.clock += timedelta(hours=1)
        surely(at, "E", DRAW)
        at.once()
        assert over(at)


@pytest.mark.game("coalition", strangers=(NEW,))
def test_a_ballot_is_void_when_the_seat_gets_another_player(at: Installation) -> None:
    agree(at, "A", "B", "C", "D")
    at.act(seat_acts.replace, "g", "D", NEW, "New", "illness")
    agree(at, "E")
    assert not over(at)
    at.send(NEW, "STATUS")
    assert "secret ballot" not in told(at, NEW)
    surely(at, NEW, DRAW)
    at.once()
    assert over(at)
    assert not any("THE GAME IS OVER" in text_of(mail) for mail in at.mails("D"))


def test_a_letter_that_crossed_the_deadline_has_no_ballot(at: Installation) -> None:
    agree(at, "A", "B", "C", "D")
    at.to_deadline()
    agree(at, "E", ballot=f"PERIOD 1\n{DRAW}")
    assert not over(at) and "It was too late for AGREE." in told(at, "E")


# --- secrecy --------------------------------------------------------------------------------------


@pytest.fixture
def twins(tmp_path: Path) -> Iterator[tuple[Installation, Installation]]:
    """The same game twice, with one installation's key."""
    with ExitStack() as stack:
        made = []
        for name in ("quiet", "voting"):
            url = database_of_a_twin(tmp_path / name)
            one = Installation(tmp_path / name, "coalition", seats=SEATS, url=url)
            made.append(stack.enter_context(one))
            one.start()
        yield made[0], made[1]


def test_nobody_else_learns_of_a_ballot(twins: tuple[Installation, Installation]) -> None:
    """In one of the two games four of five agree, one withdraws and one thinks better of it: what
    the fifth and the gamesmaster get, and what he sees, is the same."""
    for at, ballots in zip(twins, ("", DRAW), strict=True):
        for seat in "ABCD":
            surely(at, seat, f"SPECIAL AGR\n{ballots}", Message_ID=f"<{seat}1@legit.example>")
        at.once()
        for seat, ballot in (("A", "AGREE NONE"), ("B", "AGREE WIN B")):
            text = f"PASS\n{ballot if ballots else ''}"
            surely(at, seat, text, Message_ID=f"<{seat}2@legit.example>")
        at.once()
        at.send("E", "STATUS\nORDERS\nHISTORY\nWHY", Message_ID="<e1@legit.example>")
        at.to_deadline()
        at.send("E", "STATUS\nHISTORY", Message_ID="<e2@legit.example>")
        at.send(GAMESMASTER, "QUEUE", To=reply_to(at, GAMESMASTER), Message_ID="<q@game.example>")
        at.clock += timedelta(days=6, hours=12)
        at.once()  # the digest of the Monday after
    for box in (address("E"), GAMESMASTER):
        quiet, voting = (_seen(at, box) for at in twins)
        assert len(quiet) >= 3 and quiet == voting, box
    quiet, voting = (_queue(at) for at in twins)
    assert quiet == voting
    assert twins[0].journal() == twins[1].journal()
    with exclusive_transaction(twins[1].daemon.engine) as conn:
        assert len(conn.execute(select(Ballot.seat)).all()) == 4


def _seen(at: Installation, box: str) -> list[bytes]:
    mails = at.office.messages(box)
    for pattern, said in RANDOM:
        mails = [re.sub(pattern, said, mail) for mail in mails]
    return mails


def _queue(at: Installation) -> tuple[object, str]:
    with desk(at) as work:
        told = queue.queue(work, "g")
        return told, queue.text(told, Face.MAIL)


# --- taken up again -------------------------------------------------------------------------------


def test_a_rewound_game_goes_on_and_needs_new_ballots(at: Installation) -> None:
    at.send("A", f"PROPOSE {SLATE}")
    at.to_deadline()
    agree(at, *SEATS)
    assert over(at)
    rewind(at, 1, why="a letter had been misread")
    at.once()
    table = at.table()
    assert table.row.status == "running" and table.period.number == 2 and table.result is None
    assert table.row.statements_until is None and table.row.agreed is None
    assert "The agreement that had ended the game is void." in bulletins(at, "C")[-1]
    for seat in SEATS:
        mine = [" ".join(text_of(m).split()) for m in at.mails(seat)]
        (void,) = [text for text in mine if "Your ballot for a draw of A and B is void" in text]
        assert "Nobody else is told of this." in void
    assert faults(at) == []
    agree(at, "A")
    assert not over(at)
    at.to_deadline()
    assert at.table().period.number == 3 and faults(at) == []
    agree(at, "B", "C", "D", "E")
    assert over(at) and faults(at) == []


# --- one transaction ------------------------------------------------------------------------------


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("point", ["letter.tried", "letter.decided", "letter.committed"])
def test_a_process_that_ends_at_the_last_ballot(at: Installation, point: str) -> None:
    agree(at, "A", "B", "C", "D")
    secretly(at, "E", DRAW)
    at.once()
    at.write("E", f"CONFIRM {code(at, 'E')}")
    its_own = iter((False, True))  # the letter with the code comes first

    def crash(here: str) -> None:
        if here == point and next(its_own):
            raise Killed

    dying = at.new_daemon(crash)
    with pytest.raises(Killed):
        dying.once(at.clock)
    dying.close()
    assert over(at) == (point == "letter.committed")
    assert at.table().row.agreed == (["A", "B"] if over(at) else None)
    at.once()
    assert over(at) and len(bulletins(at, "C")) == 1 and faults(at) == []
    assert at.journal().count("agreed") == 1


@pytest.mark.needs("postgresql")
def test_the_last_two_ballots_at_once(tmp_path: Path, postgresql_url: str) -> None:
    """The second waits for the first, and ends the game."""
    with Installation(tmp_path, "coalition", seats=SEATS, url=postgresql_url) as at:
        at.start()
        agree(at, "A", "B", "C")
        for seat in "DE":
            secretly(at, seat, DRAW)
        at.once()
        taken_in(at, *((seat, "g", f"CONFIRM {code(at, seat)}") for seat in "DE"))

        def first_alone(daemon: Daemon) -> None:
            daemon.referee.decide_all(at.clock)

        first = Standing(at, "letter.decided", first_alone)
        second = apart(at, decides(at))
        someone_waits(at)
        first.go_on()
        ended(second)
        at.once()
        at.once()
        assert over(at) and at.journal().count("agreed") == 1
        assert len(bulletins(at, "C")) == 1 and faults(at) == []


def test_a_rewind_voids_ballots_and_tells_their_players_only(at: Installation) -> None:
    at.to_deadline()
    agree(at, "A", "B")
    agree(at, "B", ballot="AGREE NONE")
    rewind(at, 1)
    at.once()
    told_of = [s for s in SEATS if "[g] Your ballot is void" in subjects(at, address(s))]
    assert told_of == ["A"] and "agreement" not in bulletins(at, "C")[-1]
