"""From letters to orders, in every game: broken lines are mended, nonsense costs nothing but
itself, and no letter is read at more than linear cost."""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from lark import Lark

from pbem.house import shelf
from pbem.orders.characters import first_word
from pbem.orders.language import Language
from pbem.orders.splitter import plain_words

GAMES = Path(__file__).parent / "games"
FEW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@cache
def canonical(key: str) -> tuple[str, ...]:
    """The orders that stand in any case of a game, as they are stored."""
    language, texts = shelf.open_ruleset(key).language, set()
    for path in (GAMES / key).glob("cases/*.toml"):
        for period in tomllib.loads(path.read_text(encoding="utf-8")).get("period", []):
            texts.update(text for stands in period.get("stands", {}).values() for text in stands)
    return tuple(sorted(text for text in texts if language.reads(language.split(text)[0].text)))


def read(language: Language, text: str) -> list[str]:
    return [
        str(order)
        for line in language.split(text, ("CANCEL",))
        for order in language.read(line).orders
    ]


def broken(language: Language, text: str, breaks: Sequence[bool], indents: Sequence[str]) -> str:
    """An order broken at some of its blanks, but not where two readings are right: before an order
    word, and where names alone would follow what could be a whole order, since so does a
    signature."""
    words = text.split(" ")
    lines = [words[:1]]
    for word, wanted in zip(words[1:], breaks, strict=False):
        if wanted and first_word(word) not in language.words:
            lines.append([])
        lines[-1].append(word)
    kept = [" ".join(lines[0])]
    for line in lines[1:]:
        before = " ".join(kept)
        said = " ".join(line).partition(" IF ")[0]
        names = (
            all(word.isalpha() for word in plain_words(said))
            and line[0].upper() not in language.keywords
        )
        if names and not before.endswith(",") and language.complete(before):
            kept[-1] = " ".join((kept[-1], *line))
        else:
            kept.append(" ".join(line))
    return "\n".join(f"{indent}{line}" for indent, line in zip(indents, kept, strict=False))


@st.composite
def letters(draw: st.DrawFn, key: str, whole: bool = False) -> tuple[list[str], list[str]]:
    """Some orders of a game, and the same orders with their lines broken (``whole``: never below a
    block's opening)."""
    language = shelf.open_ruleset(key).language
    orders = draw(st.lists(st.sampled_from(canonical(key)), min_size=1, max_size=6))
    texts = []
    for order in orders:
        longest = len(order.split(" "))
        breaks = draw(st.lists(st.booleans(), min_size=longest, max_size=longest))
        if whole and first_word(order) in language.blocks:
            breaks[0] = False
        indents = draw(
            st.lists(st.sampled_from(["", " ", "    ", "\t"]), min_size=longest, max_size=longest)
        )
        texts.append(broken(language, order, breaks, indents))
    return orders, texts


def test_players_read_no_names_of_terminals(key: str) -> None:
    language = shelf.open_ruleset(key).language
    names = {terminal.name for terminal in language.lark.terminals} - {
        *language.lark.ignore_tokens,
        "_NL",
        "COMMA",
    }
    assert not names - language._labels.keys()


@FEW
@given(data=st.data())
def test_broken_lines_are_mended(key: str, data: st.DataObject) -> None:
    language = shelf.open_ruleset(key).language
    orders, texts = data.draw(letters(key))
    assert read(language, "\n".join(texts)) == [
        str(one) for text in orders for one in language.parse(text)
    ]


NONSENSE = (
    "Thanks a lot",
    "xyzzy",
    'he said "qwerty',
    "qwerty, plugh,",
    "(qwerty)",
    "qwerty: plugh - xyzzy!",
    "3 qwerty",
)


@FEW
@given(data=st.data())
def test_nonsense_between_orders_costs_no_order(key: str, data: st.DataObject) -> None:
    language = shelf.open_ruleset(key).language
    orders, texts = data.draw(letters(key, whole=True))
    words = st.sampled_from(sorted(language.words))
    lines = st.one_of(
        st.sampled_from(NONSENSE),
        words,
        st.tuples(words, st.sampled_from(NONSENSE)).map(" ".join),
        words.map(lambda word: f'{word} "qwerty'),
        words.map(lambda word: f"{word[0]}{word[2]}{word[1]}{word[3:]} qwerty"),
    )
    line = data.draw(lines)
    assume(line not in language.blocks)
    at = data.draw(st.integers(0, len(texts)))
    own = read(language, line)
    found = read(language, "\n".join([*texts[:at], line, *texts[at:]]))
    before, after = (
        [str(one) for text in part for one in language.parse(text)]
        for part in (orders[:at], orders[at:])
    )
    assert found == [*before, *own, *after], line


@FEW
@given(data=st.data())
def test_an_unfinished_order_takes_no_misspelt_one_along(key: str, data: st.DataObject) -> None:
    language = shelf.open_ruleset(key).language
    words = data.draw(st.sampled_from(canonical(key))).split(" ")
    unfinished = " ".join(words[: data.draw(st.integers(1, len(words)))])
    other = data.draw(st.sampled_from(canonical(key)))
    misspelt = f"{other[0]}{other[2]}{other[1]}{other[3:]}"
    assume(other[1] != other[2] and unfinished not in language.blocks and '"' not in unfinished)
    assert [line.text for line in language.split(f"{unfinished}\n{misspelt}")] == [
        unfinished.rstrip(", ;"),
        misspelt,
    ]


HOSTILE = (
    ("", "PAY R\nVOET YES ON 4\n"),
    ("", "PAY R\nThanks\n"),
    ("", "PAY R,\n"),
    ("", "2,\n"),
    ("", "PREFER R,\nPASSS,\n"),
    ("", 'AMEND "x\n'),
    ("", 'AMEND "x" "y" "\nPASS\n'),
    ("", "PAY R; VOET YES; PAY R; "),
    ("", "VOTE YES ON 4 PAY 5 TO R PASS\n"),
    ("", "VOTE VOTE VOTE VOTE VOTE VOTE\n"),
    ("", "ENDORSE\nS S\n"),
    ("", "JOIN S\nWITH\n"),
    ("BLOC 1\n", "2\n"),
    ("CANDIDATES 1,\n", "2,\n"),
    ("ENDORSE\n", "S\n"),
    ("GOVRENMENT PREMIER,\n", "R,\n"),
    ("GOVERNMENT PREMIER S;\n", "x; y,\n"),
    ("GOVERNMENT PREMIER S,\n", "x; y,\n"),
    ('AMEND "x\n', 'x" y "z\n'),
    ("BLOC 7 FOR C\n", "WITH\n"),
)
IN_OTHER_GAMES = (
    ("coalition", "PROPOSE\n", "PM A\n"),
    ("coalition", "PROPOSE PM A\n", "DEF B\n"),
    ("coalition", "", "PROPOSE\nThanks\n"),
    ("legislation", "BILL\n", "STAR+\n"),
    ("parlement-1968", "GOVERNMENT\n", "PREMIER\n"),
    ("party-in-power", "DRAFT\n", "G01\n"),
    ("politics-1935", "CAMPAIGN MN\n", "1, MN\n"),
)
READINGS = 42
"""Of a line at most, in all ways that its words may be meant."""
LETTERS = [*(("parlement-1966", *one) for one in HOSTILE), *IN_OTHER_GAMES]


@pytest.mark.parametrize(
    ("game", "first", "line"), LETTERS, ids=[" | ".join(one).replace("\n", "~") for one in LETTERS]
)
def test_no_letter_is_read_at_more_than_linear_cost(
    monkeypatch: pytest.MonkeyPatch, game: str, first: str, line: str
) -> None:
    text = first + line * 480
    calls, characters = _parsed(monkeypatch, game, text)
    assert calls <= READINGS * (text.count("\n") + text.count(";"))
    assert characters <= READINGS * len(text), (
        "each line of a long order parses it from its beginning"
    )


def _parsed(monkeypatch: pytest.MonkeyPatch, game: str, text: str) -> tuple[int, int]:
    """How often a parser is called for a text, and with how many characters in all."""
    language: Language = replace(shelf.open_ruleset(game).language)
    sizes: list[int] = []

    def counted(parse: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*args: Any, **named: Any) -> Any:
            sizes.append(len(args[-1]))
            return parse(*args, **named)

        return counting

    with monkeypatch.context() as patched:
        patched.setattr(Lark, "parse", counted(Lark.parse))
        patched.setattr(Lark, "parse_interactive", counted(Lark.parse_interactive))
        for line in language.split(text, ("CANCEL",)):
            language.read(line)
    return len(sizes), sum(sizes)


def test_no_suggestion_loses_a_not(key: str) -> None:
    language = shelf.open_ruleset(key).language
    words = ("I will not {}", "Never {}", "[ ] {}", "I take back {}", "We don't {}", "☐ {}")
    for order in canonical(key)[::7]:
        for said in words:
            for line in language.split(said.format(order), ("CANCEL",)):
                read = language.read(line)
                notes = read.problem.notes if read.problem else ()
                assert not read.orders, line.text
                meant = [one for one in notes if one.startswith("did you mean")]
                assert not [one for one in meant if "mean CANCEL" not in one], line.text


def test_a_slip_for_pass_is_no_not(key: str) -> None:
    language = shelf.open_ruleset(key).language
    read = language.read(language.split("PAS", ("CANCEL",))[0])
    assert read.problem and "did you mean PASS?" in read.problem.notes
