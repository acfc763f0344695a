"""The commands in the documents work as they stand.

A block marked `sh` is run, line by line, in one installation for each document: `pbem` lines by the
real command line, with real mail through the embedded post office, all others by bash. In blocks
marked `console` stands what needs root, a provider's mail server or another installation, or what
never ends: their `pbem` lines are parsed by the real command line.
"""

import ast
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import click
import pytest
import structlog
from click.testing import CliRunner
from sqlalchemy import insert, select

from pbem.cli import init, main
from pbem.cli.demo.postoffice import PostOffice
from pbem.house import config
from pbem.store.engine import database
from pbem.store.schema.tables import Letter
from tests.docs import reference
from tests.docs.documents import DOCUMENTS, ROOT, blocks, logical_lines

PASSWORD = "secret"
CONFIG = """
[referee]
address = "referee@club.example"
gamesmaster = "gm@club.example"
zone = "Europe/Paris"
[imap]
host = "127.0.0.1"
port = {imap}
user = "referee@club.example"
security = "none"
password_env = "PBEM_TEST_PASSWORD"
[smtp]
host = "127.0.0.1"
port = {smtp}
security = "none"
"""
OUTCOMES = {
    "letter": "unverified",
    "accept": "unverified",
    "dismiss": "quarantine",
    "retry": "failed",
}
"""The outcome a letter must have for a command that names it by number."""
RUN = [path for path in DOCUMENTS if any(block.kind == "sh" for block in blocks(path))]
COMMAND = re.compile(rf"(?:^|[\s/])pbem ((?:{'|'.join(main.commands)})\b.*)$")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A gamesmaster's folder with a configuration, before its database is made."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_TEST_PASSWORD", PASSWORD)
    text = "\n".join(path.read_text(encoding="utf-8") for path in RUN)
    boxes = {
        "referee@club.example",
        "gm@club.example",
        *re.findall(r"\w+@(?:mail|new)\.example", text),
    }
    (tmp_path / "rules").symlink_to(ROOT / "rules")
    with PostOffice(dict.fromkeys(sorted(boxes), PASSWORD)) as office:
        (tmp_path / "config.toml").write_text(
            CONFIG.format(imap=office.imap_port, smtp=office.smtp_port)
        )
        yield tmp_path
    structlog.reset_defaults()


@pytest.mark.parametrize("document", RUN, ids=lambda path: path.name)
def test_the_commands_of_a_document_work(document: Path, folder: Path) -> None:
    if any("pbem init" in block.text for block in blocks(document) if block.kind == "console"):
        run("pbem db upgrade", folder)  # as init would have
    for block in blocks(document):
        if block.kind == "sh":
            for line in logical_lines(block.text):
                run(line, folder)


def run(line: str, folder: Path) -> None:
    words = shlex.split(line, comments=True)
    if not words or words[0] != "pbem":
        subprocess.run(["bash", "-ec", line], cwd=folder, check=True)
        return
    words, into = (words[: words.index(">")], words[-1]) if ">" in words else (words, None)
    if words[1] in OUTCOMES and words[-1].isdigit():
        on_file(folder, int(words[-1]), OUTCOMES[words[1]])
    done = CliRunner().invoke(main, words[1:], catch_exceptions=False)
    assert done.exit_code == 0, f"{line}\n{done.output}"
    if into:
        (folder / into).write_text(done.stdout, encoding="utf-8")


def on_file(folder: Path, number: int, outcome: str) -> None:
    """A letter with that number and outcome."""
    engine = database.connect(config.load(folder / "config.toml").referee.database)
    now = datetime.now(UTC)
    raw = (
        b"From: sophie@mail.example\r\nTo: referee@club.example\r\nSubject: orders\r\n\r\nPAY 500"
        b" TO L\r\n"
    )
    with database.exclusive_transaction(engine) as conn:
        if not conn.execute(select(Letter.id).where(Letter.id == number)).first():
            conn.execute(
                insert(Letter).values(
                    id=number,
                    account="a",
                    folder="INBOX",
                    uidvalidity=1,
                    uid=number,
                    received=now,
                    seen=now,
                    raw=raw,
                    raw_hash=f"{number}",
                    outcome=outcome,
                    decided=now,
                    seat="S",
                )
            )
    engine.dispose()


def shown() -> Iterator[tuple[str, str]]:
    """(where, words after `pbem`) of every command line that is shown and not run."""
    for path in DOCUMENTS:
        for block in blocks(path):
            if block.kind == "console":
                for line in logical_lines(block.text):
                    for part in line.split("&&"):
                        if found := COMMAND.search(part.strip()):
                            yield f"{path.name}: {line}", found[1]
    for line in (ROOT / "docs" / "pbem.service").read_text(encoding="utf-8").splitlines():
        if found := COMMAND.search(line):
            yield f"pbem.service: {line}", found[1]


@pytest.mark.parametrize(("where", "words"), list(shown()))
def test_commands_that_are_shown_parse(where: str, words: str) -> None:
    command, rest = resolved(shlex.split(words, comments=True))
    command.make_context("pbem", rest)


def test_commands_within_a_text_exist() -> None:
    for path in DOCUMENTS:
        prose = re.sub(r"(?ms)^ *```.*?^ *```", "", path.read_text(encoding="utf-8"))
        for words in re.findall(r"`pbem\s([a-z][^`]*)`", prose):
            command, rest = resolved(words.split())
            known = {name for param in command.params for name in param.opts} | {"--help"}
            unknown = {word for word in rest if word.startswith("--")} - known
            assert not unknown, f"{path.name}: pbem {words}: there is no {unknown}"


def resolved(words: list[str]) -> tuple[click.Command, list[str]]:
    command: click.Command = main
    while isinstance(command, click.Group):
        assert words and words[0] in command.commands, f"there is no command pbem {' '.join(words)}"
        command, words = command.commands[words[0]], words[1:]
    return command, words


def test_the_lists_are_what_the_commands_make() -> None:
    assert reference.parts()[1] == reference.made(), "make it again: python -m tests.docs.reference"


RECIPES = ROOT / "docs" / "recipes.md"
TEXT = RECIPES.read_text(encoding="utf-8")
SETTINGS = [tomllib.loads(block.text) for block in blocks(RECIPES) if block.kind == "toml"]


def test_the_settings_are_known_and_lower_than_the_usual_ones() -> None:
    referee = {"address": "referee@club.example", "gamesmaster": "gm@club.example"}
    servers = {
        "imap": {"host": "imap.club.example", "user": "x", "password_env": "X"},
        "smtp": {"host": "smtp.club.example", "user": "x", "password_env": "X"},
    }
    assert len(SETTINGS) == 2
    for said in SETTINGS:
        made = config.Config.model_validate({"referee": referee, **servers, **said})
        for name, value in said.get("limits", {}).items():
            assert value < getattr(config.Limits(), name) and getattr(made.limits, name) == value


@pytest.mark.parametrize("one", init.PROVIDERS[:-1], ids=lambda one: one.key)
def test_each_provider_has_its_recipe(one: init.Provider) -> None:
    assert f"pbem init --provider {one.key}`" in TEXT
    if one.key == "outlook":
        assert all(there.host in TEXT for there in (*one.imap, *one.smtp))
    assert not one.authserv or f"`{one.authserv}`" in TEXT


PHRASES = re.compile(
    r"\b(?:who(?:m)?ever|wherever|whither|upon|anew|whence|what is of|several in one|in vain"
    r"|(?:there|where|here)(?:of|upon|by|in|from|with)|first that holds)\b",
    re.IGNORECASE,
)
"""What docs/style.md asks not to write."""
_COMMENT = re.compile(r"\{#[^#]*#\}")


def _files() -> Iterator[tuple[Path, str]]:
    """Every text that people read, without what only developers do."""
    for path in sorted((ROOT / "templates").rglob("*.j2")):
        yield path, _COMMENT.sub("", path.read_text())
    for path in sorted((ROOT / "rules").glob("*.md")):
        yield path, path.read_text()
    for path in DOCUMENTS:
        if path.name != "style.md":
            yield path, path.read_text()
    for path in sorted((ROOT / "pbem").rglob("*.py")):
        yield path, "\n".join(_strings(ast.parse(path.read_text())))


def _strings(tree: ast.Module) -> Iterator[str]:
    """Every string that is no docstring."""
    said = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


@pytest.mark.parametrize("text", ["Whoever sends it", "acts upon letters", "several in one"])
def test_the_phrases_are_found(text: str) -> None:
    assert PHRASES.search(text)


def test_no_text_has_one_of_the_phrases() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {text[max(0, one.start() - 40) : one.end() + 20]!r}"
        for path, text in _files()
        for one in PHRASES.finditer(text)
    ]
    assert not found, "\n".join(found)
