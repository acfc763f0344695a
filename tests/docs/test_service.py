"""The guide's lines for a server, its service and its folder of pages agree with each other."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "gamesmasters-guide.md").read_text(encoding="utf-8")
UNIT = (ROOT / "docs" / "pbem.service").read_text(encoding="utf-8")


def lines() -> list[list[str]]:
    """The commands of the chapter on installing, without sudo."""
    block = re.search(r"(?ms)^## Installing$.*?^```console\n(.*?)^```", GUIDE)
    assert block
    parts = [one for line in block[1].splitlines() for one in line.split("&&")]
    return [shlex.split(one.replace("sudo ", "").strip()) for one in parts]


def setting(name: str) -> str:
    found = re.findall(rf"(?m)^{name}=(.*)$", UNIT)
    assert len(found) == 1, name
    return str(found[0])


def test_the_service_has_the_guides_folders_and_user() -> None:
    made = {words[-1] for words in lines()}
    assert ["cp", "-r", ".", "/opt/pbem"] in lines()
    assert setting("ExecStart") == "/opt/pbem/.venv/bin/pbem serve"
    assert setting("User") == "pbem" and setting("WorkingDirectory") == "/srv/pbem"
    assert "/srv/pbem/config.toml" in made
    writes = [one.lstrip("-") for one in setting("ReadWritePaths").split()]
    assert writes == ["/srv/pbem", "/srv/www/games"]
    assert 'folder = "/srv/www/games"' in GUIDE and "/srv/www/games" in made


def test_a_virtual_environment_of_the_clone_is_not_used(tmp_path: Path) -> None:
    """What was copied with the clone has its interpreter's place in its first lines."""
    clone, prefix = tmp_path / "clone", tmp_path / "opt"
    without = [sys.executable, "-m", "venv", "--without-pip"]
    subprocess.run([*without, str(clone / ".venv")], check=True)
    pip = clone / ".venv" / "bin" / "pip"
    pip.write_text(f"#!{clone}/.venv/bin/python\n")
    shutil.copytree(clone, prefix, symlinks=True)
    (made,) = (words for words in lines() if "venv" in words)
    assert made[:3] == ["python3", "-m", "venv"]
    subprocess.run([*without, *made[3:]], check=True, cwd=prefix)
    assert not (prefix / ".venv" / "bin" / "pip").exists()


def test_the_web_server_can_read_the_pages_and_nothing_else(tmp_path: Path) -> None:
    (made,) = (words for words in lines() if words[-1] == "/srv/www/games")
    mode = made[made.index("-m") + 1]
    folder = tmp_path / "games"
    subprocess.run(["install", "-m", mode, "-d", str(folder)], check=True)
    before = os.umask(int(setting("UMask"), 8))
    try:
        (folder / "index.html").write_text("")
    finally:
        os.umask(before)
    assert (folder / "index.html").stat().st_mode & 0o777 == 0o640
    assert folder.stat().st_mode & 0o7777 == 0o2750


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    program = Path(sys.executable).parent / "pbem"
    assert program.exists()
    unit = tmp_path / "pbem.service"
    unit.write_text(UNIT.replace("/opt/pbem/.venv/bin/pbem", str(program)))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    ours = [line for line in done.stderr.splitlines() if "pbem.service" in line]
    assert not ours, ours
