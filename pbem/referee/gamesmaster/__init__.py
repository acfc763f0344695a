"""Serve the gamesmaster: his words by mail, his queue, explanations, corrections."""
