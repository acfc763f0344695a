"""Every error the program raises on purpose, split by who can mend it.

    PbemError
    |-- OperatorError     whoever runs the program: a file, an option, a configuration; exit code 1
    |   `-- Doubtful      an act that is surely not meant so; --anyway does it
    |-- OutsideError      something outside failed: mail server, database; exit code 3, tried again
    |   |-- LoginRefused  the server does not take our name or secret: an alarm, not a pause
    |   |-- SenderRefused the server takes no mail from us, whoever it is to: the outbox is held
    |   |-- FolderMissing the server has no folder of that name: its answer, not its failure
    |   |-- NotWritten    the server lets nothing be written into a folder: full, or no right
    |   |-- FolderBusy    another program writes the site's folder: the next pass tries again
    |   `-- DatabaseError locked, full or away: the pass ends, the next one tries again
    `-- RefereeError      ours: a broken invariant; the gamesmaster is told, the game is held
    OverBudget            pure work took too much processor time: the letter is set aside

The message says what happened, where, and what to do about it. A player's mistake is no error but a
value, a :class:`pbem.orders.order.Problem`, answered in his receipt.
"""

from __future__ import annotations

from collections.abc import Sequence


class PbemError(Exception):
    """The root: catch this to catch everything below."""


class OperatorError(PbemError):
    """A file, an option or the configuration is wrong; the text names it and the mend."""


class Doubtful(OperatorError):
    """An act that can be done and is hardly meant; ``doubts`` are sentences without their full
    stops."""

    def __init__(self, doubts: Sequence[str]) -> None:
        super().__init__(
            f"{'. '.join(doubts)}. Nothing was done; if it is meant so, add --anyway (by mail the"
            " word ANYWAY at the end of the line)"
        )
        self.doubts = tuple(doubts)


class ScenarioError(OperatorError):
    """A scenario file says something the game cannot be put into; names the key. ``faults``: each
    key that is wrong, as far as they are known by keys, with what is wrong there."""

    def __init__(self, text: str, faults: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__(text)
        self.faults = tuple(faults)


class OptionError(OperatorError):
    """A game option is unknown or has a value it cannot take; names the legal ones."""


class OutsideError(PbemError):
    """A mail server or the database did not do its part; the same call may go through later."""


class LoginRefused(OutsideError):
    """A mail server refused the account's user name and secret; trying again will not mend it."""


class SenderRefused(OutsideError):
    """The mail server takes no mail from us, whoever it is to: a block of our address, account or
    network, a bad reputation, a quota."""


def login_refused(account: object, words: str, auth: str) -> LoginRefused:
    """A server's refusal of our login, with the mend for what was shown: a password or an access
    token."""
    mend = (
        "The access token was refused; it may have expired, or be another user's. Get a new one by"
        " hand to see why."
        if auth == "xoauth2"
        else (
            "Check the user name and the password; providers that ended passwords need an"
            " application password or xoauth2."
        )
    )
    return LoginRefused(f"{account}: login refused: {words}. {mend}")


class FolderMissing(OutsideError):
    """A folder that we are to read is not on the mail server; the connection is as good as
    before."""


class NotWritten(OutsideError):
    """The server lets nothing be written into a folder; the connection is as good as before.
    ``full``: for want of room."""

    def __init__(self, text: str, *, full: bool) -> None:
        super().__init__(text)
        self.full = full


class FolderBusy(OutsideError):
    """Another program writes to the folder of the site; nothing was written."""


class DatabaseError(OutsideError):
    """The database did not do its part; nothing of the transaction is stored, the next pass tries
    again."""


class RefereeError(PbemError):
    """A broken invariant of our own: nothing is stored, the gamesmaster is told."""


class OverBudget(BaseException):
    """Work on somebody's words took more than its processor time (:mod:`pbem.budget`).

    It stands beside the tree, so that no ``except Exception`` within that work swallows it; who
    gave the budget says what becomes of the work.
    """
