"""Header fields, and one strict reading of From.

Nothing odd is repaired: mail programs disagree, so one may show the player where another checks the
forger.

Decode bytes by the named charset or another: only charsets of mail, not codecs (``utf-7``) that
hide text.
"""

import binascii
import codecs
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from encodings.aliases import aliases

from pbem.letters.limits import NEXT_FIELD
from pbem.text import safe

_PLAIN = (
    "cp866 iso8859_2 iso8859_3 iso8859_4 iso8859_5 iso8859_10 iso8859_13 iso8859_14 iso8859_16 "
    "ascii cp437 cp850 cp852 iso2022_kr hz utf_16 cp1250 cp1251 cp1253 cp1255 cp1256 cp1257 "
    "cp1258"
)
_CODECS = """
utf_8: unicode-1-1-utf-8 unicode20utf8 unicode11utf8 utf8mb4
iso8859_6: csiso88596e csiso88596i iso-8859-6-e iso-8859-6-i
iso8859_7: sun-eu-greek
iso8859_8: csiso88598e iso-8859-8-e visual csiso88598i iso-8859-8-i logical
iso8859_15: csisolatin9
koi8_r: koi koi8
koi8_u: koi8-ru
mac_roman: csmacintosh mac
cp874: iso8859_11 tis_620 dos-874 windows-874
cp1252: latin_1 ansi user-defined
cp1254: iso8859_9
mac_cyrillic: mac-ukrainian
cp858: ibm00858 cp00858
gb18030: gb2312 gbk csgb2312 windows-936
big5hkscs: big5 cp950 cn-big5 x-big5
euc_jp: cseucpkdfmtjapanese
iso2022_jp_ext: iso2022_jp iso2022_jp_1
iso2022_jp_2: csiso2022jp2
cp932: shift_jis windows-31j cswindows31j
cp949: euc_kr cseuckr csksc56011987 iso-ir-149 ks-c-5601-1989 windows-949
utf_16_be: unicodefffe
utf_16_le: csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff
"""
"""Python's codec, others that it covers, and labels new to Python."""
_WITHOUT_SIGNS = str.maketrans("", "", "-_.: ")
_BY_LABEL = {
    label.translate(_WITHOUT_SIGNS): codec.replace("_", "-")
    for codec, _, more in (
        row.partition(": ") for row in (*_PLAIN.split(), *_CODECS.strip().split("\n"))
    )
    for word in (codec, *more.split())
    for label in (word, *(alias for alias, name in aliases.items() if name == word))
}
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""A byte order mark overrides a label."""


def known(label: str) -> str:
    """Return Python's name for a charset, or ""."""
    word = label.strip(" \t\"'").lower().translate(_WITHOUT_SIGNS)
    return _BY_LABEL.get(word.removeprefix("x"), "")


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
    # without a byte order mark: in Latin letters the higher half of each is NUL
    if name == "utf-16":
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


_MAILBOX_LINE = re.compile(
    rb">?From (?=[^\n]*\b[12]\d{3}\b)[^\n:]*\b\d\d:\d\d(?::\d\d)?\b[^\n:]*\n"
)
_NAME = re.compile(r"[!-9;-~]+\Z")
_ENCODED = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?\s]*)\?=")
_BETWEEN = re.compile(r"(?<=\?=)[ \t]+(?==\?)")
_DELIMITERS = re.compile(r"[\s<>,;:\"()\\\[\]]+")
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LOCAL = re.compile(rf"{_ATOM}(?:\.{_ATOM})*\Z")
_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\Z")
_ID = re.compile(r"<([^<>\s]{1,250})>")
_COMMENT = re.compile(r"\([^()\\<>@,;:\"]*\)")
_LAST_COMMENT = re.compile(rf"(?<![ \t])[ \t]++{_COMMENT.pattern}\Z")
_QUOTED = re.compile(r'"[^"\\]*"')
_NAME_BEFORE = re.compile(
    r"""(?:[ \t]++|"[^"\\]*+"|\([^()\\<>@,;:"]*+\)|[^\s"\\<>@,;:()\[\]]++)*+"""
)
_SQUEEZE = re.compile(r"[^a-z-]")
_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


@dataclass(frozen=True, slots=True)
class Field:
    """A field: name in small letters, unfolded value, and what is odd or ""."""

    name: str
    value: str
    odd: str = ""


def newlines(raw: bytes) -> bytes:
    """Return each CRLF or LF as one newline, a bare CR as a blank: it ends no line (RFC 5322, 2.3),
    and could break out of a quotation."""
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b" ")


def split(plain: bytes) -> tuple[bytes, bytes]:
    """Return header and body, without a mailbox file's "From somebody Mon Jan 2 09:00:00 2026"."""
    if line := _MAILBOX_LINE.match(plain):
        plain = plain[line.end() :]
    if plain.startswith(b"\n"):
        return b"", plain[1:]
    head, _, body = plain.partition(b"\n\n")
    return head, body


def fields(head: bytes) -> tuple[Field, ...]:
    each = NEXT_FIELD.split(head) if head else ()
    return tuple(_field([_text(line) for line in one.split(b"\n")]) for one in each)


def _field(folded: Sequence[str]) -> Field:
    name, colon, value = "".join(folded).partition(":")
    odd = ""
    if folded[0][:1] in (" ", "\t"):
        odd = "a blank stands before the field name"
    elif ":" not in folded[0]:
        odd = "the field name is folded" if colon else "a header line without a colon"
    elif name != name.rstrip():
        odd = "a blank stands before the colon"
    elif not _NAME.match(name):
        odd = "the field name has characters that no field name has"
    elif any(not line.strip() for line in folded[1:]):
        odd = "a blank line stands within the header"
    name = _SQUEEZE.sub("", name.lower()) if odd else name.translate(_LOWER)
    return Field(name, value.strip(" \t"), odd)


def _text(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("latin-1")


def values(found: Iterable[Field], name: str) -> tuple[str, ...]:
    """Return a field's values, topmost first, without odd ones."""
    return tuple(field.value for field in found if field.name == name and not field.odd)


def words(value: str, limit: int = 500) -> str:
    """Return a value for people: decoded, harmless, one line of ``limit`` characters."""
    return safe(_ENCODED.sub(_decoded, _BETWEEN.sub("", value[:10_000])))[:limit]


def _decoded(found: re.Match[str]) -> str:
    charset, kind, said = found.groups()
    data = said.encode("ascii", "replace")
    try:
        padded = data + b"=" * (-len(data) % 4)
        raw = binascii.a2b_base64(padded) if kind in "bB" else binascii.a2b_qp(data, header=True)
    except binascii.Error:
        return found.group()
    return decode(raw, charset.partition("*")[0])[0]


def identifiers(value: str, limit: int = 100) -> tuple[str, ...]:
    return tuple(
        f"<{one}>" for one in _ID.findall(value)[:limit] if one.isascii() and one.isprintable()
    )


def addresses(found: Iterable[Field], *names: str, limit: int = 200) -> tuple[str, ...]:
    """Return each address once. Not for identity."""
    seen: dict[str, None] = {}
    for field in found:
        if field.name in names:
            for token in _DELIMITERS.split(field.value):
                if token.count("@") == 1 and (one := address(token)):
                    seen[one] = None
    return tuple(seen)[:limit]


_LIST_PIECE = re.compile(r"\\.|[\",;:<>()]|[^\\\",;:<>()]+|\\", re.DOTALL)


def mailboxes(value: str, limit: int = 200) -> tuple[str, ...]:
    """Return a recipient list's addresses, without comments."""
    found: list[str] = []
    plain, angle = "", None
    depth, quoted = 0, False
    for piece in (*_LIST_PIECE.findall(value[:10_000]), ","):
        if quoted or depth:
            quoted ^= piece == '"' and not depth
            depth += (piece == "(") - (piece == ")") if not quoted else 0
        elif piece == '"':
            quoted, plain = True, plain + piece
        elif piece == "(":
            depth = 1
        elif piece in ",;":
            if one := address((plain if angle is None else angle).strip(" \t")):
                found.append(one)
            plain, angle = "", None
        elif piece == ":" and angle is None:  # the name of a group
            plain = ""
        elif piece == "<":
            angle = "" if angle is None else angle + piece  # a second one makes it no address
        elif piece != ">":
            plain, angle = (plain + piece, None) if angle is None else (plain, angle + piece)
    return tuple(dict.fromkeys(found))[:limit]


def address(text: str) -> str:
    """Return an address for comparison, or "". ASCII letters become small, domains xn--;
    look-alikes stay others."""
    local, at, domain = text.translate(_LOWER).rpartition("@")
    if not at or not _LOCAL.match(local) or len(text) > 254:
        return ""
    if not domain.isascii():
        return f"{local}@{known}" if (known := _registered(domain)) else ""
    return f"{local}@{domain}" if all(_LABEL.match(label) for label in domain.split(".")) else ""


def _registered(domain: str) -> str:
    if unicodedata.normalize("NFKC", domain) != domain or domain.lower() != domain:
        return ""
    try:
        labels = [(label, label.encode("idna").decode("ascii")) for label in domain.split(".")]
        if any(new.encode("ascii").decode("idna") != label for label, new in labels):
            return ""
    except UnicodeError:
        return ""
    good = all(
        _LABEL.match(new) and (old.isascii() or new.startswith("xn--")) for old, new in labels
    )
    return ".".join(new for _, new in labels) if good else ""


_LONGEST_NAME = 80
_NOT_PLAIN = "the address in From is not a plain one"
UNWRITABLE = "the address in From has letters that are not ASCII, and no mail of ours can go there"


def sender(found: Sequence[Field], raw_head: bytes) -> tuple[str | None, str]:
    """Return the From address, or None and why programs may disagree. raw_head: as it came."""
    if b"\0" in raw_head or b"\r" in raw_head.replace(b"\r\n", b""):
        return None, "the header holds a NUL or a bare carriage return"
    froms = [
        field
        for field in found
        if field.name == "from" or (field.odd and field.name.startswith("from"))
    ]
    for field in found:
        if field.odd and (field in froms or field.odd == "a blank line stands within the header"):
            return None, f"{field.odd} (From)" if field in froms else field.odd
    if len(froms) != 1:
        return None, "two From fields" if froms else "no From field"
    return _strict(froms[0].value)


def display_name(found: Sequence[Field]) -> str:
    value = next(iter(values(found, "from")), "")
    name = words(value.partition("<")[0]) if "<" in value else ""
    return " ".join(name.replace('"', " ").replace("\\", " ").split())[:_LONGEST_NAME]


def _strict(value: str) -> tuple[str | None, str]:
    """Read `a@b`, `a@b (comment)`, `<a@b>`, `name <a@b>` or `"name" <a@b>`."""
    bad = _bad(value)
    if bad:
        return None, bad
    name = _NAME_BEFORE.match(value)
    rest = value[name.end() :] if name else value
    if rest.startswith("<"):
        inner, closed, after = rest[1:].partition(">")
        if not closed or after.strip(" \t"):
            return None, "text after the address in From"
        if "=?" in inner:
            return None, "an encoded-word as the address in From"
        found = address(inner)
        odd = not inner.isascii() and "@" in inner
        return found or None, "" if found else UNWRITABLE if odd else _NOT_PLAIN
    bare = _LAST_COMMENT.sub("", value)
    if found := address(bare):
        return found, ""
    return None, "From is not one plain address" if value else "From is empty"


def _bad(value: str) -> str:
    if any(unicodedata.category(char) == "Cc" and char != "\t" for char in value):
        return "a control character in From"
    if "\\" in value:
        return "a quoted pair in From"
    hidden = "".join(_decoded(word) for word in _ENCODED.finditer(value))
    if any(char in hidden for char in "@<>\r\n\0"):
        return "an address hidden in an encoded-word in From"
    outside = _QUOTED.sub("", value)
    if "," in outside or ";" in outside or ":" in outside:
        return "From holds a group or several addresses"
    return ""
