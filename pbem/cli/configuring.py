"""What `pbem init` writes: the configuration, a file with a password, a systemd unit."""

import getpass
import json
import os
import shutil
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pbem.house import config, resources
from pbem.house.config import Config

Value = str | int | bool | list[str]
Service = Literal["none", "user", "system"]
_SYSTEM = Path("/etc/systemd/system")


def filled(values: Mapping[str, Mapping[str, Value]]) -> str:
    """Return the example configuration with these values; its remarks stay."""
    section, lines = "", []
    for line in resources.path("config.example.toml").read_text(encoding="utf-8").split("\n"):
        if line.startswith("["):
            section = line[1:].partition("]")[0]
        key, _, rest = line.partition(" = ")
        if key in values.get(section, {}):
            written = f"{key} = {json.dumps(values[section][key], ensure_ascii=False)}"
            remark = rest.partition("#")[2]
            lines.append(f"{written:<37} #{remark}")
        else:
            lines.append(line)
    return "\n".join(lines).replace("Copy it to config.toml and fill it in; ", "") + "\n"


def write(file: Path, values: Mapping[str, Mapping[str, Value]]) -> Config:
    """Write the configuration, for its owner alone. Return it as read."""
    text = filled(values)
    read = config.parse(tomllib.loads(text), str(file))
    private(file, text)
    return read


def private(file: Path, text: str) -> None:
    """Write a file that nobody else can read, at any moment."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f".{file.name}.new")
    beside.unlink(missing_ok=True)
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="utf-8") as out:
        out.write(text)
    beside.replace(file)


def unit(kind: Service, config_file: Path) -> str:
    """Return a systemd unit for `pbem serve`."""
    folder, program = config_file.parent, _program()
    lines = [
        "[Unit]",
        "Description=Referee of political games by mail",
        "Wants=network-online.target",
        "After=network-online.target time-sync.target",
        "",
        "[Service]",
        "Type=exec",
        f"WorkingDirectory={_escaped(str(folder))}",
        f"ExecStartPre={program} db upgrade --config {_quoted(str(config_file))}",
        f"ExecStart={program} serve --config {_quoted(str(config_file))}",
        "KillSignal=SIGTERM",
        "TimeoutStopSec=30",
        "Restart=on-failure",
        "RestartSec=30",
        "UMask=0077",
        "NoNewPrivileges=true",
    ]
    if kind == "system":
        lines += [
            f"User={getpass.getuser()}",
            "PrivateTmp=true",
            "ProtectSystem=strict",
            f"ReadWritePaths={_quoted(str(folder))}",
        ]
    wanted = "multi-user.target" if kind == "system" else "default.target"
    return "\n".join([*lines, "", "[Install]", f"WantedBy={wanted}", ""])


def install(kind: Service, config_file: Path) -> tuple[Path, list[str]]:
    """Write the unit where systemd looks for it, or beside the configuration if that is not ours to
    write. Return the file, and the commands left to give."""
    text = unit(kind, config_file)
    if kind == "user":
        home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
        file = home / "systemd" / "user" / "pbem.service"
        start = ["systemctl --user enable --now pbem", "loginctl enable-linger"]
    elif os.access(_SYSTEM, os.W_OK):
        file, start = _SYSTEM / "pbem.service", ["systemctl enable --now pbem"]
    else:
        file = config_file.with_name("pbem.service")
        start = [f"sudo cp {_quoted(str(file))} {_SYSTEM}/", "sudo systemctl enable --now pbem"]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file, start


def _program() -> str:
    own = Path(sys.argv[0])
    found = own if own.name == "pbem" and own.is_file() else shutil.which("pbem")
    if found:
        return _quoted(str(Path(found).absolute()))
    return f"{_quoted(sys.executable)} -m pbem"


def _escaped(word: str) -> str:
    return word.replace("%", "%%")


def _quoted(word: str) -> str:
    """Quote a unit's word if it needs quotes."""
    word = _escaped(word).replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return f'"{word}"' if any(char.isspace() or char in "'\"" for char in word) else word
