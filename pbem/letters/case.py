"""What the rules of the verdict ask about: a letter before the installation (whose addresses, games
and seats there are), each question answered once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from pbem.letters import automatic, bounces, links
from pbem.letters.authentication import Finding, Level, by_server, has_token, plus_parts, sent_to_us
from pbem.letters.bounces import Bounce
from pbem.letters.letter import Letter
from pbem.letters.links import Link
from pbem.letters.openpgp import Verify
from pbem.orders.club_words import ANYBODY, WISHES
from pbem.orders.mailwords import AGREE, COMMANDING, STATEMENT, Peeled, peel

_BRACKETED = re.compile(r"\[\s*([^\[\]\s]{1,64})\s*\]")
Understands = Callable[[str, str], bool]
"""``understands(game, text)``: whether an order of this game can be read from a text."""
READING = frozenset({"HELP", "STATUS", "ORDERS", "HISTORY", "WHY", "CHECK", "RULES", "TABLES"})
"""Commands that change nothing and are answered to the address of record only: they need no
proof."""
GAMESMASTER = "GM"
"""The seat of a game's gamesmaster in a :class:`Registration`."""
STANDBY = "standby"
"""What stands for a seat in the :class:`Registration` of somebody who stands by for a game."""


@dataclass(frozen=True, slots=True)
class Registration:
    """Who may write for a seat, and how sure one must be that it was he.

    ``address`` in the form of :func:`pbem.letters.reading.headers.address`; ``token_hash`` of the
    seat's secret reply address, ``pgp_key`` its ASCII-armoured public key, "" where there is none;
    ``bounced``: mail to ``address`` came back that may go through another time; ``over``: its game
    is over and takes statements only, others of its player's may run.
    """

    address: str
    game: str
    seat: str
    level: Level = Level.NONE
    token_hash: str = ""
    pgp_key: str = ""
    bounced: bool = False
    over: bool = False


@dataclass(frozen=True, slots=True)
class Installation:
    """What the referee knows before it reads: ``addresses`` are its own, each with the game it is
    for ("" for all); ``authserv_ids`` the names our mail servers sign their findings with (small
    letters); ``games`` the keys of the running games; ``verp_key`` the key of our envelope
    addresses; ``date_days`` how far the Date of a letter that a server vouches for may be from its
    receipt; ``links`` those of the letter's that stood in a mail of ours and have not lapsed."""

    addresses: Mapping[str, str]
    authserv_ids: frozenset[str]
    registrations: tuple[Registration, ...]
    games: frozenset[str]
    verp_key: bytes = b""
    date_days: int = 3
    links: frozenset[Link] = frozenset()


@dataclass(frozen=True)
class Case:
    """A letter before the rules: what several of them ask about, found out once."""

    letter: Letter
    raw: bytes
    installation: Installation
    known: bool
    verify: Verify | None
    believed: bool = False
    received: datetime | None = None
    understands: Understands | None = None
    doubted: bool = False

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """What stands behind the plus sign of our addresses it was sent to."""
        return plus_parts(self.letter.recipients, self.installation.addresses)

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Our links that it was sent to."""
        found = dict.fromkeys(links.read(part) for part in self.parts)
        return tuple(one for one in found if one is not None)

    @cached_property
    def link(self) -> Link | None:
        """The first of them."""
        return self.links[0] if self.links else None

    @cached_property
    def ident(self) -> str:
        """Which of our mails it came back from by its envelope address, or ""."""
        where = self.installation
        return (
            bounces.verp_ident(self.letter.recipients, where.addresses, where.verp_key)
            if where.verp_key
            else ""
        )

    @cached_property
    def bounce(self) -> Bounce | None:
        """The delivery report it is."""
        asked = bounces.looks_like(self.letter) or (self.ident and automatic.why(self.letter))
        report = self.letter.kind in (
            "multipart/report",
            "message/delivery-status",
        )  # marked "auto-replied" by Postfix
        server = report or bounces.from_server(self.letter)
        answer = automatic.is_answer(self.letter) or automatic.by_subject(self.letter)
        if not asked or (not server and (answer or self.mine)):
            return None
        return bounces.read(self.letter, self.raw, self.ident)

    @cached_property
    def mine(self) -> tuple[Registration, ...]:
        """The registrations of its sender."""
        return tuple(
            one for one in self.installation.registrations if one.address == self.letter.sender
        )

    @cached_property
    def peeled(self) -> Peeled:
        """Its text with the mail-level lines taken off."""
        commands = any(one.seat == GAMESMASTER for one in self.mine)
        return peel(self.letter.text, commands and not self._to_a_seat, self.installation.games)

    @cached_property
    def _to_a_seat(self) -> bool:
        """Whether its writer answers a mail to a seat of his: he plays, and commands nothing."""
        return bool(self.links) or any(
            has_token(self.parts, one.token_hash) for one in self.mine if one.seat != GAMESMASTER
        )

    @cached_property
    def named(self) -> str:
        """The game it names: its link, then a GAME line, [key] in the subject, the address; "" for
        none."""
        if self.link:
            return self.link.game
        games = {key.lower(): key for key in self.installation.games}
        if self.peeled.game:
            return games.get(self.peeled.game, self.peeled.game)
        addressed = [self.installation.addresses.get(one, "") for one in self.letter.recipients]
        tokens = [one.game for one in self.mine if has_token(self.parts, one.token_hash)]
        subject = _BRACKETED.findall(self.letter.subject)
        hints = [games.get(one.lower(), "") for one in (*subject, *self.parts)]
        return next(
            (
                one
                for one in (*hints[: len(subject)], *tokens, *hints[len(subject) :], *addressed)
                if one
            ),
            "",
        )

    @cached_property
    def _to_gamesmaster(self) -> bool:
        """Whether a gamesmaster answers a mail to him as such, with nothing that he could mean as a
        player."""
        mean = {command.name for command in self.peeled.commands} <= {"HELP"}
        return (
            mean
            and self.peeled.empty
            and not self.peeled.press
            and any(
                has_token(self.parts, one.token_hash)
                for one in self.mine
                if one.seat == GAMESMASTER
            )
        )

    @cached_property
    def registration(self) -> Registration | None:
        """The sender's seat that the letter is for, None where that is unclear."""
        if self.link:
            return self._linked(self.link)
        if any(command.name in COMMANDING for command in self.peeled.commands):
            return next((one for one in self.mine if one.seat == GAMESMASTER), None)
        if self._to_gamesmaster:
            return next(one for one in self.mine if one.seat == GAMESMASTER)
        playing = [one for one in self.mine if one.seat not in (GAMESMASTER, STANDBY)]
        fitting = [one for one in playing if not self.named or one.game == self.named]
        standing = [] if fitting else self._standing
        fitting += [one for one in standing if has_token(self.parts, one.token_hash)]
        if not fitting and (
            not playing or self.peeled.empty
        ):  # a gamesmaster asks about a game that he does not play
            fitting = [one for one in self.mine if one.seat == GAMESMASTER]
        fitting = fitting or standing
        if self.peeled.asks(STATEMENT):
            fitting = [one for one in fitting if one.over] or fitting
        if len(fitting) > 1:  # two seats of one game: the secret address tells them apart
            fitting = [one for one in fitting if has_token(self.parts, one.token_hash)]
        return fitting[0] if len(fitting) == 1 else None

    def _linked(self, link: Link) -> Registration | None:
        """The sender's seat to which the mail with this link went, if its words agree with that."""
        if self.contradicts:
            return None
        return next((one for one in self.mine if is_of(link, one)), None)

    @cached_property
    def contradicts(self) -> bool:
        """Whether its lines GAME and PERIOD, or its links, name several games or periods."""
        said = self.peeled
        games = {one.game for one in self.links} | set(said.games)
        periods = {one.period for one in self.links} | {said.period} - {None}
        return bool(self.links) and max(map(len, (self.links, games, periods))) > 1

    @cached_property
    def stray_link(self) -> Link | None:
        """A link of ours that another got hold of."""
        true = (one for one in self.links if one in self.installation.links)
        return next((one for one in true if not any(is_of(one, who) for who in self.mine)), None)

    @property
    def period(self) -> int | None:
        """The period that it names, by its link or by a line."""
        return self.link.period if self.link else self.peeled.period

    @property
    def _standing(self) -> list[Registration]:
        """Where its sender stands by, as far as it may be meant."""
        standing = [one for one in self.mine if one.seat == STANDBY]
        return [one for one in standing if self.named in ("", one.game)]

    @cached_property
    def finding(self) -> Finding:
        """How sure it is that the registered player wrote it."""
        where = self.installation
        server = by_server(self.letter, where.authserv_ids)
        server = sent_to_us(self.letter, server, where.addresses, self.received, where.date_days)
        chosen = [self.registration] if self.registration else self.mine
        for one in chosen:
            if (
                self.letter.signed
                and one.pgp_key
                and self.verify
                and self.verify(self.letter.signed, one.pgp_key)
            ):
                return Finding(Level.OPENPGP, "signed with the registered key")
        if any(has_token(self.parts, one.token_hash) for one in chosen):
            return Finding(Level.TOKEN, "sent to the seat's secret address")
        return self._by_link or server

    @cached_property
    def _by_link(self) -> Finding | None:
        """What a link proves that goes with its seat's own From, as our mail server found it: it
        must stand where the server saw it, so that no letter to another address of ours can be sent
        on to it."""
        where, link = self.installation, self.link
        if link is None or self.registration is None or link not in where.links:
            return None
        named = {
            one
            for one in self.letter.recipients
            if plus_parts((one,), where.addresses) == (str(link),)
        }
        server = by_server(self.letter, where.authserv_ids)
        server = sent_to_us(self.letter, server, named, self.received, where.date_days)
        if server.level < Level.DMARC:
            return None
        return Finding(Level.TOKEN, f"sent by a link in a mail to the seat; {server.why}")

    @cached_property
    def needed(self) -> Level:
        """The level its game asks for; a ballot by which a game may end at once needs some proof in
        any game."""
        chosen = [self.registration] if self.registration else self.mine
        least = Level.DMARC if self.peeled.asks(AGREE) else Level.NONE
        return max((least, *(one.level for one in chosen)))

    @cached_property
    def has_orders(self) -> bool:
        """Whether there is an order of its own in it. A CONFIRM is none: whoever answers our mail
        may return that."""
        peeled = self.peeled
        own = {command.name for command in peeled.commands} - READING - ANYBODY - WISHES
        own -= {"CONFIRM"}
        game = self.registration.game if self.registration else game_of(self)
        return bool(
            own
            or peeled.press
            or (game and self.understands and self.understands(game, peeled.text))
        )

    @cached_property
    def automatic(self) -> str:
        """Why it is a program's letter; "" for a person's: what is proven and has an order of its
        own is one, however it is marked."""
        why = "" if self.believed else automatic.why(self.letter)
        return "" if why and self.proven and self.has_orders else why

    @cached_property
    def proven(self) -> bool:
        """Whether a registered player wrote it as surely as his game asks."""
        return bool(self.mine) and (self.believed or self.finding.level >= self.needed)


def is_of(link: Link, who: Registration) -> bool:
    """Whether it is of a mail to this seat."""
    return link.is_of(who.game, who.seat)


def game_of(case: Case) -> str:
    """The game whose language a letter without a seat is in: the one it names, or the only one
    there is."""
    games = case.installation.games
    if case.named:
        return case.named if case.named in games else ""
    return next(iter(games)) if len(games) == 1 else ""
