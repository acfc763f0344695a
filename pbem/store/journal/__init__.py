"""Statements on the journal of each game, and on the notes beside it."""
