"""The characters of a line as meant."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from pbem.orders.spelling import is_number

_TWINS = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d", "-"),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2039\u203a", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"'),
        **dict.fromkeys("\t\x85\u2028\u2029", " "),
        **dict.fromkeys("\u2044\u2215", "/"),
        "\u037e": ";",
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
_ENDS = re.compile(r"(?<=[^\s.!])\s*+(?:[.\u3002]|!{1,3})\Z")
_WORD = re.compile(r"\s*([A-Za-z][A-Za-z_/]*)")
_ODD = re.compile(r"[^ -~\n]")
_HEAD = re.compile(
    r"(?:^|;)(?:[^\w\n;|\[#]|[0-9_]"
    r"|(?:and|the|minister|ministry|party|please|pls)(?![^\W0-9_]))*+([^\W0-9_]++)",
    re.IGNORECASE | re.MULTILINE,
)
"""The first word of a line or piece, behind signs and politeness. None after a bar or "#1"."""
_DIGITS = range(0xFF10, 0xFF1A)
_OWNER = re.compile(r"(?:yours|mine|ours|[A-Z][\w.-]{0,30}(?:'s|\u2019s))\)")
_OTHER_SIGNS = ("<super>", "<sub>", "<circle>", "<square>", "<fraction>")


def plain(text: str) -> str:
    """Return the text with plain characters, without invisible ones."""
    return _ODD.sub(lambda found: _plain(found[0]), text)


@lru_cache(maxsize=4096)
def _plain(odd: str) -> str:
    char = odd.translate(_TWINS)
    if ord(char) < 128:
        return char if char >= " " or char == "\n" else " "
    if (kind := unicodedata.category(char)) in ("Cf", "Cc"):
        return ""
    if kind in ("Nd", "Nl", "No") and ord(char) not in _DIGITS:  # 10² is not 102
        return char
    same = unicodedata.normalize("NFKC", char)
    alike = len(same) == 1 and not unicodedata.decomposition(char).startswith(_OTHER_SIGNS)
    return same if alike else char


@lru_cache(maxsize=2)
def heads(text: str) -> Sequence[tuple[int, str]]:
    """Return what may begin orders: (line from 0, word in capitals)."""
    line, at, made = 0, 0, []
    for found in _HEAD.finditer(text):
        line += text.count("\n", at, found.start(1))
        at = found.start(1)
        made.append((line, found[1].upper()))
    return made


def first_word(text: str) -> str:
    found = _WORD.match(text)
    return found.group(1).upper() if found else ""


def undecorated(line: str) -> str:
    """Return the line without list mark and bold signs."""
    bare = line.strip()
    if "*" in bare or "_" in bare:
        bare = _BOLD.sub(lambda found: found.group(1) or "", bare)
    mark = _LIST_MARK.match(bare)
    return bare[mark.end() :] if mark else bare


def unstopped(text: str) -> str:
    found = _ENDS.search(text, max(0, len(text) - 20))
    return text[: found.start()] if found else text


def open_quote(text: str) -> bool:
    return text.count('"') % 2 == 1


def uncomment(line: str) -> str:
    """Return the line without its comment, as "(yours)" at its end; `VOTE #4` has none."""
    if line.rstrip().endswith(")"):
        head, opened, owner = line.rstrip().rpartition("(")
        if opened and head.strip() and not open_quote(head) and _OWNER.fullmatch(owner):
            line = head.rstrip()
    if "#" not in line:
        return line
    quoted = False
    for index, char in enumerate(line):
        if char == '"':
            quoted = not quoted
        elif char == "#" and not quoted and not is_number(line[index + 1 : index + 2]):
            return line[:index]
    return line
