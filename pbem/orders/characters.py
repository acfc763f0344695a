"""The characters of a line as its writer meant them: typographic twins, the marks of lists, signs
for bold letters, comments, quotation marks, and the word with which it begins."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from pbem.orders.spelling import is_number

_TWINS = str.maketrans(
    {
        "\u2010": "-",
        "\u2011": "-",
        "\u2012": "-",
        "\u2013": "-",
        "\u2014": "-",
        "\u2015": "-",
        "\u2212": "-",
        "\ufe63": "-",
        "\uff0d": "-",
        "\u2018": "'",
        "\u2019": "'",
        "\u201a": "'",
        "\u201b": "'",
        "\u2039": "'",
        "\u203a": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u201e": '"',
        "\u201f": '"',
        "\u00ab": '"',
        "\u00bb": '"',
        "\u037e": ";",
        "\u2044": "/",
        "\u2215": "/",
        "\t": " ",
        "\x85": " ",
        "\u2028": " ",
        "\u2029": " ",
    }
)
_LIST_MARK = re.compile(
    "(?:[-+*\u2022\u2023\u2043\u2219\u00b7\u25cf\u25cb\u25e6\u25aa\u25ab\u25a0\u25a1\u27a2\u2713\uf0b7"
    "\u2192\u21d2\u2794\u279c\u27a4\u25ba\u25b6\u2714\u2611]|\\(?[0-9]{1,2}[.)])"
    "\\s++(?=[A-Za-z])"
)
_BOLD = re.compile(
    r"""("[^"]*+"?+)|(?<![\w*])[*_]{1,3}+(?=[^\s*_])|(?<=[^\s*_])[*_]{1,3}+(?![\w*])"""
)
"""What mail programs write for bold, italic and underlined letters; not within quotation marks."""
_ENDS = re.compile(r"(?<=[^\s.!])\s*+(?:[.\u3002]|!{1,3})\Z")
_WORD = re.compile(r"\s*([A-Za-z][A-Za-z_/]*)")
_ODD = re.compile(r"[^ -~\n]")
_HEAD = re.compile(
    r"(?:^|;)(?:[^\w\n;|\[]|[0-9_]"
    r"|(?:and|the|minister|ministry|party|please|pls)(?![^\W0-9_]))*+([^\W0-9_]++)",
    re.IGNORECASE | re.MULTILINE,
)
"""The first word of a line, or of a piece of it behind a `;`, but for what an order may have before
its own: signs, politeness, words that a grammar passes over. Behind a bar or a "[1]" nothing is."""
_DIGITS = range(0xFF10, 0xFF1A)
_OTHER_SIGNS = ("<super>", "<sub>", "<circle>", "<square>", "<fraction>")


def _twin(char: str) -> str:
    """The plain character that this one is but for its form; itself where it is a sign of its own.

    Of numbers only the fullwidth digits are such, which keyboards of the Far East type: who writes
    10² or 10① does not mean 102 or 101.
    """
    if unicodedata.category(char) in ("Nd", "Nl", "No") and ord(char) not in _DIGITS:
        return char
    same = unicodedata.normalize("NFKC", char)
    alike = len(same) == 1 and not unicodedata.decomposition(char).startswith(_OTHER_SIGNS)
    return same if alike else char


def plain(text: str) -> str:
    """The same characters with typographic twins (curly quotes, dashes, no-break spaces, fullwidth
    forms) as their plain ones and invisible characters left out."""
    return _ODD.sub(lambda found: _plain(found[0]), text)


@lru_cache(maxsize=4096)
def _plain(odd: str) -> str:
    """What stands for one character; what was found for the last ones is kept."""
    char = odd.translate(_TWINS)
    if ord(char) < 128:
        return char if char >= " " or char == "\n" else " "
    return _twin(char) if unicodedata.category(char) not in ("Cf", "Cc") else ""


@lru_cache(maxsize=2)
def heads(text: str) -> Sequence[tuple[int, str]]:
    """What the lines of a text in plain characters, and their pieces behind a `;`, can begin an
    order with: the number of the line (from 0), and the word in capitals. The last answers are
    kept, since words for the referee and a game's orders are looked for in the same text."""
    line, at, made = 0, 0, []
    for found in _HEAD.finditer(text):
        line += text.count("\n", at, found.start(1))
        at = found.start(1)
        made.append((line, found[1].upper()))
    return made


def first_word(text: str) -> str:
    """The first word in capitals, or "" where the text does not begin with a letter."""
    found = _WORD.match(text)
    return found.group(1).upper() if found else ""


def undecorated(line: str) -> str:
    """A line without blanks around it, the mark of a list and the signs for bold letters: `- *VOTE
    YES ON 4*`."""
    bare = line.strip()
    if "*" in bare or "_" in bare:
        bare = _BOLD.sub(lambda found: found.group(1) or "", bare)
    mark = _LIST_MARK.match(bare)
    return bare[mark.end() :] if mark else bare


def unstopped(text: str) -> str:
    """A text without the full stop or exclamation mark at its end."""
    found = _ENDS.search(text, max(0, len(text) - 20))
    return text[: found.start()] if found else text


def open_quote(text: str) -> bool:
    """Whether a double quote was opened and not closed."""
    return text.count('"') % 2 == 1


def uncomment(line: str) -> str:
    """The line without its comment: `#` outside quotes, unless a digit follows at once (`VOTE
    #4`)."""
    if "#" not in line:
        return line
    quoted = False
    for index, char in enumerate(line):
        if char == '"':
            quoted = not quoted
        elif char == "#" and not quoted and not is_number(line[index + 1 : index + 2]):
            return line[:index]
    return line
