"""The journal of each game, and notes beside it."""
