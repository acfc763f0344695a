"""Whatever shows the gamesmaster what is secret while a period runs is a look: in the journal, and
counted in the next bulletin if he plays. Each act and each command says here whether it is one."""

from collections.abc import Mapping

import pytest
from sqlalchemy import select, update

from pbem.acts.acts import ACTS
from pbem.cli.commands import helps
from pbem.periods import opening, replay
from pbem.referee.acts import seat_acts, word_acts
from pbem.referee.gamesmaster import explaining
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.journal.notes import LookKind
from pbem.store.schema.tables import Game, Journal, Letter
from tests.installation import GAMESMASTER, SEATS, Installation, address, desk, text_of
from tests.mail.test_act_table import by_mail, prepared
from tests.parsed import attached
from tests.rewinds import rewind
from tests.shell import Shell

ORDERS = "SPECIAL AGR"


@pytest.fixture
def playing(at: Installation) -> Installation:
    """Its gamesmaster plays D."""
    take_a_seat(at)
    return at


def take_a_seat(at: Installation) -> None:
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Game).values(gamesmaster=address("D")))


NOTHING: Mapping[LookKind, int] = {}
ACT_LOOKS: Mapping[str, Mapping[LookKind, int]] = {
    **{act.name: NOTHING for act in ACTS if act.name not in ("start", "end")},
    "preview": {LookKind.PREVIEW: 1},
    "order": {LookKind.ORDER: 1},
    "accept": {LookKind.ACCEPT: 1},
    "rewind": {LookKind.DRY_RUN: 1},
}
COMMAND_LOOKS: Mapping[str, Mapping[LookKind, int]] = {
    "once": NOTHING,
    "letter": {LookKind.LETTER: 1},
    "doctor": NOTHING,
    "backup": NOTHING,  # the database as it is, of which the machine's owner has a file anyway
    "db": NOTHING,
    "new": NOTHING,
    "start": NOTHING,
    "forget": NOTHING,
    "end": NOTHING,
    "seen": NOTHING,
    "queue": NOTHING,  # who is in and who is missing: the gamesmaster's desk of every day
    "replay": NOTHING,  # says only whether it came out the same
    "export": {LookKind.EXPORT: 1},
    "explain": NOTHING,
    "why": NOTHING,  # public figures
}
BESIDE = {
    "desk",
    "init",
    "play",
    "practice",
    "check",
    "games",
    "help",
    "rules",
    "house",
    "site",
    "table",
    "zine",
    "demo",
    "serve",
}
"""They have no game of an installation, or show what is public of it; the last does what ``once`` does, for ever; of
the first each page says whether it is one."""


def journalled(at: Installation) -> list[str]:
    with exclusive_transaction(at.daemon.engine) as conn:
        rows = conn.execute(select(Journal.data).where(Journal.kind == "look").order_by(Journal.n))
        return [data["at"] for data in rows.scalars()]


def said(at: Installation, who: str = "E") -> list[str]:
    """What each bulletin that somebody got says of looks."""
    found = []
    for mail in at.mails(who):
        for part in text_of(mail).split("\n\n"):
            if part.startswith("The gamesmaster has looked"):
                found.append(" ".join(part.split()))
    return found


def words(shell: Shell, name: str) -> list[str]:
    """A command upon the installation, after what it needs has come about."""
    folder = shell.file.parent
    shell.at.write("A", ORDERS)
    shell("once")
    players = [word for seat in SEATS for word in ("--player", f"{seat}={address(seat)}")]
    if name in ("start", "forget"):
        shell("new", "coalition", "h", *players)
    return {
        "letter": ["--id", "1"],
        "doctor": ["--offline"],
        "backup": [str(folder / "backup.db")],
        "db": ["check"],
        "new": ["coalition", "h", *players],
        "start": ["h"],
        "forget": ["h"],
        "end": ["g"],
        "queue": ["g"],
        "replay": ["g"],
        "export": ["g", str(folder / "exported")],
        "explain": ["deadline", "g"],
        "why": ["g", "A"],
    }.get(name, [])


def test_each_act_and_command_says_whether_it_looks() -> None:
    assert set(ACT_LOOKS) | set(COMMAND_LOOKS) | BESIDE == set(helps())


@pytest.mark.parametrize(  # an amendment must be adopted first: test_amended
    "name", [*(name for name in ACT_LOOKS if name != "amended"), *COMMAND_LOOKS]
)
def test_a_look_is_journalled(begun: Shell, name: str) -> None:
    at, act = begun.at, name in ACT_LOOKS
    given = prepared(begun, name) if act else words(begun, name)
    if name == "rewind":
        given.remove("--do")  # which only then is a look
    wanted = (ACT_LOOKS if act else COMMAND_LOOKS)[name]
    assert journalled(at) == []
    answer = begun(name, *given)
    assert journalled(at) == list(wanted)
    assert ("this look is in the journal" in answer) == (name in ("letter", "export"))
    if wanted:
        begun("close", "g")
    begun("once")
    assert [said(at, who) for who in (*SEATS, GAMESMASTER)] == [[]] * 6, "he plays no seat"


def test_by_mail_queue_is_no_look_and_preview_is_one(begun: Shell) -> None:
    assert "    due " in by_mail(begun, "QUEUE") and journalled(begun.at) == []
    assert "PREVIEW (missing" in by_mail(begun, "PREVIEW")
    assert journalled(begun.at) == [LookKind.PREVIEW]


def test_they_are_counted_in_one_line_and_told_once(playing: Installation) -> None:
    at = playing
    at.send("A", ORDERS)
    with desk(at) as work:
        for _ in range(2):
            word_acts.preview(work, "g")
        for seat in "BC":
            seat_acts.order(work, "g", 1, seat, ORDERS)
        explaining.explain(work, None, 1)
    at.to_deadline()
    at.to_deadline()
    line = (
        "The gamesmaster has looked in this period: 2 previews, 2 entries of orders for a seat, 1"
        " letter opened."
    )
    assert said(at) == [line]
    with desk(at) as work:
        assert replay.replay(work.conn, "g").faults == []


def opened(at: Installation, number: int, **values: object) -> str:
    """What a look at a letter is told, after columns of it were set."""
    with exclusive_transaction(at.daemon.engine) as conn:
        if values:
            conn.execute(update(Letter).where(Letter.id == number).values(**values))
    with desk(at) as work:
        return str(explaining.explain(work, None, number).json["look"])


def test_which_letters_are_looks(playing: Installation) -> None:
    at = playing
    at.write("A", ORDERS)
    at.write("B", "PRESS TO A\nLet us talk.\nEND PRESS")
    at.send("C", "PRESS TO ALL\nHear, hear.\nEND PRESS")
    kinds = ["1 letter opened", "1 letter with private press opened", "1 letter opened"]
    for number, kind in enumerate(kinds, start=1):
        assert opened(at, number).endswith(f"bulletin 1 of g counts it: {kind}")
    at.to_deadline()
    assert opened(at, 1) == "" and opened(at, 3) == "", "their period is closed"
    assert opened(at, 2).endswith("bulletin 2 of g counts it: 1 letter with private press opened")
    assert opened(at, 1, outcome="late").endswith("1 letter opened"), "it may be accepted yet"
    at.act(opening.end, "g", "enough")
    assert opened(at, 1) == "" == opened(at, 2), "nothing is secret any more"


def test_a_letter_of_which_nobody_knows_the_game_is_of_its_writers(at: Installation) -> None:
    at.send("A", ORDERS)
    assert opened(at, 1, outcome="stored", game_id="", seat="", period=0)


def test_a_letter_that_names_neither_of_two_games_is_a_look_in_none(at: Installation) -> None:
    at.start("h")
    at.send("A", ORDERS)
    assert at.outcomes()[-1][0] == "held" and opened(at, 1) == ""


def test_a_file_is_tried_upon_what_a_seat_has(at: Installation) -> None:
    file = at.folder / "letter.eml"
    file.write_bytes(at.letter("A", ORDERS))
    with desk(at) as work:
        assert "1 letter opened" in explaining.explain(work, file, None).text
    file.write_bytes(at.letter("x@nowhere.example", ORDERS))
    with desk(at) as work:
        assert explaining.explain(work, file, None).json["look"] == ""


@pytest.mark.game("coalition", publish="review")
def test_a_look_in_review_is_told_by_the_bulletin_that_waits(at: Installation) -> None:
    take_a_seat(at)
    at.to_deadline()
    with desk(at) as work:
        shown = word_acts.preview(work, "g").seen.text
    assert "has looked in this period: 1 preview." in " ".join(shown.split())
    at.act(word_acts.release, "g", None)
    at.once()
    assert said(at) == ["The gamesmaster has looked in this period: 1 preview."]


def test_a_rewind_keeps_them_right(playing: Installation) -> None:
    at = playing
    at.act(word_acts.preview, "g")
    at.to_deadline()
    at.act(seat_acts.order, "g", 2, "A", ORDERS)
    at.to_deadline()
    at.act(word_acts.preview, "g")
    rewind(at, 1)
    at.once()
    first = "The gamesmaster has looked in this period: 1 preview."
    second = "The gamesmaster has looked in this period: 1 entry of orders for a seat."
    corrected = "The gamesmaster has looked in this period: 1 preview; in period 3: 1 preview."
    assert said(at) == [first, second, corrected]
    at.to_deadline()
    assert said(at) == [first, second, corrected, second]
    with desk(at) as work:
        assert replay.replay(work.conn, "g").faults == []


def test_a_game_that_is_ended_tells_of_the_last_looks(playing: Installation) -> None:
    at = playing
    with desk(at) as work:
        word_acts.preview(work, "g")
        opening.end(work, "g", "enough")
    at.once()
    assert said(at) == ["The gamesmaster has looked in this period: 1 preview."]


def test_the_welcome_says_what_the_gamesmaster_can_see(at: Installation) -> None:
    on_one_line = attached(at.mails("A")[0])
    for said_there in (
        "Anyone who owns the machine on which the referee runs can read everything there",
        "Anyone who reads its files past the referee leaves no trace.",
        "is written into the journal of the game. If the gamesmaster plays in the game too, the"
        " next bulletin says how many there were",
    ):
        assert said_there in on_one_line
    with desk(at) as work:
        assert games.game_at(work.conn, "g").row.status == "running"
