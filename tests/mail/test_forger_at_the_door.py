"""A forger who knows all addresses, writes any From, reads what is public and gets forwards; and a
bad day: at the door of the club he gains no seat, no name, no secret, and no use of the referee
against others."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pbem.periods.persons import change_address
from pbem.referee.acts import seat_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.joining import open_tables
from pbem.store.people import players
from pbem.store.schema.states import ApplicantState, MailState, TableState
from pbem.store.schema.tables import Outgoing, Player
from tests import offering
from tests.installation import GAMESMASTER, Installation, desk, text_of
from tests.mail.test_open_tables import ANN, BEN, FAY, FIVE, FORGER, GUS, Club, club

PASSED = "mx.game.example; dmarc=pass header.from={}"


def proven(at: Club, who: str, text: str) -> None:
    """A letter that its writer's own provider vouches for."""
    at.send(who, text, Authentication_Results=PASSED.format(who.partition("@")[2]))


def begun(at: Club, **more: Any) -> None:
    """A table that became a game."""
    at.open(places=5, **more)
    join(at, *FIVE)
    all_sure(at)


def join(at: Club, *people: str) -> None:
    """They sign on, each by his code, the first four days before the others."""
    for who in people:
        at.write(who, f"SIGNON autumn AS {who.partition('@')[0].capitalize()}")
    at.once()
    confirm(at, *people[:4])
    at.clock += timedelta(days=4)  # whoever came before is called when the table is full
    confirm(at, *people[4:])


def confirm(at: Club, *people: str) -> None:
    """Each answers his newest code."""
    for who in people:
        at.write(who, f"CONFIRM {at.code(who)}")
    at.once()


def all_sure(at: Club) -> None:
    """All who were called are there, and the game begins."""
    confirm(at, *FIVE)
    assert at.state() == TableState.BEGUN


# --- names ----------------------------------------------------------------------------------------


def test_two_who_watched_without_a_name_are_not_one(tmp_path: Path) -> None:
    """They say how they want to be called when they sign on; or are told apart."""
    with club(tmp_path) as at:
        at.open(places=5)
        for who in (ANN, BEN):
            at.say(who, "WATCH autumn")
            at.confirm(who)
        assert "Hello Ann!" in at.say(ANN, "SIGNON autumn"), "by the name of her address"
        assert "Hello Sophie!" in at.say(ANN, "SIGNON autumn AS Sophie")
        assert "Sophie, you have a seat" in at.confirm(ANN)
        assert "Sophie is taken already" in at.say(BEN, "SIGNON autumn AS Sophie")
        with exclusive_transaction(at.daemon.engine) as conn:
            called = Player.values(conn, Player.name)
        assert "Sophie" in called and len(set(called)) == len(called)


# --- codes ----------------------------------------------------------------------------------------


def test_a_call_that_is_over_promises_no_seat(tmp_path: Path) -> None:
    """Who was silent, and has signed on again behind the others, answers the old call."""
    with club(tmp_path) as at:
        at.open(places=5)
        join(at, *FIVE, FAY)
        old = at.code(ANN)
        confirm(at, *FIVE[1:])
        at.later(days=3, hours=1)
        assert at.people()[FAY] == ApplicantState.CALLED
        at.join(ANN)
        assert at.people()[ANN] == ApplicantState.SIGNED
        assert "you play in" not in at.confirm(ANN, old)
        assert at.people()[ANN] == ApplicantState.SIGNED


def test_who_stands_by_elsewhere_signs_on_by_his_code(tmp_path: Path) -> None:
    with Club(tmp_path) as at:
        at.game = "g"
        at.start()
        offering.stand_by(at, ANN)
        at.game = "autumn"
        at.open(places=5)
        at.say(ANN, "SIGNON autumn AS Ann")
        at.confirm(ANN)
        assert at.people() == {ANN: ApplicantState.SIGNED}


def test_a_code_shows_all_that_it_is_for(tmp_path: Path) -> None:
    """A forged SIGNON crosses the true one: whoever answers either has read what he wishes."""
    with club(tmp_path, key="parlement-1966") as at:
        at.open(places=5, choice=True)
        at.say(ANN, "SIGNON autumn AS Ann\nPREFER L, S")
        mine = at.code(ANN)
        assert "M" in at.say(ANN, "SIGNON autumn AS Ann\nPREFER M")
        first, second = (" ".join(text_of(one).split()) for one in at.mails(ANN)[-2:])
        assert "and wish for L, or else S." in first and "and wish for M." in second
        at.confirm(ANN, mine)
        with desk(at) as work:
            (one,) = open_tables.applicants(work.conn, "autumn")
        assert one.wishes == ["L", "S"]


# --- mails that nobody asked for ------------------------------------------------------------------


def test_one_mailbox_gets_a_few_however_its_address_is_written(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.open(places=5)
        for number in range(8):
            at.write(f"{'fay' if number % 2 else 'Fay'}+{number}@fay.example", "GAMES")
        at.once()
        assert _to_fay(at) == 1


def _to_fay(at: Club) -> int:
    """How many mails have gone to that mailbox."""
    waits = (MailState.MERGED, MailState.LISTED)
    with exclusive_transaction(at.daemon.engine) as conn:
        to = conn.execute(select(Outgoing.recipient).where(Outgoing.state.not_in(waits)))
        return len([one for one in to.scalars() if one.endswith("@fay.example")])


# --- the gamesmaster's chair ----------------------------------------------------------------------


def test_a_gamesmaster_who_plays_does_not_read_hidden_names(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.open(places=5, plan={"house": {"names": "hidden"}})
        at.say(GAMESMASTER, "SIGNON autumn AS Georg")
        at.confirm(GAMESMASTER)
        join(at, *FIVE[1:])
        confirm(at, GAMESMASTER, *FIVE[1:])
        assert GAMESMASTER in at.seated().values()
        begun = [m for m in at.mails(GAMESMASTER) if "has begun" in str(m["Subject"])]
        assert not any("Cleo" in text_of(one) for one in begun)


SAYS_BACK = (
    "RULES evil.example",
    "SIGNON evil.example AS Fay",
    "SIGNON autumn AS Fay\nPREFER go.to,evil.example",
    "SIGNON autumn AS evil.example",
    "SIGNOFF evil.example",
    "WATCH evil.example",
    "UNWATCH evil.example",
    "INVITE evil@evil.example TO evil.example",
    "GAME evil.example\nGAMES",
    "CONFIRM evil.example",
    "PRESS TO ALL\nevil.example\nEND PRESS",
    "VOTE AYE evil.example",
)
"""What a forger would like the referee to say to others."""


@pytest.mark.parametrize("who", [FAY, GAMESMASTER])
def test_nothing_of_a_letter_is_said_back_to_whoever_may_not_have_written_it(
    tmp_path: Path, who: str
) -> None:
    with club(tmp_path, key="parlement-1966") as at:
        at.open(places=5, choice=True)
        at.join(ANN)
        before = len(at.mails(who))
        for line in SAYS_BACK:
            at.say(who, line, Subject="evil.example", Message_ID=f"<{len(line)}@evil.example>")
            at.clock += timedelta(hours=1)
        mails = at.mails(who)[before:]
        assert len(mails) >= 7
        for one in mails:
            assert "evil" not in f"{one['Subject']} {text_of(one)}".lower(), text_of(one)


def test_a_gamesmaster_signs_on_from_no_address_of_his(tmp_path: Path) -> None:
    """Where his bulletins wait for him, or he is the second one, he plays no seat."""
    with club(tmp_path) as at:
        with desk(at) as work:
            players.player(work.conn, ANN, "Ann", at.clock)
            change_address(work, ANN, FAY)
        at.open(places=5, plan={"second": ANN})
        for who in (ANN, FAY):
            at.send(who, "SIGNON autumn AS Ann")
            assert "second gamesmaster of autumn" in " ".join(at.newest(FAY).split()), who


def test_one_player_has_one_place_from_two_addresses(tmp_path: Path) -> None:
    """His second address asks first, and becomes his only then."""
    with club(tmp_path) as at:
        at.open(places=5, approve=True)
        at.say(FAY, "SIGNON autumn AS Fay")
        at.join(ANN)
        at.act(change_address, ANN, FAY)
        assert "signed on already" in at.confirm(FAY, at.code(FAY))
        assert "signed on already" in at.say(FAY, "SIGNON autumn AS Fay")
        assert list(at.people().values()).count(ApplicantState.SIGNED) == 1


def test_the_gamesmaster_reads_through_whom_somebody_came(tmp_path: Path) -> None:
    with Club(tmp_path) as at:
        at.game = "g"
        at.start()
        at.game = "autumn"
        at.open(places=5, approve=True)
        proven(at, "a@legit.example", f"INVITE {FAY} TO autumn")
        at.join(FAY)
        assert "invited by a@legit.example" in " ".join(at.newest(GAMESMASTER).split())
        assert not any("a@legit.example" in one.as_string() for one in at.mails(FAY))


def test_who_played_once_or_must_be_approved_signs_on_to_a_game_that_runs(tmp_path: Path) -> None:
    """No letter of theirs stands in the referee's way."""
    with club(tmp_path) as at:
        begun(at)
        seat = next(seat for seat, who in at.seated().items() if who == ANN)
        at.act(seat_acts.replace, "autumn", seat, FAY, "Fay", "he wished it")
        at.say(ANN, "SIGNON autumn")
        at.confirm(ANN)
        at.say(GUS, "SIGNON autumn AS Gus")
        at.confirm(GUS)
        assert {outcome for outcome, _ in at.outcomes()} == {"command"}, at.outcomes()


@pytest.mark.parametrize("who", ["B", FORGER, GAMESMASTER])
@pytest.mark.game("coalition", trust="proven", strangers=(FORGER,))
def test_the_code_of_a_held_letter_is_worth_nothing_from_elsewhere(
    at: Installation, who: str
) -> None:
    """Whoever is asked whether a letter is his, and sends the question on to another."""
    at.send("A", "SPECIAL AGR")
    found = re.search(r"CONFIRM (\S+)", at.newest("A"))
    assert found
    at.send(who, f"CONFIRM {found[1]}")
    at.once()
    assert at.standing("A") == []
    at.send("A", f"CONFIRM {found[1]}")
    at.once()
    assert at.standing("A") == ["SPECIAL AGR"]
