"""`pbem init`: make an installation by asking, from nothing to the first receipt."""

import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from pbem.cli import configuring, doctor, providers, round_trip
from pbem.cli.configuring import Service, Value
from pbem.cli.doctor import Finding
from pbem.cli.providers import IMAP, SMTP, Found, Login, Provider
from pbem.cli.shared import FILE, say, with_config
from pbem.daemon import servers
from pbem.errors import LoginRefused, OperatorError, OutsideError
from pbem.games import GAMES
from pbem.house import config, shelf
from pbem.house.config import Config
from pbem.pages.terminal import one_line
from pbem.periods import opening
from pbem.store.engine import database

TRIES = 3
_USUAL_TABLE = 4
"""Players of a first table, if the game does not say otherwise."""
_PROOF = (
    'New games believe proven letters only (trust = "proven"): answers to the referee\'s own mails,'
    " and those that our mail server vouches for. All others are asked about by a code."
)
_AUTHSERV = (
    "The name of our mail server: the first word behind Authentication-Results: in the header of"
    " any letter from outside (empty: it writes none)"
)
_Values = dict[str, dict[str, Value]]


@dataclass(frozen=True, slots=True)
class Answers:
    """What was given by options. Whatever is None is asked for, or takes its default with
    ``yes``."""

    yes: bool
    given: dict[str, Any]

    def ask(
        self,
        name: str,
        question: str,
        default: str | None = None,
        fits: Callable[[str], None] = lambda answer: None,
    ) -> str:
        """Return one answer that ``fits``, asked again after a mistake. Raise OperatorError if it
        may not be asked for: an option that does not fit, or no default."""
        given, option = self.given.get(name), f"--{name.replace('_', '-')}"
        if self.yes and given is None and default is None:
            raise OperatorError(f"with --yes give {option} too: {question}")
        asks = given is None and not self.yes
        while True:
            answer = _prompt(question, default) if asks else str(given or default).strip()
            try:
                fits(answer)
                return answer
            except OperatorError as error:
                if not asks:
                    raise
                say(str(error))


@click.command("init")
@with_config
@click.option("--address", help="the referee's mail address")
@click.option("--gamesmaster", metavar="ADDRESS", help="yours, for alarms and the daily digest")
@click.option("--zone", help="time zone of new games, as Europe/Paris")
@click.option(
    "--provider",
    type=click.Choice(list(providers.BY_KEY)),
    help="whose mail account it is (default: by the address)",
)
@click.option("--imap", metavar="HOST[:PORT]", help="where to fetch mail (default: it is sought)")
@click.option("--smtp", metavar="HOST[:PORT]", help="where to send mail (default: it is sought)")
@click.option("--user", help="the user name (default: the address, then its part before the @)")
@click.option("--password-file", type=FILE, help="a file with the password (default: asked for)")
@click.option(
    "--password-command", metavar="COMMAND", help="a command that prints the password, or token"
)
@click.option(
    "--authserv-id", metavar="NAME", help="what our mail server writes (default: it is learnt)"
)
@click.option("--ca-file", type=FILE, help="a certificate authority of your own")
@click.option(
    "--service",
    type=click.Choice(["none", "user", "system"]),
    help="a systemd unit: yours, or the machine's",
)
@click.option("--table", metavar="KEY", help="a first open table of this game, or none")
@click.option("--table-name", metavar="TABLE", help="its name")
@click.option("--players", metavar="N", help="how many play at it")
@click.option(
    "--practice", metavar="KEY", help="a practice game of this game in this terminal, or none"
)
@click.option("--yes", is_flag=True, help="ask nothing: take what is usual")
@click.option(
    "--wait",
    type=click.IntRange(min=1),
    default=round_trip.PATIENCE,
    show_default=True,
    metavar="SECONDS",
    help="how long to wait for the letter to ourselves",
)
def init_command(config_file: Path, yes: bool, wait: int, **given: Any) -> None:
    """Make an installation by asking: the mail account, the database, a service, a first table."""
    config_file = config_file.absolute()
    if config_file.exists():
        raise OperatorError(
            f"{config_file} is there already, and nothing is overwritten. `pbem doctor` tests it;"
            " --config names another"
        )
    answers = Answers(yes, given)
    values = _account(answers, config_file)
    settings = configuring.write(config_file, values)
    say(f"ok   {config_file} is written")
    engine = database.connect(settings.referee.database)
    database.upgrade(engine)
    say(f"ok   {engine.url.render_as_string()} is made")
    engine.dispose()
    findings = list(_tried(answers, settings, config_file, values, wait))
    bad = [finding for finding in findings if not finding.well]
    if bad:
        error = OutsideError if all(finding.outside for finding in bad) else OperatorError
        raise error(
            f"{len(bad)} of {len(findings)} checks failed. Mend what is marked BAD in"
            f" {config_file}, then `pbem doctor --send`"
        )
    _service(answers, config_file)
    opened = _table(answers, config_file)
    practice = _practice(answers, opened)
    say(
        f"\nReady. Start the referee: pbem serve --config {config_file}\n"
        f"Then write HELP to {settings.referee.address}; the receipt comes within a minute."
    )
    if practice:
        _command("practice", practice, "--folder", str(config_file.with_name("practice")))


def _account(answers: Answers, config_file: Path) -> _Values:
    address = answers.ask(
        "address", "The referee's mail address (used for nothing else)", fits=_mail_address
    )
    gamesmaster = answers.ask(
        "gamesmaster", "Your own mail address, as the gamesmaster", fits=_mail_address
    )
    zone = answers.ask("zone", "Time zone of new games", local_zone(), opening.fit_to_be_a_zone)
    key = answers.ask(
        "provider",
        f"Whose account is {address}? ({', '.join(providers.BY_KEY)})",
        providers.of(address).key,
        _one_of("--provider", providers.BY_KEY),
    )
    provider = providers.BY_KEY[key]
    if provider.advice:
        say(provider.advice)
    ways = _Ways(answers, provider, address, config_file)
    imap, imap_secret = ways.into(IMAP)
    smtp, smtp_secret = ways.into(SMTP)
    values: _Values = {
        "referee": {
            "address": address,
            "gamesmaster": gamesmaster,
            "zone": zone,
            "database": f"sqlite:///{config_file.with_name('pbem.db')}",
            "authserv_id": provider.authserv,
        },
        "imap": ways.values(imap, imap_secret),
        "smtp": ways.values(smtp, smtp_secret),
    }
    account = config.Imap.model_validate(values["imap"])
    junk = providers.junk_folders(servers.imap_account(account), account.processed)
    values["imap"] |= {"junk": junk, "processed": account.processed}
    return values


class _Ways:
    """The ways into an account: by a password that is asked for, a file or a command."""

    def __init__(
        self, answers: Answers, provider: Provider, address: str, config_file: Path
    ) -> None:
        self.answers, self.provider, self.address = answers, provider, address
        self.folder = config_file.parent
        self.ca_file = str(answers.given["ca_file"].absolute()) if answers.given["ca_file"] else ""
        self.user = answers.given["user"] or address
        self._secret: dict[str, Value] | None = None

    def into(self, kind: str) -> tuple[Found, dict[str, Value]]:
        """Find a server of a kind; the password is asked for again if it is refused."""
        where = self.answers.given[kind] or ""
        say(f"looking for the {kind.upper()} server:")
        for left in reversed(range(TRIES)):
            secret = self._asked(kind)
            server = config.Server.model_validate({"host": "x", "port": 1, **secret})
            login = Login(self.user, server.secret, self.provider.auth, self.ca_file)
            tried = providers.candidates(kind, self.provider, self.address, where)
            try:
                return providers.find(kind, tried, login, say), secret
            except LoginRefused:
                if not left or not self._may_ask:
                    raise
                say("The server refused this password for this user. Once more:")
                self._secret = None
            except OutsideError as error:
                if not left or self.answers.yes or self.answers.given[kind]:
                    raise
                say(one_line(str(error)))
                where = _prompt(f"Where is the {kind.upper()} server? (HOST or HOST:PORT)", None)
        raise AssertionError("the last try raises")

    @property
    def _may_ask(self) -> bool:
        given = self.answers.given
        return not (self.answers.yes or given["password_file"] or given["password_command"])

    def _asked(self, kind: str) -> dict[str, Value]:
        """Return where the secret stands; it is asked for once for both servers."""
        given = self.answers.given
        if given["password_file"]:
            return {"password_file": str(given["password_file"].absolute())}
        if self._secret is None and (given["password_command"] or self.provider.auth == "xoauth2"):
            command = self.answers.ask(
                "password_command", "The command that prints an access token"
            )
            self._secret = {"password_command": command}
        if self._secret is None:
            if self.answers.yes:
                raise OperatorError("with --yes give --password-file or --password-command too")
            file = self.folder / f"{kind}.password"
            configuring.private(file, _prompt("The password (not shown)", None, hidden=True) + "\n")
            say(f"ok   it is in {file}, for you alone to read")
            self._secret = {"password_file": str(file)}
        return self._secret

    def values(self, endpoint: Found, secret: dict[str, Value]) -> dict[str, Value]:
        made: dict[str, Value] = {
            "host": endpoint.at.host,
            "port": endpoint.at.port,
            "security": endpoint.at.security,
            "user": endpoint.user,
            "auth": self.provider.auth,
            "ca_file": self.ca_file,
        }
        nothing: dict[str, Value] = dict.fromkeys(
            ("password_env", "password_file", "password_command"), ""
        )
        return made | nothing | (secret if endpoint.user else {})


def _tried(
    answers: Answers, settings: Config, config_file: Path, values: _Values, wait: int
) -> Iterator[Finding]:
    sent = round_trip.parcel(settings)
    say(f"...  a letter goes to {sent.address}; it should be back within {wait} s")
    arrived = round_trip.travel(settings, sent, wait)
    if isinstance(arrived, round_trip.Arrived):
        names = round_trip.written_by(arrived.mail) or [settings.referee.authserv_id]
        say(_PROOF)
        values["referee"]["authserv_id"] = answers.ask("authserv_id", _AUTHSERV, names[0])
        settings = configuring.write(config_file, values)
    trip = (
        [arrived]
        if isinstance(arrived, Finding)
        else round_trip.judged(settings, sent, arrived, wait)
    )
    for finding in (*doctor.examine(config_file, lambda: datetime.now(UTC), False), *trip):
        doctor.tell(finding)
        yield finding


def _service(answers: Answers, config_file: Path) -> None:
    kind = answers.ask(
        "service",
        "A systemd unit, so that it runs by itself? (none, user, system)",
        "none",
        _one_of("--service", ("none", "user", "system")),
    )
    if kind == "none":
        return
    chosen: Service = "user" if kind == "user" else "system"
    file, commands = configuring.install(chosen, config_file)
    say(f"ok   {file} is written. To start it now and at each boot:")
    for command in commands:
        say(f"     {command}")


def _table(answers: Answers, config_file: Path) -> bool:
    key = _game(answers, "table", "A first open table?")
    if not key:
        return False
    name = answers.ask("table_name", "Its name, one short word", "first", opening.fit_to_be_an_id)
    sizes = sorted({len(seats) for seats in shelf.open_ruleset(key).about.seats})
    usual = min(size for size in sizes if size >= min(_USUAL_TABLE, sizes[-1]))
    words = ["--config", str(config_file)]
    if len(sizes) > 1:
        question = f"How many play? ({sizes[0]} to {sizes[-1]})"
        fits = _one_of("--players", [*map(str, sizes)])
        words += ["--players", answers.ask("players", question, str(usual), fits)]
    _command("open", key, name, *words)
    return True


def _practice(answers: Answers, opened: bool) -> str:
    """Return the game to practise, "" for none. It is not asked for beside a table."""
    if opened and answers.given["practice"] is None:
        return ""
    return _game(answers, "practice", "A practice game against house bots, here and now?")


def _game(answers: Answers, name: str, question: str) -> str:
    """Ask for a game. Return "" for none."""
    one_of = _one_of(f"--{name}", ("none", *GAMES))
    key = answers.ask(name, f"{question} (none, {', '.join(GAMES)})", "none", one_of)
    return "" if key == "none" else key


def _command(name: str, *words: str) -> None:
    """Do what another command does."""
    root: Any = click.get_current_context().find_root().command
    root.commands[name].main(list(words), prog_name=f"pbem {name}", standalone_mode=False)


def local_zone() -> str:
    """Return the time zone of this machine; UTC if it does not say."""
    linked = str(Path("/etc/localtime").resolve()).partition("/zoneinfo/")[2]
    for name in (os.environ.get("TZ", "").removeprefix(":"), linked):
        try:
            if name:
                return ZoneInfo(name).key
        except (ZoneInfoNotFoundError, ValueError, OSError):
            continue
    return "UTC"


def _mail_address(text: str) -> None:
    local, _, domain = text.rpartition("@")
    if not (local and domain) or any(char.isspace() for char in text):
        raise OperatorError(f"{text!r} is no mail address; write one like referee@game.example")


def _one_of(option: str, words: Collection[str]) -> Callable[[str], None]:
    def fits(text: str) -> None:
        if text not in words:
            raise OperatorError(f"{option} {text}: one of {', '.join(words)}")

    return fits


def _prompt(question: str, default: str | None, *, hidden: bool = False) -> str:
    return str(click.prompt(one_line(question), default=default, hide_input=hidden)).strip()


COMMANDS = (init_command,)
