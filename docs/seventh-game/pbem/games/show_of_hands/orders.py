"""The orders of Show of Hands: frozen values with a slot and a canonical text, made from parsed
trees."""

from __future__ import annotations

from dataclasses import dataclass

from lark import Token, Transformer, v_args

from pbem.orders.order import Order, Pass


@dataclass(frozen=True, slots=True)
class Raise:
    """RAISE LEFT or RAISE RIGHT: the hand a player shows."""

    hand: str
    slot: str = "RAISE"

    def __str__(self) -> str:
        return f"RAISE {self.hand}"


@dataclass(frozen=True, slots=True)
class Bet:
    """BET n ON seat: n beans that this player will be in the majority."""

    beans: int
    on: str

    @property
    def slot(self) -> str:
        """One bet for each player bet on."""
        return f"BET {self.on}"

    def __str__(self) -> str:
        return f"BET {self.beans} ON {self.on}"


@v_args(inline=True)
class ToOrders(Transformer[Token, Order]):
    """From parse tree to order."""

    def order(self, order: Order) -> Order:
        """The start rule."""
        return order

    def raise_(self, hand: Token) -> Order:
        """RAISE."""
        return Raise(hand.upper())

    def bet(self, beans: Token, on: Token) -> Order:
        """BET."""
        return Bet(int(beans.replace(",", "")), on.upper())

    def pass_(self) -> Order:
        """PASS."""
        return Pass()
