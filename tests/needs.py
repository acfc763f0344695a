"""Tests that need a real server say `@pytest.mark.needs("dovecot", "postfix")`.

Where one of them is not installed the test is left out, and the summary says so with the packages
to install; with PBEM_REQUIRE_SERVERS=1 that is an error instead.
"""

import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = os.geteuid() == 0
PACKAGES = {
    "dovecot": "apt-get install dovecot-imapd dovecot-lmtpd",
    "postfix": "apt-get install postfix (and run as root)",
    "postgresql": 'apt-get install postgresql; pip install "psycopg[binary]"',
    "libfaketime": "apt-get install libfaketime",
    "mount": "run as root, where file systems can be mounted",
    "chromium": "apt-get install chromium",
}
FAKETIME = str(next(Path("/usr/lib").glob("**/faketime/libfaketimeMT.so.1"), ""))
ROOM = 1 << 30  # bytes in memory that the temporary folders may take
LEFT_OUT = pytest.StashKey[dict[str, list[str]]]()


def missing(server: str) -> bool:
    """Whether a server's programs are not on this machine."""
    match server:
        case "dovecot":
            return not (program("dovecot") and Path("/usr/lib/dovecot/lmtp").exists())
        case "postfix":
            return not (program("postfix") and ROOT)
        case "postgresql":
            return not (postgresql_programs() and importlib.util.find_spec("psycopg"))
        case "libfaketime":
            return not FAKETIME
        case "mount":
            return not _mounts()
        case "chromium":
            return not program(server)
    raise LookupError(f"tests need an unknown server: {server}")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "needs(*servers): leave the test out where one of these servers is missing"
    )
    config.stash[LEFT_OUT] = {}
    # A commit that waits for a real disk makes every test several times as long.
    if room := memory():
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", room)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = config.stash[LEFT_OUT]
    stay: list[pytest.Item] = []
    go: list[pytest.Item] = []
    for item in items:
        lacking = [
            server for mark in item.iter_markers("needs") for server in mark.args if missing(server)
        ]
        for server in lacking:
            left_out.setdefault(server, []).append(item.nodeid)
        (go if lacking else stay).append(item)
    if left_out and os.environ.get("PBEM_REQUIRE_SERVERS") == "1":
        raise pytest.UsageError("PBEM_REQUIRE_SERVERS=1, but " + "; ".join(_report(left_out)))
    if go:
        config.hook.pytest_deselected(items=go)
        items[:] = stay
    if hasattr(config, "workeroutput"):  # a worker of pytest-xdist tells its controller
        config.workeroutput["left_out"] = left_out


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: pytest.Session) -> None:
    node.config.stash[LEFT_OUT].update(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if left_out := config.stash[LEFT_OUT]:
        terminalreporter.section("tests left out")
        for line in _report(left_out):
            terminalreporter.write_line(line)


@cache
def _mounts() -> bool:
    """Whether a file system in memory can be mounted here."""
    if not (ROOT and program("mount")):
        return False
    with tempfile.TemporaryDirectory() as folder:
        command = ["mount", "-t", "tmpfs", "tmpfs", folder]
        tried = subprocess.run(command, capture_output=True, check=False)
        if tried.returncode == 0:
            subprocess.run(["umount", folder], check=True)
    return tried.returncode == 0


def _report(left_out: Mapping[str, list[str]]) -> list[str]:
    return [
        f"{len(tests)} left out for want of {server} ({PACKAGES[server]}): {_files(tests)}"
        for server, tests in sorted(left_out.items())
    ]


def _files(tests: list[str]) -> str:
    return ", ".join(sorted({test.partition("::")[0] for test in tests}))


def memory() -> str | None:
    """Where files cost no disk, if it has room for the tests: SIGKILL takes nothing from them there
    either."""
    place = "/dev/shm"
    if not os.access(place, os.W_OK):
        return None
    return place if shutil.disk_usage(place).free > ROOM else None


def program(name: str) -> str | None:
    """Where a server's program is; Debian keeps some out of a user's PATH."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


def postgresql_programs() -> Path | None:
    """The folder of the newest PostgreSQL's server programs."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3])
    )
    return found[-1].parent if found else None
