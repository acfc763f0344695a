"""Deputies: who plays for a player that is away, by whose word, for how long, and what she learns of the game;
and that neither a forger nor the deputy gains more than that."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.letters.authentication import token_hash
from pbem.periods import claims
from pbem.post.postmark import code_hash
from pbem.referee.acts import seat_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import periods
from pbem.store.games.game_rows import DeputyRow
from pbem.store.people import deputies, players
from tests.grace import number, playing, to_the_deadline, votes, waits_for
from tests.installation import (
    GAMESMASTER,
    SEATS,
    SLATE,
    Installation,
    address,
    surely,
    text_of,
    told,
)
from tests.subjects import subjects

ANN, FORGER = "ann@friends.example", "mallory@evil.example"
STANDBY = "stella@friends.example"
TIME = "FROM 5 March TO 20 March"


@contextmanager
def table(folder: Path, key: str = "coalition", **more: Any) -> Iterator[Installation]:
    seats = {"seats": SEATS} if key == "coalition" else {}
    with Installation(folder, key, **{**seats, **more}, strangers=(ANN, FORGER, STANDBY)) as at:
        at.start()
        yield at


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Installation]:
    with table(tmp_path) as at:
        yield at


def answer(at: Installation, who: str, text: str, **headers: str) -> None:
    """An answer to somebody's newest mail from the referee, so to his secret address."""
    at.send(who, text, To=str(at.mails(who)[-1]["Reply-To"]), **headers)


def confirm(at: Installation, who: str) -> None:
    at.send(who, f"CONFIRM {at.codes(who)[-1]}")


def named(at: Installation, seat: str = "A", days: str = "") -> None:
    """A seat's player has a deputy: all four mails of it have gone."""
    at.send(seat, f"DEPUTY {ANN} {days}")
    confirm(at, seat)
    confirm(at, ANN)


def row(at: Installation, seat: str = "A") -> DeputyRow | None:
    with exclusive_transaction(at.daemon.engine) as conn:
        return deputies.of_seat(conn, "g", seat)


def seen(at: Installation) -> list[str]:
    """The seats whose mails Ann has seen."""
    with exclusive_transaction(at.daemon.engine) as conn:
        player = players.at_address(conn, ANN)
        return [*players.privy_to(conn, "g", player)] if player is not None else []


def advance(at: Installation, days: int) -> None:
    at.later(days=days)


# --- how one is named -----------------------------------------------------------------------------


def test_both_confirm_and_then_she_plays(at: Installation) -> None:
    at.send("A", f"DEPUTY {ANN}")
    assert at.mails(ANN) == [], "nobody is asked before the player has confirmed"
    code, receipt = (" ".join(text_of(mail).split()) for mail in at.mails("A")[-2:])
    if "CONFIRM" in receipt:
        code, receipt = receipt, code
    assert "is to be your deputy from now on, until one of you ends it" in receipt
    assert "would get all mails of your seat" in code
    confirm(at, "A")
    assert f"{ANN} has been asked whether to be your deputy" in told(at, "A")
    assert "Player A (A) plays in Coalition" in told(at, ANN) and row(at).state == "asked"  # type: ignore[union-attr]
    at.send(ANN, "SPECIAL AGR")
    assert at.standing("A") == [] and "have not agreed" in told(at, ANN)
    confirm(at, ANN)
    assert row(at).state == "acting" and seen(at) == ["A"]  # type: ignore[union-attr]
    assert f"{ANN} has agreed, and is your deputy" in told(at, "A")
    got = subjects(at, ANN)
    assert [one for one in got if "You are a deputy now" in one]
    assert [one for one in got if "Bulletin 0" in one]
    assert got[-1] == "[g] Name your Special Ministries by Monday 9 March", "the seat's own notice"
    answer(at, ANN, "SPECIAL AGR")
    assert at.standing("A") == ["SPECIAL AGR"]


def test_what_she_reads_says_whose_deputy_she_is(at: Installation) -> None:
    named(at)
    whose = "You get this as the deputy of Player A (A) in game g, until one of you ends it."
    for mail in at.mails(ANN):
        if "deputy" not in str(mail["Subject"]) and "play for somebody" not in str(mail["Subject"]):
            assert whose in " ".join(text_of(mail).split()), mail["Subject"]
    at.to_deadline()
    assert [one.partition(":")[0] for one in subjects(at, ANN)[-2:]] == [
        one.partition(":")[0] for one in subjects(at, "A")[-2:]
    ], "bulletin and notice"
    assert all(address("A") not in mail.as_string() for mail in at.mails(ANN))


def test_receipts_go_to_both_and_say_who_wrote(at: Installation) -> None:
    named(at)
    before = {who: len(at.mails(who)) for who in (*SEATS, ANN, GAMESMASTER)}
    at.send(ANN, "SPECIAL AGR")
    assert f"the letter of the deputy ({ANN}), " in told(at, "A")
    assert f"the letter of the deputy ({ANN}), " in told(at, ANN)
    at.send("A", "SPECIAL JUS")
    assert "the letter of Player A (A), " in told(at, ANN)
    assert "the letter of Player A (A), " in told(at, "A")
    assert at.standing("A") == ["SPECIAL JUS"], "the latest letter counts, whoever wrote it"
    at.send(ANN, "STATUS")
    assert "STATUS (GAME G)" in at.newest(ANN).upper()
    after = {who: len(at.mails(who)) for who in (*SEATS, ANN, GAMESMASTER)}
    grown = {who: after[who] - before[who] for who in after}
    assert grown == {**dict.fromkeys((*SEATS, GAMESMASTER), 0), "A": 2, ANN: 3}
    assert at.mails("A")[-1]["Reply-To"] != at.mails(ANN)[-1]["Reply-To"]


def test_what_is_the_player_s_alone(at: Installation) -> None:
    named(at)
    surely(at, "A", "AGREE DRAW A, B")
    at.once()
    assert "Your ballot is on file" in told(at, "A")
    assert not [mail for mail in at.mails(ANN) if "ballot" in text_of(mail)]
    at.send("A", "STATUS\nSPECIAL AGR")
    assert "Your secret ballot" in told(at, "A") and "ballot" not in told(at, ANN)
    codes_before = at.codes("A")
    words = "QUIT\nRESIGN\nAGREE NONE\nZONE Europe/London\nPLAIN\nABSENT 5 March\nSPECIAL JUS"
    answer(at, ANN, f"{words}\nDEPUTY {FORGER}")
    assert at.standing("A") == ["SPECIAL JUS"] and at.codes("A") == codes_before
    said = told(at, ANN)
    assert (
        "Only the player can say QUIT, AGREE, ZONE, PLAIN, ABSENT and DEPUTY, so it was not" in said
    )
    assert "RESIGN: only the player can leave the game" in said
    assert at.mails(FORGER) == [] and at.table().holders["A"].zone == ""
    at.send("A", "STATUS")
    assert "Your secret ballot" in told(at, "A"), "and it still stands"
    at.to_deadline()
    assert not [mail for mail in at.mails(ANN) if "Your secret ballot" in text_of(mail)]


def test_what_a_player_has_said_of_leaving_stays(at: Installation) -> None:
    named(at)
    at.send("A", 'NAME "Harbour"\nRESIGN')
    confirm(at, "A")
    assert "RESIGN" in at.standing("A")
    answer(at, ANN, "CANCEL ALL")
    assert at.standing("A") == ["RESIGN"]


# --- her time -------------------------------------------------------------------------------------


def test_her_time_begins_and_ends_by_the_clock(tmp_path: Path) -> None:
    with table(tmp_path) as at:
        named(at, days=TIME)
        assert "from Thursday 5 March 2026, 00:00, until Friday 20 March 2026, 24:00" in told(
            at, ANN
        )
        assert row(at).state == "confirmed" and seen(at) == []  # type: ignore[union-attr]
        at.send(ANN, "SPECIAL AGR")
        assert at.standing("A") == [] and "your letters count from then on" in told(at, ANN)
        assert len([one for one in subjects(at, ANN) if "Bulletin" in one]) == 0
        advance(at, 3)
        assert row(at).state == "acting"  # type: ignore[union-attr]
        assert "Your deputy's time begins" in subjects(at, "A")[-1]
        at.send(ANN, "SPECIAL AGR")
        assert at.standing("A") == ["SPECIAL AGR"]
        at.to_deadline()
        bulletin = next(m for m in at.mails("B") if "Bulletin 1" in str(m["Subject"]))
        said = " ".join(text_of(bulletin).split())
        assert (
            "A (Player A) has a deputy from 5 March 2026 to 20 March 2026." in said
            and ANN not in said
        )
        advance(at, 13)
        assert row(at) is None
        assert "the time is over" in told(at, ANN) and any(
            "You have no deputy any more" in one for one in subjects(at, "A")
        )
        number = len(at.mails(ANN))
        period = at.table().period.number
        at.send(ANN, f"PERIOD {period}\nSPECIAL TRA")
        assert at.standing("A") == [] and "Your time as a deputy in game g is over" in told(at, ANN)
        at.to_deadline()
        assert len(at.mails(ANN)) == number + 1, "no mail of the game goes there any more"


def test_a_letter_of_her_time_that_is_read_after_it_counts(at: Installation) -> None:
    named(at, days="TO 3 March")
    at.clock += timedelta(days=1)
    at.write(ANN, "SPECIAL AGR")
    at.later(days=3)
    assert at.standing("A") == ["SPECIAL AGR"] and row(at) is None


@pytest.mark.parametrize("who", ["A", ANN])
def test_either_ends_it(at: Installation, who: str) -> None:
    named(at)
    answer(at, who, "DEPUTY END")
    assert row(at) is None
    why = "by the player's wish" if who == "A" else "by the deputy's own wish"
    assert any(why in " ".join(text_of(m).split()) for m in at.mails("A")[-2:])
    assert any(why in " ".join(text_of(m).split()) for m in at.mails(ANN)[-2:])
    number = len(at.mails(ANN))
    at.to_deadline()
    assert len(at.mails(ANN)) == number
    assert "A has no deputy any more." in text_of(
        next(m for m in at.mails("B") if "Bulletin 1" in str(m["Subject"]))
    )


def test_nobody_answers(at: Installation) -> None:
    at.send("A", f"DEPUTY {ANN}")
    advance(at, 8)
    assert row(at) is None and at.mails(ANN) == []
    at.send("A", f"DEPUTY {ANN}")
    confirm(at, "A")
    code = at.codes(ANN)[-1]
    at.clock += timedelta(days=8)
    at.send(ANN, f"CONFIRM {code}")
    assert row(at) is None and not seen(at)
    assert f"{ANN} has not agreed to be your deputy" in told(at, "A")


def test_another_player_has_no_deputy(at: Installation) -> None:
    named(at)
    at.act(seat_acts.replace, "g", "A", STANDBY, "Stella", "he is gone")
    at.send(ANN, "SPECIAL AGR")
    assert at.standing("A") == [] and row(at) is None
    assert "A has another player" in " ".join(
        " ".join(text_of(m).split()) for m in at.mails(ANN)[-2:]
    )


def test_the_end_of_the_game_ends_it(at: Installation) -> None:
    named(at)
    for seat in SEATS:
        surely(at, seat, "AGREE DRAW A, B, C, D, E")
    at.once()
    assert at.table().row.status == "over"
    assert any("Bulletin 1" in one for one in subjects(at, ANN)), "the last bulletin is hers too"
    at.once()
    assert row(at) is None and "the game is over" in told(at, ANN)


# --- the ladder -----------------------------------------------------------------------------------


LADDER = {
    "his latest letter": ([(ANN, "VOTE AYE"), ("A", "VOTE ABSTAIN")], "ABSTAIN"),
    "her latest letter": ([("A", "VOTE ABSTAIN"), (ANN, "VOTE AYE")], "AYE"),
    "his standing order": ([(ANN, "VOTE AYE"), (ANN, "CANCEL VOTE")], "NAY"),
    "the rule's default": ([("A", "STANDING NONE")], "ABSTAIN"),
}


@pytest.mark.parametrize("rung", LADDER)
def test_the_ladder(tmp_path: Path, rung: str) -> None:
    """The latest letter of the player or his deputy, then his standing order, then the rule's
    default; a stand-by does nothing before the seat is his."""
    letters, cast = LADDER[rung]
    with table(tmp_path) as at:
        at.act(claims.enlist, "g", STANDBY, "Stella")
        named(at)
        at.send("B", f"PROPOSE {SLATE}")
        at.send("A", "STANDING NAY")
        at.to_deadline()
        for who, order in letters:
            at.send(who, order)
            at.send(STANDBY, "VOTE NAY")
        at.to_deadline()
        with exclusive_transaction(at.daemon.engine) as conn:
            events = periods.closed(conn, "g", 2).events
        votes = [event.data["votes"] for event in events if "votes" in event.data]
        assert votes, [event.kind for event in events]
        assert votes[0]["A"] == cast, votes


# --- in the post ----------------------------------------------------------------------------------


def test_a_mail_to_her_that_comes_back_is_told_to_her_player(at: Installation) -> None:
    named(at)
    with exclusive_transaction(at.daemon.engine) as conn:
        players.came_back(conn, ANN, "no such mailbox", hard=True)
    at.once()
    at.once()
    said = [m for m in at.mails("A") if "Mail to your deputy came back" in str(m["Subject"])]
    assert len(said) == 1 and row(at) is not None


def test_many_letters_of_hers_are_answered_together(tmp_path: Path) -> None:
    with table(tmp_path, limits={"receipts_an_hour": 3}) as at:
        named(at)
        surely(at, "A", "AGREE DRAW A, B")
        at.once()
        for order in ("SPECIAL AGR", "SPECIAL JUS", "SPECIAL TRA", "SPECIAL SEC"):
            at.send(ANN, order)
        advance(at, 1)
        both = [" ".join(text_of(at.mails(who)[-1]).split()) for who in ("A", ANN)]
        assert all("SPECIAL SEC" in text and "WHAT STANDS NOW" in text for text in both)
        assert "ballot" in both[0] and "ballot" not in both[1]


def test_a_letter_of_hers_that_comes_twice(at: Installation) -> None:
    named(at)
    surely(at, "A", "AGREE DRAW A, B")
    at.once()
    raw = at.write(ANN, "SPECIAL AGR")
    at.once()
    before = len(at.mails("A"))
    at.post(b"Received: from elsewhere by mx\r\n" + raw)
    at.once()
    assert "This letter had come before" in told(at, ANN) and len(at.mails("A")) == before
    assert "ballot" not in told(at, ANN)


def test_no_period_waits_by_grace_for_whom_a_deputy_has_written(tmp_path: Path) -> None:
    with playing(tmp_path, strangers=(ANN, FORGER)) as at:
        named(at, "E")
        votes(at, "ABCD")
        at.send(ANN, "PASS")
        to_the_deadline(at)
        assert number(at) == 3 or "E" not in waits_for(at)


def proven(at: Installation, who: str, text: str) -> None:
    """A letter that its writer's own provider vouches for."""
    domain = who.partition("@")[2] if "@" in who else "legit.example"
    at.send(who, text, Authentication_Results=f"mx.game.example; dmarc=pass header.from=x@{domain}")


def named_for_sure(at: Installation, days: str = "") -> None:
    answer(at, "A", f"DEPUTY {ANN} {days}")
    confirm(at, "A")
    confirm(at, ANN)
    assert row(at) is not None


@pytest.mark.parametrize("level", ["open", "proven"])
def test_a_forged_letter_names_no_deputy(tmp_path: Path, level: str) -> None:
    """Whatever the game's trust: the code goes to the address of record."""
    with table(tmp_path, trust=level) as at:
        at.send("A", f"DEPUTY {FORGER}", Reply_To=FORGER, Return_Path=FORGER, Sender=FORGER)
        assert at.mails(FORGER) == [] and seen(at) == []
        for code in (at.codes("A") or ["abcdefgh"])[-1:]:
            at.send(FORGER, f"CONFIRM {code}")
            at.send("B", f"CONFIRM {code}")
        at.to_deadline()
        assert not [m for m in at.mails(FORGER) if "Bulletin" in str(m["Subject"])]
        assert row(at) is None or row(at).state == "asked"  # type: ignore[union-attr]


def test_each_code_works_from_its_own_address_and_once(tmp_path: Path) -> None:
    with table(tmp_path) as at:
        at.send("A", f"DEPUTY {ANN}")
        mine = at.codes("A")[-1]
        for who in (ANN, FORGER, "B"):
            at.send(who, f"CONFIRM {mine}")
        assert row(at).holder_code == code_hash(mine), "it waits still"  # type: ignore[union-attr]
        confirm(at, "A")
        hers = at.codes(ANN)[-1]
        for who in ("A", FORGER, "B"):
            at.send(who, f"CONFIRM {hers}")
        assert row(at).state == "asked"  # type: ignore[union-attr]
        at.send(ANN, f"CONFIRM {hers}")
        answer(at, ANN, "DEPUTY END")
        at.send(ANN, f"CONFIRM {hers}")
        at.send("A", f"CONFIRM {mine}")
        assert row(at) is None


def test_orders_in_the_deputy_s_name(tmp_path: Path) -> None:
    """Without proof they are held, and she herself is asked."""
    with table(tmp_path, trust="proven") as at:
        named_for_sure(at)
        before = len(at.mails("A"))
        at.send(ANN, "SPECIAL AGR", Reply_To=FORGER)
        assert at.standing("A") == [] and at.outcomes()[-1][0] == "unverified"
        assert len(at.mails("A")) == before and at.mails(FORGER) == []
        assert "Is this letter yours?" in str(at.mails(ANN)[-1]["Subject"])
        confirm(at, ANN)
        assert at.standing("A") == ["SPECIAL AGR"], "it was hers"
        answer(at, ANN, "SPECIAL JUS")
        assert at.standing("A") == ["SPECIAL JUS"], "her own secret address proves it"
        proven(at, ANN, "SPECIAL TRA")
        assert at.standing("A") == ["SPECIAL TRA"], "and so does her provider"
        at.send(ANN, "DEPUTY END", Reply_To=FORGER)
        assert row(at) is not None, "nor is she dismissed so"


def test_a_forward_of_hers_gives_nothing_away(tmp_path: Path) -> None:
    """Whoever answers a mail of hers from elsewhere changes her secret address by that."""
    with table(tmp_path, trust="proven") as at:
        named_for_sure(at)
        old = str(at.mails(ANN)[-1]["Reply-To"])
        at.send(FORGER, "SPECIAL AGR", To=old)
        assert at.standing("A") == [] and row(at).token_no == 2  # type: ignore[union-attr]
        at.send(ANN, "SPECIAL AGR", To=old)
        assert at.standing("A") == []
        at.send("A", "STATUS")
        answer(at, "A", "SPECIAL JUS")
        answer(at, ANN, "SPECIAL TRA")
        assert at.standing("A") == ["SPECIAL TRA"]
        assert token_hash(old.split("+")[1].split("@", maxsplit=1)[0]) != row(at).token_hash  # type: ignore[union-attr]


def test_the_two_secret_addresses_are_not_each_other_s(tmp_path: Path) -> None:
    with table(tmp_path, trust="proven") as at:
        named_for_sure(at)
        his = str(at.mails("A")[-1]["Reply-To"])
        at.send(ANN, "SPECIAL AGR", To=his)
        assert at.standing("A") == [] and at.table().holders["A"].token_no == 2
        hers = str(at.mails(ANN)[-1]["Reply-To"])
        at.send("A", "SPECIAL AGR", To=hers)
        assert at.standing("A") == [] and row(at).token_no == 2  # type: ignore[union-attr]


@pytest.mark.parametrize("level", ["open", "proven"])
def test_after_her_last_day_she_is_a_stranger(tmp_path: Path, level: str) -> None:
    with table(tmp_path, trust=level) as at:
        named_for_sure(at, "TO 4 March")
        secret = str(at.mails(ANN)[-1]["Reply-To"])
        advance(at, 4)
        answer(at, "A", "SPECIAL JUS")
        number = len(at.mails(ANN))
        for text in ("SPECIAL AGR", "DEPUTY END", "STATUS", "ORDERS", "HISTORY 0", "QUIT"):
            at.send(ANN, text, To=secret)
            assert at.standing("A") == ["SPECIAL JUS"]
        said = [text_of(mail) for mail in at.mails(ANN)[number:]]
        assert said and all("Nothing of your letter was taken" in " ".join(t.split()) for t in said)
        assert not [text for text in said if "SPECIAL" in text]


def test_her_mails_go_to_her_and_nowhere_else(tmp_path: Path) -> None:
    with table(tmp_path) as at:
        at.send("A", 'NAME "Zanzibar"')
        named(at)
        at.send(ANN, "ORDERS", Reply_To=FORGER, Sender=FORGER, Return_Path=FORGER)
        assert "Zanzibar" in told(at, ANN) and at.mails(FORGER) == []
        for who in (*"BCDE", FORGER):
            assert not [m for m in at.mails(who) if "Zanzibar" in text_of(m)]
            assert not [m for m in at.mails(who) if ANN in m.as_string()]
        for mail in (*at.mails(ANN), *at.mails("A")):
            assert str(mail["To"]) in (ANN, address("A"))


def test_where_there_are_none_nobody_names_one(tmp_path: Path) -> None:
    with table(tmp_path, house={"deputies": "none"}) as at:
        at.send("A", f"DEPUTY {ANN}")
        assert "this game has no deputies" in told(at, "A") and row(at) is None


def test_no_more_people_are_asked_than_five_a_week(tmp_path: Path) -> None:
    with table(tmp_path) as at:
        for n in range(6):  # without the player's code nobody is asked
            at.send("A", f"DEPUTY ann{n}@mail.example")
        for _ in range(6):
            at.clock += timedelta(hours=1)
            at.send("A", f"DEPUTY {ANN}")
            if "the most" not in told(at, "A"):
                confirm(at, "A")
                at.send("A", "DEPUTY END")
        asked = [m for m in at.mails(ANN) if "Will you play" in str(m["Subject"])]
        assert "5 people have been asked within a week" in told(at, "A") and len(asked) == 5


def test_her_letters_are_nobody_else_s(tmp_path: Path) -> None:
    """A person has one seat to write for, and a deputy of another game does nothing in this one."""
    with table(tmp_path) as at:
        named(at)
        at.send(ANN, "GAME other\nSPECIAL AGR")
        assert at.standing("A") == []
        with exclusive_transaction(at.daemon.engine) as conn:
            player = players.at_address(conn, ANN)
            assert player is not None and deputies.of_player(conn, "g", player) == ["A"]
