"""No proven letter is ever without an answer or a row in the queue."""

import re
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.referee.gamesmaster import queue
from pbem.referee.gamesmaster.queue import Face
from pbem.store.engine.database import exclusive_transaction
from tests.installation import REFEREE, SEATS, Installation
from tests.sampled import in_turn


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    where: Path = tmp_path_factory.mktemp("silence")
    with Installation(
        where, "coalition", seats=SEATS, trust="proven", limits={"letters_an_hour": 1000}
    ) as found:
        found.start()
        yield found


PROOF = {"Authentication_Results": "mx.game.example; dmarc=pass header.from=legit.example"}
TEXTS = {
    "an order": "SPECIAL AGR",
    "a command": "STATUS",
    "prose": "I am away until 3 December.",
    "nothing": "",
    "WAIT": "WAIT",
}
HEADS = {
    "plain": {},
    "an absence note with orders": {"Subject": "Out of office until 3 Dec - my orders"},
    "an absence note": {"Subject": "Automatic reply: bulletin 1"},
    "perhaps one": {"Subject": "Auto: bulletin 1"},
    "auto-replied": {"Auto_Submitted": "auto-replied"},
    "auto-generated": {"Auto_Submitted": "auto-generated"},
    "bulk": {"Precedence": "bulk"},
    "a list": {"List_Id": "<friends.example>"},
    "through a list": {"List_Id": "<friends.example>", "Precedence": "list"},
    "an autoresponder": {"X_Autoreply": "yes"},
    "our own mark": {"X_Referee_Loop": "referee@game.example"},
    "no envelope sender": {"Return_Path": "<>"},
    "another game": {"Subject": "[nosuch] orders"},
    "unsubscribe": {"Subject": "unsubscribe"},
    "a code": {"Subject": "CONFIRM abcd-efgh"},
}


def _rows(at: Installation) -> list[dict[str, object]]:
    with exclusive_transaction(at.daemon.engine) as conn:
        return list(queue.queue(at.work(conn))["letters"])


@pytest.mark.parametrize(
    ("head", "text"), in_turn({one: one for one in HEADS}, {one: one for one in TEXTS})
)
def test_every_proven_letter_has_an_answer_or_a_row(at: Installation, head: str, text: str) -> None:
    rows = len(_rows(at))
    raw = at.write("A", f"{TEXTS[text]}\n# {head}, {text}\n", **PROOF, **HEADS[head])
    at.once(minutes=61)
    sent = message_from_bytes(raw)["Message-ID"]
    answered = any(mail["In-Reply-To"] == sent for mail in at.mails("A"))
    assert answered or len(_rows(at)) > rows


def test_such_a_row_says_why_and_how_to_end_it(at: Installation) -> None:
    at.send(
        "A",
        "I am away.",
        **PROOF,
        Subject="Automatic reply: your mail",
        Auto_Submitted="auto-replied",
    )
    row = _rows(at)[0]
    assert row["outcome"] == "unanswered" and row["seat"] == "A"
    assert "nothing was sent back" in str(row["reason"]) and f"pbem dismiss {row['id']}" in str(
        row["release"]
    )
    assert re.search(
        rf"letter {row['id']}: unanswered from", queue.text({**_queue(at)}, Face.SHELL)
    )


def _queue(at: Installation) -> dict[str, object]:
    with exclusive_transaction(at.daemon.engine) as conn:
        return dict(queue.queue(at.work(conn)))


def test_what_is_not_proven_or_not_a_players_has_none(at: Installation) -> None:
    before = len(_rows(at))
    at.write(REFEREE, "SPECIAL AGR")
    at.send("stranger@elsewhere.example", "Out of office", Auto_Submitted="auto-replied")
    assert len(_rows(at)) == before
