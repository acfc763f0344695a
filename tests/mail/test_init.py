"""`pbem init`: from nothing to the first receipt, by real servers."""

import stat
import tomllib
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from aiosmtpd.smtp import Envelope
from click.testing import CliRunner, Result

from pbem.cli import init, main
from pbem.cli.demo.postoffice import PostOffice
from pbem.daemon.loop import Daemon
from pbem.house import config
from tests.mail.test_round_trip import carrier
from tests.mail.test_upgrade import landed
from tests.servers import free_ports

REFEREE, GAMESMASTER, ANNA = "referee@club.example", "gm@club.example", "anna@club.example"
PASSWORD = "a secret"
MODE = stat.S_IMODE


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with PostOffice(dict.fromkeys((REFEREE, GAMESMASTER, ANNA), PASSWORD)) as office:
        yield office


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    return tmp_path / "club"


def run(folder: Path, *words: str, said: str = "", code: int = 0) -> Result:
    words = ("init", "--config", str(folder / "config.toml"), *words)
    done = CliRunner().invoke(main, words, input=said)
    assert done.exit_code == code, (done.output, done.exception)
    return done


def at(office: PostOffice, smtp: int = 0) -> tuple[str, ...]:
    ports = office.imap_port, smtp or office.smtp_port
    return "--imap", f"127.0.0.1:{ports[0]}", "--smtp", f"127.0.0.1:{ports[1]}"


def unasked(folder: Path, address: str = REFEREE) -> tuple[str, ...]:
    """The options with which nothing is asked."""
    folder.mkdir(exist_ok=True)
    secret = folder / "secret"
    init.private(secret, PASSWORD)
    given = ("--address", address, "--gamesmaster", GAMESMASTER)
    return "--yes", *given, "--password-file", str(secret), "--wait", "20"


def letter(body: str) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = ANNA, REFEREE, "hello"
    mail["Message-ID"], mail["Date"] = "<1@club.example>", "Mon, 2 Mar 2026 09:00:00 +0000"
    mail.set_content(body)
    return mail.as_bytes(policy=policy.SMTP)


def passes(folder: Path) -> None:
    daemon = Daemon(config.load(folder / "config.toml"))
    daemon.pass_once()
    daemon.close()


def test_one_command_leads_to_the_first_receipt(office: PostOffice, folder: Path) -> None:
    answers = [REFEREE, "nobody", GAMESMASTER, "Paris", "Europe/Paris", "mine", ""]
    answers += [
        "wrong",
        PASSWORD,
        "mx.club.example",
        "yes",
        "user",
        "chess",
        "legislation",
        "The Table",
        "autumn",
    ]
    answers += ["many", "4"]
    told = run(folder, *at(office), said="\n".join(answers) + "\n").output
    for mistake in (
        "'nobody' is no mail address",
        "'Paris' is no time zone",
        "--provider mine: one of",
        "--service yes: one of",
        "--table chess: one of",
        "game id 'The Table': small letters",
        "--players many: one of",
    ):
        assert mistake in told
    assert "refused this password for this user. Once more" in told
    assert "BAD" not in told and "arrived in INBOX" in told
    assert PASSWORD not in told and "Ready. Start the referee: pbem serve" in told
    for name in ("config.toml", "imap.password", "pbem.db"):
        assert MODE((folder / name).stat().st_mode) == 0o600, name
    settings = config.load(folder / "config.toml")
    assert settings.imap.secret() == PASSWORD and not settings.smtp.user
    assert (
        "New games believe proven letters only" in told
        and "behind Authentication-Results: in the header" in told
    )
    assert (settings.referee.trust, settings.referee.authserv_id) == ("proven", "mx.club.example")
    assert settings.referee.zone == "Europe/Paris"
    office.deliver(REFEREE, letter("GAMES"))
    passes(folder)
    (answer,) = [message_from_bytes(one, policy=policy.default) for one in office.messages(ANNA)]
    assert "autumn" in str(answer.get_body(("plain",)).get_content())  # type: ignore[union-attr]
    unit = (folder.parent / "xdg" / "systemd" / "user" / "pbem.service").read_text()
    assert f"serve --config {folder}/config.toml" in unit and "systemctl --user enable" in told


def test_with_yes_nothing_is_asked(office: PostOffice, folder: Path) -> None:
    told = run(folder, *at(office), *unasked(folder)).output
    assert "BAD" not in told and "systemd" not in told
    settings = config.load(folder / "config.toml")
    assert settings.imap.password_file == str(folder / "secret")
    missing = run(folder / "other", "--yes", code=1).output
    assert "with --yes give --address too" in missing


def test_it_learns_from_a_letter_to_itself(office: PostOffice, folder: Path) -> None:
    def vouch(envelope: Envelope) -> None:
        said = b"Authentication-Results: mx.club.example; dmarc=pass header.from=club.example\r\n"
        office.deliver(REFEREE, said + (envelope.original_content or b""))

    with carrier(vouch) as port:
        told = run(folder, *at(office, port), *unasked(folder)).output
    assert config.load(folder / "config.toml").referee.authserv_id == "mx.club.example"
    assert "ok   Authentication-Results of mx.club.example" in told


def test_where_the_letter_does_not_come_back_the_mend_is_told(
    office: PostOffice, folder: Path
) -> None:
    with carrier(lambda envelope: None) as port:
        words = (*at(office, port), *unasked(folder), "--wait", "1")
        told = run(folder, *words, code=3).output
    assert "did not arrive within 1 s" in told and "then `pbem doctor --send`" in told
    assert "Ready" not in told and (folder / "config.toml").exists()
    again = run(folder, *words, code=1).output
    assert "is there already, and nothing is overwritten" in again


def test_servers_that_are_not_there(folder: Path) -> None:
    (port,) = free_ports(1)
    told = run(folder, "--imap", f"127.0.0.1:{port}", *unasked(folder), code=3).output
    assert "no IMAP server was found; tell where it is with --imap HOST:PORT" in told
    assert not (folder / "config.toml").exists()
    assert (
        "write HOST or HOST:PORT" in run(folder, "--imap", "x:y", *unasked(folder), code=1).output
    )


def test_a_server_that_is_not_found_is_asked_for(office: PostOffice, folder: Path) -> None:
    answers = [REFEREE, GAMESMASTER, "UTC", "", PASSWORD]
    answers += [f"127.0.0.1:{office.imap_port}", f"127.0.0.1:{office.smtp_port}", *[""] * 4]
    told = run(folder, said="\n".join(answers) + "\n").output
    assert "no IMAP server was found" in told and "Where is the SMTP server?" in told
    assert "Ready" in told and config.load(folder / "config.toml").imap.host == "127.0.0.1"


def test_it_ends_with_a_practice_game(office: PostOffice, folder: Path) -> None:
    words = (*at(office), *unasked(folder), "--practice", "coalition")
    told = run(folder, *words, said="READY\nQUIT\n").output
    assert "A LESSON" in told.partition("Ready. Start the referee")[2]
    assert (folder / "practice" / "game.toml").exists()
    refused = run(folder / "b", *at(office), *unasked(folder / "b"), "--practice", "chess", code=1)
    assert "--practice chess: one of" in refused.output


def test_a_wrong_password_in_a_file(office: PostOffice, folder: Path) -> None:
    words = unasked(folder)
    init.private(folder / "secret", "wrong")
    assert "login refused" in run(folder, *at(office), *words, code=3).output


@pytest.mark.parametrize(
    ("address", "known"),
    [
        ("club@gmail.com", "gmail"),
        ("club@hotmail.com", "outlook"),
        ("club@fastmail.com", "fastmail"),
        ("club@mailbox.org", "mailbox.org"),
        ("referee@club.example", "other"),
    ],
)
def test_a_provider_is_known_by_its_address(address: str, known: str) -> None:
    provider = init.provider_of(address)
    assert provider.key == known
    for kind in (init.IMAP, init.SMTP):
        found = init.candidates(kind, provider, address, "")
        assert found and all(one.security != "none" for one in found)
        if known == "other":
            assert [one.host for one in found[:3]] == [
                f"{kind}.club.example",
                "mail.club.example",
                "club.example",
            ]


def test_each_provider_says_what_its_owner_does_first() -> None:
    for provider in init.PROVIDERS:
        assert provider.advice or provider.key == "other"
    outlook = init.BY_KEY["outlook"]
    assert outlook.auth == "xoauth2" and "App registrations" in outlook.advice


def test_the_configuration_is_the_example_filled_in(tmp_path: Path) -> None:
    example = tomllib.loads(init.filled({}))
    strange = 'a "quoted" \\ name = [x] # no remark'
    given = tomllib.loads(init.filled({"smtp": {"host": strange, "port": 2525}}))
    assert given["smtp"] == example["smtp"] | {"host": strange, "port": 2525}
    assert given["imap"] == example["imap"]


@pytest.mark.parametrize("kind", ["user", "system"])
def test_systemd_takes_the_unit(kind: init.Service, tmp_path: Path) -> None:
    file = tmp_path / "a folder" / "100% club" / "config.toml"
    text = init.systemd_unit(kind, file)
    assert "100%% club" in text and f'"{str(file).replace("%", "%%")}"' in text
    assert ("User=" in text) == (kind == "system")


def test_the_zone_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert init.local_zone() == "Asia/Tokyo"
    monkeypatch.setenv("TZ", "nowhere/at-all")
    assert init.local_zone()


def test_the_doctor_tries_an_upgrade_on_a_copy(office: PostOffice, folder: Path) -> None:
    run(folder, *at(office), *unasked(folder))
    (folder / "pbem.db").unlink()
    url = f"sqlite:///{folder / 'pbem.db'}"
    landed(url)
    before = (folder / "pbem.db").read_bytes()
    words = ("doctor", "--offline", "--config", str(folder / "config.toml"))
    told = CliRunner().invoke(main, words)
    assert told.exit_code in (1, 3)
    assert "ok   an upgrade from revision 0018, tried on a copy, comes to 00" in told.output
    assert "`pbem backup FILE`, then `pbem db upgrade`" in told.output
    assert (folder / "pbem.db").read_bytes() == before
