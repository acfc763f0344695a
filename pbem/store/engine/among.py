"""Whose games, letters and mails a person may see, as a condition for any statement. Many rows can
be counted and paged without reading them all."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, exists, or_, true
from sqlalchemy.orm import InstrumentedAttribute, aliased

from pbem.store.schema.tables import Game

Column = InstrumentedAttribute[str]


@dataclass(frozen=True, slots=True)
class Among:
    """What a person may see of the games."""

    masters: tuple[str, ...] | None
    """Games of these gamesmasters ("" for the installation's); None for all."""
    without: frozenset[str] = frozenset()
    """Games to leave out, because the person plays in them."""
    besides: frozenset[str] = frozenset()
    """Games in the person's care as second gamesmaster."""
    nowhere: bool = True
    """Whether letters and mails of no game are included, except those of ``hidden`` addresses."""
    hidden: frozenset[str] = frozenset()
    """Addresses of people with whom the person plays."""
    few: frozenset[str] | None = None
    """If the games are few, all of them by id."""

    @property
    def whole(self) -> bool:
        """Whether nothing is kept from him."""
        return self.masters is None and not self.without

    def game(self, column: Column) -> ColumnElement[bool]:
        """Return a condition for rows of games that he may see; ``column`` has the game's id."""
        left: ColumnElement[bool] = column.not_in(self.without) if self.without else true()
        if self.masters is None:
            return and_(column != "", left)
        if self.few is not None:
            return column.in_(self.few - self.without)
        his = and_(self._mastered(column), left)
        return or_(his, column.in_(self.besides)) if self.besides else his

    def shown(self, column: Column) -> ColumnElement[bool]:
        """Return a condition for rows of games shown to him at all, including those in which he
        plays."""
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
        """Return a condition for the letters or mails that the person may see. The columns hold the
        game's id ("" for none) and the address of the writer or recipient."""
        if self.whole:
            return true()
        if not self.nowhere:
            return self.game(game)
        hers: ColumnElement[bool] = address.not_in(self.hidden) if self.hidden else true()
        return or_(and_(game == "", hers), self.game(game))
