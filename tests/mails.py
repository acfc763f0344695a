"""Every mail of a bots' game of each rule-set, played once in a run."""

from pathlib import Path
from tempfile import TemporaryDirectory

from bench.words import Came, played
from tests.keeping import once


def of_bots(key: str) -> list[Came]:
    """Return the mails to the seats of one whole game, in the order in which each got them."""

    def make() -> list[Came]:
        with TemporaryDirectory() as folder:
            return list(played(key, Path(folder)))

    return once(("mails of a bots' game", key), make)
