"""The steps of a period."""

from pbem.games.frame import events
from pbem.games.parlement_1966.state import State, Tables


class Period(events.Period[State, Tables]):
    """A period."""

    def void(self, party: str, rule: str, order: object, why: str) -> None:
        """Tell a party that an order of its own came to nothing."""
        self.minutes.private("void", rule, [party], order=str(order), why=why)

    def bill_void(self, rule: str, bill: int | None, by: str, why: str) -> None:
        self.minutes.public("bill_void", rule, bill=bill, by=by, why=why)
