"""The subject of a receipt says what became of the letter, in at most eight words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.installation import Installation

SAID = {
    "SPECIAL AGR": "Re: [g] 1 order taken",
    'SPECIAL AGR\nNAME "Harbour"': "Re: [g] 2 orders taken",
    "SPECIAL AGR\nNAEM x": "Re: [g] 1 order taken, 1 not",
    "SPECIAL XYZ": "Re: [g] 1 line not taken",
    "CHECK\nSPECIAL AGR\nSPECIAL XYZ": "Re: [g] tried: 1 order good, 1 not",
    "SPECIAL AGR\nCANCEL SPECIAL": "Re: [g] 1 order taken, 1 taken back",
    "How long does this last?": "Re: orders",
    "SPECIAL XYZ\n\nWhat is a motion?": "Re: [g] 1 line not taken",
    "HELP": "Re: orders",
}


@pytest.mark.parametrize("letter", list(SAID))
def test_a_receipt_says_in_its_subject_what_was_taken(tmp_path: Path, letter: str) -> None:
    with Installation(tmp_path, "coalition") as at:
        at.start()
        at.write("A", letter)
        at.once()
        subject = str(at.mails("A")[-1]["Subject"])
        assert subject == SAID[letter] and len(subject.split()) <= 10
