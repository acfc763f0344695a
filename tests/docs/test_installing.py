"""The guide's own lines install a server that runs: in a clean folder, as a system user made for
it, with the service's own command. It needs root, git and the package index."""

import os
import pwd
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.cli.demo.postoffice import PostOffice
from tests.docs.test_commands import CONFIG, PASSWORD
from tests.docs.test_service import ROOT, lines, setting

USER = "pbem-tried"
PYTHON = "/usr/bin/python3"


def fits() -> bool:
    """Whether the machine's own Python runs the program, and makes virtual environments."""
    tried = "import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 14))"
    try:
        return subprocess.run([PYTHON, "-c", tried], check=False).returncode == 0
    except FileNotFoundError:
        return False


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.geteuid() != 0, reason="a system user is made by root only"),
    pytest.mark.skipif(not shutil.which("useradd"), reason="no useradd here"),
    pytest.mark.skipif(not fits(), reason=f"{PYTHON} is not there, or does not fit"),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no clone"),
]


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


def test_the_guides_lines_install_what_the_service_runs(prefix: Path) -> None:
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
