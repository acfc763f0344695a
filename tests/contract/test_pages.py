"""A player's own page in every game: the form, what silence means, what orders come to, WHY."""

from collections.abc import Iterator
from itertools import chain
from types import SimpleNamespace
from typing import Any

from pbem.games.frame.adjudication import take
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import PUBLIC, Event
from pbem.games.frame.ruleset import Ruleset, ToldEvent
from pbem.house import shelf, templates
from pbem.orders.mailwords import peel
from pbem.orders.order import Standing
from pbem.pages import bulletin, html, page, sheet
from pbem.pages.plain import plain
from pbem.text import WIDTH
from pbem.website import folder
from tests.bots import Turn, bot_game
from tests.keys import GAME_TESTS, module

GAMES_PLAYED = 3
MOST_OFFERS = 40
"""A form has so many lines at most."""


def _positions(ruleset: Ruleset[Any]) -> Iterator[tuple[Turn, str]]:
    """Each seat's position in each period of some games."""
    for number in range(GAMES_PLAYED):
        for turn in bot_game(ruleset, number):
            for seat in ruleset.asked(turn.before):
                yield turn, seat


def _form(ruleset: Ruleset[Any], state: Any, seat: str) -> list[tuple[str, str]]:
    return templates.words(ruleset, state, seat).lines(ruleset.offers(state, seat))


def test_the_form(key: str) -> None:
    """Each line has blanks and an effect; as it is mailed none is an order; each that is filled
    with any of its words is taken."""
    ruleset, tried, empty = shelf.open_ruleset(key), 0, 0
    for turn, seat in _positions(ruleset):
        offers, known = ruleset.offers(turn.before, seat), _form(ruleset, turn.before, seat)
        printed = plain(templates.words(ruleset, turn.before, seat).form(offers))
        assert len(known) <= MOST_OFFERS and len(printed.split("\n")) <= MOST_OFFERS
        assert max(map(len, printed.split("\n"))) <= WIDTH
        assert peel(printed).text == printed
        for line in ruleset.language.split(printed):
            assert not ruleset.language.reads(line.text), f"as mailed an order: {line.text}"
        empty += not offers
        for offer, (order, effect) in zip(offers, known, strict=True):
            assert effect, order
            assert all(offer.fills), order
            first = [words[0] for words in offer.fills]
            for blank, words in enumerate(offer.fills):
                for word in words:
                    text = page.filled(order, [*first[:blank], word, *first[blank + 1 :]])
                    taken = take(ruleset, turn.before, seat, f"{text}  # {effect}", {})
                    wrong = [problem for problem in taken.problems if not problem.warning]
                    assert taken.standing and not wrong, (turn.number, seat, text, wrong)
                    tried += 1
    print(f"{key}: {tried} filled lines were taken; {empty} positions had no form")
    assert tried


def left_owed(at: Any, seat: str, standing: Standing, text: str, *, alone: bool) -> set[str]:
    """Return what is owed and in no line of a form. alone: lines do no more than fill that."""
    examples = dict[str, str]()
    for offer, (order, _) in zip(
        at.ruleset.offers(at.state, seat), _form(at.ruleset, at.state, seat), strict=True
    ):
        first, *rest = (words[0] for words in offer.fills)
        examples[order] = page.filled(order, [first, *rest])
        for line in (page.filled(order, [word]) for word in offer.fills[0]):
            examples[line] = page.filled(line, rest)
    left = owed = set(at.ruleset.due(at.state, seat, standing))
    forms = [block for block in sheet.blocks(text) if isinstance(block, sheet.Form)]
    for line, _, *links in (one for form in forms for one in form.lines):
        for example in [page.filled(line, [one]) for one in links] or [examples.get(line, "")]:
            taken = take(at.ruleset, at.state, seat, example, standing)
            assert not [one for one in taken.problems if not one.warning], example
            left = left & set(at.ruleset.due(at.state, seat, taken.standing))
            if alone:
                assert owed - set(at.ruleset.due(at.state, seat, taken.standing)), example
                assert all(taken.standing[slot] is order for slot, order in standing.items())
    return left


def test_silence_is_told(key: str) -> None:
    """Whoever owes something is told what happens without it; slots have words."""
    ruleset, paragraphs = shelf.open_ruleset(key), shelf.rulebook(key).paragraphs
    told = 0
    for turn, seat in _positions(ruleset):
        says = templates.words(ruleset, turn.before, seat)
        events = ruleset.silence(turn.before, seat, {})
        for event in events:
            assert event.rule in paragraphs and event.audience == frozenset([seat])
            assert says.tell(event)
        if owes := ruleset.due(turn.before, seat, {}):
            told += 1
            assert events, (turn.number, turn.before.phase, seat, owes)
            for slot in owes:
                words = says.owed(slot)
                assert words and words != slot and "\n" not in words
    assert told


def test_advice_cites_paragraphs(key: str) -> None:
    ruleset, paragraphs = shelf.open_ruleset(key), shelf.rulebook(key).paragraphs
    said = 0
    for number in range(GAMES_PLAYED):
        for turn in bot_game(ruleset, number):
            for seat, standing in turn.standing.items():
                advice = ruleset.advice(turn.before, seat, standing)
                for one in advice:
                    assert isinstance(one, Event) and one.rule in paragraphs, one
                    assert one.audience == frozenset([seat])
                said += len(templates.events_in_words(ruleset, turn.before, seat, advice))
    assert said


def test_why_answers_all_that_it_says_it_can(key: str) -> None:
    """To each seat and to everybody, over the whole of some games."""
    ruleset, paragraphs = shelf.open_ruleset(key), shelf.rulebook(key).paragraphs
    answered = dict[str, int]()
    for number in range(2):
        heard: dict[str | None, list[ToldEvent]] = {}
        for turn in bot_game(ruleset, number):
            seats = [None, *ruleset.asked(turn.before)]
            for seat in seats:
                known = heard.setdefault(seat, [])
                known += [ToldEvent(turn.number, e) for e in turn.outcome.events if _hears(e, seat)]
                for words in ruleset.questions(turn.outcome.state, seat):
                    steps = ruleset.why(turn.outcome.state, seat, known, words)
                    assert steps, f"period {turn.number}: WHY {words} of {seat} has no answer"
                    assert all(isinstance(one, Event) and one.rule in paragraphs for one in steps)
                    assert all(
                        templates.events_in_words(ruleset, turn.outcome.state, seat, steps)
                    ), words
                    answered[words.split()[0]] = answered.get(words.split()[0], 0) + 1
    print(f"{key}: questions answered: {answered}")
    assert answered


def _hears(event: Event, seat: str | None) -> bool:
    return event.audience == PUBLIC or seat in event.audience


def test_headlines_and_periods_are_short(key: str) -> None:
    ruleset, env = shelf.open_ruleset(key), templates.environment()
    found = set()
    for turn in bot_game(ruleset, 0):
        state = turn.outcome.state
        issue = templates.issue(
            ruleset,
            state,
            sorted(turn.letters),
            turn.number,
            turn.before.phase,
            turn.outcome.events,
        )
        found.add(line := bulletin.headline(env, issue))
        assert 0 < len(line) <= 60, line
        assert 0 < len(templates.words(ruleset, turn.before, None).period()) <= 60
    assert len(found) > 2


def test_no_page_tells_what_only_another_may_know(key: str) -> None:
    """Positions that differ in another's secrets give a seat the same form, silence, advice and
    answers."""
    ruleset, secrets = shelf.open_ruleset(key), module(GAME_TESTS / key / "secrets.py")
    twin = getattr(secrets, "twin", None)
    if twin is None:
        assert secrets.NONE  # test_twins looks that its views hide nothing
        return
    chance, differed = Dice("twins", key).stream("pages"), 0
    for number in range(GAMES_PLAYED):
        for turn in bot_game(ruleset, number):
            for seat, standing in turn.standing.items():
                other = twin(turn.before, seat, chance)
                differed += other != turn.before
                assert _told(ruleset, other, seat, standing) == _told(
                    ruleset, turn.before, seat, standing
                )
                for words in ruleset.questions(turn.before, seat):
                    assert ruleset.why(other, seat, (), words) == ruleset.why(
                        turn.before, seat, (), words
                    )
    assert differed


def _told(ruleset: Ruleset[Any], state: Any, seat: str, standing: Any) -> tuple[Any, ...]:
    return (
        ruleset.offers(state, seat),
        ruleset.silence(state, seat, {}),
        ruleset.advice(state, seat, standing),
        ruleset.questions(state, seat),
        templates.words(ruleset, state, None).period(),
    )


MOST_BYTES = 50_000


def test_no_bulletin_is_a_large_page(key: str) -> None:
    ruleset, env = shelf.open_ruleset(key), templates.environment()
    cite, sizes = folder.citing(shelf.rules(key), f"../../rules/{key}.html"), []
    for turn in chain(bot_game(ruleset, 0), bot_game(ruleset, 1)):
        seats, after = sorted(turn.letters), turn.outcome
        issue = templates.issue(
            ruleset, after.state, seats, turn.number, turn.before.phase, after.events
        )
        around = {"game": SimpleNamespace(id="g"), "before": None, "after": None}
        page = html.site_page(
            env,
            "_shared/website/bulletin.html.j2",
            bulletin.public_sheet(env, issue),
            cite,
            {},
            **around,
            issue=SimpleNamespace(title="Bulletin", moment="2 March 2026, 12:00 UTC"),
        )
        sizes.append(len(page.encode()))
    print(f"{key}: {len(sizes)} pages, the largest {max(sizes):,} bytes")
    assert max(sizes) < MOST_BYTES
