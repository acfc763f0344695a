"""The configuration: one TOML file, checked when read. It holds no secrets."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pydantic

from pbem.errors import OperatorError
from pbem.games.frame import calendar
from pbem.house import resources
from pbem.letters import limits
from pbem.orders import spelling


def fit_to_be_a_zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:  # OSError: a folder of zones
        raise OperatorError(f"{name!r} is no time zone; write one like Europe/Paris") from error


def fit_to_be_an_address(text: str) -> None:
    local, _, domain = text.rpartition("@")
    if not (local and domain) or any(char.isspace() for char in text):
        raise OperatorError(f"{text!r} is no mail address; write one like referee@game.example")


_DAY = re.compile(r"([1-9]|1[0-9]|2[0-8])(?:st|nd|rd|th)")


def _day(day: str) -> None:
    if day and not _DAY.fullmatch(day):
        raise OperatorError(f"{day!r} is no day of a month; write one from 1st to 28th")


def _fit(check: Callable[[str], object]) -> pydantic.AfterValidator:
    def fits(text: str) -> str:
        try:
            check(text)
        except OperatorError as error:
            raise ValueError(str(error)) from error
        return text

    return pydantic.AfterValidator(fits)


Zone = Annotated[str, _fit(fit_to_be_a_zone)]
Hour = Annotated[str, _fit(calendar.clock_time)]
MailAddress = Annotated[str, _fit(fit_to_be_an_address)]
Text = Annotated[str, pydantic.Field(min_length=1)]
Port = Annotated[int, pydantic.Field(ge=1, le=65_535)]
Seconds = Annotated[float, pydantic.Field(gt=0, le=3600)]
Days = Annotated[int, pydantic.Field(ge=1, le=36_500)]
Number = Annotated[int, pydantic.Field(ge=1, le=1_000_000_000)]
_FORMER = {"none": "open", "dmarc": "proven", "token": "proven", "openpgp": "proven"}
"""Levels of before 2.0."""
Level = Annotated[
    Literal["open", "proven"], pydantic.BeforeValidator(lambda said: _FORMER.get(str(said), said))
]


class _Section(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)


Security = Literal["tls", "starttls", "none"]
Auth = Literal["password", "xoauth2"]


class Server(_Section):
    """A mail account. At most one of ``password_env``, ``password_file`` and ``password_command``
    names the secret; for ``xoauth2`` the token, fetched at each login. Without a user there is no
    login."""

    host: Text
    port: Port
    user: str = ""
    security: Security = "tls"
    auth: Auth = "password"
    password_env: str = ""
    password_file: str = ""
    password_command: str = ""
    ca_file: str = ""
    timeout: Seconds = 30.0

    def __str__(self) -> str:
        who = f"{self.user} at " if self.user else ""
        return f"{type(self).__name__.upper()} account {who}{self.host}:{self.port}"

    @pydantic.model_validator(mode="after")
    def _one_secret(self) -> Server:
        given = [s for s in (self.password_env, self.password_file, self.password_command) if s]
        if len(given) > 1:
            raise ValueError("give one of password_env, password_file, password_command")
        if self.security == "none" and self.host not in ("127.0.0.1", "localhost", "::1"):
            raise ValueError('security = "none" is for this machine only; use tls or starttls')
        return self

    def secret(self) -> str:
        """Return the password or token, read now. Raise OperatorError."""
        section = f"{self.host}: [{type(self).__name__.lower()}]"
        if self.password_env:
            if self.password_env not in os.environ:
                raise OperatorError(
                    f"{section} password_env: the environment has no {self.password_env}"
                )
            what, password = f"password_env: {self.password_env}", os.environ[self.password_env]
        elif self.password_file:
            what = f"password_file: {self.password_file}"
            try:
                password = Path(self.password_file).read_text(encoding="utf-8").strip()
            except OSError as error:
                raise OperatorError(f"{section} {what}: {error.strerror}") from error
            except UnicodeDecodeError:
                raise OperatorError(f"{section} {what} is no UTF-8 text") from None
        elif self.password_command:
            what = f"password_command: {_program(self.password_command)}"
            password = _printed(self.password_command, f"{section} {what}")
        else:
            raise OperatorError(f"{section}: set password_env, password_file or password_command")
        if not password:
            raise OperatorError(f"{section} {what} gave nothing")
        return password


_PIECES = re.compile(r"""[^\s'"|;&<>()$`=]{4,}""")  # pieces of a command that may be secrets
_TOKEN = re.compile(r"(?<![\w+=~-])(?=(?:[^\W\d]|[+=~-])*+\d)[\w+=~-]{20,}+")

_SETTING = re.compile(r"\w++=")
_AFTER_PROGRAM = re.compile(r"[|;&<>()$`]")


def _program(command: str) -> str:
    """Return a shell command's program. Folder and arguments may be secrets."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    first = next((word for word in words if not _SETTING.match(word)), "")
    return _AFTER_PROGRAM.split(first)[0].rpartition("/")[2] or "the command"


def _printed(command: str, what: str) -> str:
    """Return what a command prints. A failure quotes its last complaint, with *** for pieces of
    command, output or tokens."""
    try:
        run = subprocess.run(command, shell=True, capture_output=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        raise OperatorError(f"{what} did not end within a minute") from None
    printed = run.stdout.decode("utf-8", "replace").strip()
    if run.returncode:
        lines = run.stderr.decode("utf-8", "replace").strip().splitlines()
        said = lines[-1] if lines else "it said nothing"
        for piece in sorted(_PIECES.findall(f"{command} {printed}"), key=len, reverse=True):
            said = said.replace(piece, "***")
        raise OperatorError(f"{what} exited with {run.returncode}: {_TOKEN.sub('***', said)[:200]}")
    if "\N{REPLACEMENT CHARACTER}" in printed:
        raise OperatorError(f"{what} gave no UTF-8 text")
    return printed


class Imap(Server):
    """The account that receives letters."""

    port: Port = 993
    folders: list[Text] = pydantic.Field(default=["INBOX"], min_length=1)
    junk: list[Text] = []
    """Watched too: a registered sender's letter is taken, with an alarm."""
    processed: Text = "Processed"


class Smtp(Server):
    """The account that sends."""

    port: Port = 465


class Referee(_Section):
    """Who we are."""

    address: MailAddress
    name: str = "The Referee"
    gamesmaster: MailAddress
    zone: Zone = "UTC"
    database: Text = "sqlite:///pbem.db"
    authserv_id: str = ""
    trust: Level = "proven"
    date_days: Days = 3
    late: Literal["until_adjudicated", "deadline"] = "until_adjudicated"
    publish: Literal["auto", "review"] = "auto"


class Daemon(_Section):
    """How it runs."""

    poll_seconds: int = pydantic.Field(default=60, ge=1, le=86_400)
    digest_hour: Hour = "07:00"
    retention_days: Days = 365
    metrics_port: int = pydantic.Field(default=0, ge=0, le=65_535)
    canary_minutes: int = pydantic.Field(default=0, ge=0, le=10_080)
    share_work: bool = False
    log_json: bool = False


class Limits(_Section):
    """What one letter, sender or stranger may cost; the gamesmaster's guide tells of each."""

    letter_bytes: Number = 1_000_000
    order_characters: Number = 40_000
    order_lines: Number = 1_000
    letter_seconds: Seconds = 2.0
    letters_an_hour: Number = 60
    receipts_an_hour: Number = 12
    stranger_mails_an_hour: int = pydantic.Field(default=3, ge=0, le=1_000_000_000)
    unregistered_mails_an_hour: int = pydantic.Field(default=60, ge=0, le=1_000_000_000)
    observers_a_game: int = pydantic.Field(default=100, ge=0, le=1_000_000_000)
    practice_games: int = pydantic.Field(default=20, ge=0, le=1_000_000_000)
    practice_periods_an_hour: Number = 120
    problems_shown: Number = 20
    quoted_characters: Number = 200
    receipt_bytes: Number = 60_000
    answers_bytes: Number = 100_000
    merged_bytes: Number = 200_000
    address_bytes_an_hour: Number = 2_000_000
    unproven_bytes: Number = 100_000_000

    def of_reading(self) -> limits.Limits:
        return limits.Limits(
            size=self.letter_bytes, order_characters=self.order_characters, lines=self.order_lines
        )


class Website(_Section):
    """Pages of the games, written at each bulletin."""

    folder: str = ""
    """Empty: none."""
    address: str = ""
    """Where it is published; "": anywhere."""
    welcome: str = ""
    """A file with the club's own words; "": none."""


class Club(_Section):
    """Besides its games."""

    zine: Annotated[str, _fit(_day)] = ""
    """As 1st; "": none."""


class Desk(_Section):
    """Where the desk listens."""

    host: Text = "127.0.0.1"
    port: Port = 8642
    address: str = ""
    """Where a browser finds it; "": there."""


class Config(_Section):
    """The whole file."""

    referee: Referee
    imap: Imap
    smtp: Smtp
    daemon: Daemon = Daemon()
    limits: Limits = Limits()
    site: Website = Website()
    club: Club = Club()
    desk: Desk = Desk()
    _further: tuple[Imap, ...] = pydantic.PrivateAttr(default=())

    @property
    def mailboxes(self) -> tuple[Imap, ...]:
        """Where letters come from, first the account of the referee's address."""
        return self.imap, *self._further

    def with_mailboxes(self, first: Imap, *further: Imap) -> Config:
        made = self.model_copy(update={"imap": first})
        made._further = further
        return made

    @property
    def junk(self) -> frozenset[str]:
        return frozenset(name for one in self.mailboxes for name in one.junk)

    @property
    def processed(self) -> frozenset[str]:
        return frozenset(one.processed for one in self.mailboxes)


def load(path: Path) -> Config:
    """Read a file. Raise OperatorError with file, key and mend."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        example = resources.path("config.example.toml")
        raise OperatorError(f"{path} is not there; copy {example} and fill it in") from error
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise OperatorError(f"{path}: {error}") from error
    except RecursionError:
        raise OperatorError(f"{path}: too many brackets within each other") from None
    return parse(given, str(path))


def parse(given: Mapping[str, object], where: str = "configuration") -> Config:
    """Read a mapping; each of several ``[[imap]]`` is checked as if alone."""
    accounts = given.get("imap")
    if not isinstance(accounts, list) or not accounts:
        return _parsed(given, where)
    read = [
        _parsed({**given, "imap": one}, f"{where}, [[imap]] number {n}")
        for n, one in enumerate(accounts, 1)
    ]
    found = [one.imap for one in read]
    if len({(one.user, one.host) for one in found}) < len(found):
        raise OperatorError(f"{where}: two [[imap]] have the same user at the same host")
    return read[0].with_mailboxes(*found)


def _parsed(given: Mapping[str, object], where: str) -> Config:
    try:
        return Config.model_validate(given)
    except pydantic.ValidationError as error:
        faults = "; ".join(_fault(found["type"], found) for found in error.errors())
        raise OperatorError(f"{where}: {faults}") from error


_SECTIONS: Mapping[str, Any] = {one: field.annotation for one, field in Config.model_fields.items()}


def _fault(kind: str, error: Mapping[str, Any]) -> str:
    """Return a fault and its mend. Only numbers are shown: another value may be a password."""
    place = [str(one) for one in error["loc"]]
    if kind == "extra_forbidden":
        return _unknown(place)
    name = f"[{place[0]}]" + (f" {place[1]}" if len(place) > 1 else "")
    if kind == "missing":
        return f"{name} is missing"
    if kind in ("model_type", "model_attributes_type"):
        return f"{name} is a section: write it on a line of its own, its keys below"
    given = error["input"]
    shown = f" = {given}" if isinstance(given, int | float) else ""
    return f"{name}{shown}: {error['msg'].removeprefix('Value error, ')}"


def _unknown(place: Sequence[str]) -> str:
    section, key = place[:2] if len(place) > 1 else ("", place[0])
    own = _SECTIONS[section].model_fields if section else _SECTIONS
    name, kind = (f"[{section}] {key}", "key") if section else (key, "section")
    complaint = f"{name}: there is no such {kind}"
    if section and key == "password":
        return (
            f"{complaint}, since no password stands in this file: password_env, password_file or"
            " password_command says where it is"
        )
    if homes := [f"[{home}]" for home, one in _SECTIONS.items() if key in one.model_fields]:
        return f"{complaint}; it belongs in {spelling.either(homes)}"
    begun = [one for one in own if one.startswith(key.lower())]
    if near := spelling.nearest(key.lower(), own) or (begun[0] if len(begun) == 1 else ""):
        return f"{complaint}; did you mean {near if section else f'[{near}]'}?"
    return f"{complaint}; there are {', '.join(own)}"
