"""What the daemon does besides letters: digest, canary, retention, metrics, logs, alarms, clocks,
signals."""

import urllib.error
import urllib.request
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog
from sqlalchemy import select

from pbem.daemon import logs, metrics
from pbem.daemon.loop import Daemon
from pbem.games.frame.house_rules import skew
from pbem.periods import adjudicating, deadline_acts, opening
from pbem.post.clock import Reading
from pbem.post.imap import Mailbox
from pbem.referee.deciding.handling import Handling
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Letter
from tests.installation import GAMESMASTER, REFEREE, SEATS, Installation, absent, text_of
from tests.subjects import subjects
from tests.wire import Wire


def changed(at: Installation, **daemon: Any) -> None:
    """The daemon once more, with other settings."""
    old = at.daemon
    made = old.config.model_copy(update={"daemon": old.config.daemon.model_copy(update=daemon)})
    old.close()
    at.daemon = Daemon(made)


def test_a_digest_comes_on_mondays_and_when_something_waits(at: Installation) -> None:
    def digests() -> list[str]:
        return [one.removeprefix("[pbem] Digest of ") for one in subjects(at) if "Digest" in one]

    at.clock = datetime(2026, 3, 3, 5, 30, tzinfo=UTC)  # Tuesday, 06:30 in Paris
    for _ in range(30):
        at.once(minutes=60)
    assert digests() == ["2 March 2026"], "Monday"
    at.send("A", "PROTEST this cannot be")
    for _ in range(24):
        at.once(minutes=60)
    assert digests() == ["2 March 2026", "5 March 2026"]
    at.clock = datetime(2026, 3, 9, 5, 30, tzinfo=UTC)
    at.once()
    assert digests()[-1] != "9 March 2026"
    at.once(minutes=60)
    at.once(minutes=60)
    assert digests().count("9 March 2026") == 1
    assert "g: coalition, running, period 1" in text_of(at.mails(GAMESMASTER)[-1])


def test_the_canary_flies_and_is_missed(at: Installation) -> None:
    changed(at, canary_minutes=60)
    for _ in range(5):
        at.once(minutes=30)
    assert [outcome for outcome, _ in at.outcomes()] == ["ignored", "ignored"]
    assert not [one for one in subjects(at) if "canary" in one]
    at.office.reject_next(550)
    for _ in range(3):
        at.once(minutes=61)
    assert "[pbem] the canary is late" in subjects(at)


def test_raw_letters_are_purged_once_their_game_is_over(at: Installation) -> None:
    changed(at, retention_days=30)
    at.send("A", "SPECIAL AGR")

    def raws() -> list[bool]:
        with exclusive_transaction(at.daemon.engine) as conn:
            return [raw is None for raw in conn.execute(select(Letter.raw)).scalars()]

    at.act(deadline_acts.hold, "g", "a long rest")
    at.later(days=40)
    assert raws() == [False]
    at.act(opening.end, "g", "enough")
    at.later(days=1)
    assert raws() == [False], "its players may still say something on it, for a week"
    at.later(days=7)
    assert raws() == [True]
    assert at.outcomes() == [("orders", at.outcomes()[0][1])]


def test_metrics_and_health(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    at.clock = datetime.now(UTC)
    at.act(deadline_acts.hold, "g", "not to be closed")
    at.once()
    at.daemon.pulse.beat(at.once().trouble)
    watch = metrics.Watch(at.daemon.engine, 0, at.daemon.pulse)
    try:
        page = (
            urllib.request.urlopen(f"http://127.0.0.1:{watch.port}/metrics", timeout=120)
            .read()
            .decode()
        )
        assert (
            'pbem_letters{outcome="orders"} 1.0' in page and 'pbem_games{status="held"} 1.0' in page
        )
        assert "pbem_last_pass_age_seconds" in page
        health = urllib.request.urlopen(f"http://127.0.0.1:{watch.port}/health", timeout=120)
        assert health.status == 200 and health.read().startswith(b"well")
        at.daemon.readers[0].mailbox.close()
        at.daemon.readers[0].mailbox.account = absent(at.daemon.readers[0].mailbox.account)
        at.daemon.pulse.beat(at.once().trouble)
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"http://127.0.0.1:{watch.port}/health", timeout=120)
        assert refused.value.code == 503 and b"imap" in refused.value.read()
    finally:
        watch.close()


def test_no_token_or_code_reaches_the_logs(
    at: Installation, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure(as_json=False)
    from pbem.daemon.passes import log

    token = str(at.mails("A")[0]["Reply-To"])
    part = token.partition("+")[2].partition("@")[0]
    log.warning(
        "odd",
        to=token,
        text=f"please CONFIRM {part[:16]} now",
        where=f"b-abc-{part}@x",
        plain="reply",
    )
    said = capsys.readouterr().err
    assert part not in said and part[:16] not in said
    assert "referee+***@game.example" in said and "CONFIRM ***" in said and "plain=reply" in said


def broken(at: Installation, monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> str:
    """A step of the referee that fails with a player's secret address in its words; that address's
    token."""
    token = str(at.mails("A")[0]["Reply-To"]).partition("+")[2].partition("@")[0]

    def fail(*given: object) -> None:
        locals_of_it = (
            given  # what a traceback with locals would print: the game with its seed, the key
        )
        raise ValueError(f"cannot apply Pay of +{token} among {len(locals_of_it)}")

    monkeypatch.setattr(module, name, fail)
    return token


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("what", ["period", "letter"])
def test_a_failure_is_logged_with_a_traceback_that_shows_no_secret(
    at: Installation,
    what: str,
    as_json: bool,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    logs.configure(as_json)
    place = (adjudicating, "close_period") if what == "period" else (Handling, "carry_out")
    token = broken(at, monkeypatch, *place)
    at.write("A", "SPECIAL AGR")
    at.to_deadline()
    said = capsys.readouterr().err
    assert ("not done" if what == "period" else "letter failed") in said
    assert (
        "Traceback (most recent call last)" in said
        and "ValueError: cannot apply Pay of +*** among" in said
    )
    key = at.daemon.installation.mark.key
    for secret in (token, "locals_of_it =", "seed=", key.hex(), repr(key)):
        assert secret not in said


def test_a_seed_and_a_key_are_masked_wherever_they_stand(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.configure(as_json=True)
    structlog.get_logger().error("odd", text=f"the seed is {'0f' * 32}, the nonce '{'a1' * 16}'")
    assert "the seed is ***, the nonce '***'" in capsys.readouterr().err


@pytest.mark.parametrize("what", ["imap", "smtp"])
def test_a_refused_login_is_an_alarm(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.errors import LoginRefused

    with Installation(tmp_path, "coalition", seats=SEATS) as at:
        at.start()
        at.write("A", "SPECIAL AGR")
        with monkeypatch.context() as broken:
            refusal = LoginRefused(f"{what} account: login refused: bad password.")

            def refuse(*_: object) -> None:
                raise refusal

            if what == "imap":
                at.daemon.readers[0].mailbox.close()
                broken.setattr(at.daemon.readers[0].mailbox, "connect", refuse)
            else:
                at.daemon.carrier.close()
                broken.setattr(at.daemon.carrier, "_open", refuse)
            done = at.once()
            assert f"{what}: {what} account: login refused: bad password." in done.trouble
        at.later(minutes=10)
        at.once()
        assert f"[pbem] {what} refuses our login" in subjects(at)
        assert at.standing("A") == ["SPECIAL AGR"]
        assert not at.once().trouble


def test_the_mail_servers_clock() -> None:
    now = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
    minute = timedelta(minutes=1)
    assert skew(now - minute, now, None) == timedelta(0)
    assert skew(now + 5 * minute, now, now) == 5 * minute
    assert skew(now - 5 * minute, now, now - minute) == -4 * minute
    assert skew(now - minute, now, now - 5 * minute) == timedelta(0)


def test_a_server_ahead_of_us_is_an_alarm(at: Installation) -> None:
    at.office.deliver(REFEREE, at.letter("A", "SPECIAL AGR"), at.clock + timedelta(seconds=30))
    at.once(minutes=0)
    assert "[pbem] the clocks differ" not in subjects(at)
    at.office.deliver(REFEREE, at.letter("A", "SPECIAL ENV"), at.clock + timedelta(minutes=3))
    at.once()
    assert "[pbem] the clocks differ" in subjects(at)


def test_a_server_behind_us_is_an_alarm(at: Installation) -> None:
    start = at.mails("A")[0]
    answer = at.letter("A", "SPECIAL AGR", In_Reply_To=str(start["Message-ID"]))
    at.office.deliver(REFEREE, answer, at.clock - timedelta(minutes=30))
    at.once()
    assert "[pbem] the clocks differ" in subjects(at)


def test_a_gap_between_two_runs_of_cron_is_no_jump(at: Installation) -> None:
    at.clock += timedelta(hours=3)
    at.daemon.close()
    at.daemon = at.new_daemon()
    at.daemon.read = lambda: Reading(at.clock, 5.0)
    at.daemon.pass_now()
    assert at.table().row.status == "running"


def test_a_player_announces_his_absence(at: Installation) -> None:
    due = at.table().period.due
    at.write("A", "SPECIAL AGR\nABSENT 2026-12-20 TO 2027-01-03")
    at.send("B", "ABSENT 2026-12-20 TO 2026-01-03")
    assert at.table().period.due == due and at.standing("A") == ["SPECIAL AGR"]
    assert "Your absence will be in the next bulletin" in " ".join(at.newest("A").split())
    assert "lies before" in at.newest("B")
    told = next(
        text_of(mail) for mail in at.mails(GAMESMASTER) if "absence" in str(mail["Subject"])
    )
    assert "pbem pause g 2026-12-20 2027-01-03" in " ".join(told.split())
    at.to_deadline()
    assert "A (Player A) is away from 20 December 2026 to 3 January 2027." in text_of(
        at.mails("C")[-2]
    ) + at.newest("C")


@pytest.mark.parametrize("when", ["before the pass", "while it waits"])
def test_a_mailbox_that_is_away_is_one_warning_until_the_next_poll(
    at: Installation, when: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """And it does not keep the daemon from a signal."""
    changed(at, poll_seconds=3)
    steady = [0.0]
    at.daemon.read = lambda: Reading(at.clock + timedelta(seconds=steady[0]), steady[0])
    logs.configure(as_json=False)
    with Wire(at.office.imap_port) as wire:
        at.daemon.readers[0].mailbox = Mailbox(
            at.daemon.readers[0].mailbox.account.model_copy(
                update={"port": wire.port if when == "while it waits" else 1}
            )
        )
        at.daemon.turn()  # the pass
        wire.cut()
        for steady[0] in (1.0, 2.0, 2.9):
            at.daemon.turn()
        assert capsys.readouterr().err.count("warning") == 1
        steady[0] = 3.0
        at.daemon.turn()  # the next poll asks again
    assert capsys.readouterr().err.count("warning") == (when == "before the pass")
