"""An open desk while others act and letters come in: by mail, at another desk, in the shell; and
letters that would run something on it."""

import http.server
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from pbem.desk.app import PAGES
from pbem.letters.states import LetterState
from pbem.referee.gamesmaster import gamesmaster_words
from pbem.store.schema.tables import Letter
from tests.browser.desks import Running, addresses, running
from tests.browser.test_mails import browser
from tests.desk import world
from tests.installation import GAMESMASTER, REFEREE, Installation, desk
from tests.sampled import WHOLE
from tests.servers import PATIENCE

__all__ = ["browser"]
pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]
SOON = PATIENCE * 1000
"""Milliseconds: a guard against hanging, no measure."""


@pytest.fixture
def at(tmp_path: Path, browser: Browser) -> Iterator[Running]:
    with world.world(tmp_path) as at:
        world.furnish(at)
        with running(at, browser) as found:
            yield found


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the keyboard is there."""
    for _ in range(400):
        page.keyboard.press("Tab")
        if page.evaluate("one => document.activeElement.matches(one)", selector):
            return
    raise AssertionError(f"Tab does not reach {selector}")


def button(act: str, **upon: object) -> str:
    """The button of an act, by what it is upon."""
    has = "".join(f':has(input[name="{name}"][value="{one}"])' for name, one in upon.items())
    return f'form[action$="/do/{act}"]{has} button'


def period_of(at: Installation, game: str) -> tuple[int, str]:
    at.game = game
    period = at.table().period
    at.game = "g"
    return period.number, str(period.status)


# --- by keyboard, and without scripts -------------------------------------------------------------


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("width", [390, 1000])
def test_a_bulletin_is_released_from_the_first_page_with_keys_alone(
    at: Running, scripts: bool, width: int
) -> None:
    assert period_of(at.at, "r")[1] == "review"
    settings = {"viewport": {"width": width, "height": 800}, "java_script_enabled": scripts}
    code = at.at.act(gamesmaster_words.code, GAMESMASTER)
    with at.seat(None, **settings) as seat:
        page = seat.go(f"/enter?code={code}")
        expect(page.get_by_role("button", name="Come in")).to_be_focused(timeout=SOON)
        page.keyboard.press("Enter")
        page.wait_for_url(f"{at.base}/")
        tab_to(page, button("release", game="r"))
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="What it would do")).to_be_visible(timeout=SOON)
        expect(page.get_by_role("button", name="Do it")).to_be_focused(timeout=SOON)
        page.keyboard.press("Enter")
        expect(page.get_by_text("Done.")).to_be_visible(timeout=SOON)
        assert seat.troubles == []
    assert period_of(at.at, "r")[1] == "open"


# --- an open desk ---------------------------------------------------------------------------------


def test_a_letter_by_smtp_appears_on_an_open_desk(at: Running) -> None:
    """Without a hand on it; and whoever is about to press a button keeps his place."""
    with at.seat("") as seat:
        page = seat.go("/")
        page.evaluate("window.same = true")
        held = button("dismiss", letter=world.letter(LetterState.HELD))
        page.locator(held).focus()
        at.at.write("C", "SPECIAL AGR", Subject="The harbour of Colmar")  # nobody vouches for it
        assert at.at.once().letters == 1
        number = max(id for id, _ in letters(at.at))
        expect(page.locator(f'#fresh a[href="/letters/{number}"]').first).to_be_visible(
            timeout=SOON
        )
        assert page.evaluate("window.same"), "the page was loaded anew"
        assert page.evaluate("one => document.activeElement.matches(one)", held)
        at.at.send("D", "SPECIAL FIN")
        expect(page.locator(f'#fresh a[href="/letters/{number + 1}"]').first).to_be_visible(
            timeout=SOON
        )
        assert seat.troubles == []


def letters(at: Installation) -> list[tuple[int, str]]:
    from sqlalchemy import select

    from pbem.store.engine.database import exclusive_transaction

    with exclusive_transaction(at.daemon.engine) as conn:
        rows = conn.execute(select(Letter.id, Letter.outcome).where(Letter.id > 900))
        return [(row.id, row.outcome) for row in rows]


# --- hostile letters ------------------------------------------------------------------------------

HOSTILE = (
    "<script>alert(1)</script>",
    '"><script src="{evil}/s.js"></script>',
    "<img src={evil}/i.png onerror=alert(2)>",
    "<svg onload=alert(3)><style>@import '{evil}/c.css'</style>",
    "'\"><iframe srcdoc='<script>parent.alert(4)</script>'></iframe>",
    '<a href="javascript:alert(5)" autofocus onfocus=alert(6) hx-get="{evil}/h" hx-trigger=load>',
    "{{{{ 7 * 7 }}}}{{% raw %}}",
    '<form action="{evil}/f"><input name=csrf><button id=dismiss-1 formaction="{evil}/b">',
    '<meta http-equiv=refresh content="0;url={evil}/m"><base href="{evil}/">',
    "</pre></textarea></title></style><script>alert(7)</script>",
)


@contextmanager
def evil() -> Iterator[tuple[str, list[str]]]:
    """A server of somebody else's, and all that it was ever asked for."""
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        do_POST = do_HEAD = do_OPTIONS = do_GET

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def hostile_letter(where: str, text: str, number: int) -> bytes:
    """A letter that has the text in every field there is, plain and as HTML."""
    one = text.format(evil=where)
    head = one.replace("\n", " ")
    quoted = head.replace("\\", "\\\\").replace('"', '\\"')
    lines = [
        f'From: "{quoted}" <a@legit.example>',
        f'To: "{quoted}" <referee@game.example>',
        f'Reply-To: "{quoted}" <a@legit.example>',
        f"Subject: {head}",
        f"Message-ID: <{number}.{re.sub('[<> ]', '', head)}@legit.example>",
        f"In-Reply-To: <{head}>",
        f"User-Agent: {head}",
        f"Authentication-Results: mx.game.example; dmarc=none ({head}) header.from={head}",
        "Date: Mon, 02 Mar 2026 10:00:00 +0000",
        "MIME-Version: 1.0",
        'Content-Type: multipart/mixed; boundary="m"',
        "",
        "--m",
        'Content-Type: multipart/alternative; boundary="b"',
        "",
        "--b",
        "Content-Type: text/plain; charset=utf-8",
        "",
        f"GAME g\nSPECIAL {one}\nPRESS TO ALL\n{one}\nEND PRESS\nNAME {one}\nWHY {one}",
        "--b",
        "Content-Type: text/html; charset=utf-8",
        "",
        f"<html><head>{one}</head><body onload='alert(8)' style=\"background: url({where}/u)\">"
        f"<p>SPECIAL AGR {one}</p><img src='{where}/p.png'><object data='{where}/o'></object>"
        f"<video src='{where}/v' autoplay></video><link rel=stylesheet href='{where}/l.css'>"
        f"<script>top.location = '{where}/t'; fetch('{where}/x')</script></body></html>",
        "--b--",
        "--m",
        f'Content-Type: text/html; name="{quoted}"',
        f'Content-Disposition: attachment; filename="{quoted}"',
        "",
        one,
        "--m--",
        "",
    ]
    return "\r\n".join("\n".join(lines).split("\n")).encode()


CORPUS = sorted((Path(__file__).parents[1] / "corpora" / "attacks").glob("*.eml"))[
    :: 1 if WHOLE else 12
]


def test_nothing_of_a_letters_runs(at: Running) -> None:
    """On no page does anything that stands in a letter, or that a gamesmaster or a player has
    written elsewhere, run, or ask anybody for anything."""
    with evil() as (where, asked):
        raws = [hostile_letter(where, text, number) for number, text in enumerate(HOSTILE)]
        raws += [file.read_bytes() for file in CORPUS]
        answers = [at.at.carrier.send("", REFEREE, raw) for raw in raws]
        sent = [answer.outcome.name == "SENT" for answer in answers]
        assert all(sent[: len(HOSTILE)]) and sum(sent) > 0.8 * len(raws), answers
        assert at.at.once().letters == sum(sent)
        hostile = HOSTILE[0] + HOSTILE[2].format(evil=where)
        with desk(at.at) as work:
            from pbem.referee.acts.doing import Actor, do

            for act, values in (
                ("rule", {"text": hostile}),
                ("hold", {"why": hostile}),
                ("press", {"to": "ALL", "file": hostile}),
            ):
                do(work, world.BY_NAME[act], {"game": "g", **values}, Actor())
        at.at.once()
        came = [number for number, _ in letters(at.at)]
        pages = [
            path for entry in PAGES if "{act}" not in entry.path for path in addresses(at.at, entry)
        ]
        pages += [
            one.path.replace("{letter:int}", str(number))
            for one in PAGES
            for number in came
            if "{letter:int}" in one.path
        ]
        pages += [f"/do/dismiss?letter={came[0]}", f"/do/hold?game=g&why={HOSTILE[0]}"]
        with at.seat("") as seat:
            for path in pages:
                seat.go(path)
                assert not seat.page.evaluate("document.querySelectorAll('script').length > 1"), (
                    path
                )
                for frame in seat.page.locator("iframe").all():  # loaded once it is in sight
                    frame.scroll_into_view_if_needed()
                    seat.page.wait_for_load_state("networkidle")
                blocked = [one for one in seat.troubles if not harmless(one)]
                assert blocked == [], path
                assert seat.page.url.startswith(at.base), path
                seat.troubles.clear()
        assert asked == []


def harmless(trouble: str) -> bool:
    """What the browser says when it does as it is told: a letter's own HTML asks for what it is not
    given."""
    return trouble.startswith("console:") and (
        "violates the following Content Security Policy" in trouble
        or "Blocked script execution" in trouble
        or "sandboxed" in trouble
    )
