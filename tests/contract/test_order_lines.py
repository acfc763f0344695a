"""Which lines of our mails a letter that quotes them bare would send as orders: what can hold none
is passed over, and the answer is that of reading every line.

Over what is mailed to players of a bot game of each rule-set, and over the same with lines put in
that are made to slip through: orders with all that an order may have before and behind it, below
quotations, comments, blocks and lists that were left open.
"""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.games.frame.dice import Dice
from pbem.house.shelf import open_ruleset
from pbem.orders.characters import first_word, heads, plain
from pbem.orders.language import Language
from pbem.orders.mailwords import WORDS, peel
from pbem.orders.muting import _barred, muted, order_lines
from pbem.orders.order import CANCEL
from tests.bots import bot_of
from tests.installation import Installation, text_of
from tests.letter.test_forms import orders_of

BEFORE = (
    *("", " ", "- ", "* ", "\u2022 ", "1. ", "(3) ", "*", "_", "\xa1", "'", ", ", ": ", "> ", "] "),
    *("please ", "Please, ", "pls ", "and ", "AND ", "& ", "$", "# ", "x # ", "I say: ", "Yes, "),
    *("x; ", '"x; ', '"x"; ', ";", "| ", "[1] ", "| [2] ", "the ", ", the ", ", minister ", "4 "),
)
BEHIND = (
    "",
    ".",
    "!",
    ",",
    ", ...,",
    " and",
    ";",
    "; x",
    '; "',
    ' "',
    " #",
    " # x",
    "*",
    " please",
)
AROUND = (
    *("", "", "   ", "\t", "\r", "Dear all,", 'He said "', 'x " y', '" and', "# a comment", "|"),
    *("PROPOSE", "*PROPOSE*", "END PROPOSE", "PROPOSE ..., FM ...,", "Votes go to", "..., ..., "),
    *("A long line that a mail program broke, and that has a comment # so that it goes on here",),
    *(
        "Economics & Commerce, Defense and Trade",
        "HELP",
        "please help",
        "CANCEL ALL",
        "and CANCEL 4",
        "Thanks, I am ready.",
    ),
)
TWINS = {"S": "\u017f", "I": "\u0131", "K": "\u212a", "A": "\uff21", ";": "\u037e", " ": "\u00a0"}
MIXED = 120


def slowly(language: Language, text: str) -> list[int]:
    """The lines by reading every one."""
    lines = language.split(text, (CANCEL,))
    return [
        line.number
        for line in lines
        if first_word(line.text) == CANCEL or language.reads(line.text)
    ]


def slowly_muted(language: Language, text: str) -> str:
    """The text muted by trying every line."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if peel(line).text != line:
            lines[at] = muted(line)
            assert lines[at] != line or "CONFIRM" in plain(line).upper()
    while found := slowly(language, "\n".join(lines)):
        for number in found:
            lines[number - 1] = _barred(lines[number - 1])
    return "\n".join(lines)


@pytest.fixture
def sent(key: str, tmp_path: Path) -> tuple[list[str], list[str]]:
    """What a seat is mailed of a game's beginning and its first period, without bars: what it reads
    in each mail, and the files that come with them."""
    with Installation(tmp_path, key) as at:
        at.start()
        chance, bot = Dice("5", key).stream("choices"), bot_of(at.table().ruleset)
        public = at.view()
        for seat in at.seats:
            at.write(seat, bot.letter(public, at.view(seat), seat, chance))
        at.once()
        if at.table().period.due:
            at.to_deadline()
        came = at.mails(at.seats[0])
        files = [str(part.get_content()) for mail in came for part in mail.iter_attachments()]
        return [text_of(mail).replace("| ", "") for mail in came], files


def hostile(language: Language, orders: list[str], texts: list[str]) -> Iterator[str]:
    """Passages of mails with lines put in."""
    chance = random.Random(20)
    for _ in range(MIXED):
        lines = chance.choice(texts).split("\n")
        first = chance.randrange(len(lines))
        lines = lines[first : first + chance.randrange(30)]
        for _ in range(chance.randrange(1, 7)):
            order = chance.choice(orders) if chance.random() < 0.8 else chance.choice(sorted(WORDS))
            order = chance.choice((order, order.lower(), order.title(), _disguised(order, chance)))
            odd = chance.choice(BEFORE) + order + chance.choice(BEHIND)
            at = chance.randrange(len(lines) + 1)
            lines[at:at] = chance.choice(((odd,), (odd, chance.choice(AROUND)), ("", odd, "")))
            lines.insert(chance.randrange(len(lines) + 1), chance.choice(AROUND))
        yield "\n".join(lines)


def _disguised(order: str, chance: random.Random) -> str:
    letter = chance.choice(sorted(TWINS))
    return order.replace(letter, TWINS[letter])


def test_passing_over_finds_the_same(key: str, sent: tuple[list[str], list[str]]) -> None:
    mails, files = sent
    language = open_ruleset(key).language
    texts = [*mails, *files, *hostile(language, orders_of(key), mails)]
    found = 0
    for text in texts:
        lines = slowly(language, text)
        assert order_lines(language, text) == lines, text
        assert muted(text, orders=lambda said: order_lines(language, said)) == slowly_muted(
            language, text
        ), text
        found += len(lines)
    print(f"{key}: {len(mails)} mails, {len(texts)} texts, {found} orders in them")
    assert len(mails) > 1 and files, "a welcome with its tables, and a receipt"
    assert found > MIXED / 2


def test_nothing_stands_before_an_order_but_what_is_passed_over(key: str) -> None:
    """What a grammar passes over at the beginning of an order, the search for such beginnings
    passes over too."""
    language = open_ruleset(key).language
    beginnings = language._accepted("")
    assert beginnings <= set(language._literals)
    assert all(word.isalpha() and word.isascii() for word in language.words)
    order = orders_of(key)[0]
    word = first_word(order)
    ignored = [t for t in language.lark.terminals if t.name in language.lark.ignore_tokens]
    said = {w for t in ignored for w in re.findall(r"[A-Za-z]{2,}", t.pattern.to_regexp())}
    for one in said:
        assert heads(f"{one} {order}")[0] == (0, word), one
    signs = [chr(code) for code in range(0x20, 0x250) if not chr(code).isalpha()]
    signs.remove("#")  # it numbers our own lines, and begins a remark
    for sign in signs:
        if language.reads(f"{sign}{order}") or language.reads(f"{sign} {order}"):
            assert heads(f"{sign} {order}")[0] == (0, word), sign
