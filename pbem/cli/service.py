"""The service: `demo`, `serve`, `once`, `letter`, `doctor`, `backup`, `db`, `desk`, `site`,
`zine`."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click
import structlog

from pbem.acts.act import Kind
from pbem.acts.acts import BY_NAME
from pbem.cli import doctor
from pbem.cli.acting import Value
from pbem.cli.at_work import connected, installed, looking, working
from pbem.cli.doctor import Finding
from pbem.cli.shared import AS_JSON, FILE, FOLDER, document, say, with_config
from pbem.daemon import logs
from pbem.daemon.loop import Daemon
from pbem.errors import OperatorError, OutsideError
from pbem.games import GAMES
from pbem.house import config, resources
from pbem.pages.plain import plain
from pbem.referee.acts.doing import Actor, do
from pbem.referee.gamesmaster import explaining, gamesmaster_words
from pbem.store.engine import backup, database
from pbem.store.people.players import mail_address
from pbem.store.schema.tables import EditorLetter
from pbem.text import counted
from pbem.website import folder as site
from pbem.website import zine
from pbem.website.files import SiteFolder


@contextmanager
def _needing(extra: str, what: str) -> Iterator[None]:
    """Raise OperatorError if an extra is missing."""
    try:
        yield
    except ImportError as error:
        said = f"the {extra} needs its {what}: {resources.line(extra)} ({error})"
        raise OperatorError(said) from error


@click.command("demo")
@click.option(
    "--game",
    "key",
    type=click.Choice(list(GAMES)),
    default=next(iter(GAMES)),
    show_default=True,
    metavar="KEY",
)
@click.option(
    "--serve", is_flag=True, help="leave everything running at the end, for your own mail client"
)
@click.option(
    "--folder",
    type=FOLDER,
    default=Path("pbem-demo"),
    show_default=True,
    help="database and mailboxes go here",
)
@click.option(
    "--show", type=FOLDER, help="write all mails of the demo there, as pages with an index"
)
def demo_command(key: str, serve: bool, folder: Path, show: Path | None) -> None:
    """A whole game by real mail on this machine, nothing to configure."""
    with _needing("demo", "post office"):
        from pbem.cli.demo import demo  # noqa: PLC0415  an optional extra
    logs.configure(as_json=False)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    demo.run(key, folder, say, show=show, wait=_serving if serve else None)


def _serving(running: object) -> None:
    office = running.office  # type: ignore[attr-defined]
    say(
        "Still running, until you press Ctrl-C. Log in as any mailbox above with the password"
        f" 'demo', by IMAP on 127.0.0.1:{office.imap_port} (no TLS); send by SMTP on"
        f" 127.0.0.1:{office.smtp_port} (no TLS, no login)."
    )
    try:
        while True:
            running.once()  # type: ignore[attr-defined]
            running.daemon.stopping.wait(1.0)  # type: ignore[attr-defined]
    except KeyboardInterrupt:
        say("stopped")


@click.command("serve")
@with_config
@click.option("--desk", is_flag=True, help="with the desk beside it (see `pbem desk`)")
def serve_command(config_file: Path, desk: bool) -> None:
    """The daemon: poll, decide, remind, adjudicate, send."""
    if desk:
        desk_needed()
    settings = config.load(config_file)
    logs.configure(settings.daemon.log_json)
    daemon = Daemon(settings)
    if not desk:
        daemon.run()
        return
    from pbem.desk.serving import run_beside  # noqa: PLC0415  an optional extra

    with run_beside(config_file):
        daemon.run()


@click.command("once")
@with_config
def once_command(config_file: Path) -> None:
    """One pass of the same, for cron."""
    settings = config.load(config_file)
    logs.configure(settings.daemon.log_json)
    daemon = Daemon(settings)
    daemon.patience = 5.0
    try:
        done = daemon.pass_once()
    finally:
        daemon.close()
    say(
        f"{counted(done.letters, 'letter')} stored, {done.decided} decided,"
        f" {counted(done.closed, 'period')} closed, {counted(done.sent, 'mail')} sent"
    )
    if done.trouble:
        raise OutsideError("; ".join(done.trouble))


@click.command("letter")
@click.argument("file", type=FILE, required=False)
@click.option(
    "--id", "letter_id", type=Value(Kind.NUMBER), help="a stored letter instead of a file"
)
@click.option(
    "--receipt",
    metavar="GAME/SEAT/N",
    default="",
    help="the stored letter which that receipt answers",
)
@with_config
@AS_JSON
def letter_command(
    file: Path | None, letter_id: int | None, receipt: str, config_file: Path, as_json: bool
) -> None:
    """What the referee makes of one letter, and why. Nothing is sent; a look at what is still
    secret is journalled."""
    if (file is not None) + (letter_id is not None) + bool(receipt) != 1:
        raise click.UsageError("give a FILE.eml, --id N or --receipt GAME/SEAT/N")
    with working(config_file, doubted=True) as work:
        told = explaining.explain(work, file, letter_id, receipt)
    if as_json:
        document(told.json)
    else:
        say(told.text)


@click.command("doctor")
@with_config
@click.option("--offline", is_flag=True, help="leave the mail servers out")
@click.option(
    "--send", is_flag=True, help="also send a letter to our address with a plus, and wait for it"
)
@doctor.WAIT
def doctor_command(config_file: Path, offline: bool, send: bool, wait: int) -> None:
    """Is this installation whole? Each fault with its mend. Exit code 1 or 3 if there is one."""
    if offline and send:
        raise click.UsageError("--send needs the mail servers, and --offline leaves them out")
    findings = doctor.examine(config_file, lambda: datetime.now(UTC), offline)
    for finding in findings:
        doctor.tell(finding)
    if send:
        for finding in _round_trip(config_file, findings, wait):
            doctor.tell(finding)
            findings.append(finding)
    bad = [finding for finding in findings if not finding.well]
    if bad:
        error = OutsideError if all(finding.outside for finding in bad) else OperatorError
        raise error(f"{len(bad)} of {len(findings)} checks failed")


def _round_trip(config_file: Path, found: Sequence[Finding], wait: int) -> Iterator[Finding]:
    """Send a letter to ourselves unless a failed check rules it out."""
    needed = ("configuration", "IMAP", "SMTP")
    if any(not one.well and one.what.startswith(needed) for one in found):
        yield Finding("a letter to ourselves", False, "not sent; mend what is above first", True)
        return
    settings = config.load(config_file)
    sent = doctor.parcel(settings)
    say(f"...  a letter goes to {sent.address}; it is waited for {wait} s at the most")
    yield from doctor.judged(settings, sent, doctor.travel(settings, sent, wait), wait)


@click.command("backup")
@click.argument("file", type=FILE)
@with_config
def backup_command(file: Path, config_file: Path) -> None:
    """The whole database as one new file, while the service runs. `pbem restore --from FILE` puts
    it back."""
    size = backup.back_up(config.load(config_file).referee.database, file)
    say(f"{file}: {size:,} bytes; keep it as safe as the database: it holds letters and keys")


@click.group("db")
def db_command() -> None:
    """The database."""


@db_command.command("upgrade")
@with_config
def upgrade_command(config_file: Path) -> None:
    """Bring the tables to the newest form (a new database gets them all), and check them."""
    with connected(config_file, whole=False) as (settings, engine):
        before, now = database.upgrade(engine)
        if settings.daemon.share_work:
            from pbem.store.engine import jobs  # noqa: PLC0415  an optional extra

            jobs.upgrade(engine)
        if before == now:
            done = f"is up to date, at revision {now}"
        elif before is None:
            done = f"was empty and is at revision {now} now"
        else:
            done = f"was brought from revision {before} to {now}"
        report = f"{engine.url.render_as_string()} {done}"
        if differences := database.drift(engine):
            raise OperatorError(
                f"{report}, but its tables differ from the program's records: {differences}."
                " Perhaps a version between two releases made them. Put your last backup back"
                " (`pbem restore --from FILE`), and upgrade that"
            )
    say(report)


@db_command.command("check")
@with_config
def check_command(config_file: Path) -> None:
    """Whether the tables are as the program expects them."""
    with connected(config_file) as (_, engine):
        differences = database.drift(engine)
    if differences:
        raise OperatorError(f"the tables differ from the program's records: {differences}")
    say("the tables are as they should be")


@click.command("desk")
@click.option("--link", is_flag=True, help="only print a way in to a desk that runs already")
@click.option("--mail", metavar="ADDRESS", default="", help="only mail a gamesmaster a way in")
@click.option("--tied", is_flag=True, hidden=True)
@with_config
def desk_command(config_file: Path, link: bool, mail: str, tied: bool) -> None:
    """What waits and all acts, as pages in a browser. Serve them, and print the way in."""
    if bool(link) + bool(mail) + tied > 1:
        raise click.UsageError("give --link or --mail")
    desk_needed()
    if mail:
        with working(config_file, doubted=True) as work:
            if not gamesmaster_words.ask(work, mail_address(mail), gamesmaster_words.SHELL):
                raise OperatorError(
                    f"{mail} is no gamesmaster's, or has been mailed three links in this hour"
                )
        say(f"The way in goes to {mail} with the next pass.")
        return
    if not tied:
        with working(config_file, doubted=True) as work:
            way = gamesmaster_words.link(work, gamesmaster_words.code(work, ""))
            say(f"{way}   (works once, for ten minutes)")
    if link:
        return
    from pbem.desk.app import Desk  # noqa: PLC0415
    from pbem.desk.serving import serve  # noqa: PLC0415

    with connected(config_file, whole=False) as (settings, engine):
        logs.configure(settings.daemon.log_json)
        serve(Desk(engine, settings), tied=tied)


def desk_needed() -> None:
    """Raise OperatorError unless the desk's extra is installed."""
    with _needing("desk", "web server"):
        import pbem.desk.serving  # noqa: F401, PLC0415  an optional extra


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
        own = installation.config.site
        if address is None and own.folder and Path(own.folder).resolve() == path.resolve():
            address = own.address or None
        at = SiteFolder(path, address)
        number, trouble = site.write(installation, datetime.now(UTC), at)
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
        else:
            values = {"number": drop, "none": True} if chosen is None else {"number": chosen}
            say(do(work, BY_NAME["print-letter"], values, Actor()).said)
