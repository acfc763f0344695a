"""From events and views to what a person reads.

Pure. May import: errors, text, orders, letters, games.
"""
