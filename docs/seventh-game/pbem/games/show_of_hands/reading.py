"""From parse trees to orders."""

from __future__ import annotations

from lark import Token, Transformer, v_args
from pbem.games.show_of_hands.orders import Bet, Raise

from pbem.games.frame.ruleset import Rulebook
from pbem.orders.language import Language
from pbem.orders.order import Order, Pass


@v_args(inline=True)
class ToOrders(Transformer[Token, Order]):
    """One method for each rule of the grammar, which gives it its name."""

    def order(self, order: Order) -> Order:
        """The start rule."""
        return order

    def raise_(self, hand: Token) -> Order:
        """RAISE."""
        return Raise(hand.upper())

    def bet(self, beans: int, on: Token) -> Order:
        """BET."""
        return Bet(beans, on.upper())

    def pass_(self) -> Order:
        """PASS."""
        return Pass()


def language(book: Rulebook) -> Language:
    """The order language, with what its terminals are called in a refusal."""
    labels = {"RAISE.WORD": "LEFT, RIGHT", "BET.WORD": "a player"}
    return Language(book.grammar, book.terminals, ToOrders, labels)
