"""Our mails as a browser shows them: each kind of mail of each game at the widths of a phone and of a
desk, on light and dark ground."""

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from pbem.cli import gallery
from pbem.games.frame.dice import Dice
from pbem.store.schema.states import GameState
from tests.bots import bot_of
from tests.browser.desks import MODES
from tests.installation import Installation
from tests.needs import program

pytestmark = pytest.mark.needs("chromium")
PERIODS = 3
LEAST_CONTRAST = 4.5
TALLEST = 6000
"""A screenshot shows so many pixels from the top; a browser has no room for the longest mails."""
SCREENSHOTS = os.environ.get("PBEM_SCREENSHOTS", "")
"""The folder that keeps what was seen; none is kept where it is not named."""
FAINT = (Path(__file__).parent / "faint.js").read_text(encoding="utf-8")
"""The texts of a page whose contrast to their ground is less than is asked."""


def played(folder: Path, key: str) -> list[bytes]:
    """Every mail that one seat gets in some periods by real mail, with mistakes, questions and a
    reminder among them."""
    folder.mkdir()
    with Installation(folder, key) as at:
        at.start()
        chance, bot = Dice("browser", key).stream("choices"), bot_of(at.table().ruleset)
        for number in range(PERIODS):
            table = at.table()
            if table.row.status == GameState.OVER:
                break
            for seat in at.seats:
                public, own = (
                    table.ruleset.view(table.state, None),
                    table.ruleset.view(table.state, seat),
                )
                at.write(seat, f"{bot.letter(public, own, seat, chance)}\n{asked(number)}")
            at.once()
            if table.period.due:
                at.clock = table.period.due - timedelta(hours=20)
                at.once()
                at.to_deadline()
            else:
                at.clock += timedelta(days=1)
            at.once()
        return [mail.as_bytes() for mail in at.mails(at.seats[1])]


def asked(number: int) -> str:
    """What a letter asks besides its orders."""
    return ("VOTEE YES\nRULES 2\nTABLES ALL", "HELP\nSTATUS", "WHY\nCHECK")[number]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=program("chromium"), args=["--no-sandbox"]
        )
        yield found
        found.close()


def test_what_a_player_sees(key: str, tmp_path: Path, browser: Browser) -> None:
    mails = [gallery.of_mail(raw, "") for raw in played(tmp_path / "game", key)]
    seen = Path(SCREENSHOTS or tmp_path) / key
    gallery.write(seen, key, mails)
    pages = sorted(seen.glob("*.html"))
    assert len(pages) >= 3 * PERIODS and any(mail.pictures for mail in mails)
    assert [f"{key}: {one}" for one in troubles(browser, pages)] == []


def troubles(browser: Browser, pages: list[Path]) -> Iterator[str]:
    """What is wrong on pages, each loaded once and looked at in four ways; a picture of each is
    kept where screenshots are."""
    context = browser.new_context()
    outside: list[str] = []
    context.on("request", lambda request: outside.append(request.url))
    page = context.new_page()
    for file in pages:
        page.goto(file.as_uri())
        for width, ground in looks(page):
            yield from (f"{width} px, {ground}: {one}" for one in wrong(page, file, width))
            if SCREENSHOTS:
                high = min(page.evaluate("document.documentElement.scrollHeight"), TALLEST)
                page.screenshot(
                    path=file.with_suffix(f".{width}.{ground}.png"),
                    full_page=True,
                    clip={"x": 0, "y": 0, "width": width, "height": high},
                )
    context.close()
    yield from (
        f"asks for {url}" for url in outside if not url.startswith(pages[0].parent.as_uri())
    )


def looks(page: Page) -> Iterator[tuple[int, str]]:
    """The page that is open at each width, on each ground."""
    for width, ground in MODES:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=ground)
        yield width, ground


def wrong(page: Page, file: Path, width: int) -> Iterator[str]:
    """What is wrong on one page."""
    title = page.title()
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        yield f"{file.name} ({title}) is {wide} px wide"
    if page.evaluate(
        "[...document.images].some(one => !one.alt || !one.complete || !one.naturalWidth)"
    ):
        yield f"{file.name} ({title}) has a picture that is not there, or is not told in words"
    for text, contrast in page.evaluate(FAINT, LEAST_CONTRAST):
        yield f"{file.name} ({title}): contrast {contrast:.1f} of {text!r}"
