"""The gamesmaster's desk: what waits, and all acts, as pages in a browser.

May import: pages, store, post, periods, referee and website (and what those import).
"""
