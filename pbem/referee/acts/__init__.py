"""Carry out the gamesmaster's acts (the table is in ``pbem.acts``)."""
