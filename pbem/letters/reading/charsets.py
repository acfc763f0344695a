"""Decode bytes by the named charset or another: only charsets of mail, not codecs (``utf-7``) that
hide text."""

from __future__ import annotations

import codecs

from pbem.text import safe

_CODECS = """
utf-8: utf8 unicode-1-1-utf-8 unicode20utf8 unicode11utf8 x-unicode20utf8 utf8mb4
cp866: 866 cp866 csibm866 ibm866
iso8859-2: csisolatin2 iso-8859-2 iso-8859-2:1987 iso-ir-101 l2 latin2
iso8859-3: csisolatin3 iso-8859-3 iso-8859-3:1988 iso-ir-109 l3 latin3
iso8859-4: csisolatin4 iso-8859-4 iso-8859-4:1988 iso-ir-110 l4 latin4
iso8859-5: csisolatincyrillic cyrillic iso-8859-5 iso-8859-5:1988 iso-ir-144
iso8859-6: arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i
iso8859-6: iso-8859-6:1987 iso-ir-127
iso8859-7: csisolatingreek ecma-118 elot-928 greek greek8 iso-8859-7 iso-8859-7:1987 iso-ir-126 sun-eu-greek
iso8859-8: csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-8859-8:1988 iso-ir-138 visual
iso8859-8: csiso88598i iso-8859-8-i logical
iso8859-10: csisolatin6 iso-8859-10 iso-8859-10:1992 iso-ir-157 l6 latin6
iso8859-13: iso-8859-13 latin7
iso8859-14: iso-8859-14 iso-8859-14:1998 iso-ir-199 latin8
iso8859-15: csisolatin9 iso-8859-15 l9 latin9 latin-9
iso8859-16: iso-8859-16 iso-8859-16:2001 iso-ir-226 latin10
koi8-r: cskoi8r koi koi8 koi8-r
koi8-u: koi8-ru koi8-u
mac-roman: csmacintosh mac macintosh x-mac-roman
cp874: dos-874 iso-8859-11 tis-620 windows-874 cp874
cp1250: cp1250 windows-1250 x-cp1250
cp1251: cp1251 windows-1251 x-cp1251
ascii: us-ascii ascii us ansi-x3.4-1968 ansi-x3.4-1986 iso-ir-6 iso646-us cp367 ibm367 csascii
cp1252: cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-8859-1:1987 iso-ir-100 l1 latin1 windows-1252 x-cp1252 x-ansi
cp1252: x-user-defined
cp1253: cp1253 windows-1253 x-cp1253
cp1254: cp1254 csisolatin5 iso-8859-9 iso-8859-9:1989 iso-ir-148 l5 latin5 windows-1254 x-cp1254
cp1255: cp1255 windows-1255 x-cp1255
cp1256: cp1256 windows-1256 x-cp1256
cp1257: cp1257 windows-1257 x-cp1257
cp1258: cp1258 windows-1258 x-cp1258
mac-cyrillic: x-mac-cyrillic x-mac-ukrainian
cp437: cp437 ibm437 437 cspc8codepage437
cp850: cp850 ibm850 850 cspc850multilingual
cp852: cp852 ibm852 852 cspcp852
cp858: cp858 ibm00858 cp00858
gb18030: chinese csgb2312 csiso58gb231280 gb2312 gb-2312-80 gbk iso-ir-58 x-gbk gb18030 cp936 ms936 windows-936 euc-cn
big5hkscs: big5 big5-hkscs cn-big5 csbig5 x-x-big5 cp950
euc_jp: cseucpkdfmtjapanese euc-jp x-euc-jp
iso2022_jp_ext: csiso2022jp iso-2022-jp iso-2022-jp-1
iso2022_jp_2: iso-2022-jp-2 csiso2022jp2
cp932: csshiftjis ms932 ms-kanji shift-jis sjis windows-31j x-sjis cswindows31j cp932
cp949: cseuckr csksc56011987 euc-kr iso-ir-149 korean ks-c-5601-1987 ks-c-5601-1989 ksc5601 ksc-5601 windows-949 cp949
cp949: uhc
iso2022_kr: iso-2022-kr csiso2022kr
hz: hz-gb-2312
utf-16-be: unicodefffe utf-16be
utf-16-le: csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16le
utf-16: utf-16
"""
"""Python's codec, and its labels, with a hyphen for any sign."""
_WITHOUT_SIGNS = str.maketrans("", "", "-_.: ")
_BY_LABEL = {
    label.translate(_WITHOUT_SIGNS): codec
    for codec, _, labels in (line.partition(": ") for line in _CODECS.strip().split("\n"))
    for label in labels.split()
}
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""A byte order mark overrides a label."""


def known(label: str) -> str:
    """Return Python's name for a charset, or ""."""
    return _BY_LABEL.get(label.strip(" \t\"'").lower().translate(_WITHOUT_SIGNS), "")


def decode(raw: bytes, named: str) -> tuple[str, str]:
    """Return the text, and a note, or "", if the named charset failed. The replacement is UTF-8 if
    most bytes fit, else Windows-1252."""
    for mark, codec_name in _MARKS:
        if raw.startswith(mark):
            try:
                return raw.decode(codec_name).removeprefix("\ufeff"), ""
            except UnicodeError:
                break
    wanted = named.strip().strip("\"'").lower()
    name = known(wanted or "us-ascii")
    if (
        name == "utf-16"
    ):  # without a byte order mark: in Latin letters the higher half of each is NUL
        name = "utf-16-be" if raw[0:400:2].count(0) > raw[1:400:2].count(0) else "utf-16-le"
    try:
        if name:
            return raw.decode(name).removeprefix("\ufeff"), ""
    except UnicodeError:
        pass
    text, used = raw.decode("utf-8", "replace"), "utf-8"
    bad = text.count("\ufffd")
    if bad and 2 * bad > sum(char > "\x7f" for char in text):
        text, used = raw.decode("cp1252", "replace"), "cp1252"
    note = f"read as {used}, since it is not {safe(wanted)[:40] or 'us-ascii'}"
    return text.removeprefix("\ufeff"), note if wanted or bad else ""
