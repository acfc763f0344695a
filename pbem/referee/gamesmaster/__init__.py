"""Serve the gamesmaster: words by mail, the queue, explanations."""
