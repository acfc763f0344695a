"""An act on the desk: its form, what it would do, and that only what was seen is done."""

from datetime import timedelta

from tests.desk.visitor import Visitor
from tests.installation import Installation


def test_a_new_deadline_is_shown_with_its_mail_before_it_is_set(at: Installation) -> None:
    before = at.table().period.due
    visitor = Visitor(at).come_in().get("/do/extend?game=g")
    visitor.press("See what it would do", days="3", why="post strike")
    assert "post strike" in visitor.words and "Mails that would go out" in visitor.words
    assert at.table().period.due == before
    visitor.press("Do it")
    assert "Done" in visitor.words and "new deadline" in visitor.words
    assert at.table().period.due != before
    at.once()
    assert "post strike" in at.newest("A")


def test_of_two_desks_one_wins_and_the_other_is_told(at: Installation) -> None:
    one, other = Visitor(at).come_in(), Visitor(at).come_in()
    for visitor in (one, other):
        visitor.get("/do/extend?game=g").press("See what it would do", days="3", why="strike")
    one.press("Do it")
    after = at.table().period.due
    other.press("Do it")
    assert other.status == 409 and "Something has changed since you looked" in other.words
    assert at.table().period.due == after


def test_what_is_refused_says_why_and_does_nothing(at: Installation) -> None:
    visitor = Visitor(at).come_in().get("/do/release?game=g")
    assert visitor.status == 409 and "no bulletin of game g waits" in visitor.words


def test_what_is_missing_is_said_at_its_field(at: Installation) -> None:
    visitor = Visitor(at).come_in().get("/do/extend?game=g")
    visitor.press("See what it would do", days="soon", why="")
    assert visitor.status == 400
    assert "is missing" in visitor.find("#why-fault")[0].text()
    assert visitor.find("#days-fault")


def test_a_close_shows_what_it_would_do_but_no_secret(at: Installation) -> None:
    visitor = Visitor(at).come_in().get("/do/close?game=g&unread=yes")
    assert "would tell what is secret" in visitor.words and "Mails that" not in visitor.words
    visitor.get("/do/close?game=g")
    assert "Period 1 of g closes at the next pass" in visitor.words
    number = at.table().period.number
    visitor.press("Do it")
    assert "Done" in visitor.words and "next pass" in visitor.words, visitor.words
    assert at.table().period.number == number
    at.once()
    assert at.table().period.number == number + 1


def test_a_ruling_is_withdrawn_from_a_list(at: Installation) -> None:
    visitor = Visitor(at).come_in().get("/do/rule?game=g")
    visitor.press("See what it would do", text="No motions on Sundays.").press("Do it")
    visitor.get("/do/rule?game=g&none=yes")
    (ruling,) = visitor.find("option:not([value=''])")
    assert ruling.text() == "No motions on Sundays."
    number = ruling.attributes["value"]
    visitor.press("See what it would do", text=number, because="It was a joke").press("Do it")
    assert f"Ruling {number} of g is withdrawn" in visitor.words
    assert "withdrawn: No motions on Sundays." in visitor.get("/games/g/journal").words


def test_two_tabs_that_ask_for_the_same_day_get_it_once(at: Installation) -> None:
    """The second is told that it is so, and not offered as many days again."""
    due = at.table().period.due
    assert due
    day = f"{due + timedelta(days=4):%Y-%m-%d}"
    one, other = Visitor(at).come_in(), Visitor(at).come_in()
    for visitor in (one, other):
        visitor.get("/do/extend?game=g").press("See what it would do", day=day, why="strike")
        assert visitor.find("#would"), visitor.words
    one.press("Do it")
    after = at.table().period.due
    assert after and (after - due).days == 4
    other.press("Do it")
    assert other.status == 409 and "already" in other.words and not other.find("#would")
    assert at.table().period.due == after


def test_the_way_back_leads_to_the_trial(at: Installation) -> None:
    """A trial is a page with an address: no browser asks whether to send a form again."""
    visitor = Visitor(at).come_in().get("/do/hold?game=g")
    visitor.press("See what it would do", why="illness")
    assert visitor.find("#would") and not visitor.last
    assert Visitor(at, cookies=visitor.cookies).get(visitor.url).find("#would")
