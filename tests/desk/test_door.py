"""Who comes in, by what, for how long; and how it ends."""

import hashlib
import re
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from sqlalchemy import select
from starlette.requests import Request

from pbem.acts.act import Act, Needs
from pbem.acts.acts import ACTS, NEW
from pbem.desk import sessions
from pbem.desk.app import STATIC, Desk
from pbem.referee.gamesmaster import gamesmaster_words
from pbem.store.engine import database
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.schema.tables import Memo, Session
from tests.desk.visitor import Visitor
from tests.installation import GAMESMASTER, SEATS, Installation, address, desk, text_of
from tests.masters import ANNA, make
from tests.subjects import subjects

BEHIND = "https://club.example/desk"
HTMX = "d6fdc75f204e6bdefa99b69bf1e6d4ac69b8a364f77929f45c13476b4000f717"
LINK = re.compile(r"http\S+/enter\?code=(\S+)")


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Installation]:
    """Two games: g is the installation's gamesmaster's, h is Anna's."""
    with Installation(tmp_path, "coalition", seats=SEATS, strangers=(ANNA,)) as at:
        at.start()
        make(at, "h", gamesmaster=ANNA)
        yield at


@pytest.fixture(scope="module")
def staying(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """A gamesmaster who came in more than twelve hours ago, and stays."""
    with Installation(tmp_path_factory.mktemp("staying"), "coalition", seats=SEATS) as at:
        at.start()
        visitor = stays(at)
        at.clock += timedelta(hours=13)
        yield visitor


def new_code(at: Installation, who: str = "") -> str:
    return at.act(gamesmaster_words.code, who)


def is_in(visitor: Visitor) -> bool:
    visitor.get(f"{visitor.desk.root}/do")
    return visitor.status == 200 and "More acts" in visitor.text


def set_cookie(visitor: Visitor) -> SimpleCookie:
    return SimpleCookie(visitor.headers["set-cookie"])


# --- codes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("minutes", "works"), [(9, True), (11, False)])
def test_a_code_works_for_ten_minutes(at: Installation, minutes: int, works: bool) -> None:
    visitor, code = Visitor(at).get(f"/enter?code={new_code(at)}"), ""
    at.clock += timedelta(minutes=minutes)
    visitor.press("Come in")
    assert is_in(visitor) == works
    code = new_code(at)
    at.clock += timedelta(minutes=minutes)
    assert ("does not work any more" not in Visitor(at).get(f"/enter?code={code}").words) == works


def test_looking_at_a_link_uses_nothing_and_pressing_its_button_does(at: Installation) -> None:
    link = f"/enter?code={new_code(at)}"
    for method in ("GET", "HEAD", "GET"):
        scanner = Visitor(at).ask(method, link)
        assert scanner.status == 200 and not scanner.cookies
    first, second = Visitor(at).get(link), Visitor(at).get(link)
    assert is_in(first.press("Come in"))
    second.press("Come in")
    assert second.status == 403 and "does not work any more" in second.words
    assert not is_in(second)


def test_of_two_who_bring_a_code_at_once_one_comes_in(at: Installation) -> None:
    code, start, found = new_code(at), threading.Barrier(8), list[object]()

    def bring() -> None:
        own = Desk(database.connect(at.url), at.config(), lambda: at.clock)
        start.wait()
        with own.work(writes=True) as work:
            found.append(sessions.enter(work, code))
        own.engine.dispose()

    several = [threading.Thread(target=bring) for _ in range(8)]
    for one in several:
        one.start()
    for one in several:
        one.join()
    assert len(found) == 8 and sum(one is not None for one in found) == 1


@pytest.mark.parametrize("code", ["", "x", "A" * 5000, "é", "%00", "' OR 1=1 --", "desk-session:"])
def test_what_is_no_code_opens_nothing(at: Installation, code: str) -> None:
    visitor = Visitor(at).ask("POST", "/enter", f"code={code}".encode())
    assert visitor.status in (200, 403) and not visitor.cookies
    visitor = Visitor(at, cookies={"pbem": "A" * 3000})
    assert not is_in(visitor)


def test_a_code_is_no_session_and_a_session_no_code(at: Installation) -> None:
    code = new_code(at)
    assert not is_in(Visitor(at, cookies={"pbem": code}))
    visitor = Visitor(at).come_in()
    other = Visitor(at).post("/enter", {"code": visitor.cookies["pbem"]})
    assert other.status == 403 and not other.cookies


def test_no_secret_is_on_file(at: Installation) -> None:
    code = new_code(at)
    session = Visitor(at).come_in(GAMESMASTER).cookies["pbem"]
    with exclusive_transaction(at.daemon.engine) as conn:
        rows = [*conn.execute(select(Memo.key, Memo.value)).all(), *Session.many(conn)]
    told = " ".join(map(str, rows))
    assert isinstance(rows[-1], Session) and session not in told and code not in told


# --- sessions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("minutes", "lasts"), [(12 * 60 - 1, True), (12 * 60 + 1, False)])
def test_a_session_ends_after_twelve_hours(at: Installation, minutes: int, lasts: bool) -> None:
    visitor = Visitor(at).come_in()
    at.clock += timedelta(hours=6)
    assert is_in(visitor)  # which does not make it last longer
    at.clock += timedelta(minutes=minutes - 6 * 60)
    assert is_in(visitor) == lasts
    if not lasts:
        visitor.ask("GET", "/")
        assert (visitor.status, visitor.headers["location"]) == (303, "/enter?why=ended")
        assert "Your session on this browser has ended." in visitor.get("/").words


def test_what_was_typed_outlives_the_session(at: Installation) -> None:
    visitor = Visitor(at).come_in().get("/do/rule?game=g")
    at.clock += timedelta(hours=13)
    visitor.press("See what it would do", text="Read on, all of you.")
    assert visitor.status == 401 and "what you typed is kept" in visitor.words
    visitor.press("Mail me the way in", address=GAMESMASTER)
    kept = visitor.body
    visitor.come_in()  # in another tab of the same browser
    visitor.body, visitor.url = kept, "/enter"
    visitor.press("I have come in: send it")
    assert "of another session" in visitor.words and "Read on, all of you." in visitor.words
    visitor.press("Go on with it")
    assert visitor.find("#would"), visitor.words
    visitor.press("Do it")
    assert "Done." in visitor.words


def test_what_was_to_be_done_is_shown_first_in_another_session(at: Installation) -> None:
    visitor = Visitor(at).come_in().get("/do/hold?game=g")
    visitor.press("See what it would do", why="illness")
    at.clock += timedelta(hours=13)
    visitor.press("Do it")
    kept = visitor.body
    visitor.come_in()
    visitor.body = kept
    visitor.press("I have come in: send it").press("Go on with it")
    assert visitor.find("#would") and at.table().row.status == "running"


def test_whoever_has_left_is_out_with_his_old_cookie_too(at: Installation) -> None:
    visitor, other = Visitor(at).come_in(), Visitor(at).come_in()
    old = dict(visitor.cookies)
    visitor.press("Leave")
    assert not is_in(visitor) and not is_in(Visitor(at, cookies=old))
    assert is_in(other)


def test_nobody_is_made_to_leave_by_a_page_of_another(at: Installation) -> None:
    visitor = Visitor(at).come_in()
    kept = dict(visitor.cookies)
    visitor.post("/leave", {"csrf": "of another session"})
    assert is_in(Visitor(at, cookies=kept))
    visitor = Visitor(at, cookies=kept, sent={"origin": "https://evil.example"})
    visitor.get("/").press("Leave")
    assert visitor.status == 403 and is_in(Visitor(at, cookies=kept))
    assert Visitor(at, cookies=kept).ask("GET", "/leave").status == 404
    assert is_in(Visitor(at, cookies=kept))


def test_the_cookie(at: Installation) -> None:
    visitor = Visitor(at).ask("POST", "/enter", f"code={new_code(at)}".encode())
    cookie = set_cookie(visitor)["pbem"]
    assert cookie["httponly"] and cookie["samesite"] == "strict" and cookie["path"] == "/"
    assert cookie["max-age"] == str((12 + 7 * 24) * 60 * 60)  # its session ends before
    assert not cookie["secure"] and not cookie["domain"]
    behind = Visitor(at, "club.example", {"address": BEHIND})
    behind.ask("POST", "/desk/enter", f"code={new_code(at)}".encode())
    cookie = set_cookie(behind)["__Secure-pbem"]
    assert cookie["secure"] and cookie["httponly"] and cookie["path"] == "/desk/"
    assert behind.headers["location"] == "/desk/"


def test_a_session_begins_anew_with_each_link(at: Installation) -> None:
    """Nobody gives another a session of his own to use."""
    visitor = Visitor(at, cookies={"pbem": "given-by-another"}).come_in()
    assert visitor.cookies["pbem"] != "given-by-another" and is_in(visitor)
    assert not is_in(Visitor(at, cookies={"pbem": "given-by-another"}))


def test_a_page_that_asks_whether_it_is_fresh_leads_to_the_door_as_a_whole(
    at: Installation,
) -> None:
    visitor = Visitor(at, sent={"hx-request": "true"}).ask("GET", "/")
    assert (visitor.status, visitor.headers["hx-redirect"], visitor.body) == (200, "/enter", b"")


# --- thirty days ----------------------------------------------------------------------------------


def stays(at: Installation, who: str = GAMESMASTER, **sent: str) -> Visitor:
    visitor = Visitor(at, sent=sent).get(f"/enter?code={new_code(at, who)}")
    return visitor.press("Come in", stay="yes")


def test_the_browser_forgets_the_cookie_of_thirty_days_a_week_later(at: Installation) -> None:
    body = f"code={new_code(at, GAMESMASTER)}&stay=yes".encode()
    cookie = set_cookie(Visitor(at).ask("POST", "/enter", body))["pbem"]
    assert cookie["max-age"] == str((30 + 7) * 24 * 60 * 60)


def test_whoever_stays_is_in_for_thirty_days(at: Installation) -> None:
    visitor, shell = stays(at), Visitor(at).get(f"/enter?code={new_code(at)}")
    assert "thirty days" not in shell.words  # no mail has confirmed whose browser that is
    shell.post("/enter", {"code": new_code(at), "stay": "yes"})
    at.clock += timedelta(days=29, hours=23)
    assert is_in(visitor) and not is_in(shell)
    at.clock += timedelta(hours=2)
    assert not is_in(visitor)


@pytest.mark.parametrize("act", (*ACTS, NEW), ids=lambda one: one.name)
def test_what_needs_a_code_needs_a_new_link_after_twelve_hours(staying: Visitor, act: Act) -> None:
    path = "/new" if act is NEW else f"/do/{act.name}"
    visitor = Visitor(staying.at, cookies=dict(staying.cookies)).get(path)
    (token, *_) = visitor.find("input[name=csrf]")
    visitor.post(path, {"csrf": token.attributes["value"], "step": "do"})
    assert (visitor.status == 401) == (act.needs is Needs.CODE), visitor.words


def test_what_is_secret_needs_a_new_link_too(staying: Visitor) -> None:
    for path, step, button in (("preview", "look", "Show it"), ("rewind", "try", "")):
        visitor = Visitor(staying.at, cookies=dict(staying.cookies)).get(f"/games/g/{path}")
        if button:
            visitor.press(button)
        else:
            (token, *_) = visitor.find("input[name=csrf]")
            visitor.post(visitor.url, {"csrf": token.attributes["value"], "step": step})
        assert visitor.status == 401 and "needs a new link" in visitor.words


def test_sessions_are_listed_and_end_one_by_one(at: Installation) -> None:
    visitor, phone, other = (
        stays(at, **{"user-agent": f"Mozilla/5.0 ({name}) Gecko/1 Firefox/140.0"})
        for name in ("X11; Linux", "Android 15", "Windows NT 10.0")
    )
    anna = stays(at, ANNA)
    rows = [one.text() for one in visitor.get("/devices").find("tbody th")]
    assert rows == ["Firefox, Linux, this one", "Firefox, Android", "Firefox, Windows"]
    buttons = {one.text(): one for one in visitor.find("tbody tr")}
    key = next(one for said, one in buttons.items() if "Android" in said).css_first("button")
    end = {"end": key.attributes["value"]}
    (token, *_) = visitor.find("input[name=csrf]")
    anna.post("/devices", {"csrf": token.attributes["value"], **end})  # of another session
    anna.get(f"/devices?end={end['end']}")
    (hers, *_) = anna.get("/devices").find("input[name=csrf]")
    anna.post("/devices", {"csrf": hers.attributes["value"], **end})  # not hers to end
    assert is_in(phone)
    visitor.post("/devices", {"csrf": token.attributes["value"], **end})
    assert not is_in(phone) and is_in(other) and is_in(visitor)
    visitor.get("/devices").press("End all but this one")
    assert not is_in(other) and is_in(visitor) and is_in(anna)


# --- links by mail --------------------------------------------------------------------------------


def asked_at_the_door(at: Installation, who: str, client: str = "127.0.0.1") -> Visitor:
    at.clock += timedelta(seconds=1)
    return Visitor(at, client=client).get("/enter").press("Mail me the way in", address=who)


def test_a_link_is_mailed_to_whoever_is_a_gamesmaster(at: Installation) -> None:
    said = asked_at_the_door(at, ANNA.upper()).text
    at.once()
    mail = at.mails(ANNA)[-1]
    assert mail["Subject"] == "[pbem] The way to your desk"
    found = LINK.search(text_of(mail))
    assert found and found[0].startswith("http://127.0.0.1:8642/enter?code=")
    visitor = Visitor(at).get(f"/enter?code={found[1]}").press("Come in")
    assert is_in(visitor)
    visitor.get("/do/hold?game=g").press("See what it would do", why="mine")
    assert "you are not the gamesmaster of g" in visitor.words
    visitor.get("/do/hold?game=h").press("See what it would do", why="mine")
    assert visitor.status == 200, visitor.words
    at.clock += timedelta(minutes=5)
    for nobody in (address("A"), "nobody@else.example", "", "x", "a@b\r\nBcc: c@d.example"):
        before = at.outbox()
        assert asked_at_the_door(at, nobody).text == said  # nobody learns who is one
        assert at.outbox() == before


def test_three_links_an_hour_are_mailed(at: Installation) -> None:
    said = set()
    for _ in range(5):
        said.add(asked_at_the_door(at, ANNA).text)
        at.once()
    assert len(said) == 1 and subjects(at, ANNA).count("[pbem] The way to your desk") == 3
    at.clock += timedelta(hours=1)
    asked_at_the_door(at, ANNA)
    at.once()
    assert subjects(at, ANNA).count("[pbem] The way to your desk") == 4


def mailed(at: Installation, who: str) -> int:
    at.once()
    return subjects(at, who).count("[pbem] The way to your desk")


def test_a_stranger_who_asks_does_not_use_up_what_the_gamesmaster_has(at: Installation) -> None:
    """Each asker has three; of all together a gamesmaster is mailed twelve."""
    for number in range(5):
        asked_at_the_door(at, ANNA, f"2001:db8::{number}")  # one household
    assert mailed(at, ANNA) == 3
    asked_at_the_door(at, ANNA, "192.0.2.1")
    assert mailed(at, ANNA) == 4
    for number in range(20):
        asked_at_the_door(at, ANNA, f"198.51.100.{number}")
    assert mailed(at, ANNA) == 12
    asked_at_the_door(at, GAMESMASTER, "203.0.113.9")
    assert mailed(at, GAMESMASTER) == 1


@pytest.mark.parametrize(
    ("peer", "forwarded", "behind_proxy", "asker"),
    [
        ("192.0.2.1", "", False, "192.0.2.1"),
        ("192.0.2.1", "198.51.100.7", False, "192.0.2.1"),
        ("127.0.0.1", "203.0.113.5, 198.51.100.7", True, "198.51.100.7"),
        ("127.0.0.1", "", True, "127.0.0.1"),
        ("127.0.0.1", "x" * 100, True, "nowhere"),
        ("2001:db8:1:2:3::4", "", False, "2001:db8:1:2::/64"),
    ],
)
def test_where_somebody_asks_from(
    peer: str, forwarded: str, behind_proxy: bool, asker: str
) -> None:
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    request = Request({"type": "http", "client": (peer, 1), "headers": headers})
    assert sessions.asker(request, behind_proxy=behind_proxy) == asker


def test_a_session_ends_when_its_address_is_no_gamesmaster_any_more(at: Installation) -> None:
    visitor = Visitor(at).come_in(ANNA)
    assert "h" in {one.attributes["value"] for one in visitor.get("/do/hold").find("option")}
    with desk(at) as work:
        games.set_game(work.conn, "h", gamesmaster=GAMESMASTER)
    assert visitor.ask("GET", "/").headers["location"] == "/enter?why=ended"


@pytest.mark.parametrize(
    ("settings", "base"),
    [
        ({}, "http://127.0.0.1:8642"),
        ({"port": 80, "host": "192.0.2.7"}, "http://192.0.2.7:80"),
        ({"host": "0.0.0.0"}, "http://127.0.0.1:8642"),
        ({"host": "::"}, "http://[::1]:8642"),
        ({"host": "::1"}, "http://[::1]:8642"),
        ({"address": BEHIND}, BEHIND),
        ({"address": f"{BEHIND}/"}, BEHIND),
    ],
)
def test_a_link_leads_to_where_the_desk_answers(
    at: Installation, settings: dict[str, object], base: str
) -> None:
    visitor = Visitor(at, settings=settings)
    with visitor.desk.work(writes=True) as work:
        link = gamesmaster_words.link(work, gamesmaster_words.code(work, ""))
    assert link.startswith(f"{base}/enter?code=")
    visitor.host = base.split("/")[2]
    assert is_in(visitor.get(link).press("Come in"))


# --- what is not ours -----------------------------------------------------------------------------


def test_what_others_wrote_is_as_they_gave_it() -> None:
    """htmx as npm has it, and nothing beside it that runs; its licence is there."""
    files = {one.name: one.read_bytes() for one in STATIC.iterdir()}
    assert {name for name in files if name.endswith((".js", ".mjs"))} == {"htmx.min.js"}
    assert hashlib.sha256(files["htmx.min.js"]).hexdigest() == HTMX
    assert b'version:"2.0.11"' in files["htmx.min.js"]
    assert b"Zero-Clause BSD" in files["htmx.LICENSE"]
