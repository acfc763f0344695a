"""The tables and all statements about them, the configuration and the data folders.

May import: errors, text, budget, acts, orders, letters, games, pages, house.
"""
