"""Whose games, letters and mails somebody may see, as a condition of any statement: so that what he
sees of many is counted, and given page by page, without all of it being read."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, exists, or_, true
from sqlalchemy.orm import InstrumentedAttribute, aliased

from pbem.store.records import Game

Column = InstrumentedAttribute[str]


@dataclass(frozen=True, slots=True)
class Among:
    """What somebody may see of the games.

    ``masters``: the games of these gamesmasters ("" for the installation's), None for all; but not
    those ``without`` which, in which he plays; and those ``besides`` that he has in hand as second
    gamesmaster. ``few``: where they are few, all of them by their ids. ``nowhere``: also what is of
    no game, but for what came from, or goes to, the ``hidden`` addresses, which are of people with
    whom he plays.
    """

    masters: tuple[str, ...] | None
    without: frozenset[str] = frozenset()
    besides: frozenset[str] = frozenset()
    nowhere: bool = True
    hidden: frozenset[str] = frozenset()
    few: frozenset[str] | None = None

    @property
    def whole(self) -> bool:
        """Whether nothing is kept from him."""
        return self.masters is None and not self.without

    def game(self, column: Column) -> ColumnElement[bool]:
        """What is of a game that he may see; ``column`` has its id."""
        left: ColumnElement[bool] = column.not_in(self.without) if self.without else true()
        if self.masters is None:
            return and_(column != "", left)
        if self.few is not None:
            return column.in_(self.few - self.without)
        his = and_(self._mastered(column), left)
        return or_(his, column.in_(self.besides)) if self.besides else his

    def shown(self, column: Column) -> ColumnElement[bool]:
        """What is of a game that he is shown at all: also of those in which he plays."""
        if self.masters is None:
            return true()
        if self.few is not None:
            return column.in_(self.few)
        his = self._mastered(column)
        return or_(his, column.in_(self.besides)) if self.besides else his

    def _mastered(self, column: Column) -> ColumnElement[bool]:
        """Asked of each row: to gather very many games first would take longer."""
        if column is Game.id:
            return Game.gamesmaster.in_(self.masters or ())
        one = aliased(Game)
        return exists().where(one.id == column, one.gamesmaster.in_(self.masters or ()))

    def post(self, game: Column, address: Column) -> ColumnElement[bool]:
        """The letters or mails that he may see; the columns have the id of the game, "" for none,
        and the address of whoever wrote or is written to."""
        if self.whole:
            return true()
        if not self.nowhere:
            return self.game(game)
        hers: ColumnElement[bool] = address.not_in(self.hidden) if self.hidden else true()
        return or_(and_(game == "", hers), self.game(game))
