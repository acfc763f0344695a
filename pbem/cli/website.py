"""The games as pages: `site`."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.at_work import looking
from pbem.cli.shared import FOLDER, say, with_config
from pbem.text import counted
from pbem.website import folder
from pbem.website.files import Folder


@click.command("site")
@click.argument("path", type=FOLDER, metavar="FOLDER")
@click.option("--address", default="", metavar="URL", help="where the folder will be read")
@with_config
def site_command(path: Path, address: str, config_file: Path) -> None:
    """All games as pages in FOLDER, from what is public of them; FOLDER/index.html is the first."""
    with looking(config_file) as work:
        number = folder.write(work, Folder(path, address))
    say(f"{counted(number, 'game')}: {path / 'index.html'}")


COMMANDS = (site_command,)
