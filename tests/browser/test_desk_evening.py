"""A gamesmaster's evening at the desk in Chromium: what his players did wrong, and what he did
himself, is put right with the mouse. The others of his steps (hostile letters, two tabs) stand in
:mod:`tests.browser.test_desk_live`."""

from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import select

from pbem.letters.states import LetterState
from pbem.referee.acts import letter_acts
from pbem.referee.gamesmaster import gamesmaster_words
from pbem.store.engine.database import exclusive_transaction
from pbem.store.journal import notes
from pbem.store.schema.tables import Letter, Outgoing
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
    with exclusive_transaction(at.at.daemon.engine) as conn:
        return str(conn.execute(select(Letter.outcome).where(Letter.id == number)).scalar_one())


def secret_of(at: Running, seat: str) -> str:
    """The secret address in the newest mail to a seat of g."""
    with exclusive_transaction(at.at.daemon.engine) as conn:
        of_seat = (Outgoing.game_id == "g", Outgoing.seat == seat, Outgoing.kind == "notice")
        found = select(Outgoing.raw).where(*of_seat).order_by(Outgoing.id.desc())
        raw = conn.execute(found).scalars().first()
    assert raw
    return str(message_from_bytes(raw)["Reply-To"])


@pytest.mark.parametrize("state", [LetterState.UNVERIFIED, LetterState.LATE])
def test_a_letter_without_proof_and_a_late_one_are_accepted(
    at: Running, state: LetterState
) -> None:
    number = world.letter(state)
    with at.seat("") as seat:
        seat.go("/").locator(button("accept", letter=number)).first.click()
        done(seat, f"evening-accept-{state}")
    at.at.once()
    assert outcome(at, number) != state


def test_a_letter_from_another_address_of_his_counts_and_the_address_is_his(at: Running) -> None:
    at.at.send("c@office.example", "SPECIAL AGR", To=secret_of(at, "C"))
    number = max(one for one, _ in letters(at.at))
    with at.seat("") as seat:
        page = seat.go("/")
        expect(page.get_by_text("Probably").first).to_be_visible()
        page.locator(button("accept", letter=number)).first.click()
        done(seat, "evening-wrong-address")
    at.at.once()
    assert outcome(at, number) == "orders"


def test_a_ruling_is_written_and_withdrawn(at: Running) -> None:
    with at.seat("") as seat:
        page = seat.go("/do/rule?game=g")
        page.fill('[name="text"]', "The harbour of Colmar is closed.")
        tried(page)
        done(seat, "evening-ruling")
        page = seat.go("/games/g")
        expect(page.get_by_text("The harbour of Colmar is closed.")).to_be_visible()
        page.locator(button("rule", game="g", none="yes")).first.click()
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


def test_a_period_is_adjudicated_again(at: Running) -> None:
    with at.seat("") as seat:
        page = seat.go("/games/g/rewind")
        page.fill("#why", "the letter of A was misread")
        page.get_by_role("button", name="See what it would change").click()
        do = page.get_by_role("button", name="Rewind the game, and tell everybody")
        expect(do).to_be_visible(timeout=SOON)
        do.click()
        expect(page.get_by_text("Done.")).to_be_visible(timeout=SOON)
        assert seat.troubles == []
    at.at.once()
    assert any("was misread" in text_of(mail) for mail in at.at.mails("B"))


def test_after_a_backup_came_back_the_mails_go_out_by_a_button(at: Running) -> None:
    at.at.act(letter_acts.restore)
    with at.seat("") as seat:
        page = seat.go("/")
        expect(page.get_by_text("No mail goes out")).to_be_visible()
        page.locator(button("restore")).first.click()
        done(seat, "evening-restore")
        assert not seat.go("/").get_by_text("No mail goes out").count()
        page.locator(button("resume", game="g")).first.click()
        done(seat, "evening-resume")


def test_what_was_typed_survives_the_end_of_a_session(at: Running) -> None:
    with at.seat("") as seat:
        page = seat.go("/do/rule?game=g")
        page.fill('[name="text"]', "Typed before the session ended.")
        with desk(at.at) as work:
            notes.forget_memos(work.conn, *notes.memos(work.conn, "desk-session:"))
            code = gamesmaster_words.code(work, "")
        page.get_by_role("button", name="See what it would do").click()
        expect(page.get_by_role("heading", name="What you typed")).to_be_visible(timeout=SOON)
        other = page.context.new_page()
        other.goto(f"{at.base}/enter?code={code}")
        other.get_by_role("button", name="Come in").click()
        other.wait_for_url(f"{at.base}/")
        page.get_by_role("button", name="I have come in: send it").click()
        page.get_by_role("button", name="Go on with it").click()
        expect(page.get_by_role("heading", name="What it would do")).to_be_visible(timeout=SOON)
        typed = page.locator('textarea[name="text"]')
        expect(typed).to_have_value("Typed before the session ended.")
        page.get_by_role("button", name="Do it").click()
        expect(page.get_by_text("Done.")).to_be_visible(timeout=SOON)
