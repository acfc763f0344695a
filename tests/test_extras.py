"""An optional command that lacks its libraries says the exact line for this installation."""

import pytest

from pbem.house import resources
from pbem.house.resources import Installed

VENV = "/srv/venv"


@pytest.mark.parametrize(
    ("how", "line"),
    [
        (Installed(VENV, f"{VENV}/bin/python"), "/srv/venv/bin/python -m pip install 'pbem[desk]'"),
        (
            Installed("/home/k/pbem/.venv", "/home/k/pbem/.venv/bin/python", "/home/k/pbem", True),
            "/home/k/pbem/.venv/bin/python -m pip install -e '/home/k/pbem[desk]'",
        ),
        (
            Installed(VENV, f"{VENV}/bin/python", "/home/k/my games", pip=False),
            "uv pip install --python /srv/venv/bin/python '/home/k/my games[desk]'",
        ),
        (
            Installed("/home/k/.local/share/pipx/venvs/pbem", "python"),
            "pipx install --force 'pbem[desk]'",
        ),
        (
            Installed("/home/k/.local/share/uv/tools/pbem", "python", "/home/k/pbem"),
            "uv tool install --force '/home/k/pbem[desk]'",
        ),
    ],
)
def test_each_installation_has_its_line(how: Installed, line: str) -> None:
    assert resources.line("desk", how) == line


def test_this_one_has_its_line_too() -> None:
    assert resources.here().python in resources.line("demo") and "[demo]" in resources.line("demo")
