"""Party In Power: the ruling party against up to nine Opposition Parties."""

from pbem.games.party_in_power.rules import PartyInPower as ruleset

__all__ = ["ruleset"]
