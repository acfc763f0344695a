"""What a test sees of a letter."""

from pbem.letters.letter import Letter
from pbem.orders.characters import plain


def plain_lines(letter: Letter) -> list[str]:
    """The letter's own lines that say anything, in plain characters and with blanks folded."""
    return [" ".join(line.split()) for line in plain(letter.text).split("\n") if line.strip()]
