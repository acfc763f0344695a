"""Each citation is of a paragraph that is there and that speaks of the same thing: what a sentence
says and what its paragraph says share a word that is not everywhere in the rules."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from pbem.games.frame.events import Event
from pbem.house import shelf, templates
from pbem.pages.plain import plain
from tests.bots import BOT_GAMES, bot_game

COMMON = 0.75
"""A word that stands in more than this share of all paragraphs says nothing of one of them."""
READ = frozenset(
    ("will_pay", "lists", "refused", "seats", "draft", "follows_return", "silent_amendvote")
) | {
    "accepted",
    "amended",
    "final_order",
    "your_cash",
    "your_states",
    "lot_bought",
    "lot_lost",
    "end",
}
"""Kinds that use other words than their paragraph: read beside it, and found right."""
_WORD = re.compile(r"[a-z]{4,}")


def stems(text: str) -> set[str]:
    """The words of a text, cut so that "votes" and "voted" are one."""
    return {word[:5].rstrip("sed") for word in _WORD.findall(text.lower())}


def told(ruleset: Any, games: int) -> Iterator[tuple[Event, str]]:
    """Each kind of sentence with each of its citations once: events, receipts, silence."""
    seen = set[tuple[str, str]]()
    for number in range(games):
        for turn in bot_game(ruleset, number):
            before = [
                (turn.before, seat, event)
                for seat, standing in turn.standing.items()
                for event in (
                    *ruleset.advice(turn.before, seat, standing),
                    *templates.page_at(ruleset, turn.before, seat, standing).silence,
                )
                if isinstance(event, Event)
            ]
            after = [(turn.outcome.state, None, event) for event in turn.outcome.events]
            for state, seat, event in (*before, *after):
                if (event.kind, event.rule) in seen:
                    continue
                seen.add((event.kind, event.rule))
                who = seat or (
                    min(event.audience) if isinstance(event.audience, frozenset) else None
                )
                (said,) = templates.events_in_words(ruleset, state, who, [event])
                yield event, plain(said).rpartition(f"[{event.rule}]")[0] or plain(said)


def test_what_is_cited_speaks_of_the_same_thing(key: str) -> None:
    ruleset, paragraphs = shelf.open_ruleset(key), shelf.rulebook(key).paragraphs
    found = Counter(stem for text in paragraphs.values() for stem in stems(text))
    common = {stem for stem, n in found.items() if n > COMMON * len(paragraphs)}
    wrong = [
        f"{event.kind} [{event.rule}]: {' '.join(said.split())[:120]}"
        for event, said in told(ruleset, min(BOT_GAMES, 3))
        if said
        and event.kind not in READ
        and not (stems(said) & stems(paragraphs[event.rule])) - common
    ]
    assert not wrong, "\n".join(wrong)
