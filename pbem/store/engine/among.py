"""Conditions on what a person may see, so that databases count and page."""

from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, and_, exists, or_, true
from sqlalchemy.orm import InstrumentedAttribute, aliased

from pbem.store.schema.tables import Game

Column = InstrumentedAttribute[str]


@dataclass(frozen=True, slots=True)
class Among:
    """What a person may see."""

    masters: tuple[str, ...] | None
    """"": the installation's; None: all."""
    without: frozenset[str] = frozenset()
    """Games in which they play."""
    besides: frozenset[str] = frozenset()
    """Games where they are second gamesmaster."""
    nowhere: bool = True
    """Whether letters and mails of no game are included."""
    hidden: frozenset[str] = frozenset()
    """Co-players, whose letters of no game are left out."""
    few: frozenset[str] | None = None
    """If few, all visible games by id."""

    @property
    def whole(self) -> bool:
        """Whether nothing is hidden."""
        return self.masters is None and not self.without

    def game(self, column: Column) -> ColumnElement[bool]:
        """Return a condition for visible games."""
        left: ColumnElement[bool] = column.not_in(self.without) if self.without else true()
        if self.masters is None:
            return and_(column != "", left)
        if self.few is not None:
            return column.in_(self.few - self.without)
        theirs = and_(self._mastered(column), left)
        return or_(theirs, column.in_(self.besides)) if self.besides else theirs

    def shown(self, column: Column) -> ColumnElement[bool]:
        """Return a condition for listed games, played ones included."""
        return replace(self, without=frozenset()).game(column)

    def _mastered(self, column: Column) -> ColumnElement[bool]:
        if column is Game.id:
            return Game.gamesmaster.in_(self.masters or ())
        one = aliased(Game)
        return exists().where(one.id == column, one.gamesmaster.in_(self.masters or ()))

    def post(self, game: Column, address: Column) -> ColumnElement[bool]:
        """Return a condition for visible letters or mails. game: "" for none. address: writer or
        recipient."""
        if self.whole:
            return true()
        if not self.nowhere:
            return self.game(game)
        hers: ColumnElement[bool] = address.not_in(self.hidden) if self.hidden else true()
        return or_(and_(game == "", hers), self.game(game))
