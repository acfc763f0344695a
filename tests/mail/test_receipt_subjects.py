"""The subject of a receipt says what became of the letter, in at most eight words."""

import re
from pathlib import Path

import pytest

from pbem.games import GAMES
from tests.installation import Installation
from tests.net.compare import WORDS
from tests.net.letters import observe

SAID = {
    "SPECIAL AGR": "Re: [g] 1 order taken",
    'SPECIAL AGR\nNAME "Harbour"': "Re: [g] 2 orders taken",
    "SPECIAL AGR\nNAEM x": "Re: [g] 1 order taken, 1 not",
    "SPECIAL XYZ": "Re: [g] 1 line not taken",
    "CHECK\nSPECIAL AGR\nSPECIAL XYZ": "Re: [g] tried: 1 order good, 1 not",
    "SPECIAL AGR\nCANCEL SPECIAL": "Re: [g] your orders are as they were",
    "How long does this last?": "Re: orders",
    "SPECIAL XYZ\n\nWhat is a motion?": "Re: [g] 1 line not taken",
    "HELP": "Re: orders",
}


@pytest.mark.parametrize("letter", list(SAID))
def test_a_receipt_says_in_its_subject_what_was_taken(tmp_path: Path, letter: str) -> None:
    with Installation(tmp_path, "coalition") as at:
        at.start()
        at.send("A", letter)
        subject = str(at.mails("A")[-1]["Subject"])
        assert subject == SAID[letter] and len(subject.split()) <= 10


_COUNTS = {
    r"([0-9]+) orders? (?:taken|good)(?! back)": r"(?m)^ +\[\+\](.+)",
    r"([0-9]+)(?: orders?)? (?:taken )?back": r"(?m)^ +\[-\](.+)",
    r"([0-9]+)(?: lines?)? not": r"(?m)^ +\[([0-9]+)\] NOT TAKEN",
}


@pytest.mark.slow
@pytest.mark.parametrize("group", sorted(GAMES))
def test_the_numbers_of_a_subject_are_those_of_the_lines_listed(group: str) -> None:
    seen = 0
    for name, said in observe(group):
        for _, subject, lines, *_ in said if name.endswith(WORDS) else ():
            text = "\n".join(lines)
            for number, line in _COUNTS.items():
                if (found := re.search(number, subject)) and "Receipt " in text:
                    assert len({*re.findall(line, text)}) == int(found[1]), (subject, text)
                    seen += 1
    assert seen > 10, "there are receipts"
