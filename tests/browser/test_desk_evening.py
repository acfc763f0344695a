"""A gamesmaster's evening at the desk in Chromium: what his players did wrong, and what he did
himself, is put right with the mouse. The others of his steps (hostile letters, two tabs) stand in
:mod:`tests.browser.test_desk_live`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from pbem.referee.acts import letter_acts
from tests.browser.desks import SCREENSHOTS, Running, Seat, looks, running
from tests.browser.test_desk_live import SOON, button, letters
from tests.browser.test_mails import browser
from tests.desk import world
from tests.installation import desk, text_of

__all__ = ["browser"]
pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]


@pytest.fixture
def at(tmp_path: Path, browser: Browser) -> Iterator[Running]:
    with world.world(tmp_path) as at:
        world.furnish(at)
        with running(at, browser) as found:
            yield found


def tried(page: Page) -> None:
    page.get_by_role("button", name="See what it would do").click()
    expect(page.get_by_role("heading", name="What it would do")).to_be_visible(timeout=SOON)


def done(seat: Seat, name: str) -> None:
    """Do what was tried; keep the page's pictures, if they are wanted."""
    if SCREENSHOTS:
        for _ in looks(seat.page, name):
            pass
    seat.page.get_by_role("button", name="Do it").click()
    expect(seat.page.get_by_text("Done.")).to_be_visible(timeout=SOON)
    assert seat.troubles == []


def outcome(at: Running, number: int) -> str:
    return dict(letters(at.at))[number]


def test_a_ruling_is_written_and_withdrawn(at: Running) -> None:
    with at.seat("") as seat:
        page = seat.go("/do/rule?game=g")
        page.fill('[name="text"]', "The harbour of Colmar is closed.")
        tried(page)
        done(seat, "evening-ruling")
        page = seat.go("/games/g")
        expect(page.get_by_text("The harbour of Colmar is closed.")).to_be_visible()
        page.locator(button("unrule", game="g")).first.click()
        done(seat, "evening-withdrawn")
        assert not seat.go("/games/g").get_by_text("The harbour of Colmar is closed.").count()


def test_days_are_kept_free_of_deadlines(at: Running) -> None:
    day = world.games_due(at.at)
    with at.seat("") as seat:
        page = seat.go("/do/pause?game=g")
        page.fill('[name="first"]', day)
        page.fill('[name="last"]', day)
        page.fill('[name="why"]', "Easter")
        tried(page)
        assert "Easter" in page.locator(".would").inner_text()
        done(seat, "evening-pause")
    assert world.games_due(at.at) > day
    at.at.once()
    assert any("Easter" in text_of(mail) for mail in at.at.mails("A"))


def test_after_a_backup_came_back_the_mails_go_out_by_a_button(at: Running) -> None:
    with desk(at.at) as work:
        letter_acts.restore(work)
    with at.seat("") as seat:
        page = seat.go("/")
        expect(page.get_by_text("No mail goes out")).to_be_visible()
        page.locator(button("restore")).first.click()
        done(seat, "evening-restore")
        assert not seat.go("/").get_by_text("No mail goes out").count()
        page.locator(button("resume", game="g")).first.click()
        done(seat, "evening-resume")
