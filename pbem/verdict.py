"""What is to become of a letter: a table of small named rules, of which the first that applies decides.

The table reads like the instruction to a clerk, and the name of the rule that decided is recorded with the letter. A
verdict needs the letter, the installation (whose addresses, games and seats there are) and whether the letter is
already on file; it does not know what is legal in any game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pbem import automatic, bounces
from pbem.adjudication import CANCEL
from pbem.authentication import Finding, Level, by_server, has_token, plus_parts
from pbem.bounces import Bounce
from pbem.letter import Letter
from pbem.mailwords import Peeled, peel
from pbem.openpgp import Verify
from pbem.orders import Language
from pbem.splitter import first_word

_BRACKETED = re.compile(r"\[\s*([^\[\]\s]{1,64})\s*\]")
READING = frozenset({"HELP", "STATUS", "ORDERS", "HISTORY", "WHY", "CHECK"})
"""Commands that change nothing and are answered to the address of record only: they need no proof."""
COMMANDING = frozenset({"QUEUE", "EXTEND", "CLOSE", "PREVIEW", "REPLACE", "RULE", "HOLD", "RESUME"})
"""The gamesmaster's commands; only a letter of his has them."""
GAMESMASTER = "GM"
"""The seat of a game's gamesmaster in a :class:`Registration`."""


@dataclass(frozen=True, slots=True)
class Registration:
    """Who may write for a seat, and how sure one must be that it was he.

    ``address`` in the form of :func:`pbem.reading.headers.address`; ``token_hash`` of the seat's secret reply
    address, ``pgp_key`` its ASCII-armoured public key, "" where there is none; ``bounced``: mail to ``address`` came
    back that may go through another time.
    """

    address: str
    game: str
    seat: str
    level: Level = Level.NONE
    token_hash: str = ""
    pgp_key: str = ""
    bounced: bool = False


@dataclass(frozen=True, slots=True)
class Installation:
    """What the referee knows before it reads: ``addresses`` are its own, each with the game it is for ("" for
    all); ``authserv_ids`` the names our mail servers sign their findings with (small letters); ``games`` the keys of
    the running games; ``verp_key`` the key of our envelope addresses."""

    addresses: Mapping[str, str]
    authserv_ids: frozenset[str]
    registrations: tuple[Registration, ...]
    games: frozenset[str]
    verp_key: bytes = b""


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict (a word of the contract), the rule that gave it and why; and what the letter is about.

    ``no_reply`` is why nothing may be sent back by itself ("" where something may). ``question`` is what the player
    must be asked before anything can be done ("" for nothing). ``registration`` is the seat it is for, None where no
    seat could be told. ``stray`` is a registration whose secret token came with another From: it is to be changed.
    """

    verdict: str
    rule: str
    reason: str
    sender: str | None
    authentication: Level
    no_reply: str
    game: str = ""
    seat: str = ""
    period: int | None = None
    question: str = ""
    peeled: Peeled = field(default_factory=lambda: Peeled(""))
    registration: Registration | None = None
    bounce: Bounce | None = None
    stray: Registration | None = None

    @property
    def reply_allowed(self) -> bool:
        """Whether an answer may be sent by itself."""
        return not self.no_reply


@dataclass(frozen=True)
class Case:
    """A letter before the rules: what several of them ask about, found out once."""

    letter: Letter
    raw: bytes
    installation: Installation
    known: bool
    verify: Verify | None
    believed: bool = False

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """What stands behind the plus sign of our addresses it was sent to."""
        return plus_parts(self.letter.recipients, self.installation.addresses)

    @cached_property
    def ident(self) -> str:
        """Which of our mails it came back from by its envelope address, or ""."""
        where = self.installation
        return bounces.verp_ident(self.letter.recipients, where.addresses, where.verp_key) if where.verp_key else ""

    @cached_property
    def bounce(self) -> Bounce | None:
        """The delivery report it is."""
        asked = bounces.looks_like(self.letter) or (self.ident and automatic.why(self.letter))
        report = self.letter.kind in ("multipart/report", "message/delivery-status")  # marked "auto-replied" by Postfix
        server = report or bounces.from_server(self.letter)
        if not asked or (not server and (automatic.is_answer(self.letter) or self.mine)):
            return None
        return bounces.read(self.letter, self.raw, self.ident)

    @cached_property
    def mine(self) -> tuple[Registration, ...]:
        """The registrations of its sender."""
        return tuple(one for one in self.installation.registrations if one.address == self.letter.sender)

    @cached_property
    def peeled(self) -> Peeled:
        """Its text with the mail-level lines taken off."""
        return peel(self.letter.text, any(one.seat == GAMESMASTER for one in self.mine))

    @cached_property
    def named(self) -> str:
        """The game it names: a GAME line, then [key] in the subject, then the address; "" for none."""
        games = {key.lower(): key for key in self.installation.games}
        if self.peeled.game:
            return games.get(self.peeled.game, self.peeled.game)
        addressed = [self.installation.addresses.get(one, "") for one in self.letter.recipients]
        tokens = [one.game for one in self.mine if has_token(self.parts, one.token_hash)]
        subject = _BRACKETED.findall(self.letter.subject)
        hints = [games.get(one.lower(), "") for one in (*subject, *self.parts)]
        return next((one for one in (*hints[: len(subject)], *tokens, *hints[len(subject) :], *addressed) if one), "")

    @cached_property
    def registration(self) -> Registration | None:
        """The sender's seat that the letter is for, None where that is unclear."""
        if any(command.name in COMMANDING for command in self.peeled.commands):
            return next((one for one in self.mine if one.seat == GAMESMASTER), None)
        playing = [one for one in self.mine if one.seat != GAMESMASTER]
        fitting = [one for one in playing or self.mine if not self.named or one.game == self.named]
        if len(fitting) > 1:  # two seats of one game: the secret address tells them apart
            fitting = [one for one in fitting if has_token(self.parts, one.token_hash)]
        return fitting[0] if len(fitting) == 1 else None

    @cached_property
    def finding(self) -> Finding:
        """How sure it is that the registered player wrote it."""
        server = by_server(self.letter, self.installation.authserv_ids)
        chosen = [self.registration] if self.registration else self.mine
        for one in chosen:
            if self.letter.signed and one.pgp_key and self.verify and self.verify(self.letter.signed, one.pgp_key):
                return Finding(Level.OPENPGP, "signed with the registered key")
        if any(has_token(self.parts, one.token_hash) for one in chosen):
            return Finding(Level.TOKEN, "sent to the seat's secret address")
        return server

    @cached_property
    def needed(self) -> Level:
        """The level its game asks for."""
        chosen = [self.registration] if self.registration else self.mine
        return max((one.level for one in chosen), default=Level.NONE)


Rule = Callable[[Case], tuple[str, str] | None]


def _own_mail(case: Case) -> tuple[str, str] | None:
    if case.letter.sender in case.installation.addresses:
        return "ignored", "it comes from the referee's own address"
    return None


def _own_mark(case: Case) -> tuple[str, str] | None:
    if "x-referee-loop" in case.letter.fields:
        return "ignored", "it carries the mark of a referee's own mail"
    return None


def _bounce(case: Case) -> tuple[str, str] | None:
    if case.bounce is None:
        return None
    which = f"mail {case.ident}" if case.ident else "a mail of ours"
    who = ", ".join(one.recipient for one in case.bounce.failures if one.recipient) or "a recipient it does not name"
    return "bounce", f"{which} did not reach {who} ({case.bounce.severity}; known by {case.bounce.known_by})"


def _over_limit(case: Case) -> tuple[str, str] | None:
    return ("quarantine", case.letter.refused) if case.letter.refused else None


def _odd_from(case: Case) -> tuple[str, str] | None:
    return ("quarantine", case.letter.sender_problem) if case.letter.sender is None else None


def _absence_note(case: Case) -> tuple[str, str] | None:
    return ("ignored", "a program's answer to a mail") if automatic.is_answer(case.letter) else None


def _on_file(case: Case) -> tuple[str, str] | None:
    return ("duplicate", "this letter is already on file") if case.known else None


def _stranger(case: Case) -> tuple[str, str] | None:
    return None if case.mine else ("unknown-sender", f"nobody is registered as {case.letter.sender}")


def _confirmation(case: Case) -> tuple[str, str] | None:
    return ("command", "CONFIRM proves itself by its code") if case.peeled.asks("CONFIRM") else None


def _only_reading(case: Case) -> tuple[str, str] | None:
    peeled = case.peeled
    names = {command.name for command in peeled.commands}
    if names and names <= READING and not peeled.press and (peeled.empty or "CHECK" in names):
        return "command", f"{', '.join(sorted(names))}: changes nothing, answered to the address of record"
    return None


def _unproven(case: Case) -> tuple[str, str] | None:
    if case.believed or case.finding.level >= case.needed:
        return None
    return "unverified", f"the game asks for {case.needed}, this is {case.finding.level}: {case.finding.why}"


def _commands(case: Case) -> tuple[str, str] | None:
    if not case.peeled.empty:
        return None
    names = [command.name for command in case.peeled.commands] + ["PRESS"] * bool(case.peeled.press)
    return "command", ", ".join(names) if names else "there is nothing in it to read"


def _orders(case: Case) -> tuple[str, str] | None:
    return "orders", f"registered sender; {case.finding.level}: {case.finding.why}"


RULES: tuple[tuple[str, Rule], ...] = (
    ("own-mail", _own_mail),
    ("own-mark", _own_mark),
    ("bounce", _bounce),
    ("over-limit", _over_limit),
    ("odd-from", _odd_from),
    ("absence-note", _absence_note),
    ("on-file", _on_file),
    ("stranger", _stranger),
    ("confirmation", _confirmation),
    ("only-reading", _only_reading),
    ("unproven", _unproven),
    ("commands", _commands),
    ("orders", _orders),
)
"""The rules in the order in which they are asked."""
_SILENT = {
    "quarantine": "nothing is sent to a sender who may be another",
    "ignored": "it is not a player's letter",
    "bounce": "a delivery report is never answered",
}


def decide(
    letter: Letter,
    raw: bytes,
    installation: Installation,
    *,
    known: bool = False,
    verify: Verify | None = None,
    believed: bool = False,
) -> Decision:
    """The verdict on a letter (``raw`` are its bytes). ``known``: it is already on file; ``verify`` checks OpenPGP
    signatures, None where the extra is not installed; ``believed``: its writer has been confirmed by other means."""
    case = Case(letter, raw, installation, known, verify, believed)
    for name, rule in RULES:
        if found := rule(case):
            return _decision(case, name, *found)
    raise AssertionError("the last rule always applies")


def _decision(case: Case, rule: str, verdict: str, reason: str) -> Decision:
    chosen = case.registration
    heard = verdict in ("orders", "command", "unverified")
    return Decision(
        verdict, rule, reason, case.letter.sender, case.finding.level,
        no_reply=automatic.why(case.letter) or _SILENT.get(verdict, ""),
        game=chosen.game if chosen else _game(case),
        seat=chosen.seat if chosen else "",
        period=case.peeled.period,
        question=_question(case) if heard and chosen is None else "",
        peeled=case.peeled,
        registration=chosen,
        bounce=case.bounce if verdict == "bounce" else None,
        stray=next(_strays(case), None),
    )  # fmt: skip


def _game(case: Case) -> str:
    """The game whose language a letter without a seat is in: the one it names, or the only one there is."""
    games = case.installation.games
    if case.named:
        return case.named if case.named in games else ""
    return next(iter(games)) if len(games) == 1 else ""


def _question(case: Case) -> str:
    games = sorted({one.game for one in case.mine if one.game})
    yours = ", ".join(games)
    if case.named and case.named not in games:
        return f'You hold no seat in a game "{case.named}". Yours: {yours}. Say GAME and its key on a line of its own.'
    if game := case.named or (games[0] if len(games) == 1 else ""):
        seats = ", ".join(one.seat for one in case.mine if one.game == game)
        return f"You hold {seats} in {game}: which is this for? Answer a mail to that seat; it goes to the seat's own address."
    return f"Which game is this for? Yours: {yours}. Say GAME and its key on a line of its own."


def _strays(case: Case) -> Iterator[Registration]:
    own = {(one.game, one.seat) for one in case.mine}  # a player may write from any of his registered addresses
    for one in case.installation.registrations:
        if (one.game, one.seat) not in own and has_token(case.parts, one.token_hash):
            yield one


def understood(language: Language, text: str) -> list[str]:
    """The orders that can be read from a text, in canonical form, whatever is legal now."""
    lines = [line for line in language.split(text, (CANCEL,)) if first_word(line.text) != CANCEL]
    return [str(order) for line in lines for order in language.read(line).orders]


def report(letter: Letter, decision: Decision, orders: Sequence[str], problems: Sequence[Any]) -> dict[str, Any]:
    """The contract's document about one letter, with what explains it besides."""
    return {
        "verdict": decision.verdict, "reason": decision.reason, "sender": decision.sender,
        "authentication": str(decision.authentication), "text": letter.text, "reply_allowed": decision.reply_allowed,
        "orders": list(orders), "problems": list(problems), "rule": decision.rule, "no_reply": decision.no_reply,
        "game": decision.game or None, "seat": decision.seat or None, "period": decision.period,
        "question": decision.question, "commands": [
            {"name": one.name, "argument": one.argument, "line": one.line} for one in decision.peeled.commands
        ],
        "cut": [{"reason": one.reason, "text": one.text} for one in letter.cut],
        "attachments": list(letter.attachments), "notes": list(letter.notes), "subject": letter.subject,
    }  # fmt: skip
