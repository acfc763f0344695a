"""`pbem init`: make an installation by asking, from nothing to the first receipt."""

import getpass
import json
import os
import shutil
import sys
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from pbem.cli import doctor
from pbem.cli.doctor import Finding
from pbem.cli.shared import FILE, say, with_config
from pbem.errors import LoginRefused, OperatorError, OutsideError
from pbem.games import GAMES
from pbem.games.frame import codec
from pbem.house import config, resources, shelf, templates
from pbem.house.config import Auth, Config, Security, fit_to_be_an_address
from pbem.orders.spelling import is_number
from pbem.pages.terminal import one_line
from pbem.periods import opening
from pbem.post.imap import Mailbox
from pbem.post.smtp import Transport
from pbem.store.engine import database

Value = str | int | float | bool | list[str]
Service = Literal["none", "user", "system"]
_SYSTEM = Path("/etc/systemd/system")


def filled(values: Mapping[str, Mapping[str, Value]]) -> str:
    """Return the example configuration with these values; its remarks stay."""
    section, lines = "", []
    for line in resources.path("config.example.toml").read_text(encoding="utf-8").split("\n"):
        if line.startswith("["):
            section = line[1:].partition("]")[0]
        key, _, rest = line.partition(" = ")
        if key in values.get(section, {}):
            written = f"{key} = {json.dumps(values[section][key], ensure_ascii=False)}"
            remark = rest.partition("#")[2]
            lines.append(f"{written:<37} #{remark}")
        else:
            lines.append(line)
    return "\n".join(lines).replace("Copy it to config.toml and fill it in; ", "") + "\n"


def write_config(file: Path, values: Mapping[str, Mapping[str, Value]]) -> Config:
    """Write the configuration, for its owner alone. Return it as read."""
    text = filled(values)
    read = config.parse(tomllib.loads(text), str(file))
    private(file, text)
    return read


def private(file: Path, text: str) -> None:
    """Write a file that nobody else can read, at any moment."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f".{file.name}.new")
    beside.unlink(missing_ok=True)
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="utf-8") as out:
        out.write(text)
    beside.replace(file)


def systemd_unit(kind: Service, config_file: Path) -> str:
    """Return a systemd unit for `pbem serve`."""
    page = templates.environment().get_template("_shared/service.txt.j2")
    return page.render(
        folder=_quoted(str(config_file.parent)),
        at=_escaped(str(config_file.parent)),
        program=_program(),
        config=_quoted(str(config_file)),
        user=getpass.getuser() if kind == "system" else "",
    )


def install_unit(kind: Service, config_file: Path) -> tuple[Path, list[str]]:
    """Write the unit where systemd looks for it, or beside the configuration if that is not ours to
    write. Return the file, and the commands left to give."""
    text = systemd_unit(kind, config_file)
    if kind == "user":
        home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
        file = home / "systemd" / "user" / "pbem.service"
        start = ["systemctl --user enable --now pbem", "loginctl enable-linger"]
    elif os.access(_SYSTEM, os.W_OK):
        file, start = _SYSTEM / "pbem.service", ["systemctl enable --now pbem"]
    else:
        file = config_file.with_name("pbem.service")
        start = [f"sudo cp {_quoted(str(file))} {_SYSTEM}/", "sudo systemctl enable --now pbem"]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file, start


def _program() -> str:
    own = Path(sys.argv[0])
    found = own if own.name == "pbem" and own.is_file() else shutil.which("pbem")
    if found:
        return _quoted(str(Path(found).absolute()))
    return f"{_quoted(sys.executable)} -m pbem"


def _escaped(word: str) -> str:
    return word.replace("%", "%%")


def _quoted(word: str) -> str:
    """Quote a unit's word if it needs quotes."""
    word = _escaped(word).replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return f'"{word}"' if any(char.isspace() or char in "'\"" for char in word) else word


LOOPBACK = ("127.0.0.1", "localhost", "::1")
IMAP, SMTP = "imap", "smtp"
_USUAL: dict[tuple[str, int], Security] = {
    (IMAP, 993): "tls",
    (IMAP, 143): "starttls",
    (SMTP, 465): "tls",
    (SMTP, 587): "starttls",
    (SMTP, 25): "starttls",
}
_TRIED: Mapping[str, tuple[int, ...]] = {IMAP: (993, 143), SMTP: (465, 587)}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a server listens, and how the connection is secured."""

    host: str
    port: int
    security: Security

    def __str__(self) -> str:
        return f"{self.host}:{self.port} ({self.security})"


@dataclass(frozen=True, slots=True)
class Provider:
    """A preset."""

    key: str
    title: str
    domains: tuple[str, ...] = ()
    imap: tuple[Endpoint, ...] = ()
    """Empty: search."""
    smtp: tuple[Endpoint, ...] = ()
    auth: Auth = "password"
    authserv: str = ""
    """Its constant authserv-id."""
    advice: str = ""
    """What its owner does first, at the provider's."""


PROVIDERS = codec.load(
    list[Provider], tomllib.loads(resources.text("rules", "providers.toml"))["provider"]
)
BY_KEY = {one.key: one for one in PROVIDERS}


def provider_of(address: str) -> Provider:
    domain = address.rpartition("@")[2].lower()
    return next((one for one in PROVIDERS if domain in one.domains), BY_KEY["other"])


def candidates(kind: str, provider: Provider, address: str, given: str) -> list[Endpoint]:
    """Return where to try, best first. ``given``: a HOST or HOST:PORT, or "" for a search."""
    if given:
        return list(_given(kind, given))
    known = provider.imap if kind == IMAP else provider.smtp
    if known:
        return list(known)
    domain = address.rpartition("@")[2]
    names = (f"{kind}.{domain}", f"mail.{domain}", domain)
    return [Endpoint(name, port, _USUAL[kind, port]) for port in _TRIED[kind] for name in names]


def _given(kind: str, given: str) -> Iterator[Endpoint]:
    host, colon, port = given.rpartition(":")
    if not colon or port.endswith("]"):
        host, ports = given, _TRIED[kind]
    elif is_number(port) and 0 < int(port) < 65_536:
        ports = (int(port),)
    else:
        raise OperatorError(f"--{kind} {given}: write HOST or HOST:PORT")
    host = host.strip("[]")
    for one in ports:
        usual = _USUAL.get((kind, one))
        tried: tuple[Security, ...] = (usual,) if usual else ("tls", "starttls")
        for security in tried:
            yield Endpoint(host, one, security)
        if host in LOOPBACK:
            yield Endpoint(host, one, "none")


PATIENCE = 10.0
"""Seconds for each step."""
_JUNK = ("junk", "spam", "junk email", "junk e-mail", "junk mail", "bulk mail", "[gmail]/spam")
TRIES = 3
_USUAL_TABLE = 4  # players of a first table, if the game does not say otherwise
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
        fits: Callable[[str], object] = str,
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
    type=click.Choice(list(BY_KEY)),
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
@doctor.WAIT
def init_command(config_file: Path, yes: bool, wait: int, **given: Any) -> None:
    """Make an installation by asking: the mail account and the rest. The database, a service, a
    first table."""
    config_file = config_file.absolute()
    if config_file.exists():
        raise OperatorError(
            f"{config_file} is there already, and nothing is overwritten. `pbem doctor` tests it;"
            " --config names another"
        )
    answers = Answers(yes, given)
    values = _account(answers, config_file)
    settings = write_config(config_file, values)
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
    practice = ""
    if not opened or given["practice"] is not None:  # it is not asked for beside a table
        practice = _game(answers, "practice", "A practice game against house bots, here and now?")
    say(
        f"\nReady. Start the referee: pbem serve --config {config_file}\n"
        f"Then write HELP to {settings.referee.address}; the receipt comes within a minute."
    )
    if practice:
        _command("practice", practice, "--folder", str(config_file.with_name("practice")))


def _account(answers: Answers, config_file: Path) -> _Values:
    address = answers.ask(
        "address", "The referee's mail address (used for nothing else)", fits=fit_to_be_an_address
    )
    gamesmaster = answers.ask(
        "gamesmaster", "Your own mail address, as the gamesmaster", fits=fit_to_be_an_address
    )
    zone = answers.ask("zone", "Time zone of new games", local_zone(), config.fit_to_be_a_zone)
    key = answers.ask(
        "provider",
        f"Whose account is {address}? ({', '.join(BY_KEY)})",
        provider_of(address).key,
        _one_of("--provider", BY_KEY),
    )
    provider = BY_KEY[key]
    if provider.advice:
        say(provider.advice)
    ways = _Ways(answers, provider, address, config_file)
    imap, smtp = ways.into(IMAP), ways.into(SMTP)
    values: _Values = {
        "referee": {
            "address": address,
            "gamesmaster": gamesmaster,
            "zone": zone,
            "database": f"sqlite:///{config_file.with_name('pbem.db')}",
            "authserv_id": provider.authserv,
        },
        "imap": imap,
        "smtp": smtp,
    }
    account = config.Imap.model_validate(values["imap"])
    with Mailbox(account) as mailbox:
        junk = [one for one in mailbox.folders() if one.removeprefix("INBOX.").lower() in _JUNK]
        with suppress(OutsideError):  # the doctor tells of it
            mailbox.ensure(account.processed)
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

    def into(self, kind: str) -> dict[str, Value]:
        """Return a server of a kind; the password is asked for again if it is refused."""
        given = self.answers.given
        where = given[kind] or ""
        may_ask = not (self.answers.yes or given["password_file"] or given["password_command"])
        say(f"looking for the {kind.upper()} server:")
        for left in reversed(range(TRIES)):
            secret = self._asked(kind)
            tried = candidates(kind, self.provider, self.address, where)
            try:
                return self._found(kind, tried, secret)
            except LoginRefused:
                if not left or not may_ask:
                    raise
                say("The server refused this password for this user. Once more:")
                self._secret = None
            except OutsideError as error:
                if not left or self.answers.yes or given[kind]:
                    raise
                say(one_line(str(error)))
                where = _prompt(f"Where is the {kind.upper()} server? (HOST or HOST:PORT)", None)
        raise AssertionError("the last try raises")

    def _found(
        self, kind: str, tried: Sequence[Endpoint], secret: dict[str, Value]
    ) -> dict[str, Value]:
        """Return the first server that takes the login, also by the part before the @. Raise
        LoginRefused if one is there and takes neither, OutsideError if none is there."""
        troubles: list[str] = []
        for endpoint in tried:
            for user in self._users(kind, endpoint):
                way = self._way(endpoint, user, secret)
                try:
                    _enter(kind, way | {"timeout": PATIENCE})
                except LoginRefused as error:
                    refused = error
                    say(f"     {endpoint}: there, and it refuses the login of {user}")
                    continue
                except OutsideError as error:
                    say(f"     {endpoint}: no")
                    troubles.append(str(error))
                    break
                say(f"ok   {endpoint}")
                return way
            else:
                raise refused
        raise OutsideError(
            f"no {kind.upper()} server was found; tell where it is with --{kind} HOST:PORT."
            f" {troubles[-1] if troubles else ''}"
        )

    def _users(self, kind: str, at: Endpoint) -> list[str]:
        if kind != IMAP and at.host in LOOPBACK and at.security == "none":
            return [""]  # a mail server on this machine takes mail from it
        local = self.user.rpartition("@")[0]
        return [self.user, local] if local and self.provider.auth == "password" else [self.user]

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
            private(file, _prompt("The password (not shown)", None, hidden=True) + "\n")
            say(f"ok   it is in {file}, for you alone to read")
            self._secret = {"password_file": str(file)}
        return self._secret

    def _way(self, at: Endpoint, user: str, secret: dict[str, Value]) -> dict[str, Value]:
        made: dict[str, Value] = asdict(at) | {
            "user": user,
            "auth": self.provider.auth,
            "ca_file": self.ca_file,
        }
        nothing = dict.fromkeys(("password_env", "password_file", "password_command"), "")
        return made | nothing | (secret if user else {})


def _enter(kind: str, way: dict[str, Value]) -> None:
    """Log in and out again."""
    if kind == IMAP:
        with Mailbox(config.Imap.model_validate(way)):
            return
    with Transport(config.Smtp.model_validate(way)) as carrier:
        carrier.connect()


def _tried(
    answers: Answers, settings: Config, config_file: Path, values: _Values, wait: int
) -> Iterator[Finding]:
    sent = doctor.parcel(settings)
    say(f"...  a letter goes to {sent.address}; it should be back within {wait} s")
    arrived = doctor.travel(settings, sent, wait)
    if isinstance(arrived, doctor.Arrived):
        names = doctor.written_by(arrived.mail) or [settings.referee.authserv_id]
        say(_PROOF)
        values["referee"]["authserv_id"] = answers.ask("authserv_id", _AUTHSERV, names[0])
        settings = write_config(config_file, values)
    trip = doctor.judged(settings, sent, arrived, wait)
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
    file, commands = install_unit(chosen, config_file)
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


def _one_of(option: str, words: Collection[str]) -> Callable[[str], None]:
    def fits(text: str) -> None:
        if text not in words:
            raise OperatorError(f"{option} {text}: one of {', '.join(words)}")

    return fits


def _prompt(question: str, default: str | None, *, hidden: bool = False) -> str:
    return str(click.prompt(one_line(question), default=default, hide_input=hidden)).strip()
