"""Plain numbers and signs. :func:`even` keeps lengths, so places stay valid."""

import re

from pbem.orders.spelling import is_number

_MAY = re.compile(r"[&$€£]|[0-9] ?[.,' ] ?[-0-9]|[0-9kK] ?[A-Za-z]|[aA][nN][dD]")
_GROUPED = re.compile(
    r"(?<![\w.,'/-])[0-9]{1,3}(?:(?:\.[0-9]{3}){1,3}|(?:'[0-9]{3}){1,3}|(?: [0-9]{3}){1,3})"
    r"(?![\w/]|[.,'][0-9])"
)
_THOUSANDS = re.compile(r"(?<![\w.,'/-])([0-9]{1,4})[.,]([0-9]{1,2})[kK](?![\w'-])")
_CURRENCY = re.compile(r"[$€£](?= ?[0-9])")
_UNIT = re.compile(
    r"(?<![\w.,'/+-])([0-9][0-9,]{0,19}[kK]?)"
    r"([.,]-(?![\w-])| {0,2}(?:crs?\.|(?:crs?|crowns?|kr|dollars?|tokens?|points?|pts|[$€£])"
    r"(?![\w+/'-]|[ ](?:plus|minus))))",
    re.IGNORECASE,
)
_AND = re.compile(r"(?<![\w'/+-])and(?![\w'/+-])|&", re.IGNORECASE)
_ODD = re.compile(r"(?<![\w.,'/])[0-9]{1,12}[.,'][0-9]{1,12}(?:[.,'][0-9]{1,12}){0,3}(?![\w])")
_COMMAS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3}){1,4}")
_SIGNS = str.maketrans(".,'", "   ")
_BLANK = re.compile(r"(?<![^\s\"$:(\[,])(?:\u2026|\.{3,}|\.(?: \.){2,})(?![\w])")
_LONGEST = 1000
_OURS = re.compile(r"\s*+(?:[>|]\s*+)?(?:#[0-9]{1,3}|\[[0-9]{1,3}\])(?:\s|\Z)")


def even(text: str) -> str:
    """Return a text for grammars, of equal length."""
    if not _MAY.search(text):
        return text
    parts = text.split('"')
    parts[::2] = map(_even, parts[::2])
    return '"'.join(parts)


def _even(text: str) -> str:
    text = _AND.sub(lambda found: " " * len(found[0]), _CURRENCY.sub(" ", text))
    return _UNIT.sub(lambda found: found[1] + " " * len(found[2]), grouped(text))


def grouped(text: str) -> str:
    """Return a text with 2,000 for "2.000", "2 000" and "2.0k"."""
    text = _GROUPED.sub(lambda found: found[0].translate(_SIGNS).replace(" ", ","), text)
    return _THOUSANDS.sub(_thousands, text)


def _thousands(found: re.Match[str]) -> str:
    """Write 1.5k in full; its length stays."""
    whole = int(found[1]) * 1000 + int(found[2].ljust(3, "0"))
    return str(whole).rjust(len(found[0]))


def odd(text: str) -> tuple[str, list[str]]:
    """Return an ambiguous number and its readings: 1.50 is 1 or 150."""
    for found in _ODD.finditer(text):
        if even(found[0]) == found[0] and not _COMMAS.fullmatch(found[0]):
            first = found[0].translate(_SIGNS).split()[0]
            joined = "".join(filter(is_number, found[0]))
            if first != joined.lstrip("0"):
                return found[0], [first, joined]
    return "", []


def is_blank(line: str) -> bool:
    """Return whether dots stand alone."""
    if "\u2026" not in line and "." not in line:
        return False
    return any(
        line.count('"', 0, found.start()) % 2 == 0 or line[found.end() : found.end() + 1] == '"'
        for found in _BLANK.finditer(line[:_LONGEST])
    )


def is_ours(line: str) -> bool:
    """Return whether it begins like our mails' "#1"; those of older mails are "[1]"."""
    return bool(_OURS.match(line))


def behind_number(line: str) -> str:
    """Return what stands behind our mails' "#1", or ""."""
    found = _OURS.match(line)
    return line[found.end() :].strip() if found else ""
