"""A forger who knows every address, reads what is public and gets forwards gains nothing by a
deputy; nor does the deputy gain more than her time and her seat."""

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.letters.authentication import token_hash
from pbem.post.postmark import code_hash
from pbem.store.engine.database import exclusive_transaction
from pbem.store.people import deputies, players
from tests.installation import Installation, address, text_of, told
from tests.mail.test_deputies import (
    ANN,
    FORGER,
    advance,
    answer,
    confirm,
    named,
    row,
    seen,
    table,
)


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
