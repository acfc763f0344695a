"""What the documents say is so: links, lists, examples, configuration."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from click.testing import CliRunner

from pbem.cli import games, main
from pbem.games.frame.dice import Dice, commitment
from pbem.house import config
from pbem.periods import opening, paper
from pbem.referee.gamesmaster import explaining, queue
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.states import MailState
from tests.docs import readme_game
from tests.docs.documents import DOCUMENTS, ROOT, blocks
from tests.installation import Installation, desk, text_of

EXAMPLE = ROOT / "config.example.toml"
POCKET = ROOT / "docs" / "pocket.py"


def text(*parts: str) -> str:
    return ROOT.joinpath(*parts).read_text(encoding="utf-8")


def _leads_somewhere(path: Path, target: str) -> bool:
    file, _, heading = target.partition("#")
    there = path.parent / file if file else path
    if not there.exists() or not heading:
        return there.exists()
    headings = re.findall(r"(?m)^#+ (.*)$", there.read_text(encoding="utf-8"))
    return heading in {
        re.sub(r"[^\w -]", "", one.lower()).strip().replace(" ", "-") for one in headings
    }


def test_links_lead_somewhere_and_lines_are_short() -> None:
    wrong = []
    for path in DOCUMENTS:
        written = path.read_text(encoding="utf-8")
        wrong += [
            f"{path.name}: {target}"
            for target in re.findall(r"\]\((?!https://)([^)\s]+)\)", written)
            if not _leads_somewhere(path, target)
        ]
        wrong += [f"{path.name}: {line}" for line in written.splitlines() if len(line) > 120]
    assert not wrong, "\n".join(wrong)


def test_files_that_the_documents_name_are_there() -> None:
    """In capitals stands what is put for them: `rules/GAME.md`."""
    named = re.compile(
        r"`((?:pbem|tests|templates|grammar|rules|bench|docs|migrations)/[^\s`<*]+)`"
    )
    missing = [
        f"{path.name}: {file}"
        for path in DOCUMENTS
        for file in named.findall(path.read_text(encoding="utf-8"))
        if not (re.search(r"GAME|-N\b", file) or (ROOT / file).exists())
        and not (ROOT / "docs" / "seventh-game" / file).exists()
    ]
    assert not missing, "\n".join(missing)


def test_ci_runs_the_two_commands_of_the_readme() -> None:
    commands = re.findall(r"(?m)^python3 -m venv .*$", text("README.md"))
    assert len(commands) == 2
    for command in commands:
        assert command in text(".ci", "run"), command


def _rare_limits() -> dict[str, float]:
    """Keys of [limits] that only the guide has, and what they are unless set."""
    section = text("docs", "gamesmasters-guide.md").partition("not in `config.example.toml`")[2]
    rows = re.findall(r"(?m)^\| `(\w+)` \| ([\d.]+) \|", section.partition("\n#")[0])
    return {key: float(value) for key, value in rows}


def test_the_example_configuration_is_complete() -> None:
    written = EXAMPLE.read_text(encoding="utf-8")
    given = tomllib.loads(written)
    config.parse(given)
    assert set(given) == set(config.Config.model_fields)
    for name, field in config.Config.model_fields.items():
        section = field.annotation
        assert section is not None
        rare = _rare_limits() if name == "limits" else {}
        assert not set(given[name]) & set(rare)
        assert set(given[name]) | set(rare) == set(section.model_fields), f"[{name}]"
        assert {key: section.model_fields[key].default for key in rare} == rare
    bare = [line for line in written.splitlines() if "=" in line and "#" not in line]
    assert not bare, f"without a comment: {bare}"


def test_the_documents_name_every_game(key: str) -> None:
    """Its orders are in the guide that HELP sends, which the contract suite looks at."""
    assert f"../rules/{key}.md" in text("docs", "players-guide.md")
    assert f"`{key}`" in text("README.md")
    assert key in json.loads(text("tests", "data", "told_facts.json")), "python -m tests.omission"


def test_the_guides_are_short() -> None:
    """Who wants more reads the references."""
    assert len(text("docs", "players-guide.md").split()) < 3000
    assert len(text("docs", "club.md").split()) < 800


def test_the_gamesmasters_guide_says_what_to_do_about_everything_that_waits() -> None:
    first_cells = set(
        re.findall(
            r"`([a-z-]+)`",
            "\n".join(re.findall(r"(?m)^\| (`[^|]*) \|", text("docs", "gamesmasters-guide.md"))),
        )
    )
    assert set(queue.ATTENTION) <= first_cells
    assert set(MailState) - {MailState.SENT, MailState.LISTED} <= first_cells


def test_the_architecture_names_every_room() -> None:
    named = set(re.findall(r"`([a-z_0-9/]+)`", text("docs", "architecture.md")))
    modules = {path.stem for path in (ROOT / "pbem").glob("*.py")} - {"__init__", "__main__"}
    folders = {f"{path.parent.name}/" for path in (ROOT / "pbem").glob("*/__init__.py")}
    assert modules | folders <= named, (modules | folders) - named


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads(text("pyproject.toml"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["demo"], *extras["postgresql"]]
    names = {re.split(r"[\[<>=]", one)[0].lower() for one in wanted}
    reasons = text("docs", "decisions", "dependencies.md").lower()
    assert {name for name in names if f"| `{name}`" not in reasons} == set()


def test_the_contract_shows_what_is_printed(tmp_path: Path) -> None:
    shown = [
        json.loads(block.text)
        for block in blocks(ROOT / "docs" / "contract.md")
        if block.kind == "json"
    ]
    game = paper.step(paper.begin(paper.Setup("parlement-1966")), {"S": "PAY 500 TO L\nVOTE"})
    printed = game.json()
    assert set(printed) == set(shown[0])
    assert set(printed["periods"][0]) == set(shown[0]["periods"][0])
    assert set(printed["periods"][0]["events"][0]) == set(shown[0]["periods"][0]["events"][0])
    with Installation(tmp_path, "parlement-1966") as at:
        at.start()
        (tmp_path / "letter.eml").write_bytes(at.letter("S", "PAY 500 TO L"))
        with desk(at) as work:
            told = explaining.explain(work, tmp_path / "letter.eml", None).json
            queued = queue.queue(work)
    assert set(shown[1]) <= set(told)
    section = (
        text("docs", "contract.md").partition("## `pbem queue --json`")[2].partition("\n## ")[0]
    )
    assert set(queued) <= set(re.findall(r"`(\w+)`", section))


def test_the_views_have_the_keys_of_the_contract(key: str) -> None:
    row = next(
        line for line in text("docs", "contract.md").splitlines() if line.startswith(f"| `{key}` |")
    )
    keys = set(re.findall(r"`(\w+)`", row.split("|")[2])) - {"last"}
    game = paper.begin(paper.Setup(key))
    assert keys | {"phase"} <= set(game.ruleset.view(game.state, None))


def test_the_readmes_period_of_play(tmp_path: Path) -> None:
    with Installation(tmp_path, "parlement-1966") as at:
        said = readme_game.played(at)
        assert all(line in said for line in readme_game.RECEIPT.split("\n")), said
        assert any(readme_game.NEWS in text_of(mail) for mail in at.mails("M"))


def test_the_readmes_practice_game(tmp_path: Path) -> None:
    words = ("practice", "legislation", "--seed", "5", "--folder", str(tmp_path / "p"))
    assert readme_game.LESSON in CliRunner().invoke(main, words, input="").output


def test_what_is_shown_of_the_toy_game_is_in_it() -> None:
    toy = ROOT / "docs" / "seventh-game"
    lines = {
        line.strip()
        for path in toy.rglob("*")
        if path.suffix in (".lark", ".md", ".toml", ".py", ".j2")
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    for block in blocks(ROOT / "docs" / "rule-sets.md"):
        if block.kind in ("text", "toml", "python", "jinja"):
            strange = [line for line in block.text.splitlines() if line.strip() not in lines]
            assert not strange, strange
    places = re.findall(
        r"(?m)^\| `([^`]+)` \|", text("docs", "rule-sets.md").partition("## The questions")[0]
    )
    assert len(places) == 7
    assert all((toy / place).exists() for place in places), places


# --- the pocket script ----------------------------------------------------------------------------


def pocket(*words: str) -> str:
    return subprocess.run(
        [sys.executable, str(POCKET), *words], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_the_pocket_script_is_the_one_in_the_guide() -> None:
    printed = next(
        block.text
        for block in blocks(ROOT / "docs" / "players-reference.md")
        if block.kind == "python"
    )
    assert printed == POCKET.read_text(encoding="utf-8")


def test_the_pocket_script_draws_as_the_referee_does() -> None:
    shown = re.findall(
        r"(?m)^python3 pocket.py (seed|draw) (.*)$", text("docs", "players-reference.md")
    )
    assert [name for name, _ in shown] == ["seed", "draw"]
    assert pocket("seed", *shown[0][1].split()) == "it fits"
    assert pocket("seed", commitment("another"), "1966") == "IT DOES NOT FIT"
    seed, game, stream, n, how = shown[1][1].split()
    chance = Dice(seed, game).stream(stream)
    assert pocket("draw", seed, game, stream, n, how) == " ".join(
        str(chance.below(int(n))) for _ in range(int(how))
    )


def test_the_pocket_script_checks_an_exported_journal(tmp_path: Path) -> None:
    with Installation(tmp_path, "parlement-1966") as at:
        at.start()
        at.write("S", "PAY 500 TO L")
        at.to_deadline()
        said = at.mails("S")
        with exclusive_transaction(at.daemon.engine) as conn:
            opening.end(at.work(conn), at.game, "enough")
            games.export(conn, at.game, tmp_path / "out")
    heads = [str(mail["X-Pbem-Journal"]) for mail in said if mail["X-Pbem-Journal"]]
    assert len(heads) == 2
    for head in heads:
        assert (
            pocket("journal", str(tmp_path / "out" / "journal.json"), head)
            == "whole, and the head is in it"
        )


def test_what_is_new_is_read_in_a_minute() -> None:
    """Until a release, the changes since the last one keep to what an upgrader must know."""
    newest = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]
    assert len(newest.splitlines()) <= 60
