"""The desk in a browser: every page and every act, at the widths of a phone and of a desk, on light
and dark ground, by keyboard alone and without scripts."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from pbem.acts.act import Act
from pbem.acts.acts import ACTS
from pbem.desk.app import PAGES
from tests.browser.desks import MODES, MORE, Running, Seat, addresses, keys, looks, running, wrong
from tests.browser.test_mails import browser
from tests.desk import world
from tests.sampled import WHOLE

__all__ = ["browser"]
pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Running]:
    """A desk at which nothing is done, but looked."""
    with world.world(tmp_path_factory.mktemp("desk")) as at:
        world.furnish(at)
        with running(at, browser) as found:
            yield found


@pytest.fixture(scope="module")
def seat(at: Running) -> Iterator[Seat]:
    width, ground = MODES[0]
    settings: dict[str, Any] = {"viewport": {"width": width, "height": 800}}
    with at.seat(color_scheme=ground, **settings) as found:
        yield found


def is_ours(page: Page) -> bool:
    """Whether a page is one of the desk's, and not a mail's HTML or a picture."""
    return page.locator("main#main").count() == 1


ENTRIES = [entry for entry in PAGES if "{act}" not in entry.path]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.path)
def test_each_page(at: Running, seat: Seat, entry: Any) -> None:
    troubles: list[str] = []
    for path in addresses(at.at, entry):
        page = seat.go(path)
        if is_ours(page):
            troubles += wrong(seat, path) + keys(page)
        else:  # what others wrote, or a picture: it runs nothing, and is given nothing
            for width, ground in looks(page, path):
                found = [one for one in seat.troubles if not one.startswith("console:")]
                troubles += [f"{path}, {width} px, {ground}: {one}" for one in found]
                seat.troubles.clear()
    assert troubles == []


@pytest.mark.parametrize("path", MORE)
def test_more_pages(seat: Seat, path: str) -> None:
    page = seat.go(path)
    assert wrong(seat, path) == []
    for width, ground in looks(page):
        assert keys(page) == [], f"{width} px, {ground}"


@pytest.mark.parametrize("act", ACTS if WHOLE else ACTS[::3], ids=lambda act: act.name)
def test_each_act(at: Running, seat: Seat, act: Act) -> None:
    """Its form, the form with what is missing, and what it would do."""
    page, given = seat.go(f"/do/{act.name}"), world.fields(at.at, act)
    troubles = wrong(seat) + keys(page)
    upon = {name: given[name] for name in ("game", "table") if name in given}
    if upon:
        page = seat.go(f"/do/{act.name}?" + "&".join(f"{k}={v}" for k, v in upon.items()))
    if not page.locator("#would").count():
        page.get_by_role("button", name="See what it would do").click()
        troubles += wrong(seat)
    if not page.locator("#would").count():
        fill(page, {name: value for name, value in given.items() if name not in upon})
        page.get_by_role("button", name="See what it would do").click()
    assert troubles + wrong(seat, f"do-{act.name}") == []


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
    with at.seat(None) as seat:
        for path in ("/enter", "/enter?code=wrong", "/games/g"):
            page = seat.go(path)
            assert page.url.split("?")[0].endswith("/enter")
            assert wrong(seat, path, whole=True) == []
            for width, ground in looks(page):
                assert keys(page) == [], f"{width} px, {ground}"
