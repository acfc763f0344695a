"""The folder of the games as pages: who writes to it, what is removed from it, and what it missed
while it was not named."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import OperatorError
from pbem.periods import publishing
from pbem.post.crash_points import no_crash
from pbem.referee.acts import letter_acts
from pbem.website import folder, public
from pbem.website.files import Folder
from tests.installation import SEATS, Installation
from tests.mail.test_site_trouble import marked, shell
from tests.mail.test_website import at, pages, text, told_anew

__all__ = ["at", "pages"]
HOLDER = """
import fcntl, sys
lock = open(sys.argv[1], "a")
fcntl.flock(lock, fcntl.LOCK_EX)
print("mine", flush=True)
sys.stdin.read()
"""


def goes_on(at: Installation, **site: str) -> None:
    """The daemon is started anew with another [site]."""
    at.daemon.close()
    at.site = site
    at.daemon = at.new_daemon()


def test_a_folder_named_later_gets_all_that_is_there(tmp_path: Path, pages: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS) as at:
        at.start()
        at.to_deadline()
        at.daemon.close()
        at.site = {"folder": str(pages)}
        at.daemon = at.new_daemon()
        at.once()
        assert "Bulletin 1" in text(pages, "g/index.html")


@pytest.mark.parametrize("writer", ["command", "daemon"])
def test_who_is_slow_puts_nothing_old_over_what_is_newer(
    at: Installation, pages: Path, monkeypatch: pytest.MonkeyPatch, writer: str
) -> None:
    """It has read the game and not yet written it when a bulletin is published and the daemon's
    pass comes to the pages."""
    run, site = shell(at), at.daemon.installation
    told_anew(at)
    has_read, may_write, real = threading.Event(), threading.Event(), public.game

    def game(*given: Any) -> Any:
        found = real(*given)
        if threading.current_thread() is slow:
            has_read.set()
            may_write.wait(30)
        return found

    def work() -> None:
        if writer == "command":
            run("site", str(pages))
        else:
            folder.renew(site, at.clock, no_crash, lambda: False)

    slow = threading.Thread(target=work)
    monkeypatch.setattr(public, "game", game)
    slow.start()
    assert has_read.wait(30)
    done = at.to_deadline()
    assert done.closed == 1 and not done.trouble
    may_write.set()
    slow.join(30)
    at.once()
    assert "Bulletin 1" in text(pages, "g/1.html") and "Bulletin 1" in text(pages, "g/index.html")
    assert publishing.local_deadline(at.table()) in text(pages, "index.html")
    assert marked(at) == []


def test_while_another_program_writes_the_command_says_so_and_the_daemon_waits(
    at: Installation, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "PATIENCE", 0.3)
    words = [sys.executable, "-c", HOLDER, str(pages / ".writing")]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout and other.stdout.readline() == b"mine\n"
        refused = shell(at).run("site", str(pages), code=3)
        assert "another program writes to it" in refused.stderr
        assert not at.to_deadline().trouble
        assert not (pages / "g/1.html").exists() and marked(at) == ["g"]
        other.kill()
    assert not at.once().trouble
    assert (pages / "g/1.html").is_file() and marked(at) == []


def test_the_file_of_the_lock_may_be_removed(at: Installation, pages: Path) -> None:
    at.once()
    (pages / ".writing").unlink()
    told_anew(at)
    assert not at.once().trouble
    assert (pages / ".writing").is_file() and marked(at) == []


def test_the_command_has_the_address_of_the_configured_folder(
    at: Installation, pages: Path
) -> None:
    at.once()
    feed = (pages / "g/feed.xml").read_bytes()
    assert b"https://games.example/g/" in feed
    run = shell(at, f'\n[site]\nfolder = "{pages}"\naddress = "https://games.example/"\n')
    run("site", f"{pages.parent / 'x' / '..' / pages.name}")
    assert (pages / "g/feed.xml").read_bytes() == feed
    run("site", str(pages), "--address", "")
    assert b"games.example/" not in (pages / "g/feed.xml").read_bytes()
    run("site", str(pages.parent / "another"))
    assert b"games.example/" not in (pages.parent / "another/g/feed.xml").read_bytes()


def test_what_happens_while_no_folder_is_named_is_written_later(
    at: Installation, pages: Path
) -> None:
    """Or while another daemon, which has none, does the work."""
    goes_on(at)
    at.to_deadline()
    assert not (pages / "g/1.html").exists()
    goes_on(at, folder=str(pages), address="https://games.example/")
    at.once()
    assert (pages / "g/1.html").is_file()


def test_a_folder_that_was_another_for_a_while_gets_what_it_missed(
    at: Installation, pages: Path
) -> None:
    other = pages.with_name("other")
    goes_on(at, folder=str(other))
    at.to_deadline()
    assert (other / "g/1.html").is_file() and not (pages / "g/1.html").exists()
    goes_on(at, folder=str(pages))
    at.once()
    assert (pages / "g/1.html").is_file()


def test_all_pages_are_written_anew_for_another_address(at: Installation, pages: Path) -> None:
    goes_on(at, folder=str(pages), address="https://elsewhere.example")
    at.once()
    assert b"https://elsewhere.example/g/" in (pages / "g/feed.xml").read_bytes()
    assert b"games.example/" not in (pages / "g/feed.xml").read_bytes()


def test_all_pages_are_written_anew_after_a_restore(at: Installation, pages: Path) -> None:
    """What is in the folder may be newer than the backup."""
    (pages / "g/1.html").write_text("of a period that is to be played again")
    at.act(letter_acts.restore)
    at.once()
    assert not (pages / "g/1.html").exists()


def test_nothing_unfinished_is_left(
    at: Installation, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    to, real = Folder(pages), os.replace

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OperatorError, match="No space left"):
        to.put("a.html", "a")
    monkeypatch.setattr(os, "replace", real)
    assert list(pages.rglob("*.new")) == []
    for name in (".a.html.1.new", "g/.0.html.1.new"):
        (pages / name).write_text("of one who was killed")
    told_anew(at)
    at.once()
    assert list(pages.rglob("*.new")) == []


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o027, 0o640)])
def test_files_are_for_those_whom_the_umask_lets(tmp_path: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        Folder(tmp_path).put("a.html", "a")
    finally:
        os.umask(before)
    assert (tmp_path / "a.html").stat().st_mode & 0o777 == mode


def test_a_game_that_must_go_and_cannot_is_trouble(tmp_path: Path, pages: Path) -> None:
    house, site = {"watch": False}, {"folder": str(pages)}
    with Installation(tmp_path, "coalition", seats=SEATS, house=house, site=site) as at:
        at.start()
        (pages / "g").write_text("no folder")
        told_anew(at)
        assert any("g cannot be removed" in one for one in at.once().trouble)
        assert marked(at) == ["g"]
        (pages / "g").unlink()
        (pages / "g").mkdir()
        (pages / "g/index.html").write_text("what nobody may read")
        assert not at.once().trouble
        assert not (pages / "g").exists() and marked(at) == []


def test_a_folder_within_a_games_folder_is_not_ours(at: Installation, pages: Path) -> None:
    (pages / "g/.well-known").mkdir()
    (pages / "g/.well-known/x").write_text("kept")
    (pages / "g/link").symlink_to(pages / "g/.well-known")
    told_anew(at)
    assert not at.once().trouble
    assert (pages / "g/.well-known/x").is_file() and not (pages / "g/link").is_symlink()


def test_a_folder_that_cannot_be_made_is_named_with_the_cause(at: Installation) -> None:
    refused = shell(at).run("site", "/proc/x", code=1)
    assert "/proc/x cannot be made: No such file or directory" in refused.stderr
