"""The gamesmaster's shell, command by command, with a real configuration file; what is written wrong is answered
with one line that says what to do, and nothing is done."""

import json
import os
import re
import resource
import stat
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import text, update

from pbem.cli import doctor, main
from pbem.games.coalition.rules import Coalition
from pbem.games.frame.dice import Dice
from pbem.games.frame.options import settle
from pbem.house import shelf
from pbem.post.imap import Mailbox
from pbem.store.engine import database
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Period
from pbem.text import sentence
from tests.installation import GAMESMASTER, PASSWORD, SEATS, Installation, address, text_of
from tests.mail.test_upgrade import landed
from tests.shell import Shell


def test_new_and_start(shell: Shell) -> None:
    players = [
        word for seat in SEATS for word in ("--player", f"{seat}={address(seat)},Player {seat}")
    ]
    said = shell("new", "coalition", "g", *players, "--house", "hour=20:00", "--trust", "proven")
    assert "A: Player A <a@legit.example>" in said and "`pbem start g`" in said
    assert "choose another id" in shell.fails("new", "coalition", "g", *players)
    assert "is played by" in shell.fails("new", "coalition", "h", *players[:2])
    assert "write ADDRESS" in shell.fails("new", "coalition", "h", "--player", "nobody")
    assert "no rule-set" in shell.fails("new", "chess", "h", *players)
    assert "20:00 Europe/Paris" in shell("start", "g")
    assert "is running" in shell.fails("start", "g")
    assert "0 letters stored, 0 decided, 0 periods closed" in shell("once")
    assert shell.at.mails("A")[0]["Subject"] == "[g] Coalition: you are A"
    assert "the game is ended" in shell("end", "g", "--why", "enough").replace(
        "game g is ended", "the game is ended"
    )
    shell("once")
    assert "The seed of this game was" in shell.at.newest("A")


def test_a_replay_reads_while_another_writes(begun: Shell) -> None:
    with exclusive_transaction(begun.at.daemon.engine):
        assert "everything came out the same" in begun("replay", "g")


def test_rewind_replay_and_export(begun: Shell) -> None:
    begun("close", "g")
    begun("order", "g", "A", stdin='NAME "Later"')
    assert "Period 1 is adjudicated again; the game g is in period 2" in begun(
        "rewind", "g", "1", "--why", "misread", "--do"
    )
    assert begun.at.standing("A") == ['NAME "Later"']
    said = begun("replay", "g")
    assert re.match(r"1 period \(positions, draws, \d+ events, 6 views\), \d+ bulletins", said)
    with exclusive_transaction(begun.at.daemon.engine) as conn:
        conn.execute(update(Period).values(template="of another version"))
    assert "not compared: 12 texts that other templates made" in begun("replay", "g")
    assert "rewind to one of 1 to 1" in begun.fails("rewind", "g", "7", "--why", "x")
    assert "everything came out the same" in begun("replay", "g")
    folder = begun.file.parent / "export"
    assert re.fullmatch(
        r"\d+ files in .*\nthis look is in the journal.*\n", begun("export", "g", str(folder))
    )
    assert "rewind" in (folder / "journal.json").read_text()
    assert "seed" not in json.loads((folder / "game.json").read_text())
    assert "is not empty" in begun.fails("export", "g", str(folder))


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o177])
def test_nobody_else_reads_an_export(begun: Shell, umask: int) -> None:
    """Whatever the umask; also in a folder that was there, and in those on the way to it."""
    there = begun.file.parent / "there"
    there.mkdir(0o755)
    way = begun.file.parent / "way"
    before = os.umask(umask)
    try:
        for folder in (there, way / "to" / "it"):
            begun("export", "g", str(folder))
    finally:
        os.umask(before)
    found = [path for top in (there, way) for path in (top, *top.rglob("*"))]
    modes = {(path.is_dir(), stat.S_IMODE(path.stat().st_mode)) for path in found}
    assert modes == {(True, 0o700), (False, 0o600)}


def test_letters(begun: Shell) -> None:
    raw = begun.at.write("A", "GAME nosuch\nSPECIAL AGR")
    begun.at.write("B", "SPECIAL ENV\nNONSENSE")
    begun("once")
    told = json.loads(begun("letter", "--id", "2", "--json"))
    assert (told["verdict"], told["orders"], told["stored"]["outcome"]) == (
        "orders",
        ["SPECIAL ENV"],
        "orders",
    )
    assert told["sender"] == address("B") and told["problems"][0]["code"] == "E_SYNTAX"
    file = begun.file.parent / "one.eml"
    file.write_bytes(raw)
    assert json.loads(begun("letter", str(file), "--json"))["verdict"] == "duplicate"
    file.write_bytes(begun.at.letter("C", "SPECIAL JUS"))
    told = json.loads(begun("letter", str(file), "--json"))
    assert told["verdict"] == "orders" and told["reply_allowed"] is True
    assert "verdict     orders, by the rule" in begun("letter", str(file))
    begun.fails("letter", code=2)
    assert "is not stored" in begun.fails("letter", "--id", "99")
    assert "only a failed or unfetchable" in begun.fails("retry", "1")
    begun("dismiss", "1")
    assert "was dismissed by the gamesmaster" in begun.fails("accept", "1")
    assert "no letter 77" in begun.fails("accept", "77")
    assert "not there" in begun.fails("resend", "9999")
    assert json.loads(begun("queue", "--json"))["letters"] == []


def test_doctor_finds_all_well(begun: Shell) -> None:
    said = begun("doctor")
    assert (
        "BAD" not in said and "ok   folder INBOX" in said and "ok   the IMAP server's clock" in said
    )
    assert "ok   SMTP" in said and "ok   tables" in said
    assert "IMAP" not in begun("doctor", "--offline")


def test_doctor_names_each_fault_and_its_mend(
    begun: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun.file.parent.joinpath("pbem.db").chmod(0o644)
    assert "anybody can read it: chmod go-rwx" in begun.run("doctor", "--offline", code=1).stdout
    begun.file.parent.joinpath("pbem.db").chmod(0o600)
    good = begun.file.read_text()
    monkeypatch.setenv("PBEM_TEST_PASSWORD", "wrong")
    assert "login refused" in begun.run("doctor", code=3).stdout
    monkeypatch.delenv("PBEM_TEST_PASSWORD")
    assert "the environment has no PBEM_TEST_PASSWORD" in begun.run("doctor", code=1).stdout
    monkeypatch.setenv("PBEM_TEST_PASSWORD", PASSWORD)
    begun.write(good.replace(f"port = {begun.at.office.smtp_port}", "port = 1"))
    assert "BAD  SMTP" in begun.run("doctor", code=3).stdout
    begun.write(good.replace(begun.at.url, f"sqlite:///{begun.file.parent}/other.db"))
    assert "run `pbem db upgrade`" in begun.run("doctor", "--offline", code=1).stdout
    assert "run `pbem db upgrade`" in begun.fails("queue")
    begun("db", "upgrade")
    begun("doctor", "--offline")
    begun.write(good)
    skewed = [
        f
        for f in doctor.examine(begun.file, lambda: datetime.now(UTC) + timedelta(minutes=5), False)
        if not f.well
    ]
    assert [finding.what for finding in skewed] == ["the IMAP server's clock"]


def test_doctor_names_a_folder_that_is_missing(begun: Shell) -> None:
    good = begun.file.read_text()
    begun.write(
        good.replace('folders = ["INBOX"]', 'folders = ["INBOX"]\njunk = ["Junk", "inbox"]')
    )
    said = " ".join(begun.run("doctor", code=1).stdout.split())
    assert "BAD folder Junk: there is no such folder on the server, which has INBOX" in said
    assert "create it there, or mend [imap] junk; the games go on without it" in said
    assert "ok folder inbox" in said and "ok SMTP" in said
    begun.write(good.replace('folders = ["INBOX"]', 'folders = ["INBOX", "Orders/New"]'))
    said = " ".join(begun.run("doctor", code=1).stdout.split())
    assert "create it there, or mend [imap] folders; until then no period closes" in said
    with Mailbox(begun.at.config().imap) as mailbox:
        mailbox.ensure("Orders/New")
    assert "ok   folder Orders/New" in begun("doctor")


COMMANDS = {
    "LC_ALL=C TOKEN='hunter22 b' ls /nowhere/a /nowhere/hunter22": (
        "ls exited with 2: ls: cannot access '***': No such file"
    ),
    "echo sk9Lq82hXz0pQm41Vt7Rw >&2; false": "echo exited with 1: ***",
    "/nowhere/oama access hunter22": "oama exited with 127",
    "'unclosed hunter22": "the command exited with 2",
    "true hunter22": "true gave nothing",
    "printf '\\377' hunter22": "printf gave no UTF-8 text",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_password_command_that_fails_is_named_without_its_secrets(
    begun: Shell, command: str
) -> None:
    good = begun.file.read_text()
    begun.write(
        good.replace(
            'password_env = "PBEM_TEST_PASSWORD"', f"password_command = '''{command}'''", 1
        )
    )
    said = " ".join(begun.run("doctor", code=1).stdout.split())
    assert f"[imap] password_command: {COMMANDS[command]}" in said
    begun.fails("once", code=3)
    alarm = " ".join(text_of(begun.at.mails(GAMESMASTER)[-1]).split())
    assert COMMANDS[command] in alarm
    assert (
        "hunter22" not in said + alarm
        and "sk9Lq" not in said + alarm
        and "login refused" not in said
    )


def test_an_empty_password_is_not_tried(begun: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_TEST_PASSWORD", "")
    assert (
        "[imap] password_env: PBEM_TEST_PASSWORD gave nothing" in begun.run("doctor", code=1).stdout
    )
    good = begun.file.read_text()
    (empty := begun.file.parent / "empty").write_text("\n")
    begun.write(
        good.replace('password_env = "PBEM_TEST_PASSWORD"', f'password_file = "{empty}"', 1)
    )
    assert f"[imap] password_file: {empty} gave nothing" in begun.run("doctor", code=1).stdout


def test_a_password_command_that_works(begun: Shell) -> None:
    good = begun.file.read_text()
    begun.write(
        good.replace(
            'password_env = "PBEM_TEST_PASSWORD"', f'password_command = "echo {PASSWORD}"', 1
        )
    )
    assert "ok   IMAP" in begun("doctor")


def test_once_says_what_is_outside(begun: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_TEST_PASSWORD", "wrong")
    assert "login refused" in begun.fails("once", code=3)


def test_the_database_is_checked(shell: Shell) -> None:
    assert "as they should be" in shell("db", "check")
    engine = database.connect(shell.at.url)
    with database.exclusive_transaction(engine) as conn:
        conn.exec_driver_sql("ALTER TABLE memo ADD COLUMN more INTEGER")
    engine.dispose()
    assert "differ" in shell.fails("db", "check")


WHY = ("--why", "because")


@pytest.mark.parametrize(
    "words",
    [
        ("replace", "g", "A", "nobody", *WHY),
        ("standby", "g", "new@else@example"),
        ("address", address("A"), "a b@x.example"),
        ("address", address("A"), '"a"@x.example'),
        ("replace", "g", "A", "<new@else.example>", *WHY),
    ],
)
def test_what_is_no_address(begun: Shell, words: tuple[str, ...]) -> None:
    assert "is no mail address; write one like rene@mail.example" in begun.fails(*words)


def test_spans_of_more_than_a_year(begun: Shell) -> None:
    assert "`pbem hold g`" in begun.fails("extend", "g", "99999999", *WHY)
    assert "more than a year" in begun.fails("pause", "g", "2026-12-01", "9999-12-31", *WHY)
    assert "more than a year" in begun.fails("pause", "g", "2026-12-24", "2062-12-27", *WHY)


def test_seats_that_are_not_there(begun: Shell) -> None:
    for words in (
        ("rotate", "g", "Q"),
        ("order", "g", "Q"),
        ("replace", "g", "Q", "new@else.example", *WHY),
    ):
        assert "there is no seat 'Q' in g; the seats are A, B, C, D, E" in begun.fails(*words)


def test_files_that_cannot_be_had(begun: Shell, tmp_path: Path) -> None:
    gone = str(tmp_path / "gone.txt")
    assert begun.fails("order", "g", "A", gone) == f"pbem: {gone}: No such file or directory\n"
    (tmp_path / "file").touch()
    assert "pbem: " in begun.fails("export", "g", str(tmp_path / "file" / "x"))
    odd = tmp_path / "odd.txt"
    odd.write_bytes(b"SPECIAL AGR # caf\xe9\n")
    assert "SPECIAL AGR" in begun("order", "g", "A", str(odd))


def test_a_ruling_without_a_word(begun: Shell) -> None:
    assert "a ruling without a word" in begun.fails("rule", "g", " ")


NESTED = "x = " + "[" * 5000


def test_a_command_of_before_says_what_it_is_now(shell: Shell) -> None:
    assert "is now: `pbem rule GAME --none" in shell.fails("unrule", "g", "3", code=2)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("options = 5", "options: a table is wanted, as {PERIOD = 7}, not 5"),
        ('options = ["PERIOD"]', "options: a table is wanted, as {PERIOD = 7}, not ['PERIOD']"),
        (NESTED, "too many brackets within each other"),
    ],
)
def test_the_file_of_a_game(tmp_path: Path, written: str, said: str) -> None:
    (tmp_path / "game.toml").write_text(written)
    result = CliRunner().invoke(main, ["play", "coalition", str(tmp_path)])
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert f"{tmp_path / 'game.toml'}" in result.stderr and said in result.stderr


def test_a_configuration_of_brackets(shell: Shell) -> None:
    shell.write(NESTED)
    assert shell.fails("queue") == f"pbem: {shell.file}: too many brackets within each other\n"


def test_a_database_url_whose_port_is_no_number(shell: Shell) -> None:
    url = "postgresql+psycopg://us@host:port/pbem"
    shell.write(shell.file.read_text().replace(shell.at.url, url))
    assert f"database url {url!r}" in shell.fails("queue")


@pytest.mark.parametrize("words", [("queue",), ("db", "check"), ("db", "upgrade"), ("once",)])
def test_a_database_of_a_newer_program(shell: Shell, words: tuple[str, ...]) -> None:
    engine = database.connect(shell.at.url)
    with exclusive_transaction(engine) as conn:
        conn.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    said = shell.fails(*words)
    assert "revision 9999, which this program" in said and "upgrade`" not in said
    assert said.count("\n") == 1


# --- `pbem why` in the shell ----------------------------------------------------------------------


def test_a_record_is_printed_as_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_TEST_PASSWORD", PASSWORD)
    with Installation(tmp_path, "parlement-1966") as at:
        at.start()
        for seat in ("S", "R"):
            at.write(seat, "GOVERNMENT PREMIER S, FOREIGN R, DEFENSE S, FINANCE R WITH BILL 4")
        at.send("L", "ENDORSE S")
        at.to_deadline()
        at.send("S", "VOTE YES ON 4")
        at.to_deadline()
        said = Shell(at, tmp_path / "config.toml")("why", "g", "W")
    assert "\\x01" not in said and max(map(len, said.split("\n"))) <= 78
    assert "together" in said and "[22]" in said


# --- `pbem new` says what majority a game of coalition has, and what is to be done about one that all must join ---


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (
            (),
            [
                "The majority is 308 of the 615 seats in Parliament; players hold 341.",
                (
                    "The smallest coalition that reaches it: A, B, C, D and E with 341, that is"
                    " everybody."
                ),
                (
                    "With fewer than 15 players the option MAJORITY_OF=HELD is recommended: a"
                    " majority of 171 (A, B and C with 225)."
                ),
            ],
        ),
        (
            ("--option", "majority_of=held"),
            [
                "The majority is 171 of the 341 seats that players hold.",
                "The smallest coalition that reaches it: A, B and C with 225.",
            ],
        ),
    ],
)
def test_new_says_the_majority_and_who_reaches_it(
    shell: Shell, option: tuple[str, ...], told: list[str]
) -> None:
    players = [
        word for seat in "ABCDE" for word in ("--player", f"{seat}={address(seat)},Player {seat}")
    ]
    lines = shell("new", "coalition", "g", *players, *option).splitlines()
    assert [
        line for line in lines if line.startswith(("The majority", "The smallest", "With "))
    ] == told


def test_fifteen_are_recommended_nothing() -> None:
    ruleset = shelf.open_ruleset("coalition")
    assert isinstance(ruleset, Coalition)
    seats = ruleset.about.seats[0]
    state = ruleset.setup(seats, settle(ruleset.about.options, {}), {}, Dice("1", "new")).state
    assert len(seats) == 15 and ruleset.brief(state) == (
        "The majority is 308 of the 615 seats in Parliament; players hold 615.",
        "The smallest coalition that reaches it: A, B, C, D and E with 341.",
    )


def test_a_game_made_before_the_option_plays_by_all_seats() -> None:
    ruleset = shelf.open_ruleset("coalition")
    older = {k: v for k, v in settle(ruleset.about.options, {}).items() if k != "MAJORITY_OF"}
    state = ruleset.setup(tuple("ABCDE"), older, {}, Dice("1", "new")).state
    assert ruleset.view(ruleset.load(ruleset.dump(state)), None)["majority"] == 308


# --- what an operator meets first -----------------------------------------------------------------


def test_doctor_looks_whether_the_site_can_be_written(begun: Shell) -> None:
    assert "[site]" not in begun("doctor", "--offline")
    good, folder = begun.file.read_text(), begun.file.parent / "site" / "pages"
    begun.write(f'{good}\n[site]\nfolder = "{folder}"\n')
    assert f"ok   [site] folder {folder}" in begun("doctor", "--offline")
    assert not folder.parent.exists(), "to look makes nothing"
    folder.parent.write_text("in the way")
    said = " ".join(begun.run("doctor", "--offline", code=1).stdout.split())
    assert f"BAD [site] folder {folder}: it cannot be written (Not a directory)" in said


def test_what_an_upgrade_has_done(begun: Shell) -> None:
    good, other = begun.file.read_text(), f"sqlite:///{begun.file.parent}/other.db"
    assert "is up to date, at revision 0" in begun("db", "upgrade")
    begun.write(good.replace(begun.at.url, other))
    said = " ".join(begun.run("doctor", "--offline", code=1).stdout.split())
    assert "the database is empty, this program needs 0" in said
    assert "other.db was empty and is at revision 0" in begun("db", "upgrade")
    (begun.file.parent / "other.db").unlink()
    landed(other)
    assert f"was brought from revision {database.OLDEST} to 0" in begun("db", "upgrade")


def test_a_trouble_has_one_end(begun: Shell) -> None:
    begun.write(begun.file.read_text().replace(begun.at.url, "sqlite:////nowhere/at/all/x.db"))
    said = " ".join(begun.run("doctor", "--offline", code=3).stdout.split())
    assert "and its folder. Check [referee] database" in said and ".;" not in said
    assert [sentence(words) for words in ("a", "a.", "a?")] == ["a.", "a.", "a?"]


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of 16 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def moved(shell: Shell, folder: Path) -> None:
    """The database goes to another folder."""
    old = shell.at.url.partition("sqlite:///")[2]
    shell("backup", str(folder / "pbem.db"))
    shell.write(shell.file.read_text().replace(old, str(folder / "pbem.db")))


@pytest.mark.needs("mount")
def test_a_full_disk_is_found_without_the_mail_servers(begun: Shell, small: Path) -> None:
    moved(begun, small)
    assert f"ok   room in {small}" in begun("doctor", "--offline")
    rest = (small / "rest").open("wb", buffering=0)
    with rest, pytest.raises(OSError, match="No space left"):
        while rest.write(bytes(4096)):
            pass
    said = " ".join(begun.run("doctor", "--offline", code=1).stdout.split())
    assert f"BAD room in {small}: the database cannot grow (No space left on device)" in said
    assert "make room" in said
    begun.write(f'{begun.file.read_text()}\n[site]\nfolder = "{small}/pages"\n')
    said = " ".join(begun.run("doctor", "--offline", code=1).stdout.split())
    assert f"BAD [site] folder {small}/pages: it cannot be written (No space left" in said
    (small / "rest").unlink()
    assert f"ok   room in {small}" in begun("doctor", "--offline")


def test_a_limit_of_the_account_is_found(begun: Shell) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (doctor.ROOM // 2, hard))
    try:
        said = begun.run("doctor", "--offline", code=1).stdout
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "the database cannot grow (File too large)" in " ".join(said.split())


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        (0o600, "ok permissions of {}"),
        (0o640, "warn permissions of {}: its group can read it; if that is not meant: chmod g-rwx"),
        (0o644, "warn permissions of {}: anybody can read it: chmod go-rwx {}"),
    ],
)
def test_a_configuration_that_others_read_is_a_warning(begun: Shell, mode: int, said: str) -> None:
    begun.file.chmod(mode)
    told = " ".join(begun("doctor", "--offline").split())
    assert said.format(begun.file, begun.file) in told


@pytest.mark.parametrize(("mode", "code", "mark"), [(0o640, 0, "warn"), (0o644, 1, "BAD")])
def test_a_password_that_others_read(begun: Shell, mode: int, code: int, mark: str) -> None:
    begun.file.chmod(0o600)
    secret = begun.file.parent / "password"
    secret.write_text("x")
    secret.chmod(mode)
    text = begun.file.read_text().replace(
        'password_env = "PBEM_TEST_PASSWORD"', f'password_file = "{secret}"', 1
    )
    begun.write(text)
    told = " ".join(begun.run("doctor", "--offline", code=code).stdout.split())
    assert f"{mark} permissions of {secret}: " in told


def test_it_says_whether_questions_can_be_looked_up(made: Shell) -> None:
    assert "ok   full-text search" in made("doctor", "--offline")
