"""The guide's lines for a server, its service and its folder of pages agree with each other; by night
they install a server that runs."""

import os
import pwd
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.cli.demo.postoffice import PostOffice
from tests.docs.test_commands import CONFIG, PASSWORD

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "gamesmasters-guide.md").read_text(encoding="utf-8")
USER = "pbem-tried"
PYTHON = "/usr/bin/python3"
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


def fits() -> bool:
    """Whether the machine's own Python runs the program, and makes virtual environments."""
    tried = "import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 14))"
    try:
        return subprocess.run([PYTHON, "-c", tried], check=False).returncode == 0
    except FileNotFoundError:
        return False


@pytest.fixture
def prefix() -> Iterator[Path]:
    """A folder that a system user may go into; what a run that was broken off left is gone."""
    subprocess.run(["userdel", USER], check=False, capture_output=True)
    folder = Path(tempfile.mkdtemp(prefix="pbem-installed-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        subprocess.run(["userdel", USER], check=False, capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)


def below(prefix: Path, text: str) -> str:
    """The guide's and the unit's folders, and their user, as they are called here."""
    moved = re.sub(r"/(opt/pbem|srv/pbem|srv/www)", rf"{prefix}/\1", text)
    return USER if moved == "pbem" else moved


def installed(prefix: Path) -> None:
    clone = prefix / "clone"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    for folder in ("opt", "srv/www"):
        (prefix / folder).mkdir(parents=True)
    at = clone
    for words in lines():
        given = [below(prefix, word) for word in words]
        if given[0] == "apt-get":
            continue
        if given[0] == "cd":
            at = Path(given[1])
            continue
        if given[0] == "python3":  # not one in somebody's home, where the user may not go
            given[0] = PYTHON
        done = subprocess.run(given, cwd=at, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (given, done.stderr[-2000:])


def as_user(prefix: Path, command: str) -> list[str]:
    return ["runuser", "-u", USER, "--", *shlex.split(below(prefix, command))]


@pytest.mark.skipif(os.geteuid() != 0, reason="a system user is made by root only")
@pytest.mark.skipif(not shutil.which("useradd"), reason="no useradd here")
@pytest.mark.skipif(not fits(), reason=f"{PYTHON} is not there, or does not fit")
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no clone")
def test_the_guides_lines_install_what_the_service_runs(prefix: Path) -> None:
    """In a clean folder, as a system user made for it, with the service's own command. It needs
    root, git and the package index."""
    installed(prefix)
    home = prefix / "srv" / "pbem"
    assert home.stat().st_uid == pwd.getpwnam(USER).pw_uid
    secret = home / "password"
    box = {"referee@club.example": PASSWORD, "gm@club.example": PASSWORD}
    with PostOffice(box) as office:
        text = CONFIG.format(imap=office.imap_port, smtp=office.smtp_port)
        text = text.replace('password_env = "PBEM_TEST_PASSWORD"', f'password_file = "{secret}"')
        (home / "config.toml").write_text(text, encoding="utf-8")
        secret.write_text(f"{PASSWORD}\n", encoding="utf-8")
        for one in (secret, home / "config.toml"):
            one.chmod(0o600)
            shutil.chown(one, USER)
        bare = {"PATH": "/usr/sbin:/usr/bin:/bin", "HOME": str(home)}
        before = as_user(prefix, setting("ExecStartPre"))
        made = subprocess.run(
            before, cwd=home, env=bare, capture_output=True, text=True, check=False
        )
        assert made.returncode == 0, made.stderr
        served = subprocess.Popen(
            as_user(prefix, setting("ExecStart")),
            cwd=home,
            env=bare,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert served.stdout is not None
        said = []
        for line in served.stdout:  # it ends only when it is told to, or with an error
            said.append(line)
            if "pass" in line or "serv" in line or len(said) > 20:
                break
        served.terminate()
        rest, _ = served.communicate()
        assert served.returncode in (0, -15), "".join(said) + rest
        assert "Traceback" not in "".join(said) + rest
        doctor = subprocess.run(
            as_user(prefix, "/opt/pbem/.venv/bin/pbem doctor --offline"),
            cwd=home,
            env=bare,
            capture_output=True,
            text=True,
            check=False,
        )
    assert doctor.returncode == 0, doctor.stdout + doctor.stderr
    assert (home / "pbem.db").stat().st_uid == pwd.getpwnam(USER).pw_uid
