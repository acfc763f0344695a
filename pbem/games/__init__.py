"""The games: one package each, and the frame that they stand in.

Pure. May import: errors, text, orders. No game imports another.
"""

GAMES = {
    "parlement-1966": "pbem.games.parlement_1966",
    "parlement-1968": "pbem.games.parlement_1968",
    "coalition": "pbem.games.coalition",
    "legislation": "pbem.games.legislation",
    "politics-1935": "pbem.games.politics_1935",
    "party-in-power": "pbem.games.party_in_power",
}
"""Key of a rule-set -> its package, which offers ``ruleset(book: Rulebook) -> Ruleset``."""
