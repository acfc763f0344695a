"""What a receipt says of lines that were not read, by real mail."""

from __future__ import annotations

from tests.installation import Installation


def said(at: Installation, text: str) -> str:
    at.write("A", text)
    at.once()
    return " ".join(at.newest("A").split())


def test_prose_is_one_quiet_line(at: Installation) -> None:
    receipt = said(at, "Dear referee,\nI trust nobody.\n\nSTANDING NO.\nIt is late.\nThanks\nAnn")
    assert at.standing("A") == ["STANDING NAY"]
    assert 'Not read as orders: 2 lines, from "I trust nobody' in receipt
    assert "I cannot read" not in receipt


def test_what_comes_near_an_order_is_asked_about(at: Installation) -> None:
    receipt = said(at, "Here I am\nI stand by special agr\nSTATUS quo\nWait for Bob")
    assert at.standing("A") == []
    assert (
        "did you mean SPECIAL AGR?" in receipt
        and 'Not read as orders: 1 line, "Here I am".' in receipt
    )
    assert "STATUS stands on a line of its own" in receipt and "no order begins" not in receipt
    assert "WAIT stands on a line of its own" in receipt and "Waiting" not in receipt


def test_an_order_in_a_quotation_is_named(at: Installation) -> None:
    receipt = said(
        at, "See below\n\n> SPECIAL ...   # one to four ministries\n> SPECIAL AGR and ENV\n"
    )
    assert at.standing("A") == []
    assert "send them again in a letter of their own" in receipt
    assert "| SPECIAL AGR and ENV" in receipt and "| SPECIAL ..." not in receipt


def test_an_order_copied_with_our_number_is_named(at: Installation) -> None:
    receipt = said(at, "Hello!\n\n[1] SPECIAL AGR and ENV\n\nAnn")
    assert at.standing("A") == []
    assert 'send "SPECIAL AGR and ENV" without the number.' in receipt
    receipt = said(at, "What the receipt said:\n[1] SPECIAL AGR\n\nSPECIAL ENV")
    assert at.standing("A") == ["SPECIAL ENV"] and "without the number" not in receipt


def test_days_in_words(at: Installation) -> None:
    receipt = said(at, "Absent from 24 December to 2 January, please.")
    assert "A is away from 24 December 2026 to 2 January 2027" in receipt
    receipt = said(at, "ABSENT 3/4 to 3/10")
    assert '"3/4" may mean 3 April or 4 March' in receipt


def test_a_press_that_names_nobody(at: Installation) -> None:
    receipt = said(at, "PRESS TO the Martians\nHello\nEND PRESS")
    assert "PRESS TO MARTIANS: there is no such seat or player" in receipt
    assert "It can go to ALL, or to A" in receipt
