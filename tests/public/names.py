"""The names that are public: `python -m tests.public.names FILE` writes those of this version.

`names.json` has those that the newest release promised. What is added goes there at the next
release; what would go away breaks `test_names.py`.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from click.testing import CliRunner

from pbem.cli import games, main
from pbem.games import GAMES
from pbem.house import config, resources, shelf
from pbem.orders import mailwords
from pbem.orders.language import is_literal
from pbem.store.engine.database import exclusive_transaction
from tests.installation import Installation
from tests.shell import Shell

Names = dict[str, dict[str, list[str]]]

OPEN = frozenset(
    [
        "data",
        "draws",
        "house",
        "options",
        "orders",
        "players",
        "problems",
        "record",
        "scenario",
        "standing",
        "state",
        "tables",
        "views",
    ]
)
"""Keys of documents below which stand a game's own names, those of seats, or its inside."""
LETTER = "PAY 500 TO L\nVOTE"


def names() -> Names:
    """Return every public name, by kind and by what it belongs to."""
    with TemporaryDirectory() as folder:
        documents = dict(_documents(Path(folder)))
    return {
        "commands": dict(_commands(main, "")),
        "configuration": {
            section: sorted(field.annotation.model_fields)  # type: ignore[union-attr]
            for section, field in config.Config.model_fields.items()
        },
        "documents": documents,
        "words": {"players": sorted(mailwords.NEEDS), "gamesmaster": sorted(mailwords.COMMANDING)}
        | {key: _keywords(key) for key in GAMES},
        "migrations": {
            "revisions": sorted(
                path.stem for path in resources.path("migrations", "versions").glob("[0-9]*.py")
            )
        },
    }


def _commands(group: click.Group, before: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command with its options, and its arguments in capitals, in their order."""
    for name in sorted(group.commands):
        command = group.commands[name]
        if isinstance(command, click.Group):
            yield from _commands(command, f"{before}{name} ")
            continue
        shown = [one for one in command.params if not getattr(one, "hidden", False)]
        arguments = [_place(one) for one in shown if isinstance(one, click.Argument)]
        options = sorted(opt for one in shown if isinstance(one, click.Option) for opt in one.opts)
        yield before + name, arguments + options


def _place(argument: click.Argument) -> str:
    """Return its name, or GAME if its usage says so: `new` calls the game's name a table's."""
    return "GAME" if argument.metavar == "GAME" else str(argument.name).upper()


def _keywords(key: str) -> list[str]:
    """Return the words that a game's grammar reads."""
    terminals = shelf.open_ruleset(key).language.lark.terminals
    literal = (terminal.pattern.value.upper() for terminal in terminals if is_literal(terminal))
    return sorted(word for word in literal if word.isalpha() and len(word) > 1)


def _documents(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the keys of each JSON document, made by the real commands."""
    paper = folder / "paper"
    (paper / "01").mkdir(parents=True)
    (paper / "01" / "S.txt").write_text(LETTER, encoding="utf-8")
    yield "games", keys(_printed("games", "--json"))
    for key in GAMES:
        played = _printed("play", key, str(paper if key == "parlement-1966" else folder), "--json")
        if key == "parlement-1966":
            yield "play", keys(played)
        last = (played["periods"] or [played["opening"]])[-1]["views"]
        seat = next(one for one in sorted(last) if one != "public")
        yield f"view {key} public", sorted(last["public"])
        yield f"view {key} private", sorted(last[seat])
    order = paper / "01" / "S.txt"
    yield "check", keys(_printed("check", "parlement-1966", str(order), "--seat", "S", "--json"))
    (folder / "at").mkdir()
    with Installation(folder / "at", "parlement-1966") as at:
        at.start()
        at.write("S", LETTER)
        at.send("nobody@else.example", "HELLO")
        shell = Shell(at, folder / "config.toml")
        letter = folder / "letter.eml"
        letter.write_bytes(at.letter("S", LETTER))
        yield "letter", keys(json.loads(shell("letter", str(letter), "--json")))
        yield "queue", keys(json.loads(shell("queue", "--all", "--json")))
        at.to_deadline()
        with exclusive_transaction(at.daemon.engine) as conn:
            games.export(conn, at.game, folder / "out")
        for file in ("game.json", "seats.json", "journal.json", "periods/001.json"):
            written = json.loads((folder / "out" / file).read_text(encoding="utf-8"))
            yield f"export {file}", keys(written)


def _printed(*words: str) -> Any:
    done = CliRunner().invoke(main, words, catch_exceptions=False)
    assert done.exit_code in (0, 1), done.output
    return json.loads(done.stdout)


def keys(document: Any, before: str = "") -> list[str]:
    """Return the paths of all keys in a document; `[]` stands for the items of a list."""
    if isinstance(document, list):
        return sorted({path for one in document for path in keys(one, f"{before}[]")})
    if not isinstance(document, dict):
        return []
    found = set()
    for key, value in document.items():
        path = f"{before}.{key}" if before else key
        found.add(path)
        if key not in OPEN:
            found.update(keys(value, path))
    return sorted(found)


if __name__ == "__main__":
    text = json.dumps(names(), indent=1, ensure_ascii=False)
    Path(sys.argv[1]).write_text(text + "\n", encoding="utf-8")
