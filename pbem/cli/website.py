"""The website: `site`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from pbem.cli.at_work import installed
from pbem.cli.shared import FOLDER, say, with_config
from pbem.daemon import logs
from pbem.house.config import Config
from pbem.text import counted
from pbem.website import folder
from pbem.website.files import SiteFolder


@click.command("site")
@click.argument("path", type=FOLDER, metavar="FOLDER")
@click.option(
    "--address",
    metavar="URL",
    help="where the folder will be read; that of the configuration where it is the folder there",
)
@with_config
def site_command(path: Path, address: str | None, config_file: Path) -> None:
    """All games as pages in FOLDER, from what is public of them; FOLDER/index.html is the first."""
    with installed(config_file) as installation:
        logs.configure(installation.config.daemon.log_json)
        at = SiteFolder(
            path, _configured(installation.config, path) if address is None else address
        )
        number, trouble = folder.write(installation, datetime.now(UTC), at)
    say(f"{counted(number, 'game')}: {path / 'index.html'}")
    if trouble:
        raise trouble


def _configured(config: Config, path: Path) -> str | None:
    own = config.site.folder
    is_ours = own and Path(own).resolve() == path.resolve()
    return config.site.address or None if is_ours else None


COMMANDS = (site_command,)
