"""What becomes of a letter: the first rule that applies decides. Its name is recorded. Legality is
not known here."""

from collections.abc import Callable, Iterator, Mapping, Sequence
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
from pbem.orders.asking import PICTURED, READING, WISHES
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
_OF_STRANGERS = WORDS_OF_ANYBODY | {"RULES", "TABLES", "HELP", "STATUS", "CONFIRM"}


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


Found = tuple[LetterState, str]


def _own_mail(case: LetterCase) -> Found | None:
    sender, ours = case.letter.sender or "", case.facts.addresses
    if sender in ours or plus_parts((sender,), ours):
        return LetterState.IGNORED, "it comes from the referee's own address"
    return None


def _own_mark(case: LetterCase) -> Found | None:
    if "x-referee-loop" in case.letter.fields:
        return LetterState.IGNORED, "it carries the mark of a referee's own mail"
    return None


def _bounce(case: LetterCase) -> Found | None:
    if case.bounce is None:
        return None
    which = f"mail {case.ident}" if case.ident else "a mail of ours"
    who = (
        ", ".join(one.recipient for one in case.bounce.failures if one.recipient)
        or "a recipient it does not name"
    )
    return (
        LetterState.BOUNCE,
        f"{which} did not reach {who} ({case.bounce.severity}; known by {case.bounce.known_by})",
    )


def _over_limit(case: LetterCase) -> Found | None:
    return (LetterState.QUARANTINE, case.letter.refused) if case.letter.refused else None


def _odd_from(case: LetterCase) -> Found | None:
    return (
        (LetterState.QUARANTINE, case.letter.sender_problem) if case.letter.sender is None else None
    )


def _absence_note(case: LetterCase) -> Found | None:
    letter, sure = case.letter, automatic.is_answer(case.letter)
    perhaps = automatic.by_subject(letter) and not automatic.perhaps_a_person(letter)
    if (
        case.believed
        or not (sure or (perhaps and not case.proven))
        or (case.mine and case.has_orders)
    ):
        return None
    return LetterState.IGNORED, "a program's answer to a mail"


def _perhaps_away(case: LetterCase) -> Found | None:
    """Let somebody look: a player may have written an unreadable order."""
    if case.believed or not automatic.by_subject(case.letter) or case.has_orders:
        return None
    why = "its subject is that of an automatic answer, and no order was found in it"
    return LetterState.IGNORED, why


def _on_file(case: LetterCase) -> Found | None:
    if case.counted:
        return LetterState.DUPLICATE, "what it is signed with is already on file"
    again = case.known and not (case.doubted and case.proven)
    return (LetterState.DUPLICATE, "this letter is already on file") if again else None


def _answers_press(case: LetterCase) -> Found | None:
    if not case.answers_press or not case.mine:
        return None
    if case.registration is None:
        return LetterState.COMMAND, "it answers no press that went to its sender"
    return _unproven(case) or (LetterState.COMMAND, "an answer to press")


def _anybody(case: LetterCase) -> Found | None:
    """Only if it says no more."""
    names = {command.name for command in case.peeled.commands}
    asked = names & (WORDS_OF_ANYBODY if case.mine else _OF_STRANGERS)
    if not asked:  # most letters: do not look for orders
        return None
    others = case.mine and (case.has_orders or names - WORDS_OF_ANYBODY - WISHES)
    if others or case.automatic:
        return None
    return LetterState.COMMAND, f"{', '.join(sorted(asked))}: anybody may write that"


def _no_more_mail(case: LetterCase) -> Found | None:
    lines = (line.strip(" .!*>\"'").upper() for line in case.letter.text.split("\n"))
    if case.mine or case.automatic or "STOP" not in lines:
        return None
    return LetterState.COMMAND, "STOP: its sender wants no invitations"


def _door(case: LetterCase) -> Found | None:
    if not case.door or case.automatic or case.peeled.asks("CONFIRM"):
        return None
    return LetterState.COMMAND, "it answers a mail that asks for a yes"


def _stranger(case: LetterCase) -> Found | None:
    return (
        None
        if case.mine
        else (LetterState.UNKNOWN_SENDER, f"nobody is registered as {case.letter.sender}")
    )


def _elsewhere(case: LetterCase) -> Found | None:
    """Hold links to their own seat, game and period."""
    if case.link is None or case.registration is not None:
        return None
    return LetterState.COMMAND, "it was sent by a link that its sender or its lines do not fit"


def _confirmation(case: LetterCase) -> Found | None:
    if automatic.is_answer(case.letter):
        return None
    if case.peeled.asks("CONFIRM"):
        return LetterState.COMMAND, "CONFIRM proves itself by its code"
    alone = case.peeled.text.strip(" .!\n").upper() == "CONFIRM"
    return (LetterState.COMMAND, "CONFIRM without a code") if alone else None


def _standing_by(case: LetterCase) -> Found | None:
    who = case.registration
    if who is None or who.seat != addresses.STANDBY:
        return None
    return LetterState.COMMAND, f"its sender stands by for {who.game} and plays no seat of it"


def _no_deputy_now(case: LetterCase) -> Found | None:
    who = case.registration
    if who is None or who.seat != addresses.DEPUTY:
        return None
    return LetterState.COMMAND, f"its sender is no deputy in {who.game} at this time"


def _unsubscribing(case: LetterCase) -> Found | None:
    asked = (
        case.letter.subject.strip().lower() == "unsubscribe"
        and not case.peeled.commands
        and not case.peeled.press
    )
    seated = any(one.seat not in addresses.NO_SEATS for one in case.mine)
    if asked and seated and BUTTON.fullmatch(case.peeled.text.strip()):
        return LetterState.COMMAND, "unsubscribe: changes nothing, its sender is told how to leave"
    return None


def _only_reading(case: LetterCase) -> Found | None:
    """CHECK needs proof if there are orders."""
    peeled = case.peeled
    names = {command.name for command in peeled.commands} - WORDS_OF_ANYBODY
    if not case.proven and (not peeled.empty or names & PICTURED):
        return None
    if names and names <= READING and not peeled.press and (peeled.empty or "CHECK" in names):
        return (
            LetterState.COMMAND,
            f"{', '.join(sorted(names))}: changes nothing, answered to the address of record",
        )
    return None


def _unproven(case: LetterCase) -> Found | None:
    if case.proven:
        return None
    asks = f"{listed(case.uncertain)} needs more" if case.reaches else "the game asks for proof"
    return LetterState.UNVERIFIED, f"{asks}, this is {case.finding.level}: {case.finding.why}"


def _commands(case: LetterCase) -> Found | None:
    if not case.peeled.empty:
        return None
    names = [command.name for command in case.peeled.commands] + ["PRESS"] * bool(case.peeled.press)
    return LetterState.COMMAND, ", ".join(names) if names else "there is nothing in it to read"


def _orders(case: LetterCase) -> Found | None:
    return LetterState.ORDERS, f"registered sender; {case.finding.level}: {case.finding.why}"


_RULES: Mapping[Rule, Callable[[LetterCase], Found | None]] = {
    Rule.OWN_MAIL: _own_mail,
    Rule.OWN_MARK: _own_mark,
    Rule.BOUNCE: _bounce,
    Rule.OVER_LIMIT: _over_limit,
    Rule.ODD_FROM: _odd_from,
    Rule.ABSENCE_NOTE: _absence_note,
    Rule.PERHAPS_AWAY: _perhaps_away,
    Rule.ON_FILE: _on_file,
    Rule.PRESS: _answers_press,
    Rule.ANYBODY: _anybody,
    Rule.NO_MORE_MAIL: _no_more_mail,
    Rule.DOOR: _door,
    Rule.STRANGER: _stranger,
    Rule.ELSEWHERE: _elsewhere,
    Rule.STANDING_BY: _standing_by,
    Rule.UNSUBSCRIBING: _unsubscribing,
    Rule.CONFIRMATION: _confirmation,
    Rule.NO_DEPUTY_NOW: _no_deputy_now,
    Rule.ONLY_READING: _only_reading,
    Rule.UNPROVEN: _unproven,
    Rule.COMMANDS: _commands,
    Rule.ORDERS: _orders,
}
_SILENT = {
    LetterState.QUARANTINE: "nothing is sent to a sender who may be another",
    LetterState.IGNORED: "it is not a player's letter",
    LetterState.BOUNCE: "a delivery report is never answered",
}


def decide(case: LetterCase) -> Decision:
    """Return the verdict on a letter."""
    for rule in Rule:
        if found := _RULES[rule](case):
            return _decision(case, rule, *found)
    raise AssertionError("the last rule always applies")


def _decision(case: LetterCase, rule: Rule, verdict: LetterState, reason: str) -> Decision:
    chosen = case.registration
    seatless = rule in SEATLESS
    heard = not seatless and verdict in (
        LetterState.ORDERS,
        LetterState.COMMAND,
        LetterState.UNVERIFIED,
    )
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
        if (
            one not in case.mine
            and (one.game, one.seat, one.deputy) not in own
            and has_token(case.parts, one.token_hash)
        ):
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
