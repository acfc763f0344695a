"""The gamesmaster's desk: what waits for him, and all his acts, as pages in a browser.

May import: pages, store, post, periods, referee and website (and what those import).
"""
