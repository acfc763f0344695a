"""The gamesmaster's acts from the shell. Each may name the period it is meant for (--period), and
refuses another."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from pbem.cli.desk import desk
from pbem.cli.shared import FILE, NUMBER, say, with_config
from pbem.errors import OperatorError
from pbem.games.frame.length import Length, moved_by
from pbem.periods import acts, players, publishing, standins
from pbem.post import alarms
from pbem.referee import letter_acts, restoring
from pbem.store import games, standbys
from pbem.store.states import GameState

F = TypeVar("F", bound=Callable[..., Any])


class _LengthType(click.ParamType[Length]):
    """Whole days, or hours and minutes in words."""

    name = "integer"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Length:
        try:
            return moved_by(value)
        except OperatorError:
            self.fail(f"{value!r} is not a valid integer.", param, ctx)


LENGTH = _LengthType()


def _period(command: F) -> F:
    return click.option("--period", type=NUMBER, help="refuse if the game is in another period")(
        command
    )


@click.command("extend", context_settings={"ignore_unknown_options": True})  # DAYS may be -2
@click.argument("game")
@click.argument("days", type=LENGTH)
@click.option("--why", required=True)
@_period
@with_config
def extend_command(
    game: str, days: Length, why: str, period: int | None, config_file: Path
) -> None:
    """Move the deadline by DAYS (negative: bring it forward), or by "30 minutes"; everybody is
    told."""
    with desk(config_file, game) as work:
        table = acts.extend(work, game, period, days, why)
        say(f"new deadline: {publishing.deadline_text(table)}")


@click.command("close")
@click.argument("game")
@_period
@with_config
def close_command(game: str, period: int | None, config_file: Path) -> None:
    """Close the period now and adjudicate it."""
    with desk(config_file, game) as work:
        table = acts.close(work, game, period)
        say(f"closed; game {game} is in period {table.period.number} ({table.period.phase})")


@click.command("hold")
@click.argument("game")
@click.option("--why", required=True)
@with_config
def hold_command(game: str, why: str, config_file: Path) -> None:
    """Stop a game's clock; orders are still taken."""
    with desk(config_file, game) as work:
        acts.hold(work, game, why)
    say(f"game {game} is held")


@click.command("resume")
@click.argument("game", required=False)
@click.option("--all", "everything", is_flag=True, help="every held game")
@with_config
def resume_command(game: str | None, everything: bool, config_file: Path) -> None:
    """Let a held game go on; its deadline moves by the days it was held."""
    if (game is None) != everything:
        raise click.UsageError("give a GAME or --all")
    with desk(config_file, game or "") as work:
        for one in [game] if game else games.in_state(work.conn, GameState.HELD):
            table = acts.resume(work, one)
            say(f"game {one} goes on; deadline: {publishing.deadline_text(table) or 'none'}")


@click.command("pause")
@click.argument("game")
@click.argument("first", metavar="FIRST")
@click.argument("last", metavar="LAST")
@click.option("--why", required=True)
@_period
@with_config
def pause_command(
    game: str, first: str, last: str, why: str, period: int | None, config_file: Path
) -> None:
    """No deadline falls from FIRST to LAST (YYYY-MM-DD); a deadline that did moves behind them.
    Everybody is told."""
    with desk(config_file, game) as work:
        table = acts.pause(work, game, period, first, last, why)
        say(f"deadline: {publishing.deadline_text(table) or 'none'}")


@click.command("preview")
@click.argument("game")
@with_config
def preview_command(game: str, config_file: Path) -> None:
    """The bulletin as it would be if the period closed now, and who is missing. Nothing is
    stored."""
    with desk(config_file, game) as work:
        text, missing = acts.preview(work, game)
    say(text)
    say(f"missing: {', '.join(missing) or 'nobody'}")


@click.command("release")
@click.argument("game")
@click.option("--bulletin", type=NUMBER, help="refuse if another bulletin waits")
@with_config
def release_command(game: str, bulletin: int | None, config_file: Path) -> None:
    """Publish the bulletin that waits in review."""
    with desk(config_file, game) as work:
        acts.release(work, game, bulletin)
    say("released")


@click.command("order")
@click.argument("game")
@click.argument("seat")
@click.argument("file", type=FILE, required=False)
@_period
@with_config
def order_command(
    game: str, seat: str, file: Path | None, period: int | None, config_file: Path
) -> None:
    """Enter orders on a seat's behalf, from FILE or stdin; the bulletin says so."""
    text = file.read_bytes().decode("utf-8", errors="replace") if file else sys.stdin.read()
    with desk(config_file, game) as work:
        taken = acts.order(work, game, period, seat, text)
    for answer in taken.answers:
        for order in answer.orders:
            say(f"line {answer.line.number}: {order}")
        for problem in answer.problems:
            say(f"line {problem.line}: {problem.code} {problem.message}")


@click.command("rule")
@click.argument("game")
@click.argument("text")
@with_config
def rule_command(game: str, text: str, config_file: Path) -> None:
    """A ruling, printed in the next bulletin."""
    with desk(config_file, game) as work:
        acts.ruling(work, game, text)
    say("it will be printed in the next bulletin")


@click.command("replace")
@click.argument("game")
@click.argument("seat")
@click.argument("address")
@click.option("--name", default="")
@click.option("--why", required=True)
@with_config
def replace_command(
    game: str, seat: str, address: str, name: str, why: str, config_file: Path
) -> None:
    """Another player takes a seat: he is briefed, the old reply address is void, the bulletin says
    so."""
    with desk(config_file) as work:
        acts.replace(work, game, seat, address, name, why)
    say(f"{seat} in {game} is now {address}")


@click.command("standby")
@click.argument("game")
@click.argument("address")
@click.option("--name", default="")
@with_config
def standby_command(game: str, address: str, name: str, config_file: Path) -> None:
    """One more stand-by player for a game; he is called on when a seat needs a new player."""
    with desk(config_file) as work:
        standins.enlist(work, game, address, name)
        say(f"{standbys.waiting(work.conn, game)} players stand by for {game}")


@click.command("address")
@click.argument("old")
@click.argument("new", required=False)
@click.option(
    "--works", is_flag=True, help="instead of NEW: mail to OLD arrives again, forget what came back"
)
@with_config
def address_command(old: str, new: str | None, works: bool, config_file: Path) -> None:
    """Change a player's address of record, or say that mail to it arrives again."""
    if (new is None) != works:
        raise click.UsageError("give OLD and NEW, or OLD and --works")
    with desk(config_file) as work:
        if new is None:
            players.address_works(work, old)
        else:
            players.change_address(work, old, new)
    say(f"mail for {old} now goes to {new}" if new else f"what came back from {old} is forgotten")


@click.command("key")
@click.argument("address")
@click.argument("file", type=FILE)
@with_config
def key_command(address: str, file: Path, config_file: Path) -> None:
    """Register the OpenPGP public key in FILE (ASCII-armoured) for a player's address."""
    try:
        key = file.read_bytes().decode("ascii", errors="replace")
    except (OSError, UnicodeDecodeError) as error:
        raise OperatorError(f"{file}: {error}") from error
    with desk(config_file) as work:
        fingerprint = players.register_key(work, address, key)
    say(f"{address} signs with {fingerprint}")


@click.command("rotate")
@click.argument("game", required=False)
@click.argument("seat", required=False)
@click.option("--gamesmaster", is_flag=True, help="the gamesmaster's own")
@with_config
def rotate_command(
    game: str | None, seat: str | None, gamesmaster: bool, config_file: Path
) -> None:
    """A new secret reply address for a seat, or with --gamesmaster for yourself."""
    with desk(config_file, game or "") as work:
        if gamesmaster and game is None:
            alarms.rotate(work.conn)
        elif game is not None and seat is not None and not gamesmaster:
            acts.rotate(work, game, seat)
        else:
            raise click.UsageError("give GAME and SEAT, or --gamesmaster")
    say(f"{seat or 'your'} old reply address is void; the next mail carries the new one")


@click.command("rewind")
@click.argument("game")
@click.argument("number", type=NUMBER, metavar="N")
@click.option("--why", required=True)
@with_config
def rewind_command(game: str, number: int, why: str, config_file: Path) -> None:
    """Adjudicate published period N again; corrected bulletins say what changed."""
    with desk(config_file, game) as work:
        table = acts.rewind(work, game, number, why)
        say(f"period {number} is adjudicated anew; game {game} is in period {table.period.number}")


@click.command("accept")
@click.argument("letter", type=NUMBER, required=False)
@click.option(
    "--game",
    help=(
        "instead of LETTER: all of this game held after a restore that are plainly for its open"
        " period"
    ),
)
@click.option(
    "--before",
    type=click.DateTime(["%Y-%m-%d %H:%M"]),
    help="with --game, in its time zone: the open period was open until then, on your word",
)
@with_config
def accept_command(
    letter: int | None, game: str | None, before: datetime | None, config_file: Path
) -> None:
    """Take a held letter's orders as they are, on your own word that its sender is who he says."""
    if (letter is None) == (game is None) or (before and not game):
        raise click.UsageError("give a LETTER, or --game GAME (and --before)")
    with desk(config_file) as work:
        if letter is not None:
            letter_acts.accept(work, letter)
            say("the daemon's next pass takes it")
        elif game is not None:
            until = before.replace(tzinfo=games.table(work.conn, game).zone) if before else None
            done = restoring.accept(work, game, until)
            say(
                f"the daemon's next pass takes letters {', '.join(map(str, done.taken))}"
                if done.taken
                else f"no letter of {game} is plainly for its open period"
            )
            if done.left:
                say(f"still held: {', '.join(map(str, done.left))}; see `pbem queue {game}`")


@click.command("dismiss")
@click.argument("letter", type=NUMBER)
@with_config
def dismiss_command(letter: int, config_file: Path) -> None:
    """Close a held, failed or quarantined letter without effect."""
    with desk(config_file) as work:
        letter_acts.dismiss(work, letter)
    say("dismissed")


@click.command("retry")
@click.argument("letter", type=NUMBER)
@with_config
def retry_command(letter: int, config_file: Path) -> None:
    """Decide a failed letter again, or fetch an unfetchable one again."""
    with desk(config_file) as work:
        letter_acts.retry(work, letter)
    say("the daemon's next pass tries it")


@click.command("resend")
@click.argument("mail", type=NUMBER)
@with_config
def resend_command(mail: int, config_file: Path) -> None:
    """Send a mail again that was refused, or that perhaps went out."""
    with desk(config_file) as work:
        recipient = letter_acts.resend(work, mail)
    say(f"the daemon's next pass sends it to {recipient}")


@click.command("restore")
@click.option(
    "--release-outbox", is_flag=True, help="second step: what the restored outbox holds may go out"
)
@with_config
def restore_command(release_outbox: bool, config_file: Path) -> None:
    """After the database came back from a backup: hold the outbox and all games, rescan every
    folder by content."""
    with desk(config_file) as work:
        if release_outbox:
            say(f"{letter_acts.release_outbox(work)} mails may go out; now `pbem resume --all`")
            return
        held = letter_acts.restore(work)
    say(
        f"{held} mails and all games are held, and every folder (the processed one too) is read"
        " again by content at\nthe next pass. Look at `pbem queue`, then: pbem accept --game GAME;"
        " pbem restore --release-outbox;\npbem resume --all"
    )


COMMANDS = (
    extend_command,
    close_command,
    hold_command,
    resume_command,
    preview_command,
    release_command,
    order_command,
    rule_command,
    replace_command,
    standby_command,
    address_command,
    rotate_command,
    rewind_command,
    accept_command,
    dismiss_command,
    retry_command,
    restore_command,
    pause_command,
    key_command,
    resend_command,
)
