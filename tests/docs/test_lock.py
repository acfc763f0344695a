"""requirements.lock: all that a production install takes, each with its hashes, in step with
pyproject.toml. That it can be installed on each Python is tried by `.ci/wheel`."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = ("desk", "postgresql", "cluster")
"""What a production install may need."""
PYTHONS = ("3.11", "3.12", "3.13")


def entries() -> Iterator[tuple[Requirement, list[str]]]:
    """Each package as it is locked, with its hashes."""
    for entry in re.split(r"\n(?=\S)", LOCK):
        if not entry.startswith("#"):
            first, *more = [line.strip().removesuffix("\\").strip() for line in entry.split("\n")]
            yield Requirement(first), [one for one in more if not one.startswith("#") and one]


LOCKED = {canonicalize_name(one.name): one for one, _ in entries()}


def wanted() -> Iterator[Requirement]:
    """What pyproject.toml asks for."""
    project = PROJECT["project"]
    extras = [one for name in EXTRAS for one in project["optional-dependencies"][name]]
    for one in (*project["dependencies"], *extras, *PROJECT["build-system"]["requires"]):
        if not one.startswith("pbem["):
            yield Requirement(one)


def _is_locked(one: Requirement) -> bool:
    locked = LOCKED.get(canonicalize_name(one.name))
    if locked is None or len(locked.specifier) != 1:
        return False
    (version,) = locked.specifier
    return (
        version.operator == "=="
        and one.specifier.contains(version.version)
        and all(
            locked.marker is None
            or locked.marker.evaluate(
                {"python_version": python, "python_full_version": f"{python}.1"}
            )
            for python in PYTHONS
        )
    )


def test_it_is_in_step_with_what_is_asked_for() -> None:
    """Else: `.ci/lock`."""
    assert [str(one) for one in wanted() if not _is_locked(one)] == []


def test_every_package_has_its_hashes() -> None:
    assert len(LOCKED) > len(list(wanted()))
    for one, hashes in entries():
        assert hashes and all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", h) for h in hashes), one


def test_no_place_stands_in_it() -> None:
    """Where packages come from is the installation's to say."""
    assert not re.search(
        r"https?:|file:|@ |--(?:extra-)?index|--find-links|/", LOCK.replace(".ci/lock", "")
    )


def test_the_guide_installs_by_it() -> None:
    guide = (ROOT / "docs" / "gamesmasters-guide.md").read_text(encoding="utf-8")
    assert guide.count("pip install --require-hashes -r requirements.lock\n") == 2
    assert guide.count("pip install --no-deps --no-build-isolation .\n") == 2
    assert "--require-hashes -r" in (ROOT / ".ci" / "wheel").read_text(encoding="utf-8")
    assert "bash .ci/audit" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
