"""The period of play that the README tells, played by real mail."""

from tests.docs.documents import ROOT, blocks
from tests.installation import Installation

README = ROOT / "README.md"
LESSON, LETTER, RECEIPT, NEWS = [
    block.text.rstrip("\n") for block in blocks(README) if block.kind == "text"
]


def played(at: Installation) -> str:
    """Play to the end of that period. Return the receipt of its letter."""
    at.start()
    for seat in "SR":
        at.write(seat, "GOVERNMENT PREMIER S, FOREIGN R, DEFENSE S, FINANCE R WITH BILL 4")
    at.write("L", "ENDORSE S")
    at.to_deadline()
    at.write("S", LETTER)
    at.send_each("RLCM", "VOTE YES ON 4")
    receipt = at.newest("S")
    at.to_deadline()
    return receipt
