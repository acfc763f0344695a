"""From a letter's text to standing orders (most of this), and from those to the next state.

A bad line costs only itself. Repeating a letter changes nothing.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import accumulate, combinations
from typing import Any

from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Orders, Seat
from pbem.games.frame.ruleset import Outcome, Ruleset
from pbem.orders import other_words, sentences, slates
from pbem.orders.called import Names, choices, seats
from pbem.orders.characters import first_word
from pbem.orders.language import ambiguous
from pbem.orders.order import CANCEL, NO_ORDERS, Checked, Order, Problem, Resign, Standing
from pbem.orders.other_words import ANYWHERE, Place
from pbem.orders.slates import Slate
from pbem.orders.spelling import is_number
from pbem.orders.splitter import LogicalLine
from pbem.orders.table import PUT
from pbem.text import listed

_MOST_HELPED, _MOST_CORRECTED, _MOST_SENTENCES = 20, 10, 6
"""Of a letter: refused lines that are helped, and those searched; of a line: sentences read."""
MEANT = "did you mean "
"""Before what a refusal suggests."""
_AS_WRITTEN = "your orders stand as they are written; CANCEL takes one back"


@dataclass(frozen=True, slots=True)
class Answer:
    """One order's result: orders filed, problems, or both (warnings)."""

    line: LogicalLine
    orders: tuple[Order, ...]
    problems: tuple[Problem, ...]
    cancelled: tuple[Order, ...] = ()
    quiet: bool = False
    """Refuse in silence: the line resembles no order."""
    words: str = ""
    """The sentence that the orders were read from."""
    asked: bool = False
    """Not an order as it stands: what it may mean is offered."""
    begun: str = ""
    """A slate that lacks some offices."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Standing orders after a text, and the answers."""

    standing: dict[str, Order]
    answers: tuple[Answer, ...]

    @property
    def problems(self) -> tuple[Problem, ...]:
        return tuple(problem for answer in self.answers for problem in answer.problems)


def take(
    ruleset: Ruleset[Any],
    state: Any,
    seat: Seat,
    text: str,
    standing: Standing,
    called: Names = (),
    former: Callable[[], Names] = tuple,
    greeted: Callable[[], Collection[str]] | None = None,
    helps: bool = True,
    begun: Callable[[], str] = str,
) -> Taken:
    """Read orders on top of ``standing``. Store nothing. called: seats with the names that orders
    may use. A name never beats what a line says without it. former: returns seats with players that
    they had before, whose names are asked about. greeted: names in courtesies; if given, sentences
    that are surely orders are taken. helps: whether to look for what a refused order may have
    meant. begun: returns a slate of earlier letters that this one may go on with."""
    at = Sender(ruleset, state, seat, dict(standing))
    answers, former = list[Answer](), cache(former)
    refused, on_file = 0, at.standing
    lines = ruleset.language.split(text, (CANCEL,))
    slate = cache(lambda: at.slate(text, standing, begun()) if at.in_words(lines) else None)
    for line in lines:
        helped = partial(at.answer, helps=_MOST_HELPED - refused if helps else 0)
        answer = helped(line)
        if helps and _is_refused(answer) and (offices := slate()) and offices.has(line.text):
            answers += at.of_slate(line, offices)
            continue
        if answer.quiet and (parts := _by_sentence(helped, line)):
            answers += parts
            refused += len(parts)
            continue
        refused += _is_refused(answer)
        if called and _is_refused(answer):
            answer = _by_name(helped, line, called, former()) or answer
        if _is_refused(answer) and not answer.orders and _is_footer(text, line):
            answer = replace(answer, quiet=True)
        for order in answer.cancelled:
            del on_file[order.slot]
        on_file.update({order.slot: order for order in answer.orders})
        answers.append(answer)
    offices = slate() if helps and any(map(_is_refused, answers)) else None
    answers = _doubted(text, at.with_slate(answers, offices) if offices else answers)
    if greeted is not None and any(map(_is_refused, answers)):
        answers = at.of_sentences(answers, greeted())
    return Taken(on_file, tuple(answers))


@dataclass(frozen=True, slots=True)
class Sender:
    """A seat's orders at a position."""

    ruleset: Ruleset[Any]
    state: Any
    seat: Seat
    standing: dict[str, Order]

    def take(self, text: str) -> Taken:
        return take(self.ruleset, self.state, self.seat, text, self.standing, helps=False)

    def answer(self, line: LogicalLine, helps: int = _MOST_HELPED) -> Answer:
        """helps: how many refused lines may still be helped."""
        place = Place(
            cache(self.filed),
            self.seat,
            lambda: self.ruleset.asked(self.state).get(self.seat, ()),
            corrects=helps > _MOST_HELPED - _MOST_CORRECTED,
            standing=tuple(self.standing.values()),
        )
        place = place if helps > 0 else ANYWHERE
        if first_word(line.text) == CANCEL:
            return self._cancel(line, place)
        return self._accept(line, place)

    def of_sentences(self, answers: list[Answer], greeted: Collection[str]) -> list[Answer]:
        """Take the sentences of a letter that is nothing but orders and courtesies. They fill empty
        slots only. If one may not be taken so, none is."""
        made, given, on_file = list[Answer](), dict[str, Order](), self.standing
        for answer in answers:
            said: str | None = ""
            if _is_refused(answer):
                said = other_words.orders_of(self.ruleset.language, answer.line.text, greeted)
            if said == "":
                made.append(answer)
                continue
            so_far = on_file | given
            taken = take(self.ruleset, self.state, self.seat, said or "", so_far)
            orders = tuple(order for one in taken.answers for order in one.orders)
            slots = {order.slot for order in orders}
            if (
                not orders
                or any(_is_refused(one) or one.cancelled for one in taken.answers)
                or any(map(_needs_yes, orders))
                or not slots.isdisjoint(so_far)
            ):
                return answers
            given |= {order.slot: order for order in orders}
            made.append(Answer(answer.line, orders, taken.problems, words=answer.line.text))
        if self.state.phase in self.ruleset.continuous:
            return answers
        on_file |= given
        return made

    def in_words(self, lines: Sequence[LogicalLine]) -> bool:
        """Return whether some line may be a slate in words."""
        language = self.ruleset.language
        slate = language.other_words.slate
        words = language.words - {*slate[:1]}
        said = (one.text for one in lines if first_word(one.text) not in words)
        return bool(slate) and any(not language.reads(text) for text in said)

    def slate(self, text: str, standing: Standing, begun: str) -> Slate | None:
        """Return the offices that a letter gives away in words. begun: in earlier ones."""
        language = self.ruleset.language
        offices = language.other_words.slate
        verb = offices[0] if offices else ""
        stands = (str(one) for one in standing.values() if first_word(str(one)) == verb)
        said = (begun or next(stands, "")).partition(" WITH ")[0].partition(";")[0]
        return slates.read(language.corrector, offices, text, self.seat, said)

    def of_slate(self, line: LogicalLine, slate: Slate) -> list[Answer]:
        """Answer a line of a slate by the sentences that are its own, and what else is asked."""
        said = sentences.of_line(line.text)
        own = self.answer(replace(line, text=" ".join(filter(slate.has, said))), helps=0)
        answer = self.answer(line, helps=0)
        alike = {one.code for one in own.problems} == {one.code for one in answer.problems}
        beside = (self.answer(replace(line, text=one)) for one in said if not slate.has(one))
        return [own if alike else answer, *(one for one in beside if one.asked)]

    def with_slate(self, answers: list[Answer], slate: Slate) -> list[Answer]:
        """Offer a slate at the first of its lines, or show what is open of it."""
        its = [n for n, one in enumerate(answers) if _is_refused(one) and slate.has(one.line.text)]
        if not its:
            return answers
        answers, at = [replace(x, quiet=x.quiet or n in its) for n, x in enumerate(answers)], its[0]
        note, begun = f"{MEANT}{slate}?", ""
        if slate.open:
            who = f"Who gets {listed(slate.open)}? Answer with these, as in"
            note, begun = f'so far I read {slate}. {who} "the rest for ...".', str(slate)
        problem = replace(answers[at].problems[0], notes=(note,))
        problem = problem if slate.open else self._taken_whole(problem)
        answer = replace(answers[at], problems=(problem,), quiet=False, asked=True, begun=begun)
        return [*answers[:at], answer, *answers[at + 1 :]]

    def _accept(self, line: LogicalLine, place: Place) -> Answer:
        ruleset, seat, language = self.ruleset, self.seat, self.ruleset.language
        read = language.read(line, place)
        if read.problem:
            problem = self._taken_whole(read.problem)
            offers = any(one.startswith(MEANT) for one in problem.notes)
            prose = language.is_prose(line.text)
            ordered, tells = language.meant(line.text), problem.notes != read.problem.notes
            reasons = tells and ((prose and ordered) or other_words.adds(line.text))
            asked = (offers and (prose or not language.begins(line.text))) or reasons
            quiet = not asked and (prose or not ordered)
            return Answer(line, (), (problem,), quiet=quiet, asked=asked)
        if ruleset.result(self.state) is not None:
            return Answer(line, (), (Problem("E_OVER", "The game is over.", line=line.number),))
        standing: Standing = self.standing
        orders: list[Order] = []
        problems: list[Problem] = []
        replaced: list[Order] = []
        for order in read.orders:
            checked: Checked = ruleset.check(self.state, seat, standing, order)
            replaced.extend(standing[slot] for slot in checked.replaces)
            kept = {slot: other for slot, other in standing.items() if slot not in checked.replaces}
            standing = {**kept, **{accepted.slot: accepted for accepted in checked.orders}}
            orders.extend(checked.orders)
            problems.extend(replace(problem, line=line.number) for problem in checked.problems)
        for one, other in combinations(orders, 2):
            if one.slot == other.slot and str(one) != str(other):
                message = f"One line cannot say both {one} and {other}."
                return Answer(line, (), (Problem("E_BOTH", message, line=line.number),))
        if problems and not orders:
            lists, helps = language.other_words.lists, place is not ANYWHERE
            strange = [one for one in problems if not any(map(_line_of, one.notes))]
            small = (lists["idle"] - lists["and"] - PUT).intersection(line.text.split())
            chats = len(strange) > 1 or bool(small)  # in prose a hint for each word leads nowhere
            problems = [_without_hints(one, "") if chats else one for one in problems]
            meant = language.suggestion(line.text, len(line.text), place) if helps else ""
            said = "; ".join(map(str, read.orders))
            better = meant and (chats or not said.startswith(meant))  # "in" is no state
            if better and place.legal(meant):
                problems = [_without_hints(one, meant) for one in problems]
                problems[0] = replace(problems[0], notes=(f"{MEANT}{meant}?",))
        return Answer(line, tuple(orders), tuple(problems), tuple(replaced))

    def _taken_whole(self, problem: Problem) -> Problem:
        """Keep a suggestion only if all of it would be taken; else say why not."""
        notes: list[str] = []
        for note in problem.notes:
            line = _line_of(note)
            refused = self.refusals(line) if line else None
            hints = (one for p in refused or () for one in p.notes)
            better = [one for one in hints if self.ruleset.language.reads(_line_of(one))]
            as_taken = self._as_taken(line) if refused == [] else ""
            kept = f"{MEANT}{as_taken}?" if as_taken else note
            notes += sorted(better, key=len)[-1:] if refused else [kept]
            notes += [] if better else [p.message for p in refused or ()]
        return replace(problem, notes=tuple(dict.fromkeys(notes)))

    def _as_taken(self, lines: str) -> str:
        """Return orders as they would stand: VOTE NAY ON B2, not ON P1."""

        def one(line: str) -> str:
            orders = [order for answer in self.take(line).answers for order in answer.orders]
            return str(orders[0]) if len(orders) == 1 else line

        return "; ".join(map(one, lines.split("; ")))

    def refusals(self, line: str) -> list[Problem] | None:
        """Return why orders would be refused; None if unreadable."""
        language = self.ruleset.language
        lines = language.split(line, (CANCEL,))
        if not all(language.reads(one.text) or first_word(one.text) == CANCEL for one in lines):
            return None
        if self.ruleset.result(self.state) is not None:
            return []
        return [problem for problem in self.take(line).problems if not problem.warning]

    def filed(self, lines: str) -> frozenset[str]:
        """Return what would stand; nothing if one would be refused."""
        if not lines or self.refusals(lines) != []:
            return frozenset()
        return frozenset(map(str, self.take(lines).standing.values())) or frozenset((lines,))

    def _cancel(self, line: LogicalLine, place: Place) -> Answer:
        """Apply CANCEL ALL, a slot or an order's words; if several match, list them."""
        standing = self.standing
        words = _words(line.text).partition(" ")[2].removeprefix("MY ").removeprefix("THE ")
        name = partial(self.ruleset.slot_name, self.state, self.seat)
        if words == "ALL":
            return Answer(line, (), (), tuple(standing.values()))
        fitting = [
            order
            for slot, order in standing.items()
            if words and words in (_words(slot), name(order), _words(order))
        ]
        if not fitting:
            fitting = [
                one
                for slot, one in standing.items()
                if _begins(_words(slot), words) or _begins(_words(one), words)
            ]
        if not fitting and (meant := self._meant(line)):
            return Answer(line, (), (), meant)
        if len(fitting) == 1:  # one order as written may fill several slots
            meant = self._meant(replace(line, text=f"{CANCEL} {fitting[0]}"))
            return Answer(line, (), (), meant if fitting[0] in meant else (fitting[0],))
        if fitting:
            problem = ambiguous(line.text, [f"{CANCEL} {order.slot}" for order in fitting])
        else:
            nearly = other_words.taken_back(self.ruleset.language, line.text, place) or ""
            said = [standing.get(one.removeprefix(f"{CANCEL} ")) for one in nearly.split("; ")]
            gone = [one for one in said if one and not other_words.is_list(one)]
            if gone and len(gone) == len(said):  # of a list a part may be meant
                return Answer(line, (), (), tuple(gone))
            told = (f"on file for this period: {', '.join(standing)}",) if standing else ()
            told = (f"{MEANT}{nearly}?",) if nearly else told
            like = kept(self.ruleset, self.state, self.seat)
            like = [one for one in like if _begins(_words(one), words)]
            ends = (f"kept from an earlier period: {x}; HELP tells how it is ended" for x in like)
            message = f'None of your orders is "{words}".'
            problem = Problem("E_CANCEL", message, notes=(*told, *ends))
        return Answer(line, (), (replace(problem, line=line.number),))

    def _meant(self, line: LogicalLine) -> tuple[Order, ...]:
        text = line.text.partition(" ")[2].strip()
        given = [
            order
            for parsed in self.ruleset.language.read(replace(line, text=text)).orders
            for order in self.ruleset.check(self.state, self.seat, self.standing, parsed).orders
        ]
        return tuple(order for order in self.standing.values() if order in given)


def _doubted(text: str, answers: list[Answer]) -> list[Answer]:
    """Say aloud that a second thought about an order was not read."""
    passage = list(accumulate(not line.strip() for line in text.split("\n")))
    of_orders = {passage[answer.line.number - 1] for answer in answers if answer.orders}

    def told(answer: Answer) -> Answer:
        line, beside = answer.line, passage[answer.line.number - 1] in of_orders
        doubted = answer.quiet and other_words.doubts(line.text, beside=beside)
        if not (of_orders and doubted) or _is_footer(text, line):
            return answer
        problems = tuple(replace(one, notes=(_AS_WRITTEN,)) for one in answer.problems)
        return replace(answer, problems=problems, quiet=False)

    return list(map(told, answers))


def needs_line(order: Any) -> bool:
    """Return whether neither a yes nor a sentence sends an order: it leaves the game."""
    return isinstance(getattr(order, "order", order), Resign)  # a plan's


def _needs_yes(order: Any) -> bool:
    """Return whether no sentence sends an order."""
    bare = getattr(order, "order", order)
    return isinstance(bare, Resign) or getattr(bare, "offered_only", False)


def _by_sentence(answered: Callable[[LogicalLine], Answer], line: LogicalLine) -> list[Answer]:
    """Return the answers to a line's sentences, [] if none is asked about."""
    said = sentences.of_line(line.text)
    few = said if 1 < len(said) <= _MOST_SENTENCES else ()
    found = [answered(replace(line, text=one)) for one in few]
    return found if any(answer.asked for answer in found) else []


def _by_name(
    tried: Callable[..., Answer], line: LogicalLine, known: Names, former: Names
) -> Answer | None:
    """Return the answer to an order that names players; None if it does not help."""

    def taken(text: str) -> Answer | None:
        answer = tried(replace(line, text=text), helps=0) if text != line.text else None
        return None if answer is None or _is_refused(answer) else replace(answer, line=line)

    named = seats(line.text, known, former)
    answer = tried(replace(line, text=named)) if named != line.text else None
    said = [note for problem in answer.problems for note in problem.notes] if answer else []
    if answer and (not _is_refused(answer) or any(map(_line_of, said))):
        return replace(answer, line=line)
    name, lines = choices(line.text, known, former)
    meant = [str(order) for one in lines if (answer := taken(one)) for order in answer.orders]
    if not meant:
        return None
    notes = tuple(f"{MEANT}{one}?" for one in meant if len(meant) == 1)
    return Answer(line, (), (replace(ambiguous(name, meant), line=line.number, notes=notes),))


def _is_footer(text: str, line: LogicalLine) -> bool:
    """Return whether a line stands below a signature, without capitals or figures."""
    shouted = line.text.startswith(first_word(line.text))
    told = shouted or any(map(is_number, line.text))
    return not told and sentences.signs_off(text, line.number)


def _is_refused(answer: Answer) -> bool:
    return any(not problem.warning for problem in answer.problems)


def _without_hints(problem: Problem, meant: str) -> Problem:
    """Leave out "did you mean NE (Nebraska)?" if what was meant has no NE."""
    said = ("", *meant.split())
    notes = (one for one in problem.notes if _line_of(one).partition(" ")[0] in said)
    return replace(problem, notes=tuple(notes))


def _line_of(note: str) -> str:
    """Return what a note suggests, or ""."""
    return note.removeprefix(MEANT).removesuffix("?") if note.startswith(MEANT) else ""


def kept(
    ruleset: Ruleset[Any], state: Any, seat: Seat, standing: Standing = NO_ORDERS
) -> list[str]:
    """Return what is kept from earlier periods and no order of this one replaces."""
    texts = ruleset.kept(state, seat)
    return [str(order) for slot, order in reread(ruleset, texts).items() if slot not in standing]


def _words(said: object) -> str:
    return " ".join(str(said).upper().replace(",", " ").split())


def _begins(text: str, words: str) -> bool:
    return bool(words) and f"{text} ".startswith(f"{words} ")


def play_period(ruleset: Ruleset[Any], state: Any, orders: Orders, dice: Dice) -> Outcome[Any]:
    """Adjudicate a period, seats in a fixed order."""
    return ruleset.adjudicate(state, {seat: orders[seat] for seat in sorted(orders)}, dice)


def owed(
    ruleset: Ruleset[Any], state: Any, seats: Iterable[Seat], standing: Orders
) -> dict[Seat, tuple[str, ...]]:
    return {seat: ruleset.due(state, seat, standing.get(seat, {})) for seat in seats}


def canonical(standing: Standing) -> list[str]:
    """Return canonical texts, as stored and shown."""
    return [str(order) for order in standing.values()]


def reread(ruleset: Ruleset[Any], texts: Sequence[str]) -> dict[str, Order]:
    """Parse stored texts. Raise ValueError if one no longer parses."""
    return {order.slot: order for text in texts for order in ruleset.language.parse(text)}
