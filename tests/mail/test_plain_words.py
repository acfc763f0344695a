"""What a receipt says of lines that were not read, by real mail."""

import pytest

from pbem.referee.game.arrivals import order_place
from tests.installation import Installation


def said(at: Installation, text: str) -> str:
    at.send("A", text)
    return " ".join(at.newest("A").split())


def test_talk_is_passed_over_in_silence(at: Installation) -> None:
    receipt = said(at, "Dear referee,\nI trust nobody.\n\nSTANDING NO.\nIt is late.\nThanks\nAnn")
    assert at.standing("A") == ["STANDING NAY"]
    assert "I trust nobody" not in receipt and "NOT TAKEN" not in receipt


READ = 'SPECIAL AGR, ENV, read from your words "please: special agr and env. Thanks!". Right? Do'


def test_a_sentence_is_taken_where_nothing_stands(at: Installation) -> None:
    receipt = said(at, "Hi,\n\nplease: special agr and env. Thanks!\n\nPlayer A")
    assert at.standing("A") == ["SPECIAL AGR, ENV"]
    assert f"[+] {READ} nothing. Wrong? Send CANCEL SPECIAL, until Monday 9 March" in receipt
    assert str(at.mails("A")[-1]["Subject"]) == "Re: [g] 1 order taken"
    receipt = said(at, "please: special tra.")
    assert at.standing("A") == ["SPECIAL AGR, ENV"] and "SPECIAL TRA in place of SPE" in receipt
    assert str(at.mails("A")[-1]["Subject"]) == "Re: [g] 1 order asked about"


def test_a_sentence_among_talk_is_offered(at: Installation) -> None:
    receipt = said(at, "Sorry I am late! Please: special agr. Standing: no.")
    assert at.standing("A") == []
    assert 'did you mean SPECIAL AGR and STANDING NAY? Answer "yes".' in receipt


def test_a_sentence_is_read_once(at: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it was read as is kept: a letter that is read again stands for these orders."""
    said(at, "Please: special agr.")
    monkeypatch.setattr("pbem.orders.other_words.sure", lambda *_: "SPECIAL TRA")
    game = at.table()
    place = at.act(order_place, game, "A", 99)
    assert list(map(str, place.before.values())) == ["SPECIAL AGR"]


def test_an_order_in_a_quotation_is_named(at: Installation) -> None:
    receipt = said(
        at, "See below\n\n> SPECIAL ...   # one to four ministries\n> SPECIAL AGR and ENV\n"
    )
    assert at.standing("A") == []
    assert "send them again in a letter of their own" in receipt
    assert "| SPECIAL AGR and ENV" in receipt and "| SPECIAL ..." not in receipt


def test_a_paragraph_is_quoted_once_however_many_names_it_refuses(at: Installation) -> None:
    receipt = said(at, "PROPOSE PM F, DEF G, FIN H")
    assert receipt.count("is not a party in this Parliament") == 3
    assert receipt.count("Vacant parties abstain") == receipt.count("the parties are A") == 1


def test_an_order_copied_with_our_number_is_named(at: Installation) -> None:
    receipt = said(at, "Hello!\n\n#1 SPECIAL AGR and ENV\n\nAnn")
    assert at.standing("A") == []
    assert 'send "SPECIAL AGR and ENV" without it.' in receipt
    receipt = said(at, "What the receipt said:\n#1 SPECIAL AGR\n\nSPECIAL ENV")
    assert at.standing("A") == ["SPECIAL ENV"] and "without it" not in receipt


def test_days_in_words(at: Installation) -> None:
    receipt = said(at, "Absent from 24 December to 2 January, please.")
    assert "A is away from 24 December 2026 to 2 January 2027" in receipt
    receipt = said(at, "ABSENT 3/4 to 3/10")
    assert '"3/4" may mean 3 April or 4 March' in receipt


def test_a_press_that_names_nobody(at: Installation) -> None:
    receipt = said(at, "PRESS TO the Martians\nHello\nEND PRESS")
    assert "PRESS TO MARTIANS: there is no such seat or player" in receipt
    assert "It can go to ALL, or to A" in receipt


@pytest.mark.parametrize(
    ("text", "press"),
    [
        ("tell b that id like to work with them", "PRESS TO B: id like to work with them"),
        ("let b and c know i cant vote for it", "PRESS TO B, C: i cant vote for it"),
        ("could you say to everyone: shall we talk?", "PRESS TO ALL: shall we talk?"),
        ("tell me what b wants", ""),
        ("tell a that i agree", ""),
    ],
)
def test_words_for_others_are_offered_as_press(at: Installation, text: str, press: str) -> None:
    receipt = said(at, text)
    assert ("PRESS TO" in receipt) == bool(press) and len(at.mails("B")) == 1
    if press:
        assert f'did you mean {press.removesuffix("?")}? Answer "yes".' in receipt
        at.send("A", "yes", in_reply_to=at.mails("A")[-1]["Message-ID"])
        assert press.partition(": ")[2] in at.newest("B")
