"""Where a word of players and an act of the gamesmaster stand, besides the code that does them.

Who adds one is told all places that still lack it, at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from pbem.acts.act import Act
from pbem.acts.acts import ACTS, BY_MAIL
from pbem.orders import asking, club_words, mailwords
from pbem.referee.words import helping
from tests.letter import forger_words

ROOT = Path(__file__).parents[2]
PLAYERS = sorted(mailwords.WORDS - mailwords.COMMANDING)
UNSAID = {"END", "WHY", "CANCEL", "GAMES"}
"""Words without a wrong use."""


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def _in_rows(path: str) -> frozenset[str]:
    return frozenset(re.findall(r"(?m)^\| `([A-Z]+)", text(path)))


def _grouped() -> frozenset[str]:
    return frozenset(word for group in helping.GROUPS.values() for word in group)


OF_SEATS = frozenset(PLAYERS) - club_words.NEEDS.keys() - asking.FRAMES
WORDS: Mapping[str, Callable[[str], bool]] = {
    "what asking.use answers to a wrong use": lambda word: (
        bool(asking.use(word)) != (word in UNSAID)
    ),
    "the groups that HELP prints": lambda word: (
        word not in OF_SEATS - {"HELP"} or word in _grouped()
    ),
    "templates/_shared/words.txt.j2": lambda word: (
        word not in OF_SEATS or f', "{word}' in text("templates/_shared/words.txt.j2")
    ),
    "the table of words in docs/players-guide.md": lambda word: (
        word in _in_rows("docs/players-guide.md")
    ),
    "the table of words in docs/players-reference.md": lambda word: (
        word in _in_rows("docs/players-reference.md")
    ),
    "WORDS of tests/letter/forger_words.py": lambda word: (
        word in asking.FRAMES or word in {one.name for one in forger_words.WORDS}
    ),
}


def _by_mail(act: Act) -> bool:
    return act.word in BY_MAIL


def _example(path: str) -> Callable[[Act], bool]:
    return lambda act: f'"{act.name}"' in text(path)


def _shown(act: Act) -> bool:
    return bool(re.search(rf"pbem\s{act.name}\b", text("docs/gamesmasters-guide.md")))


def _row(act: Act) -> bool:
    table = text("docs/gamesmasters-guide.md").partition("## Commands by mail")[2]
    return bool(re.search(rf"(?m)^\|[^|]*`{act.word}\b", table.partition("\n## ")[0]))


ACTS_OF: Mapping[str, Callable[[Act], bool]] = {
    "a section of docs/commands.md": lambda act: (
        f"### `pbem {act.name}" in text("docs/commands.md")
    ),
    "`pbem NAME` in docs/gamesmasters-guide.md": _shown,
    "Commands by mail in docs/gamesmasters-guide.md": lambda act: not _by_mail(act) or _row(act),
    "WORDS of tests/letter/forger_words.py": lambda act: (
        not _by_mail(act) or act.word in {one.name for one in forger_words.WORDS}
    ),
    "an example in tests/mail/test_act_table.py": _example("tests/mail/test_act_table.py"),
    "an example in tests/mail/test_acts_by_state.py": _example("tests/mail/test_acts_by_state.py"),
    "HIS of tests/mail/test_words_by_mail.py": lambda act: (
        not _by_mail(act) or f'"{act.word}' in text("tests/mail/test_words_by_mail.py")
    ),
}


def test_a_word_of_players_stands_in_all_its_places() -> None:
    lacking = [
        f"{word} is not in {place}"
        for word in PLAYERS
        for place, has in WORDS.items()
        if not has(word)
    ]
    assert not lacking, "\n".join(lacking)


def test_an_act_stands_in_all_its_places() -> None:
    lacking = [
        f"{act.name} is not in {place}"
        for act in ACTS
        for place, has in ACTS_OF.items()
        if not has(act)
    ]
    assert not lacking, "\n".join(lacking)
