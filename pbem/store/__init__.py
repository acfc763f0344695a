"""The tables and every statement upon them, the configuration and the data folders.

May import: errors, text, orders, letters, games, pages.
"""
