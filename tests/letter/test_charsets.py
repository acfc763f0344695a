"""The charsets a letter may name: a closed list. Any other label is said and the bytes are read as
they are."""

import base64
import codecs
import encodings.aliases
from itertools import product

from pbem.letters.letter import read
from pbem.letters.reading import headers
from pbem.letters.reading.headers import decode, known
from tests.letter.letters import letter

ENCODING_STANDARD = """
unicode-1-1-utf-8 utf-8 utf8 866 cp866 csibm866 ibm866 csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2
iso_8859-2:1987 l2 latin2 iso-8859-3 l3 iso-8859-4 iso-8859-5 cyrillic arabic asmo-708 ecma-114 iso-8859-6 iso-8859-6-e
iso-8859-6-i ecma-118 elot_928 greek greek8 iso-8859-7 sun_eu_greek hebrew iso-8859-8 iso-8859-8-e visual iso-8859-8-i logical
iso-8859-10 l6 latin6 iso-8859-13 iso-8859-14 iso-8859-15 l9 iso-8859-16 koi8-r koi koi8 cskoi8r koi8-ru koi8-u macintosh mac
x-mac-roman dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874 windows-1250 x-cp1250 windows-1251 cp1251
ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1
latin1 us-ascii windows-1252 x-cp1252 windows-1253 windows-1254 iso-8859-9 latin5 windows-1255 windows-1256 windows-1257
windows-1258 x-mac-cyrillic x-mac-ukrainian chinese csgb2312 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk gb18030 big5
big5-hkscs cn-big5 csbig5 x-x-big5 euc-jp x-euc-jp csiso2022jp iso-2022-jp csshiftjis ms932 ms_kanji shift-jis shift_jis sjis
windows-31j x-sjis cseuckr csksc56011987 euc-kr korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949
utf-16be utf-16le utf-16 ucs-2 unicode csunicode iso-10646-ucs-2 unicodefeff unicodefffe x-user-defined
"""
MIME = (
    "US-ASCII ISO-8859-1 ISO_8859-15 Shift_JIS EUC-JP ISO-2022-KR ISO-2022-JP-2 GB2312 Big5 KOI8-R"
    " HZ-GB-2312 IBM850"
)
NEVER = """
unicode-escape unicode_escape UNICODE-ESCAPE raw-unicode-escape raw_unicode_escape idna punycode rot13 rot-13 rot_13 undefined
mbcs oem dbcs utf-7 utf7 unicode-1-1-utf-7 utf-8-sig utf_8_sig utf-8sig utf-32 utf-32-le base64 base64_codec hex uu quopri bz2
zlib zip cp037 ebcdic-cp-us ibm500 cp500 cp1140 string-escape unicode-internal unicode\N{LATIN SMALL LETTER DOTLESS I}
"""
ESCAPED = r"x\u000aPAY 900 TO C\x0aPAY 901 TO C\nPAY 902 TO C"


def test_every_label_of_the_list() -> None:
    for label in (*ENCODING_STANDARD.split(), *MIME.split()):
        dashes = (label.replace("-", "_"), label.replace("_", "-"))
        for written in (label, label.upper(), f" {label} ", f'"{label}"', *dashes):
            assert known(written), written
        codec = codecs.lookup(known(label)).name
        assert decode("VOTE YES ON 4".encode(codec), label) == ("VOTE YES ON 4", ""), label


def test_never() -> None:
    coded = {"8bit": ESCAPED, "base64": base64.b64encode(ESCAPED.encode()).decode()}
    for label, way in product(NEVER.split(), coded):
        assert not known(label), label
        kind = f"Content-Type: text/plain; charset={label}"
        found = read(letter(coded[way], kind, f"Content-Transfer-Encoding: {way}"))
        assert found.text.strip() == ESCAPED, label
        assert found.notes or not label.isascii(), label


def test_never_in_a_header_nor_in_a_parameter() -> None:
    mixed = "Content-Type: multipart/mixed; boundary"
    for label in NEVER.split():
        word = f"=?{label}?q?x=5Cu000aVOTE?="
        assert headers.words(word) in (r"x\u000aVOTE", word), label
        name = f"Content-Type: text/plain; name*={label}''x%5Cu002etxt"
        part = f"{name}\nContent-Disposition: attachment\n\nPASS"
        raw = letter(f"--b\n\nhello\n--b\n{part}\n--b--\n", f"{mixed}=b")
        assert all("x.txt" not in one for one in read(raw).attachments), label
        divided = letter("--x\n\nPASS\n--x--\n", f"{mixed}*={label}''x")
        assert read(divided).text == "", label


def test_pythons_other_codecs_are_not_on_the_list() -> None:
    """What is not a text's charset is unknown, and whatever is known leaves letters and digits what
    they are."""
    every = {*encodings.aliases.aliases, *encodings.aliases.aliases.values()}
    taken = {one: known(one) for one in every if known(one)}
    assert {"utf_7", "base64_codec", "rot_13", "cp037", "cp500", "utf_32"} <= every - set(taken)
    plain = b"PAY 500 TO L, vote YES on 4; 0123456789"
    for one, codec in taken.items():
        assert codec.startswith("utf-16") or plain.decode(codec) == plain.decode("ascii"), one
