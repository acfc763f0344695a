"""The table of the gamesmaster's acts, as shell, mail and desk offer them.

What each does stands in ``referee/acts``. Pure. May import: errors, text.
"""
