"""Mails to gamesmasters about trouble.

How the reader of an alarm does what it names: by shell, mail or desk.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import starmap
from typing import Any

from pbem.acts import acts
from pbem.acts.act import Kind
from pbem.acts.acts import BY_MAIL
from pbem.house import templates
from pbem.orders.muting import muted
from pbem.post import masters, outbox
from pbem.post.compose import Draft, Mail, compose
from pbem.post.seats import dressed
from pbem.post.work import Work
from pbem.store.schema.tables import Game

_SHELL = "`pbem {}`"
_BY_NAME = {act.name: act for act in BY_MAIL.values()}


def with_ways(work: Work, to: str | None, text: str, commands: Sequence[str]) -> str:
    """Return the text with a mail's lines and the desk's page for each command. commands: "resume
    autumn"; the text may name others, in players' words. Only the installation's gamesmaster has
    the shell: others read the word of a mail."""
    several = [(name, words) for name, *words in map(str.split, commands)]
    body = text
    if to != work.mark.gamesmaster:
        for one, (name, _) in zip(commands, several, strict=True):
            if act := _BY_NAME.get(name):
                body = body.replace(_SHELL.format(one), f"the word\u00a0{act.word}")
    mails = list(filter(None, (_by_mail(work, *one) for one in several)))
    base = work.config.desk.address.rstrip("/")
    pages = [f"{base}{one.path}" for one in starmap(acts.page, several) if base and one]
    if mails:
        lines = "\n".join(f"    write {one}" for one in mails)
        body += f"\n\nBy mail, in an answer to this one, each on a line of its own:\n\n{lines}"
    if pages:
        body += "\n\nAt your desk:\n\n" + "\n".join(f"    {one}" for one in pages)
    return body


def _by_mail(work: Work, name: str, words: Sequence[str]) -> str | None:
    """Return a mail's lines, such as "GAME g, PERIOD 3, RESUME", or None."""
    act = _BY_NAME.get(name)
    if act is None:
        return None
    given = list(acts.arguments(act, words))
    if any(not one.in_line for one, _ in given):
        return None
    game = next((word for one, word in given if one.kind is Kind.GAME), None)
    said = " ".join(
        one.flag if one.kind is Kind.FLAG else word.lower() if word == one.name.upper() else word
        for one, word in given
        if one.kind is not Kind.GAME and (not one.option or one.placed)
    )
    lines = [f"{act.word} {said}".strip()]
    if game is not None and act.of_game:
        period = None if act.timeless else Game.scalar(work.conn, Game.period, id=game)
        lines = [f"GAME {game}", *([f"PERIOD {period}"] if period else []), *lines]
    return ", ".join(lines)


def tell(  # noqa: PLR0913  what an alarm is made of
    work: Work,
    key: str,
    subject: str,
    text: str,
    game: str | None = None,
    public: str | None = None,
    commands: Sequence[str] = (),
) -> None:
    """Mail an alarm, once a day for each ``key``. game: None for the installation's gamesmaster.
    public: the text if nobody does its acts; None for no mail. commands: of the shell, in
    the text."""
    to = work.mark.gamesmaster
    if game:
        hands = masters.of(work.conn, work.mark, game)
        to = hands.contact
        if not hands.acting:
            nobody = (
                f"You play in {game}, and it has no second gamesmaster: nobody does its acts. To"
                f" ask somebody to be it: `pbem master {game} ADDRESS --second`."
            )
            text = f"{public}\n\n{nobody}" if public else ""
            commands = (f"master {game} ADDRESS --second",)
    if text:
        text = with_ways(work, to, text, commands)
        draft = Draft(f"alarm:{key}:{work.now:%Y%m%d}", "alarm", f"[pbem] {subject}", text)
        put(work, draft, to)


def say(
    work: Work,
    key: str,
    what: str,
    game: str | None = None,
    commands: Sequence[str] = (),
    **known: Any,
) -> None:
    """Tell what ``_shared/alarms.txt.j2`` says."""
    said = partial(templates.mail, "alarms", what=what, game=game, commands=commands, **known)
    (subject, text), (_, public) = said(public=False), said(public=True)
    tell(work, key, subject, text.rstrip(), game, public.strip() or None, commands)


def put(work: Work, draft: Draft, to: str | None) -> None:
    """Mail a gamesmaster; nobody if ``to`` is None."""
    if to:
        outbox.put(work, made(work, draft, to))


def made(work: Work, draft: Draft, to: str) -> Mail:
    """Return a mail to a gamesmaster, muted, with their secret Reply-To."""
    masters.enter(work.conn, work.mark, to)
    own = work.mark.plus(masters.token(work.conn, work.mark, to))
    mute = partial(muted, gamesmaster=True)
    whole = dressed(work, replace(draft, reply_to=draft.reply_to or own), mute, rich=False)
    return compose(work.mark, whole, to, work.now)
