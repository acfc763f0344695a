"""The games' pages as a browser shows them, from a file: at the widths of a phone and of a desk, on
light and dark ground, by keyboard too."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from pbem.games.frame.dice import Dice
from pbem.periods import opening
from pbem.store.schema.states import GameState
from pbem.website import folder
from pbem.website.files import SiteFolder
from tests.bots import bot_of
from tests.browser.test_mails import browser, looks, wrong
from tests.installation import Installation, desk

__all__ = ["browser"]
pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]
PERIODS = 4
MOST_BYTES = 50_000
SCREENSHOTS = os.environ.get("PBEM_SCREENSHOTS", "")
"""The folder that keeps what was seen; none is kept where it is not named."""
LINKS = "[...document.querySelectorAll('a[href], [tabindex=\"0\"]')].length"
SEEN = """() => {
  const one = document.activeElement, looks = getComputedStyle(one);
  return looks.outlineStyle !== "none" && parseFloat(looks.outlineWidth) >= 2
    && one.getBoundingClientRect().right > 0;
}"""
"""Whether one sees where the keyboard is."""


def site(where: Path, key: str) -> list[Path]:
    """The pages of a game that bots have played for a while and the gamesmaster ended, and of one
    that has just begun."""
    (where / "game").mkdir()
    with Installation(where / "game", key) as at:
        at.start()
        chance, bot = Dice("browser", key).stream("choices"), bot_of(at.table().ruleset)
        for _ in range(PERIODS):
            table = at.table()
            if table.row.status == GameState.OVER:
                break
            for seat in at.seats:
                views = (table.ruleset.view(table.state, one) for one in (None, seat))
                at.write(seat, bot.letter(*views, seat, chance))
            at.once()
            if at.table().period.due:
                at.to_deadline()
            else:
                at.later(days=1)
        at.start("begun")
        over = at.table().row.status == GameState.OVER
        with desk(at) as work:
            if not over:
                opening.end(work, "g", "enough")
        folder.write(at.daemon.installation, at.clock, SiteFolder(where / "pages"))
    return sorted((where / "pages").rglob("*.html"))


def test_what_everybody_sees(key: str, tmp_path: Path, browser: Browser) -> None:
    pages = site(tmp_path, key)
    assert len(pages) > 9
    large = [(one.name, size) for one in pages if (size := one.stat().st_size) >= MOST_BYTES]
    assert large == []
    shown = [
        one for one in pages if not one.stem.startswith("rules-") or one.stem == f"rules-{key}"
    ]
    assert troubles(browser, shown, key) == []


def troubles(browser: Browser, pages: list[Path], key: str) -> list[str]:
    """What is wrong on pages, each loaded once and looked at in four ways."""
    context = browser.new_context(java_script_enabled=True)
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page, found = context.new_page(), []
    for file in pages:
        page.goto(file.as_uri())
        for width, ground in looks(page):
            seen = list(wrong(page, file, width))
            if SCREENSHOTS:
                name = f"{file.parent.name}-{file.stem}.{width}.{ground}.png"
                page.screenshot(path=Path(SCREENSHOTS) / key / name, full_page=True)
            seen += unseen(page, file) if file.name == "index.html" else ()
            found += [f"{width} px, {ground}: {one}" for one in seen]
    context.close()
    return found + [f"asks for {one}" for one in asked if not one.startswith("file:")]


def unseen(page: Page, file: Path) -> list[str]:
    """The links of a page at which one does not see where the keyboard is, each reached by Tab."""
    page.goto(file.as_uri())  # the keyboard is at the top
    found, links = [], page.evaluate(LINKS)
    assert links > 3
    for number in range(links):
        page.keyboard.press("Tab")
        if not page.evaluate(SEEN):
            found.append(f"{file}: link {number} shows no focus")
    return found
