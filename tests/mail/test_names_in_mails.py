"""The law of names, over every mail of a bots' game of each rule-set: a person is called by name.

A bare number of a seat stands only in orders, in brackets and in a table's column of its own; a
party has its player's name where a mail first mentions it; no sentence becomes odd by that.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.words import PLAYERS
from pbem.house import shelf
from pbem.orders.called import is_number
from tests.installation import Installation, text_of
from tests.mails import of_bots

NUMBERED = ("legislation", "politics-1935")
PARTIES = ("coalition", "parlement-1966", "parlement-1968", "party-in-power")
PUBLIC = ("bulletin", "end")
_ORDER = re.compile(
    r"^ *(?:\[[\d+-]+\] |> |\| )|\b[A-Z]{2,}(?: P\d+\b,?)+(?: [A-Z]+)?|[Yy]ou are P\d+"
)
_BRACKETS = re.compile(r"\([^()]*\)")
_SEAT = re.compile(r"\bP\d+\b")
_ONE = f"(?:{'|'.join(PLAYERS)})"
_QUOTED = re.compile(r'"[^"]*"')
"""The rules may say "he"."""
ODD = {
    "a name twice": re.compile(rf"\b({_ONE}),? \(\1\b"),
    "two names": re.compile(rf"\({_ONE}\) \({_ONE}"),
    "owned twice": re.compile(rf"\b{_ONE}'s?'s|\({_ONE}\)'"),
    "many for one": re.compile(rf"(?<!and )(?<!, ){_ONE}(?: \(\w+\))? (?:have|are|were|do)\b"),
    "one for many": re.compile(rf"{_ONE},? and {_ONE} (?:has|is|was|does|leads|wins)\b"),
    "he or she": re.compile(r"\b(?:he|him|his|himself|she|her)\b", re.IGNORECASE),
    "a bar": re.compile(r"\w \| \w"),
    "in an order": re.compile(rf"\b(?:TO|FOR|AGAINST|AFTER|NAMES) \w+ \({_ONE}"),
}


def sentences(text: str) -> Iterator[str]:
    """Yield the paragraphs of a mail, and each cell of its tables by itself."""
    for paragraph in text.split("\n\n"):
        lines: list[str] = []
        for line in paragraph.split("\n"):
            if line.startswith("  ") and re.search(r"\S {2,}\S", line.strip()):
                yield from re.split(r" {2,}", line.strip())
            elif line.startswith("* ") or _ORDER.match(line):
                yield " ".join(lines)
                lines = [line]
            else:
                lines.append(line.strip())
        yield " ".join(lines)


def bare(sentence: str) -> bool:
    """Return whether a sentence calls somebody by a number."""
    if _SEAT.fullmatch(sentence) or _ORDER.match(sentence):
        return False
    return bool(_SEAT.search(_BRACKETS.sub("", _ORDER.sub("", sentence))))


@pytest.mark.slow
@pytest.mark.parametrize("game", NUMBERED)
def test_nobody_is_called_by_a_number(game: str) -> None:
    found = {
        f"{one.kind}: {said}"
        for one in of_bots(game)
        for said in [str(one.mail["Subject"]), *sentences(text_of(one.mail))]
        if bare(said)
    }
    assert not found, "\n".join(sorted(found)[:20])


@pytest.mark.slow
@pytest.mark.parametrize("game", PARTIES)
def test_a_party_has_its_players_name_at_its_first_mention(game: str) -> None:
    seats = dict(zip(shelf.open_ruleset(game).about.seats[0], PLAYERS, strict=False))
    assert not any(map(is_number, seats))
    found, told = set(), set()
    for one in of_bots(game):
        text = " ".join(prose(text_of(one.mail)))
        for seat, name in seats.items():
            named = text.count(f"({name})") + text.count(f"({name}, ")
            first = mention(text, seat)
            if one.kind in PUBLIC and first:
                told.add(seat)
                if not 0 <= text.find(name) <= first.end() + 2:
                    found.add(f"{one.kind} {one.mail['Subject']}: {seat} without {name}")
            if named > 1 and one.kind != "end":
                found.add(f"{one.kind} {one.mail['Subject']}: {name} {named} times")
    assert told and not found, "\n".join(sorted(found)[:20])


def prose(text: str) -> Iterator[str]:
    """Yield the lines of sentences."""
    for line in text.split("\n"):
        if not line.startswith(" ") and line != line.upper():
            yield line


def mention(text: str, seat: str) -> re.Match[str] | None:
    """Return where a text first tells of a party: "L won", "the Liberals (L)"."""
    does = rf"(?<![\w'(-]){seat}\b(?= (?:and|won|got|leads|has|took|had)\b| \()"
    return re.search(rf"{does}|(?:\(|, ){seat}\)", text)


@pytest.mark.slow
def test_names_make_no_odd_sentence(key: str) -> None:
    found = {
        f"{what}: {said}"
        for one in of_bots(key)
        for said in sentences(text_of(one.mail))
        for what, odd in ODD.items()
        if odd.search(_QUOTED.sub("", said))
    }
    assert not found, "\n".join(sorted(found)[:20])


@pytest.mark.parametrize("game", PARTIES)
def test_hidden_names_stand_behind_no_party(game: str, tmp_path: Path) -> None:
    with Installation(tmp_path, game, house={"names": "hidden"}, names=PLAYERS) as at:
        at.start()
        if at.table().period.due:
            at.to_deadline()
        for seat, own in zip(at.seats, at.names, strict=False):
            others = {name for name in PLAYERS if name != own}
            said = [text_of(mail) for mail in at.mails(seat)]
            assert said and others.isdisjoint(re.findall(r"\w+", " ".join(said)))
