"""READY and WAIT in the open period, and suggestions that a yes can send."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import chain
from typing import Any, Protocol

from pbem.games.frame import house as houses
from pbem.games.frame import press_rules
from pbem.games.frame.adjudication import MEANT, Answer, Sender, canonical, needs_line, take
from pbem.games.frame.events import Seat
from pbem.games.frame.house import House
from pbem.games.frame.house_rules import closes_early
from pbem.games.frame.ruleset import Ruleset
from pbem.orders.mailwords import Peeled
from pbem.orders.order import Problem, Standing
from pbem.orders.splitter import LogicalLine

_BACK = (("CANCEL", "READY"), ("CANCEL", "WAIT"))
TAKEN_BACK = "Your READY is taken back: write it again once you have nothing to add."


class LastWord(StrEnum):
    """A seat's last word."""

    NOTHING = ""
    READY = "READY"
    WAIT = "WAIT"


class OnFile(Protocol):
    """READY or WAIT on file, one at most."""

    @property
    def wait(self) -> bool: ...

    @property
    def ready(self) -> bool: ...


def of(row: OnFile | None) -> LastWord:
    if row is None:
        return LastWord.NOTHING
    if row.wait:
        return LastWord.WAIT
    return LastWord.READY if row.ready else LastWord.NOTHING


def foreseen(
    ruleset: Ruleset[Any], state: Any, seat: Seat, row: OnFile | None, house: House
) -> bool:
    """Return whether orders with IF fill all, no letter came (``row``), and that is READY."""
    waits = house.early == houses.ALL or house.practice
    return row is None and not waits and ruleset.foreseen(state, seat)


def counts(ruleset: Ruleset[Any], state: Any, seat: Seat) -> bool:
    """Return whether READY and WAIT matter: the seat may act, and letters do not end the phase."""
    return state.phase not in ruleset.continuous and seat in ruleset.asked(state)


def after_orders(before: LastWord) -> LastWord:
    """Return what stands: WAIT, not READY."""
    return LastWord.NOTHING if before is LastWord.READY else before


def after_letter(
    ruleset: Ruleset[Any],
    state: Any,
    seat: Seat,
    before: LastWord,
    peeled: Peeled,
    answers: Sequence[Answer],
    moved: bool,
    lost: Sequence[str],
    later: Sequence[Peeled] = (),
) -> LastWord:
    """Return what stands after a letter and those in ``later``. ``moved``: orders changed, which
    READY covers. It is void with a refused order, and if press or prose (``lost``) may hide one."""
    if not counts(ruleset, state, seat):
        return before
    refused = (
        answer
        for answer in answers
        if not answer.quiet and any(not problem.warning for problem in answer.problems)
    )
    language = ruleset.language
    slipped = bool(lost) or any(one.asked or language.meant(one.line.text) for one in refused)
    slipped = slipped or any(press_rules.not_words(language, press) for press in peeled.press)
    said = _word(after_orders(before) if moved or slipped else before, peeled, slipped)
    for letter in later:
        said = _word(said if letter.empty else after_orders(said), letter)
    return said


def _word(said: LastWord, peeled: Peeled, slipped: bool = False) -> LastWord:
    for command in peeled.commands:
        if command.name == LastWord.WAIT or (command.name == LastWord.READY and not slipped):
            said = LastWord(command.name)
        elif command.name == "CANCEL" and command.argument == said:
            said = LastWord.NOTHING
    return said


def notes(
    ruleset: Ruleset[Any],
    state: Any,
    seat: Seat,
    house: House,
    before: LastWord,
    said: LastWord,
    peeled: Peeled,
    standing: Standing,
    period: int,
    when: str,
) -> list[str]:
    """Return a receipt's notes on these words. ``period``: its number. ``when``: when an early end
    is considered, in words."""
    ready, wait = peeled.asks(LastWord.READY), peeled.asks(LastWord.WAIT)
    if not counts(ruleset, state, seat):
        idle = "READY and WAIT change nothing here: the period does not wait for you."
        return [idle] if ready or wait else []
    told = []
    if ready and said is LastWord.READY:
        told.append(
            _ready(
                closes_early(house, ruleset.asked(state), period),
                house,
                ruleset.due(state, seat, standing),
                when,
                period,
            )
        )
    elif ready and not wait and not peeled.asks("CANCEL"):
        told.append(
            "READY was not taken, since something was not taken or is asked about: send what you"
            " meant, and READY again."
        )
    elif before is LastWord.READY and said is LastWord.NOTHING:
        told.append(TAKEN_BACK)
    if wait and said is LastWord.WAIT:
        told.append("WAIT: this period will not close before its deadline.")
    elif before is LastWord.WAIT and said is not LastWord.WAIT:
        told.append("Your WAIT is taken back.")
    gone = (one.argument for one in peeled.commands if (one.name, one.argument) in _BACK)
    return told + [f"There was no {one} of yours to take back." for one in gone if one != before]


def _ready(condition: str, house: House, owed: Sequence[str], when: str, period: int) -> str:
    match condition:
        case houses.READY:
            closes = f"{when} the period closes once"
            closes = "the period closes as soon as" if house.at_once else closes
            return (
                f"READY: {closes} all who may act"
                " have said so and nobody has said WAIT. A new order of yours takes it back."
            )
        case houses.OWED if owed:
            return (
                f"READY is noted, but what you owe is still waited for: {', '.join(owed)}. Send it,"
                " or PASS, which fills all that you owe."
            )
        case houses.OWED:
            closes = "as soon as" if house.at_once else f"early, {when}, once"
            return (
                f"READY is noted. This period closes {closes}"
                " all that is owed is in and nobody has said WAIT."
            )
    if house.early == houses.ALL and period == 1:
        return "READY is noted, but the first period does not close before its deadline."
    return "READY is noted, but the periods of this game do not close before their deadlines."


_UNANSWERED = "You were asked before, and have not answered."
MOST = 3
"""A receipt with more suggestions has a line for each, and no yes."""


def meant(problem: Problem) -> list[str]:
    """Return what a refusal suggests."""
    notes = (one for one in problem.notes if one.startswith(MEANT))
    return [one.removeprefix(MEANT).removesuffix("?") for one in notes]


def offered(
    ruleset: Ruleset[Any], state: Any, seat: Seat, standing: Standing, answers: Sequence[Answer]
) -> list[str]:
    """Return the orders that a yes or a number may send, each once; [] if too many, or two for one
    refusal. standing: the orders after the letter."""
    found, at = dict[str, None](), Sender(ruleset, state, seat, dict(standing))
    for problem in (one for answer in answers if not answer.quiet for one in answer.problems):
        lines = [] if problem.warning else meant(problem)
        if len(lines) > 1:
            return []
        found |= {one: None for one in lines if _is_offered(at, one)}
    return list(found) if len(found) <= MOST else []


def still_open(
    ruleset: Ruleset[Any],
    state: Any,
    seat: Seat,
    standing: Standing,
    answers: Sequence[Answer],
    earlier: Sequence[tuple[str, Sequence[str]]],
) -> Iterator[Answer]:
    """Yield earlier offers again that are still some and fit beside those of a letter. earlier:
    each with the orders that stood; a list on file that changed since makes it void."""
    at = Sender(ruleset, state, seat, dict(standing))
    offers = offered(ruleset, state, seat, standing, answers)
    for line, stood in earlier:
        given = [(*one.orders, *one.cancelled) for one in at.take(line).answers]
        on_file = [standing[one.slot] for one in chain(*given) if one.slot in standing]
        as_then = all(str(one) in stood for one in on_file)
        fits = together(ruleset, state, seat, standing, [*offers, line])
        if as_then and fits and len(offers) < MOST and _is_offered(at, line):
            offers.append(line)
            problem = Problem("E_SYNTAX", _UNANSWERED, notes=(f"{MEANT}{line}?",))
            yield Answer(LogicalLine(-len(offers), line), (), (problem,), asked=True)


def together(
    ruleset: Ruleset[Any], state: Any, seat: Seat, standing: Standing, lines: Sequence[str]
) -> bool:
    """Return whether no two fill one slot."""
    slots = [
        {order.slot for answer in answers for order in answer.orders}
        for answers in (take(ruleset, state, seat, line, standing).answers for line in lines)
    ]
    return sum(map(len, slots)) == len(set().union(*slots))


def _is_offered(at: Sender, line: str) -> bool:
    if at.ruleset.result(at.state) is not None or at.refusals(line) != []:
        return False
    answers = at.take(line).answers
    given = [order for answer in answers for order in answer.orders]
    stands = canonical(at.standing)
    new = [str(order) for order in given if str(order) not in stands]
    gone = any(answer.cancelled for answer in answers)
    return bool(new or gone) and not any(map(needs_line, given))
