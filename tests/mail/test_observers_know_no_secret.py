"""What an observer is mailed of a game, every seat of it is mailed too, word for word."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.periods import deadline_acts, opening
from pbem.store.people import players
from pbem.store.schema.tables import Observer
from tests.installation import Installation, desk, text_of
from tests.mail.test_formation import GOVERNMENT
from tests.subjects import issue

FAY = "fay@fay.example"
_FOOT = re.compile(r"\n\nYou get this because you watch game g\..*?UNWATCH\W+g\.", re.DOTALL)
_AGAIN = re.compile(r"\n\nAgain, with the same players\?.*?seats\.(?=\n)", re.DOTALL)
_OWN = "You watch it no longer"


def public(at: Installation, seat: str) -> set[tuple[str, str]]:
    """What a seat was mailed, without the offer to play again, which is its players' alone."""
    return {(issue(mail), _AGAIN.sub("", text_of(mail))) for mail in at.mails(seat)}


def test_observers_read_what_every_seat_reads(tmp_path: Path, key: str) -> None:
    with Installation(tmp_path, key, strangers=(FAY,)) as at:
        at.start()
        before = set.intersection(*(public(at, seat) for seat in at.seats))
        with desk(at) as work:
            fay = players.player(work.conn, FAY, "Fay", work.now)
            Observer.try_add(work.conn, game_id="g", player_id=fay, since=work.now)
        at.write(at.seats[0], f"PRESS TO {at.seats[1]}\nour secret\nEND PRESS")
        at.write(at.seats[1], "PRESS TO ALL\nour word\nEND PRESS")
        for _ in range(3):
            if at.table().period.due:
                at.to_deadline()
        at.act(deadline_acts.hold, "g", "a rest")
        at.once()
        with desk(at) as work:
            deadline_acts.resume(work, "g")
            opening.end(work, "g", "enough")
        at.once()
        mails = [mail for mail in at.mails(FAY) if _OWN not in str(mail["Subject"])]
        known = set.intersection(*(public(at, seat) for seat in at.seats))
        seen = {(issue(mail), _FOOT.sub("", text_of(mail))) for mail in mails}
        assert len(seen) >= 3 and seen <= known
        missed = {subject for subject, _ in known - before - seen}
        assert all(subject.startswith("[g] Press from ") for subject in missed), missed
        assert not any("our secret" in mail.as_string() for mail in mails)
        assert not any("Again, with" in text_of(mail) for mail in mails)
        assert all(_FOOT.search(text_of(mail)) for mail in mails)
        assert all("+" not in str(mail["Reply-To"]) for mail in mails)


@pytest.mark.game("parlement-1968", strangers=(FAY,))
def test_of_the_formation_of_a_government_they_read_what_all_do(at: Installation) -> None:
    with desk(at) as work:
        fay = players.player(work.conn, FAY, "Fay", work.now)
        Observer.try_add(work.conn, game_id="g", player_id=fay, since=work.now)
    at.send("Soc", GOVERNMENT)
    assert not any("E5" in mail.as_string() for mail in at.mails(FAY))
    for seat in ("Rad", "Ctr", "Con", "Mon"):
        at.send(seat, "SIGN GOVERNMENT 1")
    at.clock += timedelta(days=1)
    at.send("Con", "WITHDRAW GOVERNMENT 1")
    at.later(days=7)
    seen = {(issue(mail), _FOOT.sub("", text_of(mail))) for mail in at.mails(FAY)}
    assert len(seen) == 3
    for seat in ("Com", "Nat"):  # in no proposal: their own reports say no more
        assert seen <= public(at, seat), seat
    assert any(subject == "[g] Progress report, period 1" for subject, _ in seen)
    assert not any("E5" in text.partition("Who sits where")[0] for _, text in seen)
