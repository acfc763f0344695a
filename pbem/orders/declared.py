"""Orders declared once, each a class: how it is read, written and checked.

A rule of the grammar makes the order of its name: ``vote`` makes ``Vote`` of its parts in the order
of the fields, ``vote__vote__bill`` of the fields named. Several things for a field that takes one
make several orders.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, partial
from typing import Any, ClassVar, Generic, NoReturn, TypeVar, get_type_hints

from lark import Transformer, Tree

from pbem.orders.order import Checked, Order, Pass, Problem, Resign, Worded

S = TypeVar("S")
T = TypeVar("T")
_WIDEST = 100  # a wider range is cut to its ends; they are refused as what they number


class RefusalError(Exception):
    """Ends a check; its argument is the refusal."""


@dataclass(slots=True)
class Case(Generic[S, T]):
    """An order in its seat's place: what a check asks and what it says."""

    state: S
    seat: str
    standing: Mapping[str, Order]
    tables: T
    said: list[Problem] = field(default_factory=list)

    def refuse(self, code: str, message: str, rule: str = "", *notes: str) -> NoReturn:
        self.stop(Problem(code, message, rule, notes))

    def stop(self, *problems: Problem) -> NoReturn:
        """Refuse for all these."""
        raise RefusalError(Checked((), problems))

    def refuse_if(
        self, wrong: object, code: str, message: str, rule: str = "", *notes: str
    ) -> None:
        if wrong:
            self.refuse(code, message, rule, *notes)

    def warn_if(self, applies: object, message: str, rule: str) -> None:
        """Say the first that applies."""
        if applies and not self.said:
            self.said.append(Problem("W_NOTE", message, rule, warning=True))

    def of(self, *kinds: type, besides: str = "") -> list[Any]:
        return [
            one for slot, one in self.standing.items() if isinstance(one, kinds) and slot != besides
        ]


class Declared(Worded):
    """An order that checks itself; its fields do so first (``Annotated[str, known]``)."""

    phases: ClassVar[Sequence[str]] = ()
    """Those in which it may be given; none: all."""
    offered_only: ClassVar[bool] = False
    """A sentence never sends it, but a yes may: money, a signature, a list."""

    def check(self, case: Any) -> Order | Checked | None:
        """Refuse or warn. Return what stands in its place, or the whole answer."""


def checked(
    order: Any,
    case: Case[Any, Any],
    check: Callable[[Any, Any], Order | Checked | None] | None = None,
) -> Checked:
    """Return what is filed and said, or the refusal.

    check: the game's, for an order of the frame. An order without one is filed as it is.
    """
    kind: Any = type(order)
    check = check or getattr(kind, "check", None)
    try:
        for name, known in _checks(kind):
            known(case, getattr(order, name))
        found = check(order, case) if check else None
        return found if isinstance(found, Checked) else Checked((found or order,), tuple(case.said))
    except RefusalError as error:
        refusal: Checked = error.args[0]
        return refusal


@cache
def _checks(kind: Any) -> tuple[tuple[str, Callable[[Any, Any], None]], ...]:
    hints = get_type_hints(kind, include_extras=True)
    known = {name: getattr(hint, "__metadata__", ()) for name, hint in hints.items()}
    return tuple((name, one) for name, some in known.items() for one in some)


class Reader(Transformer[Any, Any]):
    """Makes orders from parse trees. words: what other rules make."""

    def __init__(self, kinds: Sequence[type], **words: Callable[..., Any]) -> None:
        super().__init__()
        self._kinds = {kind.__name__.casefold(): kind for kind in (Pass, Resign, *kinds)}
        for name, made in words.items():
            setattr(self, name, partial(lambda made, parts: made(*parts), made))

    def __default__(self, data: str, parts: list[Any], _meta: Any) -> Any:
        if data.startswith("_"):  # Lark's own, of a repetition
            return Tree(data, parts)
        name, *named = str(data).split("__")
        kind: Any = self._kinds.get(name.replace("_", ""))
        if kind is None:
            return parts[0]
        return _orders(kind, named or [one.name for one in fields(kind)], parts)

    def range(self, parts: Sequence[int | None]) -> tuple[int, ...]:
        """Read 21 or 21-24."""
        low, high = sorted(n for n in (parts[0], parts[1] or parts[0]) if n is not None)
        return tuple(range(low, high + 1)) if high - low < _WIDEST else (low, high)

    def ranges(self, parts: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        return parts[0] if len(parts) == 1 else tuple(sorted({n for part in parts for n in part}))


def _orders(kind: type, names: Sequence[str], parts: Sequence[Any]) -> Any:
    given = {name: part for name, part in zip(names, parts, strict=False) if part is not None}
    hints = kind.__annotations__
    many = [n for n, part in given.items() if isinstance(part, tuple) and "tuple" not in hints[n]]
    if not many:
        return kind(**given)
    return tuple(kind(**{**given, many[0]: one}) for one in given[many[0]])
