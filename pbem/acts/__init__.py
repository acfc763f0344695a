"""The table of the gamesmaster's acts, for shell, mail and desk.

Effects are in ``referee/acts``. Pure. May import: errors, text.
"""
