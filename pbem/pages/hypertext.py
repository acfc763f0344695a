"""A bulletin as HTML, made from its plain text, so that the two cannot differ.

The plain text has few shapes: a title over a rule of `=`, headings in capitals, paragraphs, lists
with `*`, and lines set flush by blanks (tables and forms). Each becomes its element; a paragraph's
number in brackets becomes a small mark.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from html import escape

from pbem.text import WIDTH

_STYLE = (
    "body{font:16px/1.45 Georgia,serif;max-width:46em;margin:1em auto;padding:0"
    " 1em;color:#222}h1{font-size:1.4em;border-bottom:2px solid"
    " #833;padding-bottom:.3em}h2{font-size:1.05em;letter-spacing:.04em;color:#833;margin:1.4em 0"
    " .4em}pre{font:13px/1.35 Menlo,Consolas,monospace;background:#f7f4ee;padding:.6em"
    " .8em;overflow-x:auto}sup{color:#998;font-size:.7em}"
)
_RULE = re.compile(r"\[([A-Z]?\d[\w.]*)\]")
_HEADING = re.compile(r"[A-Z0-9][A-Z0-9 ,.'/:&-]{3,}(?:\(.*+)?")


def page(text: str) -> str:
    """The HTML document of a plain-text bulletin or notice."""
    lines = text.replace("\r\n", "\n").strip("\n").split("\n")
    title = lines[0] if lines else ""
    body = "\n".join(_blocks(lines))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta'
        f' charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _blocks(lines: list[str]) -> Iterator[str]:
    """The elements, block by block; blocks are parted by empty lines and by changes of shape."""
    at = 0
    while at < len(lines):
        shape = _shape(lines, at)
        end = at + 1
        while end < len(lines) and _continues(shape, lines, end):
            end += 1
        if made := _element(shape, lines[at:end]):
            yield made
        at = end


def _shape(lines: list[str], at: int) -> str:
    line = lines[at]
    if not line.strip():
        return "gap"
    if set(line) == {"="}:
        return "rule"
    if line.startswith(" "):
        return "table"
    if line.startswith("* "):
        return "item"
    if any(set(other) == {"="} for other in lines[at + 1 : at + 3] if other):
        return "title"
    return "heading" if _HEADING.fullmatch(line) else "paragraph"


def _continues(shape: str, lines: list[str], at: int) -> bool:
    """Whether line ``at`` still belongs to a block of this shape."""
    line = lines[at]
    match shape:
        case "gap" | "rule" | "title" | "heading":
            return False
        case "table":
            return line.startswith(" ") or (
                not line.strip() and at + 1 < len(lines) and lines[at + 1].startswith(" ")
            )
        case "item":
            return line.startswith("  ") and bool(line.strip())
        case _:
            return _shape(lines, at) == "paragraph" and not lines[at - 1].endswith("]")


def _element(shape: str, lines: list[str]) -> str:
    words = _RULE.sub(r"<sup>[\1]</sup>", _joined(lines))
    match shape:
        case "gap" | "rule":
            return ""
        case "title":
            return f"<h1>{words}</h1>"
        case "heading":
            return f"<h2>{words.capitalize()}</h2>"
        case "table":
            return "<pre>" + escape("\n".join(lines)) + "</pre>"
        case "item":
            return f"<ul><li>{words.removeprefix('* ')}</li></ul>"
        case _:
            return f"<p>{words}</p>"


def _joined(lines: list[str]) -> str:
    """Filled lines as one; a break is kept where the next word would still have had room."""
    text = escape(lines[0].strip())
    for before, line in itertools.pairwise(lines):
        word = line.split(maxsplit=1)[0] if line.split() else ""
        text += ("<br>" if len(before) + 1 + len(word) <= WIDTH else " ") + escape(line.strip())
    return text
