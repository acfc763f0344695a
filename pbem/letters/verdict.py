"""What becomes of a letter: the first rule that applies decides. Its name is recorded. Legality is
not known here."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pbem.letters import addresses, automatic
from pbem.letters.authentication import Level, has_token, plus_parts
from pbem.letters.bounces import Bounce
from pbem.letters.case import BUTTON, LetterCase, game_of
from pbem.letters.letter import Letter
from pbem.letters.states import LetterState
from pbem.orders.asking import ANYBODY as WORDS_OF_ANYBODY
from pbem.orders.asking import OF_STRANGERS, PICTURED, READING, WISHES
from pbem.orders.characters import first_word
from pbem.orders.language import Language
from pbem.orders.mailwords import Peeled
from pbem.orders.order import CANCEL
from pbem.text import listed


class Rule(StrEnum):
    """The rules in order, by their recorded names."""

    OWN_MAIL = "own-mail"
    OWN_MARK = "own-mark"
    BOUNCE = "bounce"
    OVER_LIMIT = "over-limit"
    ODD_FROM = "odd-from"
    ABSENCE_NOTE = "absence-note"
    PERHAPS_AWAY = "perhaps-away"
    ON_FILE = "on-file"
    PRESS = "press"
    ANYBODY = "anybody"
    NO_MORE_MAIL = "no-more-mail"
    DOOR = "door"
    STRANGER = "stranger"
    ELSEWHERE = "elsewhere"
    STANDING_BY = "standing-by"
    UNSUBSCRIBING = "unsubscribing"
    CONFIRMATION = "confirmation"
    NO_DEPUTY_NOW = "no-deputy-now"
    ONLY_READING = "only-reading"
    UNPROVEN = "unproven"
    COMMANDS = "commands"
    ORDERS = "orders"


SEATLESS = (Rule.ANYBODY, Rule.NO_MORE_MAIL, Rule.DOOR)
"""They hear anyone, for no seat."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict, and what the letter is about."""

    case: LetterCase
    verdict: LetterState
    """A word of the contract."""
    rule: Rule
    reason: str
    authentication: Level
    no_reply: str
    game: str = ""
    seat: str = ""
    period: int | None = None
    question: str = ""
    peeled: Peeled = field(default_factory=lambda: Peeled(""))
    registration: addresses.Registration | None = None
    bounce: Bounce | None = None
    proven: bool = False
    stray: addresses.Registration | None = None
    """Its token came from another address and must change."""
    directed: addresses.Directed | None = None
    styled: bool = False
    """Ask for plain text."""

    @property
    def reply_allowed(self) -> bool:
        return not self.no_reply


def _own_mail(case: LetterCase) -> str:
    sender, ours = case.letter.sender or "", case.facts.addresses
    own = sender in ours or plus_parts((sender,), ours)
    return "it comes from the referee's own address" if own else ""


def _own_mark(case: LetterCase) -> str:
    marked = "x-referee-loop" in case.letter.fields
    return "it carries the mark of a referee's own mail" if marked else ""


def _bounce(case: LetterCase) -> str:
    if case.bounce is None:
        return ""
    which = f"mail {case.ident}" if case.ident else "a mail of ours"
    named = ", ".join(one.recipient for one in case.bounce.failures if one.recipient)
    who = named or "a recipient it does not name"
    how = f"{case.bounce.severity}; known by {case.bounce.known_by}"
    return f"{which} did not reach {who} ({how})"


def _odd_from(case: LetterCase) -> str:
    return case.letter.sender_problem if case.letter.sender is None else ""


def _absence_note(case: LetterCase) -> str:
    letter, sure = case.letter, automatic.is_answer(case.letter)
    perhaps = automatic.by_subject(letter) and not automatic.perhaps_a_person(letter)
    by_program = sure or (perhaps and not case.proven)
    if case.believed or not by_program or (case.mine and case.has_orders):
        return ""
    return "a program's answer to a mail"


def _perhaps_away(case: LetterCase) -> str:
    """Let somebody look: a player may have written an unreadable order."""
    if case.believed or not automatic.by_subject(case.letter) or case.has_orders:
        return ""
    return "its subject is that of an automatic answer, and no order was found in it"


def _on_file(case: LetterCase) -> str:
    if case.counted:
        return "what it is signed with is already on file"
    again = case.known and not (case.doubted and case.proven)
    return "this letter is already on file" if again else ""


def _unproven_press(case: LetterCase) -> str:
    return _unproven(case) if case.answers_press and case.mine and case.registration else ""


def _answers_press(case: LetterCase) -> str:
    if not case.answers_press or not case.mine:
        return ""
    known = case.registration is not None
    return "an answer to press" if known else "it answers no press that went to its sender"


def _anybody(case: LetterCase) -> str:
    """Only if it says no more."""
    names = {command.name for command in case.peeled.commands}
    asked = names & (WORDS_OF_ANYBODY if case.mine else OF_STRANGERS)
    if not asked:  # most letters: do not look for orders
        return ""
    others = case.mine and (case.has_orders or names - WORDS_OF_ANYBODY - WISHES)
    if others or case.automatic:
        return ""
    return f"{', '.join(sorted(asked))}: anybody may write that"


def _no_more_mail(case: LetterCase) -> str:
    lines = (line.strip(" .!*>\"'").upper() for line in case.letter.text.split("\n"))
    says = not (case.mine or case.automatic) and "STOP" in lines
    return "STOP: its sender wants no invitations" if says else ""


def _door(case: LetterCase) -> str:
    if not case.door or case.automatic or case.peeled.asks("CONFIRM"):
        return ""
    return "it answers a mail that asks for a yes"


def _stranger(case: LetterCase) -> str:
    return "" if case.mine else f"nobody is registered as {case.letter.sender}"


def _elsewhere(case: LetterCase) -> str:
    """Hold links to their own seat, game and period."""
    elsewhere = case.link is not None and case.registration is None
    return "it was sent by a link that its sender or its lines do not fit" if elsewhere else ""


def _standing_by(case: LetterCase) -> str:
    if (who := case.registration) is None or who.seat != addresses.STANDBY:
        return ""
    return f"its sender stands by for {who.game} and plays no seat of it"


def _unsubscribing(case: LetterCase) -> str:
    asked = case.letter.subject.strip().lower() == "unsubscribe"
    asked = asked and not (case.peeled.commands or case.peeled.press)
    seated = any(one.seat not in addresses.NO_SEATS for one in case.mine)
    if asked and seated and BUTTON.fullmatch(case.peeled.text.strip()):
        return "unsubscribe: changes nothing, its sender is told how to leave"
    return ""


def _confirmation(case: LetterCase) -> str:
    if automatic.is_answer(case.letter):
        return ""
    if case.peeled.asks("CONFIRM"):
        return "CONFIRM proves itself by its code"
    alone = case.peeled.text.strip(" .!\n").upper() == "CONFIRM"
    return "CONFIRM without a code" if alone else ""


def _no_deputy_now(case: LetterCase) -> str:
    if (who := case.registration) is None or who.seat != addresses.DEPUTY:
        return ""
    return f"its sender is no deputy in {who.game} at this time"


def _only_reading(case: LetterCase) -> str:
    """CHECK needs proof if there are orders."""
    peeled = case.peeled
    names = {command.name for command in peeled.commands} - WORDS_OF_ANYBODY
    if not case.proven and (not peeled.empty or names & PICTURED):
        return ""
    if names and names <= READING and not peeled.press and (peeled.empty or "CHECK" in names):
        said = ", ".join(sorted(names))
        return f"{said}: changes nothing, answered to the address of record"
    return ""


def _unproven(case: LetterCase) -> str:
    if case.proven:
        return ""
    asks = f"{listed(case.uncertain)} needs more" if case.reaches else "the game asks for proof"
    return f"{asks}, this is {case.finding.level}: {case.finding.why}"


def _commands(case: LetterCase) -> str:
    if not case.peeled.empty:
        return ""
    names = [command.name for command in case.peeled.commands] + ["PRESS"] * bool(case.peeled.press)
    return ", ".join(names) if names else "there is nothing in it to read"


def _orders(case: LetterCase) -> str:
    return f"registered sender; {case.finding.level}: {case.finding.why}"


_RULES: Sequence[tuple[Rule, LetterState, Callable[[LetterCase], str]]] = (
    (Rule.OWN_MAIL, LetterState.IGNORED, _own_mail),
    (Rule.OWN_MARK, LetterState.IGNORED, _own_mark),
    (Rule.BOUNCE, LetterState.BOUNCE, _bounce),
    (Rule.OVER_LIMIT, LetterState.QUARANTINE, lambda case: case.letter.refused),
    (Rule.ODD_FROM, LetterState.QUARANTINE, _odd_from),
    (Rule.ABSENCE_NOTE, LetterState.IGNORED, _absence_note),
    (Rule.PERHAPS_AWAY, LetterState.IGNORED, _perhaps_away),
    (Rule.ON_FILE, LetterState.DUPLICATE, _on_file),
    (Rule.PRESS, LetterState.UNVERIFIED, _unproven_press),
    (Rule.PRESS, LetterState.COMMAND, _answers_press),
    (Rule.ANYBODY, LetterState.COMMAND, _anybody),
    (Rule.NO_MORE_MAIL, LetterState.COMMAND, _no_more_mail),
    (Rule.DOOR, LetterState.COMMAND, _door),
    (Rule.STRANGER, LetterState.UNKNOWN_SENDER, _stranger),
    (Rule.ELSEWHERE, LetterState.COMMAND, _elsewhere),
    (Rule.STANDING_BY, LetterState.COMMAND, _standing_by),
    (Rule.UNSUBSCRIBING, LetterState.COMMAND, _unsubscribing),
    (Rule.CONFIRMATION, LetterState.COMMAND, _confirmation),
    (Rule.NO_DEPUTY_NOW, LetterState.COMMAND, _no_deputy_now),
    (Rule.ONLY_READING, LetterState.COMMAND, _only_reading),
    (Rule.UNPROVEN, LetterState.UNVERIFIED, _unproven),
    (Rule.COMMANDS, LetterState.COMMAND, _commands),
    (Rule.ORDERS, LetterState.ORDERS, _orders),
)
"""In order. The function returns why a letter is such, or ""."""
_HEARD = (LetterState.ORDERS, LetterState.COMMAND, LetterState.UNVERIFIED)
_SILENT = {
    LetterState.QUARANTINE: "nothing is sent to a sender who may be another",
    LetterState.IGNORED: "it is not a player's letter",
    LetterState.BOUNCE: "a delivery report is never answered",
}


def decide(case: LetterCase) -> Decision:
    """Return the verdict on a letter."""
    each = ((rule, verdict, why(case)) for rule, verdict, why in _RULES)
    rule, verdict, reason = next(one for one in each if one[2])
    chosen = case.registration
    seatless = rule in SEATLESS
    heard = not seatless and verdict in _HEARD
    styled = case.letter.styled and not case.believed and rule in (Rule.COMMANDS, Rule.ORDERS)
    return Decision(
        case,
        verdict,
        rule,
        reason,
        case.finding.level,
        no_reply=case.automatic or _SILENT.get(verdict, ""),
        game="" if seatless else chosen.game if chosen else game_of(case),
        seat=chosen.seat if chosen and not seatless else "",
        period=case.period,
        question=_PLAIN_PLEASE if styled else _question(case) if heard and chosen is None else "",
        peeled=case.peeled,
        registration=chosen,
        bounce=case.bounce if verdict == LetterState.BOUNCE else None,
        proven=case.proven,
        stray=next(_strays(case), None),
        directed=case.facts.directed,
        styled=styled,
    )


def _question(case: LetterCase) -> str:
    games = sorted({one.game for one in case.mine if one.game})
    yours = ", ".join(games)
    if case.answers_press:
        return _OF_NO_PRESS
    if case.link:
        return _of_link(case.link, case.contradicts)
    if len(case.games) > 1:
        return f"Your letter names {listed(case.games)}: send a letter for each game."
    if case.two_periods:
        return "Your letter names two periods: which is it for?"
    if case.letter.unreadable:
        return case.letter.unreadable
    if case.named and case.named not in games:
        return (
            f'You hold no seat in a game "{case.named}". Yours: {yours}. Say GAME and its key on a'
            " line of its own."
        )
    if game := case.named or (games[0] if len(games) == 1 else ""):
        seats = ", ".join(one.seat for one in case.mine if one.game == game)
        return (
            f"You hold {seats} in {game}: which is this for? Answer a mail to that seat; it goes to"
            " the seat's own address."
        )
    return f"Which game is this for? Yours: {yours}. Say GAME and its key on a line of its own."


_PLAIN_PLEASE = (
    "Your letter came as a page (HTML) without a plain text beside it, and its style sheet may hide"
    " some of its words from you: something that you pasted, for example. Send it again as plain"
    " text."
)
_OF_NO_PRESS = (
    "Your letter answers a press that was not mailed to you at a seat which you play now, or that"
    " the referee does not know any more, or it was sent to other addresses of the referee besides."
    " Nothing of it was passed on, and nothing of it was read. Press of your own begins with a line"
    " PRESS TO and a name, in answer to a mail to your seat that is no press."
)


def _of_link(link: addresses.Link, contradicts: bool) -> str:
    whose = f"{link.seat.upper()} in game {link.game}, period {link.period}"
    if contradicts:
        return (
            f"Your letter was sent by a link in a mail to {whose}, and names another game or period"
            " besides: which is it for? Answer the newest mail to your seat."
        )
    return (
        f"Your letter was sent by a link in a mail to {whose}, a seat that you do not play from"
        " this address. Use the links in mails to your own seat, or answer one of those."
    )


def _strays(case: LetterCase) -> Iterator[addresses.Registration]:
    own = {
        (one.game, one.seat, one.deputy) for one in case.mine if one.seat != addresses.GAMESMASTER
    }  # a player may write from any of their registered addresses, a gamesmaster from their own
    for one in case.facts.registrations:
        elsewhere = one not in case.mine and (one.game, one.seat, one.deputy) not in own
        if elsewhere and has_token(case.parts, one.token_hash):
            yield one


def understood(language: Language, text: str) -> list[str]:
    """Return the readable orders in canonical form."""
    lines = [line for line in language.split(text, (CANCEL,)) if first_word(line.text) != CANCEL]
    return [str(order) for line in lines for order in language.read(line).orders]


def report(
    letter: Letter, decision: Decision, orders: Sequence[str], problems: Sequence[Any]
) -> dict[str, Any]:
    return {
        "verdict": decision.verdict,
        "reason": decision.reason,
        "sender": letter.sender,
        "authentication": decision.case.proof,
        "text": letter.text,
        "reply_allowed": decision.reply_allowed,
        "orders": list(orders),
        "problems": list(problems),
        "rule": decision.rule,
        "no_reply": decision.no_reply,
        "game": decision.game or None,
        "seat": decision.seat or None,
        "period": decision.period,
        "question": decision.question,
        "commands": [
            {"name": one.name, "argument": one.argument, "line": one.line}
            for one in decision.peeled.commands
        ],
        "cut": [{"reason": one.reason, "text": one.text} for one in letter.cut],
        "attachments": list(letter.attachments),
        "notes": list(letter.notes),
        "subject": letter.subject,
    }
