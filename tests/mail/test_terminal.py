"""What letters, names and servers say reaches no terminal, log or JSON document as a command to
it."""

import ast
import io
import json
import logging
import unicodedata
from datetime import UTC, datetime
from pathlib import Path

import pytest
import structlog
from click.testing import CliRunner
from sqlalchemy import update

import pbem.cli
from pbem.cli import _crashed, main
from pbem.cli.shared import guard
from pbem.daemon import logs
from pbem.pages import terminal
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Address, Game, Letter, Outgoing, Player
from tests.installation import SEATS, address
from tests.shell import Shell

HOSTILE = (
    "\x1b]52;c;cm0gLXJmIC8=\x07\x1b]0;title\x07\x1b[31m\x9b31m\x9d0;t\x9c\x85\u202egnol\u2066\u200b\u2028\u2029\x7f\x08\ufeff[bold][link=https://bad.example]x[/link]"
    " :bomb: \U000e0041\rletter 999: accepted"
)
"""Every kind: C0, DEL, C1, OSC 52, bidirectional, invisible, line ends, tags, rich's markup, a
carriage return."""


def commanding(text: str) -> set[str]:
    """The characters of a text that do more than show themselves."""
    return {
        char
        for char in text
        if char not in "\n\t"
        and (unicodedata.category(char)[0] == "C" or unicodedata.category(char) in ("Zl", "Zp"))
    }


@pytest.fixture
def hostile(shell: Shell, tmp_path: Path) -> Shell:
    """A game in which whatever outsiders can fill is full of such bytes."""
    players = [
        w
        for s in SEATS
        for w in ("--player", f"{s}={address(s)},{HOSTILE.replace(chr(13), '')[:60]}{s}")
    ]
    shell("new", "coalition", "g", *players)
    shell("start", "g")
    encoded = "=?utf-8?q?" + "".join(f"={byte:02x}" for byte in HOSTILE.encode()) + "?="
    for who, text in (
        (
            "A",
            (
                f'NAME "{HOSTILE}"\nSPECIAL {HOSTILE}\nNAEM {HOSTILE}\n> quoted VOTE AYE'
                f" {HOSTILE}\nWHY {HOSTILE}"
            ),
        ),
        ("B", f"PRESS TO ALL\n{HOSTILE}\nEND PRESS\nSTATUS\nHISTORY"),
        ("C", f"GAME nosuch\n{HOSTILE}"),
        ("someone@else.example", HOSTILE),
    ):
        raw = shell.at.letter(who, "TEXT", Subject="TITLE").replace(b"TITLE", encoded.encode(), 1)
        shell.at.office.deliver(
            "referee@game.example", raw.replace(b"TEXT", text.encode()), datetime.now(UTC)
        )
    shell("once")
    with exclusive_transaction(shell.at.daemon.engine) as conn:  # what servers and exceptions say
        conn.execute(
            update(Letter)
            .where(Letter.id == 3)
            .values(outcome="failed", reason=f"ValueError: {HOSTILE}")
        )
        conn.execute(
            update(Outgoing).where(Outgoing.id == 1).values(state="refused", reply=HOSTILE)
        )
        conn.execute(
            update(Address)
            .where(Address.address == address("A"))
            .values(hard_bounces=3, last_bounce=HOSTILE)
        )
        conn.execute(update(Player).values(name=HOSTILE[:70]))
    return shell


def _said(shell: Shell, *words: str, config: bool = True) -> str:
    result = CliRunner().invoke(
        main, [*words, *(("--config", str(shell.file)) if config else ())], input=HOSTILE
    )
    assert result.exit_code in (0, 1, 3), (words, result.output, result.exception)
    assert result.exception is None or isinstance(result.exception, SystemExit), (
        words,
        result.exception,
    )
    assert result.output.strip(), words
    assert not commanding(result.output), (words, commanding(result.output))
    return result.output


def test_no_command_passes_it_on(hostile: Shell, tmp_path: Path) -> None:
    eml, orders = tmp_path / "letter.eml", tmp_path / "orders.txt"
    eml.write_bytes(
        hostile.at.letter("A", "SPECIAL AGR").replace(b"SPECIAL AGR", f"SPECIAL {HOSTILE}".encode())
    )
    orders.write_text(f'NAME "{HOSTILE}"\n{HOSTILE}\nSPECIAL {HOSTILE}')
    period = tmp_path / "play" / "01"
    period.mkdir(parents=True)
    (period / "A.txt").write_text(orders.read_text())
    with exclusive_transaction(hostile.at.daemon.engine) as conn:
        conn.execute(update(Game).values(publish="review"))
    for words in (
        *(("letter", "--id", str(n)) for n in (1, 2, 3, 4)),
        ("letter", str(eml)),
        ("queue",),
        ("queue", "g"),
        ("hold", "g", "--why", HOSTILE),
        ("queue",),
        ("resume", "g"),
        ("extend", "g", "1", "--why", HOSTILE),
        ("explain", "deadline", "g"),
        ("why", "g", HOSTILE),
        ("order", "g", "A", str(orders)),
        ("rule", "g", HOSTILE),
        ("order", "g", "B"),
        ("standby", "g", "new@else.example", "--name", HOSTILE),
        ("preview", "g"),
        ("replace", "g", "A", "new@else.example", "--name", HOSTILE, "--why", HOSTILE),
        ("close", "g"),
        ("release", "g"),
        ("retry", "3"),
        ("accept", "3"),
        ("dismiss", "3"),
        ("resend", "1"),
        ("address", address("B"), "--works"),
        ("address", HOSTILE, "x@y.example"),
        ("rewind", "g", "1", "--why", HOSTILE),
        ("doctor",),
        ("replay", "g"),
        ("once",),
        ("export", "g", str(tmp_path / "out")),
        ("queue", HOSTILE),
        ("pause", "g", "2030-01-01", "2030-01-02", "--why", HOSTILE),
        ("rotate", "g", "B"),
        ("restore",),
        ("db", "check"),
        ("db", "upgrade"),
        ("start", HOSTILE),
        ("end", "g", "--why", HOSTILE),
        ("new", "coalition", HOSTILE, "--player", HOSTILE),
    ):
        _said(hostile, *words)
    for words in (
        ("play", "coalition", str(tmp_path / "play"), "--private"),
        ("check", "coalition", str(orders), "--seat", "A"),
        ("games",),
        ("check", "coalition", str(orders), "--seat", HOSTILE),
    ):
        _said(hostile, *words, config=False)


def test_json_is_escaped_and_says_the_same(hostile: Shell, tmp_path: Path) -> None:
    told = json.loads(_said(hostile, "letter", "--id", "1", "--json"))
    assert "\x1b]52" in told["text"] or "\x1b]52" in str(told["problems"]) or "\x9b" in told["text"]
    queue = json.loads(_said(hostile, "queue", "--json"))
    assert queue["letters"][-1]["reason"] == f"ValueError: {HOSTILE}"
    orders = tmp_path / "orders.txt"
    orders.write_text(HOSTILE)
    json.loads(
        _said(hostile, "check", "coalition", str(orders), "--seat", "A", "--json", config=False)
    )
    assert json.loads(terminal.document({"é": ["\x7f\x80\u202e\U000e0041\ud800é\n"]})) == {
        "é": ["\x7f\x80\u202e\U000e0041\ud800é\n"]
    }
    assert "é" in terminal.document(["é"])


def test_what_is_said_is_one_line_where_a_line_is_meant(hostile: Shell) -> None:
    with exclusive_transaction(hostile.at.daemon.engine) as conn:
        conn.execute(
            update(Letter)
            .where(Letter.id == 3)
            .values(reason="odd\nletter 998: held from gm: pbem accept 998")
        )
    said = _said(hostile, "queue")
    assert not [line for line in said.splitlines() if line.startswith(("letter 998", "letter 999"))]
    assert "[bold][link=https://bad.example]" in _said(hostile, "letter", "--id", "1")


def test_logs_and_tracebacks(capsys: pytest.CaptureFixture[str]) -> None:
    for as_json in (False, True):
        logs.configure(as_json)
        log = structlog.get_logger()
        log.warning("trouble", error=f"{HOSTILE}\nforged line")
        try:
            raise ValueError(HOSTILE)
        except ValueError as error:
            log.exception("letter failed", letter=1)
            _crashed(type(error), error, error.__traceback__)
        said = capsys.readouterr().err
        assert "ValueError" in said and not commanding(said), commanding(said)
        assert not [line for line in said.splitlines() if line.startswith("forged")]
    structlog.reset_defaults()
    guard()
    assert logging.lastResort is not None
    stream = io.StringIO()
    record = logging.LogRecord("x", logging.WARNING, "f", 1, "%s", (HOSTILE,), None)
    stream.write(logging.lastResort.format(record))
    assert stream.getvalue() and not commanding(stream.getvalue())


def test_there_is_one_way_to_the_terminal() -> None:
    """Commands, and the rest of the package, print by ``cli/shared.py``
    only; logs have their own file."""
    root = Path(pbem.__file__).parent
    allowed = {"cli/shared.py": {"click.echo"}, "referee/deciding/sandbox.py": {"sys.stdout.write"}}
    ways = {
        "print",
        "click.echo",
        "click.secho",
        "echo",
        "secho",
        "Console",
        "rich.print",
        "pprint",
    }
    ways |= {"sys.stdout.write", "sys.stderr.write", "click.echo_via_pager", "traceback.print_exc"}
    for path in root.rglob("*.py"):
        name = path.relative_to(root).as_posix()
        if name.startswith("_data/"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        used = {
            ast.unparse(node)
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute | ast.Name)
        } & ways
        if name == "cli/demo/demo.py":
            used -= {"echo"}  # given to it: `say`
        assert used <= allowed.get(name, set()), (
            f"{name} uses {sorted(used)}: commands print with `say`"
        )
