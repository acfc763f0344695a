"""The real desk on a port of this machine, and Chromium before it: what the tests of the desk in a
browser share."""

import hashlib
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page
from sqlalchemy import select

from pbem.desk import sessions
from pbem.desk.app import PAGES, PageRoute
from pbem.referee.gamesmaster import gamesmaster_words
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Outgoing
from tests.desk import world
from tests.installation import Installation, desk
from tests.sampled import WHOLE
from tests.servers import PATIENCE, free_ports

WIDTHS = (390, 1000)
GROUNDS: tuple[Literal["light", "dark"], ...] = ("light", "dark")
ALL_MODES = [(width, ground) for width in WIDTHS for ground in GROUNDS]
MODES = ALL_MODES if WHOLE else [ALL_MODES[0], ALL_MODES[-1]]
"""How pages are looked at (the nightly run: in all ways); in the first with all that axe-core has, and by keyboard, in the others
for what depends on it."""
SCREENSHOTS = os.environ.get("PBEM_SCREENSHOTS", "")
"""The folder that keeps what was seen; none is kept where it is not named."""
AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text(encoding="utf-8")
AXE_SHA256 = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
assert hashlib.sha256(AXE.encode()).hexdigest() == AXE_SHA256
FOCUSABLE = """[...document.querySelectorAll(
  'a[href], button, input:not([type=hidden]), select, textarea, summary, iframe, [tabindex="0"]'
)].filter(one => !one.disabled && one.tabIndex >= 0
  && one.checkVisibility({visibilityProperty: true}))"""
SEEN = """() => {
  const one = document.activeElement, looks = getComputedStyle(one);
  const place = one.getBoundingClientRect();
  const within = one.tagName === "IFRAME" || one.type === "date" || one.type === "datetime-local";
  return within || (
    looks.outlineStyle !== "none" && parseFloat(looks.outlineWidth) >= 2
    && place.right > 0 && place.bottom > 0 && place.top < innerHeight);
}"""
"""Whether one sees where the keyboard is."""
REACHED = f"""() => {{
  const one = document.activeElement, seen = {SEEN};
  left.delete(one.outerHTML);
  return [one === document.body || seen() ? "" : one.outerHTML.slice(0, 120), left.size];
}}"""
"""Where the keyboard is, if one does not see that it is there; and how much it has not reached."""


@dataclass
class Seat:
    """A browser before the desk, with its troubles: what its console says, and what it asks of
    others."""

    page: Page
    base: str
    troubles: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: self.troubles.append(f"dialog: {dialog.message}"))
        self.page.context.on("request", lambda request: self._asked(request.url))

    def _said(self, message: ConsoleMessage) -> None:
        refusal = message.text.startswith("Failed to load resource") and (
            urlsplit(message.location["url"]).path == urlsplit(self.page.url).path
        )  # the page itself, which says with its status that something was refused
        if message.type in ("error", "warning") and not refusal:
            self.troubles.append(f"console: {message.text}")

    def _asked(self, url: str) -> None:
        if not url.startswith((self.base, "data:", "about:")):
            self.troubles.append(f"asks for {url}")

    def go(self, path: str) -> Page:
        self.page.goto(f"{self.base}{path}")
        return self.page


@dataclass
class Running:
    """The installation, and where its desk is."""

    at: Installation
    base: str
    browser: Browser
    process: subprocess.Popen[bytes]

    def context(self, who: str | None = "", **settings: Any) -> BrowserContext:
        """A browser of its own in which somebody has come in, ``None`` for nobody."""
        made = self.browser.new_context(**settings)
        if who is not None:
            with desk(self.at) as work:
                session = sessions.enter(work, gamesmaster_words.code(work, who))
            assert session
            made.add_cookies([{"name": "pbem", "value": session.secret, "url": self.base}])
        return made

    @contextmanager
    def seat(self, who: str | None = "", **settings: Any) -> Iterator[Seat]:
        context = self.context(who, **settings)
        try:
            yield Seat(context.new_page(), self.base)
        finally:
            context.close()


@contextmanager
def running(at: Installation, browser: Browser) -> Iterator[Running]:
    """Its desk, in a process of its own, on the installation's clock as it stands now."""
    (port,) = free_ports(1)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.desk.server", at.url, str(port), at.clock.isoformat()],
        stdin=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    try:
        _wait(port, process)
        yield Running(at, f"http://127.0.0.1:{port}", browser, process)
    finally:
        process.communicate(timeout=PATIENCE)  # it ends with its standard input


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1.0):
            return
    raise AssertionError(f"the desk has ended: {process.returncode}")


# --- its addresses --------------------------------------------------------------------------------

MORE = (
    "/new?ruleset=coalition&how=named",
    "/new?ruleset=parlement-1966&how=table",
    "/games/r",
    "/games/h",
    "/games/o",
    "/games/w",
    "/do/none",
    "/none",
)
"""Pages that look otherwise than the first of their kind."""


def places(at: Installation) -> dict[str, Sequence[str]]:
    """What may stand at the places of an address."""
    with exclusive_transaction(at.daemon.engine) as conn:
        of_game = select(Outgoing.id).where(Outgoing.game_id == "g", Outgoing.seat == "A")
        mail = conn.execute(of_game.order_by(Outgoing.id.desc())).scalars().first()
    return {
        "game": ("g",),
        "key": ("t",),
        "table": ("t",),
        "seat": ("A",),
        "mail": (str(mail),),
        "number": ("1",),
        "name": ("board",),
        "letter": tuple(str(world.letter(outcome)) for outcome in world.WAITING),
        "act": tuple(world.BY_NAME),
    }


def addresses(at: Installation, entry: PageRoute) -> list[str]:
    """The addresses of a page, with something at each place."""
    found = [entry.path]
    for name, values in places(at).items():
        for hole in (f"{{{name}}}", f"{{{name}:int}}"):
            if hole in entry.path:
                found = [one.replace(hole, value) for one in found for value in values]
    assert not any("{" in one for one in found), f"what stands in {entry.path}?"
    return found


def paths() -> list[str]:
    """The pages, as the table has them, but for the acts."""
    return [entry.path for entry in PAGES if "{act}" not in entry.path]


# --- what is wrong --------------------------------------------------------------------------------


def looks(page: Page, name: str = "") -> Iterator[tuple[int, str]]:
    """The page that is open at each width, on each ground; the first of :data:`MODES` comes last,
    and stays. By a ``name`` its pictures are kept."""
    for width, ground in reversed(MODES):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=ground)
        if name:
            screenshot(page, f"{name}.{width}.{ground}")
        yield width, ground


def wrong(seat: Seat, name: str = "", *, whole: bool = False) -> list[str]:
    """What is wrong with the page that is open, however it is looked at: in the first of
    :data:`MODES`, or in each if it is to be looked at as a ``whole``, with all that axe-core has,
    else with its colours alone."""
    found = []
    for width, ground in looks(seat.page, name):
        seen = _wrong(seat, width, whole=whole or (width, ground) == MODES[0])
        found += [f"{width} px, {ground}: {one}" for one in seen]
    return found


def _wrong(seat: Seat, width: int, *, whole: bool) -> list[str]:
    page, found = seat.page, list(seat.troubles)
    page.wait_for_load_state()  # it may be renewing itself
    seat.troubles.clear()
    path = page.url.removeprefix(seat.base)
    if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
        found.append(f"is {wide} px wide: {page.evaluate(WIDEST, width)}")
    if page.evaluate(
        "[...document.images].some(one => !one.alt || !one.complete || !one.naturalWidth)"
    ):
        found.append("has a picture that is not there, or is not told in words")
    found += axe(page, whole=whole)
    return [f"{path}: {one}" for one in found]


WIDEST = """width => [...document.body.querySelectorAll("*")]
  .filter(one => one.getBoundingClientRect().right > width)
  .map(one => one.outerHTML.slice(0, 120)).slice(0, 3).join(" | ")"""


def axe(page: Page, *, whole: bool = True) -> list[str]:
    """What axe-core finds."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(f"() => {{ {AXE} }}")
    only = {} if whole else {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
    told = page.evaluate("only => axe.run({...only, iframes: false})", only)
    return [
        f"axe {one['id']}: {one['help']}: {one['nodes'][0]['html'][:200]}"
        for one in told["violations"]
    ]


def keys(page: Page) -> list[str]:
    """What cannot be reached by Tab, or where one does not see that it is. A page that has renewed
    itself meanwhile, or whose frame was not there yet, is gone through once more."""
    page.wait_for_load_state("networkidle")
    return _keys(page) and _keys(page)


def _keys(page: Page) -> list[str]:
    found: list[str] = []
    page.evaluate(
        f"window.all = {FOCUSABLE}; window.left = new Set(all.map(one => one.outerHTML)); scrollTo(0, 0)"
    )
    page.evaluate("document.activeElement && document.activeElement.blur()")
    page.evaluate(
        "for (const one of all) if (one.type === 'radio' && !one.checked) left.delete(one.outerHTML)"
    )
    for _ in range(5 * page.evaluate("all.length") + 5):  # a day has several fields within
        page.keyboard.press("Tab")
        unseen, left = page.evaluate(REACHED)
        if unseen:
            found.append(f"no focus is seen at {unseen}")
        if not left:
            break
    return found + [
        f"Tab does not reach {one}"
        for one in page.evaluate("[...left].map(one => one.slice(0, 120))")
    ]


def screenshot(page: Page, name: str) -> None:
    """Kept where screenshots are."""
    if SCREENSHOTS:
        folder = Path(SCREENSHOTS) / "desk"
        folder.mkdir(parents=True, exist_ok=True)
        safe = "".join(char if char.isalnum() else "-" for char in name).strip("-")
        page.screenshot(path=folder / f"{safe or 'home'}.png", full_page=True)
