"""What an operator meets first: `pbem db upgrade`, and what the doctor says of a place that is not ready, has no
room or can be read by others."""

import resource
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.cli import doctor
from pbem.store.engine import database
from pbem.text import sentence
from tests.mail.test_upgrade import landed
from tests.shell import Shell


def test_doctor_looks_whether_the_site_can_be_written(begun: Shell) -> None:
    assert "[site]" not in begun("doctor", "--offline")
    good, folder = begun.file.read_text(), begun.file.parent / "site" / "pages"
    begun.write(f'{good}\n[site]\nfolder = "{folder}"\n')
    assert f"ok   [site] folder {folder}" in begun("doctor", "--offline")
    assert not folder.parent.exists(), "to look makes nothing"
    folder.parent.write_text("in the way")
    said = " ".join(begun.run("doctor", "--offline", code=1).stdout.split())
    assert f"BAD [site] folder {folder}: it cannot be written (Not a directory)" in said


def test_what_an_upgrade_has_done(begun: Shell) -> None:
    good, other = begun.file.read_text(), f"sqlite:///{begun.file.parent}/other.db"
    assert "is up to date, at revision 0" in begun("db", "upgrade")
    begun.write(good.replace(begun.at.url, other))
    said = " ".join(begun.run("doctor", "--offline", code=1).stdout.split())
    assert "the database is empty, this program needs 0" in said
    assert "other.db was empty and is at revision 0" in begun("db", "upgrade")
    (begun.file.parent / "other.db").unlink()
    landed(other)
    assert f"was brought from revision {database.OLDEST} to 0" in begun("db", "upgrade")


def test_a_trouble_has_one_end(begun: Shell) -> None:
    begun.write(begun.file.read_text().replace(begun.at.url, "sqlite:////nowhere/at/all/x.db"))
    said = " ".join(begun.run("doctor", "--offline", code=3).stdout.split())
    assert "and its folder. Check [referee] database" in said and ".;" not in said
    assert [sentence(words) for words in ("a", "a.", "a?")] == ["a.", "a.", "a?"]


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of 16 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def moved(shell: Shell, folder: Path) -> None:
    """The database goes to another folder."""
    old = shell.at.url.partition("sqlite:///")[2]
    shell("backup", str(folder / "pbem.db"))
    shell.write(shell.file.read_text().replace(old, str(folder / "pbem.db")))


@pytest.mark.needs("mount")
def test_a_full_disk_is_found_without_the_mail_servers(begun: Shell, small: Path) -> None:
    moved(begun, small)
    assert f"ok   room in {small}" in begun("doctor", "--offline")
    rest = (small / "rest").open("wb", buffering=0)
    with rest, pytest.raises(OSError, match="No space left"):
        while rest.write(bytes(4096)):
            pass
    said = " ".join(begun.run("doctor", "--offline", code=1).stdout.split())
    assert f"BAD room in {small}: the database cannot grow (No space left on device)" in said
    assert "make room" in said
    begun.write(f'{begun.file.read_text()}\n[site]\nfolder = "{small}/pages"\n')
    said = " ".join(begun.run("doctor", "--offline", code=1).stdout.split())
    assert f"BAD [site] folder {small}/pages: it cannot be written (No space left" in said
    (small / "rest").unlink()
    assert f"ok   room in {small}" in begun("doctor", "--offline")


def test_a_limit_of_the_account_is_found(begun: Shell) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (doctor.ROOM // 2, hard))
    try:
        said = begun.run("doctor", "--offline", code=1).stdout
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "the database cannot grow (File too large)" in " ".join(said.split())


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        (0o600, "ok permissions of {}"),
        (0o640, "warn permissions of {}: its group can read it; if that is not meant: chmod g-rwx"),
        (0o644, "warn permissions of {}: anybody can read it: chmod go-rwx {}"),
    ],
)
def test_a_configuration_that_others_read_is_a_warning(begun: Shell, mode: int, said: str) -> None:
    begun.file.chmod(mode)
    told = " ".join(begun("doctor", "--offline").split())
    assert said.format(begun.file, begun.file) in told


@pytest.mark.parametrize(("mode", "code", "mark"), [(0o640, 0, "warn"), (0o644, 1, "BAD")])
def test_a_password_that_others_read(begun: Shell, mode: int, code: int, mark: str) -> None:
    begun.file.chmod(0o600)
    secret = begun.file.parent / "password"
    secret.write_text("x")
    secret.chmod(mode)
    text = begun.file.read_text().replace(
        'password_env = "PBEM_TEST_PASSWORD"', f'password_file = "{secret}"', 1
    )
    begun.write(text)
    told = " ".join(begun.run("doctor", "--offline", code=code).stdout.split())
    assert f"{mark} permissions of {secret}: " in told


def test_it_says_whether_questions_can_be_looked_up(made: Shell) -> None:
    assert "ok   full-text search" in made("doctor", "--offline")
