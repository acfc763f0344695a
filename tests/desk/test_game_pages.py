"""A game's pages at the desk, opened in a browser without scripts."""

from pathlib import Path

import pytest
from sqlalchemy import select, update

from pbem.games.frame.length import Days
from pbem.periods import deadline_acts, opening
from pbem.referee.acts import clock_acts, word_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Journal, Outgoing, Period
from tests.desk.looking import looked
from tests.desk.visitor import Visitor
from tests.installation import GAMESMASTER, SEATS, Installation, address, desk
from tests.masters import ANNA, make
from tests.rewinds import bots, rewind
from tests.subjects import issues

OF_A_GAME = (
    "",
    "/bulletins/0",
    "/bulletins/0/as-sent",
    "/seats/{seat}",
    "/journal",
    "/preview",
    "/rewind",
)


def journalled(at: Installation, kind: str) -> int:
    with exclusive_transaction(at.daemon.engine) as conn:
        return len(conn.execute(select(Journal.n).where(Journal.kind == kind)).all())


def mail_of(at: Installation, kind: str, seat: str, game: str = "g") -> int:
    with exclusive_transaction(at.daemon.engine) as conn:
        where = (Outgoing.game_id == game, Outgoing.kind == kind, Outgoing.seat == seat)
        return int(conn.execute(select(Outgoing.id).where(*where)).scalars().all()[0])


@pytest.fixture
def visitor(at: Installation) -> Visitor:
    return Visitor(at).come_in()


# --- each page of each game -----------------------------------------------------------------------


def test_every_page_of_every_game(tmp_path: Path, key: str) -> None:
    with Installation(tmp_path, key) as at:
        at.start()
        for _ in range(2):
            bots(at)
        visitor = Visitor(at).come_in()
        for path in OF_A_GAME:
            visitor.get(f"/games/g{path.format(seat=at.seats[0])}")
            assert visitor.status == 200, (path, visitor.words)
        visitor.get("/games/g")
        shown = [one.attributes["src"] for one in visitor.find("figure img")]
        assert shown and all(one.attributes["alt"] for one in visitor.find("figure img"))
        for source in shown:
            visitor.get(str(source))
            assert visitor.headers["content-type"] == "image/png"
            assert visitor.body.startswith(b"\x89PNG")
        assert looked(at) == [], "none of these is a look"
        visitor.get("/games/g/preview").press("Show it")
        assert visitor.status == 200 and "Beside the last one" in visitor.words
        assert looked(at) == ["preview"]
        visitor.get("/games/g/rewind").press("See what it would change", number="1", why="misread")
        assert visitor.status == 200 and "What it would change" in visitor.words
        assert looked(at) == ["preview", "dry-run"]


# --- a game in each of its states -----------------------------------------------------------------


def test_a_game_that_waits_can_be_begun(at: Installation) -> None:
    players = [(seat, address(seat), f"Player {seat}") for seat in SEATS]
    at.act(opening.new, opening.Plan("w", "coalition", players, "Europe/Paris"))
    visitor = Visitor(at).come_in().get("/games/w")
    assert "The game is made, and waits for its start." in visitor.words
    assert address("A") in visitor.words
    visitor.press("Begin the game")
    assert visitor.status == 200 and visitor.url.startswith("/do/start")
    for path in ("journal", "preview", "rewind", "bulletins/0", "seats/A"):
        visitor.get(f"/games/w/{path}")
        assert visitor.status == 404 and "has not begun" in visitor.words


def test_a_game_that_is_held_says_why_and_goes_on(at: Installation, visitor: Visitor) -> None:
    at.act(deadline_acts.hold, "g", "illness")
    visitor.get("/games/g")
    assert "The game is held since Monday 2 March, 10:01: illness." in visitor.words
    visitor.press("Let it go on").press("Do it")
    assert at.table().row.status == "running"


def test_a_game_that_is_over(at: Installation, visitor: Visitor) -> None:
    at.act(opening.end, "g", "enough")
    visitor.get("/games/g")
    assert "The game is over: the gamesmaster has ended it." in visitor.words
    assert "Seed7" in visitor.words and "Period 1 (opening)" in visitor.words
    assert not visitor.find("button")[1:], "nothing is left to do but to leave"
    visitor.get("/games/g/preview")
    assert "there is nothing to come" in visitor.words
    opened = visitor.get(f"/games/g/mails/{mail_of(at, 'start', 'A')}/as-sent")
    assert opened.status == 200 and looked(at) == [], "nothing is secret any more"


@pytest.mark.game("coalition", publish="review")
def test_a_bulletin_is_read_and_released(at: Installation) -> None:
    at.to_deadline()
    visitor = Visitor(at).come_in().get("/games/g")
    assert "Bulletin 1 is made, and waits for its release." in visitor.words
    visitor.get("/games/g/bulletins/1")
    assert visitor.status == 404
    visitor.get("/games/g/bulletins/1/chart.png")
    assert visitor.status == 404
    visitor.get("/games/g/preview").press("Show it")
    assert "Nothing of it is out." in visitor.words
    visitor.press("Release bulletin 1")
    visitor.press("Do it")
    at.once()
    assert at.table().period.status == "open"
    assert any("Bulletin 1" in subject for subject in issues(at, "A"))


def test_a_rewound_game_has_its_editions(at: Installation, visitor: Visitor) -> None:
    at.to_deadline()
    at.to_deadline()
    rewind(at, 1)
    at.once()
    visitor.come_in().get("/games/g")
    assert "It was rewound once" in visitor.words
    assert "void: a rewind took it back" in visitor.words
    visitor.get("/games/g/bulletins/1")
    assert "It was published 2 times" in visitor.words
    assert "CORRECTED" in visitor.get("/games/g/bulletins/1/as-sent").text
    assert "CORRECTED" not in visitor.get("/games/g/bulletins/1/as-sent?edition=1").text
    assert "It is void" in visitor.get("/games/g/bulletins/2").words
    assert visitor.get("/games/g/bulletins/2/as-sent").status == 200
    assert visitor.get("/games/g/bulletins/2/chart.png").status == 404


def test_a_record_that_cannot_be_read_has_a_page(at: Installation, visitor: Visitor) -> None:
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Period).values(state={"schema": 1, "phase": "?"}, state_hash="x"))
    visitor.get("/games/g")
    assert visitor.status == 200 and "cannot be read" in visitor.words
    assert "Player A" in visitor.words
    for path in OF_A_GAME[1:]:
        assert visitor.get(f"/games/g{path.format(seat='A')}").status == 404


# --- who sees what --------------------------------------------------------------------------------


def test_who_plays_sees_public_pages_alone(at: Installation) -> None:
    make(at, "h", gamesmaster=ANNA, seated={"A": ANNA})
    secret = mail_of(at, "start", "B", "h")
    visitor = Visitor(at).come_in(ANNA).get("/games/h")
    assert visitor.status == 200 and "you play A in h" in visitor.words
    assert address("B") not in visitor.text and "Owes" not in visitor.words
    buttons = ["Leave", "Another gamesmaster", "Another second gamesmaster"]
    assert [one.text() for one in visitor.find("button")] == buttons, "who is to have it in hand"
    assert visitor.get("/games/h/bulletins/0").status == 200
    assert address("B") not in visitor.text and "To whom" not in visitor.words
    assert visitor.get("/games/h/bulletins/0/as-sent").status == 200
    visitor.get("/games/h/seats/B")
    assert visitor.status == 200 and address("B") not in visitor.text
    assert "Mails to" not in visitor.words
    for path in ("journal", "preview", "rewind", f"mails/{secret}", f"mails/{secret}/as-sent"):
        assert visitor.get(f"/games/h/{path}").status == 409, path
        assert "You play A in h" in visitor.words
    for path in ("preview", "rewind"):
        form = {"csrf": visitor_csrf(visitor), "step": "look", "number": "1", "why": "x"}
        assert visitor.post(f"/games/h/{path}", form).status == 409
    assert looked(at) == []


def visitor_csrf(visitor: Visitor) -> str:
    visitor.get("/games")
    return str(visitor.find("input[name=csrf]")[0].attributes["value"])


# --- looks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["start", "notice"])
def test_a_seats_mail_is_a_look_and_its_page_is_none(
    at: Installation, visitor: Visitor, kind: str
) -> None:
    at.to_deadline()
    visitor.come_in()
    mail = mail_of(at, kind, "B")
    visitor.get(f"/games/g/mails/{mail}")
    assert "this is a look" in visitor.words and looked(at) == []
    (frame,) = visitor.find("iframe")
    assert "sandbox" in frame.attributes and frame.attributes["sandbox"] is None
    visitor.get(str(frame.attributes["src"]))
    assert looked(at) == ["mail"] and "mailto:" not in visitor.text
    policy = visitor.headers["content-security-policy"]
    assert "default-src 'none'" in policy and policy.endswith("sandbox")


def test_a_link_makes_no_look(at: Installation, visitor: Visitor) -> None:
    """What goes on file needs the page's own form, with its mark."""
    at.to_deadline()
    visitor.come_in()
    for path in ("preview?step=look", "rewind?step=try&number=1&why=x"):
        assert visitor.get(f"/games/g/{path}").status == 200
    assert looked(at) == [] and journalled(at, "rewind-tried") == 0
    visitor.post("/games/g/preview", {"step": "look", "csrf": "forged"})
    assert visitor.status == 403 and looked(at) == []


# --- acts -----------------------------------------------------------------------------------------


def test_a_rewind_is_tried_and_done(at: Installation, visitor: Visitor) -> None:
    at.to_deadline()
    visitor.come_in().get("/games/g/rewind")
    visitor.press("See what it would change", number="1", why="")
    assert visitor.status == 400 and "Why: is missing" in visitor.words and looked(at) == []
    form = {"number": "1", "why": "misread", "order": "A", "order-text": "SPECIAL AGR"}
    visitor.press("See what it would change", **form)
    assert "Orders of A" in visitor.words and "+ SPECIAL AGR" in visitor.words
    assert at.table().period.number == 2 and looked(at) == ["dry-run"]
    visitor.press("Rewind the game, and tell everybody")
    assert visitor.status == 200 and "Done." in visitor.words, visitor.words
    assert at.table().row.edition == 2 and journalled(at, "rewind") == 1
    at.once()
    assert any("goes back to period 1" in subject for subject in issues(at, "B"))


def test_a_rewind_that_changed_meanwhile_is_shown_anew(at: Installation, visitor: Visitor) -> None:
    at.to_deadline()
    visitor.come_in().get("/games/g/rewind")
    visitor.press("See what it would change", number="1", why="misread")
    at.act(deadline_acts.extend, "g", 2, Days(1), "the post")
    visitor.press("Rewind the game, and tell everybody")
    assert visitor.status == 409 and at.table().row.edition == 1


def test_a_ruling_waits_for_the_bulletin(at: Installation, visitor: Visitor) -> None:
    visitor.get("/games/g").press("Write a ruling").press(
        "See what it would do", text="Ties go to <b>the elder</b>."
    )
    visitor.press("Do it")
    visitor.get("/games/g")
    assert "Your ruling: Ties go to <b>the elder</b>." in visitor.words
    assert "<b>the elder" not in visitor.text


# --- what stands on it ----------------------------------------------------------------------------


def test_the_journal(at: Installation, visitor: Visitor) -> None:
    at.send("A", "SPECIAL AGR")
    visitor.get("/games/g/journal")
    assert "Letter 1 of A for period 1 was taken." in visitor.words and "AGR" not in visitor.words


def test_every_kind_of_entry_has_words(at: Installation, visitor: Visitor) -> None:
    """One that has none is shown as it is, by its kind: here none of a usual game is."""
    with desk(at) as work:
        clock_acts.pause(work, "g", 1, "2026-04-01", "2026-04-05", "Easter")
        clock_acts.pause(work, "g", 1, "NONE", "2026-04-01", "we play on")
        deadline_acts.hold(work, "g", "illness")
        deadline_acts.resume(work, "g")
        word_acts.rule(work, "g", "So be it.")
        clock_acts.close(work, "g", 1, unread=True)
    visitor.get("/games/g/journal")
    cells = [" ".join(one.text().split()) for one in visitor.find("td:nth-child(3)")]
    assert len(cells) > 8 and all(one.endswith((".", "!")) for one in cells), cells


def test_the_page_keeps_itself_fresh(at: Installation, visitor: Visitor) -> None:
    visitor.get("/games/g?line=1")
    (fresh,) = visitor.find("#fresh")
    assert fresh.attributes["hx-get"] == "/games/g?line=1"
    assert "every 5s" in str(fresh.attributes["hx-trigger"])
    ids = [str(one.attributes["id"]) for one in visitor.find("[id]")]
    assert len(ids) == len(set(ids)), "an id names one thing"
    kinds = ("a", "button", "summary", "input")
    focusable = visitor.find(
        ", ".join(f"#{part} {one}" for part in ("fresh", "rest") for one in kinds)
    )
    focusable = [one for one in focusable if one.attributes.get("type") != "hidden"]
    assert focusable and all(one.attributes.get("id") for one in focusable)


def test_a_player_may_write_anything_into_his_name(at: Installation, visitor: Visitor) -> None:
    at.send("D", 'NAME "<script>alert(1)</script>"')
    at.to_deadline()
    visitor.come_in()
    for path in (*OF_A_GAME, "/bulletins/1", "/bulletins/1/as-sent"):
        visitor.get(f"/games/g{path.format(seat='D')}")
        assert visitor.status == 200 and "<script>alert" not in visitor.text
    assert GAMESMASTER in visitor.get("/games/g").words
