"""The orders of Show of Hands: how each is written, what it fills, and whether it may be given."""

from __future__ import annotations

from functools import partial
from typing import Annotated, ClassVar, TypeAlias

from pbem.games.show_of_hands.state import HANDS, State

from pbem.games.frame.ruleset import Rulebook
from pbem.orders import declared
from pbem.orders.declared import Declared, Reader
from pbem.orders.language import Language
from pbem.orders.order import Wording

Case: TypeAlias = declared.Case[State, None]


def hand(case: Case, word: str) -> None:
    case.refuse_if(word not in HANDS, "E_HAND", f'"{word}" is not a hand: LEFT or RIGHT.', "2")


def player(case: Case, word: str) -> None:
    message = f'There is no player "{word}" in this game.'
    case.refuse_if(word not in case.state.seats, "E_PLAYER", message)


class Raise(Declared):
    """The hand a player shows."""

    hand: Annotated[str, hand]
    slot: ClassVar[str] = "RAISE"
    written = Wording("RAISE {hand}")


class Bet(Declared):
    """Beans that a player will be in the majority; one bet for each player bet on."""

    beans: int
    on: Annotated[str, player]
    slot = Wording("BET {on}")
    written = Wording("BET {beans} ON {on}")

    def check(self, case: Case) -> None:
        """Paragraph 3."""
        need, beans = self.beans, case.state.beans[case.seat]
        need += sum(bet.beans for bet in case.of(Bet, besides=self.slot))
        message = f"You have {beans} beans; these bets need {need}."
        case.refuse_if(need > beans, "E_BEANS", message, "3")


def language(book: Rulebook) -> Language:
    """The order language, with what its terminals are called in a refusal."""
    labels = {"RAISE.WORD": "LEFT, RIGHT", "BET.WORD": "a player"}
    reader = partial(Reader, (Raise, Bet), word=str.upper)
    return Language(book.grammar, book.terminals, reader, labels)
