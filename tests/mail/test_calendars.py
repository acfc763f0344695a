"""Deadlines in players' calendars: what a mail brings after CALENDAR ON, read by khal, a real
calendar; moved, held, closed, taken back. And mails of one face, after PLAIN."""

import re
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar
from sqlalchemy import select

from pbem.games.frame.house import READY
from pbem.games.frame.length import Days
from pbem.periods import deadline_acts, opening, own_page
from pbem.post.compose import LONGEST
from pbem.referee.acts import clock_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Outgoing
from tests.installation import SLATE, Installation, desk, text_of, told
from tests.mail.test_formation import GOVERNMENT
from tests.rewinds import clean, four_periods, rewind

pytestmark = pytest.mark.game("coalition", strangers=("new@else.example",))


class Khal:
    """A calendar of somebody's own, in UTC, and what it shows."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "dates").mkdir()
        (folder / "config").write_text(
            f"[calendars]\n[[own]]\npath = {folder / 'dates'}\n"
            f"[sqlite]\npath = {folder / 'cache.db'}\n"
            "[locale]\nlocal_timezone = UTC\ndefault_timezone = UTC\n"
            "timeformat = %H:%M\ndateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d\n"
            "datetimeformat = %Y-%m-%d %H:%M\nlongdatetimeformat = %Y-%m-%d %H:%M\n"
        )

    def _run(self, *words: str) -> str:
        command = [sys.executable, "-m", "khal", "-c", str(self.folder / "config"), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
        return done.stdout

    def opens(self, mail: EmailMessage) -> None:
        """The file of a mail is opened with it."""
        file = self.folder / "mailed.ics"
        file.write_bytes(dated(mail).encode())
        self._run("import", "--batch", "-a", "own", str(file))

    def shows(self) -> list[str]:
        """All events of the spring, each on a line: when it ends, its title, its status."""
        form = "{end} {title} {status}"
        said = self._run("list", "-o", "-df", "", "-f", form, "2026-03-01", "120d")
        return [line.strip() for line in said.splitlines() if line.strip()]


@pytest.fixture
def khal(tmp_path: Path) -> Khal:
    folder = tmp_path / "khal"
    folder.mkdir()
    return Khal(folder)


def file_of(mail: EmailMessage) -> EmailMessage | None:
    """The part of a mail that is for the calendar."""
    found = [one for one in mail.walk() if one.get_content_type() == "text/calendar"]
    assert len(found) < 2
    return found[0] if found else None  # type: ignore[return-value]


def dated(mail: EmailMessage) -> str:
    """What it says."""
    part = file_of(mail)
    assert part is not None, mail["Subject"]
    return bytes(part.get_payload(decode=True)).decode()  # type: ignore[arg-type]


def events(mail: EmailMessage) -> dict[str, Any]:
    """Its events, by their titles."""
    return {str(one["SUMMARY"]): one for one in Calendar.from_ical(dated(mail)).walk("VEVENT")}


def title(number: int, what: str) -> str:
    names = {1: "opening", 2: "vote on V1"}
    return f"[g] Period {number}: {names[number]}: {what}"


def due(at: Installation) -> datetime:
    moment = at.table().period.due
    assert moment is not None
    return moment


def wants(at: Installation, seat: str = "B") -> EmailMessage:
    """A seat's player writes CALENDAR ON; his receipt."""
    at.send(seat, "CALENDAR ON")
    return at.mails(seat)[-1]


@pytest.mark.game("coalition", house={"early": READY})
def test_a_deadline_comes_moves_and_closes_in_a_real_calendar(at: Installation, khal: Khal) -> None:
    receipt = wants(at)
    assert "bring a file for your calendar (g.ics)" in told(at, "B")
    khal.opens(receipt)
    assert khal.shows() == [f"2026-03-09 23:00 {title(1, 'orders due')} CONFIRMED"]
    at.act(deadline_acts.extend, "g", None, Days(3), "a fair")
    at.once()
    khal.opens(at.mails("B")[-1])
    assert khal.shows() == [f"2026-03-12 23:00 {title(1, 'orders due')} CONFIRMED"]
    at.write("A", f"PROPOSE {SLATE}")
    at.send_each(at.seats, "READY")
    at.clock = datetime(2026, 3, 5, 20, tzinfo=UTC)
    at.once()
    bulletin, _ = at.mails("B")[-2:]
    khal.opens(bulletin)
    assert khal.shows() == [
        f"2026-03-05 20:00 {title(1, 'closed')} CONFIRMED",
        f"2026-03-12 23:00 {title(2, 'orders due')} CONFIRMED",
    ]
    at.act(opening.end, "g", "we are all gone")
    at.once()
    khal.opens(at.mails("B")[-1])
    assert khal.shows() == [
        f"2026-03-05 20:00 {title(1, 'closed')} CONFIRMED",
        f"2026-03-12 23:00 {title(2, 'no longer due')} CANCELLED",
    ]


def test_what_is_taken_back_is_cancelled_and_comes_again(at: Installation, khal: Khal) -> None:
    four_periods(at)
    khal.opens(wants(at))
    (before,) = khal.shows()
    assert before.startswith("2026-03-30 22:00 [g] Period 4: ")
    rewind(at, 2)
    at.once()
    void = next(mail for mail in at.mails("B") if "goes back" in str(mail["Subject"]))
    again = next(mail for mail in at.mails("B") if "Bulletin 2 (corr" in str(mail["Subject"]))
    khal.opens(void)
    gone = khal.shows()
    assert len(gone) == 2 and all(line.endswith("no longer due CANCELLED") for line in gone)
    khal.opens(again)
    now = khal.shows()
    third = f"{at.table().period.due:%Y-%m-%d %H:%M} [g] Period 3: "
    assert [line for line in now if line.endswith("CANCELLED")] == gone[-1:]
    assert [line for line in now if line.startswith(third) and line.endswith("due CONFIRMED")]
    assert len(now) == 3, "periods 2, 3 and 4, each once"
    clean(at)


def numbers(at: Installation, seat: str) -> list[tuple[str, int]]:
    """The UID and SEQUENCE of each event that a seat was mailed, oldest first."""
    return [
        (str(one["UID"]), int(one["SEQUENCE"]))
        for mail in at.mails(seat)
        if file_of(mail)
        for one in events(mail).values()
    ]


def test_each_later_word_on_a_deadline_counts_above_those_before(at: Installation) -> None:
    wants(at)
    with desk(at) as work:
        deadline_acts.extend(work, "g", None, Days(3), "a fair")
        clock_acts.pause(work, "g", None, "2026-03-10", "2026-03-15", "a feast")
        clock_acts.pause(work, "g", None, "NONE", "2026-03-10", "no feast")
        deadline_acts.hold(work, "g", "a fire")
        deadline_acts.resume(work, "g")
    at.once()
    four_periods(at)
    rewind(at, 2)
    at.once()
    rewind(at, 1)
    at.once()
    at.to_deadline()
    found = numbers(at, "B")
    uids = {uid for uid, _ in found}
    assert uids == {f"g-period-{n}@game.example" for n in (1, 2, 3, 4)}
    for uid in uids:
        counted = [number for one, number in found if one == uid]
        assert len(counted) > 1 and counted == sorted(set(counted)), uid
    table = at.table()
    newest = at.act(own_page.of, table)
    assert re.findall("SEQUENCE:([0-9]+)", newest) == [str(found[-1][1])]


def test_a_held_game_has_no_sure_deadline(at: Installation) -> None:
    wants(at)
    at.act(deadline_acts.hold, "g", "a fire")
    at.once()
    held = events(at.mails("B")[-1])[title(1, "the clock stands")]
    assert "may close earlier" not in held["DESCRIPTION"], "the first period never does"
    assert held["STATUS"] == "TENTATIVE" and held.walk("VALARM") == []
    at.act(deadline_acts.resume, "g")
    at.once()
    goes_on = events(at.mails("B")[-1])[title(1, "orders due")]
    assert goes_on["STATUS"] == "CONFIRMED" and goes_on.decoded("DTEND") == due(at)


def test_only_who_asked_for_it_has_it_and_until_he_ends_it(at: Installation) -> None:
    wants(at)
    at.to_deadline()
    assert file_of(at.mails("B")[-2]) and not any(map(file_of, at.mails("C")))
    at.send("B", "CALENDAR OFF")
    assert file_of(at.mails("B")[-1]) is None and "until you take it out" in told(at, "B")
    at.to_deadline()
    assert file_of(at.mails("B")[-2]) is None
    at.send("B", "calendar")
    assert "do not bring" in told(at, "B") and "CALENDAR ON" in told(at, "B")
    clean(at)


def test_the_part_is_as_the_standards_have_it(at: Installation) -> None:
    wants(at)
    at.to_deadline()
    mail = at.mails("B")[-2]
    part = file_of(mail)
    assert part is not None
    assert mail.get_content_type() == "multipart/mixed" and text_of(mail)
    assert dict(part["Content-Type"].params) == {
        "method": "PUBLISH",
        "charset": "utf-8",
        "name": "g.ics",
    }
    assert (part.get_content_disposition(), part.get_filename()) == ("attachment", "g.ics")
    with exclusive_transaction(at.daemon.engine) as conn:
        raws = conn.execute(select(Outgoing.raw).where(Outgoing.kind == "bulletin")).scalars().all()
    raw = next(one for one in raws if b"text/calendar" in one)
    lines = raw.split(b"\r\n")
    assert raw.isascii() and raw.count(b"\n") == raw.count(b"\r\n") == raw.count(b"\r")
    assert all(len(line) < LONGEST and line == line.rstrip(b" \t") for line in lines)
    file = dated(mail)
    assert file.count("\n") == file.count("\r\n") and file.endswith("END:VCALENDAR\r\n")
    assert all(len(line.encode()) <= 75 for line in file.split("\r\n"))
    whole = Calendar.from_ical(file)
    assert "may close earlier" in whole.walk("VEVENT")[-1]["DESCRIPTION"]
    assert whole["METHOD"] == "PUBLISH" and "ATTENDEE" not in file and not whole.errors
    for one in whole.walk("VEVENT"):
        assert not one.errors and {"UID", "DTSTAMP", "ORGANIZER", "LAST-MODIFIED"} <= set(one)
        assert (
            one.decoded("DTSTART") < one.decoded("DTEND") and "Z" in one["DTEND"].to_ical().decode()
        )
    closed, opened = whole.walk("VEVENT")
    assert closed.walk("VALARM") == []
    (alarm,) = opened.walk("VALARM")
    assert alarm["TRIGGER"].to_ical() == b"-P1D" and alarm["TRIGGER"].params["RELATED"] == "END"


def test_the_same_for_all_seats_and_made_again_the_same(at: Installation) -> None:
    """Nothing of it is one seat's own; and it comes of rows alone."""
    for seat in ("B", "C"):
        wants(at, seat)
    at.send("B", 'NAME "Harbour"')
    at.to_deadline()
    files = [dated(at.mails(seat)[-2]) for seat in ("B", "C")]
    assert files[0] == files[1] and "Harbour" not in files[0]
    made_at = at.clock - timedelta(minutes=1)
    table = at.table()
    with desk(at) as work:
        assert own_page.issue(replace(work, now=made_at), table) == files[0]


def test_a_bulletin_that_is_sent_back_with_its_file_asks_for_nothing(at: Installation) -> None:
    """Mail programs show such a file as text, and people forward all they get."""
    wants(at)
    at.to_deadline()
    before = at.standing("B")
    at.send("B", dated(at.mails("B")[-2]).replace("\r\n", "\n"))
    assert at.standing("B") == before and at.table().holders["B"].calendar


def test_plain_mails_have_one_face(at: Installation) -> None:
    at.send("B", "HTML\nPLAIN, please")
    assert "plain text alone" in told(at, "B")
    at.to_deadline()
    assert [mail.get_content_type() for mail in at.mails("B")[-2:]] == ["text/plain"] * 2
    assert [mail.get_content_type() for mail in at.mails("C")[-2:]] == ["multipart/alternative"] * 2
    at.send("B", "PLAIN\nHTML")
    assert "come as HTML too" in told(at, "B") and "plain text alone" not in told(at, "B")
    at.to_deadline()
    assert [mail.get_content_type() for mail in at.mails("B")[-2:]] == ["multipart/alternative"] * 2


@pytest.mark.game("parlement-1968")
def test_days_to_back_out_come_and_go(at: Installation, khal: Khal) -> None:
    """A period without a deadline has none in a calendar, until its letters give it one."""
    assert file_of(wants(at, "Com")) is None
    at.send("Soc", GOVERNMENT)
    at.send_each(("Rad", "Ctr", "Con", "Mon"), "SIGN GOVERNMENT 1")
    khal.opens(at.mails("Com")[-1])
    (ripe,) = khal.shows()
    assert ripe.startswith(f"{due(at):%Y-%m-%d %H:%M} [g] Period 1: ")
    assert ripe.endswith("orders due CONFIRMED")
    at.send("Con", "WITHDRAW GOVERNMENT 1")
    khal.opens(at.mails("Com")[-1])
    (unripe,) = khal.shows()
    assert unripe.endswith("no longer due CANCELLED")
    at.clock += timedelta(days=1)
    at.send("Con", "SIGN GOVERNMENT 1")
    khal.opens(at.mails("Com")[-1])
    (again,) = khal.shows()
    assert again.startswith(f"{due(at):%Y-%m-%d %H:%M} ") and again.endswith("due CONFIRMED")
    assert again != ripe
