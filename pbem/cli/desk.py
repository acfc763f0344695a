"""The desk in a browser: `desk`."""

from pathlib import Path

import click

from pbem.cli.at_work import working
from pbem.cli.shared import say, with_config
from pbem.daemon import logs
from pbem.errors import OperatorError
from pbem.house import config, resources
from pbem.referee.gamesmaster import gamesmaster_words
from pbem.store.engine import database
from pbem.store.people.players import mail_address


@click.command("desk")
@click.option("--link", is_flag=True, help="only print a way in to a desk that runs already")
@click.option("--mail", metavar="ADDRESS", default="", help="only mail a gamesmaster his way in")
@click.option("--tied", is_flag=True, hidden=True)
@with_config
def desk_command(config_file: Path, link: bool, mail: str, tied: bool) -> None:
    """What waits and all acts, as pages in a browser: serve them, and print the way in."""
    if bool(link) + bool(mail) + tied > 1:
        raise click.UsageError("give --link or --mail")
    needed()
    if mail:
        with working(config_file, doubted=True) as work:
            if not gamesmaster_words.ask(work, mail_address(mail), gamesmaster_words.SHELL):
                raise OperatorError(
                    f"{mail} is no gamesmaster's, or has been mailed three links in this hour"
                )
        say(f"The way in goes to {mail} with the next pass.")
        return
    if not tied:
        _link(config_file)
    if not link:
        _serve(config_file, tied)


def needed() -> None:
    """Raise OperatorError unless the desk's extra is installed."""
    try:
        import pbem.desk.serving  # noqa: F401, PLC0415  an optional extra
    except ImportError as error:
        raise OperatorError(
            f"the desk needs its web server: {resources.line('desk')} ({error})"
        ) from error


def _link(config_file: Path) -> None:
    with working(config_file, doubted=True) as work:
        link = gamesmaster_words.link(work, gamesmaster_words.code(work, ""))
        say(f"{link}   (works once, for ten minutes)")


def _serve(config_file: Path, tied: bool) -> None:
    from pbem.desk.app import Desk  # noqa: PLC0415
    from pbem.desk.serving import serve  # noqa: PLC0415

    settings = config.load(config_file)
    logs.configure(settings.daemon.log_json)
    engine = database.connect(settings.referee.database)
    try:
        serve(Desk(engine, settings), tied=tied)
    finally:
        engine.dispose()


COMMANDS = (desk_command,)
