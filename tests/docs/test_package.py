"""What a package index, a distribution and a newcomer look for before they take the program.

That the wheel is sound (`twine check`, `check-wheel-contents`) and installs is tried by `.ci/wheel`.
"""

import re
import subprocess
import tomllib
from pathlib import Path

from tests.docs.documents import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LICENCES = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")


def test_the_metadata_is_complete() -> None:
    assert PROJECT["license"] == "MIT"
    assert PROJECT["authors"] == [{"name": "the pbem authors"}]
    assert {"Homepage", "Documentation", "Source", "Changelog"} <= PROJECT["urls"].keys()
    assert PROJECT["keywords"] and PROJECT["description"] and PROJECT["readme"] == "README.md"
    pythons = {f"Programming Language :: Python :: 3.{n}" for n in (11, 12, 13)}
    assert pythons <= set(PROJECT["classifiers"])
    assert PROJECT["classifiers"] == sorted(PROJECT["classifiers"])
    assert "Typing :: Typed" in PROJECT["classifiers"] and (ROOT / "pbem" / "py.typed").exists()


def test_the_licence_is_that_of_the_metadata() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert text.startswith("MIT License") and "the pbem authors" in text


def licences() -> list[str]:
    """Return every licence of others in the repository."""
    named = r"LICEN[CS]E|COPYING|\.LICENSE$"
    files = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    return [one for one in files if re.search(named, one) and "/" in one]


def test_what_is_of_others_is_listed() -> None:
    """Its folder, or one above, or beside the one that is named."""
    listed, unlisted = re.findall(r"`([\w./]+?)/?`", LICENCES), []
    for file in licences():
        folder = Path(file).parent
        near = {str(one) for one in (folder, *folder.parents, folder / "htmx.min.js")} - {"."}
        if not any(one in near or one.startswith(f"{folder.parent}/") for one in listed):
            unlisted.append(file)
    assert unlisted == []


def test_what_the_wheel_has_of_others_has_its_licence_there() -> None:
    patterns = PROJECT["license-files"]
    found = {path for one in patterns for path in ROOT.glob(one)}
    assert all(list(ROOT.glob(one)) for one in patterns)
    shipped = [
        one for one in licences() if not one.startswith("tests/")
    ]  # what of tests is never in a wheel
    assert {ROOT / one for one in shipped} <= found


def test_the_readme_leads_to_the_pages_for_newcomers() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for page in ("LICENSE", "CONTRIBUTING.md", "SECURITY.md", "docs/README.md"):
        assert f"({page})" in text
    assert len(text.splitlines()) <= 100


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    for page in {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}:
        assert f"({page})" in index, page
