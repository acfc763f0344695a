"""Letters that programs send: by their fields, their address, their subject. None is answered; a
player's is."""

import pytest

from pbem.letters import automatic
from pbem.letters.letter import read
from tests.letter.letters import letter

FIELDS = (
    "Mailing-List: contact x-help@lists.example; run by ezmlm",
    "X-Mailing-List: <x@lists.example>",
    "X-BeenThere: x@lists.example",
    "List-Archive: <https://lists.example/x>",
    "X-Failed-Recipients: a@b.example",
    "X-FC-MachineGenerated: true",
    "X-Mail-Autoreply: yes",
    "X-Auto-Response: yes",
    "Precedence: auto-reply",
    "Return-Path: <>",
    "Return-Path: < >",
    "Return-Path: <MAILER-DAEMON>",
    "Return-Path: <MAILER-DAEMON@mx.example>",
    "Return-Path: <list-bounces@lists.example>",
    "Return-Path: <list-bounces+a=b.example@lists.example>",
    "Content-Type: message/disposition-notification",
)
ADDRESSES = (
    "post_master@x.example",
    "mailer_daemon@x.example",
    "mail-daemon@x.example",
    "mailer-daemon@x.example",
    "no.reply@x.example",
    "no_reply@x.example",
    "do.not.reply@x.example",
    "do-not-reply-12@x.example",
    "microsoftexchange329e71ec88ae4615bbc36ab6ce41109e@x.example",
    "sympa@x.example",
    "www-data@x.example",
)
SUBJECTS = (
    "AUTO: Player One is out of the office (returning 05/11/2026)",
    "Player One is out of the office",
    "Automatická odpověď: bulletin",
    "Automatická odpoveď: bulletin",
    "Otomatik Yanıt: bulletin",
    "Răspuns automat: bulletin",
    "Automatikus válasz: bulletin",
    "Αυτόματη απάντηση: bulletin",
    "Automatisch antwoord: bulletin",
    "自动答复: bulletin",
    "自動回覆: bulletin",
    "자동 회신: bulletin",
    "Automaattivastaus: bulletin",
    "Automatisk svar: bulletin",
    "Автоматична відповідь: bulletin",
)


def _named(subject: str) -> bytes:
    return letter("I am away.\n").replace(b"Subject: orders", f"Subject: {subject}".encode())


@pytest.mark.parametrize("field", FIELDS)
def test_fields_of_programs(field: str) -> None:
    assert automatic.why(read(letter("x\n", field)))


@pytest.mark.parametrize("address", ADDRESSES)
def test_addresses_of_programs(address: str) -> None:
    assert automatic.why(read(letter("x\n", sender=f"<{address}>")))


@pytest.mark.parametrize("subject", SUBJECTS)
def test_subjects_of_programs(subject: str) -> None:
    assert automatic.why(read(_named(subject)))


@pytest.mark.parametrize(
    "head", [(), ("Return-Path: <player1@legit.example>",), ("Auto-Submitted: no",)]
)
def test_a_player_is_answered(head: tuple[str, ...]) -> None:
    assert not automatic.why(read(letter("VOTE YES ON 4\n", *head)))


@pytest.mark.parametrize(
    "subject", ["Auto: orders", "Re: the Premier is out of the office", "Automation Bill"]
)
def test_orders_count_below_a_subject_that_may_be_a_programs(subject: str) -> None:
    assert not automatic.is_answer(read(_named(subject)))
