"""The configuration: one TOML file, checked on reading; secrets come from the environment, a file
or a command."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from pbem.errors import OperatorError
from pbem.letters import limits
from pbem.store import resources


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ValueError(f"{name!r} is no time zone; write one like Europe/Paris") from error
    return name


Zone = Annotated[str, AfterValidator(_zone)]
Level = Literal["none", "dmarc", "token", "openpgp"]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Server(_Section):
    """A mail account. One of ``password_env``, ``password_file``, ``password_command`` names the
    secret (for ``xoauth2``: where to get the token, asked anew at each login)."""

    host: str
    port: int
    user: str = ""
    security: Literal["tls", "starttls", "none"] = "tls"
    auth: Literal["password", "xoauth2"] = "password"
    password_env: str = ""
    password_file: str = ""
    password_command: str = ""
    ca_file: str = ""
    timeout: float = 30.0

    @model_validator(mode="after")
    def _one_secret(self) -> Server:
        given = [s for s in (self.password_env, self.password_file, self.password_command) if s]
        if len(given) > 1:
            raise ValueError("give one of password_env, password_file, password_command")
        if self.security == "none" and self.host not in ("127.0.0.1", "localhost", "::1"):
            raise ValueError('security = "none" is for this machine only; use tls or starttls')
        return self

    def secret(self) -> str:
        """The password or token, read now; raises OperatorError saying where it was looked for."""
        section = f"{self.host}: [{type(self).__name__.lower()}]"
        if self.password_env:
            if self.password_env not in os.environ:
                raise OperatorError(
                    f"{section} password_env: the environment has no {self.password_env}"
                )
            what, found = f"password_env: {self.password_env}", os.environ[self.password_env]
        elif self.password_file:
            what = f"password_file: {self.password_file}"
            try:
                found = Path(self.password_file).read_text(encoding="utf-8").strip()
            except OSError as error:
                raise OperatorError(f"{section} {what}: {error.strerror}") from error
            except UnicodeDecodeError:
                raise OperatorError(f"{section} {what} is no UTF-8 text") from None
        elif self.password_command:
            what = f"password_command: {_program(self.password_command)}"
            found = _printed(self.password_command, f"{section} {what}")
        else:
            raise OperatorError(f"{section}: set password_env, password_file or password_command")
        if not found:
            raise OperatorError(f"{section} {what} gave nothing")
        return found


_PIECES = re.compile(r"""[^\s'"|;&<>()$`=]{4,}""")  # of a command: each may be a secret
_TOKEN = re.compile(r"(?<![\w+=~-])(?=(?:[^\W\d]|[+=~-])*+\d)[\w+=~-]{20,}+")

_SETTING = re.compile(r"\w++=")
_AFTER_PROGRAM = re.compile(r"[|;&<>()$`]")


def _program(command: str) -> str:
    """What a shell command runs first, without its folder and its arguments: those may be
    secrets."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    first = next((word for word in words if not _SETTING.match(word)), "")
    return _AFTER_PROGRAM.split(first)[0].rpartition("/")[2] or "the command"


def _printed(command: str, what: str) -> str:
    """What a command prints. An error quotes neither it nor its output, which may hold the secret:
    only the last line of its complaint, where every piece of both and whatever looks like a token
    is ***."""
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
    """Where letters come from. ``folders`` are watched (Junk too: a registered sender's letter in
    it is taken, with an alarm); decided letters are moved to ``processed``."""

    port: int = 993
    folders: list[str] = ["INBOX"]
    junk: list[str] = []
    processed: str = "Processed"


class Smtp(Server):
    """Where letters go out."""

    port: int = 465


class Referee(_Section):
    """Who we are."""

    address: str
    name: str = "The Referee"
    gamesmaster: str
    zone: Zone = "UTC"
    database: str = "sqlite:///pbem.db"
    authserv_id: str = ""
    trust: Level = "none"
    date_days: int = Field(default=3, ge=1)
    late: Literal["until_adjudicated", "deadline"] = "until_adjudicated"
    publish: Literal["auto", "review"] = "auto"


class Daemon(_Section):
    """How it runs."""

    poll_seconds: int = Field(default=60, ge=1)
    digest_hour: str = "07:00"
    retention_days: int = Field(default=365, ge=1)
    metrics_port: int = 0
    canary_minutes: int = 0
    log_json: bool = False


class Limits(_Section):
    """What one letter, one sender and one stranger may cost."""

    letter_bytes: int = 1_000_000
    order_characters: int = 40_000
    order_lines: int = 1_000
    letter_seconds: float = Field(default=2.0, gt=0)
    letters_an_hour: int = 60
    receipts_an_hour: int = 12
    stranger_mails_an_hour: int = 3

    def of_reading(self) -> limits.Limits:
        """How much of a letter the reader is willing to look at."""
        return limits.Limits(
            size=self.letter_bytes,
            order_characters=self.order_characters,
            lines=self.order_lines,
        )


class Config(_Section):
    """The whole file."""

    referee: Referee
    imap: Imap
    smtp: Smtp
    daemon: Daemon = Daemon()
    limits: Limits = Limits()


def load(path: Path) -> Config:
    """The configuration in a file; raises OperatorError naming file, key and mend."""
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


def parse(given: dict[str, object], where: str = "configuration") -> Config:
    """The configuration in a mapping."""
    try:
        return Config.model_validate(given)
    except ValidationError as error:
        faults = "; ".join(f"[{'.'.join(map(str, e['loc']))}] {e['msg']}" for e in error.errors())
        raise OperatorError(f"{where}: {faults}") from error
