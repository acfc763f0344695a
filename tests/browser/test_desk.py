"""The desk in a browser: every page and every act, at the widths of a phone and of a desk, on light
and dark ground, by keyboard alone and without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from pbem.desk.pages import PAGES
from pbem.orders.act import Act
from pbem.orders.acts import ACTS
from tests.browser.desks import (
    GROUNDS,
    MORE,
    WIDTHS,
    Running,
    Seat,
    addresses,
    keys,
    running,
    screenshot,
    wrong,
)
from tests.browser.test_mails import browser
from tests.desk import world

__all__ = ["browser"]
pytestmark = pytest.mark.needs("chromium")
MODES = [(width, ground) for width in WIDTHS for ground in GROUNDS]
"""How pages are looked at; in the first with all that axe-core has, and by keyboard, in the others
for what depends on it."""


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Running]:
    """A desk at which nothing is done, but looked."""
    with world.world(tmp_path_factory.mktemp("desk")) as at:
        world.furnish(at)
        with running(at, browser) as found:
            yield found


@pytest.fixture(scope="module", params=MODES, ids=str)
def seat(at: Running, request: pytest.FixtureRequest) -> Iterator[tuple[Seat, int, str]]:
    width, ground = request.param
    settings: dict[str, Any] = {"viewport": {"width": width, "height": 800}}
    with at.seat(color_scheme=ground, **settings) as found:
        yield found, width, ground


def is_ours(page: Page) -> bool:
    """Whether a page is one of the desk's, and not a mail's HTML or a picture."""
    return page.locator("main#main").count() == 1


ENTRIES = [entry for entry in PAGES if "{act}" not in entry.path]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.path)
def test_each_page(at: Running, seat: tuple[Seat, int, str], entry: Any) -> None:
    found, width, ground = seat
    troubles: list[str] = []
    for path in addresses(at.at, entry):
        page = found.go(path)
        screenshot(page, f"{path}.{width}.{ground}")
        if is_ours(page):
            troubles += wrong(found, width, whole=(width, ground) == MODES[0])
            if (width, ground) == MODES[0]:
                troubles += keys(page)
        else:  # what others wrote, or a picture: it runs nothing, and is given nothing
            troubles += [one for one in found.troubles if not one.startswith("console:")]
            found.troubles.clear()
    assert troubles == []


@pytest.mark.parametrize("path", MORE)
def test_more_pages(at: Running, seat: tuple[Seat, int, str], path: str) -> None:
    found, width, ground = seat
    page = found.go(path)
    screenshot(page, f"{path}.{width}.{ground}")
    assert wrong(found, width, whole=(width, ground) == MODES[0]) == []
    assert keys(page) == []


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.name)
def test_each_act(at: Running, seat: tuple[Seat, int, str], act: Act) -> None:
    """Its form, the form with what is missing, and what it would do."""
    found, width, ground = seat
    page, given = found.go(f"/do/{act.name}"), world.fields(at.at, act)
    troubles = wrong(found, width, whole=(width, ground) == MODES[0])
    if (width, ground) == MODES[0]:
        troubles += keys(page)
    upon = {name: given[name] for name in ("game", "table") if name in given}
    if upon:
        page = found.go(f"/do/{act.name}?" + "&".join(f"{k}={v}" for k, v in upon.items()))
    if not page.locator("#would").count():
        page.get_by_role("button", name="See what it would do").click()
        troubles += wrong(found, width, whole=(width, ground) == MODES[0])
    if not page.locator("#would").count():
        fill(page, {name: value for name, value in given.items() if name not in upon})
        page.get_by_role("button", name="See what it would do").click()
    screenshot(page, f"do-{act.name}.{width}.{ground}")
    assert troubles + wrong(found, width, whole=(width, ground) == MODES[0]) == []


def fill(page: Page, given: dict[str, Any]) -> None:
    """Write into the fields of a form."""
    for name, value in given.items():
        field = page.locator(f'[name="{name}"]:not([type="hidden"])').first
        if not field.count():
            continue
        match field.evaluate("one => one.type"):
            case "checkbox":
                field.check()
            case "select-one":
                field.select_option(str(value))
            case _:
                field.fill(str(value))


def test_the_door(at: Running) -> None:
    for width in WIDTHS:
        for ground in GROUNDS:
            settings: dict[str, Any] = {"viewport": {"width": width, "height": 800}}
            with at.seat(None, color_scheme=ground, **settings) as seat:
                for path in ("/enter", "/enter?code=wrong", "/games/g"):
                    page = seat.go(path)
                    screenshot(page, f"{path}.{width}.{ground}")
                    assert page.url.split("?")[0].endswith("/enter")
                    assert wrong(seat, width) + keys(page) == []
