"""Where a word of players and an act of the gamesmaster stand, besides the code that does them.

Who adds one is told all places that still lack it, at once.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from pbem.acts.act import Act
from pbem.acts.acts import ACTS, BY_MAIL
from pbem.orders import asking, mailwords
from pbem.referee.words import door, look, play
from tests.letter import forger_words

ROOT = Path(__file__).parents[2]
PLAYERS = sorted(mailwords.WORDS - mailwords.COMMANDING)
ELSEWHERE = frozenset(
    [
        "ORDERS",
        "CHECK",
        "CANCEL",
        "PRESS",
        "READY",
        "WAIT",
        "QUIT",
        "DEPUTY",
        "AGREE",
        "STATEMENT",
        "AGAIN",
    ]
)
"""Words that more than a function of `pbem/referee/words` does."""

FRAMES = {row.name for row in asking.GROUPS["LETTER"]}


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def _in_rows(path: str) -> frozenset[str]:
    return frozenset(re.findall(r"(?m)^\| `([A-Z]+)", text(path)))


WORDS: Mapping[str, Callable[[str], bool]] = {
    "WORDS of look, play or door in pbem/referee/words": lambda word: (
        word in look.WORDS.keys() | play.WORDS.keys() | door.WORDS.keys() | ELSEWHERE | FRAMES
    ),
    "templates/_shared/words.txt.j2": lambda word: (
        f'"{word}": ' in text("templates/_shared/words.txt.j2")
    ),
    "the table of words in docs/players-guide.md": lambda word: (
        word in _in_rows("docs/players-guide.md")
    ),
    "WORDS of tests/letter/forger_words.py": lambda word: (
        word in FRAMES or word in {one.name for one in forger_words.WORDS}
    ),
}


def _by_mail(act: Act) -> bool:
    return act.word in BY_MAIL


def _example(path: str) -> Callable[[Act], bool]:
    return lambda act: f'"{act.name}"' in text(path)


ACTS_OF: Mapping[str, Callable[[Act], bool]] = {
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
