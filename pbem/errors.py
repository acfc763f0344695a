"""All errors raised on purpose, by who can mend them.

    PbemError
    |-- OperatorError     the operator; exit code 1
    |   `-- Doubtful, ScenarioError, OptionError
    |-- OutsideError      another server, which is tried again; exit code 3
    |   `-- LoginRefused, SenderRefused, FolderMissing, NotWritten, FolderBusy, DatabaseError
    `-- RefereeError      the programmer
    OverBudget

The message says what happened, where, and what to do about it. A player's mistake is a value:
:class:`pbem.orders.order.Problem`.
"""

from collections.abc import Sequence


class PbemError(Exception):
    """The root: catch this to catch everything below."""


class OperatorError(PbemError):
    """A file, option or configuration is wrong. The text names it and the remedy."""


class Doubtful(OperatorError):
    """An act that is possible, but hardly meant.

    doubts: sentences without full stops.
    """

    def __init__(self, doubts: Sequence[str]) -> None:
        super().__init__(
            f"{'. '.join(doubts)}. Nothing was done; if it is meant so, add --anyway (by mail the"
            " word ANYWAY at the end of the line)"
        )
        self.doubts = tuple(doubts)


class ScenarioError(OperatorError):
    """A scenario cannot be used. faults: what is wrong, by key, as far as known."""

    def __init__(self, text: str, faults: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__(text)
        self.faults = tuple(faults)


class OptionError(OperatorError):
    """A game option is unknown or has a wrong value. The text names the legal ones."""


class OutsideError(PbemError):
    """A mail server or the database failed; the same call may succeed later."""


class LoginRefused(OutsideError):
    """A mail server refused user name and secret: an alarm, not a pause."""


class SenderRefused(OutsideError):
    """The mail server takes no mail from us, so the outbox is held."""


def login_refused(account: object, words: str, auth: str) -> LoginRefused:
    """Return the error with a remedy for password or token."""
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
    """A folder to be read does not exist. The connection stays good."""


class NotWritten(OutsideError):
    """The server refuses writing to a folder. ``full``: for lack of room. The connection stays
    good."""

    def __init__(self, text: str, *, full: bool) -> None:
        super().__init__(text)
        self.full = full


class FolderBusy(OutsideError):
    """Another program writes to the site's folder; the next pass tries again."""


class DatabaseError(OutsideError):
    """The database failed. The transaction is rolled back; the next pass tries again."""


class RefereeError(PbemError):
    """A broken invariant. Nothing is stored, the game is held and the gamesmaster told."""


class OverBudget(BaseException):
    """Work on somebody's words took too much processor time (:mod:`pbem.budget`).

    It is outside the tree, so that no ``except Exception`` swallows it. Who gave the budget handles
    it.
    """
