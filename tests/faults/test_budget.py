"""The law of the budget: what burns processor time is set aside, whichever stage it burns in, and
all else goes on.

The stages are the real ones; the fault is a call of theirs that does not end by itself. Nothing
here measures time: a test that ended has shown that the burning was ended.
"""

import signal
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from pbem import budget
from pbem.budget import Budget
from pbem.errors import OverBudget, RefereeError
from pbem.letters.limits import Limits
from pbem.periods import adjudicating, formation, publishing
from pbem.post import seats as mail_seats
from pbem.referee.acts import letter_acts
from pbem.referee.deciding import sandbox
from pbem.referee.gamesmaster import explaining
from pbem.store.engine import hot
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from tests.faults.burning import burn, burn_stubbornly, burns, once
from tests.installation import GAMESMASTER, Installation, desk, text_of
from tests.subjects import issue

STRANGER = "someone@else.example"
GOVERNMENT = (
    "GOVERNMENT PREMIER Soc E5, FOREIGN Ctr N1, FINANCE Mon S6, JUSTICE Rad E7, DEFENSE Soc E6,"
    " AGRICULTURE Rad E8, EDUCATION Ctr W1, WELFARE Mon S7; ENDORSED BY Con-Nor, Soc-Cap, Rad-Wes,"
    " Mon-Nor"
)
SECONDS = 0.25
OVER = f"more than {SECONDS} s of processor time"


pytestmark = pytest.mark.game(
    "coalition", strangers=(STRANGER,), limits={"letter_seconds": SECONDS}
)


def alarms(at: Installation, words: str) -> list[str]:
    return [text_of(mail) for mail in at.mails(GAMESMASTER) if words in str(mail["Subject"])]


# --- a letter -------------------------------------------------------------------------------------

STAGES = {
    "reading": "pbem.referee.deciding.sandbox.read",
    "verdict": "pbem.letters.verdict.decide",
    "known again": "pbem.letters.copies.likeness",
    "orders": "pbem.referee.game.game_letters.take",
    "press": "pbem.referee.game.relaying.harmless",
    "relayed press": "pbem.post.seats.muted",
    "sections": "pbem.referee.words.look.sections",
    "standing": "pbem.referee.game.receipts.standing_now",
    "receipt": "pbem.referee.game.receipts.receipt_text",
    "frozen bytes": "pbem.post.seats.compose",
}


@pytest.fixture(autouse=True)
def _unread() -> None:
    """No mail of the same words has been muted before, in another test."""
    mail_seats._muted.cache_clear()


@pytest.mark.parametrize(
    ("stage", "how"),
    [
        *((stage, burn) for stage in STAGES),
        ("reading", burn_stubbornly),
        ("receipt", burn_stubbornly),
    ],
)
def test_a_letter_that_burns_is_set_aside(
    at: Installation, monkeypatch: pytest.MonkeyPatch, stage: str, how: Any
) -> None:
    at.write("A", "SPECIAL AGR\nSTATUS\nPRESS TO B\nHello\nEND PRESS")
    at.write("B", "SPECIAL JUS")
    with monkeypatch.context() as patched:
        burns(patched, STAGES[stage], once(), how)
        at.once()
    assert [outcome for outcome, _ in at.outcomes()] == ["failed", "orders"]
    assert OVER in at.outcomes()[0][1]
    assert at.standing("A") == [] and at.standing("B") == ["SPECIAL JUS"]
    (alarm,) = alarms(at, "letter 1 failed")
    assert "processor" in alarm and "pbem retry 1" in alarm
    at.daemon.close()
    at.daemon = at.new_daemon()
    at.once()
    assert [outcome for outcome, _ in at.outcomes()] == [
        "failed",
        "orders",
    ]  # a restart does not try it again
    at.act(letter_acts.retry, 1)
    at.once()
    assert [outcome for outcome, _ in at.outcomes()] == ["orders", "orders"]
    assert at.standing("A") == ["SPECIAL AGR"]
    assert sum("Press from A" in str(mail["Subject"]) for mail in at.mails("B")) == 1


def test_deadlines_are_kept_while_letters_burn(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        at.write(STRANGER, "BURN")
    burns(monkeypatch, "pbem.referee.deciding.sandbox.read", lambda raw, *_: b"BURN" in raw)
    at.to_deadline()
    assert at.table().period.number == 2
    assert [outcome for outcome, _ in at.outcomes()] == ["failed"] * 3


def test_three_hundred_bytes_of_a_stranger(at: Installation) -> None:
    """As it came: an expression that tried the same words in two ways, twice as long for each of
    them."""
    at.write(STRANGER, f"PRESS TO A{' and A' * 30} ?")
    at.write("A", "SPECIAL AGR")
    at.to_deadline()
    first, second = (outcome for outcome, _ in at.outcomes())
    assert first in ("unknown-sender", "failed") and second == "orders"
    assert at.table().period.number == 2


HEAVY = b"From: <a@legit.example>\nContent-Type: text/html\n\n" + b"<p>SPECIAL AGR</p>\n" * 3_000


def test_a_child_has_what_is_left(at: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    (at.folder / "sitecustomize.py").write_text(
        "import pbem.letters.letter\ndef read(*_):\n    while True:\n        pass\npbem.letters.letter.read"
        " = read\n"
    )
    at.post(HEAVY)
    at.write("B", "SPECIAL JUS")
    with monkeypatch.context() as patched:
        patched.setenv("PYTHONPATH", str(at.folder))
        at.once()
        with pytest.raises(OverBudget):
            sandbox.read_in_child(HEAVY, Limits())
    assert [outcome for outcome, _ in at.outcomes()] == ["failed", "orders"]
    assert OVER in at.outcomes()[0][1]
    spent = Budget(60.0, "reading")
    sandbox.read_guarded(HEAVY, Limits(), spent)
    assert spent.left < 60.0


@pytest.mark.parametrize(
    "where",
    [
        "pbem.referee.deciding.sandbox.read",
        "pbem.referee.gamesmaster.explaining.take",
        "pbem.referee.gamesmaster.explaining._facts",
    ],
)
def test_pbem_letter_says_quarantine(
    at: Installation, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    at.send("A", "SPECIAL AGR")
    file = at.folder / "letter.eml"
    file.write_bytes(at.letter("A", "SPECIAL ENV"))
    burns(monkeypatch, where, once())
    with desk(at) as work:
        told = explaining.explain(work, file, None).json
    assert told["verdict"] == "quarantine" and OVER in told["reason"] and not told["reply_allowed"]
    burns(monkeypatch, where, once())
    with desk(at) as work:
        told = explaining.explain(work, None, 1).json
    assert told["verdict"] == "quarantine" and told["stored"]["outcome"] == "orders"


def test_a_formations_letters_are_registered_on_all_their_budgets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each letter of the period has brought its own: the last one does not pay for all."""
    seen: list[float] = []
    real = formation.progress

    def progress(*given: Any) -> Any:
        seen.append(budget.left())
        return real(*given)

    monkeypatch.setattr(formation, "progress", progress)
    with Installation(tmp_path, "parlement-1968") as at:
        at.start()
        at.send_each(at.seats[:3], "SIGN GOVERNMENT 1\nPASS")
        letters = [round(left / 2.0) for left in seen]
        burns(monkeypatch, "pbem.periods.formation.progress", once())
        at.change_site(mark=replace(at.daemon.installation.mark, seconds=0.1))
        at.send(at.seats[0], GOVERNMENT)
        assert at.outcomes()[-1][0] == "failed"
    assert letters == sorted(letters) and set(letters) == {1, 2, 3, 4}


# --- a deadline -----------------------------------------------------------------------------------


def test_a_mail_whose_muting_burns_is_barred_line_by_line(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    at.send("A", "SPECIAL AGR")
    burns(monkeypatch, "pbem.post.seats.muted", lambda text, **_: "BULLETIN 1" in text.upper())
    at.to_deadline()
    assert at.table().period.number == 2 and at.table().row.status == "running"
    bulletin = next(text_of(mail) for mail in at.mails("B") if issue(mail) == "[g] Bulletin 1")
    _, _, said = bulletin.partition("above this line --------\n")
    assert said.strip() and all(
        line.lstrip().startswith("| ") for line in said.split("\n") if line.strip()
    )


def test_press_that_burns_in_a_bulletin_is_left_out(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    at.send("A", "PRESS TO ALL\nBeware of the dog.\nEND PRESS")
    burns(
        monkeypatch,
        "pbem.periods.publishing.texts",
        lambda *given: "the dog" in str(given[-1]["press"]),
    )
    at.to_deadline()
    assert at.table().period.number == 2
    bulletin = next(text_of(mail) for mail in at.mails("B") if issue(mail) == "[g] Bulletin 1")
    assert "could not be printed" in bulletin and "the dog" not in bulletin
    at.once()
    (alarm,) = alarms(at, "bulletin 1 of g is without its press")
    assert "letters 1 " in " ".join(alarm.split())


@pytest.mark.parametrize(
    "where", ["pbem.periods.publishing.texts", "pbem.periods.adjudicating.play_period"]
)
def test_a_period_that_burns_holds_its_game_only(
    at: Installation, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    at.start("h")
    monkeypatch.setattr(adjudicating, "ADJUDICATION", 1)
    with monkeypatch.context() as patched:
        ours: Callable[..., bool] = (
            (lambda _, table, *__: table.id == "g")
            if where.endswith("texts")
            else (lambda *given: given[-1].game == "g")
        )
        burns(patched, where, ours)
        at.to_deadline()
    with exclusive_transaction(at.daemon.engine) as conn:
        assert (
            games.game(conn, "g").status == "held"
            and "technical" in games.game(conn, "g").held_because
        )
        assert games.game(conn, "h").period == 2
    at.once()
    assert "processor time" in " ".join(alarms(at, "game g is held: period 1 failed")[0].split())


def test_receipts_that_cannot_be_merged_go_out_one_by_one(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(14):
        at.write("A", f'NAME "Harbour {n}"')
    at.once()
    burns(monkeypatch, "pbem.referee.game.receipts.merged", once())
    at.once(minutes=61)
    at.once()
    at.once()
    states = [state for key, state in at.outbox() if key.startswith("receipt:")]
    assert states == ["sent"] * 14


def test_a_digest_that_burns_says_where_to_look(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    burns(monkeypatch, "pbem.referee.gamesmaster.queue.text", once())
    at.change_site(mark=replace(at.daemon.installation.mark, seconds=0.02))
    at.clock += timedelta(days=7)
    at.once()  # on a Monday
    (digest,) = alarms(at, "Digest of 9 March 2026")
    assert "processor time; see `pbem queue`" in " ".join(digest.split())


# --- the budget itself ----------------------------------------------------------------------------


def test_only_the_main_thread_can_keep_a_budget() -> None:
    """It says so, instead of going on without one."""
    told: list[BaseException] = []

    def begin() -> None:
        try:
            with Budget(1.0, "this"):
                pass
        except RefereeError as error:
            told.append(error)

    thread = Thread(target=begin)
    thread.start()
    thread.join()
    assert "main thread" in str(told[0])


def test_a_budget_in_a_budget_spends_both_and_pauses_spend_none() -> None:
    outer, inner, free = Budget(0.3, "outer"), Budget(0.05, "inner"), Budget(0.05, "free")
    with outer:
        with pytest.raises(OverBudget, match="inner"), inner:
            burn()
        assert outer.left < 0.3
        before = outer.left
        with pytest.raises(OverBudget, match="free"), budget.paused, free:
            burn()
        assert before - outer.left < 0.05
    with pytest.raises(OverBudget, match="outer"), outer, Budget(60.0, "inner"):
        burn()
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0) and not budget._stack


def test_statements_are_not_interrupted(at: Installation) -> None:
    """What is over during a statement ends after it. Nor are they counted: the timer, which may be
    up in the midst of one, waits for what is left."""
    spent = Budget(0.05, "this")
    with pytest.raises(OverBudget), exclusive_transaction(at.daemon.engine) as conn, spent:
        slow = (
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)"
            " SELECT max(i) FROM n"
        )
        for _ in range(3):
            hot.run(conn, slow)
        assert conn.exec_driver_sql(slow).scalar() == 300_000
        assert sum(range(1_000)) == 499_500 and spent.left > 0.0
        burn()


def test_every_players_words_pass_a_budget_on_their_way_out() -> None:
    """Each place that mutes a text of ours does so within one."""
    root = Path(publishing.__file__).parents[1]
    users = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if "muted(" in path.read_text() and path.name != "muting.py"
    }
    assert len(users) >= 1
    assert [one for one in users if "with Budget(" not in (root / one).read_text()] == []
