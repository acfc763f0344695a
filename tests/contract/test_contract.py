"""One suite over every game: whatever a game lacks is named here.

``PBEM_GAMES=coalition,legislation`` restricts it; ``PBEM_BOT_GAMES=1000`` plays that many games of
bots each.
"""

import hashlib
import importlib.util
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, count, product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.errors import OptionError
from pbem.games import GAMES
from pbem.games.frame import codec
from pbem.games.frame.adjudication import canonical, reread, take
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import PUBLIC, Event
from pbem.games.frame.readiness import meant
from pbem.games.frame.ruleset import Ruleset
from pbem.house import resources, shelf, templates
from pbem.orders.characters import first_word
from pbem.orders.order import Pass
from pbem.pages import bulletin
from pbem.pages.plain import plain
from pbem.text import WIDTH
from tests import cases, citations
from tests.bots import BOT_GAMES, Turn, bot_game, bot_of, drawn, values
from tests.keys import GAME_TESTS, module, printed_guide
from tests.sampled import share

SHOWN = 40
"""Orders of each kind that get slips."""
CONTEXT = {
    "view": {},
    "own": {},
    "seat": None,
    "frame": {},
    "owed": {},
    "number": 0,
    "phase": "",
    "title": "",
    "key": "",
    "result": None,
}


def test_a_game_has_all_its_parts(key: str) -> None:
    parts = [
        resources.path("grammar", f"{key}.lark"),
        resources.path("rules", f"{key}.toml"),
        resources.path("rules", f"{key}.md"),
        resources.path("rules", "scenarios", key, "template.toml"),
        *(
            resources.path("templates", key, f"{name}.txt.j2")
            for name in ("events", "bulletin", "notice", "guide")
        ),
        GAME_TESTS / key / "secrets.py",
        GAME_TESTS / key / "cases",
    ]
    missing = [str(part) for part in parts if not part.exists()]
    assert not missing, f"{key} lacks {missing}"


def test_case(case: tuple[str, Path]) -> None:
    cases.run(*case)


def test_the_scenario_template_is_a_legal_scenario(key: str) -> None:
    from pbem.periods import paper

    done = CliRunner().invoke(main, ["games", "--scenario-template", key], catch_exceptions=False)
    scenario = tomllib.loads(done.output)
    assert "\n# `tables." in done.output
    game = paper.begin(paper.Setup(key, 0, None, {}, scenario))
    assert game.ruleset.view(game.state, None)["phase"] in game.ruleset.about.phases


def test_bots_play_to_the_end(key: str) -> None:
    """No exception; views are JSON; states survive dump and load; bulletins keep within 78
    columns."""
    ruleset = shelf.open_ruleset(key)
    checks = module(GAME_TESTS / key / "secrets.py")
    env = templates.environment()
    for seed in range(BOT_GAMES):
        for turn in bot_game(ruleset, seed):
            state = turn.outcome.state
            dumped = json.loads(json.dumps(ruleset.dump(state)))
            assert ruleset.load(dumped) == state, f"{key}: dump/load changed the state"
            getattr(checks, "invariants", lambda state: None)(state)
            if seed < 4:
                _bulletins(env, ruleset, turn, sorted(turn.standing))


def _bulletins(env: Any, ruleset: Ruleset[Any], turn: Turn, seats: list[str]) -> None:
    issue = templates.issue(
        ruleset, turn.outcome.state, seats, turn.number, turn.before.phase, turn.outcome.events
    )
    texts = [bulletin.bulletin(env, issue), *(bulletin.notice(env, issue, seat) for seat in seats)]
    for text in texts:
        wide = [line for line in text.splitlines() if len(line) > WIDTH]
        assert not wide, f"{ruleset.about.key}: wider than {WIDTH} columns: {wide[0]!r}"
        assert not [line for line in text.splitlines() if _orders(ruleset, line)], (
            "a bulletin's line reads as an order"
        )


def _orders(ruleset: Ruleset[Any], line: str) -> bool:
    return any(ruleset.language.reads(one.text) for one in ruleset.language.split(line))


def test_events_cite_paragraphs_and_have_templates(key: str) -> None:
    ruleset = shelf.open_ruleset(key)
    paragraphs = shelf.rulebook(key).paragraphs
    macros = templates.environment().get_template(f"{key}/events.txt.j2").make_module(CONTEXT)
    for seed in range(min(BOT_GAMES, 6)):
        for turn in bot_game(ruleset, seed):
            for event in turn.outcome.events:
                assert event.rule in paragraphs, (
                    f"{event.kind} cites {event.rule!r}, not in rules/{key}.md"
                )
                assert hasattr(macros, event.kind), f"no macro for {event.kind}"


def test_every_paragraph_that_is_cited_is_in_the_rules(key: str) -> None:
    """Those that the code of a game names, whether a test makes it cite them or not."""
    paragraphs, package = shelf.rulebook(key).paragraphs, importlib.util.find_spec(GAMES[key])
    assert package and package.submodule_search_locations
    for file in sorted(Path(package.submodule_search_locations[0]).rglob("*.py")):
        if file.stem != "bot":
            wrong = citations.unknown(file.read_text(encoding="utf-8"), paragraphs)
            assert not wrong, f"{file.name} cites what is not in rules/{key}.md: {wrong}"


def test_every_older_schema_has_its_upgrade(key: str) -> None:
    ruleset = shelf.open_ruleset(key)
    assert sorted(ruleset.upgrades) == list(range(1, ruleset.about.schema))


def test_numbers_of_options_have_bounds(key: str) -> None:
    for option in shelf.open_ruleset(key).about.options:
        assert option.read(option.default) == option.default
        if option.choices or option.text:
            continue
        assert (
            option.read(option.least) == option.least
            and option.read(str(option.most)) == option.most
        )
        for wrong in (option.least - 1, option.most + 1, "+-5", "²", "9" * 5000, ""):
            with pytest.raises(OptionError, match=option.name):
                option.read(wrong)


def test_canonical_orders_read_back(key: str) -> None:
    ruleset = shelf.open_ruleset(key)
    for seed in range(min(BOT_GAMES, 6)):
        for turn in bot_game(ruleset, seed):
            for seat, standing in turn.standing.items():
                assert reread(ruleset, canonical(standing)) == standing, seat
                twice = take(ruleset, turn.before, seat, turn.letters[seat], standing).standing
                assert twice == standing, f"a letter sent twice changed {seat}'s orders"
                printed = "\n".join(ruleset.gathered(canonical(standing)))
                sent_back = take(ruleset, turn.before, seat, printed, {})
                assert sent_back.standing == standing, (printed, sent_back.problems)
                for slot in standing:
                    left = take(ruleset, turn.before, seat, f"Cancel {slot.lower()}", standing)
                    own = take(ruleset, turn.before, seat, str(standing[slot]), {}).standing
                    also = {one for one, order in standing.items() if own.get(one) == order}
                    rest = {one: standing[one] for one in standing if one not in {slot, *also}}
                    assert left.standing == rest, (slot, left.problems)


def _slips(lines: Sequence[str]) -> Iterator[str]:
    """Orders with a slip in them, or among other words."""
    for line, other in zip(lines, (*lines[1:], *lines[:1]), strict=True):
        words = line.split()
        for place, word in enumerate(words[:3]):
            if len(word) > 2:
                swapped = word[:1] + word[2:] + word[1:2]
                yield " ".join((*words[:place], swapped, *words[place + 1 :]))
        yield f"I would like to {line.lower()}, please"
        yield f"Could you {line} and {other} for me"
        yield f"{line} but only at noon"


def test_what_is_suggested_would_be_taken(key: str) -> None:
    ruleset, step = shelf.open_ruleset(key), share(1, of_ci=5)
    suggested, orders, texts = 0, Counter[str](), count()
    for turn in bot_game(ruleset, 0):
        for seat, standing in turn.standing.items():
            lines = [one for one in canonical(standing) if orders[one.split()[0]] < SHOWN]
            orders.update(one.split()[0] for one in lines)
            for text in (one for one in _slips(lines) if next(texts) % step == 0):
                problems = take(ruleset, turn.before, seat, text, {}).problems
                for line in (one for problem in problems for one in meant(problem)):
                    language = ruleset.language
                    if first_word(line) not in language.words or (
                        line in language.words and not language.reads(line)
                    ):
                        continue  # a name, or the word with which an order begins
                    taken = take(ruleset, turn.before, seat, line, {})
                    refused = [one for one in taken.problems if not one.warning]
                    assert not refused and taken.answers, (text, line, refused)
                    suggested += 1
    assert suggested > 5, suggested


def test_what_is_owed_is_part_of_what_the_phase_asks(key: str) -> None:
    """By the seats that may act; one that is out of the game owes nothing, and nobody is asked once
    it is over."""
    ruleset = shelf.open_ruleset(key)
    for turn in bot_game(ruleset, 0):
        asked = ruleset.asked(turn.before)
        assert any(asked.keys() <= set(seats) for seats in ruleset.about.seats)
        for seat, standing in turn.standing.items():
            for given in ({}, standing):
                assert set(ruleset.due(turn.before, seat, given)) <= set(asked.get(seat, ()))
            assert ruleset.due(turn.before, seat, {"PASS": Pass()}) == ()
        if ruleset.result(turn.outcome.state) is not None:
            assert ruleset.asked(turn.outcome.state) == {}


def test_order_of_seats_does_not_count(key: str) -> None:
    ruleset = shelf.open_ruleset(key)
    for seed in range(min(BOT_GAMES, 4)):
        for turn in bot_game(ruleset, seed):
            backwards = dict(reversed(turn.standing.items()))
            again = ruleset.adjudicate(turn.before, backwards, Dice(str(seed), "bots"))
            assert again == turn.outcome
            loaded = ruleset.load(json.loads(codec.text(ruleset.dump(turn.before))))
            assert (
                ruleset.adjudicate(loaded, turn.standing, Dice(str(seed), "bots")) == turn.outcome
            )


def test_events_keep_to_their_audience(key: str) -> None:
    """Private events name seats of the game; public ones never are for nobody."""
    ruleset = shelf.open_ruleset(key)
    for turn in bot_game(ruleset, 1):
        for event in turn.outcome.events:
            assert event.audience == PUBLIC or event.audience, event


BAD = ("", "\n\n", "VOTE", "vote vote vote", '"', "PAY PAY", "#", ";;;", "é—“", "A" * 500)


def test_malformed_orders_never_raise(key: str) -> None:
    """Nor does a bad line cost a good one."""
    ruleset = shelf.open_ruleset(key)
    turn = next(bot_game(ruleset, 0))
    for (seat, good), bad in product(turn.letters.items(), BAD):
        taken = take(ruleset, turn.before, seat, f"{bad}\n\n{good}", {})
        assert set(taken.standing) >= set(turn.standing[seat]), bad


def test_every_order_word_alone_is_answered(key: str) -> None:
    ruleset = shelf.open_ruleset(key)
    for turn in {turn.before.phase: turn for turn in bot_game(ruleset, 0)}.values():
        for seat in turn.letters:
            for word in sorted(ruleset.language.words):
                for text in (f"{word} 1 2 3 NOBODY", word):
                    taken = take(ruleset, turn.before, seat, text, {})
                    assert taken.problems or taken.standing, text


def test_play_commits_to_its_seed_and_lays_it_open(tmp_path: Path) -> None:
    (tmp_path / "02").mkdir()
    told = CliRunner().invoke(
        main, ["play", "coalition", str(tmp_path), "--seed", "4711", "--option", "max_periods=2"]
    )
    assert told.exit_code == 0
    first, _, rest = told.stdout.partition("Bulletin 1")
    assert hashlib.sha256(b"4711").hexdigest() in first
    assert "4711" not in first.replace(hashlib.sha256(b"4711").hexdigest(), "")
    assert rest.rstrip().endswith("4711")


PLANS = 2_000


def test_bots_know_every_value_of_every_option(key: str) -> None:
    """Every choice and every word; numbers as the bot says. Only options that keep bots' games
    short may leave words out."""
    ruleset = shelf.open_ruleset(key)
    known, short = values(ruleset), getattr(bot_of(ruleset), "SHORT", {})
    assert set(getattr(bot_of(ruleset), "VALUES", {})) <= set(known)
    for option in ruleset.about.options:
        if option.name not in known:
            continue
        wanted = {*option.choices, *(() if option.name in short else option.words)}
        assert wanted <= set(known[option.name]), option.name
        assert option.choices or len(known[option.name]) > 1, (
            f"{option.name} is never tried but at its default"
        )


def test_every_option_is_tried_at_every_table_and_with_every_other(key: str) -> None:
    ruleset = shelf.open_ruleset(key)
    known, short = values(ruleset), getattr(bot_of(ruleset), "SHORT", {})
    legal = {
        o.name: sorted(
            {str(o.read(value)) for value in (*known[o.name], short.get(o.name, o.default))}
        )
        for o in ruleset.about.options
        if o.name in known
    }
    missing: set[tuple[Any, ...]] = {
        (len(table), (name, value))
        for table in ruleset.about.seats
        for name, them in legal.items()
        for value in them
    } | {
        pair
        for (a, xs), (b, ys) in combinations(legal.items(), 2)
        for pair in product(product([a], xs), product([b], ys))
    }
    for number in range(PLANS):
        seats, options = drawn(ruleset, number)
        chosen = [(name, str(options[name])) for name in legal]
        missing -= {(len(seats), one) for one in chosen} | {*combinations(chosen, 2)}
        if not missing:
            break
    assert not missing, f"never drawn in {PLANS} games: {sorted(map(str, missing))[:9]}"


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


def test_the_guide_has_each_order_and_no_line_of_it_is_one(key: str) -> None:
    language = shelf.open_ruleset(key).language
    assert language.words <= set(re.findall(r"[A-Z]+", printed_guide(key)))
    for line in printed_guide(key).splitlines():
        assert len(line) <= 78
        assert all(language.read(one).problem for one in language.split(line)), line
