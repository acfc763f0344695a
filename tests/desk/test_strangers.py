"""What comes from elsewhere than a page of ours, or is no request that a page of ours makes: it is
refused, and nothing is done."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from sqlalchemy import text as sql

from pbem.acts.act import Kind
from pbem.acts.acts import ACTS
from pbem.desk.app import PAGES
from pbem.store.engine.database import exclusive_transaction
from tests.desk.visitor import Visitor
from tests.installation import SEATS, Installation
from tests.sampled import in_turn

ORIGIN = "http://127.0.0.1:8642"
HOLD = {"game": "g", "why": "illness", "step": "do"}
ODD = (
    "0",
    "-1",
    "9" * 20,
    "9" * 5000,
    "1e9",
    "٣",
    "x",
    "\x00",
    "a\x00b",
    "\ud7ff\ufffe",
    "g'; DROP TABLE game; --",
    '"g"',
    "../../etc/passwd",
    "{{ 7 * 7 }}",
    "<script>alert(1)</script>",
    "%",
    "é" * 3000,
    "\r\nSet-Cookie: pbem=x",
    "\u202e",
)
"""What nobody writes into a field or an address, and a stranger does."""


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    folder: Path = tmp_path_factory.mktemp("desk")
    with Installation(folder, "coalition", seats=SEATS) as at:
        at.start()
        yield at


@pytest.fixture
def visitor(at: Installation) -> Visitor:
    return Visitor(at).come_in()


def on_file(at: Installation) -> list[Any]:
    """Everything in the database but who has come in."""
    with exclusive_transaction(at.daemon.engine) as conn:
        tables = conn.execute(sql("SELECT name FROM sqlite_master WHERE type = 'table'")).scalars()
        return [
            sorted(
                repr(tuple(row))
                for row in conn.execute(sql(f'SELECT * FROM "{table}"'))
                if table != "memo" or not str(row[0]).startswith("desk-")
            )
            for table in sorted(tables)
        ]


def path_of(entry: Any, game: str = "g", number: str = "1", word: str = "A") -> str:
    """A page's path with something at each of its places."""
    path = str(entry.path)
    for place, value in {"game": game, "key": game, "act": "hold", "seat": word}.items():
        path = path.replace(f"{{{place}}}", value)
    while "{" in path:
        before, _, rest = path.partition("{")
        place, _, after = rest.partition("}")
        path = before + (number if place.endswith(":int") else word) + after
    return path


# --- who asks -------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.path)
def test_nobody_sees_a_page_without_a_session(at: Installation, entry: Any) -> None:
    stranger = Visitor(at).ask("GET", path_of(entry))
    assert (stranger.status, stranger.headers["location"]) == (303, "/enter")
    assert stranger.body == b"" and "set-cookie" not in stranger.headers
    stranger.ask("POST", path_of(entry), b"csrf=x&step=do")
    assert stranger.status in (401, 405)
    assert "csrf" not in stranger.text and "set-cookie" not in stranger.headers


def test_nor_learns_which_pages_there_are(at: Installation) -> None:
    stranger = Visitor(at).ask("GET", "/games/there-is-none")
    assert (stranger.status, stranger.headers["location"]) == (303, "/enter")


FOREIGN = (
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://127.0.0.1:9999"},
    {"origin": "http://127.0.0.1:8642.evil.example"},
    {"origin": "http://["},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"origin": ORIGIN, "sec-fetch-site": "cross-site"},
)


@pytest.mark.parametrize("sent", FOREIGN, ids=str)
def test_a_form_of_another_page_does_nothing(
    at: Installation, visitor: Visitor, sent: dict[str, str]
) -> None:
    form = visitor.get("/do/hold?game=g").find('[name="csrf"]')[0].attributes["value"]
    before = on_file(at)
    visitor.sent = sent
    assert visitor.post("/do/hold", {**HOLD, "csrf": form}).status == 403
    assert Visitor(at, sent=sent).post("/enter", {"code": "x"}).status == 403
    assert on_file(at) == before
    visitor.sent = {"origin": ORIGIN, "sec-fetch-site": "same-origin"}
    assert visitor.post("/do/hold", {**HOLD, "csrf": form}).status == 200


def test_a_form_without_the_sessions_own_mark_does_nothing(
    at: Installation, visitor: Visitor
) -> None:
    other = Visitor(at).come_in()
    foreign = other.get("/do/hold?game=g").find('[name="csrf"]')[0].attributes["value"]
    before = on_file(at)
    for csrf in ({}, {"csrf": ""}, {"csrf": "x"}, {"csrf": foreign}):
        for step in ("do", "try", ""):
            visitor.post("/do/hold", {**HOLD, **csrf, "step": step})
            assert visitor.status == 403 and "of another session" in visitor.words
    assert on_file(at) == before


def test_what_was_shown_in_one_session_is_not_done_in_another(
    at: Installation, visitor: Visitor
) -> None:
    other = Visitor(at).come_in()
    for one in (visitor, other):
        one.get("/do/hold?game=g").press("See what it would do", why="illness")
    shown = other.find('[name="token"]')[0].attributes["value"]
    before = on_file(at)
    visitor.press("Do it", token=shown)
    assert visitor.status == 409 and on_file(at) == before


def test_what_was_shown_is_not_done_with_other_values(at: Installation, visitor: Visitor) -> None:
    visitor.get("/do/extend?game=g").press("See what it would do", days="1", why="illness")
    before = on_file(at)
    visitor.press("Do it", days="9")
    assert visitor.status == 409 and on_file(at) == before


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8642",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "0.0.0.0:8642",
        "[::]:8642",
        "",
        "127.0.0.1@evil.example",
        "127.0.0.1, evil.example",
    ],
)
def test_a_name_of_anothers_that_leads_here_gets_nothing(at: Installation, host: str) -> None:
    """A page of his at that name could read ours: a browser goes by names alone."""
    visitor = Visitor(at).come_in()
    visitor.host = host
    for path in ("/", "/enter", "/static/desk.css", "/do/hold"):
        assert visitor.ask("GET", path).status == 400 and visitor.body == b"Invalid host header"
    assert visitor.ask("POST", "/enter", b"code=x").status == 400


@pytest.mark.parametrize("host", ["127.0.0.1:8642", "localhost:8642", "LOCALHOST", "[::1]:8642"])
def test_this_machines_own_names_lead_here(at: Installation, host: str) -> None:
    assert Visitor(at, host).ask("GET", "/enter").status == 200


# --- what is asked --------------------------------------------------------------------------------


def given(act: Any) -> dict[str, str]:
    """Something for each argument of an act, so that nothing is missing."""
    found = {
        Kind.GAME: "g",
        Kind.SEAT: "A",
        Kind.ADDRESS: "new@else.example",
        Kind.NUMBER: "1",
        Kind.PERIOD: "1",
        Kind.LENGTH: "3",
        Kind.TIME: "2026-03-02T09:00",
        Kind.FLAG: "yes",
        Kind.TABLE: "t",
        Kind.ORDERS: "A",
    }
    return {one.name: found.get(one.kind, "2026-03-05") for one in act.arguments}


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.name)
def test_a_link_does_nothing(at: Installation, visitor: Visitor, act: Any) -> None:
    """Whoever made it, and whatever of a form it has."""
    csrf = visitor.get("/do").find('[name="csrf"]')[0].attributes["value"]
    before = on_file(at)
    whole = given(act)
    for fields in (whole, {"game": "g"}, {name: whole[name] for name in [*whole][:1]}, {}):
        for step in ("do", "try", ""):
            query = urlencode({**fields, "step": step, "csrf": csrf, "token": "x"})
            visitor.ask("GET", f"/do/{act.name}?{query}")
            assert visitor.status in (200, 400, 409), visitor.words
            visitor.ask("HEAD", f"/do/{act.name}?{query}")
    assert on_file(at) == before


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])
def test_other_methods_do_nothing(at: Installation, visitor: Visitor, method: str) -> None:
    before = on_file(at)
    for path in (
        "/",
        "/do/hold?game=g&why=x&step=do",
        "/enter",
        "/leave",
        "/static/desk.css",
        "/x",
    ):
        assert visitor.ask(method, path, urlencode(HOLD).encode()).status == 405
    assert on_file(at) == before


@pytest.mark.parametrize(
    ("entry", "odd"),
    in_turn({entry.path: entry for entry in PAGES}, {ascii(odd)[:24]: odd for odd in ODD}),
)
def test_odd_addresses(at: Installation, visitor: Visitor, entry: Any, odd: str) -> None:
    """They are told what there is not, and break nothing."""
    from urllib.parse import quote

    part = quote(odd, safe="")
    odd_paths = {path_of(entry, game=part), path_of(entry, word=part), path_of(entry, number=part)}
    queries = [urlencode({name: odd}) for name in ("game", "page", "letter", "seat", "ruleset")]
    paths = [*odd_paths, *(f"{path_of(entry)}?{query}" for query in queries)]
    for path in paths:
        visitor.ask("GET", path)
        assert visitor.status in (200, 400, 404, 409), (path, visitor.status, visitor.words)
        assert "<script>alert" not in visitor.text
        assert not [one for one in visitor.find("h1") if "49" in one.text()]
        assert "pbem=x" not in str(visitor.headers)


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.name)
def test_odd_fields(at: Installation, visitor: Visitor, act: Any) -> None:
    csrf = visitor.get("/do").find('[name="csrf"]')[0].attributes["value"]
    before = on_file(at)
    whole = given(act)
    several = [
        {name: ODD[(number + more) % len(ODD)]}
        for number, name in enumerate(whole)
        for more in (0, 7, 14)
    ]
    several += [dict.fromkeys(whole, odd) for odd in ODD]
    for odd in several:
        texts = {f"{name}-text": one for name, one in odd.items()}
        fields = {**whole, **odd, **texts, "csrf": csrf, "step": "try"}
        visitor.post(f"/do/{act.name}", fields)
        assert visitor.status in (200, 400, 409), (odd, visitor.words)
        assert "<script>alert" not in visitor.text
    if not act.tried:  # whose trial is a look
        assert on_file(at) == before


def test_forms_that_are_too_large(at: Installation, visitor: Visitor) -> None:
    csrf = visitor.get("/do").find('[name="csrf"]')[0].attributes["value"]
    for body in (b"why=" + b"x" * 1_000_001, b"&".join([b"a=b"] * 3000), b"&" * 5000):
        for path in ("/do/hold", "/enter", "/leave"):
            visitor.ask("POST", path, body + f"&csrf={csrf}".encode())
            assert visitor.status in (403, 413), (path, visitor.status)
    assert Visitor(at, cookies=visitor.cookies).get("/do").status == 200


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"%",
        b"\xff\xfe\x00",
        b"=&=&=",
        b'{"step": "do"}',
        b"--x\r\nContent-Disposition: form-data",
    ],
    ids=repr,
)
def test_what_is_no_form(at: Installation, visitor: Visitor, body: bytes) -> None:
    before = on_file(at)
    assert visitor.ask("POST", "/do/hold", body).status == 403
    assert on_file(at) == before


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static/....//app.py",
        "/static/%2fetc%2fpasswd",
        "/static//etc/passwd",
        "/static/%5c..%5capp.py",
        "/static/desk.css%00.py",
        "/static/",
        "/static/.",
    ],
)
def test_no_file_but_our_own_is_given(at: Installation, visitor: Visitor, path: str) -> None:
    visitor.ask("GET", path)
    assert visitor.status in (303, 404), visitor.status
    assert b"import" not in visitor.body and b"root:" not in visitor.body


def test_every_answer_says_what_a_browser_may_do_with_it(
    at: Installation, visitor: Visitor
) -> None:
    asked = [("GET", path_of(entry)) for entry in PAGES]
    asked += [("GET", "/enter"), ("GET", "/static/htmx.min.js"), ("GET", "/none"), ("PUT", "/")]
    asked += [("POST", "/enter"), ("POST", "/leave"), ("POST", "/do/hold")]
    for method, path in asked:
        headers = visitor.ask(method, path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'"), (path, policy)
        if policy.endswith(
            "; sandbox"
        ):  # a mail as it was sent: its looks are in it, no script runs
            policy = policy.replace("style-src 'unsafe-inline'", "")
        assert "unsafe" not in policy and "*" not in policy and "frame-ancestors" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        own = path.startswith("/static/")
        assert headers["cache-control"] == ("no-cache" if own else "no-store")
        assert not {"server", "x-powered-by", "access-control-allow-origin"} & headers.keys()


# --- behind a proxy -------------------------------------------------------------------------------

BEHIND = {"address": "https://club.example/desk"}


@pytest.mark.parametrize("kept", [True, False], ids=["path kept", "path taken away"])
@pytest.mark.parametrize("host", ["club.example", "127.0.0.1:8642"])
def test_behind_a_proxy(at: Installation, kept: bool, host: str) -> None:
    """Whether it takes our path away, and whether it names us as the browser does."""
    visitor = Visitor(at, host, BEHIND)
    visitor.sent = {"origin": "https://club.example", "sec-fetch-site": "same-origin"}
    ours = "/desk" if kept else ""
    visitor.ask("GET", f"{ours}/")
    assert visitor.headers["location"] == "/desk/enter"
    visitor.come_in()
    visitor.get(f"{ours}/do")
    assert visitor.status == 200, visitor.words
    for link in visitor.find("a[href], link[href], script[src], form[action]"):
        where = [link.attributes.get(name) for name in ("href", "src", "action")]
        assert all(one.startswith(("/desk/", "#")) for one in where if one), link.html
    assert visitor.ask("GET", f"{ours}/static/desk.css").status == 200
    for url in ("/desk", "/desk/", f"{ours}/"):
        assert visitor.ask("GET", url).status == 200, url
    visitor.get(f"{ours}/do/hold?game=g").press("See what it would do", why="illness")
    assert visitor.status == 200 and "What it would do" in visitor.words


@pytest.mark.parametrize("origin", ["null", "https://evil.example", "https://club.example.evil"])
def test_another_page_behind_a_proxy(at: Installation, origin: str) -> None:
    visitor = Visitor(at, "127.0.0.1:8642", BEHIND, sent={"origin": origin})
    assert visitor.ask("POST", "/desk/enter", b"code=x").status == 403
