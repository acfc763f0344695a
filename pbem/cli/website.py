"""What everybody may read: `site`, `zine`."""

from datetime import UTC, datetime
from pathlib import Path

import click

from pbem.acts.acts import BY_NAME
from pbem.cli.at_work import installed, looking, working
from pbem.cli.shared import FOLDER, say, with_config
from pbem.daemon import logs
from pbem.house.config import Config
from pbem.pages.plain import plain
from pbem.referee.acts.doing import Actor, do
from pbem.store.schema.tables import EditorLetter
from pbem.text import counted
from pbem.website import folder, zine
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


@click.command("zine")
@click.option("--print", "chosen", type=int, metavar="N", help="print letter N in the next issue")
@click.option("--drop", type=int, metavar="N", help="do not print letter N")
@click.option("--send", is_flag=True, help="bring this month's issue out now")
@with_config
def zine_command(chosen: int | None, drop: int | None, send: bool, config_file: Path) -> None:
    """Show the club's paper as it would be now, and the letters to it that wait."""
    if sum((chosen is not None, drop is not None, send)) > 1:
        raise click.UsageError("give one of --print, --drop and --send")
    if chosen is None and drop is None and not send:
        with looking(config_file) as work:
            say(plain(zine.written(work)).strip() or "Nothing to tell yet.")
            for one in EditorLetter.many(work.conn):
                state = "in the next issue" if one.released else "waits"
                say(f"\nLetter {one.number} ({state}), {one.signed}:\n{one.text}")
        return
    with working(config_file) as work:
        if send:
            say(f"brought out; it goes to {counted(zine.bring_out(work), 'reader')}")
        elif chosen is not None:
            say(do(work, BY_NAME["print-letter"], {"number": chosen}, Actor()).said)
        else:
            values = {"number": drop, "none": True}
            say(do(work, BY_NAME["print-letter"], values, Actor()).said)


def _configured(config: Config, path: Path) -> str | None:
    own = config.site.folder
    is_ours = own and Path(own).resolve() == path.resolve()
    return config.site.address or None if is_ours else None
