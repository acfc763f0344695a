"""Bytes into text: the charset a letter names, and what is tried where that one is wrong."""

from __future__ import annotations

import codecs

from pbem.typeset import safe

_NOT_TEXT = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem", "utf-7"})
_OTHER_NAMES = {
    "iso-8859-8-i": "iso-8859-8", "iso-8859-6-i": "iso-8859-6", "x-sjis": "cp932", "shift_jis": "cp932",
    "shift-jis": "cp932", "gb2312": "gb18030", "gbk": "gb18030", "ks_c_5601-1987": "cp949", "euc-kr": "cp949",
    "x-mac-roman": "mac-roman", "macintosh": "mac-roman", "latin1": "cp1252", "iso-8859-1": "cp1252",
    "x-user-defined": "cp1252", "unicode-1-1-utf-8": "utf-8", "utf8mb4": "utf-8",
}  # fmt: skip


_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
"""A byte order mark says more than a label."""


def decode(raw: bytes, named: str) -> tuple[str, str]:
    """The text, and a note where the named charset did not serve ("" where it did).

    An unknown or wrong charset is replaced by UTF-8 if most of the bytes are that, else by Windows-1252: bytes in
    practice are one of the two, and neither fails on the ASCII that orders are written in.
    """
    for mark, codec_name in _MARKS:
        if raw.startswith(mark):
            try:
                return raw.decode(codec_name).removeprefix("\ufeff"), ""
            except UnicodeError:
                break
    wanted = named.strip().strip("\"'").lower()
    name = _OTHER_NAMES.get(wanted, wanted) or "us-ascii"
    if name in ("utf-16", "utf16"):  # without a byte order mark: in Latin letters the higher half of each is NUL
        name = "utf-16-be" if raw[0:400:2].count(0) > raw[1:400:2].count(0) else "utf-16-le"
    try:
        codec = codecs.lookup(name)
        if codec.name not in _NOT_TEXT and name not in _NOT_TEXT:
            return raw.decode(codec.name).removeprefix("\ufeff"), ""
    except (LookupError, UnicodeError, ValueError):
        pass
    text, used = raw.decode("utf-8", "replace"), "utf-8"
    bad = text.count("\ufffd")
    if bad and 2 * bad > sum(char > "\x7f" for char in text):
        text, used = raw.decode("cp1252", "replace"), "cp1252"
    note = f"read as {used}, since it is not {safe(wanted)[:40] or 'us-ascii'}"
    return text.removeprefix("\ufeff"), note if wanted or bad else ""
